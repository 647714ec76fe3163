/** The surface of the command line: how many flags a command shows, and that each has an effect on it. */
import { existsSync } from "node:fs";
import { Readable } from "node:stream";
import { Option } from "commander";
import { describe, expect, test } from "vitest";
import {
  allEndpoints,
  loadEntityShape,
  nodeSupportOf,
  positionalOf,
  SIGNATURE,
  USDC,
} from "../../src/catalogue/index.ts";
import { COMMANDS } from "../../src/commands/commands.ts";
import { allCommands, type CommandNode, type OptionNode } from "../../src/commands/docs/manual/command-tree.ts";
import { commandTree } from "../../src/commands/docs/manual/generate.ts";
import { COMMANDS_OF } from "../../src/commands/docs/manual/topic-tables.ts";
import { parseRequestedRows } from "../../src/commands/endpoint/answers.ts";
import { openDerivedFields } from "../../src/commands/endpoint/derived-fields.ts";
import { isNewestFirst } from "../../src/commands/follow/followable.ts";
import { appliesTo, GLOBAL_OPTIONS, type GlobalOption } from "../../src/commands/options/global-options.ts";
import type { Audience } from "../../src/commands/options/option.ts";
import type { CommandDefinition } from "../../src/commands/run/command-definition.ts";
import type { Io, RunContext } from "../../src/commands/run/context.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { buildProgram } from "../../src/commands/run/run.ts";
import { importedFiles, readSource, sourceFiles } from "../project/source.ts";
import { createCollector, runInProcess } from "../support/in-process.ts";

const MAX_FLAGS = 40;
const MAX_SHORT_FLAGS = 16;
const MAX_PROGRAM_LINES = 40;
const FLAG = /^ {2}(?:-\w, )?(?:--[\w<>-]+(?:, )?)+/;

const commands = allCommands(commandTree()).filter(({ path }) => path.length > 1);
const help = async ({ path }: CommandNode, flag: string) =>
  (await runInProcess([...path.slice(1), flag], { env: { SOLX_HOME: undefined, HOME: undefined } })).stdout;
/** Returns the flags of a help, without those of its examples. */
const flagsIn = (text: string) =>
  text
    .split("\n")
    .flatMap((line) => (FLAG.test(line) ? [...line.matchAll(/(?<=[ ,])--[a-z][\w<>-]*/g)].slice(0, 1) : []));

describe.each(commands.map((command) => [command.path.join(" "), command] as const))("%s", (_, command) => {
  test("shows few flags, the examples first", async () => {
    const [short, complete] = [await help(command, "--help"), await help(command, "--help-all")];
    expect(flagsIn(complete).length).toBeLessThanOrEqual(MAX_FLAGS);
    expect(flagsIn(short).length).toBeLessThanOrEqual(MAX_SHORT_FLAGS);
    if (command.examples.length > 0 && /^(Flags|Output):$/m.test(complete))
      expect(complete.search(/^Examples:$/m)).toBeLessThan(complete.search(/^[A-Z]\w+:$(?<!Examples:)/m));
  });
});

/** Widths of terminals: in a narrow one, descriptions stand below their flags. */
const WIDTHS = [60, 80];

