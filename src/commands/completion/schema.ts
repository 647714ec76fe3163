/** What completion knows of the command line, as it is written beside the program when that is built. */

/** A word to offer, and what it is for. */
export type Candidate = readonly [word: string, about: string];

/** A field of an answer, with the fields inside it. */
export type FieldCandidate = readonly [name: string, about: string, inside?: readonly FieldCandidate[]];

/** What only the line or the machine can tell. */
export type ValueSource = "profiles" | "fields" | "columns" | "files" | "setting" | "commands" | "endpoints";

/** What stands in the place of a value. */
export interface ValueSet {
  readonly candidates?: readonly Candidate[];
  /** Shorter forms of the words, which are offered beside them to someone who began to type. */
  readonly abbreviations?: readonly Candidate[];
  /** Words that are offered only to someone who began to type one of them. */
  readonly rare?: readonly Candidate[];
  readonly source?: ValueSource;
  /** Whether several may be given, with commas. */
  readonly list?: true;
}

/** An option. */
export interface OptionSpec {
  /** With its dashes. */
  readonly long: string;
  readonly short?: string;
  readonly description: string;
  /** Whether a value follows. */
  readonly takes?: "optional" | "required";
  /** An index of `values`. */
  readonly values?: number;
  readonly repeatable?: true;
  /** `rare`: offered only where nothing else fits. `never`: taken, but of no use here. */
  readonly offer?: "rare" | "never";
}

/** A command. */
export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly commands?: readonly CommandSpec[];
  /** Indices of `options`. */
  readonly options: readonly number[];
  /** For each argument an index of `values`, or nothing where its words are not known; the last may repeat. */
  readonly arguments?: readonly (number | null)[];
  readonly variadic?: true;
  /** Whether the words of its argument may stand in a file, as `@file`. */
  readonly takesFile?: true;
  /** The name of what it answers with, among `fields`. */
  readonly entity?: string;
  /** Whether an endpoint answers it. */
  readonly isEndpoint?: true;
}

/** Everything; options and values once each, however many commands have them. */
export interface CompletionData {
  readonly root: CommandSpec;
  readonly options: readonly OptionSpec[];
  readonly values: readonly ValueSet[];
  /** What follows `help` beside commands. */
  readonly topics: readonly Candidate[];
  /** The values of settings, by their names. */
  readonly settings: Readonly<Record<string, number>>;
  /** The fields of answers, by their names. */
  readonly fields: Readonly<Record<string, readonly FieldCandidate[]>>;
}
