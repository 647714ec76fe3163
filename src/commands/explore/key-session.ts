/** The API key of the explorer: that of this run, or one that is entered while it is running. */
import { basename } from "node:path";
import { SolxError } from "../../base/index.ts";
import { abbreviateKey, checkKey, credentialsFilePath, requestKeychain, type Settings } from "../../config/index.ts";
import type { ClientOptions, ConnectedClient } from "../../sources/index.ts";
import type { ApiKeyEntry } from "../../ui/index.ts";
import { fetchKeyUsage, saveForProfile, verifyKey } from "../auth/auth.ts";
import type { RunContext } from "../run/context.ts";

/** The client with the key in use, and how to enter another key. */
export interface KeySession {
  readonly client: () => Promise<ConnectedClient>;
  /** Whether there is a key; assumed until the keychain has answered, which may take a while. */
  readonly hasKey: () => boolean;
  readonly entry: ApiKeyEntry;
}

/**
 * The size of an answer from which on it is refused: a page shows several, with what was parsed from them. Lists of 100
 * transactions with all their instructions have 3 MB.
 */
const MAX_ANSWER_BYTES = 8_388_608;

/**
 * Creates a session that starts with the key of this run.
 * @param overrides what differs from the clients of other commands, beside the size of answers
 */
export function createKeySession(
  settings: Settings,
  context: RunContext,
  signal: AbortSignal,
  overrides?: Partial<ClientOptions>,
): KeySession {
  const options = { maxBody: MAX_ANSWER_BYTES, ...overrides };
  let hasKey = true;
  let hasKeychain = settings.get("key-store") === "keychain";
  let enteredClient: ConnectedClient | undefined;
  let ownClient: Promise<ConnectedClient> | undefined;
  context.session.onClose(async () => {
    await enteredClient?.close();
    await (await ownClient?.catch(() => undefined))?.close();
  });

  const open = async (key: Awaited<ReturnType<Settings["key"]>>) => {
    for (const note of key?.notes ?? []) await context.reporter.note(note);
    return context.session.clientFor(settings, key?.value, options);
  };
  const enter: ApiKeyEntry["submit"] = async (text, save, stop) => {
    const key = checkKey(text);
    await verifyKey(
      key,
      (one) => fetchKeyUsage(context, settings, one, { signal: AbortSignal.any([signal, stop]), fresh: true }),
      hasKey ? "The previous key stays in use." : "Nothing was saved.",
    );
    stop.throwIfAborted();
    const { location, notes } = save ? await saveForProfile(settings, key, signal) : { location: undefined, notes: [] };
    const previous = enteredClient;
    enteredClient = await context.session.clientFor(settings, key, options);
    hasKey = true;
    await previous?.close();
    const where = location === undefined ? "for this session only" : `and saved in the ${shortLocation(location)}`;
    const details =
      location === undefined || location === KEYCHAIN ? [] : [`It is saved in the ${describeLocation(location)}.`];
    return {
      message: `Key ${abbreviateKey(key)} is in use ${where}.`,
      notes: notes.length === 0 ? [] : [...details, ...notes],
    };
  };
  return {
    hasKey: () => hasKey,
    async client() {
      if (enteredClient) return enteredClient;
      const key = await settings.key(signal).catch(() => undefined);
      // Another key may have been entered meanwhile.
      if (enteredClient) return enteredClient;
      hasKey = key !== undefined;
      ownClient ??= open(key);
      return ownClient;
    },
    entry: {
      get storage() {
        return storageLocation(settings, hasKeychain);
      },
      async checkStorage() {
        hasKeychain &&= await hasWorkingKeychain(settings, signal);
      },
      validate: keyProblem,
      submit: enter,
    },
  };
}

/** Whether the system has a working keychain; its answer may take a while. */
async function hasWorkingKeychain(settings: Settings, signal: AbortSignal): Promise<boolean> {
  const request = { action: "get", account: settings.owner.profile } as const;
  return (await requestKeychain(request, settings.owner.keychain, signal)).ok;
}

function storageLocation(settings: Settings, hasKeychain: boolean): string | undefined {
  if (hasKeychain) return KEYCHAIN;
  const path = credentialsFilePath(settings.paths);
  return path && describeLocation(path);
}

const KEYCHAIN = "system keychain";
const shortLocation = (location: string) => (location === KEYCHAIN ? location : `file ${basename(location)}`);
const describeLocation = (location: string) =>
  location === KEYCHAIN ? location : `file ${location}, which only you can read`;

function keyProblem(text: string): string | undefined {
  try {
    checkKey(text);
    return undefined;
  } catch (error) {
    return error instanceof SolxError ? error.message : String(error);
  }
}