test.each(commands.map((command) => [command.path.join(" "), command] as const))(
  "the complete help of %s names parameters by their flags and fits the terminal",
  async (_, { path, endpoint: route, options, footer }) => {
    for (const terminal of WIDTHS) {
      const { stdout } = await runInProcess([...path.slice(1), "--help-all"], { terminal });
      // Indented lines are examples and tables.
      const prose = stdout.split("\n").filter((line) => !line.startsWith("  ") || line.startsWith("   "));
      expect(prose.filter((line) => line.length > terminal)).toEqual([]);
    }
    const endpoint = allEndpoints.find((one) => one.route === route);
    if (endpoint === undefined) return;
    const { fields } = await loadEntityShape(endpoint.returns.entity);
    const values = Object.values(endpoint.query).flatMap((param) => param.values?.map(String) ?? []);
    const names = new Set([...values, ...fields.flatMap((field) => field.split(/[.[\]]+/))]);
    const wireNames = Object.keys(endpoint.query).filter((name) => name.includes("_") && !names.has(name));
    const own = options.filter((option) => !option.hidden && !isGlobal(option)).map(({ description }) => description);
    const text = [footer, ...own].join(" ");
    expect(wireNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  },
);

/** Returns the text of files and of what they import, without the explorer, which imports everything. */
function textOf(files: readonly string[]): string {
  const known = new Set(files);
  for (const file of known)
    for (const target of importedFiles(file))
      if (/^src\/(commands|config)\//.test(target) && !/commands\/(explore\/|commands\.ts)/.test(target))
        known.add(target);
  const definitions = /options\/global-options\.ts$|config\/settings\.ts$/;
  return [...known]
    .filter((file) => !definitions.test(file))
    .map(readSource)
    .join("\n");
}

describe("a command shows only flags that can matter", () => {
  const find = (flag: string) =>
    GLOBAL_OPTIONS.find(({ flags }) => flags.split(/[ ,]+/).includes(flag)) as GlobalOption;
  /** Returns whether a function accepts its input. */
  const accepts = async (check: () => unknown) => {
    try {
      await check();
      return true;
    } catch {
      return false;
    }
  };
  const contextWith = (globals: object) => ({ globals, io: {} }) as unknown as RunContext;

  test.each(allEndpoints.map((endpoint) => [endpoint.command, endpoint] as const))("%s", async (_command, endpoint) => {
    const shows = (flag: string) => appliesTo(find(flag), { audience: "data", endpoint });
    const orders = [{}, ...(endpoint.query.sort_by?.values ?? []).map((value) => ({ sort_by: value }))];
    const rows = await accepts(() => parseRequestedRows(contextWith({ limit: "1" }), endpoint));
    const canFollow = endpoint.returns.shape !== "csv";
    const hasChanges = canFollow && orders.some((params) => !isNewestFirst(endpoint, params));
    for (const flag of ["--limit", "--all", "--sort-by", "--fail-on"])
      expect([flag, shows(flag)]).toEqual([flag, rows]);
    for (const flag of ["--follow", "--until", "--when"]) expect([flag, shows(flag)]).toEqual([flag, canFollow]);
    expect(shows("--changes")).toBe(hasChanges);
    expect(shows("--rpc")).toBe(nodeSupportOf(endpoint).level !== "none");
    expect(shows("--sandbox")).toBe(endpoint.family !== "node");
    expect(shows("--web")).toBe(positionalOf(endpoint) !== undefined);
    const additions = ["value", "amount_ui"].map((word) =>
      accepts(() => openDerivedFields(contextWith({ with: word }), endpoint)),
    );
    expect(shows("--with")).toBe((await Promise.all(additions)).includes(true));
  });

  const others = allCommands(commandTree()).filter(
    ({ endpoint, commands }) => endpoint === undefined && commands.length === 0,
  );

  test.each(others.map((command) => [command.path.join(" "), command] as const))("%s", (_path, { path, options }) => {
    const folders = path.slice(1).map((name) => `src/commands/${name === "index" ? "indexer" : name}`);
    // A group of endpoints has no folder of its own.
    const folder = folders.find((one) => existsSync(one)) ?? "";
    const text = textOf([...sourceFiles(folder), ...sourceFiles("src/commands/run")]);
    const shown = options.filter(({ long, hidden }) => !hidden && find(long ?? "-") !== undefined);
    const unread = shown.filter(({ long = "" }) => {
      const { setting, flags } = find(long);
      const attribute = new Option(flags).attributeName();
      return !text.includes(`"${setting ?? "-"}"`) && !new RegExp(`\\b${attribute}\\b`).test(text);
    });
    expect(unread.map(({ long }) => long)).toEqual([]);
  });

  // The sandbox is the API and no node.
  test.each([
    ["rpc", ["--sandbox"]],
    ["index", ["--sandbox"]],
    ["inspect", ["--sandbox"]],
  ])("%s does not show %j", (name, flags) => {
    const shown = others.find(({ path }) => path[1] === name)?.options.filter(({ hidden }) => !hidden) ?? [];
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.map(({ long }) => long)).not.toEqual(expect.arrayContaining([expect.toBeOneOf(flags)]));
  });
});

function findDefinition([, first, ...rest]: readonly string[]): CommandDefinition | undefined {
  let definition = COMMANDS.find(({ name }) => name === first);
  for (const word of rest) definition = definition?.commands?.find(({ name }) => name === word);
  return definition;
}

/** Returns the kind of a command that does something itself. */
function audienceOf(path: readonly string[]): readonly Audience[] {
  const { run, audience } = findDefinition(path) ?? {};
  return run === undefined || audience === undefined || audience === "none" ? [] : [audience];
}

/** Words of commands that end by themselves and need neither a node nor a file. */
const LINES: readonly (readonly string[])[] = [
  ["overview"],
  ["show", "385804412"],
  ["api", "/chaininfo"],
  ["docs", "topics"],
  ["openapi", "--family", "public"],
  ["skill"],
  ["doctor", "--offline"],
  ["usage"],
  ["auth", "status"],
  ["auth", "token"],
  ["config", "list"],
  ["config", "get", "time"],
  ["config", "set", "time", "iso"],
  ["config", "unset", "time"],
  ["config", "profiles"],
  ["config", "path"],
  ["cache", "stats"],
  ["cache", "clear"],
  ["sandbox", "info"],
  ["explore", "--or-text"],
  ["chaininfo"],
  ["token", "meta", USDC],
  ["token", "holders", USDC],
];
const SANDBOX = { SOLX_SANDBOX: "1", SOLX_SANDBOX_SIZE: "0.02", SOLX_NO_INPUT: "1" };

/** The format `name` prints identifiers: what has none is reported in a note. */
describe("each format that a command lists prints something", () => {
  test.each(LINES.map((words) => [words.join(" "), words] as const))("%s", async (_, words) => {
    const names = words.filter((word) => /^[a-z]+$/.test(word));
    const command = commands.findLast(({ path }) => path.slice(1).every((name, at) => names[at] === name));
    const { values = [] } = command?.options.find(({ long, hidden }) => long === "--output" && !hidden) ?? {};
    expect(values.length).toBeGreaterThan(1);
    for (const format of values) {
      const { code, stdout, stderr } = await runInProcess([...words, "-o", format], { env: SANDBOX });
      const printed = format === "name" ? `${stdout}${stderr}` : stdout;
      expect([format, code, printed]).toEqual([format, 0, expect.stringMatching(/./)]);
    }
  });
});

// Of endpoints, one for each set of flags.
const runnable = commands.filter(({ path }) => path[1] !== "view" && findDefinition(path)?.run !== undefined);
const isGlobal = ({ long }: OptionNode) => GLOBAL_OPTIONS.some(({ flags }) => flags.includes(long));
/** Returns the global flags that the help of a command leaves out. */
const hiddenFlags = ({ options }: CommandNode) =>
  // History may be incomplete of a single object, too.
  options.filter((option) => option.hidden && option.long !== "--fail-on" && isGlobal(option));

/** Returns a command line without flags. */
function wordsOf({ path, endpoint, examples, arguments: args }: CommandNode): string[] {
  const [, example = ""] = examples[0] ?? [];
  const required = args.filter((argument) => argument.required).map(({ choices: [word = USDC] = [] }) => word);
  if (endpoint === undefined) return [...path.slice(1), ...required];
  return (example.match(/(?:'[^']*'|[^\s'])+/g) ?? []).slice(1).map((word) => word.replaceAll("'", ""));
}

