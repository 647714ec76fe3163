/** The API key: what it may look like, when it may be sent, and how it is kept out of everything that is shown. */

import { AuthError, keyProblem, UsageError } from "../../base/index.ts";
import type { Family } from "../../catalogue/index.ts";
import { isLoopback } from "../request/url.ts";

/** What stands for the key wherever it would be shown. */
export const MASK = "***";

/** Keys shorter than this are not looked for in texts: they would be found in innocent words. */
const MIN_MASKED_LENGTH = 6;

/**
 * Checks that a key can travel in a header.
 * @throws AuthError that says what is wrong with it, without showing it
 */
export function checkKey(key: string): void {
  const reason = keyProblem(key);
  if (reason === undefined) return;
  throw new AuthError(`The API key ${reason}.`, {
    code: "BAD_KEY",
    hint: "Copy it again from your account, without anything around it: solx auth login",
  });
}

/**
 * The header that carries the key to an address; none where there is no key and none is needed.
 * @throws AuthError without a key, unless the host is this machine or the family is public; UsageError when the key
 * would travel unencrypted
 */
export function authHeaders(
  url: URL,
  family: Family,
  { key, keyHeader }: { readonly key: string | undefined; readonly keyHeader: string },
): Readonly<Record<string, string>> {
  const isLocal = isLoopback(url.hostname);
  if (key === undefined) {
    if (isLocal || family === "public") return {};
    throw new AuthError("No API key is set.", {
      code: "NO_KEY",
      hint: [
        "Set one in one of three ways:",
        "  solx auth login              stores it",
        "  export SOLX_API_KEY=<key>    for this shell",
        "  --api-key <key>              for one command; other users of the machine can see it",
      ].join("\n"),
    });
  }
  checkKey(key);
  if (url.protocol !== "https:" && !isLocal) {
    throw new UsageError(`The key is not sent to ${url.host} over plain HTTP: anyone on the way could read it.`, {
      code: "INSECURE",
      hint: `Use https://${url.host} as the base URL.`,
    });
  }
  return { [keyHeader]: key };
}

/** What a text has in it where a character is written in another form than its own. */
const ESCAPED = /[%\\]|&(?:#|[A-Za-z]+;)/;

/**
 * Hides the key in a text that came from a server or a library, in every form in which texts repeat it. Most texts can
 * have it only as it is: the pattern of all forms takes longer to compile than a request to answer.
 */
export function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < MIN_MASKED_LENGTH) return text;
  return ESCAPED.test(text) ? text.replace(patternOf(key), MASK) : text.replaceAll(key, MASK);
}

/** Hides the key in headers; there a short one too, where it stands as a word of its own. */
export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  key: string | undefined,
): Readonly<Record<string, string>> {
  if (key === undefined || key === "") return headers;
  const isShort = key.length < MIN_MASKED_LENGTH;
  const word = isShort ? new RegExp(`(?<![A-Za-z0-9])(?:${patternSource(key)})(?![A-Za-z0-9])`, "g") : undefined;
  const hide = (value: string) => (word ? value.replace(word, MASK) : maskKey(value, key));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
}

let cachedPattern: { readonly key: string; readonly pattern: RegExp } | undefined;

/** The pattern of a key; a process has one key, so the last is kept. */
function patternOf(key: string): RegExp {
  if (cachedPattern?.key !== key) cachedPattern = { key, pattern: new RegExp(patternSource(key), "g") };
  return cachedPattern.pattern;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  "/": "sol",
  "=": "equals",
  "+": "plus",
};

/** A key with each of its characters as it is, URL-encoded (also twice), JSON-escaped or HTML-escaped. */
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
      // Words and digits after a backslash are other characters.
      ...(/\w/.test(character) ? [] : [`\\\\{1,4}\\${character}`]),
      `&(?:amp;){0,3}#0{0,4}${code};`,
      `&(?:amp;){0,3}#[xX]0{0,4}${hex};`,
      ...(entity === undefined ? [] : [`&(?:amp;){0,3}${entity};`]),
    ].join("|"),
    ")",
  ].join("");
}
