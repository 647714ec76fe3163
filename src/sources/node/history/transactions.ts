/** Transactions by their signatures, those of accounts, and the newest ones. */
import { Buffer } from "node:buffer";
import { isArray, isObject, type Json, type JsonObject, splitIntoBatches, UsageError } from "../../../base/index.ts";
import { emptyData, type QueryResult } from "../../../catalogue/index.ts";
import { type ChainTransaction, decodeTransaction } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer, NodeAnswersByRoute, ReadContext } from "../answer.ts";
import { listTokenAccounts } from "../calls/accounts.ts";
import { BalanceChain } from "../calls/balances.ts";
import { type BlockLink, checkChain, readBlock, reportEnd, requireBlock, slotsBackwards } from "../calls/blocks.ts";
import { MAX_SIGNATURES, SignatureReader, type SignatureRow } from "../calls/signatures.ts";
import {
  checkListed,
  type NodeTransaction,
  readEncoded,
  readListed,
  readTransactions,
  requireListed,
  type TransactionEncoding,
  withFailure,
} from "../calls/transactions.ts";
import { type FeedState, SignatureFeed } from "../walk/signatures.ts";
import { readLatest, rowsOfBlock } from "./blocks.ts";
import { answerFromTransactions, reportPartial } from "./ledger.ts";

const SIGNATURE_PARAMETERS: Readonly<Record<string, string>> = { "transaction-detail": "signature" };

/** Reads the requested transactions; those that the node does not know are left out, as the API does, and reported. */
const transactions: NodeAnswer = async (context) => {
  const { endpoint, params } = context;
  const signatures = [...new Set(params.list(SIGNATURE_PARAMETERS[endpoint.route] ?? "tx"))];
  const read = await readTransactions(
    context,
    signatures.map((signature) => ({ signature })),
  );
  const matches = read.filter((transaction) => transaction !== undefined);
  if (matches.length === 0) return { data: emptyData(endpoint.returns) };
  const unknown = signatures.filter((_, at) => read[at] === undefined);
  if (unknown.length > 0) {
    const text = `The node has no data for ${unknown.length} of ${signatures.length} transactions: ${unknown.join(", ")}.`;
    context.report?.({ type: "coverage", text });
  }
  const chain = matches.map(({ transaction }) => transaction);
  return withStatus(await answerFromTransactions(context, chain), matches);
};

/** Replaces the status of transactions that are not finalised. */
function withStatus(result: QueryResult, transactions: readonly NodeTransaction[]): QueryResult {
  const confirmed = new Set(
    transactions.filter(({ isFinal }) => !isFinal).map(({ transaction }) => transaction.signatures[0]),
  );
  if (confirmed.size === 0 || "csv" in result) return result;
  const statusOf = (row: Json): Json => {
    if (!isObject(row) || row.tx_status === undefined) return row;
    return typeof row.tx_hash === "string" && confirmed.has(row.tx_hash) ? { ...row, tx_status: "confirmed" } : row;
  };
  return { ...result, data: Array.isArray(result.data) ? result.data.map(statusOf) : statusOf(result.data) };
}

const DEFAULT_LIMIT = 10;

/** `/transaction/last`. */
const last: NodeAnswer = async (context) => {
  const { params } = context;
  const count = params.integer("limit") ?? DEFAULT_LIMIT;
  const latest = await readLatest(context, { count, withVotes: params.text("filter") === "all", details: "full" });
  return answerFromTransactions(context, latest.toReversed());
};

/** The legacy `/transaction/last`: as the node returns them, votes included. */
const legacyLast: NodeAnswer = async (context) => {
  const count = context.params.integer("limit") ?? DEFAULT_LIMIT;
  const rows: JsonObject[] = [];
  let last: BlockLink | undefined;
  for await (const slot of slotsBackwards(context, 1)) {
    const read = await readBlock(context, slot, "full", "jsonParsed");
    const { block, result } = requireBlock(read, slot);
    checkChain(last ? [last, block] : [block]);
    last = block;
    rows.push(...rowsOfBlock(result, block).toReversed());
    if (rows.length >= count) break;
  }
  if (rows.length < count) reportEnd(context, last);
  return { data: rows.slice(0, count) };
};

/** The transactions before a cursor, by the same query as in an index. */
const transactionsOf =
  (subject: string, cursor: string): NodeAnswer =>
  async (context) => {
    const { params } = context;
    const limit = params.integer("limit") ?? DEFAULT_LIMIT;
    const [address, before] = [params.required(subject), params.text(cursor)];
    const reader = new SignatureReader(context, address, { before });
    const rows = (await reader.take(limit)).slice(0, limit);
    const chain = (await readListed(context, rows)).map(({ transaction }) => transaction);
    const balances = new BalanceChain(context, { isNewestFirst: true });
    await balances.continueAfter({ [address]: before });
    for (const transaction of chain) balances.add(transaction, (account) => account === address);
    if (reader.done) await balances.end();
    return answerFromTransactions(context, chain.reverse(), { [cursor]: undefined });
  };

