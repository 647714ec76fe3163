/** Errors of the command line: what was typed, what is accepted, and what to run next. Loaded only for a failed run. */
import { existsSync } from "node:fs";
import { type Command, type CommanderError, Option } from "commander";
import {
  AuthError,
  type Env,
  type InvalidParameter,
  listWords,
  nearestName,
  type SolxError,
  UsageError,
  withMessage,
} from "../../base/index.ts";
import {
  commandLine,
  type Endpoint,
  endpoints,
  loadEntityShape,
  MAX_LISTED_VALUES,
  nodeSupportOf,
  optionName,
  positionalOf,
  quoteForShell,
  shortValue,
} from "../../catalogue/index.ts";
import { displayText, isMeantAsIdentifier, recognise } from "../../client/index.ts";
import {
  ALIASES,
  getFlag,
  readTextMap,
  resolvePaths,
  SETTING_NAMES,
  settingVariable,
  settingWords,
} from "../../config/index.ts";
import { commandChain, commandPath, definitionOf } from "./command-definition.ts";
import type { RunContext } from "./context.ts";

/** Flags of other tools, and their equivalents. */
const FLAG_SYNONYMS: Readonly<Record<string, string>> = {
  "--format": "-o",
  "--out-format": "-o",
  "--output-format": "-o",
  "--count": "--limit",
  "--first": "--limit",
  "--since": "--from-time",
  "--until": "--to-time",
};

/** Suggestions of one unknown word; more would be a list of commands. */
const MAX_SUGGESTIONS = 3;
/** Letters of a prefix that identifies a name. */
const MIN_PREFIX = 2;

/** Returns the fields that the value of an option may name; undefined for other options and commands. */
async function fieldsHint(flags: string, command: Command | undefined): Promise<string | undefined> {
  const endpoint = command && definitionOf(command)?.endpoint;
  if (!endpoint || !/^--(fields|sort-by) /.test(flags)) return undefined;
  const { fields } = await loadEntityShape(endpoint.returns.entity);
  return `The fields are ${fields.join(", ")}.`;
}

/** Returns commander's error as a usage error of solx. */
export async function toUsageError(
  error: CommanderError,
  { command, io }: Pick<RunContext, "command" | "io">,
): Promise<UsageError> {
  const [message = ""] = error.message.replace(/^error: /, "").split("\n");
  const [, word = ""] = /'(.*)'/.exec(message) ?? [];
  // Of `-v=1`, commander names the rest behind the flag: `-=1`.
  const quoted = word.startsWith("-=") ? (io.argv.find((one) => one.endsWith(word.slice(1))) ?? word) : word;
  const path = command === undefined ? "solx" : commandPath(command);
  const usage = (text: string, hint = `For usage, run: ${path} --help`) =>
    new UsageError(text, { code: "USAGE", hint });
  switch (error.code) {
    case "commander.unknownOption": {
      const [flag = ""] = quoted.split("=");
      const replacement = findReplacement(flag);
      if (replacement !== undefined) return usage(`${flag} is now ${replacement}`);
      if (command && flag !== quoted && isOptionOf(command, flag)) return usage(`${flag} takes no value`);
      return usage(`unknown flag "${displayText(quoted)}" for "${path}"`, flagHint(quoted, command));
    }
    case "commander.unknownCommand":
      return unknownCommand(command?.args[0] ?? quoted, command, io.env);
    case "commander.excessArguments": {
      const [word = ""] = command?.args ?? [];
      if (command && command.commands.length > 0) return unknownCommand(word, command, io.env);
      const pair = path === "solx api" ? command?.args.find((argument) => /^\w+(\[\])?=/.test(argument)) : undefined;
      return usage(
        `too many arguments for "${path}": expected ${command?.registeredArguments.length ?? 0}, got ${command?.args.length ?? 0}`,
        pair && `For a query parameter: --query ${displayText(pair)}`,
      );
    }
    case "commander.missingArgument":
      return usage(`missing argument <${quoted}> for "${path}"`);
    case "commander.optionMissingArgument":
      return usage(`flag needs a value: ${quoted}`, await fieldsHint(quoted, command));
    default:
      return usage(message.replace(/\.$/, ""));
  }
}

