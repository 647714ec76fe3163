/** `solx overview`: the chain at a glance, and what to type next. */
import { AuthError, IncompleteError, SolxError } from "../base/errors.ts";
import { isNumeric, isObject, type Json, type JsonObject, numericText } from "../base/json.ts";
import { shellWord } from "../catalogue/command-line.ts";
import type { Column, Endpoint, Family } from "../catalogue/endpoint.ts";
import { endpointByPath } from "../catalogue/index.ts";
import type { Client } from "../client/index.ts";
import { printRequests, shownAs } from "./answers.ts";
import type { Frame } from "./frame.ts";
import { programName } from "./program-name.ts";

/** Transactions that the busiest wallet is looked for in. */
const SAMPLE = 100;
/** Rows of a section on a terminal with few lines, and with this many or more. */
const FEW_ROWS = 4;
const MANY_ROWS = 8;
const TALL = 40;
const WIDE = 100;
/** Commands that are suggested. */
const NEXT = 3;

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
export async function overview(frame: Frame): Promise<void> {
  const client = await frame.client();
  if (frame.globals.dryRun || frame.globals.curl) {
    return printRequests(
      frame,
      PART_NAMES.map((part) => client.prepare(endpointOf(part), PARTS[part][2])),
    );
  }
  const failed = new Map<Part, SolxError>();
  const view = await look(frame, client, failed);
  if ((await frame.format()) === "table") await draw(frame, view);
  else await frame.printObject({ ...view, next: await nextOf(frame, view) });
  if (failed.size === 0) return;
  for (const [part, { message }] of failed) await frame.note(`No ${part}: ${message}`);
  throw new IncompleteError(`${failed.size} of ${PART_NAMES.length} parts could not be had.`, { code: "PARTIAL" });
}

function endpointOf(part: Part): Endpoint {
  const [family, path] = PARTS[part];
  return endpoint(family, path);
}

function endpoint(family: Family, path: string): Endpoint {
  const found = endpointByPath(family, path);
  if (!found) throw new SolxError("unexpected", `The catalogue has no ${path}.`);
  return found;
}

async function look(frame: Frame, client: Client, failed: Map<Part, SolxError>): Promise<View> {
  const { signal } = frame.io;
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
    blocks: blocks?.rows ?? [],
    trending: await withPrices(frame, client, trending?.rows ?? []),
    top: (top?.rows ?? []).slice(0, 10),
    wallet: busiest(transactions?.rows ?? []),
  };
}

/** The tokens with what their metadata says of price and volume; those of which nothing is known stay as they are. */
async function withPrices(frame: Frame, client: Client, tokens: Rows): Promise<Rows> {
  const known = new Map<string, JsonObject>();
  const addresses = tokens.map(({ address }) => String(address));
  try {
    const { signal } = frame.io;
    for await (const { input, data } of client.many(endpoint("v2", "/token/meta"), addresses, {}, { signal })) {
      if (isObject(data ?? null)) known.set(input, data as JsonObject);
    }
  } catch (error) {
    if (!(error instanceof SolxError) || frame.io.signal.aborted) throw error;
    await frame.note(`No prices: ${error.message}`);
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

async function draw(frame: Frame, view: View): Promise<void> {
  const { stdout } = frame.io;
  const { width, tty } = await frame.outputOptions();
  const isTall = !tty || (stdout.rows ?? 0) >= TALL;
  const isWide = width >= WIDE;
  const show = async (rows: Rows, path: string, columns: readonly Column[], count = isTall ? MANY_ROWS : FEW_ROWS) => {
    if (rows.length === 0) return;
    await frame.text("\n");
    await frame.print({ kind: "object", value: rows.slice(0, count) }, { ...shownAs(endpoint("v2", path)), columns });
  };
  await frame.text(`${chainLine(view, (await frame.settings()).sandbox)}\n`);
  await show(view.blocks, "/block/last", blockColumns(isWide), isTall ? 5 : 3);
  await show(view.trending, "/token/meta", tokenColumns("trending", "price_change_24h", isWide));
  await show(view.top, "/token/top", tokenColumns("top tokens", "price_24h_change", isWide));
  const fitting = (await nextOf(frame, view)).filter((line) => line.length <= width).slice(0, NEXT);
  const title = view.wallet === null ? "Go on with:" : `Go on with ${view.wallet}, busy now:`;
  await frame.text(`\n${title}\n${fitting.map((line) => `${line}\n`).join("")}`);
}

function blockColumns(isWide: boolean): readonly Column[] {
  return [
    { path: "current_slot", head: "latest blocks" },
    "block_time",
    { path: "transactions_count", head: "transactions" },
    "fee_rewards",
    ...(isWide ? ["blockhash"] : []),
  ];
}

function tokenColumns(title: string, change: string, isWide: boolean): readonly Column[] {
  const market = [{ path: "market_cap", head: "market cap" }, "holder"];
  return [
    { path: "symbol", head: title },
    ...(isWide ? ["name"] : []),
    "price",
    { path: change, head: "24h" },
    ...(isWide ? market : market.slice(0, 1)),
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
async function nextOf(frame: Frame, { wallet, trending, top, blocks }: View): Promise<string[]> {
  const { sandbox, profile, baseUrl } = frame.globals;
  const mint = (trending[0] ?? top[0])?.address;
  const slot = blocks[0]?.current_slot;
  const where = [
    ...(sandbox ? ["--sandbox"] : []),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(baseUrl === undefined ? [] : ["--base-url", baseUrl]),
  ];
  const lines: readonly (readonly (Json | undefined)[])[] = [
    ["show", wallet],
    ["account", "transfer", wallet],
    ["token", "meta", mint],
    ["block", "transactions", slot],
    ["token", "markets", mint],
    ["account", "portfolio", wallet],
  ];
  const known = lines.filter((words) => words.every((word) => word !== null && word !== undefined));
  return known.map((words) => [...programName(frame.io), ...words.map(String), ...where].map(shellWord).join(" "));
}
