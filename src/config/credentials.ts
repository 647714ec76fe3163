/** The saved keys: `credentials.json` has each profile's key, or a mark that it is in the system keychain. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import {
  AuthError,
  type Env,
  InterruptedError,
  isObject,
  type JsonObject,
  SolxError,
  scriptArguments,
  scriptBeside,
  UsageError,
} from "../base/index.ts";
import { readJsonFile, updateJsonFile } from "./json-file.ts";
import { type ApiKey, checkKey } from "./key.ts";
import { credentialsFilePath, type Paths } from "./paths.ts";

/** Where keys are saved. */
export type KeyStore = "file" | "keychain";

/** The profile that a key belongs to, and where keys are saved. */
export interface KeyOwner {
  /** Or the user and the server that a password is of, such as `solx@localhost:8123`. */
  readonly profile: string;
  readonly paths: Paths;
  readonly keychain: KeychainOptions;
}

/** The entry of a profile in `credentials.json`; the keychain is not read for it. */
export interface SavedKey {
  readonly store: KeyStore;
  /** The file's path, or `system keychain`. */
  readonly location: string;
  /** The key, when it is in the file. */
  readonly key: string | undefined;
}

/** The result of saving or removing a key; `location` is undefined when there was none to remove. */
export interface KeyChange {
  readonly location: string | undefined;
  readonly notes: readonly string[];
}

const KEYCHAIN = "system keychain";
const KEYCHAIN_MARK: JsonObject = { store: "keychain" };

/** Returns what is saved for the profile, as {@link readSavedEntry} does; a file that cannot be read becomes a note. */
export function findSavedEntry(owner: KeyOwner): ReturnType<typeof readSavedEntry> {
  try {
    return readSavedEntry(owner);
  } catch (error) {
    if (!(error instanceof SolxError)) throw error;
    return { saved: undefined, notes: [error.message] };
  }
}

/**
 * Returns what is saved for the profile. Restricts the mode of a file that other users can read and adds a note on it.
 * @throws UsageError when the file cannot be read
 */
export function readSavedEntry({ profile, paths }: KeyOwner): {
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
    hint: "The file was not changed. Set SOLX_API_KEY, or delete the entry and save the key with: solx auth login",
  });
}

function restrictMode(path: string, mode: number): string {
  const problem = `Other users could read the keys in ${path} (mode ${mode.toString(8).padStart(4, "0")})`;
  try {
    chmodSync(path, 0o600);
    return `${problem}; the mode is now 0600.`;
  } catch (error) {
    return `${problem}, and the mode could not be changed (${(error as NodeJS.ErrnoException).code}).`;
  }
}

/**
 * Returns the saved key of the profile.
 * @throws AuthError when the keychain does not return it
 */
export async function loadSavedKey(
  owner: KeyOwner,
  signal?: AbortSignal,
): Promise<(ApiKey & { notes: string[] }) | undefined> {
  const found = await loadSecret(owner, signal, {
    name: `The key of profile ${owner.profile}`,
    hint: "Unlock the keychain and retry, set SOLX_API_KEY, or save the key again with: solx auth login",
  });
  if (!found) return undefined;
  const { value, location, notes } = found;
  return { value: checkKey(value, `The key in ${location}`), source: `profile ${owner.profile} (${location})`, notes };
}

/**
 * Returns what is saved for an owner, and where. The keychain is read only when it was saved there.
 * @param about what it is, and what to do when it is not found
 * @throws AuthError when the keychain does not return it
 */
export async function loadSecret(
  owner: KeyOwner,
  signal: AbortSignal | undefined,
  about: { readonly name: string; readonly hint: string },
): Promise<{ readonly value: string; readonly location: string; readonly notes: string[] } | undefined> {
  const { saved, notes } = readSavedEntry(owner);
  if (saved === undefined) return undefined;
  const { location, key } = saved;
  if (key !== undefined) return { value: key, location, notes };
  const answer = await requestKeychain({ action: "get", account: keychainAccount(owner) }, owner.keychain, signal);
  if (answer.ok && answer.key !== undefined) return { value: answer.key, location, notes };
  const reason = answer.ok ? "no longer contains it" : answer.reason;
  throw new AuthError(`${about.name} is in the system keychain, which ${reason}.`, {
    code: "KEYCHAIN",
    hint: about.hint,
  });
}

