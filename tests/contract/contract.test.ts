/**
 * What scripts and users of the library rely on, as text files beside this one: a change of the contract is a change of
 * these files, which a reader reviews. `npx vitest run tests/contract -u` writes them.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { LIBRARY_ENTRIES } from "../../scripts/declarations.ts";
import { ExitCode } from "../../src/base/errors.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { allEndpoints, type Endpoint } from "../../src/catalogue/index.ts";
import { allCommands, type OptionNode } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { parseLimits, toolDefinitions } from "../../src/commands/mcp/definitions.ts";
import { SETTINGS, type SettingName, settingVariable } from "../../src/config/settings.ts";
import { runInProcess } from "../support/in-process.ts";
import { SANDBOX_NOW } from "../support/running-sandbox.ts";

const OWNER = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Commands whose JSON scripts read, beside those of endpoints; all are answered by the sandbox. */
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
  `show ${MINT}`,
  `account transfer ${OWNER} --limit 3`,
  `account transfer ${OWNER} --envelope`,
  `account detail --dry-run ${OWNER}`,
];

/** An empty home folder, so that no test before this one has left answers and usage in it. */
const home = mkdtempSync(join(tmpdir(), "solx-contract-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Command lines that fail. */
const FAILURES: readonly string[] = [
  "nonsense",
  "account nonsense",
  "account detail",
  "account detail not-an-address",
  `account transfer ${OWNER} --from-time lastweek`,
  "token list --page-size 7",
  "token trending --limit x",
  "config get nonsense",
  `token holders ${MINT} --fields nonsense`,
  "block detail 1",
];

test("commands, their arguments and flags", async () => {
  const commands = allCommands(commandTree());
  const [root] = commands;
  const globals = new Set(root?.options.map(({ long }) => long));
  const lines = commands.map(({ path, aliases, arguments: list, options }) => {
    const own = path.length === 1 ? options : options.filter(({ long }) => !globals.has(long));
    const words = list.map(({ name, required, variadic }) => {
      const word = `${name}${variadic ? "..." : ""}`;
      return required ? `<${word}>` : `[${word}]`;
    });
    const names = aliases.length === 0 ? [] : [`(${aliases.join(", ")})`];
    return [[...path, ...words, ...names].join(" "), ...own.map(describeOption).toSorted().map(indent)].join("\n");
  });
  await expectFile("commands", lines);
});

test("settings", async () => {
  const settings = Object.entries(SETTINGS).map(([name, setting]) => {
    const fallback = (setting as { default?: string | number }).default;
    return `${name} ${setting.type} ${settingVariable(name as SettingName)}${fallback === undefined ? "" : `=${fallback}`}${name === "profile" ? "" : " per profile"}`;
  });
  await expectFile("settings", settings);
});

test("exit codes", async () => {
  await expectFile(
    "exit-codes",
    Object.entries(ExitCode).map(([name, code]) => `${code} ${name}`),
  );
});

test("exports of the library", async () => {
  const names = Object.entries(LIBRARY_ENTRIES).flatMap(([entry, path]) => {
    const text = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
    const from = entry === "index" ? "" : `solx/${entry}: `;
    const functions = [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => `${from}${name}`);
    const lists = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType, list = ""]) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => `${from}${isType ? "type " : ""}${name}`),
    );
    return [...functions, ...lists];
  });
  await expectFile("exports", names.toSorted());
});

test("endpoints: parameters, columns and fields", async () => {
  await expectFile(
    "endpoints",
    allEndpoints.map((endpoint) => [endpointLine(endpoint), ...endpointDetails(endpoint).map(indent)].join("\n")),
  );
});

test("tools of the MCP server", async () => {
  const tools = toolDefinitions(parseLimits({})).map(({ name, properties, required = [] }) => {
    const args = Object.keys(properties).map((arg) => (required.includes(arg) ? `<${arg}>` : `[${arg}]`));
    return [name, ...args].join(" ");
  });
  await expectFile("tools", tools);
});

