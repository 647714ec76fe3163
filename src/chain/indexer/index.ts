/** Blocks of a Solana node as facts for a ledger. */
export type { BlockCommitment, BlockStream } from "./block-reader.ts";
export type { StartSlot } from "./blocks.ts";
export { filterKey, type IndexFilter, type IndexProgress } from "./filter.ts";
export type { IndexEvent, IndexOptions } from "./run.ts";
export { keepSubscribed, type OpenDispatcher, webSocketUrlOf } from "./subscriptions.ts";

/** Loads what receives new blocks by Yellowstone gRPC, with the library for it. */
export const loadBlockStream = () => import("./stream/block-stream.ts");
/** Loads the conversion of blocks and transactions to facts, and the decoder of stored instructions. */
export const loadConversion = () => import("./facts/convert.ts");
/** Loads the decoder of the instructions of an index. */
export const loadStoredDecoder = () => import("./state/interfaces.ts");
/** Loads what indexes the blocks of a node into a ledger file. */
export const loadIndexer = () => import("./run.ts");
