/** The completion data: the command line as plain data, written beside the program by the build. */

/** A word to offer and its description. */
export type Candidate = readonly [word: string, description: string];

/** Where values come from that depend on the line or on the machine. */
export type ValueSource =
  | "profiles"
  | "indexes"
  | "addresses"
  | "aliases"
  | "views"
  | "fields"
  | "sortKeys"
  | "files"
  | "setting"
  | "commands"
  | "endpoints";

/** The values of an option or an argument. */
export interface ValueSet {
  readonly candidates?: readonly Candidate[];
  /** Shorter forms, offered with the candidates once a character is typed. */
  readonly abbreviations?: readonly Candidate[];
  /** Values offered only when no other one matches. */
  readonly rare?: readonly Candidate[];
  readonly source?: ValueSource;
  /** Whether several values may be separated by commas. */
  readonly list?: true;
}

/** An option. */
export interface OptionSpec {
  readonly long: string;
  readonly short?: string;
  readonly description: string;
  readonly takes?: "optional" | "required";
  /** An index of `CompletionData.values`. */
  readonly values?: number;
  readonly repeatable?: true;
  /** `rare`: offered only when no other option matches. `never`: accepted but not offered. */
  readonly offer?: "rare" | "never";
}

/** A command. */
export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly commands?: readonly CommandSpec[];
  /** Indices of `CompletionData.options`. */
  readonly options: readonly number[];
  /** An index of `CompletionData.values` per argument, or null for unknown values; the last may repeat. */
  readonly arguments?: readonly (number | null)[];
  readonly variadic?: true;
  /** Whether arguments can be read from a file, as `@file`. */
  readonly takesFile?: true;
  /** The key of its output fields in `CompletionData.fields`. */
  readonly entity?: string;
  readonly isEndpoint?: true;
  /** Whether a Solana node cannot answer it; with `--rpc` it is not offered. */
  readonly noNode?: true;
}

/** All completion data. Options and value sets are stored once, however many commands share them. */
export interface CompletionData {
  readonly root: CommandSpec;
  readonly options: readonly OptionSpec[];
  readonly values: readonly ValueSet[];
  /** What `help` accepts besides commands. */
  readonly topics: readonly Candidate[];
  /** An index of `values` by setting. */
  readonly settings: Readonly<Record<string, number>>;
  /** Paths of output fields by entity or command. */
  readonly fields: Readonly<Record<string, readonly Candidate[]>>;
}

/** An unfinished line: the words before the cursor without quotes, and the word at the cursor. */
export interface CommandLine {
  readonly before: readonly string[];
  readonly current: string;
  /** Where the part that the shell replaces starts: behind an open quote or the last character that breaks words. */
  readonly replaceFrom: number;
  readonly isQuoted: boolean;
}

/** The candidates for the word at the cursor. */
export interface Completions {
  /** The kind of the candidates, for headings; with `files` the shell completes file names. */
  readonly kind: "commands" | "options" | "values" | "files";
  /** The length of the part of the current word that candidates do not replace. */
  readonly prefixLength: number;
  /** Whether a candidate completes the word, so that the shell may append a space. */
  readonly appendsSpace: boolean;
  readonly candidates: readonly Candidate[];
}
