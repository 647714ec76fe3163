/** The key that the explorer asks with: the one of this run, or one that is entered while it runs. */
import { basename } from "node:path";
import { SolxError } from "../../base/errors.ts";
import { endpointByPath } from "../../catalogue/index.ts";
import type { Client } from "../../client/index.ts";
import { checkKey, maskKey, type Settings } from "../../config/index.ts";
import { credentialsFileOf } from "../../config/paths.ts";
import type { ApiKeyEntry } from "../../ui/app/services.ts";
import { checked, saveForProfile } from "../auth/auth.ts";
import type { Inside } from "./context.ts";

/** Where the API tells about a key. */
const USAGE_PATH = "/monitor/usage";

/** The client with the key that is in use, and how another key is taken up. */
export interface KeyUse {
  readonly client: () => Promise<Client>;
  /** Whether there is a key. A keychain may take its time: until it has answered, a key is taken for granted. */
  readonly hasKey: () => boolean;
  readonly entry: ApiKeyEntry;
}

/** Begins with the key of this run. */
export function createKeyUse(settings: Settings, inside: Inside, signal: AbortSignal): KeyUse {
  const { context } = inside;
  let hasKey = true;
  let hasKeychain = settings.get("key-store") === "keychain";
  let entered: Client | undefined;
  inside.alsoClose(async () => entered?.close());

  /** Asks the API about a key, through a client of its own. */
  const check = async (key: string, stop: AbortSignal) => {
    const endpoint = endpointByPath("v2", USAGE_PATH);
    const client = await context.clientFor(settings, key);
    try {
      return endpoint ? (await client.fetch(endpoint, {}, { signal: stop, fresh: true })).data : null;
    } finally {
      await client.close();
    }
  };
  const enter: ApiKeyEntry["submit"] = async (text, keep, stop) => {
    const key = checkKey(text);
    await checked(
      key,
      (one) => check(one, AbortSignal.any([signal, stop])),
      hasKey ? "The one of before stays in use." : "Nothing was kept.",
    );
    stop.throwIfAborted();
    const { place, notes } = keep ? await saveForProfile(settings, key, signal) : { place: undefined, notes: [] };
    const before = entered;
    entered = await context.clientFor(settings, key);
    hasKey = true;
    await before?.close();
    const where = place === undefined ? "for this session only" : `and kept in the ${shortPlace(place)}`;
    const whole = place === undefined || place === KEYCHAIN ? [] : [`It is kept in the ${placeWords(place)}.`];
    return {
      message: `Key ${maskKey(key)} is in use ${where}.`,
      notes: notes.length === 0 ? [] : [...whole, ...notes],
    };
  };
  return {
    hasKey: () => hasKey,
    async client() {
      if (entered) return entered;
      const key = await settings.key(signal).catch(() => undefined);
      // Another one may have been entered meanwhile.
      if (entered) return entered;
      hasKey = key !== undefined;
      return context.client();
    },
    entry: {
      get storage() {
        return keepingPlace(settings, hasKeychain);
      },
      async checkStorage() {
        hasKeychain &&= await isThereKeychain(settings, signal);
      },
      validate: keyReason,
      submit: enter,
    },
  };
}

/** Whether the system has a keychain that answers; it may take its time, but not long. */
async function isThereKeychain(settings: Settings, signal: AbortSignal): Promise<boolean> {
  const { askKeychain } = await import("../../config/keychain.ts");
  const request = { action: "get", account: settings.owner.profile } as const;
  return (await askKeychain(request, settings.owner.keychain, signal)).ok;
}

function keepingPlace(settings: Settings, hasKeychain: boolean): string | undefined {
  if (hasKeychain) return KEYCHAIN;
  const path = credentialsFileOf(settings.paths);
  return path && placeWords(path);
}

const KEYCHAIN = "system keychain";
const shortPlace = (place: string) => (place === KEYCHAIN ? place : `file ${basename(place)}`);
const placeWords = (place: string) => (place === KEYCHAIN ? place : `file ${place}, which only you can read`);

function keyReason(text: string): string | undefined {
  try {
    checkKey(text);
    return undefined;
  } catch (error) {
    return error instanceof SolxError ? error.message : String(error);
  }
}
