/** The transaction endpoints. */
import type { JsonObject } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { transactionOfRow } from "../../store/schema.ts";
import { notFoundError, type QueriesByRoute, type Query, type QueryContext, type QueryResult } from "../query.ts";
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
    const heads = [...new Set(params.list("tx"))].flatMap((signature) => readTransactionHead(db, signature) ?? []);
    const involved = heads.map((head) => [head, involvedTokens(db, head.id)] as const);
    const all = [...new Set(involved.flatMap(([, tokens]) => tokens))];
    return {
      data: involved.map(([head, tokens]) => format(db, head, tokens)),
      metadata: { tokens: tokenLabels(db, all) },
    };
  };

const latestTransactions = (
  db: LedgerReader,
  limit: number,
  { withVotes }: { withVotes: boolean },
): readonly number[] =>
  db
    .all(`SELECT id FROM transactions ${withVotes ? "" : "WHERE vote = 0"} ORDER BY id DESC LIMIT ?`, limit)
    .map((row) => Number(row.id));

const FEE_SECONDS = 3600;

/** `/transaction/fees`: fees of the last hour in SOL, votes included; the average in whole lamports. */
const fees: Query = ({ db }) => {
  const first = transactionOfRow(db.firstRowAt(db.clock.end - FEE_SECONDS + 1));
  const row = db.get(
    "SELECT avg(fee) AS average, min(fee) AS low, max(fee) AS high FROM transactions WHERE id >= ?",
    first,
  );
  const sol = (lamports: unknown) => solOf(Math.round(Number(lamports)));
  return { data: { avg_fee: sol(row?.average), min_fee: sol(row?.low), max_fee: sol(row?.high) } };
};

/** The transaction endpoints. The latest transactions of the legacy family include votes. */
export const transactionQueries: QueriesByRoute = {
  "v2-transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { withVotes: params.text("filter") === "all" });
    return { data: transactionRows(db, ids) };
  },
  "v2-transaction-detail": singleTransaction(readDetail),
  "v2-transaction-detail-multi": multipleTransactions(readDetail),
  "v2-transaction-actions": singleTransaction(readActions),
  "v2-transaction-actions-multi": multipleTransactions(readActions),
  "v2-transaction-fees": fees,
  "transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { withVotes: true });
    return { data: ids.flatMap((id) => rpcTransaction(db, id)) };
  },
  "transaction-detail": ({ db, params }) => {
    const head = readTransactionHead(db, params.required("signature"));
    if (!head) throw notFoundError("Transaction");
    return { data: legacyDetail(db, head) };
  },
};
