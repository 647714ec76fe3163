/** What every command works with: streams, settings, client and output, each created when it is first needed. */
import type { Command } from "commander";
import type { z } from "zod";
import type { Json } from "../../base/index.ts";
import type { Column, Endpoint, ParameterValues, Shape } from "../../catalogue/index.ts";
import type { RateLimitStatus } from "../../client/index.ts";
import type { DataSource, LoadOptions, Settings } from "../../config/index.ts";
import type { Content, ContentSchema, Format, OutputOptions, Sink } from "../../output/index.ts";
import type { ClientOptions, ConnectedClient } from "../../sources/index.ts";
import type { Route } from "../../ui/index.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import type { Reporter } from "./reporter.ts";

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
  readonly signal: AbortSignal;
  /** Called with the exit code when all output has been written, before what the run opened is closed. */
  readonly onOutcome?: (exitCode: number) => void;
}

/** How a value is displayed; the schema is loaded only for formats that need it. */
export interface DisplayOptions {
  readonly entity?: () => Promise<z.ZodType | Shape>;
  readonly columns?: readonly Column[];
  /** The path of the field that identifies a row. */
  readonly identifier?: string | undefined;
  readonly endpoint?: Endpoint;
}

/** Another destination than standard output, or options that differ there. */
export interface Destination {
  readonly sink?: Sink;
  readonly options: Partial<OutputOptions>;
  /** Called with what is known of the content, before it is written. */
  readonly onSchema?: (schema: ContentSchema) => void;
}

/**
 * What a command does with settings: it may create a profile, change the file, concern the sandbox only, or determine
 * what answers.
 */
export interface SettingsUse {
  readonly allowsNewProfile?: boolean;
  readonly changesFile?: boolean;
  readonly sandbox?: boolean;
  readonly source?: DataSource;
}

/**
 * Runs a command line in another context, which `prepare` may change before.
 * @throws SolxError with the names that were typed
 */
export type LineRunner = (io: Io, prepare: (context: RunContext) => void) => Promise<void>;

/** Settings, and the clients and the clock that follow from them, each created when it is first needed. */
export interface Session {
  /** Returns the settings of this run; reports problems that do not stop it once. */
  settings(use?: SettingsUse): Promise<Settings>;
  /** Returns the settings if they were loaded without an error. */
  loadedSettings(): Promise<Settings | undefined>;
  /** Returns what the settings of this run are loaded from. */
  settingsOptions(use?: SettingsUse): LoadOptions;
  /** Uses settings that were loaded elsewhere as those of this run. */
  useSettings(settings: Settings): void;
  client(): Promise<ConnectedClient>;
  /** Creates a separate client for a key; `overrides` precede the settings. The caller closes it. */
  clientFor(settings: Settings, key: string | undefined, overrides?: Partial<ClientOptions>): Promise<ConnectedClient>;
  /** Returns what remains of the rate limit of the client created last, as far as known. */
  remainingRequests(): RateLimitStatus | undefined;
  /**
   * Returns the clock of this run, in milliseconds since the epoch: the system's, or one that starts where the time of
   * a sandbox ends, in process or on a local server.
   */
  clock(): Promise<() => number>;
  /** Registers something to close when the run is over. */
  onClose(close: () => Promise<void>): void;
  /** Closes everything that was opened; a client that could not be created has been reported. */
  close(): Promise<void>;
}

/** Standard output in the format of the run. */
export interface Printer {
  /** Whether output is for people, in a pipe too. */
  isForPeople: boolean;
  format(): Promise<Format>;
  /** Returns everything that output needs besides the content. */
  options(): Promise<OutputOptions>;
  /** Writes content in the format of this run, to standard output unless another destination is given. */
  print(content: Content, display?: DisplayOptions, to?: Destination): Promise<{ rows: number }>;
  printObject(value: Json, display?: DisplayOptions): Promise<void>;
  /** Prints a list that is complete. */
  printRows(rows: readonly Json[], display?: DisplayOptions): Promise<void>;
  /** Writes text, or bytes unchanged, to standard output. */
  printText(text: string | Uint8Array): Promise<void>;
  /** Waits until everything printed has left the process. */
  flush(): Promise<void>;
}

/** What a command leaves behind besides its output. */
export interface Outcome {
  /** The exit code of a run that did not fail, whose outcome has its own code. */
  exitCode?: number;
  /** The command line that the command stands for, which runs after it. */
  nextArguments?: readonly string[];
  /** Whether the work continues until it is stopped: its output is then flushed although the run was aborted. */
  runsUntilStopped?: boolean;
  /** Why rows are missing that the source does not have. */
  missingHistory?: string;
  /** Age in seconds of the oldest answer that came from the cache. */
  oldestCachedAge?: number;
}

/** What a command with `--follow` asks for. */
export interface FollowedQuery {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  /** Identifiers, if it takes any. */
  readonly inputs?: readonly string[];
}

/** One invocation of the program. */
export interface RunContext {
  readonly io: Io;
  readonly reporter: Reporter;
  readonly session: Session;
  readonly printer: Printer;
  readonly outcome: Outcome;
  /** The options that every command takes, as they were parsed. */
  globals: GlobalOptions;
  /** The command that the command line leads to, as far as it is parsed. */
  command: Command | undefined;
  /** Receives the route that a command opens in the explorer, in place of starting it. */
  onRoute: ((route: Route) => void) | undefined;
  /** Receives what `--follow` would follow, in place of following it; the run lasts until it returns. */
  onFollow: ((query: FollowedQuery) => Promise<void>) | undefined;
  /** Runs another command line, as far as the program that runs this one can. */
  runLine: LineRunner | undefined;
}
