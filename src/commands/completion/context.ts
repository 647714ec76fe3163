/** The input and the output of completion: the line up to the cursor, and the candidates for it. */
import type { Candidate, CommandSpec, CompletionData } from "./schema.ts";

/** The candidates for the word at the cursor. */
export interface Completions {
  /** The kind of the candidates, for headings; with `files` the shell completes file names. */
  readonly kind: "commands" | "options" | "values" | "files";
  /** The length of the part of the current word that candidates do not replace. */
  readonly prefixLength: number;
  /** Whether a candidate completes the word, so that the shell may append a space. */
  readonly appendSpace: boolean;
  readonly candidates: readonly Candidate[];
}

/** Names that exist on this machine; they are read when they are completed. */
export interface LocalNames {
  profiles(): readonly string[];
  indexes(): readonly string[];
  /** Aliases of commands. */
  aliases(): ReadonlyMap<string, string>;
  /** Names of bookmarks of the explorer, of all data sources. */
  views(): readonly string[];
  /** The user's names of addresses, with the addresses. */
  addresses(): readonly Candidate[];
}

/** The command line up to the word at the cursor. */
export interface CompletionContext {
  readonly data: CompletionData;
  readonly command: CommandSpec;
  readonly positionals: readonly string[];
  readonly local: LocalNames;
  /** Whether a Solana node is to answer. */
  readonly isNode: boolean;
}

/** No candidates. */
export const NO_COMPLETIONS: Completions = { kind: "values", prefixLength: 0, appendSpace: true, candidates: [] };

/** Returns the subcommand of a name or alias. */
export function findCommand({ commands = [] }: CommandSpec, name: string): CommandSpec | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name));
}

/** Returns the commands whose name starts with a prefix, or the aliases that do when no name does. */
export function matchingCommands(commands: readonly CommandSpec[], prefix: string): readonly Candidate[] {
  const named = commands.filter(({ name }) => name.startsWith(prefix));
  if (named.length > 0) return named.map(({ name, description }) => [name, description]);
  return commands.flatMap(({ aliases = [], description }) =>
    aliases.filter((alias) => alias.startsWith(prefix)).map((alias): Candidate => [alias, description]),
  );
}
