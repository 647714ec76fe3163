/** What a run of the program gets from outside. */

/** The world outside the program, so that tests can give another one. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when the user or the system wants the program to stop. */
  readonly signal: AbortSignal;
}
