/** What a line that was typed means. */

/** A command of the plain explorer. */
export type PlainCommand =
  | { readonly type: "follow"; readonly number: number }
  | { readonly type: "fields"; readonly number: number }
  | { readonly type: "filter" | "search" | "sort" | "ask" | "open"; readonly text: string }
  /** What is no command, and why. */
  | { readonly type: "wrong"; readonly text: string }
  | { readonly type: LetterCommand };

/** The commands of one letter, with what they do. */
export const LETTER_COMMANDS = {
  next: ["n", "the next page"],
  previous: ["p", "the page before"],
  more: ["m", "more lines of a long answer"],
  again: ["r", "ask again"],
  back: ["b", "back to where you were"],
  forward: ["f", "forward again"],
  home: ["H", "the start page"],
  bookmarks: ["B", "bookmarks, and where you were"],
  usage: ["U", "usage of the key"],
  keep: ["+", "bookmark this place, or take the bookmark away"],
  json: ["j", "the answer as JSON"],
  command: ["!", "the solx command of this place"],
  help: ["?", "this help"],
  quit: ["q", "quit"],
} as const satisfies Readonly<Record<string, readonly [letter: string, about: string]>>;

/** A command without anything beside it. */
export type LetterCommand = keyof typeof LETTER_COMMANDS;

const COMMAND_NAMES = Object.keys(LETTER_COMMANDS) as readonly LetterCommand[];

/** What a line means; words that are no command are looked for. */
export function parseCommand(line: string): PlainCommand | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  const word = COMMAND_NAMES.find((name) => LETTER_COMMANDS[name][0] === text || name === text);
  if (word) return { type: word };
  const [, letter = "", rest = ""] = /^([isF])(?:\s+(.*))?$/s.exec(text) ?? [];
  if (letter === "i" && /^\d{1,4}$/.test(rest)) return { type: "fields", number: Number(rest) };
  if (letter === "i") return { type: "wrong", text: "i needs the number of a row, such as: i 3" };
  if (letter === "s") return { type: "sort", text: rest };
  if (letter === "F") return { type: "ask", text: rest };
  if (/^\d{1,4}$/.test(text)) return { type: "follow", number: Number(text) };
  if (text.startsWith("/")) return { type: "filter", text: text.slice(1).trim() };
  if (/^\d{1,4}([\s,]+\d{1,4})+$/.test(text)) return { type: "wrong", text: "One number at a time; ? for help." };
  if (text === "K")
    return { type: "wrong", text: "Keys are not entered here: leave with q, then type: solx auth login" };
  const [, one] = /^(\S)(\s|$)/u.exec(text) ?? [];
  if (one !== undefined && one !== ":")
    return { type: "wrong", text: `${one} is not available in plain lines; ? for help.` };
  return text.startsWith(":") ? { type: "search", text: text.slice(1).trim() } : { type: "open", text };
}

/** The help. */
export function plainHelp(): readonly string[] {
  return [
    "Type a number to follow what it stands for, or one of these and Enter:",
    "i 3: all fields of row 3",
    "/text: filter the rows of this page, or find lines of what is no list (text, ~regex, !not); / alone takes it away",
    "s column: sort by a column; s alone ends that",
    "F: the filters of this list; F name value sets one, F name takes it away",
    ":text: find a screen, a command, a bookmark",
    "an address, a signature, a slot or a link: open it",
    ...COMMAND_NAMES.map((name) => `${LETTER_COMMANDS[name][0]}: ${LETTER_COMMANDS[name][1]}`),
  ];
}

/** Milliseconds between two sentences that differ in their numbers alone, such as how far something has come. */
const REPEAT_MS = 10_000;

/** Tells what is worth saying: not each step of something that goes on. */
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
