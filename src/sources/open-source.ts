/** A client with the source that its options select: the kinds of sources, what holds for each, and how it is opened. */
import { type Hints, type Json, NODE_CHOICE, sha256, tellAll, UsageError } from "../base/index.ts";
import { type Endpoint, isUnknownToIndex, refusalBy } from "../catalogue/index.ts";
import type { NodeConnection } from "../chain/solana/index.ts";
import {
  type ClientCore,
  type CoreOptions,
  createCore,
  type DataFacts,
  FULL_SUPPORT,
  type Source,
  type Support,
} from "../client/index.ts";
import { type Connection, loadApiAnswers, maskKey, openTransport, type Transport } from "./api/index.ts";
import { isReadByWalk, loadNode, type NodeAddress, nodeSupport, type OpenNode } from "./node/index.ts";
import { resolveSourceOptions, type SourceOptions, type SourceSettings } from "./options.ts";
import type { RecordedTarget } from "./recording/index.ts";

/** Options of a client; all have defaults. Times are in seconds. */
export type ClientOptions = CoreOptions & SourceOptions;

/** Access to the Solana node of a client. */
export interface NodeAccess<Value = Json> {
  /**
   * Returns the node, to call its methods. It connects with the first call.
   * @throws UsageError for a client without one
   */
  node(): NodeConnection<Value>;
}

/** A client for endpoints that are known at run time, and its node. */
export type ConnectedClient<Value = Json> = ClientCore<Value> & NodeAccess<Value>;

/**
 * Creates a client with exact numbers. It connects when it first sends, and should be closed when it is no longer
 * needed.
 * @throws UsageError for an invalid option
 */
export function createClient(options: ClientOptions): ConnectedClient {
  const cache = cacheOf(options);
  const source = openSource({ ...options, cache });
  return {
    ...createCore(source, { ...options, cache }),
    node() {
      if (source.node) return source.node;
      throw new UsageError("This client uses no Solana node.", { code: "NO_NODE", hint: NO_NODE_HINT });
    },
  };
}

/** Returns the cache of a client: recordings are complete, so answers are requested even if they are cached. */
function cacheOf({ cache, record, replay }: ClientOptions): CoreOptions["cache"] {
  if (replay !== undefined) return undefined;
  return cache && record !== undefined ? { ...cache, mode: "refresh" } : cache;
}

interface OpenedSource extends Source {
  readonly node?: NodeConnection;
}

/**
 * Opens the source that options select. It connects when it is first asked.
 * @throws UsageError for an invalid option
 */
function openSource(options: SourceOptions & Pick<CoreOptions, "cache">): OpenedSource {
  const settings = resolveSourceOptions(options);
  const { node } = settings;
  return node ? openNodeSource({ ...settings, node }, options) : openApiSource(settings, options);
}

function openApiSource(settings: SourceSettings, options: SourceOptions): Source {
  const { key, baseUrls, rate } = settings;
  const { facts, supports } = describeSource(options.ledger?.source ?? { kind: "api", name: baseUrls.v2 });
  const mask = (text: string) => maskKey(text, key);
  const connection = openOnce(() => connect(settings, options, { target: baseUrls, mask }));
  const answers = openOnce(async () => {
    const [{ createApiAnswers }, opened] = await Promise.all([loadApiAnswers(), connection.open()]);
    return createApiAnswers(settings, opened);
  });
  return {
    facts: {
      ...facts,
      get owner() {
        return key === undefined ? "" : sha256(key);
      },
      baseUrls,
      rate,
    },
    supports,
    mask,
    answer: async (request, sending) => (await answers.open())(request, sending),
    limiter: () => connection.opened()?.limiter,
    close: () => connection.close(),
  };
}

function openNodeSource(
  settings: SourceSettings & { readonly node: NodeAddress },
  options: SourceOptions & Pick<CoreOptions, "cache">,
): OpenedSource {
  const { node: address, baseUrls, rate, now } = settings;
  const { name, commitment, mask } = address;
  const { facts, supports } = describeSource({ kind: "rpc", name });
  const connection = openOnce(() => connect(settings, options, { target: "node", mask }));
  const node = openOnce<OpenNode>(async () => {
    const [{ openNode }, opened] = await Promise.all([loadNode(), connection.open()]);
    return openNode({ ...settings, cache: options.cache }, opened);
  });
  return {
    // Nodes, and states that are confirmed less or more, never share answers with each other or with the API.
    facts: { ...facts, owner: `node ${address.id} ${commitment}`, baseUrls, rate },
    supports,
    mask,
    answer: async (request, sending) => (await node.open()).answer(request, sending),
    pages(request, reading) {
      if (!request.endpoint || !isReadByWalk(request.endpoint, reading)) return undefined;
      return readOpened(node.open(), (opened) => opened.pages(request, reading));
    },
    limiter: () => connection.opened()?.limiter,
    async close() {
      await node.close();
      await connection.close();
    },
    node: {
      name,
      commitment,
      now,
      call: async (...args) => (await node.open()).node.call(...args),
      callMany: async (...args) => (await node.open()).node.callMany(...args),
    },
  };
}

/** Reads from what is still being opened. */
async function* readOpened<T, Item>(
  opening: Promise<T>,
  read: (opened: T) => AsyncGenerator<Item, void>,
): AsyncGenerator<Item, void> {
  yield* read(await opening);
}

