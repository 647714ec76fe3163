/** `solx index`: indexes the blocks of a node until it is stopped, or to the end of a range. */

import { rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import {
  DAY_SECONDS,
  databaseFiles,
  formatSpan,
  groupThousands,
  InterruptedError,
  type JsonObject,
  pluralize,
  stringifyJson,
  UsageError,
} from "../../base/index.ts";
import { quoteForShell } from "../../catalogue/index.ts";
import {
  type BlockCommitment,
  type BlockStream,
  filterKey,
  type IndexEvent,
  type IndexFilter,
  type IndexOptions,
  type IndexProgress,
  loadIndexer,
  type StartSlot,
  webSocketUrlOf,
} from "../../chain/indexer/index.ts";
import { type Division, loadStoreWriter, MIN_KEPT_SECONDS, type StoreWriter } from "../../chain/ledger/index.ts";
import { isLoopback, recognise } from "../../client/index.ts";
import { type NodeAddress, quoteText, type Settings } from "../../config/index.ts";
import { formatBytes } from "../../output/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import { serveHealth } from "../health-server.ts";
import { runNameResolver } from "../names/resolve-names.ts";
import { parseDuration } from "../run/arguments.ts";
import { nodesOptions } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
import { maskArguments } from "../run/printed-command.ts";
import { canRedraw, getStatusLine } from "../run/status-line.ts";
import { openWebSockets } from "../run/websockets.ts";
import { namedIndexFile } from "./files.ts";
import { openGrpc } from "./grpc.ts";
import { IndexHealth } from "./health.ts";
import { storeAddress } from "./indexes.ts";

/** Options as typed. */
export interface IndexFlags {
  readonly from?: string;
  readonly to?: string;
  readonly program?: readonly string[];
  readonly account?: readonly string[];
  readonly mint?: readonly string[];
  readonly keep?: string;
  /** A port of this machine. */
  readonly health?: string;
  /** The address of a database of ClickHouse. */
  readonly store?: string;
  /** The address of a server of Yellowstone gRPC. */
  readonly grpc?: string;
}

/**
 * Indexes until the end of the range or a signal, a normal end without a range.
 * @throws UsageError without a node
 * @throws InterruptedError when a signal ends a range early
 */
export async function runIndex(context: RunContext, flags: IndexFlags): Promise<void> {
  const settings = await context.session.settings({ source: "rpc" });
  const node = settings.node();
  if (node === undefined) {
    throw new UsageError("solx index needs a Solana node.", {
      code: "NO_NODE",
      hint: "Add --rpc localnet, devnet, testnet, mainnet or a URL, or set SOLX_RPC_URL.",
    });
  }
  const name = indexName(settings, node);
  const path = namedIndexFile(settings.paths, name);
  const options = {
    ...rangeOptions(flags, isLoopback(new URL(node.url).hostname)),
    filter: await filterOptions(context, flags),
    commitment: blockCommitment(settings),
    keep: flags.keep === undefined ? undefined : parseKept(flags.keep),
  };
  const closed = new AbortController();
  const signal = AbortSignal.any([context.io.signal, closed.signal]);
  const store = flags.store === undefined ? undefined : await openStore(settings, flags.store, signal);
  const [{ indexInto }, clients] = await Promise.all([loadIndexer(), openClients(context, settings)]);
  const health = new IndexHealth(name);
  const server = await serveHealth(flags.health, () => health.report());
  const reporter = await createIndexReporter(context, path, () => closed.abort(new InterruptedError()));
  let interruption: InterruptedError | undefined;
  let stream: BlockStream | undefined;
  try {
    if (server) reporter.onEvent({ kind: "health", url: server.url });
    const webSocketUrls = settings.nodes().map(({ url }) => webSocketUrlOf(url));
    const nodes = clients.map((client) => client.node());
    const onEvent = (event: IndexEvent) => {
      health.onEvent(event);
      reporter.onEvent(event);
    };
    const onNote = (text: string) => onEvent({ kind: "note", text });
    stream = await openGrpc(context, settings, flags.grpc, { commitment: options.commitment, onNote });
    const indexing = {
      ...{ path, ...options, concurrency: settings.get("concurrency"), signal, onRetry: health.onRetry, onEvent },
      ...{ webSocketUrls, openDispatcher: await openWebSockets(context, settings), stream },
    };
    if (store) await indexIntoStore(store, indexing, (each) => indexInto(nodes, each));
    else await indexInto(nodes, indexing);
  } catch (error) {
    if (!(error instanceof InterruptedError) || !signal.aborted) throw error;
    context.outcome.runsUntilStopped = true;
    if (flags.to !== undefined && context.io.signal.aborted) interruption = error;
  } finally {
    stream?.close();
    await server?.close();
    await reporter.end();
    await Promise.all([...clients.map((client) => client.close()), store?.close()]);
  }
  const { runsUntilStopped: isStopped = false } = context.outcome;
  if (isStopped || flags.to !== undefined)
    await context.reporter.note(savedText(context, flags.store ?? name, store === undefined || !isStopped));
  if (interruption) throw interruption;
}

function savedText({ io }: RunContext, index: string, isWhole: boolean): string {
  const again = ["solx", ...maskArguments(io.argv)].map(quoteForShell).join(" ");
  const query = `solx token holders <mint> --index ${quoteForShell(index)}`;
  const missing = isWhole ? "" : " What it does not have yet is sent when you continue.";
  return `Saved in the index ${index}.${missing} To query it: ${query}. To continue: ${again}`;
}

async function openStore(settings: Settings, text: string, signal: AbortSignal): Promise<StoreWriter> {
  const { openStoreWriter } = await loadStoreWriter();
  return openStoreWriter(await storeAddress(settings, text, signal), signal);
}

/**
 * Indexes into ClickHouse: new blocks by way of a file, which is kept for two days, or a range in parts, which several
 * programs share.
 * @param division how it is divided: into parts of 1000 slots by default
 */
export async function indexIntoStore(
  store: StoreWriter,
  options: IndexOptions & { readonly signal: AbortSignal; readonly onEvent: (event: IndexEvent) => void },
  index: (options: IndexOptions) => Promise<unknown>,
  division?: Division,
): Promise<void> {
  const { createPersist, createShipper, leaseParts } = await loadStoreWriter();
  const { path, from, to, filter = {}, keep = MIN_KEPT_SECONDS, commitment, signal, onEvent } = options;
  await store.checkProperties({ filter: filterKey(filter) });
  if (typeof from !== "number" || to === undefined) {
    await index({ ...options, keep, isShipped: true, afterWrite: createShipper(store, { signal, onEvent }) });
    return;
  }
  if (commitment !== "finalized")
    throw new UsageError("a range in ClickHouse is of finalized blocks only", { hint: "Unset SOLX_COMMITMENT." });
  for await (const part of leaseParts(store.server, { from, end: to + 1 }, { signal, onEvent, division })) {
    const draft = `${path}.${part.from}.part`;
    try {
      const afterWrite = createShipper(store, { part, signal, onEvent });
      const range = { from: part.from, to: part.end - 1, opening: false };
      await index({ ...options, ...range, path: draft, isShipped: true, afterWrite });
    } finally {
      for (const file of [...databaseFiles(draft), `${draft}.lock`]) rmSync(file, { force: true });
    }
  }
  await createPersist(store.server, { signal, onEvent })(() => store.refreshStatistics(true));
}

/** Creates a client of each node. The indexer repeats what fails, and knows where to: the clients do not. */
async function openClients(context: RunContext, settings: Settings): Promise<readonly ConnectedClient[]> {
  await context.printer.options();
  return Promise.all(
    nodesOptions(settings).map((rpc) => context.session.clientFor(settings, undefined, { rpc, retries: 0 })),
  );
}

/** Returns the name of `--index`, else that of the cluster or the host. */
function indexName(settings: Settings, { name }: NodeAddress): string {
  const typed = settings.get("index");
  return typed === undefined || typed === "off"
    ? name
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/^-/, "")
        .slice(0, 64)
    : typed;
}

