/** The environment of a run. */

/** Everything a run gets from its process; tests pass their own. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when the user or the system stops the program. */
  readonly signal: AbortSignal;
}
