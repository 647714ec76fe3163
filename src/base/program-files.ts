/**
 * The files of the program beside its modules: data and scripts that run by themselves. Usually they are in the file
 * system. In a single executable they are embedded, under the paths that they have in the package, and the URLs of
 * modules continue the path of the executable (`scripts/executable/loader.cjs`).
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The argument after which the executable runs an embedded script in place of the command line. */
const RUN_SCRIPT = "__script";
/** The embedded script that finds the others. */
const LOADER = "loader.cjs";

/**
 * Reads a file of the program as text.
 * @throws the error of the file system where the file does not exist
 */
export function readProgramFile(url: URL): string {
  const name = embeddedName(url);
  return name === undefined ? readFileSync(url, "utf8") : embedded().getAsset(name, "utf8");
}

/**
 * Reads a file of the program as bytes, which must not be changed.
 * @throws the error of the file system where the file does not exist
 */
export function readProgramBytes(url: URL): Buffer {
  const name = embeddedName(url);
  return name === undefined ? readFileSync(url) : Buffer.from(embedded().getRawAsset(name));
}

/** Returns the URL of a script beside a module: built like the module itself, or its source. */
export function scriptBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.endsWith(".ts") ? ".ts" : ".js"}`, moduleUrl);
}

/** Returns the arguments with which `process.execPath` runs a script of the program as a process. */
export function scriptArguments(script: URL): readonly string[] {
  const name = embeddedName(script);
  return name === undefined ? [fileURLToPath(script)] : [RUN_SCRIPT, name];
}

/** Returns what a worker thread runs for a script of the program, and the options that this takes. */
export function threadOf(script: URL): readonly [code: string | URL, options: { eval?: true; argv?: string[] }] {
  const name = embeddedName(script);
  return name === undefined
    ? [script, {}]
    : [embedded().getAsset(LOADER, "utf8"), { eval: true, argv: [RUN_SCRIPT, name] }];
}

/** Returns whether this process runs a single executable. */
export function isSingleExecutable(): boolean {
  // Other runtimes have no such module.
  return embedded()?.isSea() === true;
}

const embedded = () => process.getBuiltinModule("node:sea");

/** Returns the name under which a file of the program is embedded; undefined outside of an executable. */
function embeddedName(url: URL): string | undefined {
  if (!isSingleExecutable()) return undefined;
  const root = `${pathToFileURL(process.execPath)}/`;
  return url.href.startsWith(root) ? url.href.slice(root.length) : undefined;
}