/** Returns the range of slots: of a local validator, which keeps all of its few blocks, from the first block on. */
function rangeOptions({ from: typed, to, grpc }: IndexFlags, isLocal: boolean) {
  if (grpc !== undefined && to !== undefined)
    throw new UsageError("--grpc has new blocks only, and cannot be combined with --to", { hint: "Use one of them." });
  const from = typed ?? (isLocal ? "earliest" : undefined);
  const range: { from?: StartSlot; to?: number; follow?: boolean } = {
    ...(from === undefined ? {} : { from: parseStart(from) }),
    ...(to === undefined ? {} : isNow(to) ? { follow: false } : { to: parseSlot("--to", to, "a slot or now") }),
  };
  if (typeof range.from === "number" && range.to !== undefined && range.to < range.from) {
    throw new UsageError(`--to ${range.to} is before --from ${range.from}`);
  }
  return range;
}

function parseKept(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds >= MIN_KEPT_SECONDS) return seconds;
  throw new UsageError(`invalid value ${quoteText(text)} for --keep: expected a duration from 2d, such as 30d`);
}

const isNow = (text: string) => text.trim().toLowerCase() === "now";

function parseStart(text: string): StartSlot {
  const word = text.trim().toLowerCase();
  return word === "earliest" || word === "now" ? word : parseSlot("--from", text, "a slot, earliest or now");
}

