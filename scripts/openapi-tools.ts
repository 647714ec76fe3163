import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { base58 } from "@scure/base";
import PQueue from "p-queue";
import { build } from "rolldown";
import { stringifyJson } from "../src/base/index.ts";
import { type Endpoint, endpoints, type Param, type ValueType } from "../src/catalogue/index.ts";
import { prepare } from "../src/client/index.ts";
import { recordExamples } from "../src/commands/openapi/examples.ts";
import { openapiDocument, operationId } from "../src/commands/openapi/openapi.ts";
import { pathOf } from "../src/commands/openapi/paths.ts";
import { startSandbox } from "../src/library-sandbox.ts";
import { type CallTarget, type ClientProgram, GENERATORS, type Input } from "./openapi-clients.ts";
import { openTools } from "./registry-tools.ts";

const TOOLS = [
  "@apidevtools/swagger-parser@13.1.0",
  "@redocly/cli@2.77.0",
  "@stoplight/spectral-cli@6.16.3",
  ...Object.values(GENERATORS).flatMap(({ packages }) => packages),
  // What generated code imports, and the compiler: some generators need the API of this version.
  "zod@4.6.7",
  "typescript@5.9.3",
  "@types/node@22.20.5",
];

const DOCUMENTS = ["api.json", "api-of-sandbox.json"] as const;

const SWAGGER_PARSER = `import SwaggerParser from "@apidevtools/swagger-parser";
await SwaggerParser.validate(process.argv[2]);`;

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const { folder, install, check, runProgram, runTool, close } = openTools("openapi");

/** Identifiers that nothing has, by their type. */
const UNKNOWN: Partial<Record<ValueType, string>> = {
  address: base58.encode(new Uint8Array(32).fill(7)),
  signature: base58.encode(new Uint8Array(64).fill(7)),
  slot: "1",
};

/** Returns the parameters of a request about what does not exist. */
function unknownParams({ query }: Endpoint, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const replace = ([name, { type, arity }]: readonly [string, Param]) => {
    const unknown = name in params ? UNKNOWN[type] : undefined;
    return unknown === undefined ? [] : [[name, arity === "one" ? unknown : [unknown]]];
  };
  return { ...params, ...Object.fromEntries(Object.entries(query).flatMap(replace)) };
}

/** Returns the requests to an endpoint, as generated clients take them: its first example, also for unknown identifiers. */
function targetsOf(endpoint: Endpoint): readonly CallTarget[] {
  const hasToken = endpoint.query.token?.in === "query";
  const example = endpoint.examples[0]?.params ?? {};
  const params = { ...example, ...(hasToken && !("token" in example) ? { token: USDC } : {}) };
  return [targetOf(endpoint, params), targetOf(endpoint, unknownParams(endpoint, params))];
}

const TEXT_TYPES: ReadonlySet<ValueType> = new Set(["address", "signature", "date", "text"]);

/** Returns what a generated client takes for the text of a value: a number, a boolean, or the text. */
const typedBy =
  ({ type, values }: Pick<Param, "type" | "values"> = { type: "text" }) =>
  (text: string): Input =>
    TEXT_TYPES.has(type) || (type === "enum" && !values?.every((value) => typeof value === "number"))
      ? text
      : JSON.parse(text);

function targetOf(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): CallTarget {
  const { query } = prepare(endpoint, params, { now: Date.now });
  const byName = Map.groupBy(query, ([name]) => name);
  const inputs = [...byName].map(([name, pairs]) => {
    const param = endpoint.query[name.replace(/\[\]$/, "")];
    const texts = pairs.map(([, value]) => value);
    const inputs = texts.flatMap((text) => (param?.arity === "one" ? [text] : text.split(","))).map(typedBy(param));
    return [name, param?.arity === "one" ? inputs[0] : inputs] as const;
  });
  const path = Object.entries(endpoint.query).filter(([, param]) => param.in === "path");
  return {
    id: operationId(endpoint),
    template: pathOf(endpoint),
    path: Object.fromEntries(path.map(([name, param]) => [name, typedBy(param)(String(params[name]))])),
    query: Object.fromEntries(inputs.filter(([name]) => !path.some(([other]) => other === name))),
  };
}

