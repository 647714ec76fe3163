/** The legacy transaction endpoints. */

import { notFound, type Queries } from "../query.ts";
import { transactionHead } from "../transaction/head.ts";
import { latestTransactions } from "../transaction/transaction.ts";
import { legacyDetail } from "./transaction-detail.ts";
import { rpcTransaction } from "./transaction-rpc.ts";

/** The legacy transaction endpoints. The latest transactions are all of them, votes included. */
export const legacyTransactionQueries: Queries = {
  "transaction-last": ({ db, params }) => {
    const ids = latestTransactions(db, params.integer("limit") ?? 10, { votes: true });
    return { data: ids.flatMap((id) => rpcTransaction(db, id)) };
  },
  "transaction-detail": ({ db, params }) => {
    const head = transactionHead(db, params.need("signature"));
    if (!head) throw notFound("Transaction");
    return { data: legacyDetail(db, head) };
  },
};
