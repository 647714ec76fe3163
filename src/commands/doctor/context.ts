/** The context of the checks. What several checks need is loaded once, on first use. */

import type { Family } from "../../catalogue/index.ts";
import type { Answer, DataFacts } from "../../client/index.ts";
import type { ApiKey, Settings } from "../../config/index.ts";
import type { ClientOptions, ConnectedClient } from "../../sources/index.ts";
import { createLedgerTransport } from "../../sources/ledger/index.ts";
import { fetchUsage } from "../endpoint/answers.ts";
import { clientOptions } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import type { InvalidInput, LenientSettings } from "./load-settings.ts";
import { type Probe, Probes } from "./probe.ts";

/** Options of the command. */
export interface DoctorOptions {
  /** Whether no request may be sent. */
  readonly offline?: boolean | undefined;
  /** Whether live answers are compared with the documentation, which costs compute units. */
  readonly drift?: boolean | undefined;
  /** Whether the findings are printed as a report for an issue. */
  readonly report?: boolean | undefined;
}

/** The key in use with notes about it; undefined without a key. */
export type KeyLookup = (ApiKey & { readonly notes: readonly string[] }) | undefined;

/** The context of the checks. */
export interface CheckContext {
  readonly context: RunContext;
  readonly settings: Settings;
  /** What holds for the source of the settings. */
  readonly facts: DataFacts;
  /** Variables and profiles of this run that are invalid and ignored. */
  readonly problems: readonly InvalidInput[];
  readonly options: DoctorOptions;
  /** Time limit of one step of a request, in seconds. */
  readonly seconds: number;
  /** Returns the key. Throws a SolxError when it cannot be read. */
  key(): Promise<KeyLookup>;
  /** Returns the options of the client. Throws a SolxError when the settings are invalid. */
  clientOptions(): Promise<ClientOptions>;
  /** Sends a request without a key to the server of a family. Rejects only when the run is stopped. */
  probe(family: Family): Promise<Probe>;
  /** Returns a client with the key. It neither retries nor waits for the rate limit. */
  client(): Promise<ConnectedClient>;
  /** Returns the answer of the usage endpoint. */
  usage(): Promise<Answer>;
  /** Closes connections. */
  close(): Promise<void>;
}

/** Maximum time limit of a step in seconds, unless `--timeout` is given. */
const MAX_STEP_SECONDS = 10;

/** Creates the context of the checks. */
export function createContext(
  context: RunContext,
  { settings, problems }: LenientSettings,
  options: DoctorOptions,
): CheckContext {
  const { signal } = context.io;
  const timeout = settings.get("timeout");
  const isTyped = settings.resolve("timeout").level === "flag";
  const { facts } = sourceOf(settings);
  const seconds = facts.isSimulated || isTyped ? timeout : Math.min(timeout, MAX_STEP_SECONDS);
  const key = lazy(() => settings.key(signal));
  const loadOptions = lazy(async () => {
    const options = await clientOptions(settings, context, (await key().catch(() => undefined))?.value);
    // All probes ask the same ledger, which is opened once.
    const transport = options.ledger && createLedgerTransport(options.ledger, timeout);
    return transport ? { ...options, transport } : options;
  });
  const probes = new Probes({ settings, options: loadOptions, seconds, signal, version: context.io.version });
  const client = lazy(async () => {
    const { transport } = await loadOptions();
    const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds };
    const overrides = { retries: 0, wait: false, cache: undefined, timeouts, transport };
    return context.session.clientFor(settings, (await key())?.value, overrides);
  });
  return {
    context,
    settings,
    facts,
    problems,
    options,
    seconds,
    key,
    clientOptions: loadOptions,
    probe: (family) => probes.probe(family),
    client,
    usage: lazy(async () => fetchUsage(await client(), { signal })),
    close: async () => {
      await probes.close();
      await (await client.current()?.catch(() => undefined))?.close();
    },
  };
}

/** Returns a function that creates a value on the first call and returns the same value afterwards. */
function lazy<T>(create: () => Promise<T>): (() => Promise<T>) & { current(): Promise<T> | undefined } {
  let value: Promise<T> | undefined;
  const get = () => {
    value ??= create();
    return value;
  };
  return Object.assign(get, { current: () => value });
}
