/** What several checks need, loaded once, on first use: settings although some input is invalid, probes, client. */
import { type SolxError, UsageError } from "../../base/index.ts";
import type { Family } from "../../catalogue/index.ts";
import type { Answer, DataFacts } from "../../client/index.ts";
import {
  type LoadOptions,
  loadSettings,
  matchSwitch,
  parseValue,
  SETTING_NAMES,
  type Settings,
  settingVariable,
} from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import { createLedgerTransport } from "../../sources/ledger/index.ts";
import { fetchUsage } from "../endpoint/answers.ts";
import { clientOptions } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { type Probe, probeServer, timeoutsOf } from "./probe.ts";

/** Options of the command. */
export interface DoctorOptions {
  readonly offline?: boolean | undefined;
  readonly drift?: boolean | undefined;
  readonly report?: boolean | undefined;
}

/** The context of the checks. */
export interface CheckContext {
  readonly context: RunContext;
  readonly options: DoctorOptions;
  readonly settings: Settings;
  /** The variables and the profile of this run that are invalid, and that the settings ignore. */
  readonly problems: readonly { readonly name: string; readonly error: SolxError }[];
  readonly facts: DataFacts;
  /** Time limit of one step of a request, in seconds. */
  readonly seconds: number;
  /** Returns the key with notes about it. Throws a SolxError when it cannot be read. */
  key(): ReturnType<Settings["key"]>;
  /** Sends a request without a key to the server of a family. Rejects only when the run is stopped. */
  probe(family: Family): Promise<Probe>;
  /** Returns a client with the key. It neither retries nor waits for the rate limit. */
  client(): Promise<ConnectedClient>;
  /** Returns the usage of the key, as the API reports it. */
  usage(): Promise<Answer>;
}

/** Maximum time limit of a step in seconds, unless `--timeout` is given. */
const MAX_STEP_SECONDS = 10;

/** Creates the context of the checks from the settings, which become those of the run. */
export function createContext(
  context: RunContext,
  options: DoctorOptions,
  { settings, problems }: Pick<CheckContext, "settings" | "problems">,
): CheckContext {
  const { session, io } = context;
  const timeout = settings.get("timeout");
  const { facts } = sourceOf(settings);
  const isUnlimited = facts.isSimulated || settings.resolve("timeout").level === "flag";
  const seconds = isUnlimited ? timeout : Math.min(timeout, MAX_STEP_SECONDS);
  const key = () => settings.key(io.signal);
  const loadOptions = lazy(async () => {
    const options = await clientOptions(settings, context, (await key().catch(() => undefined))?.value);
    // All probes ask the same ledger, which is opened once.
    return options.ledger ? { ...options, transport: createLedgerTransport(options.ledger, timeout) } : options;
  });
  const openClient = async () => {
    const { transport } = await loadOptions();
    const overrides = { retries: 0, wait: false, cache: undefined, timeouts: timeoutsOf(seconds), transport };
    return session.clientFor(settings, (await key())?.value, overrides);
  };
  const client = lazy(() => {
    const opened = openClient();
    session.onClose(async () => (await opened.catch(() => undefined))?.close());
    return opened;
  });
  const probes = new Map<Family, Promise<Probe>>();
  const checkContext: CheckContext = {
    context,
    options,
    settings,
    problems,
    facts,
    seconds,
    key,
    probe(family) {
      const probe = probes.get(family) ?? probeServer(family, checkContext, loadOptions);
      probes.set(family, probe);
      return probe;
    },
    client,
    usage: lazy(async () => fetchUsage(await client(), { signal: io.signal })),
  };
  return checkContext;
}

/** Returns a function that creates a value on the first call and returns the same value afterwards. */
function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/** Loads settings without invalid variables, and the default profile in place of one that does not exist. */
export async function loadValidSettings(options: LoadOptions): Promise<Pick<CheckContext, "settings" | "problems">> {
  const problems = findInvalidVariables(options.env);
  const env = { ...options.env, ...Object.fromEntries(problems.map(({ name }) => [name, undefined])) };
  const validOptions = { ...options, env, verbose: true };
  try {
    return { settings: await loadSettings(validOptions), problems };
  } catch (error) {
    if (!(error instanceof UsageError) || options.sandbox) throw error;
    const settings = await loadSettings({
      ...validOptions,
      env: { ...env, SOLX_PROFILE: undefined, SOLX_SANDBOX: undefined },
      flags: { ...validOptions.flags, profile: "default" },
    });
    return { settings, problems: [...problems, { name: "profile", error }] };
  }
}

function findInvalidVariables(env: LoadOptions["env"]): CheckContext["problems"] {
  const problems = SETTING_NAMES.flatMap((setting) => {
    const name = settingVariable(setting);
    const text = env[name]?.trim() ?? "";
    try {
      if (text !== "") parseValue(setting, text, { origin: name });
      return [];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [{ name, error }];
    }
  });
  const sandbox = env.SOLX_SANDBOX?.trim() ?? "";
  if (sandbox === "" || matchSwitch(sandbox) !== undefined) return problems;
  const message = `invalid value ${JSON.stringify(sandbox)} for SOLX_SANDBOX: expected on or off`;
  return [...problems, { name: "SOLX_SANDBOX", error: new UsageError(message) }];
}