/** Filters that need the content of a transaction. */
const CONTENT_FILTERS = ["program", "instruction", "token", "signer"] as const;

/** Parameters that end a list before the first transaction of its account. */
const LOWER_BOUNDS = ["from_time", "from_slot", "from_signature"] as const;

/** Signatures of one step where transactions are filtered by their content. */
const STEP = 50;

/** Where a page of `transactions/enhanced` ends. */
interface Cursor {
  readonly feed: FeedState | null;
  /** Transactions after that position that earlier pages had. */
  readonly skip: number;
}

const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** @throws UsageError for a text that is not a cursor of a node's pages */
function decodeCursor(text: string | undefined): Cursor {
  if (text === undefined) return { feed: null, skip: 0 };
  try {
    const cursor = JSON.parse(Buffer.from(text, "base64url").toString()) as Cursor;
    if (isObject(cursor.feed?.lists ?? {}) && Number.isSafeInteger(cursor.skip)) return cursor;
  } catch {
    // Reported below.
  }
  throw new UsageError("The cursor is not that of a page from a node.", {
    code: "BAD_CURSOR",
    hint: "Without a cursor the list starts with the newest transaction.",
  });
}

/** `/account/transactions/enhanced`: the node's own form, selected by the same query as in an index. */
const enhanced: NodeAnswer = async (context) => {
  const { params } = context;
  const limit = params.integer("limit") ?? DEFAULT_LIMIT;
  const cursor = decodeCursor(params.text("cursor"));
  const feed = await openFeed(context, cursor.feed ?? undefined);
  const isFiltered = CONTENT_FILTERS.some((name) => params.list(name).length > 0);
  const page: SignatureRow[] = [];
  let { feed: position, skip } = cursor;
  let previous = position?.lists[params.required("address")];
  const answer = async (end: Cursor | null) => ({
    data: {
      transactions: await readForms(context, page, { feed, previous, isEnd: end === null }),
      cursor: end && encodeCursor(end),
    },
  });
  for (;;) {
    const known = await feed.peek(skip + (isFiltered ? STEP : limit - page.length));
    const rows = known.slice(skip);
    if (skip > 0) previous = known[skip - 1]?.signature;
    if (rows.length === 0) return answer(null);
    const selected = await selectRows(context, rows, isFiltered);
    const next = selected[limit - page.length];
    page.push(...selected.slice(0, limit - page.length));
    if (next) return answer({ feed: position, skip: skip + rows.indexOf(next) });
    feed.drop(rows);
    [position, skip] = [feed.state(), 0];
    if (page.length < limit) continue;
    const hasMore = (await feed.peek(1)).length > 0;
    return answer(hasMore ? { feed: position, skip } : null);
  }
};

async function openFeed(context: AnswerContext, resume: FeedState | undefined): Promise<SignatureFeed> {
  const { params } = context;
  const address = params.required("address");
  const others = params.flag("token_account") && !resume ? await listTokenAccounts(context, address) : [];
  return new SignatureFeed(context, {
    addresses: [address, ...others],
    direction: "newest",
    window: [params.integer("from_time"), params.integer("to_time")],
    before: params.text("to_signature"),
    until: params.text("from_signature"),
    resume,
  });
}

/** Returns the rows that pass the filters, in the same order. */
async function selectRows(
  context: AnswerContext,
  rows: readonly SignatureRow[],
  isFiltered: boolean,
): Promise<readonly SignatureRow[]> {
  const { params } = context;
  const [from, to] = [params.text("from_slot"), params.text("to_slot")].map((slot) => slot && BigInt(slot));
  const inRange = rows.filter(({ slot }) => (!from || BigInt(slot) > from) && (!to || BigInt(slot) < to));
  const status = params.text("status") === undefined ? undefined : params.flag("status");
  const candidates = inRange.filter(({ failed }) => status === undefined || failed !== status);
  if (!isFiltered || candidates.length === 0) return candidates;
  const chain = (await readListed(context, candidates)).map(({ transaction }) => transaction);
  const result = await answerFromTransactions(context, chain.reverse(), CONTENT_ONLY);
  const passed = new Set("data" in result ? signaturesIn(result.data) : []);
  return candidates.filter(({ signature }) => passed.has(signature));
}

/** Leaves of a request the filters that need the content of a transaction. */
const CONTENT_ONLY = {
  ...Object.fromEntries(
    ["from_time", "to_time", "from_slot", "to_slot", "from_signature", "to_signature", "cursor", "status"].map(
      (name) => [name, undefined],
    ),
  ),
  encoding: ["json"],
  limit: [String(STEP * STEP)],
};

