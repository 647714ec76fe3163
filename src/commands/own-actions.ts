/** The commands about keys and settings: what they work with, and how their results are printed. */
import type { Json } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { endpointByPath } from "../catalogue/index.ts";
import type { Settings } from "../config/index.ts";
import * as auth from "./auth/auth.ts";
import * as config from "./config/config.ts";
import type { Frame, SettingsUse } from "./run/context.ts";
import type { Result } from "./run/result.ts";

/** Where the API tells about a key. */
const USAGE_PATH = "/monitor/usage";

/** Whether the API is to be asked about the key. */
export interface CheckOption {
  readonly check: boolean;
}

async function present(frame: Frame, { value, shown, notes }: Result): Promise<void> {
  if (isArray(value)) await frame.printRows(value, shown);
  else if (isObject(value)) await frame.printObject(value, shown);
  else if (frame.globals.json || frame.globals.output !== undefined) await frame.printObject(value);
  else if (value !== null) await frame.text(`${value}\n`);
  for (const note of notes) await frame.note(note);
}

/** Asks the API for the usage of a key, through a client of its own. */
function checker(frame: Frame, settings: Settings): auth.CheckKey {
  return async (key): Promise<Json> => {
    const client = await frame.clientFor(settings, key);
    try {
      const endpoint = endpointByPath("v2", USAGE_PATH);
      const answer = endpoint && (await client.fetch(endpoint, {}, { signal: frame.io.signal }));
      return answer?.data ?? null;
    } finally {
      await client.close();
    }
  };
}

async function authOptions(frame: Frame, { check }: CheckOption, use: SettingsUse = {}): Promise<auth.AuthOptions> {
  const settings = await frame.settings(use);
  return { settings, signal: frame.io.signal, ...(check ? { check: checker(frame, settings) } : {}) };
}

/** `solx auth login` */
export async function login(frame: Frame, option: CheckOption): Promise<void> {
  const { stdin, stderr } = frame.io;
  const options = await authOptions(frame, option, { newProfile: true, changesFile: true });
  const result = await auth.login({ ...options, stdin, stdinIsTTY: stdin.isTTY === true, promptOutput: stderr });
  await present(frame, result);
}

/** `solx auth status` */
export async function status(frame: Frame, option: CheckOption): Promise<void> {
  await present(frame, await auth.status(await authOptions(frame, option)));
}

/** `solx auth logout` */
export async function logout(frame: Frame): Promise<void> {
  await present(frame, await auth.logout(await authOptions(frame, { check: false })));
}

/** `solx auth token` */
export async function token(frame: Frame): Promise<void> {
  await present(frame, await auth.token(await authOptions(frame, { check: false })));
}

/** `solx config list` */
export async function list(frame: Frame): Promise<void> {
  await present(frame, config.configList(await frame.settings()));
}

/** `solx config profiles` */
export async function profiles(frame: Frame): Promise<void> {
  await present(frame, config.configProfiles(await frame.settings()));
}

/** `solx config get` */
export async function get(frame: Frame, name: string): Promise<void> {
  await present(frame, config.configGet(await frame.settings(), name));
}

/** `solx config set` */
export async function set(frame: Frame, name: string, value: string): Promise<void> {
  const settings = await frame.settings({ newProfile: true, changesFile: true });
  await present(frame, await config.configSet({ settings, name, value, signal: frame.io.signal }));
}

/** `solx config unset` */
export async function unset(frame: Frame, name: string): Promise<void> {
  const settings = await frame.settings({ newProfile: true, changesFile: true });
  await present(frame, await config.configUnset({ settings, name, signal: frame.io.signal }));
}

/** `solx config path` */
export async function path(frame: Frame): Promise<void> {
  await present(frame, config.configPath(await frame.settings({ newProfile: true })));
}