const isOptionOf = (command: Command, flag: string) =>
  [...command.createHelp().visibleOptions(command), ...commandChain(command).flatMap(({ options }) => options)].some(
    ({ short, long }) => [short, long].includes(flag),
  );

const isOfChain = (word: string) => ["address", "signature", "slot"].includes(recognise(word).kind);

async function unknownCommand(word: string, command: Command | undefined, env: Env): Promise<UsageError> {
  const path = command === undefined ? "solx" : commandPath(command);
  const match = recognise(word);
  const isIdentifier = isOfChain(word) || isMeantAsIdentifier(match);
  const suggestions = command === undefined || isIdentifier ? [] : await suggestLines(word, command, env);
  const hint = isOfChain(word)
    ? `To look it up, run: solx show ${match.value}`
    : suggestions.length > 0
      ? `Did you mean ${suggestions.map((name) => `"${name}"`).join(" or ")}?`
      : isMeantAsIdentifier(match)
        ? match.hint
        : `For a list of commands, run: ${path} --help`;
  return new UsageError(`unknown command "${displayText(word)}" for "${path}"`, { code: "USAGE", hint });
}

/** Returns what an unknown command may stand for: similar names, or what answers the line as a question. */
async function suggestLines(word: string, command: Command, env: Env): Promise<readonly string[]> {
  const begun = linesBegunBy(word, command);
  if (begun.length > 0) return begun.slice(0, MAX_SUGGESTIONS);
  const { loadSearch, lineOfHit } = await import("../docs/search/search-command.ts");
  const search = await loadSearch(commandChain(command).at(-1) ?? command);
  const words = command.args.filter((one) => !isOfChain(one));
  const group = `${commandPath(command)} `;
  const hits = search(words.join(" ")).filter((hit) => `solx ${hit.command}`.startsWith(group));
  const lines = (some: typeof hits) => some.slice(0, MAX_SUGGESTIONS).map(lineOfHit);
  const answers = lines(hits.filter(({ coverage }) => coverage === 1));
  const similar = answers.length > 0 ? answers : suggestCommands(word, command, env);
  return similar.length > 0 ? similar : lines(hits.filter(({ coverage }) => coverage > 0));
}

/** Returns the command lines, aliases included, whose names resemble an unknown word of a command. */
export function suggestCommands(word: string, command: Command, env: Env): readonly string[] {
  const begun = linesBegunBy(word, command);
  const near = begun.length > 0 ? begun : nearestLines(word, linesIn(command));
  if (command.parent !== null) return near.slice(0, MAX_SUGGESTIONS);
  const aliases = [...readTextMap(resolvePaths(env), ALIASES).entries.keys()].map(
    (name) => [name, `solx ${name}`] as const,
  );
  const lines = [...near, ...nearestLines(word, aliases)];
  return (lines.length > 0 ? lines : nearestLines(word, linesInGroups())).slice(0, MAX_SUGGESTIONS);
}

/** Names, each with the command line that it stands for. */
type NamedLines = readonly (readonly [name: string, line: string])[];

const linesIn = (command: Command): NamedLines =>
  command.commands.flatMap((sub) =>
    [sub.name(), ...sub.aliases()].map((name) => [name, `${commandPath(command)} ${sub.name()}`] as const),
  );

/** Returns the commands of all groups by their names inside it. */
const linesInGroups = (): NamedLines =>
  endpoints
    .filter(({ family }) => family === "v2")
    .flatMap(({ name, aliases = [], command }) => [name, ...aliases].map((one) => [one, `solx ${command}`] as const));

const linesWhere = (named: NamedLines, isMeant: (name: string) => boolean) => [
  ...new Set(named.flatMap(([name, line]) => (isMeant(name) ? [line] : []))),
];

