/** The actions of `solx config`: what they work with, and how their results are printed. */
import type { RunContext } from "../run/context.ts";
import { printResult } from "../run/result.ts";
import * as config from "./config.ts";

/** Runs `solx config list`. */
export async function list(context: RunContext): Promise<void> {
  await printResult(context, config.configList(await context.settings()));
}

/** Runs `solx config profiles`. */
export async function profiles(context: RunContext): Promise<void> {
  await printResult(context, config.configProfiles(await context.settings()));
}

/** Runs `solx config get`. */
export async function get(context: RunContext, name: string): Promise<void> {
  await printResult(context, config.configGet(await context.settings(), name));
}

/** Runs `solx config set`. */
export async function set(context: RunContext, name: string, value: string): Promise<void> {
  const settings = await context.settings({ newProfile: true, changesFile: true });
  await printResult(context, await config.configSet({ settings, name, value, signal: context.io.signal }));
}

/** Runs `solx config unset`. */
export async function unset(context: RunContext, name: string): Promise<void> {
  const settings = await context.settings({ newProfile: true, changesFile: true });
  await printResult(context, await config.configUnset({ settings, name, signal: context.io.signal }));
}

/** Runs `solx config path`. */
export async function path(context: RunContext): Promise<void> {
  await printResult(context, config.configPath(await context.settings({ newProfile: true })));
}
