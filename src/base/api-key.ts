/** The syntax of API keys: a key travels in a request header. */

const MAX_LENGTH = 4096;

/** Returns why a text cannot be a key, as the end of a sentence without the key itself; undefined when it can. */
export function keyProblem(key: string): string | undefined {
  if (key === "") return "is empty";
  if (key.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\r\n]/.test(key)) return "contains a line break";
  if (/\s/.test(key)) return "contains white space";
  if (/["'`]/.test(key)) return "contains quotes";
  const invalid = [...key].find((character) => !/^[!-~]$/.test(character));
  if (invalid === undefined) return undefined;
  const code = (invalid.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `contains a character that is not plain ASCII (U+${code})`;
}
