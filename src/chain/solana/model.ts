/**
 * Transactions, blocks and instructions of a Solana chain, independent of the encoding in which a node returned them.
 * Lamports and token amounts are bigints: they can exceed what a double holds.
 */
import type { Json, JsonObject } from "../../base/index.ts";

/** A key of a transaction, in the order in which balances and instructions refer to it. */
export interface TransactionKey {
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
  /** Whether the key came from an address lookup table. */
  readonly fromLookupTable: boolean;
}

/** An address lookup table of a transaction, with the positions in the table that it takes. */
export interface TableLookup {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

/** An instruction as its program understands it, in the form of the `jsonParsed` encoding. */
export interface ParsedInstruction {
  /** The name of the program: `system`, `spl-token` (of both token programs), `stake`, … */
  readonly program: string;
  /** The name of the instruction: `transferChecked`, … */
  readonly type: string;
  /** Accounts and arguments by name. */
  readonly info: JsonObject;
}

/** An instruction of a transaction. */
export interface ChainInstruction {
  /** Index of the calling instruction in {@link ChainTransaction.instructions}; -1 for top-level instructions. */
  readonly parent: number;
  /** Call depth: 1 for top-level instructions. */
  readonly height: number;
  readonly program: string;
  /**
   * Its accounts; undefined where a node returned only the parsed form, and where they are in a lookup table that was
   * not resolved.
   */
  readonly accounts: readonly string[] | undefined;
  /** Its data; undefined where a node returned only the parsed form. */
  readonly data: Uint8Array | undefined;
  /** The parsed form, for programs that are known. */
  readonly parsed: ParsedInstruction | undefined;
}

/** The balance of a token account before and after a transaction, in base units; 0 when it did not exist. */
export interface TokenBalance {
  readonly account: string;
  readonly mint: string;
  readonly decimals: number;
  /** The owner, before and after. Undefined where old nodes do not report it, or where the account did not exist. */
  readonly ownerBefore: string | undefined;
  readonly owner: string | undefined;
  /** The token program; undefined where old nodes do not report it. */
  readonly program: string | undefined;
  readonly pre: bigint;
  readonly post: bigint;
  /** Whether the account existed before and after, as a token account of this mint. */
  readonly existedBefore: boolean;
  readonly existsAfter: boolean;
}

/** A reward in a block: of its leader, or of stakes and voters at the end of an epoch. */
export interface ChainReward {
  readonly account: string;
  /** `fee`, `rent`, `staking` or `voting`; `unknown` where an old node does not name it. */
  readonly kind: string;
  readonly lamports: bigint;
  /** Balance after the reward. */
  readonly post: bigint;
  /** Percent. */
  readonly commission: number | undefined;
}

/** Resource limits in the message of a transaction of version 1. */
export interface ResourceLimits {
  /** Of the whole transaction, in lamports. */
  readonly priorityFeeLamports?: bigint;
  readonly computeUnitLimit?: number;
  /** Bytes. */
  readonly loadedAccountsDataSizeLimit?: number;
  /** Bytes. */
  readonly heapSize?: number;
}

/** A transaction with its effects. */
export interface ChainTransaction {
  /** What was requested: everything; `accounts`: keys and effects without blockhash, instructions and logs. */
  readonly detail: "full" | "accounts";
  /** Whether the node did not record inner instructions or balances of tokens. */
  readonly isPartial?: boolean;
  readonly signatures: readonly string[];
  readonly slot: number;
  /** Position in its block, where known. */
  readonly index: number | undefined;
  /** Unix seconds. */
  readonly blockTime: number | undefined;
  readonly version: "legacy" | number;
  /** The recent blockhash, or the value of a durable nonce. */
  readonly blockhash: string;
  readonly keys: readonly TransactionKey[];
  readonly lookups: readonly TableLookup[];
  /** In the order of execution: each instruction is followed by those that it called. */
  readonly instructions: readonly ChainInstruction[];
  /** The error as the node returns it (`{"InstructionError":[0,{"Custom":1}]}`); undefined on success. */
  readonly error: Json | undefined;
  /** Lamports. */
  readonly fee: bigint;
  readonly computeUnits: number | undefined;
  readonly costUnits: number | undefined;
  /** Lamports of the keys before and after. */
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  /** One entry for each token account that existed before or after. */
  readonly tokenBalances: readonly TokenBalance[];
  /** Undefined where the node did not keep them. */
  readonly logs: readonly string[] | undefined;
  /** Only in transactions of version 1, and lost in the encodings `json` and `jsonParsed`. */
  readonly limits: ResourceLimits | undefined;
}

/** A block. */
export interface ChainBlock {
  readonly slot: number;
  readonly parentSlot: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Undefined in blocks older than slot 39 million. */
  readonly height: number | undefined;
  /** Unix seconds. */
  readonly time: number | undefined;
  readonly rewards: readonly ChainReward[];
  /** Empty when only signatures or nothing was requested. */
  readonly transactions: readonly ChainTransaction[];
  /** Whether the node did not record all effects of its transactions. */
  readonly isPartial?: boolean;
  /** First signatures of all transactions; undefined when no transaction details were requested. */
  readonly signatures: readonly string[] | undefined;
}

/** An account as a node returns it. */
export interface ChainAccount {
  readonly address: string;
  readonly lamports: bigint;
  readonly owner: string;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
  /** Bytes of its data, where the node reports them. */
  readonly space: number | undefined;
  /** The raw data; undefined where the node parsed it or refused to encode it. */
  readonly data: Uint8Array | undefined;
  /**
   * The data in the form of the `jsonParsed` encoding, where the node or this module has a parser. Lists (some sysvars)
   * are in the member `entries`.
   */
  readonly parsed: { readonly program: string; readonly type: string; readonly info: JsonObject } | undefined;
}
