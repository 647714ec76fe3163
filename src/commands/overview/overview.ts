/** `solx overview`: a summary of the chain with suggested commands. */
import {
  AuthError,
  groupThousands,
  IncompleteError,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  omitUndefined,
  SolxError,
  UsageError,
} from "../../base/index.ts";
import type { Column, Endpoint, Family } from "../../catalogue/index.ts";
import { isTable } from "../../output/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import { displayFor, endpointAt } from "../endpoint/answers.ts";
import { printRequests } from "../endpoint/preview.ts";
import { parseNumberOption } from "../number-option.ts";
import type { RunContext } from "../run/context.ts";
import { answeredBy, sourceOf } from "../run/data-source.ts";
import { suggestCommand } from "../run/printed-command.ts";

/** Number of latest transactions in which the busiest wallet is determined. */
const SAMPLE_SIZE = 100;
const MAX_ROWS = 10;

/**
 * How much is printed: the number of blocks, tokens of a list and suggested commands, and whether there are empty lines
 * around and between the tables.
 */
interface OverviewSize {
  readonly blocks: number;
  readonly tokens: number;
  readonly next: number;
  readonly hasMargins: boolean;
  readonly hasGaps: boolean;
}

/** Sizes by the minimum number of terminal lines; the command line and the next prompt are among these. */
const SIZES: readonly (readonly [lines: number, size: OverviewSize])[] = [
  [40, { blocks: 5, tokens: 8, next: 3, hasMargins: true, hasGaps: true }],
  [30, { blocks: 3, tokens: 4, next: 3, hasMargins: true, hasGaps: true }],
  [20, { blocks: 2, tokens: 3, next: 3, hasMargins: true, hasGaps: false }],
];
const SMALLEST: OverviewSize = { blocks: 1, tokens: 2, next: 1, hasMargins: false, hasGaps: false };
/** Lines of a terminal that does not report its size. */
const DEFAULT_LINES = 24;
const WIDE = 100;
const NARROW = 70;

type ObjectRows = readonly JsonObject[];

interface OverviewData {
  readonly chain: JsonObject | null;
  readonly blocks: ObjectRows;
  readonly trending: ObjectRows;
  readonly top: ObjectRows;
  readonly wallet: string | null;
}

const PARTS = {
  chain: ["public", "/chaininfo", {}],
  blocks: ["v2", "/block/last", { limit: 10 }],
  trending: ["v2", "/token/trending", { limit: 10 }],
  top: ["v2", "/token/top", {}],
  transactions: ["v2", "/transaction/last", { limit: SAMPLE_SIZE, filter: "exceptVote" }],
} as const satisfies Readonly<Record<string, readonly [Family, string, Readonly<Record<string, unknown>>]>>;

type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as readonly Part[];

/** Prints the overview; parts that failed are reported at the end. */
export async function overview(context: RunContext): Promise<void> {
  const limit = parseLimit(context);
  const client = await context.session.client();
  if (context.globals.dryRun || context.globals.curl) {
    return printRequests(
      context,
      (await answeredParts(context)).map((part) => client.prepare(endpointOf(part), PARTS[part][2])),
    );
  }
  const failed = new Map<Part, SolxError>();
  const parts = await answeredParts(context);
  const data = await fetchParts(context, client, { parts, count: limit ?? MAX_ROWS, failed });
  if (isTable(await context.printer.format())) await draw(context, data, limit);
  else await context.printer.printObject({ ...data, next: await nextCommands(context, data) });
  if (failed.size === 0) return;
  for (const [part, { message }] of failed) await context.reporter.note(`No ${part}: ${message}`);
  throw new IncompleteError(`${failed.size} of ${parts.length} parts could not be fetched.`, { code: "PARTIAL" });
}

/** Returns the parts that are fetched: not every source knows all of them. */
async function answeredParts(context: RunContext): Promise<readonly Part[]> {
  const isAnswered = answeredBy(await context.session.settings());
  return PART_NAMES.filter((part) => isAnswered(endpointOf(part)));
}

function parseLimit({ globals: { limit, all } }: RunContext): number | undefined {
  if (all) throw new UsageError("overview does not support --all: it prints only the first rows of each list.");
  return limit === undefined ? undefined : parseNumberOption("--limit", limit, { min: 1, max: MAX_ROWS });
}

function endpointOf(part: Part): Endpoint {
  const [family, path] = PARTS[part];
  return endpointAt(path, family);
}

async function fetchParts(
  context: RunContext,
  client: ConnectedClient,
  {
    parts,
    count,
    failed,
  }: { readonly parts: readonly Part[]; readonly count: number; readonly failed: Map<Part, SolxError> },
): Promise<OverviewData> {
  const { signal } = context.io;
  const fetchPart = async (part: Part) => {
    if (!parts.includes(part)) return { data: null, rows: [] };
    try {
      const answer = await client.fetch(endpointOf(part), PARTS[part][2], { signal });
      return { data: answer.data, rows: (answer.rows ?? []).filter(isObject) };
    } catch (error) {
      // Without a key, all other requests fail too.
      if (!(error instanceof SolxError) || error instanceof AuthError || signal.aborted) throw error;
      failed.set(part, error);
      return { data: null, rows: [] };
    }
  };
  const [chain, blocks, trending, top, transactions] = await Promise.all(PART_NAMES.map(fetchPart));
  if (failed.size === parts.length) throw failed.values().next().value;
  return {
    chain: isObject(chain?.data) ? chain.data : null,
    blocks: (blocks?.rows ?? []).slice(0, count),
    trending: await withPrices(context, client, (trending?.rows ?? []).slice(0, count)),
    top: (top?.rows ?? []).slice(0, count),
    wallet: busiestWallet(transactions?.rows ?? []),
  };
}

