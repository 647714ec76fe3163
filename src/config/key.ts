/** The API key: its sources, its check, and how it is printed. */
import { AuthError, appendHint, type Env } from "../base/index.ts";
import { keyProblem, missingKeyError, PASS_KEY } from "../catalogue/index.ts";

/** A key and its source. */
export interface ApiKey {
  readonly value: string;
  /** `environment SOLX_API_KEY`, `profile work (…)`. */
  readonly source: string;
}

/** The environment variables of the key, in order of precedence. */
export const KEY_VARIABLES = ["SOLX_API_KEY", "SOLSCAN_API_KEY"] as const;

/** Returns the name of the environment variable that has the key; an empty one counts as not set. */
export function findKeyVariable(env: Env): string | undefined {
  return KEY_VARIABLES.find((name) => env[name]?.trim());
}

/** Returns the key of the environment, which precedes a saved one. @throws AuthError when it cannot be a key */
export function environmentKey(env: Env): ApiKey | undefined {
  const variable = findKeyVariable(env);
  if (variable === undefined) return undefined;
  return { value: checkKey(env[variable] ?? "", variable), source: `environment ${variable}` };
}

/**
 * Returns the key without surrounding blanks.
 * @throws AuthError that says why it cannot be a key, without the key itself
 */
export function checkKey(text: string, origin = "The key"): string {
  const key = text.replace(/^\ufeff/, "").trim();
  const reason = keyProblem(key);
  if (reason === undefined) return key;
  throw new AuthError(`${origin} ${reason}.`, {
    code: "BAD_KEY",
    hint: { command: "Copy the key again, without quotes or other text.", ...PASS_KEY },
  });
}

/** Returns what may be printed of a key: its last four characters, and those only of a key of 12 or more. */
export function abbreviateKey(key: string): string {
  return key.length >= 12 ? `****${key.slice(-4)}` : "****";
}

/** Returns the error for a missing key of a profile, with what works without one. */
export function noKeyError(profile: string): AuthError {
  const login = profile === "default" ? "solx auth login" : `solx auth login --profile ${profile}`;
  const error = missingKeyError(login);
  const { message, code } = error;
  const command = "Without a key: --rpc mainnet uses a Solana node, --sandbox simulated data.";
  return new AuthError(message, { code, hint: appendHint(error, { command }) });
}