/**
 * Saves the key of the profile. When the keychain does not work, the file is used and a note says so.
 * @throws SolxError when nothing could be saved
 */
export async function saveKey(owner: KeyOwner, key: string, store: KeyStore, signal?: AbortSignal): Promise<KeyChange> {
  const { saved, notes } = readSavedEntry(owner);
  const path = credentialsFilePath(owner.paths);
  const write = async (entry: string | JsonObject) => {
    notes.push(...(await updateCredentials(owner, (data) => ({ ...data, [owner.profile]: entry }), signal)));
  };
  if (store === "keychain") {
    const answer = await requestKeychain(
      { action: "set", account: keychainAccount(owner), key },
      owner.keychain,
      signal,
    );
    if (answer.ok) return await saveMark(owner, () => write(KEYCHAIN_MARK), notes, signal);
    notes.push(`The system keychain ${answer.reason}: the key was saved in ${path} (mode 0600) instead.`);
  }
  await write(key);
  // An older key in the keychain would never be read again.
  if (saved?.store === "keychain") notes.push(...(await deleteFromKeychain(owner, signal)));
  return { location: path, notes };
}

/**
 * Changes the file of keys, which only its owner can read: by its mode, or on Windows by its access list. Returns a note
 * when the list could not be changed.
 */
async function updateCredentials(
  { paths, keychain }: KeyOwner,
  change: (data: JsonObject) => JsonObject,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const path = credentialsFilePath(paths);
  await updateJsonFile(path, change, signal);
  const { env, platform = process.platform } = keychain;
  if (platform !== "win32" || path === undefined) return [];
  const problem = await restrictAccess(path, env);
  if (problem === undefined) return [];
  return [`Other users may be able to read ${path}: its access list could not be changed (${problem}).`];
}

/** The security identifier of the system, under which backups run; it is the same in every language. */
const SYSTEM = "*S-1-5-18";
const ICACLS_TIMEOUT_MS = 10_000;

/** Replaces the access list of a file, which it inherited from its folder. Returns the reason when that failed. */
async function restrictAccess(
  path: string,
  { SystemRoot = "C:\\Windows", USERDOMAIN }: Env,
): Promise<string | undefined> {
  const [{ execFile }, { userInfo }] = await Promise.all([import("node:child_process"), import("node:os")]);
  const { username } = userInfo();
  const user = USERDOMAIN ? `${USERDOMAIN}\\${username}` : username;
  // By its full path: a program of this name in the current folder would be preferred.
  const program = join(SystemRoot, "System32", "icacls.exe");
  const args = [path, "/inheritance:r", "/grant:r", `${user}:F`, `${SYSTEM}:F`];
  return new Promise((resolve) => {
    execFile(program, args, { timeout: ICACLS_TIMEOUT_MS, windowsHide: true }, (error, _stdout, stderr) =>
      resolve(error ? stderr.trim().split("\n")[0] || error.message : undefined),
    );
  });
}

/** Records that the keychain has the key. Without that it would never be read, so a failure deletes it again. */
async function saveMark(owner: KeyOwner, write: () => Promise<void>, notes: readonly string[], signal?: AbortSignal) {
  try {
    await write();
  } catch (error) {
    await deleteFromKeychain(owner, signal);
    throw error;
  }
  return { location: KEYCHAIN, notes };
}

