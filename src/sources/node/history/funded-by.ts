/** Who sent an account its first SOL: found at the end of its signatures. */
import { isArray, type Json, splitIntoBatches } from "../../../base/index.ts";
import type { ChainTransaction } from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer, ReadContext } from "../answer.ts";
import { MAX_SIGNATURES, readSignatures, type SignatureRow } from "../calls/signatures.ts";
import { readTransactions } from "../calls/transactions.ts";
import { answerFrom, withTransactions } from "./ledger.ts";

/** Pages of signatures that are read of an account. */
const MAX_PAGES = 100;
/** The oldest transactions that are searched for the transfer, and how many are read at once. */
const MAX_OLDEST = 100;
const BATCH = 10;

/** `/account/funded-by`: accounts whose funder cannot be found are left out, as the API does. */
export const fundedBy: NodeAnswer = async (context) => {
  const addresses = [...new Set(context.params.list("address"))];
  const rows: Json[] = [];
  for (const address of addresses) rows.push(...(await fundingOf(context, address)));
  return { data: rows };
};

async function fundingOf(context: AnswerContext, address: string): Promise<readonly Json[]> {
  const oldest = await readOldest(context, address);
  if (oldest === undefined) {
    const text = `${address} has more than ${MAX_PAGES * MAX_SIGNATURES} transactions: its funder is not searched.`;
    context.report?.({ type: "warning", text });
    return [];
  }
  for (const [at, batch] of splitIntoBatches(oldest, BATCH).entries()) {
    const read = await readTransactions(context, batch);
    const chain = read.flatMap((one) => one?.transaction ?? []);
    if (at === 0 && !startsEmpty(chain[0], address)) return [];
    const result = await withTransactions(context, chain, (ledger) =>
      answerFrom(ledger, context, { address: [address] }),
    );
    if ("data" in result && isArray(result.data) && result.data.length > 0) return result.data;
  }
  return [];
}

/** Reads the oldest signatures of an account, oldest first; undefined where it has too many. */
async function readOldest(context: ReadContext, address: string): Promise<readonly SignatureRow[] | undefined> {
  let oldest: readonly SignatureRow[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const before = oldest.at(-1)?.signature;
    const page = await readSignatures(context, address, { before, limit: MAX_SIGNATURES });
    oldest = [...oldest, ...page].slice(-MAX_OLDEST);
    if (page.length < MAX_SIGNATURES) return oldest.toReversed();
  }
  return undefined;
}

/** Whether an account had nothing before a transaction. Otherwise the node lacks the history before it. */
function startsEmpty(transaction: ChainTransaction | undefined, address: string): boolean {
  const position = transaction?.keys.findIndex((key) => key.address === address) ?? -1;
  return transaction?.preBalances[position] === 0n;
}