/** Adds price and volume from the metadata of each token; tokens without metadata stay unchanged. */
async function withPrices(context: RunContext, client: ConnectedClient, tokens: ObjectRows): Promise<ObjectRows> {
  const known = new Map<string, JsonObject>();
  const addresses = tokens.map(({ address }) => String(address));
  try {
    const { signal } = context.io;
    for await (const { input, data } of client.many(
      endpointAt("/token/meta"),
      addresses,
      {},
      { signal, priority: "interactive" },
    )) {
      if (isObject(data)) known.set(input, data);
    }
  } catch (error) {
    if (!(error instanceof SolxError) || context.io.signal.aborted) throw error;
    await context.reporter.note(`No prices: ${error.message}`);
  }
  return tokens.map((token) => {
    const { price, price_change_24h, volume_24h, market_cap, holder } = known.get(String(token.address)) ?? {};
    return { ...token, ...omitUndefined({ price, price_change_24h, volume_24h, market_cap, holder }) };
  });
}

/** Returns the wallet that signed most of the latest transactions. */
function busiestWallet(transactions: ObjectRows): string | null {
  const occurrences = new Map<string, number>();
  for (const { signer } of transactions) {
    const first = Array.isArray(signer) ? signer[0] : signer;
    if (typeof first === "string") occurrences.set(first, (occurrences.get(first) ?? 0) + 1);
  }
  const [busiest] = [...occurrences].sort(([, a], [, b]) => b - a);
  return busiest?.[0] ?? null;
}

async function draw(context: RunContext, data: OverviewData, limit: number | undefined): Promise<void> {
  const { width, isTerminal, tableStyle } = await context.printer.options();
  const settings = await context.session.settings();
  const size = sizeFor(isTerminal ? (context.io.stdout.rows ?? DEFAULT_LINES) : Number.POSITIVE_INFINITY);
  // The sections fit a screen without borders, unless a style is requested.
  const destination = { options: { tableStyle: tableStyle === "auto" ? "plain" : tableStyle } } as const;
  const printSection = async (rows: ObjectRows, path: string, columns: readonly Column[], count: number) => {
    if (rows.length === 0) return;
    const visible = rows.slice(0, limit ?? count);
    if (size.hasGaps) await context.printer.printText("\n");
    const display = { ...displayFor(endpointAt(path)), columns };
    await context.printer.print({ kind: "object", value: visible }, display, destination);
  };
  await context.printer.printText(
    `${chainLine(data, sourceOf(settings).facts.title)}\n${size.hasMargins && !size.hasGaps ? "\n" : ""}`,
  );
  await printSection(data.blocks, "/block/last", blockColumns(width), size.blocks);
  await printSection(data.trending, "/token/meta", tokenColumns("trending", "price_change_24h", width), size.tokens);
  await printSection(data.top, "/token/top", tokenColumns("top tokens", "price_24h_change", width), size.tokens);
  const [first, ...others] = await nextCommands(context, data);
  if (first === undefined) return;
  // The first command is always printed, even if it wraps; the others only if they fit.
  const lines = [first, ...others.filter((line) => line.length <= width)].slice(0, size.next);
  const title = data.wallet === null ? "Next:" : "Next, with a wallet that is active now:";
  await context.printer.printText(`${size.hasMargins ? "\n" : ""}${[title, ...lines].join("\n")}\n`);
}

const sizeFor = (lines: number): OverviewSize => SIZES.find(([minLines]) => lines >= minLines)?.[1] ?? SMALLEST;

function blockColumns(width: number): readonly Column[] {
  return [
    { path: "current_slot", head: "latest blocks" },
    "block_time",
    { path: "transactions_count", head: "transactions" },
    "fee_rewards",
    ...(width >= WIDE ? ["blockhash"] : []),
  ];
}

function tokenColumns(title: string, change: string, width: number): readonly Column[] {
  const isWide = width >= WIDE;
  const market = [{ path: "market_cap", head: "market cap" }, "holder"];
  return [
    { path: "symbol", head: title },
    ...(isWide ? ["name"] : []),
    "price",
    { path: change, head: "24h" },
    ...(isWide ? market : market.slice(0, width < NARROW ? 0 : 1)),
    "address",
  ];
}

function chainLine({ chain }: OverviewData, title: string): string {
  const formatFact = (name: string) => {
    const value = chain?.[name];
    return isNumeric(value) ? groupThousands(numericText(value)) : "-";
  };
  const facts = [
    `slot ${formatFact("absoluteSlot")}`,
    `epoch ${formatFact("currentEpoch")}`,
    `${formatFact("transactionCount")} txs`,
  ];
  return [title, ...(chain ? facts : [])].join(" · ");
}

async function nextCommands(context: RunContext, { wallet, trending, top, blocks }: OverviewData): Promise<string[]> {
  const mint = (trending[0] ?? top[0])?.address;
  const slot = blocks[0]?.current_slot;
  const lines: readonly (readonly (Json | undefined)[])[] = [
    ["show", wallet],
    ["account", "transfer", wallet],
    ["token", "meta", mint],
    ["block", "transactions", slot],
    ["token", "markets", mint],
    ["account", "portfolio", wallet],
  ];
  const known = lines.filter((words) => words.every((word) => word !== null && word !== undefined));
  return known.map((words) => suggestCommand(context, words.map(String)));
}