/** Removes the saved key of the profile. */
export async function removeKey(owner: KeyOwner, signal?: AbortSignal): Promise<KeyChange> {
  const { saved, notes } = readSavedEntry(owner);
  if (saved === undefined) return { location: undefined, notes };
  if (saved.store === "keychain") notes.push(...(await deleteFromKeychain(owner, signal)));
  notes.push(...(await updateCredentials(owner, ({ [owner.profile]: _gone, ...rest }) => rest, signal)));
  return { location: saved.location, notes };
}

async function deleteFromKeychain(owner: KeyOwner, signal: AbortSignal | undefined): Promise<string[]> {
  const account = keychainAccount(owner);
  const answer = await requestKeychain({ action: "delete", account }, owner.keychain, signal);
  return answer.ok
    ? []
    : [`The system keychain ${answer.reason}: delete its entry ${KEYCHAIN_SERVICE}, ${account} manually.`];
}

/** Returns the account of the keychain entry: one for each profile of each configuration folder. */
function keychainAccount({ profile, paths }: KeyOwner): string {
  return `${profile}@${paths.config}`;
}

const KEYCHAIN_SERVICE = "solx";

/** A request to the keychain, which the worker reads from standard input. */
export interface KeychainRequest {
  readonly action: "get" | "set" | "delete";
  readonly service: string;
  readonly account: string;
  readonly key?: string;
}

/** The worker's answer on standard output; `reason` completes a sentence that starts with "The system keychain". */
export type KeychainAnswer =
  | { readonly ok: true; readonly key?: string }
  | { readonly ok: false; readonly reason: string };

/** How the keychain is accessed. */
export interface KeychainOptions {
  readonly env: Env;
  readonly platform?: NodeJS.Platform;
  readonly worker?: URL;
  /** Timeout in milliseconds. */
  readonly limit?: number;
}

/** The default timeout in milliseconds. */
const TIMEOUT = 2_000;

/**
 * Sends a request to the keychain; an answer always comes within the timeout.
 * @throws InterruptedError when the signal fires
 */
export async function requestKeychain(
  request: Omit<KeychainRequest, "service">,
  options: KeychainOptions,
  signal?: AbortSignal,
): Promise<KeychainAnswer> {
  const {
    env,
    platform = process.platform,
    worker = scriptBeside(import.meta.url, "keychain-worker"),
    limit = TIMEOUT,
  } = options;
  if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
  if (platform === "linux" && !env.DBUS_SESSION_BUS_ADDRESS) {
    return { ok: false, reason: "cannot be reached without a session bus (DBUS_SESSION_BUS_ADDRESS is not set)" };
  }
  const expiry = AbortSignal.timeout(limit);
  const stop = signal ? AbortSignal.any([signal, expiry]) : expiry;
  const text = await runWorker(worker, env, JSON.stringify({ ...request, service: KEYCHAIN_SERVICE }), stop);
  if (signal?.aborted) throw new InterruptedError(undefined, { cause: signal.reason });
  if (expiry.aborted) return { ok: false, reason: `did not answer within ${limit / 1000} seconds` };
  return parseAnswer(text);
}

/** Returns what the worker wrote before it ended; kills it when `stop` fires. */
async function runWorker(worker: URL, env: Env, request: string, stop: AbortSignal): Promise<string> {
  // Options of this process, such as an inspector's port, must not stop the worker.
  const { NODE_OPTIONS: _dropped, ...rest } = env;
  // Most commands do not use the keychain, and the module takes part of their start-up time.
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [...scriptArguments(worker)], {
    env: rest as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
    signal: stop,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  return new Promise((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    // A worker that cannot be started, or ends early, has no answer: the text stays empty.
    child.stdin.on("error", () => {});
    child.on("error", () => resolve(text));
    child.on("close", () => resolve(text));
    child.stdin.end(request);
  });
}

function parseAnswer(text: string): KeychainAnswer {
  try {
    const answer = JSON.parse(text) as KeychainAnswer;
    if (answer.ok === true || typeof answer.reason === "string") return answer;
  } catch {
    // Reported below: the output was not an answer.
  }
  return { ok: false, reason: "cannot be used on this machine" };
}
