/** What the explorer gets from outside: it knows nothing of argv, files or processes, so that tests can give another world. */
import type { Client, ClientEvent } from "../../client/index.ts";
import type { Place } from "./place.ts";
import type { Palette } from "./theme.ts";

/** The result of copying, as a sentence of what happened. */
export interface Copied {
  readonly ok: boolean;
  /** `Copied the address (44 characters).`, or why not. */
  readonly message: string;
}

/** A place that the user keeps. */
export interface Bookmark {
  readonly place: Place;
  readonly name: string;
}

/** What the explorer remembers between runs. */
export interface Memory {
  bookmarks(): readonly Bookmark[];
  setBookmarks(bookmarks: readonly Bookmark[]): Promise<void>;
  /** Places that were visited and lines that were typed at the palette, the newest first. */
  recent(): readonly Place[];
  setRecent(places: readonly Place[]): Promise<void>;
  /** Columns that were chosen, by the route of the endpoint. */
  columns(): Readonly<Record<string, readonly string[]>>;
  setColumns(columns: Readonly<Record<string, readonly string[]>>): Promise<void>;
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
  readonly palette: Palette;
  /** Whether lines and charts may use characters beyond ASCII. */
  readonly unicode: boolean;
  /** A command line that works here as it stands, of words after `solx`: with the profile or `--sandbox` of this run. */
  readonly command: (words: readonly string[]) => string;
  /** The curl line for a prepared request; the key is a variable, never itself. */
  readonly curl: (url: URL) => string;
  /** Puts text on the clipboard of the user's terminal. */
  readonly copy: (text: string, what: string) => Promise<Copied>;
  /** Opens an address of the blockchain explorer in a browser, or says it where none can be opened. */
  readonly browse: (url: string) => Promise<Copied>;
  /** Writes a new file into the folder that solx was started in and gives its path. @throws SolxError */
  readonly save: (name: string, chunks: AsyncIterable<string>) => Promise<string>;
  readonly memory: Memory;
  /** A line for the log file; never anything on the screen. */
  readonly log: (text: string) => void;
  /** Hears what the client and the settings have to tell, a sentence at a time. The returned function ends that. */
  readonly onNote?: (listener: (text: string) => void) => () => void;
  /** Begins anew on made-up data, where that is possible. */
  readonly toSandbox?: () => void;
}
