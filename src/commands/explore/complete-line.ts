/** Completion of a command line in the explorer, by the engine and the data of the shells' completion. */
import type { Command } from "commander";
import { readProgramFile } from "../../base/index.ts";
import { allEndpoints, type Endpoint, optionName, positionalOf, quoteForShell } from "../../catalogue/index.ts";
import type { Settings } from "../../config/index.ts";
import type { LineCompletions } from "../../ui/index.ts";
import { findCompletions, type ParsedLine, parseLine } from "../completion/find-completions.ts";
import { localNames } from "../completion/local-names.ts";
import type { CommandSpec, CompletionData } from "../completion/schema.ts";
import { splitLine } from "../completion/shell-protocol.ts";
import { definitionOf } from "../run/command-definition.ts";
import { typedWords } from "./typed-words.ts";

/** Returns whether a command opens in the explorer. */
export function opensView(command: Command): boolean {
  const { endpoint, flags = [] } = definitionOf(command) ?? {};
  return endpoint !== undefined || flags.includes("--interactive");
}

/** Returns whether an option is of a parameter of the request. */
export function isParameter({ query }: Endpoint, long: string): boolean {
  return Object.keys(query).some((name) => {
    const option = optionName(name);
    return [`--${option}`, `--no-${option}`].includes(long);
  });
}

/** Reads what the build has written beside the program; nothing is completed without it. */
export function readCompletionData(): CompletionData {
  try {
    return JSON.parse(readProgramFile(new URL("complete.json", import.meta.url)));
  } catch {
    return EMPTY_DATA;
  }
}

const EMPTY_DATA: CompletionData = {
  root: { name: "solx", description: "", options: [] },
  options: [],
  values: [],
  topics: [],
  settings: {},
  fields: {},
};

/** What completing depends on beside the data. */
interface CompletionOptions {
  /** The program, with all its commands. */
  readonly root: Command | undefined;
  readonly settings: Settings;
}

/** Completes the last word of a line: commands that open views, and parameters of the endpoint. */
export function completeLine(
  line: string,
  data: CompletionData,
  { root, settings: { paths } }: CompletionOptions,
): LineCompletions {
  const at = lastWordStart(line);
  const { words: before } = typedWords(line.slice(0, at));
  const { current } = splitLine(`solx ${line.slice(at)}`);
  const parsed = parseLine(data, before);
  const endpoint = allEndpoints.find(({ command }) => command === parsed.path.join(" "));
  const completions = findCompletions(data, { before, current, replaceFrom: 0, quoted: false }, localNames(paths));
  const { kind, prefixLength, appendSpace } = completions;
  const isOffered = (word: string) =>
    kind === "commands"
      ? leadsToView(parsed.command, word, root)
      : kind !== "options" || (endpoint !== undefined && isParameter(endpoint, word));
  const candidates = completions.candidates
    .filter(([word]) => isOffered(word))
    .map(([word, about]) => {
      const text = quoteForShell(current.slice(0, prefixLength) + word);
      return [appendSpace ? `${text} ` : text, about] as const;
    });
  const parameter = endpoint && parameterOf(endpoint, parsed, current);
  return { start: line.slice(0, at), candidates, ...(parameter !== undefined && { parameter }) };
}

/** Returns where the last word of a line starts: at the end when a space follows the last one. */
function lastWordStart(line: string): number {
  for (let at = line.length; at > 0; at -= 1) {
    const { current, quoted } = splitLine(`solx ${line.slice(0, at)}`);
    if (/\s/.test(line[at - 1] ?? "") && current === "" && !quoted) return at;
  }
  return 0;
}

function leadsToView({ commands = [] }: CommandSpec, word: string, root: Command | undefined): boolean {
  const leads = (spec: CommandSpec): boolean => spec.isEndpoint === true || (spec.commands ?? []).some(leads);
  const spec = commands.find(({ name }) => name === word);
  const command = root?.commands.find((one) => one.name() === word);
  return spec !== undefined && (leads(spec) || (command !== undefined && opensView(command)));
}

/** Returns the parameter whose value follows in a line. */
function parameterOf(
  endpoint: Endpoint,
  { pending, positionals }: ParsedLine,
  current: string,
): LineCompletions["parameter"] {
  const [positional, param] = positionalOf(endpoint) ?? [];
  const name = pending
    ? Object.keys(endpoint.query).find((one) => `--${optionName(one)}` === pending.long)
    : positionals.length === 0 || param?.arity === "list"
      ? positional
      : undefined;
  return name === undefined || (!pending && current.startsWith("-")) ? undefined : { endpoint, name };
}
