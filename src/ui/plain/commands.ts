/** Commands of the plain explorer. */

/** A command of the plain explorer. */
export type PlainCommand =
  | { readonly type: "follow"; readonly number: number }
  | { readonly type: "fields"; readonly number: number }
  | { readonly type: "filter" | "search" | "sort" | "ask" | "open"; readonly text: string }
  /** An invalid command, with the reason. */
  | { readonly type: "wrong"; readonly text: string }
  | { readonly type: LetterCommand };

/** Single-letter commands and their descriptions. */
const LETTER_COMMANDS = {
  next: ["n", "next page"],
  previous: ["p", "previous page"],
  more: ["m", "print more lines of a long answer"],
  again: ["r", "refresh"],
  back: ["b", "go back"],
  forward: ["f", "go forward"],
  home: ["H", "open the start page"],
  bookmarks: ["B", "open bookmarks and recent pages"],
  network: ["W", "open statistics of the network"],
  usage: ["U", "open usage of the API key"],
  bookmark: ["+", "add or remove a bookmark of this page"],
  json: ["j", "print the answer as JSON"],
  command: ["!", "print the solx command of this page"],
  help: ["?", "print this help"],
  quit: ["q", "quit"],
} as const satisfies Readonly<Record<string, readonly [letter: string, about: string]>>;

/** A command without an argument. */
export type LetterCommand = keyof typeof LETTER_COMMANDS;

const COMMAND_NAMES = Object.keys(LETTER_COMMANDS) as readonly LetterCommand[];

/** Parses a line; undefined when it is empty. Text that is not a command is searched for. */
export function parseCommand(line: string): PlainCommand | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  const word = COMMAND_NAMES.find((name) => LETTER_COMMANDS[name][0] === text || name === text);
  if (word) return { type: word };
  const [, letter = "", rest = ""] = /^([isF])(?:\s+(.*))?$/s.exec(text) ?? [];
  if (letter === "i" && /^\d{1,4}$/.test(rest)) return { type: "fields", number: Number(rest) };
  if (letter === "i") return { type: "wrong", text: "i requires a row number, for example: i 3" };
  if (letter === "s") return { type: "sort", text: rest };
  if (letter === "F") return { type: "ask", text: rest };
  if (/^\d{1,4}$/.test(text)) return { type: "follow", number: Number(text) };
  if (text.startsWith("/")) return { type: "filter", text: text.slice(1).trim() };
  if (/^\d{1,4}([\s,]+\d{1,4})+$/.test(text))
    return { type: "wrong", text: "Enter one number at a time. Type ? for help." };
  if (text === "K")
    return { type: "wrong", text: "API keys cannot be entered here. Quit with q, then run: solx auth login" };
  const [, one] = /^(\S)(\s|$)/u.exec(text) ?? [];
  if (one !== undefined && one !== ":")
    return { type: "wrong", text: `${one} is not available in plain mode. Type ? for help.` };
  return text.startsWith(":") ? { type: "search", text: text.slice(1).trim() } : { type: "open", text };
}

/** Returns the help. */
export function plainHelp(): readonly string[] {
  return [
    "Type the number of a link, or a command, and Enter:",
    "i 3: print all fields of row 3",
    "/text: filter the rows of this page, or find lines (text, ~regex, !not); / alone removes the filter",
    "s column: sort by a column; s alone restores the order",
    "F: list the filters of this list; F name value sets one, F name removes it",
    ":text: search pages, commands and bookmarks",
    "address, signature, slot or link: open it",
    ...COMMAND_NAMES.map((name) => `${LETTER_COMMANDS[name][0]}: ${LETTER_COMMANDS[name][1]}`),
  ];
}

/** Milliseconds between two notes that differ only in their numbers, such as progress. */
const REPEAT_MS = 10_000;

/** Creates a filter that passes notes, but not every step of a progress. */
export function createNoteFilter(now: () => number): (text: string) => boolean {
  let last = "";
  let reportedAt = 0;
  return (text) => {
    const words = text.replace(/[\d.,]+/g, "");
    const isNews = words !== last || now() - reportedAt >= REPEAT_MS;
    if (isNews) [last, reportedAt] = [words, now()];
    return isNews;
  };
}
