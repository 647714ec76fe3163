/** Where the cursor is in a line, and what was found for it. */
import type { Candidate, CommandSpec, CompletionData } from "./schema.ts";

/** What may stand at the cursor. */
export interface Completions {
  /** What the words are, in a word for headings; `files` leaves the rest to the shell. */
  readonly kind: "commands" | "options" | "values" | "files";
  /** How much of the current word stays as it is, because the words go on after it. */
  readonly prefixLength: number;
  /** Whether the word is complete, so that a blank may follow. */
  readonly appendSpace: boolean;
  readonly candidates: readonly Candidate[];
}

/** What a line is about, up to the word at the cursor. */
export interface CompletionContext {
  readonly data: CompletionData;
  readonly command: CommandSpec;
  readonly positionals: readonly string[];
  /** The names of the profiles. */
  readonly profiles: () => readonly string[];
}

/** Nothing to offer. */
export const NO_COMPLETIONS: Completions = { kind: "values", prefixLength: 0, appendSpace: true, candidates: [] };

/** The command of a group that goes by a name. */
export function findCommand({ commands = [] }: CommandSpec, name: string): CommandSpec | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name));
}

/** Commands that begin like this; by their other names where none does. */
export function matchingCommands(commands: readonly CommandSpec[], current: string): readonly Candidate[] {
  const named = commands.filter(({ name }) => name.startsWith(current));
  if (named.length > 0) return named.map(({ name, description: about }) => [name, about]);
  return commands.flatMap(({ aliases = [], description: about }) =>
    aliases.filter((alias) => alias.startsWith(current)).map((alias): Candidate => [alias, about]),
  );
}
