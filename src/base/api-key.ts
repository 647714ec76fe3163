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

/** Replaces a key wherever it would be displayed. */
export const KEY_MASK = "***";
/** Characters of a part of a key that is masked; shorter keys are not masked, because they match innocent words. */
const MIN_MASKED = { part: 12, key: 6 } as const;

/**
 * Masks a key in a message: what was typed may be the key, and a server may repeat it in upper case, in Base64 or in
 * part.
 */
export function maskSecret(text: string, key: string): string {
  return key.length < MIN_MASKED.key ? text : [key, ...base64Forms(key)].reduce(maskParts, text);
}

/** Returns the characters of Base64 text that depend on the key alone, for each position of it in three bytes. */
function base64Forms(key: string): readonly string[] {
  const bytes = Buffer.byteLength(key);
  return [0, 1, 2].flatMap((offset) => {
    const standard = Buffer.from("\0".repeat(offset) + key).toString("base64");
    const form = standard.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes) * 4) / 3));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Masks a secret and its long parts, in upper and lower case. */
function maskParts(text: string, secret: string): string {
  const length = Math.min(MIN_MASKED.part, secret.length);
  // In lower case, some characters become several.
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const lowerSecret = secret.toLowerCase();
  const covered = new Set<number>();
  for (let from = 0; from + length <= lowerSecret.length; from += 1) {
    const part = lowerSecret.slice(from, from + length);
    for (let at = lower.indexOf(part); at >= 0; at = lower.indexOf(part, at + 1)) {
      for (let index = at; index < at + length; index += 1) covered.add(index);
    }
  }
  if (covered.size === 0) return text;
  return Array.from({ length: text.length }, (_, at) =>
    covered.has(at) ? (covered.has(at - 1) ? "" : KEY_MASK) : text[at],
  ).join("");
}