/** Returns something that is opened by its first use, at most once. */
function openOnce<T extends object>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  let opened: T | undefined;
  return {
    open(): Promise<T> {
      opening ??= open().then((value) => {
        opened = value;
        return value;
      });
      return opening;
    },
    /** Returns what was opened; undefined before. */
    opened: () => opened,
    async close() {
      // What could not be opened has failed its request.
      const value = await opening?.catch(() => undefined);
      if (value && "close" in value) await (value.close as () => Promise<void>)();
    },
  };
}

/** Recordings need parts of Node that take long to load. */
const loadRecordings = () => import("./recording/index.ts");

interface Target {
  readonly target: RecordedTarget;
  readonly mask: (text: string) => string;
}

/**
 * Opens the transport and the rate limiter; both are loaded only where none are given. A given limiter may have other users,
 * so it stays open.
 */
async function connect(settings: SourceSettings, options: SourceOptions, target: Target): Promise<Connection> {
  const { limiter: given, rate, unitsPerDay } = settings;
  const openLimiter = async () =>
    typeof given === "function" ? given() : (await import("./api/index.ts")).createRateLimiter({ rate, unitsPerDay });
  const isGiven = given !== undefined && typeof given !== "function";
  const [limiter, transport] = await Promise.all([
    isGiven ? given : openLimiter(),
    openTransportTo(target, settings, options),
  ]);
  return {
    limiter,
    transport,
    async close() {
      if (!isGiven) await limiter.close();
      await transport.close();
    },
  };
}

/** Returns the transport: recordings, the given one, a ledger in this process, or the network; recorded if requested. */
async function openTransportTo(
  { target, mask }: Target,
  settings: SourceSettings,
  { replay, transport: given, ledger }: SourceOptions,
): Promise<Transport> {
  const open = async () => {
    if (replay !== undefined) return (await loadRecordings()).createReplayTransport(replay, target);
    if (given) return given;
    if (!ledger) return openTransport(settings);
    const { createLedgerTransport } = await import("./ledger/index.ts");
    return createLedgerTransport(ledger, settings.timeouts.total);
  };
  const transport = await open();
  if (!settings.record) return transport;
  const { createRecordingTransport } = await loadRecordings();
  return createRecordingTransport(transport, { ...settings, target, mask }, settings.record);
}

type SourceKind = "api" | "sandbox" | "index" | "rpc";

interface SourceName {
  readonly kind: SourceKind;
  /** Of the API its server, of the sandbox its seed, of an index its name, of a node its cluster or host. */
  readonly name: string;
}

/** A source before it is opened. */
export type SourceInfo = Pick<Source, "supports"> & { readonly facts: DataFacts };

interface KindFacts extends Omit<DataFacts, "scope" | "title" | "cluster"> {
  readonly title: (name: string) => string;
}

const NOTHING = { chargesUnits: false, hasPrices: false, isInProcess: false, isSimulated: false, omitsUnknown: false };
const SERVICE = { ...NOTHING, chargesUnits: true, hasPrices: true };

const KINDS: Readonly<Record<SourceKind, KindFacts>> = {
  api: { ...SERVICE, noun: "the API", title: () => "Solana", key: "required" },
  sandbox: {
    ...{ ...SERVICE, noun: "the sandbox", title: () => "Sandbox (simulated data)", key: "built-in" },
    ...{ isInProcess: true, isSimulated: true },
  },
  index: { ...NOTHING, noun: "an index", title: (name) => `Index ${name}`, key: "built-in", isInProcess: true },
  rpc: { ...NOTHING, noun: "a Solana node", title: (name) => `Solana (${name})`, key: "none", omitsUnknown: true },
};

/** Describes a source, without opening it. */
export function describeSource({ kind, name }: SourceName): SourceInfo {
  // The simulated chain imitates the cluster that the API covers.
  const cluster = { api: "mainnet", sandbox: "mainnet", index: undefined, rpc: name }[kind];
  return {
    facts: { ...KINDS[kind], scope: `${kind} ${name}`, title: KINDS[kind].title(name), cluster },
    supports: kind === "rpc" ? nodeSupport : kind === "index" ? indexSupport : ledgerSupport,
  };
}

/** What to do for a client that has no node, but needs one. */
const NO_NODE_HINT: Hints = {
  ...tellAll(NODE_CHOICE, (way) => `Pass a node: ${way}.`),
  command: "Set one: --rpc mainnet, devnet, testnet, localnet or a URL.",
};

function indexSupport(endpoint: Endpoint): Support {
  if (endpoint.family === "node" || !isUnknownToIndex(endpoint)) return ledgerSupport(endpoint);
  const refusal = { code: "INDEX_UNSUPPORTED", ...refusalBy("index", endpoint), isUsage: false };
  return { level: "none", missing: [], isWalk: false, refusal };
}

function ledgerSupport({ family, command }: Endpoint): Support {
  if (family !== "node") return FULL_SUPPORT;
  const reason = `"${command}" needs a Solana node.`;
  const refusal = { code: "NO_NODE", reason, instead: NO_NODE_HINT, isUsage: true };
  return { level: "none", missing: [], isWalk: false, refusal };
}
