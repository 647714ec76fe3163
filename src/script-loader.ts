/**
 * Loads the files of the program that the build turned into classic scripts, with the code that V8 compiled in earlier
 * runs. Node's compile cache contains only what V8 compiles when it loads a module: the functions that run are compiled
 * again in each run, which takes longer than loading them. The code of a script can be stored with these functions.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { readProgramFile } from "./base/index.ts";

/** What a script exports. */
type Exports = Readonly<Record<string, unknown>>;

/** A script evaluates to a function that returns what it exports. */
type ScriptBody = (
  load: typeof loadScript,
  importModule: (specifier: string) => Promise<Exports>,
  meta: { readonly url: string },
) => Exports;

interface LoadedScript {
  readonly script: Script;
  readonly file: string;
  readonly stored: StoredCode | undefined;
}

/** Compiled code that an earlier run stored. */
interface StoredCode {
  readonly code: Buffer;
  /** When it was stored, or found to be complete, in milliseconds since the epoch. */
  readonly checked: number;
}

const SUFFIX = ".code";
const CHECKSUM_BYTES = 4;
/** Milliseconds after which a run that ends checks whether more functions were compiled than are stored. */
const CHECK_INTERVAL = 3_600_000;
/** Milliseconds without use after which stored code belongs to a version that was replaced. */
const MAX_AGE = 30 * 24 * CHECK_INTERVAL;

const exported = new Map<string, Exports>();
const loaded: LoadedScript[] = [];

/** Returns the exports of a script, which is in the folder of this module, and runs it when it is first needed. */
export function loadScript(name: string): Exports {
  const known = exported.get(name);
  if (known) return known;
  const url = new URL(name, import.meta.url);
  const exports = (compile(name, url).runInThisContext() as ScriptBody)(loadScript, (specifier) => import(specifier), {
    url: url.href,
  });
  exported.set(name, exports);
  return exports;
}

function compile(name: string, { href }: URL): Script {
  const source = readProgramFile(new URL(href));
  // The folder of Node's compile cache: the system, the version of Node and the flags of V8 are in its name.
  const folder = getCompileCacheDir?.();
  if (folder === undefined) return new Script(source, { filename: href });
  const file = join(folder, name + SUFFIX);
  const stored = readCode(file);
  const script = new Script(source, { filename: href, ...(stored && { cachedData: stored.code }) });
  if (loaded.length === 0) process.on("exit", storeCode);
  loaded.push({ script, file, stored: script.cachedDataRejected ? undefined : stored });
  return script;
}

/** Returns the stored code of a script; undefined where there is none, or it is damaged, which V8 does not detect. */
function readCode(file: string): StoredCode | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return undefined;
    const content = readFileSync(file);
    const code = content.subarray(0, -CHECKSUM_BYTES);
    const isIntact = content.length > CHECKSUM_BYTES && content.readUInt32LE(code.length) === crc32(code);
    return isIntact ? { code, checked: stats.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the code when a script had none, and from time to time, because other commands run other functions. */
function storeCode(): void {
  const due = Date.now() - CHECK_INTERVAL;
  if (loaded.every(({ stored }) => stored && stored.checked > due)) return;
  for (const { script, file, stored } of loaded) {
    const code = script.createCachedData();
    try {
      if (stored && code.length <= stored.code.length) utimesSync(file, new Date(), new Date());
      else replaceCode(file, code);
    } catch {
      // The next run compiles what it needs.
    }
  }
  removeUnused(join(loaded[0]?.file ?? "", ".."));
}

function replaceCode(file: string, code: Buffer): void {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(code));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([code, checksum]), { mode: 0o600 });
  renameSync(draft, file);
}

/** Removes the code of versions that were replaced, and what killed runs left. */
function removeUnused(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((entry) => entry.includes(SUFFIX))) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > MAX_AGE) rmSync(path);
    }
  } catch {
    // Another run removes them.
  }
}
