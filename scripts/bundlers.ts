/**
 * Bundles a program that uses the packed library with the bundlers of its users, without a warning, and runs it against
 * the sandbox. The bundlers are installed into a separate folder, by default a temporary one:
 *
 *     node scripts/bundlers.ts [--folder FOLDER]
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { USDC } from "../src/catalogue/samples.ts";
import { startSandbox } from "../src/library-sandbox.ts";
import { packPackage } from "./pack.ts";
import { openTools } from "./registry-tools.ts";

const TOOLS = [
  "@rollup/plugin-commonjs@29.0.3",
  "@rollup/plugin-node-resolve@16.0.3",
  "esbuild@0.28.2",
  "rollup@4.68.8",
  "vite@8.4.0",
  "webpack@5.113.0",
  "webpack-cli@6.0.1",
];

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

const { folder, install, check, runProgram, runTool, close } = openTools("bundlers");

/** Installs the bundlers and writes what they read. */
async function prepareFolder(): Promise<void> {
  await install(TOOLS);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  unpackLibrary();
}

if (await check("installation", prepareFolder)) {
  const sandbox = await startSandbox({ size: 0.1 });
  for (const [name, [tool, args, program]] of Object.entries(BUNDLES)) {
    await check(name, async () => {
      const { stdout, stderr } = await runTool(tool, ...args.split(" "));
      if (/\bwarn/i.test(stdout + stderr)) throw new Error(stdout + stderr);
      const result = await runProgram(process.execPath, [program, sandbox.url, sandbox.key]);
      if (result.stdout !== "USDC 3\n") throw new Error(`it printed ${JSON.stringify(result.stdout)}`);
    });
  }
  await sandbox.close();
}
close();

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
