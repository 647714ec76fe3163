/** Epochs: a cluster can have any length of them, and lets it double from 32 slots on at its beginning. */
import type { LedgerReader } from "./reader.ts";
import { SLOTS_PER_EPOCH } from "./schema.ts";

/** The epochs of a cluster, as `getEpochSchedule` describes them. */
export interface EpochSchedule {
  readonly slotsPerEpoch: number;
  /** The first slot of the epochs of that length. */
  readonly firstNormalSlot: number;
  readonly firstNormalEpoch: number;
}

const EPOCH_SCHEDULE = "epochs";

/** Returns a schedule as a property of a ledger. */
export const epochProperty = ({ slotsPerEpoch, firstNormalSlot, firstNormalEpoch }: EpochSchedule) => ({
  [EPOCH_SCHEDULE]: JSON.stringify({ slotsPerEpoch, firstNormalSlot, firstNormalEpoch }),
});

const MAINNET: EpochSchedule = { slotsPerEpoch: SLOTS_PER_EPOCH, firstNormalSlot: 0, firstNormalEpoch: 0 };

/** Slots of the first epoch of clusters whose epochs double. */
const FIRST_EPOCH_SLOTS = 32;

/** Returns the epoch of a slot. */
export function epochOfSlot({ slotsPerEpoch, firstNormalSlot, firstNormalEpoch }: EpochSchedule, slot: number): number {
  return slot < firstNormalSlot
    ? Math.floor(Math.log2(slot / FIRST_EPOCH_SLOTS + 1))
    : firstNormalEpoch + Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
}

/** Returns the epoch of a slot of a ledger; ledgers that say nothing about epochs have those of mainnet. */
export function epochAt(db: LedgerReader, slot: number): number {
  const stored = db.get("SELECT value FROM meta WHERE name = ?", EPOCH_SCHEDULE)?.value;
  return epochOfSlot(stored === undefined ? MAINNET : (JSON.parse(String(stored)) as EpochSchedule), slot);
}
