/** The library in programs that esbuild bundles. */
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { USDC } from "../../src/catalogue/samples.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { createTempFolder } from "../support/solx.ts";

/** Bytes, minified: a little more than today. */
const MAX_FOR_REQUESTS = 700_000;
const MAX_ONE_FILE = 1_305_000;

const MODULES = { ".js": ".mjs" };

const PROGRAM = `
import { createClient } from "solx";
const client = createClient({ baseUrl: process.argv[2], key: process.argv[3] });
client.token.meta({ address: "${USDC}" }).then(async ({ symbol }) => {
  const controller = new AbortController();
  controller.abort(new Error("enough"));
  const aborted = await client.token.meta({ address: "${USDC}" }, { signal: controller.signal }).catch((error) => error);
  console.log(symbol, aborted.name, aborted.cause.message);
  return client.close();
});
`;

const folder = createTempFolder();
let sandbox: RunningSandbox;

beforeAll(async () => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules/solx"), "junction");
  writeFileSync(join(folder, "program.mjs"), PROGRAM);
  sandbox = await startSandbox({ port: 0, size: 0.1, folder });
  return () => sandbox.close();
});

test("one CommonJS file answers requests, and contains neither the sandbox nor Redis", async () => {
  const { outputs } = await bundle({ format: "cjs", outfile: join(folder, "program.cjs") });
  const [output] = Object.values(outputs);
  expect(output?.bytes).toBeLessThan(MAX_ONE_FILE);
  expect(Object.keys(output?.inputs ?? {}).filter((file) => /\/(world|redis-store)-/.test(file))).toEqual([]);
  expect(await runProgram("program.cjs")).toBe("USDC AbortError enough\n");
});

test("with code splitting, a program loads what its requests need", async () => {
  const { outputs } = await bundle({
    format: "esm",
    splitting: true,
    outdir: join(folder, "split"),
    outExtension: MODULES,
  });
  expect(bytesAtStart(outputs)).toBeLessThan(MAX_FOR_REQUESTS);
  expect(await runProgram("split/program.mjs")).toBe("USDC AbortError enough\n");
});

test("in a browser the library says why it does not run", async () => {
  await bundle({ format: "esm", platform: "browser", outfile: join(folder, "browser.mjs") });
  await expect(runProgram("browser.mjs")).rejects.toThrow("in a browser its API key would be public");
});

async function bundle(options: BuildOptions) {
  const { metafile, warnings } = await build({
    platform: "node",
    ...options,
    absWorkingDir: folder,
    entryPoints: ["program.mjs"],
    bundle: true,
    minify: true,
    metafile: true,
    // Files below node_modules are a dependency, not the program.
    preserveSymlinks: true,
  });
  expect(warnings).toEqual([]);
  return metafile;
}

/** Returns the size of the files that load with the program. */
function bytesAtStart(outputs: Metafile["outputs"]): number {
  const paths = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === "program.mjs"));
  for (const path of paths) {
    for (const { kind, path: target } of outputs[path]?.imports ?? [])
      if (kind === "import-statement") paths.add(target);
  }
  return [...paths].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}

async function runProgram(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, file), sandbox.url, sandbox.key]);
  return stdout;
}
