/** Loads settings although some of the input is invalid: it is reported and ignored. */
import { type SolxError, UsageError } from "../../base/index.ts";
import {
  getSetting,
  type LoadOptions,
  loadSettings,
  matchSwitch,
  parseValue,
  SETTING_NAMES,
  type Settings,
} from "../../config/index.ts";

/** A variable or profile that is invalid. */
export interface InvalidInput {
  /** The name of the variable, or `profile`. */
  readonly name: string;
  readonly error: SolxError;
}

/** The settings, and the input that they ignore. */
export interface LenientSettings {
  readonly settings: Settings;
  readonly problems: readonly InvalidInput[];
}

/**
 * Loads settings without invalid variables, and with the default profile if the selected one does not exist.
 * @throws UsageError for an invalid command-line option
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

/** Returns the environment without the variables that select a profile. */
function withoutProfile(env: LoadOptions["env"]): LoadOptions["env"] {
  return { ...env, SOLX_PROFILE: undefined, SOLX_SANDBOX: undefined };
}

/** Returns the environment without the variables of settings that are invalid, and these with their errors. */
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