describe("a command refuses the flags that it does not list", () => {
  /** A usage error, or what a node cannot answer. */
  const REFUSED = [2, 4];
  const samples = new Map(runnable.map((command) => [kindOf(command), command]));

  test.each([...samples.values()].map((command) => [command.path.join(" "), command] as const))(
    "%s",
    async (_, command) => {
      for (const { long, takesValue, values: [value = "1"] = [] } of hiddenFlags(command)) {
        const words = [...wordsOf(command), takesValue === "required" ? `${long}=${value}` : long];
        const { code, stderr } = await runInProcess(words, { env: SANDBOX });
        expect([words, code, stderr]).toEqual([words, expect.toBeOneOf(REFUSED), expect.stringContaining(long)]);
      }
    },
  );

  /** Returns what stands for the flags of a command: those of endpoints, the path of others. */
  function kindOf(command: CommandNode): string {
    if (command.endpoint === undefined) return command.path.join(" ");
    return hiddenFlags(command)
      .map(({ long }) => long)
      .join(" ");
  }
});

describe("a command accepts the flags that it lists", () => {
  /** Values of types whose flags list none. */
  const SAMPLES: Readonly<Record<string, string>> = { address: USDC, signature: SIGNATURE, time: "7d", date: "7d" };
  /** Returns a flag with a value of its type: of a pattern such as `--from-<metric>` one that it stands for. */
  const typed = ({ long, takesValue, values, type = "", placeholder }: OptionNode) => {
    const value = values?.[0] ?? (placeholder === "min..max" ? "1..2" : (SAMPLES[type] ?? "1"));
    return [long.replace("<metric>", "num-holder"), ...(takesValue === "required" ? [value] : [])];
  };
  const listed = ({ options }: CommandNode) =>
    options.filter(({ hidden, long }) => !hidden && !/^--(help|version)/.test(long));

  test.each(runnable.map((command) => [command.path.join(" "), command] as const))("%s", async (_, command) => {
    const { path, arguments: args } = command;
    const flags = listed(command);
    const required = args.map(({ choices: [word = USDC] = [] }) => word);
    const words = [...path.slice(1), ...required, ...flags.flatMap(typed)];
    expect([words, await refusalOf(words)]).toEqual([words, undefined]);
    const endpoint = allEndpoints.find(({ route }) => route === command.endpoint);
    if (endpoint === undefined) return;
    const [name, param] = positionalOf(endpoint) ?? [];
    const identifier = name && endpoint.examples.map(({ params }) => params[name]).find((value) => value !== undefined);
    const request = [
      ...path.slice(1),
      ...(param && identifier !== undefined ? [[identifier].flat().join(",")] : []),
      ...flags.filter((flag) => !isGlobal(flag)).flatMap(typed),
      ...(endpoint.family === "node" ? ["--rpc", "mainnet"] : []),
      "--dry-run",
    ];
    const { code, stderr } = await runInProcess(request, { env: endpoint.family === "node" ? {} : SANDBOX });
    expect([request, code, stderr]).toEqual([request, 0, expect.anything()]);
  });

  /** Returns why a command line is refused; undefined where its command would run. */
  async function refusalOf(argv: readonly string[]): Promise<string | undefined> {
    class Accepted extends Error {}
    const { stream } = createCollector();
    const context = createContext({
      ...{ argv, env: {}, version: "0.0.0", stdin: Readable.from([]) as unknown as Io["stdin"] },
      ...{ stdout: stream, stderr: stream, now: Date.now, signal: new AbortController().signal },
    });
    const program = buildProgram(context);
    for (const one of [program, ...program.commands]) one.exitOverride().configureOutput({ writeErr: () => {} });
    program.hook("preAction", () => {
      throw new Accepted();
    });
    try {
      await program.parseAsync([...argv], { from: "user" });
      return "no command ran";
    } catch (error) {
      return error instanceof Accepted ? undefined : String(error);
    }
  }
});

