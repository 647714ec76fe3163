/** The API key: its syntax, when it may be sent, and how it is masked in everything that is displayed. */

import { AuthError, UsageError } from "../../../base/index.ts";
import { type Family, KEY_MASK, keyProblem, missingKeyError, PASS_KEY } from "../../../catalogue/index.ts";
import { isLoopback } from "../../../client/index.ts";

export { KEY_MASK as MASK };

/** Shorter keys are not masked in texts, because they would match innocent words. */
const MIN_MASKED_LENGTH = 6;

/** Checks that a key can be sent in a header. @throws AuthError with the reason, without the key */
function checkKey(key: string): void {
  const reason = keyProblem(key);
  if (reason === undefined) return;
  throw new AuthError(`The API key ${reason}.`, {
    code: "BAD_KEY",
    hint: { command: "Copy it again from your account, without surrounding text: solx auth login", ...PASS_KEY },
  });
}

/**
 * Returns the header that carries the key to a URL; none where there is no key and none is required.
 * @throws AuthError without a key, unless the host is this machine or the family is public; UsageError when the key
 * would be sent unencrypted
 */
export function authHeaders(
  url: URL,
  family: Family,
  { key, keyHeader }: { readonly key: string | undefined; readonly keyHeader: string },
): Readonly<Record<string, string>> {
  const isLocal = isLoopback(url.hostname);
  if (key === undefined) {
    if (isLocal || family === "public") return {};
    throw missingKeyError();
  }
  checkKey(key);
  if (url.protocol !== "https:" && !isLocal) {
    throw new UsageError(
      `The API key is not sent to ${url.host} over plain HTTP, where anyone on the network could read it.`,
      {
        code: "INSECURE",
        hint: `Use https://${url.host} as the base URL.`,
      },
    );
  }
  return { [keyHeader]: key };
}

/** Matches texts with escaped characters. */
const ESCAPED = /[%\\]|&(?:#|[A-Za-z]+;)/;

/**
 * Masks the key in a text from a server or a library, in every form in which it may be repeated. Most texts contain it
 * literally at most: compiling the pattern of all forms takes longer than a request.
 */
export function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < MIN_MASKED_LENGTH) return text;
  return ESCAPED.test(text) ? text.replace(buildPattern(key), KEY_MASK) : text.replaceAll(key, KEY_MASK);
}

/** Masks the key in headers. There a short key is masked, too, where it is a word of its value. */
export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  key: string | undefined,
): Readonly<Record<string, string>> {
  if (key === undefined || key === "") return headers;
  const isShort = key.length < MIN_MASKED_LENGTH;
  const word = isShort ? new RegExp(`(?<![A-Za-z0-9])(?:${patternSource(key)})(?![A-Za-z0-9])`, "g") : undefined;
  const hide = (value: string) => (word ? value.replace(word, KEY_MASK) : maskKey(value, key));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
}

/**
 * Masks what must not be displayed wherever a server or a library repeated it: in messages, stacks, other properties
 * and causes.
 */
export function maskError(error: unknown, mask: (text: string) => string): void {
  for (let at = error; at instanceof Error; at = at.cause) {
    for (const name of new Set(["message", "stack", ...Object.keys(at)])) {
      const text: unknown = Reflect.get(at, name);
      const hidden = typeof text === "string" ? mask(text) : text;
      if (hidden !== text) Object.defineProperty(at, name, { value: hidden, configurable: true, writable: true });
    }
  }
}

/** Patterns by key. A process has few keys; the oldest pattern goes when there are too many. */
const patterns = new Map<string, RegExp>();
const MAX_PATTERNS = 16;

function buildPattern(key: string): RegExp {
  const known = patterns.get(key);
  if (known) return known;
  const pattern = new RegExp(patternSource(key), "g");
  if (patterns.size >= MAX_PATTERNS) patterns.delete(patterns.keys().next().value as string);
  patterns.set(key, pattern);
  return pattern;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  "/": "sol",
  "=": "equals",
  "+": "plus",
};

/**
 * Returns a pattern in which each character may be literal, URL-encoded (also repeatedly), JSON-escaped or
 * HTML-escaped.
 */
function patternSource(key: string): string {
  return [...key].map(encodedForms).join("");
}

function encodedForms(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = /\w/.test(character) ? character : `\\${character}`;
  const entity = ENTITIES[character];
  return [
    "(?:",
    [
      plain,
      `%(?:25){0,3}${hex}`,
      `\\\\{1,4}u00${hex}`,
      // Letters and digits after a backslash are other characters.
      ...(/\w/.test(character) ? [] : [`\\\\{1,4}\\${character}`]),
      `&(?:amp;){0,3}#0{0,4}${code};`,
      `&(?:amp;){0,3}#[xX]0{0,4}${hex};`,
      ...(entity === undefined ? [] : [`&(?:amp;){0,3}${entity};`]),
    ].join("|"),
    ")",
  ].join("");
}
