/** `solx overview`: the chain at a glance, and what to type next. */
import { AuthError, IncompleteError, SolxError, UsageError } from "../../base/errors.ts";
import { isNumeric, isObject, type Json, type JsonObject, numericText } from "../../base/json.ts";
import type { Column, Endpoint, Family } from "../../catalogue/endpoint.ts";
import { integer } from "../../catalogue/param.ts";
import { problemOf } from "../../catalogue/validate.ts";
import type { Client } from "../../client/index.ts";
import { displayFor, endpointAt, printRequests } from "../endpoint/answers.ts";
import type { RunContext } from "../run/context.ts";
import { suggestCommand } from "../run/program-name.ts";

/** Transactions that the busiest wallet is looked for in. */
const SAMPLE = 100;
/** Rows of a section at most. */
const MOST_ROWS = 10;

/** How much is shown: blocks, tokens of a list, commands, and whether lines around and between the tables stay empty. */
interface Room {
  readonly blocks: number;
  readonly tokens: number;
  readonly next: number;
  readonly around: boolean;
  readonly between: boolean;
}

/** By the lines of the terminal, which the line that started it and the next prompt share. */
const ROOMS: readonly (readonly [lines: number, room: Room])[] = [
  [40, { blocks: 5, tokens: 8, next: 3, around: true, between: true }],
  [30, { blocks: 3, tokens: 4, next: 3, around: true, between: true }],
  [20, { blocks: 2, tokens: 3, next: 3, around: true, between: false }],
];
const LEAST: Room = { blocks: 1, tokens: 2, next: 1, around: false, between: false };
/** Lines of a terminal that does not tell. */
const USUAL_LINES = 24;
const WIDE = 100;
const NARROW = 70;

type Rows = readonly JsonObject[];

/** What was found. */
interface View {
  readonly chain: JsonObject | null;
  readonly blocks: Rows;
  readonly trending: Rows;
  readonly top: Rows;
  readonly wallet: string | null;
}

const PARTS = {
  chain: ["public", "/chaininfo", {}],
  blocks: ["v2", "/block/last", { limit: 10 }],
  trending: ["v2", "/token/trending", { limit: 10 }],
  top: ["v2", "/token/top", {}],
  transactions: ["v2", "/transaction/last", { limit: SAMPLE, filter: "exceptVote" }],
} as const satisfies Readonly<Record<string, readonly [Family, string, Readonly<Record<string, unknown>>]>>;

type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as readonly Part[];

/** Shows the overview; a part that could not be had is told at the end. */
export async function overview(context: RunContext): Promise<void> {
  const limit = limitOf(context);
  const client = await context.client();
  if (context.globals.dryRun || context.globals.curl) {
    return printRequests(
      context,
      PART_NAMES.map((part) => client.prepare(endpointOf(part), PARTS[part][2])),
    );
  }
  const failed = new Map<Part, SolxError>();
  const view = await look(context, client, limit ?? MOST_ROWS, failed);
  if ((await context.format()) === "table") await draw(context, view, limit);
  else await context.printObject({ ...view, next: await nextOf(context, view) });
  if (failed.size === 0) return;
  for (const [part, { message }] of failed) await context.reporter.note(`No ${part}: ${message}`);
  throw new IncompleteError(`${failed.size} of ${PART_NAMES.length} parts could not be had.`, { code: "PARTIAL" });
}

/** The rows of each section that are asked for. */
function limitOf({ globals: { limit, all } }: RunContext): number | undefined {
  if (all) throw new UsageError("overview shows parts of lists; it has no --all.");
  if (limit === undefined) return undefined;
  const problem = problemOf("limit", integer("", { min: 1, max: MOST_ROWS }), limit);
  if (problem !== undefined) throw new UsageError(problem);
  return Number(limit);
}

function endpointOf(part: Part): Endpoint {
  const [family, path] = PARTS[part];
  return endpointAt(path, family);
}