function parseSlot(flag: string, text: string, expected: string): number {
  const digits = text.trim().replace(/[_,](?=\d{3}\b)/g, "");
  if (/^\d{1,15}$/.test(digits)) return Number(digits);
  throw new UsageError(`invalid value ${quoteText(text)} for ${flag}: expected ${expected}`);
}

async function filterOptions(
  context: RunContext,
  { program = [], account = [], mint = [] }: IndexFlags,
): Promise<IndexFilter> {
  const names = runNameResolver(context);
  const addresses = (flag: string, texts: readonly string[]) =>
    Promise.all(texts.map(async (text) => parseAddress(flag, (await names.resolve(text)) ?? text)));
  return {
    programs: await addresses("--program", program),
    accounts: await addresses("--account", account),
    mints: await addresses("--mint", mint),
  };
}

function parseAddress(flag: string, text: string): string {
  const { kind, value } = recognise(text);
  if (kind === "address") return value;
  throw new UsageError(`invalid value ${quoteText(text)} for ${flag}: expected a base58 address`);
}

/** Returns the commitment of blocks: finalized unless another one is set. */
function blockCommitment(settings: Settings): BlockCommitment {
  const { level } = settings.resolve("commitment");
  const commitment = level === "default" ? "finalized" : settings.get("commitment");
  if (commitment !== "processed") return commitment;
  throw new UsageError("blocks cannot be indexed with the commitment processed", {
    hint: "Set SOLX_COMMITMENT=confirmed, or finalized (default).",
  });
}

/** Milliseconds between two reports of progress. */
const DRAW_MS = 200;
const LINE_MS = 5000;

/** What is reported: also where monitoring asks. */
type ReportedEvent = IndexEvent | { readonly kind: "health"; readonly url: string };

/** Reports what an index does. */
export interface IndexReporter {
  readonly onEvent: (event: ReportedEvent) => void;
  /** Reports the last progress and erases the line. */
  end(): Promise<void>;
}

/**
 * Creates a reporter for the index in a file.
 * @param onClosed called when the reader of the output is gone
 */
export async function createIndexReporter(
  context: RunContext,
  path: string,
  onClosed: () => void,
): Promise<IndexReporter> {
  const free = await freeBytes(path);
  return canRedraw(context.io) ? redrawnLine(context, free) : jsonLines(context, free, onClosed);
}

async function freeBytes(path: string): Promise<number | undefined> {
  const about = await statfs(dirname(path)).catch(() => undefined);
  return about && about.bavail * about.bsize;
}

/** Returns the seconds of the cluster's time that fit on the disk at the measured growth. */
function spanOnDisk({ bytesPerDay }: IndexProgress, free: number | undefined): number | undefined {
  if (bytesPerDay === undefined || bytesPerDay <= 0 || free === undefined) return undefined;
  return Math.round((free / bytesPerDay) * DAY_SECONDS);
}

function progressLine(progress: IndexProgress, free?: number): string {
  const { slot, tip, lag, gaps, blocks, transactions, transactionsPerSecond, bytes, bytesPerTransaction } = progress;
  const span = spanOnDisk(progress, free);
  if (blocks === 0) return `Waiting for blocks after slot ${groupThousands(tip)}`;
  return [
    `Slot ${groupThousands(slot)}`,
    lag === 0 ? "at the tip" : `${pluralize(lag, "slot")} behind`,
    ...(gaps === 0 ? [] : [pluralize(gaps, "gap")]),
    pluralize(transactions, "transaction"),
    `${groupThousands(Math.round(transactionsPerSecond))}/s`,
    formatBytes(bytes),
    ...(bytesPerTransaction === undefined ? [] : [`${groupThousands(Math.round(bytesPerTransaction))} bytes each`]),
    ...(span === undefined ? [] : [`${formatSpan(span)} fit on the disk`]),
  ].join(", ");
}

