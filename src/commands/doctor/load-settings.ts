/** Settings although some of them are wrong: what cannot be used is told and left out. */
import { type SolxError, UsageError } from "../../base/errors.ts";
import {
  getSetting,
  type LoadOptions,
  loadSettings,
  matchSwitch,
  parseValue,
  SETTING_NAMES,
  type Settings,
} from "../../config/index.ts";

/** Something that cannot be used. */
export interface InvalidInput {
  /** The variable, or `profile`. */
  readonly name: string;
  readonly error: SolxError;
}

/** The settings, and what was given and is not in them. */
export interface LenientSettings {
  readonly settings: Settings;
  readonly problems: readonly InvalidInput[];
}

/**
 * Loads settings without the variables that are wrong, and without a profile that does not exist.
 * @throws UsageError for a wrong option of the command line
 */
export async function loadValidSettings(options: LoadOptions): Promise<LenientSettings> {
  const { env, problems } = validVariables(options.env);
  const validOptions = { ...options, env, verbose: true };
  try {
    return { settings: await loadSettings(validOptions), problems };
  } catch (error) {
    if (!(error instanceof UsageError) || options.sandbox) throw error;
    const settings = await loadSettings({
      ...validOptions,
      env: withoutProfile(env),
      flags: { ...validOptions.flags, profile: "default" },
    });
    return { settings, problems: [...problems, { name: "profile", error }] };
  }
}

/** The environment without what names a profile. */
function withoutProfile(env: LoadOptions["env"]): LoadOptions["env"] {
  return { ...env, SOLX_PROFILE: undefined, SOLX_SANDBOX: undefined };
}

/** The environment without the variables of settings that are wrong. */
function validVariables(env: LoadOptions["env"]): { env: LoadOptions["env"]; problems: readonly InvalidInput[] } {
  const valid: Record<string, string | undefined> = { ...env };
  const problems: InvalidInput[] = [];
  const drop = (name: string, error: SolxError) => {
    delete valid[name];
    problems.push({ name, error });
  };
  for (const name of SETTING_NAMES) {
    const { env: variable } = getSetting(name);
    const text = env[variable]?.trim() ?? "";
    if (text === "") continue;
    try {
      parseValue(name, text, { origin: variable });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      drop(variable, error);
    }
  }
  const sandbox = env.SOLX_SANDBOX?.trim() ?? "";
  if (sandbox !== "" && matchSwitch(sandbox) === undefined) {
    drop(
      "SOLX_SANDBOX",
      new UsageError(`invalid value ${JSON.stringify(sandbox)} for SOLX_SANDBOX: expected on or off`),
    );
  }
  return { env: valid, problems };
}
