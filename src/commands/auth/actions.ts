/** The actions of `solx auth`: what they work with, and how their results are printed. */
import { AuthError } from "../../base/index.ts";
import { printResult } from "../run/command-definition.ts";
import type { RunContext, SettingsUse } from "../run/context.ts";
import { noInputReason } from "../run/prompt.ts";
import * as auth from "./auth.ts";

/** Whether the API verifies the key. */
interface CheckOption {
  readonly check: boolean;
}

/** Runs `solx auth login`. */
export async function login(context: RunContext, option: CheckOption): Promise<void> {
  const { stdin, stderr } = context.io;
  const reason = stdin.isTTY ? noInputReason(context.io) : undefined;
  if (reason !== undefined) {
    throw new AuthError(`No API key is given, and solx does not prompt for one: ${reason}.`, {
      code: "NO_KEY",
      hint: 'Try: printf %s "$KEY" | solx auth login',
    });
  }
  const options = await authOptions(context, option, { newProfile: true, changesFile: true });
  const result = await auth.login({ ...options, stdin, stdinIsTTY: stdin.isTTY === true, promptOutput: stderr });
  await printResult(context, result);
}

/** Runs `solx auth status`. */
export async function status(context: RunContext, option: CheckOption): Promise<void> {
  await printResult(context, await auth.status(await authOptions(context, option)));
}

/** Runs `solx auth logout`. */
export async function logout(context: RunContext): Promise<void> {
  await printResult(context, await auth.logout(await authOptions(context, { check: false })));
}

/** Runs `solx auth token`. */
export async function token(context: RunContext): Promise<void> {
  await printResult(context, await auth.token(await authOptions(context, { check: false })));
}

async function authOptions(context: RunContext, { check }: CheckOption, use?: SettingsUse): Promise<auth.AuthOptions> {
  const settings = await context.session.settings(use);
  const { signal } = context.io;
  return {
    settings,
    signal,
    ...(check ? { check: (key) => auth.fetchKeyUsage(context, settings, key, { signal }) } : {}),
  };
}
