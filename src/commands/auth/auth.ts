/** Saves, checks and removes the API key. Nothing here prints, and only the result of `token` contains a whole key. */
import { AuthError, type Json, SolxError, UsageError } from "../../base/index.ts";
import { formatStoreAddress, loadStore, parseStoreAddress } from "../../chain/ledger/index.ts";
import {
  abbreviateKey,
  addProfile,
  checkKey,
  findKeyVariable,
  findSavedEntry,
  type HiddenInput,
  type KeyChange,
  type KeyOwner,
  maskValue,
  noKeyError,
  type PipeLimits,
  profileNames,
  promptHidden,
  readPipedKey,
  removeKey,
  type Settings,
  saveKey,
} from "../../config/index.ts";
import { fetchUsage } from "../endpoint/answers.ts";
import { checkGrpcToken, parseGrpcAddress, tokenOwner } from "../indexer/grpc.ts";
import { passwordOwner } from "../indexer/indexes.ts";
import type { CommandResult } from "../run/command-definition.ts";
import type { RunContext, SettingsUse } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { noInputReason } from "../run/prompt.ts";

/** Fetches the usage of a key from the API; rejects with an AuthError when the API does not accept it. */
export type CheckKey = (key: string) => Promise<Json>;

/** Input of the commands about keys; without `check`, no request is sent. */
export interface AuthOptions {
  readonly settings: Settings;
  readonly check?: CheckKey;
  readonly signal: AbortSignal;
}

/** Where login reads a new key from. */
export interface LoginOptions extends AuthOptions {
  readonly stdin: HiddenInput;
  readonly stdinIsTTY: boolean;
  /** Where the prompt is printed: a terminal, never standard output. */
  readonly promptOutput: NodeJS.WritableStream;
}

/** Fetches the usage of a key from the API with a separate client; rejects with an AuthError for an invalid key. */
export async function fetchKeyUsage(
  context: RunContext,
  settings: Settings,
  key: string,
  options: { readonly signal: AbortSignal; readonly fresh?: boolean },
): Promise<Json> {
  const client = await context.session.clientFor(settings, key);
  try {
    return (await fetchUsage(client, options)).data;
  } finally {
    await client.close();
  }
}

/** Returns what the commands about keys work with; without `check`, the API is not asked. */
export async function authOptions(context: RunContext, check: boolean, use?: SettingsUse): Promise<AuthOptions> {
  const settings = await context.session.settings(use);
  const { signal } = context.io;
  return { settings, signal, ...(check && { check: (key) => fetchKeyUsage(context, settings, key, { signal }) }) };
}

/**
 * Returns what `solx auth login` works with.
 * @throws AuthError where a person would have to enter the key, and nobody is there
 */
export async function loginOptions(context: RunContext, check: boolean): Promise<LoginOptions> {
  const { stdin, stderr } = context.io;
  const stdinIsTTY = stdin.isTTY === true;
  const reason = stdinIsTTY ? noInputReason(context.io) : undefined;
  if (reason !== undefined) {
    throw new AuthError(`No API key is given, and solx does not prompt for one: ${reason}.`, {
      code: "NO_KEY",
      hint: 'Try: printf %s "$KEY" | solx auth login',
    });
  }
  const options = await authOptions(context, check, { allowsNewProfile: true, changesFile: true });
  return { ...options, stdin, stdinIsTTY, promptOutput: stderr };
}

/**
 * Saves a key for the profile after the API has accepted it. The key is read from a hidden prompt or standard
 * input; a missing profile is created.
 * @throws AuthError when the key is malformed or the API rejects it; nothing is saved then
 */
