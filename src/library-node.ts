/** `solx/node`: what programs need that call a Solana node themselves, by `client.node()`. */
export {
  type CallOptions,
  type Commitment,
  isHistoryPruned,
  isMethodRefused,
  isSkippedSlot,
  type NodeConnection,
  type RpcCall,
} from "./chain/solana/index.ts";
export type { RpcOptions } from "./sources/node/index.ts";