function signaturesIn(data: Json): readonly string[] {
  const rows = isObject(data) ? data.transactions : [];
  return (isArray(rows) ? rows : []).flatMap((row) => {
    const transaction = isObject(row) ? row.transaction : undefined;
    const signatures = isObject(transaction) ? transaction.signatures : undefined;
    return isArray(signatures) && typeof signatures[0] === "string" ? [signatures[0]] : [];
  });
}

/** The place of a page in its list: the signature of the row before it, and whether none follows. */
interface PagePlace {
  readonly feed: SignatureFeed;
  readonly previous: string | null | undefined;
  readonly isEnd: boolean;
}

/** Reads transactions in the requested encoding, as the node returns them. */
async function readForms(
  context: AnswerContext,
  rows: readonly SignatureRow[],
  { feed, previous, isEnd }: PagePlace,
): Promise<readonly JsonObject[]> {
  const { params } = context;
  const [encoding, address] = [params.required("encoding") as TransactionEncoding, params.required("address")];
  const forms = await readEncoded(context, rows, encoding);
  const balances = new BalanceChain(context, { isNewestFirst: true });
  // Of a selection, others lie between.
  const isWhole = [...CONTENT_FILTERS, "status"].every((name) => params.list(name).length === 0);
  if (isWhole) await balances.continueAfter({ [address]: previous });
  const transactions = rows.map((row, at) => {
    const form = requireListed(forms[at]?.result, row);
    const transaction = decodeTransaction(form, row) as ChainTransaction;
    checkListed(transaction, row);
    feed.checkTime(row, transaction);
    reportPartial(context, [transaction]);
    if (isWhole) balances.add(transaction, (account) => account === address);
    return withFailure(form, transaction);
  });
  if (isEnd && isWhole && LOWER_BOUNDS.every((name) => params.text(name) === undefined)) await balances.end();
  return transactions;
}

/** Pages of signatures that are read of an account. */
const MAX_PAGES = 100;
/** The oldest transactions that are searched for the transfer, and how many are read at once. */
const MAX_OLDEST = 100;
const BATCH = 10;

/** `/account/funded-by`: accounts whose funder cannot be found are left out, as the API does. */
const fundedBy: NodeAnswer = async (context) => {
  const addresses = [...new Set(context.params.list("address"))];
  const rows: Json[] = [];
  for (const address of addresses) rows.push(...(await fetchFunding(context, address)));
  return { data: rows };
};

async function fetchFunding(context: AnswerContext, address: string): Promise<readonly Json[]> {
  const oldest = await readOldest(context, address);
  if (oldest === undefined) {
    const text = `${address} has more than ${MAX_PAGES * MAX_SIGNATURES} transactions: its funder is not searched.`;
    context.report?.({ type: "warning", text });
    return [];
  }
  for (const [at, batch] of splitIntoBatches(oldest, BATCH).entries()) {
    const chain = (await readListed(context, batch)).map(({ transaction }) => transaction);
    if (at === 0 && !startsEmpty(chain[0], address)) return [];
    const result = await answerFromTransactions(context, chain, { address: [address] });
    if ("data" in result && isArray(result.data) && result.data.length > 0) return result.data;
  }
  return [];
}

/** Reads the oldest signatures of an account, oldest first; undefined where it has too many. */
async function readOldest(context: ReadContext, address: string): Promise<readonly SignatureRow[] | undefined> {
  const reader = new SignatureReader(context, address);
  let oldest: readonly SignatureRow[] = [];
  for (let pages = 0; pages < MAX_PAGES && !reader.done; pages++)
    oldest = [...oldest, ...(await reader.next(MAX_SIGNATURES))].slice(-MAX_OLDEST);
  return reader.done ? oldest.toReversed() : undefined;
}

/** Whether an account had nothing before a transaction. Otherwise the node lacks the history before it. */
function startsEmpty(transaction: ChainTransaction | undefined, address: string): boolean {
  const position = transaction?.keys.findIndex((key) => key.address === address) ?? -1;
  return transaction?.preBalances[position] === 0n;
}

/** Answers about transactions. */
export const transactionAnswers: NodeAnswersByRoute = {
  "v2-transaction-last": last,
  "v2-transaction-detail": transactions,
  "v2-transaction-detail-multi": transactions,
  "v2-transaction-actions": transactions,
  "v2-transaction-actions-multi": transactions,
  "transaction-last": legacyLast,
  "transaction-detail": transactions,
  "v2-account-transactions": transactionsOf("address", "before"),
  "v2-account-transactions-enhanced": enhanced,
  "account-transactions": transactionsOf("account", "beforeHash"),
  "v2-account-funded-by": fundedBy,
};
