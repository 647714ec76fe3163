/** The transaction endpoints. */
import type { JsonObject } from "../../../../base/index.ts";
import type { QueryResult } from "../../../../catalogue/index.ts";
import { countBlocks, latestBlocks, simulatedChain } from "../../store/blocks.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import { VOTE_FEE } from "../../store/schedule.ts";
import { transactionOfRow } from "../../store/schema.ts";
import { transactionIds } from "../../store/votes.ts";
import { notFoundError, type QueriesByRoute, type Query, type QueryContext } from "../query.ts";
import { solOf } from "../sql.ts";
import { legacyDetail, readDetail } from "./detail.ts";
import { involvedTokens, readTransactionHead, type TransactionHead, tokenLabels, transactionRows } from "./head.ts";
import { readActions } from "./instructions.ts";
import { rpcTransaction } from "./node-transaction.ts";

type TransactionFormatter = (db: LedgerReader, head: TransactionHead, tokens: readonly number[]) => JsonObject;

const singleTransaction =
  (format: TransactionFormatter) =>
  ({ db, params }: QueryContext): QueryResult => {
    const head = readTransactionHead(db, params.required("tx"));
    if (!head) throw notFoundError("Transaction");
    const tokens = involvedTokens(db, head.id);
    return { data: format(db, head, tokens), metadata: { tokens: tokenLabels(db, tokens) } };
  };

/** Returns the distinct requested transactions in order; unknown signatures are omitted. */
const multipleTransactions =
  (format: TransactionFormatter) =>
  ({ db, params }: QueryContext): QueryResult => {
    const heads = mapRows(
      [...new Set(params.list("tx"))],
      (signature) => readTransactionHead(db, signature) ?? [],
    ).flat();
    const involved = mapRows(heads, (head) => [head, involvedTokens(db, head.id)] as const);
    const all = [...new Set(involved.flatMap(([, tokens]) => tokens))];
    return {
      data: mapRows(involved, ([head, tokens]) => format(db, head, tokens)),
      metadata: { tokens: tokenLabels(db, all) },
    };
  };

/** Returns the ids of the latest transactions, the newest first. */
function latestTransactions(db: LedgerReader, limit: number, { hasVotes }: { hasVotes: boolean }): readonly number[] {
  if (hasVotes && simulatedChain(db)) {
    const ids: number[] = [];
    // Each block has votes.
    for (const block of latestBlocks(db, limit)) {
      if (ids.length >= limit) break;
      ids.push(...transactionIds(db, block).toReversed());
    }
    return ids.slice(0, limit);
  }
  return db
    .all(`SELECT id FROM transactions ${hasVotes ? "" : "WHERE vote = 0"} ORDER BY id DESC LIMIT ?`, limit)
    .map((row) => Number(row.id));
}

const FEE_SECONDS = 3600;

/** `/transaction/fees`: fees of the last hour in SOL, votes included; the average in whole lamports. */
const fees: Query = ({ db }) => {
  const from = db.clock.end - FEE_SECONDS + 1;
  const row = db.get(
    "SELECT count(*) AS count, sum(fee) AS sum, min(fee) AS low, max(fee) AS high FROM transactions WHERE id >= ?",
    transactionOfRow(db.firstRowAt(from)),
  );
  const votes = simulatedChain(db) ? countBlocks(db, from, db.clock.end + 1).votes : 0;
  const average = (Number(row?.sum) + votes * VOTE_FEE) / (Number(row?.count) + votes);
  const bounds = [row?.low, row?.high].flatMap((fee) => (fee == null ? [] : [Number(fee)]));
  if (votes > 0) bounds.push(VOTE_FEE);
  const sol = (lamports: number) => solOf(Math.round(lamports));
  return { data: { avg_fee: sol(average || 0), min_fee: sol(Math.min(...bounds)), max_fee: sol(Math.max(...bounds)) } };
};

/** The transaction endpoints. The latest transactions of the legacy family include votes. */
export const transactionQueries: QueriesByRoute = {
  "v2-transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { hasVotes: params.text("filter") === "all" });
    return { data: transactionRows(db, ids) };
  },
  "v2-transaction-detail": singleTransaction(readDetail),
  "v2-transaction-detail-multi": multipleTransactions(readDetail),
  "v2-transaction-actions": singleTransaction(readActions),
  "v2-transaction-actions-multi": multipleTransactions(readActions),
  "v2-transaction-fees": fees,
  "transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { hasVotes: true });
    return { data: mapRows(ids, (id) => rpcTransaction(db, id)).flat() };
  },
  "transaction-detail": ({ db, params }) => {
    const head = readTransactionHead(db, params.required("signature"));
    if (!head) throw notFoundError("Transaction");
    return { data: legacyDetail(db, head) };
  },
};