test("the topic about flags names the commands that a flag of most commands is not for", async () => {
  const { sections } = JSON.parse((await runInProcess(["help", "options", "-o", "json"])).stdout);
  type Block = { readonly terms?: readonly { readonly term: string; readonly text: string }[] };
  const blocks: readonly Block[] = sections.flatMap(({ blocks: all }: { readonly blocks: readonly Block[] }) => all);
  const terms = new Map(blocks.flatMap(({ terms: rows = [] }) => rows.map(({ term, text }) => [term, text] as const)));
  const inherited = (GLOBAL_OPTIONS as readonly GlobalOption[]).filter(({ isInherited }) => isInherited);
  expect(inherited.length).toBeGreaterThan(5);
  for (const option of inherited) {
    const refusing = [
      ...new Set(commands.filter(({ endpoint }) => endpoint === undefined).flatMap(({ path }) => audienceOf(path))),
    ]
      .filter((audience) => !appliesTo(option, { audience }))
      .map((audience) => COMMANDS_OF[audience]?.replaceAll("`", "") ?? audience);
    for (const names of refusing)
      expect([option.flags, terms.get(option.flags)]).toEqual([option.flags, expect.stringContaining(names)]);
  }
});

test("the help of the program names Solscan first and fits a screen", async () => {
  const lines = (await runInProcess(["--help"])).stdout.trimEnd().split("\n");
  expect(lines[0]).toContain("Solscan");
  expect(lines.length).toBeLessThanOrEqual(MAX_PROGRAM_LINES);
  expect(lines.slice(1).filter((line) => line.length > 82)).toEqual([]);
});

test("the help of a group lists a command and its twin once, and both can be called", async () => {
  const { stdout } = await runInProcess(["token", "--help"]);
  expect(stdout).toMatch(/^ {2}meta /m);
  expect(stdout).not.toMatch(/^ {2}(meta-multi|list-v2) /m);
  expect((await runInProcess(["token", "meta-multi", "--help"])).code).toBe(0);
});

describe("an old flag is answered with its new form", () => {
  test.each([
    ["--fresh", "--fresh is now --cache fresh"],
    ["--no-cache", "--no-cache is now --cache off"],
    ["--offline", "--offline is now --cache only"],
    ["--fail-empty", "--fail-on empty"],
    ["--wide", "-o wide"],
    ["--columns=A:name", "--columns is now --fields"],
    ["--rate=2/1", "--rate is now a setting: solx config set rate <value>, or SOLX_RATE"],
    ["--strict", "SOLX_STRICT"],
  ])("%s", async (flag, message) => {
    const { code, stderr } = await runInProcess(["token", "list", flag]);
    expect([code, JSON.parse(stderr).errors.message]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("a word for an intention is answered with the command for it", () => {
  test.each([
    ["tail", "solx help following"],
    ["validators", "solx node validators"],
    ["export", "transfer-export"],
    ["price", "solx token price"],
    ["whoami", "solx auth status"],
    ["trace", "solx transaction detail"],
  ])("%s", async (word, hint) => {
    const { code, stderr } = await runInProcess([word]);
    expect([code, JSON.parse(stderr).errors.hint]).toEqual([2, expect.stringContaining(hint)]);
  });
});