/** Bundles the program of a generator and calls every endpoint with it. */
async function checkClient(name: string): Promise<void> {
  const file = join(folder, "built", `${name}.mjs`);
  const input = join(folder, "clients", `${name}.ts`);
  await build({ cwd: folder, input, platform: "node", output: { file }, logLevel: "silent" });
  const client = (await import(pathToFileURL(file).href)) as ClientProgram;
  const problems: string[] = [];
  for (const endpoint of endpoints) {
    for (const target of targetsOf(endpoint)) {
      const { status, body } = await client.call(target).catch((error: Error) => ({ status: 0, body: String(error) }));
      if (status !== 200)
        problems.push(`${target.id} ${JSON.stringify(target.query)}: ${status} ${String(body)}`.slice(0, 500));
    }
  }
  const transfers = await client.listTransfers();
  if (transfers.length < 2 || transfers.at(-1) !== "USDC") problems.push("no transfers, or no token");
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function checkDocument(): Promise<void> {
  const queue = new PQueue({ concurrency: availableParallelism() });
  const checks = (names: readonly (readonly [name: string, action: () => Promise<unknown>])[]) =>
    Promise.all(names.map(([name, action]) => queue.add(() => check(name, action))));
  const lint = DOCUMENTS.flatMap(
    (file) =>
      [
        [
          `spectral ${file}`,
          () => runTool("spectral", "lint", file, "--ruleset", ".spectral.json", "--fail-severity", "hint"),
        ],
        [`redocly ${file}`, () => runTool("redocly", "lint", file, "--extends", "recommended-strict")],
        [`swagger-parser ${file}`, () => runProgram(process.execPath, ["swagger-parser.mjs", file])],
      ] as const,
  );
  const generate = Object.entries(GENERATORS).map(([name, { command }]) => [name, () => runTool(...command)] as const);
  await checks([...generate, ...lint]);
  const names = Object.keys(GENERATORS);
  const files = names.map((name) => `clients/${name}.ts`);
  const options = ["--strict", "--noEmit", "--skipLibCheck", "--allowImportingTsExtensions", "--types", "node"];
  await checks([
    ["compiler", () => runTool("tsc", ...options, "--target", "es2023", "--module", "preserve", ...files)],
    ...names.map((name) => [`client of ${name}`, () => checkClient(name)] as const),
  ]);
}

/** Installs the tools and writes what they read. */
async function prepareFolder(): Promise<void> {
  await install(TOOLS);
  const examples = await recordExamples(join(folder, "worlds"));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const [api, apiOfSandbox] = DOCUMENTS;
  write(api, stringifyJson(openapiDocument({ version: "0.0.0", examples }), 2));
  write(apiOfSandbox, stringifyJson(openapiDocument({ version: "0.0.0", server: "/", examples }), 2));
  write(".spectral.json", '{"extends":["spectral:oas"]}');
  write("swagger-parser.mjs", SWAGGER_PARSER);
  rmSync(join(folder, "clients"), { recursive: true, force: true });
  mkdirSync(join(folder, "clients"));
  for (const [name, { program, files }] of Object.entries(GENERATORS)) {
    write(`clients/${name}.ts`, program);
    for (const [file, text] of Object.entries(files)) write(file, text);
  }
}

if (await check("installation", prepareFolder)) {
  const sandbox = await startSandbox({ size: 0.05, folder: join(folder, "worlds") });
  Object.assign(process.env, { URL: sandbox.url, KEY: sandbox.key });
  process.chdir(folder);
  await checkDocument().finally(() => sandbox.close());
}
close();
