/** What an API key may look like: it travels in a header. */

/** Characters; longer texts are not keys. */
const MAX_LENGTH = 4096;

/** Why a text cannot be a key, as the end of a sentence; undefined when it can be one. The key is not in it. */
export function keyProblem(key: string): string | undefined {
  if (key === "") return "is empty";
  if (key.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\r\n]/.test(key)) return "has a line break in it";
  if (/\s/.test(key)) return "has white space in it";
  if (/["'`]/.test(key)) return "has quotes in it";
  const strange = [...key].find((character) => !/^[!-~]$/.test(character));
  if (strange === undefined) return undefined;
  const code = (strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `has a character in it that is not plain ASCII (U+${code})`;
}
