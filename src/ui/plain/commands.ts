/** What a line that was typed means. */

/** A command of the plain explorer. */
export type Said =
  | { readonly do: "follow"; readonly number: number }
  | { readonly do: "fields"; readonly number: number }
  | { readonly do: "filter" | "search" | "sort" | "ask" | "open"; readonly text: string }
  /** What is no command, and why. */
  | { readonly do: "wrong"; readonly text: string }
  | { readonly do: Word };

/** The commands of one letter, with what they do. */
export const WORDS = {
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
export type Word = keyof typeof WORDS;

const NAMES = Object.keys(WORDS) as readonly Word[];

/** What a line means; words that are no command are looked for. */
export function saidIn(line: string): Said | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  const word = NAMES.find((name) => WORDS[name][0] === text || name === text);
  if (word) return { do: word };
  const [, letter = "", rest = ""] = /^([isF])(?:\s+(.*))?$/s.exec(text) ?? [];
  if (letter === "i" && /^\d{1,4}$/.test(rest)) return { do: "fields", number: Number(rest) };
  if (letter === "i") return { do: "wrong", text: "i needs the number of a row, such as: i 3" };
  if (letter === "s") return { do: "sort", text: rest };
  if (letter === "F") return { do: "ask", text: rest };
  if (/^\d{1,4}$/.test(text)) return { do: "follow", number: Number(text) };
  if (text.startsWith("/")) return { do: "filter", text: text.slice(1).trim() };
  if (/^\d{1,4}([\s,]+\d{1,4})+$/.test(text)) return { do: "wrong", text: "One number at a time; ? for help." };
  if (text === "K") return { do: "wrong", text: "Keys are not entered here: leave with q, then type: solx auth login" };
  const [, one] = /^(\S)(\s|$)/u.exec(text) ?? [];
  if (one !== undefined && one !== ":")
    return { do: "wrong", text: `${one} is not available in plain lines; ? for help.` };
  return text.startsWith(":") ? { do: "search", text: text.slice(1).trim() } : { do: "open", text };
}

/** The help. */
export function helpLines(): readonly string[] {
  return [
    "Type a number to follow what it stands for, or one of these and Enter:",
    "i 3: all fields of row 3",
    "/text: filter the rows of this page, or find lines of what is no list (text, ~regex, !not); / alone takes it away",
    "s column: sort by a column; s alone ends that",
    "F: the filters of this list; F name value sets one, F name takes it away",
    ":text: find a screen, a command, a bookmark",
    "an address, a signature, a slot or a link: open it",
    ...NAMES.map((name) => `${WORDS[name][0]}: ${WORDS[name][1]}`),
  ];
}

/** Milliseconds between two sentences that differ in their numbers alone, such as how far something has come. */
const CALM_MS = 10_000;

/** Tells what is worth saying: not each step of something that goes on. */
export function newsOf(now: () => number): (text: string) => boolean {
  let last = "";
  let saidAt = 0;
  return (text) => {
    const words = text.replace(/[\d.,]+/g, "");
    const isNews = words !== last || now() - saidAt >= CALM_MS;
    if (isNews) [last, saidAt] = [words, now()];
    return isNews;
  };
}
