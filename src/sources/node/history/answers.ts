/** Answers about the chain, its blocks and transactions. */
import type { NodeAnswersByRoute } from "../answer.ts";
import { accountTransactionAnswers } from "./account-transactions.ts";
import { blockAnswers } from "./blocks.ts";
import { fundedBy } from "./funded-by.ts";
import { chaininfo } from "./status.ts";
import { transactionAnswers } from "./transactions.ts";

/** Answers by the catalogue's route. */
export const chainAnswers: NodeAnswersByRoute = {
  chaininfo,
  ...blockAnswers,
  ...transactionAnswers,
  ...accountTransactionAnswers,
  "v2-account-funded-by": fundedBy,
};
