/** The saved keys: `credentials.json` holds each profile's key, or says that the system keychain has it. */
import { chmodSync } from "node:fs";
import { AuthError, type SolxError, UsageError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { readJsonFile } from "./file.ts";
import { checkKey, type Key } from "./key.ts";
import type { KeychainOptions } from "./keychain.ts";
import { credentialsFileOf, type Paths } from "./paths.ts";
import { updateJsonFile } from "./write.ts";

/** The places of keys. */
export type KeyStore = "file" | "keychain";

/** Whose key it is, and where keys are. */
export interface Owner {
  readonly profile: string;
  readonly paths: Paths;
  readonly keychain: KeychainOptions;
}

/** What `credentials.json` says of a profile; the keychain has not been asked. */
export interface Saved {
  readonly store: KeyStore;
  /** The place in words: the file's path, or `system keychain`. */
  readonly place: string;
  /** The key, when it is in the file. */
  readonly key: string | undefined;
}

/** What was done, with anything that the user should know of it. */
export interface Done {
  readonly place: string | undefined;
  readonly notes: readonly string[];
}

const KEYCHAIN = "system keychain";
const MARK: JsonObject = { store: "keychain" };

/**
 * What is saved for the profile. A file that others may read is closed to them, which the notes tell.
 * @throws UsageError when the file cannot be read.
 */
export function readSaved({ profile, paths }: Owner): { readonly saved: Saved | undefined; readonly notes: string[] } {
  const path = credentialsFileOf(paths);
  if (path === undefined) return { saved: undefined, notes: [] };
  const { data, mode = 0, problem } = readJsonFile(path);
  const notes = mode & 0o077 && process.platform !== "win32" ? [tighten(path, mode)] : [];
  if (problem) throw problem;
  const entry = Object.hasOwn(data, profile) ? data[profile] : undefined;
  if (typeof entry === "string") return { saved: { store: "file", place: path, key: entry }, notes };
  if (entry === undefined) return { saved: undefined, notes };
  if (isObject(entry) && entry.store === MARK.store) {
    return { saved: { store: "keychain", place: KEYCHAIN, key: undefined }, notes };
  }
  throw new UsageError(`The entry of profile ${profile} in ${path} is not a key.`, {
    code: "CONFIG",
    hint: "It was kept as it is. Set SOLX_API_KEY, or delete the entry and save the key with: solx auth login",
  });
}

function tighten(path: string, mode: number): string {
  const found = `Other users could read the keys in ${path} (mode ${mode.toString(8).padStart(4, "0")})`;
  try {
    chmodSync(path, 0o600);
    return `${found}; now only you can.`;
  } catch (error) {
    return `${found}, and that could not be changed (${(error as NodeJS.ErrnoException).code}).`;
  }
}

/**
 * The saved key of the profile; the keychain is asked only when the key was put there.
 * @throws AuthError when the keychain does not give it.
 */
export async function savedKey(owner: Owner, signal?: AbortSignal): Promise<(Key & { notes: string[] }) | undefined> {
  const { saved, notes } = readSaved(owner);
  if (saved === undefined) return undefined;
  const source = `profile ${owner.profile} (${saved.place})`;
  if (saved.key !== undefined) return { value: checkKey(saved.key, `The key in ${saved.place}`), source, notes };
  const { askKeychain } = await import("./keychain.ts");
  const answer = await askKeychain({ action: "get", account: accountOf(owner) }, owner.keychain, signal);
  if (answer.ok && answer.key !== undefined) return { value: checkKey(answer.key), source, notes };
  throw keychainError(owner.profile, answer.ok ? "no longer has it" : answer.reason);
}

function keychainError(profile: string, reason: string): SolxError {
  return new AuthError(`The key of profile ${profile} is in the system keychain, which ${reason}.`, {
    code: "KEYCHAIN",
    hint: "Unlock the keychain and try again, set SOLX_API_KEY, or save the key anew with: solx auth login",
  });
}

/**
 * Saves the key of the profile. A keychain that does not work is replaced by the file, which the notes tell.
 * @throws SolxError when nothing could be saved.
 */
export async function saveKey(owner: Owner, key: string, store: KeyStore, signal?: AbortSignal): Promise<Done> {
  const { saved, notes } = readSaved(owner);
  const path = credentialsFileOf(owner.paths);
  const write = (entry: string | JsonObject) =>
    updateJsonFile(path, (data) => ({ ...data, [owner.profile]: entry }), signal);
  if (store === "keychain") {
    const { askKeychain } = await import("./keychain.ts");
    const answer = await askKeychain({ action: "set", account: accountOf(owner), key }, owner.keychain, signal);
    if (answer.ok) return await marked(owner, () => write(MARK), notes, signal);
    notes.push(`The system keychain ${answer.reason}: the key is in ${path}, which only you can read.`);
  }
  await write(key);
  // An older key in the keychain would never be read again: it is taken away.
  if (saved?.store === "keychain") notes.push(...(await forget(owner, signal)));
  return { place: path, notes };
}

/** Writes down that the keychain has the key; without that nobody would find it there, so it is taken away again. */
async function marked(owner: Owner, write: () => Promise<void>, notes: readonly string[], signal?: AbortSignal) {
  try {
    await write();
  } catch (error) {
    await forget(owner, signal);
    throw error;
  }
  return { place: KEYCHAIN, notes };
}

/** Removes the saved key of the profile; `place` tells where it was, undefined when there was none. */
export async function removeKey(owner: Owner, signal?: AbortSignal): Promise<Done> {
  const { saved, notes } = readSaved(owner);
  if (saved === undefined) return { place: undefined, notes };
  if (saved.store === "keychain") notes.push(...(await forget(owner, signal)));
  await updateJsonFile(credentialsFileOf(owner.paths), ({ [owner.profile]: _gone, ...rest }) => rest, signal);
  return { place: saved.place, notes };
}

async function forget(owner: Owner, signal: AbortSignal | undefined): Promise<string[]> {
  const { askKeychain, SERVICE } = await import("./keychain.ts");
  const account = accountOf(owner);
  const answer = await askKeychain({ action: "delete", account }, owner.keychain, signal);
  return answer.ok
    ? []
    : [`The system keychain ${answer.reason}: delete the entry ${SERVICE}, ${account} there by hand.`];
}

/** Names the keychain entry: one for each profile of each configuration folder. */
function accountOf({ profile, paths }: Owner): string {
  return `${profile}@${paths.config}`;
}
