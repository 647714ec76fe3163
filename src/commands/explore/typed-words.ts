/** Command lines as they are typed or pasted: with or without the name of the program. */
import { splitLine } from "../completion/shell-protocol.ts";

/** A line, split into arguments. */
export interface TypedWords {
  /** Without the name of the program. */
  readonly words: readonly string[];
  /** Whether the line names a program: `solx`, or `curl` with a URL of the API. */
  readonly program: "solx" | "curl" | undefined;
}

/** How solx is started: by its name, with npx, or as a script of Node. */
const PROGRAM = /^(?:solx|\S*[\\/]solx(?:\.(?:js|cmd|exe))?|npx (?:-\S+ )*solx|node \S*solx(?:\.js)?)$/;
const MAX_PROGRAM_WORDS = 4;
const SHELL_PROMPT = /^\s*[$%>]\s+/;

/** Splits a line into words, as a shell does. */
export function typedWords(line: string): TypedWords {
  const { before, current } = splitLine(`solx ${line.replace(SHELL_PROMPT, "")}`);
  const words = current === "" ? before : [...before, current];
  if (words[0] === "curl" || /^https?:\/\//.test(words[0] ?? "")) return { words, program: "curl" };
  for (let count = 1; count <= Math.min(MAX_PROGRAM_WORDS, words.length); count += 1) {
    if (PROGRAM.test(words.slice(0, count).join(" "))) return { words: words.slice(count), program: "solx" };
  }
  return { words, program: undefined };
}
