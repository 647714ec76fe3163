/** The environment of the explorer. It knows nothing of argv, files or processes, so that tests can replace all of it. */
import type { Client, ClientEvent } from "../../client/index.ts";
import type { CustomKeys } from "./keys/custom-keys.ts";
import type { Route } from "./route.ts";
import type { ColorDepth } from "./theme/style.ts";
import type { ColorScheme } from "./theme/theme.ts";
import type { ThemeName, ThemeStyles } from "./theme/themes.ts";

/** The result of an action, with a sentence for the user. */
export interface ActionResult {
  readonly ok: boolean;
  /** What happened, such as the clipboard program used, or why it failed. */
  readonly message: string;
}

/** A bookmarked route. */
export interface Bookmark {
  readonly route: Route;
  readonly name: string;
}

/** What the explorer stores between runs. */
export interface ExplorerMemory {
  bookmarks(): readonly Bookmark[];
  setBookmarks(bookmarks: readonly Bookmark[]): Promise<void>;
  /** Returns recently visited routes, newest first. */
  recent(): readonly Route[];
  setRecent(places: readonly Route[]): Promise<void>;
  /** Returns the columns chosen by the user, by the route of the endpoint. */
  columns(): Readonly<Record<string, readonly string[]>>;
  setColumns(columns: Readonly<Record<string, readonly string[]>>): Promise<void>;
}

/** The user's configuration of the explorer. */
export interface Customization {
  readonly keys: CustomKeys;
  /** The routes that hotkeys open, by the text of their `open` setting. */
  readonly hotkeyRoutes: ReadonlyMap<string, Route>;
  /** The theme, if one is set, and custom styles. */
  readonly theme: ThemeName | undefined;
  readonly styles: ThemeStyles;
  /** What is invalid in the file, in sentences. */
  readonly problems: readonly string[];
}

/** Opens a text, as a file of this name, in the user's pager or editor, which has the terminal until it exits. */
export type OpenExternally = (to: "pager" | "editor", name: string, text: string) => Promise<ActionResult>;

/** Accepts an API key while the explorer runs. The key itself is passed to nothing else. */
export interface ApiKeyEntry {
  /** Where the key is saved, as a noun phrase; undefined when it cannot be. Reliable after {@link checkStorage}. */
  readonly storage: string | undefined;
  /** Checks whether keys can be saved. */
  readonly checkStorage?: () => Promise<void>;
  /** Returns why a text cannot be a key; undefined when it may be one. */
  readonly validate: (text: string) => string | undefined;
  /**
   * Checks the key with the API, saves it for the profile when requested, and uses it from then on.
   * @throws SolxError when the key is rejected; the previous key stays in use.
   */
  readonly submit: (text: string, save: boolean, signal: AbortSignal) => Promise<ApiKeyAccepted>;
}

/** The result of accepting a key. */
export interface ApiKeyAccepted {
  readonly message: string;
  /** Further notes, such as why it is saved elsewhere. */
  readonly notes: readonly string[];
}

/** The profile, key and plan in use. */
export interface Identity {
  /** The profile in use; undefined for none. */
  readonly profile: string | undefined;
  readonly sandbox: boolean;
  readonly hasKey: boolean;
  /** The plan's title, and its rate limit; undefined when unlimited. */
  readonly plan: string;
  readonly rate: { readonly requests: number; readonly seconds: number } | undefined;
  /** Compute units of the plan per month. */
  readonly units: number;
}

/** The services that the explorer runs with. */
export interface Services {
  /** Returns the client, which is created on first use; rejects with a SolxError when that fails. */
  readonly client: () => Promise<Client>;
  /** Subscribes to client events; returns the function that unsubscribes. Without it, usage and waits are unknown. */
  readonly onEvent?: (listener: (event: ClientEvent) => void) => () => void;
  readonly identity: Identity;
  /** Returns milliseconds since the epoch; in the sandbox, of the simulated clock. */
  readonly now: () => number;
  /** An IANA time zone, or undefined for the system's. */
  readonly timeZone: string | undefined;
  readonly colorScheme: ColorScheme;
  /** The colours that the terminal supports (default: 16). */
  readonly depth?: ColorDepth | undefined;
  /** The theme of this run; it takes precedence over the configured one. */
  readonly theme?: ThemeName | undefined;
  /** Saves a theme for later runs. @throws SolxError */
  readonly saveTheme?: ((name: ThemeName) => Promise<void>) | undefined;
  /** Whether lines and charts may use characters beyond ASCII. */
  readonly unicode: boolean;
  /** Returns a command line for arguments after `solx`, with the profile or `--sandbox` of this run. */
  readonly command: (words: readonly string[]) => string;
  /** Returns the curl command of a prepared request; the key is a variable in it. */
  readonly curl: (url: URL) => string;
  /** Copies a text to the clipboard of the user's terminal. */
  readonly copy: (text: string, what: string) => Promise<ActionResult>;
  /** Opens a page of the public explorer in a browser; the message has the URL when none can be opened. */
  readonly browse: (url: string) => Promise<ActionResult>;
  /** Writes a new file in the working directory and returns its path. @throws SolxError */
  readonly save: (name: string, chunks: AsyncIterable<string>) => Promise<string>;
  readonly openExternally: OpenExternally;
  readonly memory: ExplorerMemory;
  /** The user's configuration, if there is one. */
  readonly customization?: Customization | undefined;
  /** Writes a line to the log file; nothing appears on the screen. */
  readonly log: (text: string) => void;
  /** Path of the log file; undefined when there is none. */
  readonly logPath?: string | undefined;
  /** Subscribes to notes of client and settings, a sentence each; returns the function that unsubscribes. */
  readonly onNote?: (listener: (text: string) => void) => () => void;
  /** Accepts another API key; undefined when none is needed. */
  readonly apiKeyEntry?: ApiKeyEntry | undefined;
  /** Restarts the explorer in the sandbox, where that is possible. */
  readonly switchToSandbox?: () => void;
}
