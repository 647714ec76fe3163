/**
 * Measures which modules solx and its library load for a request, so that the build can put each set into one file: finding
 * and reading a file costs more than what is in it.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type BuildOptions, build } from "rolldown";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const REQUEST = ["token", "meta", MINT, "-o", "json"];

/** The modules that were loaded. */
export interface StartUp {
  /** Those of the program, by the file of `dist/` that they belong to. */
  readonly groups: Readonly<Record<"everyday" | "request" | "sandbox" | "node", ReadonlySet<string>>>;
  /** Those of a program that uses the library. */
  readonly library: ReadonlySet<string>;
}

/** A program that uses the library for an object and a list. */
const LIBRARY_PROGRAM = `
import { createClient } from "./index.js";
export async function main() {
  await using client = createClient({ baseUrl: process.env.SOLX_BASE_URL, key: process.env.SOLX_API_KEY });
  await client.token.meta({ address: "${MINT}" });
  await client.token.holders({ address: "${MINT}" }).first();
}
`;

/**
 * Builds the program with one file per module, runs it, and returns the ids of the modules that were loaded:
 * `everyday` for an answer of the API, `request` for sending a request over a network, `sandbox` for an answer of the
 * sandbox whose ledger exists, and `node` for an answer of a Solana node. Does the same for a program that uses the
 * library.
 */
export async function measureStartUp(options: BuildOptions): Promise<StartUp> {
  // Below node_modules, so that packages that are not bundled are found.
  const folder = realpathSync(mkdtempSync(resolve("node_modules", ".solx-start-up-")));
  const server = createServer(async (request, response) => {
    const body = request.method === "POST" ? nodeAnswer(await json(request)) : API_ANSWER;
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { output } = await build({
      ...options,
      input: { main: "src/main.ts", index: "src/index.ts" },
      output: { dir: folder, format: "esm", preserveModules: true, entryFileNames: "[name].js" },
    });
    const sources = new Map(
      output.flatMap((file) => (file.type === "chunk" ? [[join(folder, file.fileName), file.moduleIds] as const] : [])),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const load = async (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
      new Set(
        (await loadedFiles(folder, args, variables))
          .flatMap((file) => sources.get(file) ?? [])
          // The bundler's own module imports `node:module` and runs before all groups.
          .filter((id) => !id.startsWith("\0") || (/^\0(node|require|replaced):/.test(id) && id !== "\0node:module")),
      );
    const sent = await load(REQUEST, { SOLX_BASE_URL: url });
    const cached = await load(REQUEST, { SOLX_BASE_URL: url });
    await load([...REQUEST, "--sandbox"]);
    const sandbox = await load([...REQUEST, "--sandbox"]);
    const node = await load([...REQUEST, "--rpc", url]);
    writeFileSync(join(folder, "program.js"), LIBRARY_PROGRAM);
    const library = await load([], { SOLX_BASE_URL: url, SOLX_MAIN: pathToFileURL(join(folder, "program.js")).href });
    const everyday = sent.intersection(cached);
    const groups = {
      everyday,
      request: sent.difference(everyday),
      sandbox: sandbox.difference(sent).difference(cached),
      node: node.difference(sent).difference(cached).difference(sandbox),
    };
    return { groups, library };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const API_ANSWER = { success: true, data: { decimals: 6 } };

/** Returns what a node answers about a mint without metadata. */
function nodeAnswer(call: unknown): object {
  const info = { decimals: 6, supply: "1", mintAuthority: null, freezeAuthority: null, isInitialized: true };
  const data = { program: "spl-token", parsed: { type: "mint", info }, space: 82 };
  const owner = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  const mint = { lamports: 1, owner, executable: false, rentEpoch: 0, space: 82, data };
  const { id, method } = call as { readonly id: number; readonly method: string };
  const value = method === "getAccountInfo" ? null : [mint, null];
  return { jsonrpc: "2.0", id, result: { context: { slot: 1 }, value } };
}

/** Runs the build in a folder, with its own home, and returns the paths of the files that it loaded. */
async function loadedFiles(
  folder: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const list = join(folder, "modules.json");
  const env = {
    SOLX_HOME: join(folder, "home"),
    SOLX_API_KEY: "build-key-0123456789",
    SOLX_MAIN: pathToFileURL(join(folder, "main.js")).href,
    SOLX_MODULES: list,
    SOLX_CACHE: "on",
    ...variables,
  };
  const script = fileURLToPath(new URL("record-modules.ts", import.meta.url));
  await promisify(execFile)(process.execPath, [script, ...args], { env, timeout: 60_000 });
  const urls: readonly string[] = JSON.parse(readFileSync(list, "utf8"));
  return urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
}
