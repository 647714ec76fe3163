/** The state of the chain, and current fees. */
import { numericOf, toWholeUnits } from "../../../base/index.ts";
import { emptyData } from "../../../catalogue/index.ts";
import { countOf, objectOf, optionalCount } from "../../../chain/solana/index.ts";
import type { NodeAnswer } from "../answer.ts";
import { readLatest } from "./latest.ts";

/** `/chaininfo`. */
export const chaininfo: NodeAnswer = async ({ node, sending }) => {
  const info = objectOf(await node.call("getEpochInfo", [{ commitment: node.commitment }], sending), "result");
  const transactionCount = optionalCount(info.transactionCount, "result.transactionCount");
  return {
    data: {
      blockHeight: countOf(info.blockHeight, "result.blockHeight"),
      currentEpoch: countOf(info.epoch, "result.epoch"),
      absoluteSlot: countOf(info.absoluteSlot, "result.absoluteSlot"),
      ...(transactionCount === undefined ? {} : { transactionCount }),
    },
  };
};

/** Transactions whose fees are compared, and the newest blocks that are read for them at most. */
const FEE_SAMPLE = 1000;
const FEE_BLOCKS = 21;
const SOL_DECIMALS = 9;

/**
 * `/transaction/fees`: of the newest transactions. Nodes report recent prioritisation fees per compute unit
 * (`getRecentPrioritizationFees`), which are no fees of transactions.
 */
export const fees: NodeAnswer = async (context) => {
  const latest = await readLatest(context, {
    count: FEE_SAMPLE,
    votes: true,
    maxBlocks: FEE_BLOCKS,
    details: "accounts",
  });
  const amounts = latest.map(({ fee }) => fee);
  if (amounts.length === 0) return { data: emptyData(context.endpoint.returns) };
  const sum = amounts.reduce((total, fee) => total + fee, 0n);
  const count = BigInt(amounts.length);
  const [low, high] = amounts.reduce(
    ([minimum, maximum], fee) => [fee < minimum ? fee : minimum, fee > maximum ? fee : maximum],
    [amounts[0] ?? 0n, amounts[0] ?? 0n],
  );
  // Rounded to whole lamports.
  return { data: { avg_fee: inSol((2n * sum + count) / (2n * count)), min_fee: inSol(low), max_fee: inSol(high) } };
};

const inSol = (lamports: bigint) => numericOf(toWholeUnits(lamports, SOL_DECIMALS));
