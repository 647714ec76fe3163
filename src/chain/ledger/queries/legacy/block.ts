/** The legacy block endpoints. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader, LedgerRow } from "../../store/reader.ts";
import { blockAt, blockOf, latestBlocks } from "../block/block.ts";
import type { QueriesByRoute } from "../query.ts";
import { addressOf, columnNumber, sliceLimits, unixTimeOf } from "../sql.ts";
import { rpcTransaction } from "./transaction-rpc.ts";

/** Returns the entity `LegacyBlock`. */
const blockJson = (db: LedgerReader, row: LedgerRow): JsonObject => ({
  currentSlot: Number(row.slot),
  result: omitMissing({
    blockHeight: columnNumber(row.height),
    blockTime: unixTimeOf(db, row.time),
    blockhash: String(row.hash),
    parentSlot: Number(row.parent_slot),
    previousBlockhash: String(row.parent_hash),
    feeRewards: columnNumber(row.fee_rewards),
    validator: addressOf(db, row.leader_id),
    transactionCount: Number(row.transactions),
  }),
});

/**
 * Returns the answer for a slot without a block, with the error codes of a Solana node: skipped, or not yet available.
 */
function missingJson(db: LedgerReader, slot: number): JsonObject {
  const newest = Number(db.get("SELECT MAX(slot) AS slot FROM blocks")?.slot);
  const result =
    slot < newest
      ? { code: -32007, message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot` }
      : { code: -32004, message: `Block not available for slot ${slot}` };
  return { currentSlot: slot, result };
}

/** The legacy block endpoints. */
export const legacyBlockQueries: QueriesByRoute = {
  "block-last": ({ db, params }) => ({
    data: latestBlocks(db, params.integer("limit") ?? 10).map((row) => blockJson(db, row)),
  }),
  "block-detail": ({ db, params }) => {
    const slot = params.integer("block") ?? 0;
    const row = blockAt(db, slot);
    return { data: row ? blockJson(db, row) : missingJson(db, slot) };
  },
  "block-transactions": (context) => {
    const { db, params } = context;
    const block = blockOf(context);
    const [limit, offset] = sliceLimits(params);
    const first = Number(block.first_transaction);
    const count = Math.max(0, Math.min(limit, Number(block.stored) - offset));
    const ids = Array.from({ length: count }, (_, n) => first + offset + n);
    return { data: ids.flatMap((id) => rpcTransaction(db, id)) };
  },
};
