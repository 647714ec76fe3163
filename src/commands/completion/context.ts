/** Where the cursor is in a line, and what was found for it. */
import type { CommandWords, Word, Words } from "./schema.ts";

/** What may stand at the cursor. */
export interface Found {
  /** What the words are, in a word for headings; `files` leaves the rest to the shell. */
  readonly kind: "commands" | "options" | "values" | "files";
  /** How much of the current word stays as it is, because the words go on after it. */
  readonly from: number;
  /** Whether the word is complete, so that a blank may follow. */
  readonly space: boolean;
  readonly words: readonly Word[];
}

/** What a line is about, up to the word at the cursor. */
export interface Place {
  readonly words: Words;
  readonly command: CommandWords;
  readonly positionals: readonly string[];
  /** The names of the profiles. */
  readonly profiles: () => readonly string[];
}

/** Nothing to offer. */
export const NOTHING: Found = { kind: "values", from: 0, space: true, words: [] };

/** The command of a group that goes by a name. */
export function commandNamed({ commands = [] }: CommandWords, name: string): CommandWords | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name));
}

/** Commands that begin like this; by their other names where none does. */
export function fittingCommands(commands: readonly CommandWords[], current: string): readonly Word[] {
  const named = commands.filter(({ name }) => name.startsWith(current));
  if (named.length > 0) return named.map(({ name, about }) => [name, about]);
  return commands.flatMap(({ aliases = [], about }) =>
    aliases.filter((alias) => alias.startsWith(current)).map((alias): Word => [alias, about]),
  );
}