function eventObject(event: ReportedEvent, free?: number): JsonObject {
  if (event.kind === "start")
    return { kind: "start", from: event.from, resumed: event.isResumed, genesis: event.genesisHash };
  if (event.kind !== "progress") return { ...event };
  const { progress, isAtTip } = event;
  const { blocks, transactions, rows, bytes, tip, gaps, missingSlots } = progress;
  // Before the first block of a run there is no slot to compare with the tip.
  const position = blocks === 0 ? { slot: null, tip, lag: null } : { slot: progress.slot, tip, lag: progress.lag };
  return {
    kind: "progress",
    ...position,
    at_tip: isAtTip,
    gaps,
    missing_slots: missingSlots,
    blocks,
    transactions,
    rows,
    transactions_per_second: Math.round(progress.transactionsPerSecond),
    rows_per_second: Math.round(progress.rowsPerSecond),
    bytes,
    bytes_per_transaction: rounded(progress.bytesPerTransaction),
    bytes_per_day: rounded(progress.bytesPerDay),
    seconds_on_disk: spanOnDisk(progress, free) ?? null,
  };
}

const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));

function redrawnLine(context: RunContext, free: number | undefined): IndexReporter {
  const line = context.globals.quiet ? undefined : getStatusLine(context).open();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    onEvent(event) {
      if (event.kind === "progress") {
        if (performance.now() - drawnAt < DRAW_MS) return;
        drawnAt = performance.now();
        line?.show(progressLine(event.progress, free));
        return;
      }
      const text = eventText(event);
      if (text !== undefined) context.reporter.defer(() => context.reporter.note(text));
    },
    async end() {
      line?.close();
      await context.reporter.flush();
    },
  };
}

function eventText(event: Exclude<ReportedEvent, { readonly kind: "progress" }>): string | undefined {
  switch (event.kind) {
    case "start":
      return `${event.isResumed ? "Continuing" : "Indexing"} from ${event.from === "now" ? "the next block" : event.from === "earliest" ? "the first block" : `slot ${groupThousands(event.from)}`}. Ctrl-C stops.`;
    case "rollback":
      return `The cluster dropped the blocks from slot ${groupThousands(event.slot)} on: they were removed.`;
    case "gap": {
      const slots = `slots ${groupThousands(event.from)} to ${groupThousands(event.to)}`;
      return `No block of ${slots} (${event.reason}): the index has a gap there, and asks again until it is filled.`;
    }
    case "filled":
      return `The gap from slot ${groupThousands(event.from)} to ${groupThousands(event.to)} is filled.`;
    case "note":
      return event.text;
    case "waiting":
      return `${event.node} does not answer: ${event.text} Trying again until it does; Ctrl-C stops.`;
    case "recovered":
      return `${event.node} answers again, after ${formatSpan(event.seconds)}.`;
    case "failover":
      return `${event.to} takes over from ${event.from}: ${event.text}`;
    case "health":
      return `Monitoring: ${event.url}/metrics and ${event.url}/health.`;
    case "excluded":
      return `${event.node} belongs to another cluster: it is not used.`;
  }
}

function jsonLines(context: RunContext, free: number | undefined, onClosed: () => void): IndexReporter {
  let writing = Promise.resolve();
  let printedAt = Number.NEGATIVE_INFINITY;
  let latest: ReportedEvent | undefined;
  const print = (event: ReportedEvent) => {
    latest = undefined;
    writing = writing
      .then(() => context.printer.printText(`${stringifyJson(eventObject(event, free))}\n`))
      .catch(onClosed);
  };
  return {
    onEvent(event) {
      if (event.kind !== "progress") return print(event);
      latest = event;
      if (performance.now() - printedAt < LINE_MS) return;
      printedAt = performance.now();
      print(event);
    },
    async end() {
      if (latest) print(latest);
      await writing;
    },
  };
}