export async function login(options: LoginOptions): Promise<CommandResult> {
  const { settings, check, signal } = options;
  const { profile, file } = settings;
  if (file.problem) throw file.problem;
  const server = settings.baseUrls().v2;
  if (sourceOf(settings).facts.isSimulated) {
    return {
      value: { profile, key: null, place: null, server, usage: null },
      schema: "Login",
      notes: ["The sandbox needs no key; nothing was saved."],
    };
  }
  const key = await readNewKey(options);
  const usage = await verifyKey(key, check, "Nothing was saved.");
  const { location = null, notes } = await saveForProfile(settings, key, signal);
  return {
    value: { profile, key: abbreviateKey(key), place: location, server, usage },
    schema: "Login",
    notes,
  };
}

/** A server other than the API, by its address: of ClickHouse, or of Yellowstone gRPC. */
export interface ServerFlags {
  readonly store?: string;
  readonly grpc?: string;
}

/** A secret of a server: what it is, whom it is saved for, and what asks the server about it. */
interface ServerSecret {
  readonly kind: "Password" | "Token";
  /** The option that names the server. */
  readonly option: string;
  readonly owner: KeyOwner;
  readonly url: string;
  readonly check: (secret: string, signal: AbortSignal) => Promise<void>;
}

function serverSecret(settings: Settings, { store, grpc }: ServerFlags): ServerSecret {
  if (store !== undefined && grpc !== undefined)
    throw new UsageError("--store cannot be combined with --grpc", { hint: "Use one of them." });
  if (grpc !== undefined) {
    const url = parseGrpcAddress(grpc);
    const check = (token: string, signal: AbortSignal) => checkGrpcToken(settings, url, token, signal);
    const owner = tokenOwner(settings, url);
    return { kind: "Token", option: `--grpc ${url.origin}`, owner, url: url.origin, check };
  }
  const address = parseStoreAddress(store ?? "", undefined);
  const check = async (password: string, signal: AbortSignal) =>
    (await loadStore()).checkPassword({ ...address, password }, signal, settings.get("timeout"));
  const option = `--store ${formatStoreAddress(address)}`;
  return { kind: "Password", option, owner: passwordOwner(settings, address), url: address.url, check };
}

/**
 * Saves the secret of a server: the password of a user of ClickHouse, which commands then take for all of its
 * databases, or the token of a gRPC server.
 * @throws AuthError when the server does not accept it; nothing is saved then
 */
export async function loginServer(
  options: LoginOptions,
  flags: ServerFlags,
  isChecked: boolean,
): Promise<CommandResult> {
  const { settings, signal } = options;
  const { kind, option, owner, url, check } = serverSecret(settings, flags);
  const secret = await readSecret(options, `${kind} of ${owner.profile} (input is hidden): `, {
    noun: kind.toLowerCase(),
    command: `solx auth login ${option}`,
  });
  if (isChecked) await check(secret, signal);
  const { location = null, notes } = await saveKey(owner, secret, settings.get("key-store"), signal);
  return {
    value: { profile: owner.profile, key: null, place: location, server: url, usage: null },
    schema: "Login",
    notes,
  };
}

/** Removes the saved secret of a server. */
export async function logoutServer({ settings, signal }: AuthOptions, flags: ServerFlags): Promise<CommandResult> {
  const { kind, owner } = serverSecret(settings, flags);
  const { location, notes } = await removeKey(owner, signal);
  const missing = location === undefined ? [`${owner.profile} had no saved ${kind.toLowerCase()}.`] : [];
  return {
    value: { profile: owner.profile, removed: location !== undefined, place: location ?? null },
    schema: "Logout",
    notes: [...notes, ...missing],
  };
}

/** Saves a key for the current profile, which is created if missing. Returns where it was saved, with notes. */
export async function saveForProfile(settings: Settings, key: string, signal: AbortSignal): Promise<KeyChange> {
  const { profile, paths, file, owner } = settings;
  if (file.problem) throw file.problem;
  if (!profileNames(file).includes(profile)) await addProfile(paths, profile, signal);
  const { location, notes } = await saveKey(owner, key, settings.get("key-store"), signal);
  return { location, notes: [...notes, ...environmentNotes(settings, "takes precedence over the saved key")] };
}