async function look(context: RunContext, client: Client, count: number, failed: Map<Part, SolxError>): Promise<View> {
  const { signal } = context.io;
  const ask = async (part: Part) => {
    try {
      const answer = await client.fetch(endpointOf(part), PARTS[part][2], { signal });
      return { data: answer.data, rows: (answer.rows ?? []).filter(isObject) };
    } catch (error) {
      // Without a key nothing else will be answered either.
      if (!(error instanceof SolxError) || error instanceof AuthError || signal.aborted) throw error;
      failed.set(part, error);
      return { data: null, rows: [] };
    }
  };
  const [chain, blocks, trending, top, transactions] = await Promise.all(PART_NAMES.map(ask));
  if (failed.size === PART_NAMES.length) throw failed.values().next().value;
  return {
    chain: isObject(chain?.data ?? null) ? (chain?.data as JsonObject) : null,
    blocks: (blocks?.rows ?? []).slice(0, count),
    trending: await withPrices(context, client, (trending?.rows ?? []).slice(0, count)),
    top: (top?.rows ?? []).slice(0, count),
    wallet: busiest(transactions?.rows ?? []),
  };
}

/** The tokens with what their metadata says of price and volume; those of which nothing is known stay as they are. */
async function withPrices(context: RunContext, client: Client, tokens: Rows): Promise<Rows> {
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
      if (isObject(data ?? null)) known.set(input, data as JsonObject);
    }
  } catch (error) {
    if (!(error instanceof SolxError) || context.io.signal.aborted) throw error;
    await context.reporter.note(`No prices: ${error.message}`);
  }
  return tokens.map((token) => {
    const { price, price_change_24h, volume_24h, market_cap, holder } = known.get(String(token.address)) ?? {};
    const facts = Object.entries({ price, price_change_24h, volume_24h, market_cap, holder });
    return { ...token, ...Object.fromEntries(facts.filter(([, value]) => value !== undefined)) } as JsonObject;
  });
}

/** Who signed most of the latest transactions. */
function busiest(transactions: Rows): string | null {
  const counts = new Map<string, number>();
  for (const { signer } of transactions) {
    const first = Array.isArray(signer) ? signer[0] : signer;
    if (typeof first === "string") counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

async function draw(context: RunContext, view: View, limit: number | undefined): Promise<void> {
  const { width, tty } = await context.outputOptions();
  const { sandbox } = await context.settings();
  const room = roomOf(tty ? (context.io.stdout.rows ?? USUAL_LINES) : Number.POSITIVE_INFINITY);
  const show = async (rows: Rows, path: string, columns: readonly Column[], count: number) => {
    if (rows.length === 0) return;
    const shown = rows.slice(0, limit ?? count);
    if (room.between) await context.printText("\n");
    await context.print({ kind: "object", value: shown }, { ...displayFor(endpointAt(path)), columns });
  };
  await context.printText(`${chainLine(view, sandbox)}\n${room.around && !room.between ? "\n" : ""}`);
  await show(view.blocks, "/block/last", blockColumns(width), room.blocks);
  await show(view.trending, "/token/meta", tokenColumns("trending", "price_change_24h", width), room.tokens);
  await show(view.top, "/token/top", tokenColumns("top tokens", "price_24h_change", width), room.tokens);
  const [first, ...others] = await nextOf(context, view);
  if (first === undefined) return;
  // The first one may take two lines; it is what the heading promises.
  const lines = [first, ...others.filter((line) => line.length <= width)].slice(0, room.next);
  const title = view.wallet === null ? "Go on with:" : "Go on with a wallet that is busy now:";
  await context.printText(`${room.around ? "\n" : ""}${[title, ...lines].join("\n")}\n`);
}

const roomOf = (lines: number): Room => ROOMS.find(([least]) => lines >= least)?.[1] ?? LEAST;

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

function chainLine({ chain }: View, sandbox: boolean): string {
  const told = (name: string) => {
    const value = chain?.[name];
    return isNumeric(value) ? numericText(value).replace(/\B(?=(\d{3})+$)/g, ",") : "-";
  };
  const facts = [`slot ${told("absoluteSlot")}`, `epoch ${told("currentEpoch")}`, `${told("transactionCount")} txs`];
  return [sandbox ? "The sandbox (made-up data)" : "Solana", ...(chain ? facts : [])].join(" · ");
}

/** Commands that work as they are, here and now. */
async function nextOf(context: RunContext, { wallet, trending, top, blocks }: View): Promise<string[]> {
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
