/** The environment of the explorer. It knows nothing of argv, files or processes, so that tests can replace all of it. */
import type { JsonObject } from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import type {
  ClientCore,
  ClientEvent,
  DataFacts,
  KnownUsage,
  Source,
  UsageSample,
  ValueProblem,
} from "../../client/index.ts";
import type { ColorDepth, ColorScheme, CustomStyles, LearnedName, OwnNames, Themes } from "../../output/index.ts";
import type { CustomKeys } from "./keys/custom-keys.ts";
import type { ListSettings } from "./list-settings.ts";
import type { Route } from "./route.ts";
import type { RuleWatch } from "./rule-watch.ts";
import type { Bookmark } from "./view.ts";

/** The result of an action, with a sentence for the user. */
export interface ActionResult {
  readonly ok: boolean;
  /** What happened, such as the clipboard program used, or why it failed. */
  readonly message: string;
}

/** What the explorer stores between runs. */
export interface ExplorerMemory {
  bookmarks(): readonly Bookmark[];
  setBookmarks(bookmarks: readonly Bookmark[]): Promise<void>;
  recent(): readonly Route[];
  setRecent(places: readonly Route[]): Promise<void>;
  /** Returns what the user chose for lists, by the route of the endpoint. */
  lists(): Readonly<Record<string, ListSettings>>;
  setLists(lists: Readonly<Record<string, ListSettings>>): Promise<void>;
  /** Returns what the user turned on or off, in any data source. */
  switches(): Readonly<Partial<Record<SwitchName, boolean>>>;
  setSwitch(name: SwitchName, isOn: boolean): Promise<void>;
}

/** What the user turns on or off for later runs too. */
export type SwitchName = "mouse" | "trends";

/** The user's names of addresses. */
export interface AddressBook {
  names(): OwnNames;
  /**
   * Names an address, in place of the names that it has; without a name, removes them. Returns all names.
   * @throws SolxError for a name that is invalid or that of another address
   */
  setName(address: string, name: string | undefined): Promise<OwnNames>;
}

/** Where names are stored between runs. Problems with it are its own. */
export interface StoredNames {
  /** Returns all stored names, the oldest first. */
  read(): readonly LearnedName[];
  write(names: readonly LearnedName[]): void;
}

/** The user's configuration of the explorer. */
export interface Customization {
  readonly keys: CustomKeys;
  /** The routes that hotkeys open, by the text of their `open` setting. */
  readonly hotkeyRoutes: ReadonlyMap<string, Route>;
  /** The theme, if one is set, the themes of files, and custom styles. */
  readonly theme: string | undefined;
  readonly themes?: Themes;
  readonly styles: CustomStyles;
  readonly mouse?: boolean | undefined;
  readonly problems: readonly string[];
}

/** Opens a text, as a file of this name, in the user's pager or editor, which has the terminal until it exits. */
export type OpenExternally = (to: "pager" | "editor", name: string, text: string) => Promise<ActionResult>;

/** How a program ended, in words, and what it printed; nothing where it had the terminal. */
export interface ProgramReport extends ActionResult {
  readonly output: string;
}

/** Runs a program without a shell. It never rejects. @param hasTerminal whether the program has the terminal meanwhile */
export type RunProgram = (words: readonly string[], hasTerminal: boolean) => Promise<ProgramReport>;

/** Accepts an API key while the explorer runs. The key itself is passed to nothing else. */
export interface ApiKeyEntry {
  /** Where the key is saved, as a noun phrase; undefined when it cannot be. Reliable after {@link checkStorage}. */
  readonly storage: string | undefined;
  readonly checkStorage?: () => Promise<void>;
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
  readonly profile: string | undefined;
  readonly isSandbox: boolean;
  /** Whether the sandbox gets new blocks (default: none). */
  readonly isGrowing?: boolean;
  readonly hasKey: boolean;
  readonly plan: string;
  readonly rate: { readonly requests: number; readonly seconds: number } | undefined;
  readonly units: number;
}

/** What a line with a mistyped command may stand for. */
export interface LineCorrection extends ValueProblem {
  readonly lines: readonly string[];
}

/** What a command line opens. */
export interface LineView {
  /** The view; undefined when the line is invalid, or a symbol in it has to be looked up first. */
  readonly route?: Route | undefined;
  readonly problem?: ValueProblem | undefined;
  readonly ignored: readonly string[];
}

/** What may replace the last word of a command line. */
export interface LineCompletions {
  readonly start: string;
  /** The words as they are typed, the last one with a space where it is complete, and their descriptions. */
  readonly candidates: readonly (readonly [text: string, description: string])[];
  /** The parameter whose value the word is. */
  readonly parameter?: { readonly endpoint: Endpoint; readonly name: string } | undefined;
}

/** What answers a question. */
export interface FoundCommands {
  /** Commands that answer it, as typed after `solx`, best first. */
  readonly commands: readonly string[];
  /** Why nothing answers it here. */
  readonly note: string | undefined;
}