const linesBegunBy = (word: string, command: Command) =>
  word.length < MIN_PREFIX ? [] : linesWhere(linesIn(command), (name) => name.startsWith(word));

function nearestLines(word: string, named: NamedLines): readonly string[] {
  const names = named.map(([name]) => name);
  const near = nearestName(word, names);
  return linesWhere(named, (name) => name === near);
}

function flagHint(typed: string, command: Command | undefined): string | undefined {
  const [flag = "", inline] = typed.split("=");
  const options = command?.createHelp().visibleOptions(command) ?? [];
  const flags = options.flatMap(({ long }) => long ?? []);
  const synonym = Object.hasOwn(FLAG_SYNONYMS, flag) ? FLAG_SYNONYMS[flag] : undefined;
  if (synonym !== undefined && options.some(({ short, long }) => [short, long].includes(synonym.split(" ")[0]))) {
    const next = command?.args[command.args.indexOf(typed) + 1];
    const value = inline ?? (next?.startsWith("-") ? undefined : next);
    const words = synonym.includes(" ") || value === undefined ? synonym : `${synonym} ${quoteForShell(value)}`;
    return `Did you mean "${words}"?`;
  }
  const prefixed = flag.length > 3 ? flags.filter((name) => name.startsWith(flag)) : [];
  const near = nearestName(flag, flags);
  const names = prefixed.length > 0 ? prefixed.slice(0, MAX_SUGGESTIONS) : near === undefined ? [] : [near];
  return names.length > 0 ? `Did you mean ${names.map((name) => `"${name}"`).join(" or ")}?` : undefined;
}

/** Returns the error with the parameter named as it was typed: `--from-time`, not `from_time`. */
export function withTypedNames(error: SolxError, { command }: RunContext): SolxError {
  if (error.apiMessage !== undefined) return error;
  const endpoint = command && parameterSource(command);
  const message = error.invalid && endpoint && describeInvalid(error.invalid, endpoint, command);
  return message === undefined ? error : withMessage(error, message, { apiMessage: error.message });
}

/** Returns the endpoint whose parameters a command takes. */
function parameterSource(command: Command): Endpoint | undefined {
  const { endpoint, parametersOf = endpoint } = definitionOf(command) ?? {};
  return parametersOf;
}

function describeInvalid(invalid: InvalidParameter, endpoint: Endpoint, command: Command): string | undefined {
  const { reason, parameter, requires, start } = invalid;
  const name = typedName(parameter, endpoint, command);
  switch (reason) {
    case "value": {
      if (start !== undefined) return `${name} is before ${typedName(start, endpoint, command)}`;
      const expected = expectation(invalid);
      const subject = `invalid value "${displayText(typedValue(invalid, command))}" for ${name}`;
      return expected === undefined ? subject : `${subject}: expected ${expected}`;
    }
    case "missing":
      return name.startsWith("<") ? `missing argument ${name}` : `missing required flag ${name}`;
    case "dependency":
      return requires === undefined ? undefined : `${name} requires ${typedName(requires, endpoint, command)}`;
    case "unsupported":
      return `a Solana node cannot apply ${name}`;
    case "unknown":
      return undefined;
  }
}

function expectation({ expected, allowed }: InvalidParameter): string | undefined {
  return allowed !== undefined && allowed.length <= MAX_LISTED_VALUES ? listWords(allowed.map(shortValue)) : expected;
}

/** Returns the part of an option's value that is refused, or the whole value where it was converted before the check. */
function typedValue({ parameter, value = "" }: InvalidParameter, command: Command): string {
  const typed: unknown = command.getOptionValue(new Option(`--${optionName(parameter)}`).attributeName());
  return typeof typed === "string" && !typed.includes(value) ? typed : value;
}

/** Returns a parameter as it was typed: `<address>` for the positional argument, else its flag. */
function typedName(parameter: string, endpoint: Endpoint, command: Command): string {
  const [positional] = positionalOf(endpoint) ?? [];
  const flag = `--${optionName(parameter)}`;
  const isFlagTyped = command.getOptionValueSource(new Option(flag).attributeName()) === "cli";
  return parameter === positional && !isFlagTyped ? `<${parameter}>` : flag;
}