const readNewKey = async (options: LoginOptions): Promise<string> =>
  checkKey(await readSecret(options, `API key for profile ${options.settings.profile} (input is hidden): `));

const readSecret = (
  { stdin, stdinIsTTY, promptOutput, signal }: LoginOptions,
  question: string,
  secret?: PipeLimits["secret"],
): Promise<string> =>
  stdinIsTTY
    ? promptHidden(question, stdin, promptOutput, signal)
    : readPipedKey(stdin, { signal, ...(secret && { secret }) });

/**
 * Returns the usage of a key, or null without a check.
 * @param consequence a sentence for the error message
 * @throws AuthError when the API does not accept the key
 */
export async function verifyKey(key: string, check: CheckKey | undefined, consequence: string): Promise<Json> {
  if (check === undefined) return null;
  try {
    return await check(key);
  } catch (error) {
    if (!(error instanceof SolxError) || error.exit !== "auth") throw error;
    throw new AuthError(`The API does not accept the key ${abbreviateKey(key)}. ${consequence}`, {
      code: error.code,
      status: error.status,
      hint: "Check the key, and that the profile names the server that it belongs to.",
      cause: error,
    });
  }
}

function environmentNotes({ env, sandbox }: Settings, effect: string): string[] {
  const variable = findKeyVariable(env);
  return sandbox || variable === undefined ? [] : [`${variable} is set and ${effect}; unset it to stop using it.`];
}

/** Returns the key in use and its source. @throws AuthError when there is no key, or the API does not accept it */
export async function status({ settings, check, signal }: AuthOptions): Promise<CommandResult> {
  if (settings.node()) return nodeStatus(settings);
  const key = await settings.key(signal);
  if (key === undefined) throw noKeyError(settings.profile);
  const usage = await verifyKey(key.value, check, `Source of the key: ${key.source}.`);
  const { saved, notes } = findUnusedKey(settings, key.notes);
  return {
    value: {
      profile: settings.profile,
      kind: settings.source,
      key: abbreviateKey(key.value),
      source: key.source,
      server: settings.baseUrls().v2,
      plan: settings.get("plan") ?? null,
      usage,
    },
    schema: "Login",
    notes: saved
      ? [...notes, `Profile ${settings.profile} also has a saved key (${saved.location}), which is not in use.`]
      : notes,
  };
}

/** Returns the status of a run that is answered by a Solana node, which takes no key. */
function nodeStatus(settings: Settings): CommandResult {
  const { profile } = settings;
  const server = maskValue("rpc-url", settings.node()?.url ?? "");
  return {
    value: { profile, kind: "rpc", key: null, server, plan: null, usage: null },
    schema: "Login",
    notes: ["A Solana node answers; no key is used. For the status of the key: solx auth status --rpc off"],
  };
}

function findUnusedKey(settings: Settings, notes: readonly string[]): ReturnType<typeof findSavedEntry> {
  if (sourceOf(settings).facts.isSimulated)
    return { saved: undefined, notes: ["The sandbox needs no key; this one is built in."] };
  return settings.overridingKey() ? findSavedEntry(settings.owner) : { saved: undefined, notes: [...notes] };
}

/** Removes the saved key of the current profile. */
export async function logout({ settings, signal }: AuthOptions): Promise<CommandResult> {
  const { profile, owner } = settings;
  const { location, notes } = await removeKey(owner, signal);
  const missing = location === undefined ? [`Profile ${profile} had no saved key.`] : [];
  return {
    value: { profile, removed: location !== undefined, place: location ?? null },
    schema: "Logout",
    notes: [...notes, ...missing, ...environmentNotes(settings, "still provides a key")],
  };
}

/** Returns the key itself, for other programs. @throws AuthError when there is no key */
export async function token({ settings, signal }: AuthOptions): Promise<CommandResult> {
  const key = await settings.key(signal);
  if (key === undefined) throw noKeyError(settings.profile);
  return { value: key.value, notes: key.notes };
}
