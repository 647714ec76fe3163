/** The v2 transaction endpoints. */
import type { JsonObject } from "../../../base/index.ts";
import type { Reader } from "../../ledger/reader.ts";
import { type Context, notFound, type Queries, type Result } from "../query.ts";
import { actionsOf } from "./actions.ts";
import { detailOf } from "./detail.ts";
import { type Head, tokenLabels, tokensOf, transactionHead } from "./head.ts";
import { transactionRows } from "./summaries.ts";

/** Makes the answer for a transaction from its head and the tokens that take part. */
type Form = (db: Reader, head: Head, tokens: readonly number[]) => JsonObject;

const one =
  (form: Form) =>
  ({ db, params }: Context): Result => {
    const head = transactionHead(db, params.need("tx"));
    if (!head) throw notFound("Transaction");
    const tokens = tokensOf(db, head.id);
    return { data: form(db, head, tokens), metadata: { tokens: tokenLabels(db, tokens) } };
  };

/** In the order of the request, each once; signatures that nobody knows are left out. */
const many =
  (form: Form) =>
  ({ db, params }: Context): Result => {
    const heads = [...new Set(params.list("tx"))].flatMap((signature) => transactionHead(db, signature) ?? []);
    const involved = heads.map((head) => [head, tokensOf(db, head.id)] as const);
    const all = [...new Set(involved.flatMap(([, tokens]) => tokens))];
    return {
      data: involved.map(([head, tokens]) => form(db, head, tokens)),
      metadata: { tokens: tokenLabels(db, all) },
    };
  };

/** Numbers of the latest transactions, newest first. */
export const latestTransactions = (db: Reader, limit: number, { votes }: { votes: boolean }): readonly number[] =>
  db
    .all(`SELECT id FROM transactions ${votes ? "" : "WHERE vote = 0"} ORDER BY id DESC LIMIT ?`, limit)
    .map((row) => Number(row.id));

/** The v2 transaction endpoints. */
export const transactionQueries: Queries = {
  "v2-transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { votes: params.text("filter") === "all" });
    return { data: transactionRows(db, ids) };
  },
  "v2-transaction-detail": one(detailOf),
  "v2-transaction-detail-multi": many(detailOf),
  "v2-transaction-actions": one(actionsOf),
  "v2-transaction-actions-multi": many(actionsOf),
};
