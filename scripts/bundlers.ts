/**
 * Bundles a program that uses the packed library with the bundlers of its users, without a warning, and runs it against
 * the sandbox. The bundlers are installed into a separate folder, by default a temporary one:
 *
 *     node scripts/bundlers.ts [--folder FOLDER]
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { USDC } from "../src/catalogue/samples.ts";
import { startSandbox } from "../src/library-sandbox.ts";
import { packPackage } from "./pack.ts";

const TOOLS = [
  "@rollup/plugin-commonjs@29.0.3",
  "@rollup/plugin-node-resolve@16.0.3",
  "esbuild@0.28.2",
  "rollup@4.68.8",
  "vite@8.4.0",
  "webpack@5.113.0",
  "webpack-cli@6.0.1",
];

/** The time as of which the packages of the bundlers are chosen, so that new versions of these do not change a result. */
const INSTALLED_AS_OF = "2026-11-28";

/** Waits at the top level, as a program of today does. */
const PROGRAM = `
import { createClient } from "solx";
const client = createClient({ baseUrl: process.argv[2], key: process.argv[3] });
const { symbol } = await client.token.meta({ address: "${USDC}" });
const rows = await client.token.holders({ address: "${USDC}" }).all({ limit: 3 });
await client.close();
console.log(symbol, rows.length);
`;

/** A function of a cloud, in one CommonJS file. */
const HANDLER = `
import { createClient } from "solx";
const client = createClient({ baseUrl: process.argv[2], key: process.argv[3] });
export const handler = async () => (await client.token.meta({ address: "${USDC}" })).symbol;
handler().then((symbol) => { console.log(symbol, 3); return client.close(); });
`;

const ROLLUP = (output: string) => `
import commonjs from "@rollup/plugin-commonjs";
import nodeResolve from "@rollup/plugin-node-resolve";
export default {
  input: "program.mjs",
  external: [/^node:/, "jq-wasm", "@napi-rs/keyring"],
  plugins: [nodeResolve({ exportConditions: ["node"] }), commonjs()],
  output: ${output},
};
`;

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{"type":"module"}',
  "program.mjs": PROGRAM,
  "handler.mjs": HANDLER,
  "rollup.split.mjs": ROLLUP('{ dir: "out/rollup", format: "es", entryFileNames: "[name].mjs" }'),
  "rollup.inline.mjs": ROLLUP('{ file: "out/rollup-inline.mjs", format: "es", inlineDynamicImports: true }'),
  "webpack.config.mjs": `
    export default {
      entry: "./program.mjs",
      target: "node22",
      mode: "production",
      experiments: { outputModule: true },
      externals: { "jq-wasm": "module jq-wasm", "@napi-rs/keyring": "module @napi-rs/keyring" },
      output: { path: import.meta.dirname + "/out/webpack", filename: "program.mjs", module: true, chunkFormat: "module" },
    };`,
  "vite.config.mjs": `
    export default {
      logLevel: "warn",
      ssr: { noExternal: ["solx"], external: ["jq-wasm", "@napi-rs/keyring"] },
      build: { ssr: "program.mjs", outDir: "out/vite", rollupOptions: { output: { entryFileNames: "[name].mjs" } } },
    };`,
};

/** How each bundler is called, and the program that it writes. */
const BUNDLES: Readonly<Record<string, readonly [tool: string, args: string, program: string]>> = {
  "esbuild, split": [
    "esbuild",
    "program.mjs --bundle --platform=node --format=esm --splitting --outdir=out/esbuild --out-extension:.js=.mjs",
    "out/esbuild/program.mjs",
  ],
  "esbuild, one CommonJS file of a function": [
    "esbuild",
    "handler.mjs --bundle --platform=node --format=cjs --minify --outfile=out/handler.cjs",
    "out/handler.cjs",
  ],
  "rollup, split": ["rollup", "-c rollup.split.mjs --failAfterWarnings", "out/rollup/program.mjs"],
  "rollup, inline": ["rollup", "-c rollup.inline.mjs --failAfterWarnings", "out/rollup-inline.mjs"],
  vite: ["vite", "build", "out/vite/program.mjs"],
  webpack: ["webpack", "--fail-on-warnings", "out/webpack/program.mjs"],
};

const { values } = parseArgs({ options: { folder: { type: "string" } } });
const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), "solx-bundlers-")));
const run = promisify(execFile);
const failures: string[] = [];

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
const options = ["--no-save", "--no-audit", "--no-fund", `--before=${INSTALLED_AS_OF}`, "--ignore-scripts"];
if (!existsSync(join(folder, "node_modules/webpack")))
  execFileSync("npm", ["install", ...options, ...TOOLS], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
unpackLibrary();
const sandbox = await startSandbox({ size: 0.1 });
for (const [name, bundle] of Object.entries(BUNDLES)) {
  const problem = await check(...bundle);
  console.log(problem === undefined ? `ok ${name}` : `FAILED ${name}: ${problem}`);
  if (problem !== undefined) failures.push(name);
}
await sandbox.close();
if (values.folder === undefined) rmSync(folder, { recursive: true });
process.exitCode = failures.length > 0 ? 1 : 0;

/** Unpacks the tarball as npm would install it, with what it depends on. */
function unpackLibrary(): void {
  const target = join(folder, "node_modules/solx");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["xzf", packPackage(folder), "--strip-components=1", "-C", target]);
  for (const name of ["zod", "jq-wasm"]) {
    const link = join(folder, "node_modules", name);
    if (!existsSync(link)) symlinkSync(resolve("node_modules", name), link, "junction");
  }
}

/** Bundles and runs a program; returns what went wrong. */
async function check(tool: string, args: string, program: string): Promise<string | undefined> {
  try {
    const options = { cwd: folder, shell: process.platform === "win32" };
    const built = await run(join(folder, "node_modules/.bin", tool), args.split(" "), options);
    const log = built.stdout + built.stderr;
    if (/\bwarn/i.test(log)) return log;
    const { stdout } = await run(process.execPath, [join(folder, program), sandbox.url, sandbox.key]);
    return stdout === "USDC 3\n" ? undefined : `it printed ${JSON.stringify(stdout)}`;
  } catch (error) {
    const { message, stdout = "", stderr = "" } = error as Error & { stdout?: string; stderr?: string };
    return [message, stdout, stderr].join("\n").slice(0, 4000);
  }
}
