/** What the explorer gets from outside: it knows nothing of argv, files or processes, so that tests can give another world. */
import type { Client, ClientEvent } from "../../client/index.ts";
import type { CustomKeys } from "./keys/custom-keys.ts";
import type { Route } from "./route.ts";
import type { ColorDepth } from "./theme/style.ts";
import type { ColorScheme } from "./theme/theme.ts";
import type { ThemeName, ThemeStyles } from "./theme/themes.ts";

/** The result of copying, as a sentence of what happened. */
export interface ActionResult {
  readonly ok: boolean;
  /** `Copied the address: 44 characters, by xclip.`, or why not. */
  readonly message: string;
}

/** A place that the user keeps. */
export interface Bookmark {
  readonly route: Route;
  readonly name: string;
}

/** What the explorer remembers between runs. */
export interface ExplorerMemory {
  bookmarks(): readonly Bookmark[];
  setBookmarks(bookmarks: readonly Bookmark[]): Promise<void>;
  /** Places that were visited and lines that were typed at the palette, the newest first. */
  recent(): readonly Route[];
  setRecent(places: readonly Route[]): Promise<void>;
  /** Columns that were chosen, by the route of the endpoint. */
  columns(): Readonly<Record<string, readonly string[]>>;
  setColumns(columns: Readonly<Record<string, readonly string[]>>): Promise<void>;
}

/** What users chose in their own file. */
export interface Customization {
  readonly keys: CustomKeys;
  /** The places that hotkeys open, by the words that name them. */
  readonly hotkeyRoutes: ReadonlyMap<string, Route>;
  /** The theme, where one is chosen, and own looks. */
  readonly theme: ThemeName | undefined;
  readonly styles: ThemeStyles;
  /** What of the file cannot be obeyed, in sentences. */
  readonly problems: readonly string[];
}

/**
 * Hands a text, as a file of this name, to the user's pager or editor, which has the terminal until it ends. Says in a
 * sentence where that failed.
 */
export type OpenExternally = (to: "pager" | "editor", name: string, text: string) => Promise<ActionResult>;

/** Takes up an API key while the explorer runs. The key itself is told to nobody else. */
export interface ApiKeyEntry {
  /** Where a key that is kept is kept, in words; undefined where it cannot be. It is certain after {@link checkStorage}. */
  readonly storage: string | undefined;
  /** Finds out whether keys can be kept where they are to be. */
  readonly checkStorage?: () => Promise<void>;
  /** Why a text cannot be a key, as a sentence; undefined where it may be one. */
  readonly validate: (text: string) => string | undefined;
  /**
   * Asks the API about the key, keeps it for the profile where that is wanted, and uses it from then on. Gives a
   * short sentence of where it is, and what else is to be known.
   * @throws SolxError that says why not; then the key of before stays in use.
   */
  readonly submit: (text: string, keep: boolean, signal: AbortSignal) => Promise<ApiKeyAccepted>;
}

/** What is said of a key that is in use now. */
export interface ApiKeyAccepted {
  readonly message: string;
  /** Sentences beside it, such as why it is kept elsewhere. */
  readonly notes: readonly string[];
}

/** Who asks whom. */
export interface Identity {
  /** The profile in use; undefined for none. */
  readonly profile: string | undefined;
  readonly sandbox: boolean;
  readonly hasKey: boolean;
  /** The plan's title, and the requests that it allows in so many seconds; undefined for any number. */
  readonly plan: string;
  readonly rate: { readonly requests: number; readonly seconds: number } | undefined;
  /** Compute units of the plan in a month. */
  readonly units: number;
}

/** The world of the explorer. */
export interface Services {
  /** The client, made when it is first asked for; rejects with a SolxError where there can be none. */
  readonly client: () => Promise<Client>;
  /** Hears what the client does; the function given back ends it. Without it, what is spent and waited for is not known. */
  readonly onEvent?: (listener: (event: ClientEvent) => void) => () => void;
  readonly identity: Identity;
  /** Milliseconds since the epoch; in the sandbox its own time. */
  readonly now: () => number;
  /** An IANA time zone, or undefined for the system's. */
  readonly timeZone: string | undefined;
  readonly colorScheme: ColorScheme;
  /** The colours that the terminal has (default: sixteen). */
  readonly depth?: ColorDepth | undefined;
  /** The theme of this run, which goes before the user's usual one. */
  readonly theme?: ThemeName | undefined;
  /** Keeps a theme for the next time. @throws SolxError */
  readonly saveTheme?: ((name: ThemeName) => Promise<void>) | undefined;
  /** Whether lines and charts may use characters beyond ASCII. */
  readonly unicode: boolean;
  /** A command line that works here as it stands, of words after `solx`: with the profile or `--sandbox` of this run. */
  readonly command: (words: readonly string[]) => string;
  /** The curl line for a prepared request; the key is a variable, never itself. */
  readonly curl: (url: URL) => string;
  /** Puts text on the clipboard of the user's terminal. */
  readonly copy: (text: string, what: string) => Promise<ActionResult>;
  /** Opens an address of the blockchain explorer in a browser, or says it where none can be opened. */
  readonly browse: (url: string) => Promise<ActionResult>;
  /** Writes a new file into the folder that solx was started in and gives its path. @throws SolxError */
  readonly save: (name: string, chunks: AsyncIterable<string>) => Promise<string>;
  readonly openExternally: OpenExternally;
  readonly memory: ExplorerMemory;
  /** What the user chose, where there is something. */
  readonly customization?: Customization | undefined;
  /** A line for the log file; never anything on the screen. */
  readonly log: (text: string) => void;
  /** Where the log file is; undefined where there is none. */
  readonly logPath?: string | undefined;
  /** Hears what the client and the settings have to tell, a sentence at a time. The returned function ends that. */
  readonly onNote?: (listener: (text: string) => void) => () => void;
  /** Takes up another key; undefined where no key is needed. */
  readonly apiKeyEntry?: ApiKeyEntry | undefined;
  /** Begins anew on made-up data, where that is possible. */
  readonly switchToSandbox?: () => void;
}
