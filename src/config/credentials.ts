/** The saved keys: `credentials.json` holds each profile's key, or says that the system keychain has it. */
import { chmodSync } from "node:fs";
import { AuthError, type SolxError, UsageError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { readJsonFile } from "./file.ts";
import { type ApiKey, checkKey } from "./key.ts";
import type { KeychainOptions } from "./keychain.ts";
import { credentialsFilePath, type Paths } from "./paths.ts";
import { updateJsonFile } from "./write.ts";

/** The places of keys. */
export type KeyStore = "file" | "keychain";

/** Whose key it is, and where keys are. */
export interface KeyOwner {
  readonly profile: string;
  readonly paths: Paths;
  readonly keychain: KeychainOptions;
}

/** What `credentials.json` says of a profile; the keychain has not been asked. */
export interface SavedKey {
  readonly store: KeyStore;
  /** The place in words: the file's path, or `system keychain`. */
  readonly location: string;
  /** The key, when it is in the file. */
  readonly key: string | undefined;
}

/** What was done, with anything that the user should know of it. */
export interface KeyChange {
  readonly location: string | undefined;
  readonly notes: readonly string[];
}

const KEYCHAIN = "system keychain";
const KEYCHAIN_MARK: JsonObject = { store: "keychain" };

/**
 * What is saved for the profile. A file that others may read is closed to them, which the notes tell.
 * @throws UsageError when the file cannot be read.
 */
export function readSaved({ profile, paths }: KeyOwner): {
  readonly saved: SavedKey | undefined;
  readonly notes: string[];
} {
  const path = credentialsFilePath(paths);
  if (path === undefined) return { saved: undefined, notes: [] };
  const { data, mode = 0, problem } = readJsonFile(path);
  const notes = mode & 0o077 && process.platform !== "win32" ? [restrictMode(path, mode)] : [];
  if (problem) throw problem;
  const entry = Object.hasOwn(data, profile) ? data[profile] : undefined;
  if (typeof entry === "string") return { saved: { store: "file", location: path, key: entry }, notes };
  if (entry === undefined) return { saved: undefined, notes };
  if (isObject(entry) && entry.store === KEYCHAIN_MARK.store) {
    return { saved: { store: "keychain", location: KEYCHAIN, key: undefined }, notes };
  }
  throw new UsageError(`The entry of profile ${profile} in ${path} is not a key.`, {
    code: "CONFIG",
    hint: "It was kept as it is. Set SOLX_API_KEY, or delete the entry and save the key with: solx auth login",
  });
}

function restrictMode(path: string, mode: number): string {
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
export async function loadKey(
  owner: KeyOwner,
  signal?: AbortSignal,
): Promise<(ApiKey & { notes: string[] }) | undefined> {
  const { saved, notes } = readSaved(owner);
  if (saved === undefined) return undefined;
  const source = `profile ${owner.profile} (${saved.location})`;
  if (saved.key !== undefined) return { value: checkKey(saved.key, `The key in ${saved.location}`), source, notes };
  const { requestKeychain: askKeychain } = await import("./keychain.ts");
  const answer = await askKeychain({ action: "get", account: keychainAccount(owner) }, owner.keychain, signal);
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
export async function saveKey(owner: KeyOwner, key: string, store: KeyStore, signal?: AbortSignal): Promise<KeyChange> {
  const { saved, notes } = readSaved(owner);
  const path = credentialsFilePath(owner.paths);
  const write = (entry: string | JsonObject) =>
    updateJsonFile(path, (data) => ({ ...data, [owner.profile]: entry }), signal);
  if (store === "keychain") {
    const { requestKeychain: askKeychain } = await import("./keychain.ts");
    const answer = await askKeychain({ action: "set", account: keychainAccount(owner), key }, owner.keychain, signal);
    if (answer.ok) return await saveMark(owner, () => write(KEYCHAIN_MARK), notes, signal);
    notes.push(`The system keychain ${answer.reason}: the key is in ${path}, which only you can read.`);
  }
  await write(key);
  // An older key in the keychain would never be read again: it is taken away.
  if (saved?.store === "keychain") notes.push(...(await deleteFromKeychain(owner, signal)));
  return { location: path, notes };
}

/** Writes down that the keychain has the key; without that nobody would find it there, so it is taken away again. */
async function saveMark(owner: KeyOwner, write: () => Promise<void>, notes: readonly string[], signal?: AbortSignal) {
  try {
    await write();
  } catch (error) {
    await deleteFromKeychain(owner, signal);
    throw error;
  }
  return { place: KEYCHAIN, notes };
}

/** Removes the saved key of the profile; `place` tells where it was, undefined when there was none. */
export async function removeKey(owner: KeyOwner, signal?: AbortSignal): Promise<KeyChange> {
  const { saved, notes } = readSaved(owner);
  if (saved === undefined) return { location: undefined, notes };
  if (saved.store === "keychain") notes.push(...(await deleteFromKeychain(owner, signal)));
  await updateJsonFile(credentialsFilePath(owner.paths), ({ [owner.profile]: _gone, ...rest }) => rest, signal);
  return { location: saved.location, notes };
}

async function deleteFromKeychain(owner: KeyOwner, signal: AbortSignal | undefined): Promise<string[]> {
  const { requestKeychain: askKeychain, KEYCHAIN_SERVICE: SERVICE } = await import("./keychain.ts");
  const account = keychainAccount(owner);
  const answer = await askKeychain({ action: "delete", account }, owner.keychain, signal);
  return answer.ok
    ? []
    : [`The system keychain ${answer.reason}: delete the entry ${SERVICE}, ${account} there by hand.`];
}

/** Names the keychain entry: one for each profile of each configuration folder. */
function keychainAccount({ profile, paths }: KeyOwner): string {
  return `${profile}@${paths.config}`;
}
