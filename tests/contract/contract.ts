/** Collects the public contract of the built program as plain data: what scripts and library users rely on. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ExitCode } from "../../src/base/errors.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { allCommands } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { startMcp } from "../support/mcp.ts";
import { solx } from "../support/solx.ts";

/** A tree of names and values that a later version may extend, never change. */
export type Contract = { readonly [name: string]: Contract | string | number | boolean | null };

const schemas: Readonly<Record<string, z.ZodType>> = { ...entities };

/** Commands whose JSON scripts read; every one answers from the sandbox. */
const JSON_COMMANDS: readonly string[] = [
  "usage",
  "config list",
  "config profiles",
  "cache stats",
  "auth status",
  "doctor",
  "sandbox info",
  "overview",
  "docs",
  "docs account transfer",
  "docs exit-codes",
  "show EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "account transfer ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk --limit 3",
  "account transfer ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk --envelope",
  "account detail --dry-run ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk",
];

/** Command lines that fail, for their exit codes and the JSON on stderr. */
const FAILURES: readonly string[] = [
  "nonsense",
  "account nonsense",
  "account detail",
  "account detail not-an-address",
  "account transfer ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk --from-time lastweek",
  "token list --page-size 7",
  "token trending --limit x",
  "config get nonsense",
  "token holders EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v --fields nonsense",
  "block detail 1",
];

/** The whole contract of the build in `dist/`. */
export async function collectContract(): Promise<Contract> {
  return {
    exitCodes: ExitCode,
    commands: commandsOf(),
    settings: settingsOf(),
    endpoints: endpointsOf(),
    library: libraryOf(),
    json: await byName(JSON_COMMANDS, async (line) => shapeOf(JSON.parse((await run(line)).stdout))),
    failures: await byName(FAILURES, async (line) => {
      const { code, stderr } = await run(line);
      const last = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
      return { exit: code, ...shapeOf(last) };
    }),
    mcp: await mcpTools(),
  };
}

const run = (line: string) => solx([...line.split(" "), "--sandbox", "-o", "json"]);

async function byName(names: readonly string[], value: (name: string) => Promise<Contract>): Promise<Contract> {
  const result: Record<string, Contract> = {};
  for (const name of names) result[name] = await value(name);
  return result;
}

function commandsOf(): Contract {
  return Object.fromEntries(
    allCommands(commandTree()).map((command) => [
      command.path.join(" "),
      {
        aliases: flags(command.aliases),
        arguments: Object.fromEntries(
          command.arguments.map(({ required, variadic }, index) => [String(index), { required, variadic }]),
        ),
        options: Object.fromEntries(
          command.options.map(({ long, short, takesValue, values }) => [
            long,
            { short: short ?? null, takesValue, values: flags(values ?? []) },
          ]),
        ),
      },
    ]),
  );
}

function settingsOf(): Contract {
  return Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => [
      name,
      {
        env: setting.env,
        type: setting.type,
        default: String((setting as { default?: string | number }).default ?? ""),
        perProfile: setting.perProfile,
      },
    ]),
  );
}

function endpointsOf(): Contract {
  return Object.fromEntries(
    endpoints.map(({ route, path, family, query, returns, columns }) => [
      route,
      {
        path,
        family,
        shape: returns.shape,
        parameters: Object.fromEntries(
          Object.entries(query).map(([name, { wire, required }]) => [
            name,
            { wire: String(wire), required: required === true },
          ]),
        ),
        columns: columns.map((column) => (typeof column === "string" ? column : column.path)).join(" "),
        fields: shapeOf(z.toJSONSchema(schemas[returns.entity] as z.ZodType, { unrepresentable: "any", io: "input" })),
      },
    ]),
  );
}

/** Names that a program can import, types included. */
function libraryOf(): Contract {
  const text = readFileSync(fileURLToPath(new URL("../../src/index.ts", import.meta.url)), "utf8");
  const names = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list
      .split(",")
      .map((item) => item.replace(/\/\*[\s\S]*?\*\//g, "").trim())
      .filter((item) => item !== "")
      .map((item) => (item.split(" as ").at(-1) ?? "").replace(/^type /, "")),
  );
  const direct = [...text.matchAll(/export (?:declare )?(?:const|function|class|type|interface) (\w+)/g)].map(
    ([, name = ""]) => name,
  );
  return flags([...names, ...direct]);
}

async function mcpTools(): Promise<Contract> {
  const { client } = await startMcp(["--sandbox"]);
  const { tools } = await client.listTools();
  await client.close();
  return Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, flags(Object.keys(inputSchema.properties ?? {}))]),
  );
}

const flags = (names: readonly string[]): Contract =>
  Object.fromEntries([...names].toSorted().map((name) => [name, true]));

/** The names and types inside a JSON value; prose and data values do not count. */
function shapeOf(value: unknown): Contract {
  if (Array.isArray(value)) return { "[]": Object.assign({}, ...value.map((item) => shapeOf(item))) };
  if (typeof value !== "object" || value === null) return { type: value === null ? "null" : typeof value };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !["description", "examples", "title", "$schema", "additionalProperties"].includes(name))
      .map(([name, child]) => [name, shapeOf(child)]),
  );
}