/** Command lines of solx, typed or pasted: what `!` prints opens the view that it was printed for. */
export interface CommandLines {
  /** Interprets a line without sending a request; undefined when it is no command line. */
  readonly interpret: (line: string) => Promise<LineView | undefined>;
  /** Returns the lines that one with a mistyped command may stand for; undefined without any. */
  readonly correct: (line: string) => Promise<LineCorrection | undefined>;
  /** Returns what answers a question in words. */
  readonly find: (question: string) => Promise<FoundCommands>;
  /** Returns the route of a line after looking its symbols up. @throws SolxError */
  readonly open: (line: string) => Promise<Route>;
  readonly complete: (line: string) => Promise<LineCompletions>;
}

/** Work that all requests wait for. */
export interface Progress {
  readonly text: string;
  /** How much of it is done, from 0 to 1. */
  readonly share: number;
}

/** What answers the explorer, and what is known before it answers. */
export interface SourceServices {
  readonly client: () => Promise<ClientCore>;
  readonly identity: Identity;
  readonly source: Pick<Source, "supports"> & { readonly facts: DataFacts };
  readonly supports: (endpoint: Endpoint) => boolean;
  /**
   * Decodes and simulates a transaction in base64, or one that the source knows by its signature; undefined where the
   * source cannot.
   * @throws SolxError
   */
  readonly inspect?: ((text: string, signal: AbortSignal) => Promise<JsonObject>) | undefined;
  readonly apiKeyEntry?: ApiKeyEntry | undefined;
  readonly switchToSandbox?: () => void;
}

/** What happens beside the answers. */
export interface EventServices {
  /** Subscribes to client events; returns the function that unsubscribes. Without it, usage and waits are unknown. */
  readonly onEvent?: (listener: (event: ClientEvent) => void) => () => void;
  /** Subscribes to notes of client and settings, a sentence each; returns the function that unsubscribes. */
  readonly onNote?: (listener: (text: string) => void) => () => void;
  /** Returns the work that requests wait for now, such as creating the sandbox's ledger; the same object until it changes. */
  readonly progress?: () => Progress | undefined;
  readonly onProgress?: (listener: () => void) => () => void;
  /** Reads what is stored of the usage of the key; undefined where none is charged. */
  readonly storedUsage?: (() => Promise<StoredUsage>) | undefined;
}

/** What is stored of the usage of a key, with the samples of the last month. */
export interface StoredUsage extends KnownUsage {
  readonly history: readonly UsageSample[];
}

/** How values and lines are displayed in this terminal. */
export interface DisplayServices {
  /** Returns milliseconds since the epoch; in the sandbox, of the simulated clock. */
  readonly now: () => number;
  /** An IANA time zone, or undefined for the system's. */
  readonly timeZone: string | undefined;
  readonly unicode: boolean;
  readonly colorScheme: ColorScheme;
  readonly depth?: ColorDepth | undefined;
  readonly theme?: string | undefined;
  /** Saves a theme for later runs. @throws SolxError */
  readonly saveTheme?: ((name: string) => Promise<void>) | undefined;
}

/** Commands that show the same outside of the explorer. */
export interface ShellServices {
  /** Returns a command line for arguments after `solx`, with the profile or `--sandbox` of this run. */
  readonly command: (words: readonly string[]) => string;
  readonly lines?: CommandLines | undefined;
  /** Returns the curl command of a prepared request; the key is a variable in it. */
  readonly curl: (url: URL) => string;
}

/** The clipboard, the browser, files and programs of the user. */
export interface DesktopServices {
  readonly copy: (text: string, what: string) => Promise<ActionResult>;
  /** Opens a page of the public explorer in a browser; the message has the URL when none can be opened. */
  readonly browse: (url: string) => Promise<ActionResult>;
  /** Writes a new file in the working directory and returns its path. @throws SolxError */
  readonly save: (name: string, chunks: AsyncIterable<string>) => Promise<string>;
  readonly openExternally: OpenExternally;
  /** Runs what users have set keys for (default: nothing can be run). */
  readonly runProgram?: RunProgram | undefined;
}

/** What belongs to the user, most of it kept between runs. */
export interface UserServices {
  readonly memory: ExplorerMemory;
  readonly addressBook?: AddressBook | undefined;
  /** The names that answers of earlier runs contained; undefined where none are stored. */
  readonly names?: StoredNames | undefined;
  readonly customization?: Customization | undefined;
  /** Opens the rules of the user; undefined where there is no folder for them. */
  readonly rules?: (() => Promise<RuleWatch>) | undefined;
}

/** The log file. */
export interface LogServices {
  readonly log: (text: string) => void;
  /** Path of the log file; undefined when there is none. */
  readonly logPath?: string | undefined;
}

/** The services that the explorer runs with, by responsibility. */
export interface Services
  extends SourceServices,
    EventServices,
    DisplayServices,
    ShellServices,
    DesktopServices,
    UserServices,
    LogServices {}
