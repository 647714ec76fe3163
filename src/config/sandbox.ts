/** The built-in profile of the sandbox: the API on this machine, without key and network. */
import { KEY_HEADER, SANDBOX_PORT } from "../catalogue/index.ts";

/** The name of the profile. */
export const SANDBOX_PROFILE = "sandbox";

/** The settings of the sandbox itself: no file, variable or option changes them. */
export const SANDBOX_FIXED = {
  "base-url": `http://127.0.0.1:${SANDBOX_PORT}`,
  "key-header": KEY_HEADER,
} as const;

/** Returns whether a setting of the sandbox profile cannot be changed. */
export function isFixed(name: string): boolean {
  return Object.hasOwn(SANDBOX_FIXED, name);
}
