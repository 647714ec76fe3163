/**
 * Checks the OpenAPI document with the tools of its users: linters accept it without a warning, and the clients of three
 * generators compile and get an answer of the sandbox from every endpoint. The tools have some 300 MB, so they are
 * installed into a separate folder, by default a temporary one:
 *
 *     node scripts/openapi-tools.ts [--folder FOLDER]
 */
import { type ExecFileException, execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import { build } from "rolldown";
import { type Endpoint, endpoints } from "../src/catalogue/index.ts";
import { prepare } from "../src/client/index.ts";
import { openapiDocument, operationId, pathOf } from "../src/commands/openapi/openapi.ts";
import { startSandbox } from "../src/library-sandbox.ts";
import { type CallTarget, CLIENTS, type ClientProgram } from "./openapi-clients.ts";

const TOOLS = [
  "@hey-api/openapi-ts@0.99",
  "openapi-fetch@0.17",
  "openapi-typescript@7",
  "orval@8",
  "@stoplight/spectral-cli@6",
  "@redocly/cli@2",
  // The generators need the compiler API of this version.
  "typescript@5.9",
  "@types/node@22",
];

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const { values } = parseArgs({ options: { folder: { type: "string" } } });
const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), "solx-openapi-")));
const run = promisify(execFile);

/** Runs an installed tool; its output is the reason of a failure. */
async function runTool(name: string, ...args: readonly string[]): Promise<void> {
  const program = join(folder, "node_modules", ".bin", name);
  await run(program, args, { cwd: folder, maxBuffer: 2 ** 26, shell: process.platform === "win32" }).catch(
    ({ stdout, stderr, message }: ExecFileException) => {
      throw new Error([message, stdout, stderr].filter(Boolean).join("\n").slice(0, 5000));
    },
  );
  console.log(`ok ${name} ${args.join(" ")}`);
}

/** Returns the request of the first example of an endpoint as generated clients take it. */
function targetOf(endpoint: Endpoint): CallTarget {
  const hasToken = endpoint.query.token?.in === "query";
  const example = endpoint.examples[0]?.params ?? {};
  const params = { ...example, ...(hasToken && !("token" in example) ? { token: USDC } : {}) };
  const { query } = prepare(endpoint, params, { now: Date.now });
  const byName = Map.groupBy(query, ([name]) => name);
  const inputs = [...byName].map(([name, pairs]) => {
    const param = endpoint.query[name.replace(/\[\]$/, "")];
    const texts = pairs.map(([, value]) => value);
    return [name, param?.arity === "one" ? texts[0] : texts.flatMap((text) => text.split(","))] as const;
  });
  const path = Object.entries(endpoint.query).filter(([, param]) => param.in === "path");
  return {
    id: operationId(endpoint),
    template: pathOf(endpoint),
    path: Object.fromEntries(path.map(([name]) => [name, String(params[name as keyof typeof params])])),
    query: Object.fromEntries(inputs.filter(([name]) => !path.some(([other]) => other === name))),
  };
}

/** Bundles the program of a generator and calls every endpoint with it. */
async function checkClient(name: string): Promise<void> {
  const target = join(folder, "built", `${name}.mjs`);
  await build({
    cwd: folder,
    input: join(folder, "clients", `${name}.ts`),
    platform: "node",
    output: { file: target },
    logLevel: "silent",
  });
  const client = (await import(pathToFileURL(target).href)) as ClientProgram;
  const failures: string[] = [];
  for (const endpoint of endpoints) {
    const answer = await client.call(targetOf(endpoint));
    if (answer.status !== 200) failures.push(`${endpoint.command}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  const transfers = await client.listTransfers();
  if (transfers.length === 0) failures.push("account transfer: no rows");
  if (failures.length > 0) throw new Error(`${name}:\n${failures.join("\n")}`);
  console.log(`ok ${name}: ${endpoints.length} endpoints, ${transfers.length} transfers`);
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...TOOLS], { cwd: folder });
const sandbox = await startSandbox({ size: 0.05 });
try {
  const document = openapiDocument({ version: "0.0.0" });
  writeFileSync(join(folder, "api.json"), JSON.stringify(document));
  writeFileSync(
    join(folder, "api-of-sandbox.json"),
    JSON.stringify(openapiDocument({ version: "0.0.0", server: "/" })),
  );
  writeFileSync(join(folder, ".spectral.json"), '{"extends":["spectral:oas"]}');
  for (const file of ["api.json", "api-of-sandbox.json"]) {
    await runTool("spectral", "lint", file, "--ruleset", ".spectral.json", "--fail-severity", "hint");
    await runTool("redocly", "lint", file, "--max-problems", "20");
  }
  const clients = join(folder, "clients");
  rmSync(clients, { recursive: true, force: true });
  mkdirSync(clients);
  for (const [name, text] of Object.entries(CLIENTS)) writeFileSync(join(clients, `${name}.ts`), text);
  await runTool(
    "openapi-ts",
    "-i",
    "api.json",
    "-o",
    "clients/hey-api-output",
    "-p",
    "@hey-api/client-fetch",
    "@hey-api/sdk",
  );
  await runTool("openapi-typescript", "api.json", "-o", "clients/openapi-typescript-output.d.ts");
  const output = { target: "clients/orval-output.ts", client: "fetch", baseUrl: sandbox.url };
  writeFileSync(join(folder, "orval.config.json"), JSON.stringify({ api: { input: "api.json", output } }));
  await runTool("orval", "--config", "orval.config.json");
  const names = Object.keys(CLIENTS);
  const options = ["--strict", "--noEmit", "--skipLibCheck", "--allowImportingTsExtensions"];
  const files = names.map((name) => `clients/${name}.ts`);
  await runTool("tsc", ...options, "--target", "es2023", "--module", "preserve", ...files);
  Object.assign(process.env, { URL: sandbox.url, KEY: sandbox.key });
  for (const name of names) await checkClient(name);
} finally {
  await sandbox.close();
  if (values.folder === undefined && existsSync(folder)) rmSync(folder, { recursive: true });
}
