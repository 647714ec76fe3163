/** What the checks work with; what several of them need is asked for once, when the first one needs it. */
import type { Family } from "../../catalogue/constants.ts";
import { endpointByPath } from "../../catalogue/index.ts";
import type { Answer, Client, ClientOptions } from "../../client/index.ts";
import type { ApiKey, Settings } from "../../config/index.ts";
import { clientOptions } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import type { InvalidInput, LenientSettings } from "./load-settings.ts";
import { createProbes, type Probe } from "./probe.ts";

/** What a person asked for. */
export interface DoctorOptions {
  /** Whether nothing may be sent. */
  readonly offline?: boolean | undefined;
  /** Whether answers are compared with what is documented, which costs units. */
  readonly drift?: boolean | undefined;
  /** Whether the findings are printed as a text for others. */
  readonly report?: boolean | undefined;
}

/** The key as it was found. */
export type KeyLookup = (ApiKey & { readonly notes: readonly string[] }) | undefined;

/** What the checks work with. */
export interface CheckContext {
  readonly context: RunContext;
  readonly settings: Settings;
  /** What was given and cannot be used. */
  readonly problems: readonly InvalidInput[];
  readonly options: DoctorOptions;
  /** Seconds that one exchange may take. */
  readonly seconds: number;
  /** The key. @throws SolxError when it cannot be read */
  key(): Promise<KeyLookup>;
  /** How the client is made. @throws SolxError when the settings do not allow it */
  clientOptions(): Promise<ClientOptions>;
  /** How the server of a family answers who has no key. Never rejects but when the run is stopped. */
  probe(family: Family): Promise<Probe>;
  /** The client of the run, with the key; one try for each request, and no waiting. */
  client(): Promise<Client>;
  /** What the API says of the key. */
  usage(): Promise<Answer>;
  close(): Promise<void>;
}

/** Seconds that one exchange takes at the most, however long a request may take otherwise; more where they are typed. */
const MAX_STEP_SECONDS = 10;

/** The endpoint that tells of a key. */
export const USAGE_PATH = "/monitor/usage";

/** Makes a context. */
export function createContext(
  context: RunContext,
  { settings, problems }: LenientSettings,
  options: DoctorOptions,
): CheckContext {
  const { signal } = context.io;
  const timeout = settings.get("timeout");
  const isTyped = settings.resolve("timeout").level === "flag";
  const seconds = settings.sandbox || isTyped ? timeout : Math.min(timeout, MAX_STEP_SECONDS);
  const key = lazy(() => settings.key(signal));
  const loadOptions = lazy(async () => clientOptions(settings, context, (await key().catch(() => undefined))?.value));
  const probes = createProbes({ settings, options: loadOptions, seconds, signal, version: context.io.version });
  const client = lazy(async () => {
    const { transport } = await loadOptions();
    const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds };
    const overrides = { retries: 0, wait: false, cache: undefined, timeouts, transport };
    return context.clientFor(settings, (await key())?.value, overrides);
  });
  return {
    context,
    settings,
    problems,
    options,
    seconds,
    key,
    clientOptions: loadOptions,
    probe: probes.probe,
    client,
    usage: lazy(async () => {
      const endpoint = endpointByPath("v2", USAGE_PATH);
      if (!endpoint) throw new Error(`There is no ${USAGE_PATH}.`);
      return (await client()).fetch(endpoint, {}, { signal });
    }),
    close: async () => {
      await probes.close();
      await (await client.made()?.catch(() => undefined))?.close();
    },
  };
}

/** A function that does its work when it is first called, and only then. */
function lazy<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  return Object.assign(get, { made: () => made });
}
