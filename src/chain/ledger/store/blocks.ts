/**
 * The blocks of a ledger. A simulated chain has a block for each slot that is not skipped, of which the ledger stores
 * those with transactions: the others contain nothing but votes and follow from the leader schedule.
 */
import { Buffer } from "node:buffer";
import { encodeBase58, sha256 } from "../../../base/index.ts";
import type { LedgerReader, LedgerRow } from "./reader.ts";
import { type BlockCounts, LeaderSchedule, VOTE_FEE } from "./schedule.ts";

/** What the blocks of a simulated chain follow from. */
export interface SimulatedChain {
  readonly schedule: LeaderSchedule;
  /** Ids of the accounts of voters, in the order of the schedule. */
  readonly voters: readonly { readonly identity: number; readonly account: number }[];
  /** Blocks that were asked for last, by slot: a list of votes asks for its block again and again. */
  readonly blocks: Map<number, LedgerRow>;
}

/** Maximum number of blocks in memory. */
const MAX_BLOCKS = 256;

const chains = new WeakMap<LedgerReader, SimulatedChain | null>();

/** Returns what the blocks between the stored ones follow from; undefined in an index, which has stored ones only. */
export function simulatedChain(db: LedgerReader): SimulatedChain | undefined {
  const known = chains.get(db);
  if (known !== undefined) return known ?? undefined;
  const rows = db.facts.isGenerated
    ? db.all("SELECT identity_id, account_id, share FROM voters WHERE n >= 0 ORDER BY n")
    : [];
  const chain = rows.length === 0 ? null : createChain(db, rows);
  chains.set(db, chain);
  return chain ?? undefined;
}

function createChain(db: LedgerReader, rows: readonly LedgerRow[]): SimulatedChain {
  const source = String(db.get("SELECT value FROM meta WHERE name = 'source'")?.value);
  const shares = rows.map(({ share }) => Number(share));
  const voters = rows.map((row) => ({ identity: Number(row.identity_id), account: Number(row.account_id) }));
  return { schedule: new LeaderSchedule(source, shares), voters, blocks: new Map() };
}

/** Returns the block of a slot as a row of `blocks`; undefined when it has none. */
export function blockAt(db: LedgerReader, slot: number): LedgerRow | undefined {
  const chain = simulatedChain(db);
  const known = chain?.blocks.get(slot) ?? db.get("SELECT * FROM blocks WHERE slot = ?", slot);
  if (known || !chain?.schedule.hasBlock(slot)) return known;
  const before = db.get("SELECT slot, time, hash FROM blocks WHERE slot < ? ORDER BY slot DESC LIMIT 1", slot);
  const after = db.get("SELECT * FROM blocks WHERE slot > ? ORDER BY slot LIMIT 1", slot);
  if (!before || !after) return undefined;
  const block = voteBlock(chain, slot, before, after);
  if (chain.blocks.size >= MAX_BLOCKS) chain.blocks.clear();
  chain.blocks.set(slot, block);
  return block;
}

/** Returns a block with votes only, between the stored ones before and after it. */
function voteBlock({ schedule, voters }: SimulatedChain, slot: number, before: LedgerRow, after: LedgerRow) {
  const hashOf = (block: number) => encodeBase58(Buffer.from(sha256(`${schedule.key} ${block}`), "hex"));
  const [parent, votes] = [schedule.lastUpTo(slot - 1), schedule.votesIn(slot)];
  const [start, slots] = [Number(before.slot), Number(after.slot) - Number(before.slot)];
  const passed = Math.floor(((slot - start) * (Number(after.time) - Number(before.time))) / slots);
  return {
    slot,
    height: schedule.heightOf(slot),
    time: Number(before.time) + passed,
    hash: after.parent_slot === slot ? String(after.parent_hash) : hashOf(slot),
    parent_slot: parent,
    parent_hash: before.slot === parent ? String(before.hash) : hashOf(parent),
    leader_id: Number(voters[schedule.leaderAt(slot)]?.identity),
    fee_rewards: (votes * VOTE_FEE) / 2,
    transactions: votes,
    votes,
    stored: 0,
  };
}

/** Yields the latest blocks, the newest first, which are computed as they are read. */
export function* latestBlocks(db: LedgerReader, limit: number): Generator<LedgerRow> {
  const schedule = simulatedChain(db)?.schedule;
  if (!schedule) {
    yield* db.all("SELECT * FROM blocks ORDER BY slot DESC LIMIT ?", limit);
    return;
  }
  let block = db.get("SELECT * FROM blocks ORDER BY slot DESC LIMIT 1");
  for (let left = limit; block && left > 0; left--) {
    yield block;
    block = blockAt(db, schedule.lastUpTo(Number(block.slot) - 1));
  }
}

/** Returns the first slot of a simulated chain at or after a ledger time. */
function slotAt(db: LedgerReader, time: number): number {
  const after = db.get("SELECT slot, time FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1", time);
  const before = db.get("SELECT slot, time FROM blocks WHERE time < ? ORDER BY time DESC, slot DESC LIMIT 1", time);
  if (!before) return Number(after?.slot);
  const start = Number(before.slot);
  if (!after) return start + 1;
  const slots = Number(after.slot) - start;
  return start + Math.ceil(((time - Number(before.time)) * slots) / (Number(after.time) - Number(before.time)));
}

/** Counts the blocks in a range of ledger times, without its end, and their votes; those of an index are its rows. */
export function countBlocks(db: LedgerReader, from: number, end: number): BlockCounts {
  const chain = simulatedChain(db);
  if (chain) return chain.schedule.count(slotAt(db, from), slotAt(db, end));
  const sql = "SELECT count(*) AS blocks, ifnull(sum(votes), 0) AS votes FROM blocks WHERE time >= ? AND time < ?";
  const { blocks, votes } = db.get(sql, from, end) ?? {};
  return { blocks: Number(blocks), votes: Number(votes) };
}
