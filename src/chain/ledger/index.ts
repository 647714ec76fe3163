/**
 * Ledgers: the API's answers from blocks in SQLite. A source (`source/`) yields blocks as facts, the store writes them
 * into tables, and queries answer endpoints from these tables.
 */

export {
  formatStoreAddress,
  isStoreAddress,
  PASSWORD_VARIABLE,
  parseStoreAddress,
  type StoreAddress,
} from "./clickhouse/address.ts";
export type { Division } from "./clickhouse/backfill.ts";
export type { StoreWriter } from "./clickhouse/writer.ts";
export { EVENT_CALL, findInterface } from "./interfaces/interface.ts";
export {
  REWARD_WINDOW_SECONDS,
  type Reward,
  rewardItem,
  rewardRecords,
  spacedRewardRecords,
} from "./queries/account/stakes.ts";
export { coverageHeaders, indexedGaps } from "./queries/coverage.ts";
export { findQuery } from "./queries/index.ts";
export { answerQuery, type Query, UnknownFactError } from "./queries/query.ts";
export type * from "./source/source.ts";
export { encodePositions, UNNAMED_INSTRUCTION } from "./source/source.ts";
export { simulatedChain } from "./store/blocks.ts";
export type { ChainLedgerWriter } from "./store/chain-writer.ts";
export type { FactReader } from "./store/exchange.ts";
export type { FactColumn } from "./store/facts-schema.ts";
export type { LedgerCopy, MemoryLedgerOptions } from "./store/growing-ledgers.ts";
export { MIN_KEPT_SECONDS } from "./store/prune.ts";
export type { LedgerReader } from "./store/reader.ts";
export { type EpochSchedule, epochOfSlot, epochProperty } from "./store/reader.ts";
export { LeaderSchedule, VOTE_FEE } from "./store/schedule.ts";
export { type Ledger, type LedgerMeta, openExistingLedger, openLedger, type RemoteLedger } from "./store/store.ts";

/** Loads the module of ledgers that grow: copies, and ledgers in memory. */
export const loadGrowingLedgers = () => import("./store/growing-ledgers.ts");
/** Loads the module that manages ledger files. */
export const loadLedgerStore = () => import("./store/store.ts");
/** Loads the facts of ledgers, which other programs read and write. */
export const loadFacts = async () => ({
  ...(await import("./store/exchange.ts")),
  ...(await import("./store/facts-schema.ts")),
});
/** Loads what answers from a ledger in ClickHouse. */
export const loadStore = () => import("./clickhouse/store.ts");
/** Loads what writes ledgers into ClickHouse. */
export const loadStoreWriter = async () => ({
  ...(await import("./clickhouse/writer.ts")),
  ...(await import("./clickhouse/shipper.ts")),
  ...(await import("./clickhouse/backfill.ts")),
});
/** Loads what writes ledgers of a chain. */
export const loadChainLedger = () => import("./store/chain-writer.ts");