test("JSON of commands", async () => {
  const shapes: string[] = [];
  // A request of this machine, which `usage` counts.
  await runLine(`token meta ${MINT}`);
  for (const line of JSON_COMMANDS) {
    const { stdout, code } = await runLine(line);
    expect(code, line).toBeLessThan(2);
    // Details of what `doctor` finds depend on the machine.
    const paths = listPaths(JSON.parse(stdout)).filter((path) => line !== "doctor" || !path.startsWith("[].value."));
    shapes.push([line, ...paths.map(indent)].join("\n"));
  }
  await expectFile("json", shapes);
});

test("failures: exit code and JSON on standard error", async () => {
  const failures: string[] = [];
  for (const line of FAILURES) {
    const { code, stderr } = await runLine(line);
    const report = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    failures.push([`${line}: exit ${code}`, ...listPaths(report).map(indent)].join("\n"));
  }
  await expectFile("failures", failures);
});

/** Runs a command at a time in the middle of a month: on its first day, `usage` knows no average yet. */
const runLine = (line: string) =>
  runInProcess([...line.split(" "), "-o", "json"], {
    env: { SOLX_HOME: home, SOLX_SANDBOX: "1", SOLX_SANDBOX_NOW: String(SANDBOX_NOW) },
  });

const indent = (line: string) => `  ${line}`;

async function expectFile(name: string, lines: readonly string[]): Promise<void> {
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(import.meta.dirname, `${name}.txt`));
}

function describeOption({ long, short, takesValue, values, hidden }: OptionNode): string {
  const placeholder = values ? values.join("|") : "value";
  const value = { none: "", optional: ` [${placeholder}]`, required: ` <${placeholder}>` }[takesValue];
  return `${short ? `${short}, ` : ""}${long}${value}${hidden ? " (hidden)" : ""}`;
}

function endpointLine({ route, family, path, returns }: Endpoint): string {
  return `${route}: ${family} ${path} returns ${returns.shape} of ${returns.entity}`;
}

function endpointDetails({ query, columns, returns }: Endpoint): readonly string[] {
  const params = Object.entries(query).map(([name, { wire, required }]) => {
    const text = wire === undefined || wire === name ? name : `${name} as ${String(wire)}`;
    return required ? `<${text}>` : text;
  });
  const paths = columns.map((column) => (typeof column === "string" ? column : column.path));
  const schema = (entities as Readonly<Record<string, z.ZodType>>)[returns.entity];
  return [`query ${params.join(" ")}`, `columns ${paths.join(" ")}`, `fields ${schema ? listFields(schema) : ""}`].map(
    (line) => line.trimEnd(),
  );
}

/** Returns the paths of a schema's fields with their types; `?` marks fields that may be absent. */
function listFields(schema: z.ZodType): string {
  const types = new Map<string, Set<string>>();
  const visit = (node: z.core.JSONSchema._JSONSchema, path: string): void => {
    if (typeof node === "boolean") return;
    const { properties, items, anyOf, required = [] } = node;
    for (const form of anyOf ?? []) visit(form, path);
    for (const [name, child] of Object.entries(properties ?? {})) {
      const field = `${name}${required.includes(name) ? "" : "?"}`;
      visit(child, path === "" ? field : `${path}.${field}`);
    }
    if (items && !Array.isArray(items)) visit(items, `${path}[]`);
    else if (!anyOf && !properties) types.set(path, (types.get(path) ?? new Set()).add(`${node.type ?? "any"}`));
  };
  visit(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }), "");
  return [...types].map(([path, kinds]) => `${path}:${[...kinds].join("|")}`).join(" ");
}

/** Returns the paths of a value with their types; those of all items of a list together. */
function listPaths(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) {
    const paths = new Set(value.flatMap((item) => listPaths(item, `${path}[]`)));
    return paths.size === 0 ? [`${path}[]`] : [...paths].toSorted();
  }
  if (typeof value !== "object" || value === null) return [`${path}:${value === null ? "null" : typeof value}`];
  return Object.entries(value).flatMap(([name, child]) => listPaths(child, path === "" ? name : `${path}.${name}`));
}
