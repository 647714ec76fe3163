/** The commands about keys and settings: what they work with, and how their results are printed. */
import type { Json } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { endpointByPath } from "../catalogue/index.ts";
import type { Settings } from "../config/index.ts";
import * as auth from "./auth/auth.ts";
import * as config from "./config/config.ts";
import type { RunContext, SettingsUse } from "./run/context.ts";
import type { Result } from "./run/result.ts";

/** Where the API tells about a key. */
const USAGE_PATH = "/monitor/usage";

/** Whether the API is to be asked about the key. */
export interface CheckOption {
  readonly check: boolean;
}

async function present(context: RunContext, { value, shown, notes }: Result): Promise<void> {
  if (isArray(value)) await context.printRows(value, shown);
  else if (isObject(value)) await context.printObject(value, shown);
  else if (context.globals.json || context.globals.output !== undefined) await context.printObject(value);
  else if (value !== null) await context.printText(`${value}\n`);
  for (const note of notes) await context.reporter.note(note);
}

/** Asks the API for the usage of a key, through a client of its own. */
function checker(context: RunContext, settings: Settings): auth.CheckKey {
  return async (key): Promise<Json> => {
    const client = await context.clientFor(settings, key);
    try {
      const endpoint = endpointByPath("v2", USAGE_PATH);
      const answer = endpoint && (await client.fetch(endpoint, {}, { signal: context.io.signal }));
      return answer?.data ?? null;
    } finally {
      await client.close();
    }
  };
}

async function authOptions(
  context: RunContext,
  { check }: CheckOption,
  use: SettingsUse = {},
): Promise<auth.AuthOptions> {
  const settings = await context.settings(use);
  return { settings, signal: context.io.signal, ...(check ? { check: checker(context, settings) } : {}) };
}

/** `solx auth login` */
export async function login(context: RunContext, option: CheckOption): Promise<void> {
  const { stdin, stderr } = context.io;
  const options = await authOptions(context, option, { newProfile: true, changesFile: true });
  const result = await auth.login({ ...options, stdin, stdinIsTTY: stdin.isTTY === true, promptOutput: stderr });
  await present(context, result);
}

/** `solx auth status` */
export async function status(context: RunContext, option: CheckOption): Promise<void> {
  await present(context, await auth.status(await authOptions(context, option)));
}

/** `solx auth logout` */
export async function logout(context: RunContext): Promise<void> {
  await present(context, await auth.logout(await authOptions(context, { check: false })));
}

/** `solx auth token` */
export async function token(context: RunContext): Promise<void> {
  await present(context, await auth.token(await authOptions(context, { check: false })));
}

/** `solx config list` */
export async function list(context: RunContext): Promise<void> {
  await present(context, config.configList(await context.settings()));
}

/** `solx config profiles` */
export async function profiles(context: RunContext): Promise<void> {
  await present(context, config.configProfiles(await context.settings()));
}

/** `solx config get` */
export async function get(context: RunContext, name: string): Promise<void> {
  await present(context, config.configGet(await context.settings(), name));
}

/** `solx config set` */
export async function set(context: RunContext, name: string, value: string): Promise<void> {
  const settings = await context.settings({ newProfile: true, changesFile: true });
  await present(context, await config.configSet({ settings, name, value, signal: context.io.signal }));
}

/** `solx config unset` */
export async function unset(context: RunContext, name: string): Promise<void> {
  const settings = await context.settings({ newProfile: true, changesFile: true });
  await present(context, await config.configUnset({ settings, name, signal: context.io.signal }));
}

/** `solx config path` */
export async function path(context: RunContext): Promise<void> {
  await present(context, config.configPath(await context.settings({ newProfile: true })));
}
