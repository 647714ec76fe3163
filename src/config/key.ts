/** The API key: where it may come from, what it may look like, and how it is shown. */

import { keyProblem } from "../base/api-key.ts";
import { AuthError } from "../base/errors.ts";
import type { Env } from "./paths.ts";

/** A key and where it came from. */
export interface ApiKey {
  readonly value: string;
  /** `flag --api-key`, `environment SOLX_API_KEY`, `profile work (…)`. */
  readonly source: string;
}

/** The environment variables that may hold the key, the first one first. */
export const KEY_VARIABLES = ["SOLX_API_KEY", "SOLSCAN_API_KEY"] as const;

/** The environment variable that gives the key; an empty one counts as not set. */
export function findKeyVariable(env: Env): string | undefined {
  return KEY_VARIABLES.find((name) => env[name]?.trim());
}

/**
 * The key that the command line or the environment gives, before any stored one.
 * @throws AuthError when it cannot be a key.
 */
export function overridingKey(flag: string | undefined, env: Env): ApiKey | undefined {
  if (flag !== undefined) return { value: checkKey(flag, "--api-key"), source: "flag --api-key" };
  const variable = findKeyVariable(env);
  if (variable === undefined) return undefined;
  return { value: checkKey(env[variable] ?? "", variable), source: `environment ${variable}` };
}

/**
 * The key without surrounding blanks.
 * @throws AuthError that says why it cannot be a key; the key itself is never shown.
 */
export function checkKey(text: string, origin = "The key"): string {
  const key = text.replace(/^\ufeff/, "").trim();
  const reason = keyProblem(key);
  if (reason === undefined) return key;
  throw new AuthError(`${origin} ${reason}.`, {
    code: "BAD_KEY",
    hint: "Copy the key once more, alone and without quotes.",
  });
}

/** A key as it may be shown: the last four characters, and those only of a key of 12 or more. */
export function maskKey(key: string): string {
  return key.length >= 12 ? `****${key.slice(-4)}` : "****";
}

/** What to tell someone who has no key. */
export function noKeyError(profile: string): AuthError {
  const login = profile === "default" ? "solx auth login" : `solx auth login --profile ${profile}`;
  return new AuthError("There is no API key.", {
    code: "NO_KEY",
    hint: [
      `Type it in once and keep it:   ${login}`,
      "Give it in the environment:    export SOLX_API_KEY=…",
      `Read it from another program:  <program> | ${login}`,
    ].join("\n"),
  });
}