/** Flags that select a server or profile: they contradict the sandbox. */
const SERVER_FLAGS = /^--(?:profile|rpc|index)(=|$)/;

/** Returns the error with a hint: an example, a file that was typed without `@`, or the sandbox where there is no key. */
export function withTypedHint(error: SolxError, { io, command }: RunContext): SolxError {
  const definition = command && definitionOf(command);
  const { invalid } = error;
  const source = command && parameterSource(command);
  if (invalid?.reason === "value" && source && isFileName(invalid, source)) {
    return withMessage(error, error.message, { hint: `To read identifiers from the file: @${invalid.value}` });
  }
  if (invalid?.reason === "missing" && source && error.hint === undefined) {
    const [, example = commandLine(source, source.examples[0]?.params ?? {})] = definition?.examples?.[0] ?? [];
    return withMessage(error, error.message, { hint: `For example: ${example}` });
  }
  // The sandbox is no alternative where the key is the subject, and not for what it does not answer.
  const needsKey = command?.parent?.name() === "auth" || definition?.excludedFlags?.includes("--sandbox");
  if (error.code !== "NO_KEY" || needsKey) return error;
  const words = io.argv.filter((word, index) => {
    const previous = io.argv[index - 1] ?? "";
    return !SERVER_FLAGS.test(word) && !(SERVER_FLAGS.test(previous) && !previous.includes("="));
  });
  const line = (...flags: readonly string[]) => ["solx", ...flags, ...words].map(quoteForShell).join(" ");
  const { endpoint } = definition ?? {};
  const fromNode = endpoint && nodeSupportOf(endpoint).level !== "none";
  const ways = [
    `To try it without a key: ${line("--sandbox")}`,
    ...(fromNode ? [`To use a Solana node: ${line("--rpc", "mainnet")}`] : []),
  ];
  return new AuthError(error.message, { code: error.code, hint: [error.hint, ...ways].filter(Boolean).join("\n") });
}

function isFileName({ parameter, value = "" }: InvalidParameter, endpoint: Endpoint): boolean {
  return positionalOf(endpoint)?.[0] === parameter && value !== "" && existsSync(value);
}

/** The form that replaces a flag. */
const RETIRED_FLAGS: Readonly<Record<string, string>> = {
  "--fresh": "--cache fresh",
  "--no-cache": "--cache off",
  "--offline": "--cache only",
  "--no-wait": "--max-wait 0",
  "--fail-empty": "--fail-on empty",
  "--fail-incomplete": "--fail-on incomplete",
  "--json": "-o json",
  "--columns": "--fields",
  "--wide": "-o wide",
  "--no-color": "--color never",
  "--print-url": "--web, which prints the URL where there is no browser",
  "--record-pseudonyms": "--record <folder>,pseudonyms",
  "--amount-ui": "--amount with whole units of the token: --amount 1.5..2ui",
  "--unordered": "--batch unordered",
  "--bare-legacy": "--shape bare",
  "--errors": "--batch inline",
  "--fail-fast": "--batch fail-fast",
  "--insecure": "the environment variable SOLX_INSECURE=1",
  "--no-input": "the environment variable SOLX_NO_INPUT=1",
  "--api-key": "the environment variable SOLX_API_KEY, or solx auth login",
  "--via": "--all, which exports; a command such as account transfer reads the same rows by pages",
};

/** Returns what replaces a flag, such as `--cache fresh`: another one, or the setting of its name. */
function findReplacement(flag: string): string | undefined {
  if (Object.hasOwn(RETIRED_FLAGS, flag)) return RETIRED_FLAGS[flag];
  const setting = SETTING_NAMES.find((name) => flag === `--${name}` && getFlag(name) === undefined);
  return setting && `a setting: solx config set ${settingWords(setting)}, or ${settingVariable(setting)}`;
}
