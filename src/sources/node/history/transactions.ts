/** Transactions by their signatures, and the newest ones. */
import { isObject, type Json, type JsonObject } from "../../../base/index.ts";
import { emptyData } from "../../../catalogue/index.ts";
import type { QueryResult } from "../../../chain/ledger/index.ts";
import { listOf } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer, NodeAnswersByRoute } from "../answer.ts";
import { readEncodedBlock, slotsBackwards } from "../calls/blocks.ts";
import { type NodeTransaction, readTransactions } from "../calls/transactions.ts";
import { nodeRow } from "./blocks.ts";
import { readLatest } from "./latest.ts";
import { answerFrom, withTransactions } from "./ledger.ts";
import { fees } from "./status.ts";

/** The parameter with the signature of an endpoint. */
const SIGNATURE_PARAMETERS: Readonly<Record<string, string>> = { "transaction-detail": "signature" };

/** Reads the requested transactions; those that the node does not know are left out, as the API does. */
const transactions: NodeAnswer = async (context) => {
  const { endpoint, params } = context;
  const signatures = [...new Set(params.list(SIGNATURE_PARAMETERS[endpoint.route] ?? "tx"))];
  const read = await readTransactions(
    context,
    signatures.map((signature) => ({ signature })),
  );
  const matches = read.filter((transaction) => transaction !== undefined);
  if (matches.length === 0) return { data: emptyData(endpoint.returns) };
  const chain = matches.map(({ transaction }) => transaction);
  return withStatus(await withTransactions(context, chain, (ledger) => answerFrom(ledger, context)), matches);
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
  const latest = await readLatest(context, { count, votes: params.text("filter") === "all", details: "full" });
  return withTransactions(context, latest.toReversed(), (ledger) => answerFrom(ledger, context));
};

/** The legacy `/transaction/last`: as the node returns them, votes included. */
const legacyLast: NodeAnswer = async (context) => {
  const count = context.params.integer("limit") ?? DEFAULT_LIMIT;
  const rows: JsonObject[] = [];
  for await (const slot of slotsBackwards(context, 1)) {
    rows.push(...(await newestOf(context, slot)));
    if (rows.length >= count) break;
  }
  return { data: rows.slice(0, count) };
};

async function newestOf(context: AnswerContext, slot: number): Promise<readonly JsonObject[]> {
  const match = await readEncodedBlock(context, slot, { details: "full", encoding: "jsonParsed" });
  if (!match) return [];
  const { blockTime = null, transactions: entries } = match.result;
  const rows = listOf(entries, "result.transactions").map((entry) => nodeRow(entry, slot, blockTime));
  return rows.reverse();
}

/** Answers about transactions. */
export const transactionAnswers: NodeAnswersByRoute = {
  "v2-transaction-last": last,
  "v2-transaction-detail": transactions,
  "v2-transaction-detail-multi": transactions,
  "v2-transaction-actions": transactions,
  "v2-transaction-actions-multi": transactions,
  "v2-transaction-fees": fees,
  "transaction-last": legacyLast,
  "transaction-detail": transactions,
};
