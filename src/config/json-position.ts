/** The position of a JSON syntax error. The messages of JSON.parse quote the text, which may contain a key. */

const TOKEN =
  /[ \t\n\r]*(?:([[\]{}:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

const BLANK = /[ \t\n\r]*/y;

/** The next expected token: any value, a key, the colon after a key, or what follows a value. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "after";

/** Returns the offset of the first token that is not JSON; undefined when the whole text is JSON. */
export function findJsonError(text: string): number | undefined {
  const brackets: string[] = [];
  let expected: Expected = "value";
  let offset = 0;
  for (;;) {
    BLANK.lastIndex = offset;
    BLANK.exec(text);
    const start = BLANK.lastIndex;
    if (start === text.length && expected === "after" && brackets.length === 0) return undefined;
    TOKEN.lastIndex = offset;
    const match = TOKEN.exec(text);
    if (!match) return start;
    const next = nextExpected(expected, match[1] ?? (match[2] === undefined ? "scalar" : "string"), brackets);
    if (next === undefined) return start;
    expected = next;
    offset = TOKEN.lastIndex;
  }
}

/** Returns what is expected after a token; undefined when the token itself was not expected. */
function nextExpected(expected: Expected, token: string, brackets: string[]): Expected | undefined {
  switch (expected) {
    case "colon":
      return token === ":" ? "value" : undefined;
    case "after":
      return afterValue(token, brackets);
    case "key":
    case "first key":
      if (token === "string") return "colon";
      return expected === "first key" && token === "}" ? closeBracket(brackets) : undefined;
    case "value":
    case "first value":
      if (token === "]" && expected === "first value") return closeBracket(brackets);
      if (token === "{" || token === "[") {
        brackets.push(token);
        return token === "{" ? "first key" : "first value";
      }
      return token === "string" || token === "scalar" ? "after" : undefined;
  }
}

function afterValue(token: string, brackets: string[]): Expected | undefined {
  const inside = brackets.at(-1);
  if (token === "," && inside) return inside === "{" ? "key" : "value";
  return (token === "}" && inside === "{") || (token === "]" && inside === "[") ? closeBracket(brackets) : undefined;
}

function closeBracket(brackets: string[]): Expected {
  brackets.pop();
  return "after";
}

/** Returns the line and column of an offset, counted from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
