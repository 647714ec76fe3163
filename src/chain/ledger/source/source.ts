/**
 * The interface between sources of blocks and ledgers. Accounts are identified by their addresses; SOL is the token
 * {@link NATIVE_SOL}. Of what a source does not publish (an account, a token, the owner of an account) the ledger knows
 * only that it exists; a later fact completes it. Optional fields that are missing are unknown, and absent in answers.
 */
import type { Json, JsonObject } from "../../../base/index.ts";

/** The kind of an account. */
export type AccountKind =
  | "system_account"
  | "token_account"
  | "mint"
  | "program"
  | "stake_account"
  | "vote_account"
  | "pool"
  | "account"
  | "unknown";

/** A new account, or the new state of a known one. */
export interface AccountFact {
  readonly address: string;
  readonly kind: AccountKind;
  readonly ownerProgram?: string | undefined;
  readonly executable?: boolean | undefined;
  /** False for program derived addresses. In ledgers of a chain it follows from the address. */
  readonly onCurve?: boolean | undefined;
  /** The account that it describes: the mint of metadata, the program of code. In simulated chains. */
  readonly subject?: string | undefined;
}

/** Off-chain information about an account. */
export interface LabelFact {
  readonly address: string;
  readonly label?: string | undefined;
  readonly icon?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly domain?: string | undefined;
}

/** The new state of a token account: opened, transferred to another owner, or closed. */
export interface TokenAccountFact {
  readonly address: string;
  readonly token: string;
  readonly owner: string;
  readonly closed?: boolean | undefined;
  /** Fees in base units that the mint has withheld in the account, which are not part of its balance. */
  readonly withheld?: bigint | undefined;
}

/** The new state of a stake account. `delegated` is in lamports. */
export interface StakeAccountFact {
  readonly address: string;
  readonly staker: string;
  readonly withdrawer: string;
  /** Missing for a stake that was never delegated. */
  readonly voter?: string | undefined;
  readonly delegated: bigint;
  readonly activationEpoch: number;
  readonly deactivationEpoch?: number | undefined;
}

/** A new entry of an address lookup table. */
export interface LookupEntryFact {
  readonly address: string;
  readonly table: string;
  readonly position: number;
}

/** The new state of a token. */
export interface TokenFact {
  readonly address: string;
  readonly kind: "fungible" | "nft";
  readonly name?: string | undefined;
  readonly symbol?: string | undefined;
  readonly icon?: string | undefined;
  readonly decimals?: number | undefined;
  readonly program?: string | undefined;
  readonly creator?: string | undefined;
  /** Signatures of the transactions of the creation and the first mint; unknown for tokens older than the ledger. */
  readonly created?: string | undefined;
  readonly firstMint?: string | undefined;
  /** Time of creation of tokens older than the ledger, in Unix seconds of the ledger, if known. */
  readonly founded?: number | undefined;
  /** Null where there is none; in ledgers of a chain undefined leaves what was known before. */
  readonly mintAuthority?: string | null | undefined;
  readonly freezeAuthority?: string | null | undefined;
  readonly metadataUri?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly extensions?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly platform?: string | undefined;
  /** 0 to 100; below 50 is spam. */
  readonly reputation?: number | undefined;
}

/** A balance in base units before the first block of the ledger; of SOL, account and owner are the same. */
export interface OpeningBalanceFact {
  readonly account: string;
  readonly owner?: string | undefined;
  readonly token: string;
  readonly amount: bigint;
}

/** The supply of a token before the first block of the ledger, in base units. */
export interface OpeningSupplyFact {
  readonly token: string;
  readonly amount: bigint;
  /** Whether all balances of the token are among the opening balances, so that its holders can be counted. */
  readonly allBalances?: boolean | undefined;
}

/** A new pool. */
export interface PoolFact {
  readonly address: string;
  readonly program: string;
  readonly token1: string;
  readonly token2: string;
  readonly vault1: string;
  readonly vault2: string;
  readonly creator?: string | undefined;
  /** Signature of the transaction that created it; unknown for pools older than the ledger. */
  readonly created?: string | undefined;
  readonly lp?: string | undefined;
  readonly feeBps?: number | undefined;
}

/** A program and its platform. */
export interface ProgramFact {
  readonly address: string;
  readonly name: string;
  readonly platform?: string | undefined;
}

/** A platform of programs and launched tokens. */
export interface PlatformFact {
  readonly id: string;
  readonly name: string;
  readonly website: string;
  readonly description: string;
}

/** A collection of NFTs. */
export interface NftCollectionFact {
  readonly address: string;
  /** 64 hexadecimal digits: of a chain those of the address. */
  readonly hex: string;
  /** Empty where it is that of the collection's mint. */
  readonly name: string;
  readonly symbol: string;
}

/** A new NFT, in addition to its {@link TokenFact}. `data` and `meta` are as the API returns them; no chain has `meta`. */
export interface NftFact {
  readonly address: string;
  readonly collection: string;
  readonly number: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Signature of the transaction that minted it; unknown for NFTs older than the ledger. */
  readonly minted?: string | undefined;
}

/** A key of a transaction. */
export interface KeyUse {
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly lookupTable?: boolean | undefined;
  /** Its lamports, in ledgers of a chain. May be left out where a balance change says them. */
  readonly lamports?: bigint | undefined;
}

/** A lookup table that a transaction uses, with the positions in the table that it takes. */
export interface TableLookupFact {
  readonly table: string;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

/** An instruction, in the order of execution. */
export interface InstructionFact {
  readonly program: string;
  /** The program's own name of the instruction. */
  readonly type: string;
  /** The explorer's label; the same as `type` if it has none. */
  readonly parsedType: string;
  /** Index of the calling instruction in this list; -1 for top-level instructions. */
  readonly parent: number;
  /** Its accounts in the order of the program: see account-positions.ts. */
  readonly accounts?: string | undefined;
  /** Its data; undefined where a node returned only the parsed form, and in simulated transactions. */
  readonly data?: Uint8Array | undefined;
  /**
   * Of a simulated transaction the arguments that do not follow from its transfers. In ledgers of a chain all accounts
   * and arguments by name, as nodes parse them; may be left out where {@link ChainDecoder} returns them.
   */
  readonly info?: Readonly<Record<string, unknown>> | undefined;
}

/** The type of instructions whose name neither nodes nor logs say. */
export const UNNAMED_INSTRUCTION = "Unknown";

/** An instruction as it is stored. */
export interface RawInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** An instruction, decoded. */
export interface DecodedInstruction {
  readonly info?: JsonObject;
  readonly name?: string;
  readonly arguments?: Readonly<Record<string, { readonly type: string; readonly data: JsonObject[string] }>>;
}

/** A transaction that failed, as far as its error is explained by it. */
export interface FailedTransaction {
  /** The error as a node writes it. */
  readonly error: Json;
  /** The top-level instructions. */
  readonly programs: readonly string[];
  readonly accounts: readonly string[];
  readonly logs: readonly string[] | undefined;
}

/** Says what the data of a chain means when a query needs it, so that a ledger need not store that. */
export interface ChainDecoder {
  /**
   * Decodes an instruction: `info` as nodes parse it; the name and `arguments` with their types, for programs with an
   * interface description.
   */
  instruction(instruction: RawInstruction): DecodedInstruction | undefined;
  /** Returns the entity `TransactionFailure`. */
  failure(transaction: FailedTransaction): JsonObject;
}

/** A transfer. Amounts are unsigned 64-bit integers in base units; the value at the time is in millionths of a dollar. */
export interface TransferFact {
  readonly instruction: number;
  /** Index in the catalogue's list of transfer activities. */
  readonly type: number;
  readonly from: string;
  readonly fromAccount?: string | undefined;
  readonly to: string;
  readonly toAccount?: string | undefined;
  readonly token: string;
  readonly amount: bigint;
  readonly value?: bigint | undefined;
}

/** A balance before and after a transaction; one for each account and token that it changes. */
export interface BalanceChangeFact {
  readonly account: string;
  /** The owner after the transaction, or else before it; the account itself where it is unknown. */
  readonly owner: string;
  readonly token: string;
  readonly pre: bigint;
  readonly post: bigint;
}

/** The balance of a token account that a transaction names and does not change. */
export interface HoldingFact {
  readonly account: string;
  readonly owner: string;
  readonly token: string;
  readonly amount: bigint;
}

/** A pool or venue that an activity goes through. */
export interface RouteFact {
  readonly pool: string;
  readonly program: string;
  /** Whether it is a trade: the pool receives token1 and pays token2. */
  readonly isTrade: boolean;
  readonly token1: string;
  readonly amount1: bigint;
  readonly token2?: string | undefined;
  readonly amount2?: bigint | undefined;
  readonly value?: bigint | undefined;
  /** New dollar prices of whole tokens, for the tokens whose price the trade determines. */
  readonly prices?: readonly (readonly [token: string, price: number])[] | undefined;
  readonly children?: readonly RouteFact[] | undefined;
}

/** A DeFi activity. */
export interface DefiFact {
  readonly instruction: number;
  /** Index in the catalogue's list of DeFi activities. */
  readonly type: number;
  readonly from: string;
  readonly to: string;
  readonly platform: string;
  readonly token1: string;
  readonly amount1: bigint;
  readonly token2?: string | undefined;
  readonly amount2?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly routes: readonly RouteFact[];
}

/** An NFT activity; the price in base units of its currency. */
export interface NftActivityFact {
  /** Index in the catalogue's list of NFT activities. */
  readonly type: number;
  readonly nft: string;
  readonly collection: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly marketplace: string;
  readonly price: bigint;
  readonly currency: string;
}

/** A transaction. A failed one changes only the payer's SOL, by the fee. */
export interface TransactionFact {
  readonly signature: string;
  /** The other signatures of a transaction with several signers. */
  readonly otherSignatures?: readonly string[] | undefined;
  /** Position in the block, where the ledger does not contain all transactions of the block. */
  readonly index?: number | undefined;
  /** Lamports, including the priority fee. */
  readonly fee: number | bigint;
  readonly priorityFee: number | bigint;
  /** Error of a failed transaction. In ledgers of a chain it is JSON, as nodes return it. */
  readonly error?: string | undefined;
  readonly isVote?: boolean | undefined;
  readonly computeUnits?: number | undefined;
  readonly costUnits?: number | undefined;
  /** 0 or 1, or undefined for legacy. */
  readonly version?: number | undefined;
  /** By default the hash of the parent block. */
  readonly recentBlockhash?: string | undefined;
  readonly lookups?: readonly TableLookupFact[] | undefined;
  /** Undefined where a node did not store them; simulated transactions leave out what follows from instructions. */
  readonly logs?: readonly string[] | undefined;
  readonly keys: readonly KeyUse[];
  readonly instructions: readonly InstructionFact[];
  readonly transfers: readonly TransferFact[];
  readonly changes: readonly BalanceChangeFact[];
  readonly holdings?: readonly HoldingFact[] | undefined;
  readonly defi: readonly DefiFact[];
  readonly nfts: readonly NftActivityFact[];
}

/** A voter of a simulated chain, in the order of its leader schedule. */
export interface VoterFact {
  /** The identity, which pays for votes. */
  readonly identity: string;
  readonly account: string;
  /** Turns as a leader in a round of the schedule. */
  readonly share: number;
}

/** A reward that a block pays in lamports; negative for rent that it collects. */
export interface RewardFact {
  readonly account: string;
  readonly kind: "fee" | "staking" | "rent" | "voting" | "unknown";
  readonly epoch: number;
  readonly amount: bigint;
  readonly post: bigint;
  readonly commission?: number | undefined;
}

/** Everything that is new or has changed, apart from transactions. */
export interface Facts {
  readonly accounts?: readonly AccountFact[];
  readonly labels?: readonly LabelFact[];
  readonly programs?: readonly ProgramFact[];
  readonly platforms?: readonly PlatformFact[];
  readonly tokens?: readonly TokenFact[];
  readonly tokenAccounts?: readonly TokenAccountFact[];
  readonly stakeAccounts?: readonly StakeAccountFact[];
  readonly lookupEntries?: readonly LookupEntryFact[];
  readonly pools?: readonly PoolFact[];
  readonly nftCollections?: readonly NftCollectionFact[];
  readonly nfts?: readonly NftFact[];
  /** All voters of a simulated chain: its votes, and its blocks without other transactions, follow from them. */
  readonly voters?: readonly VoterFact[];
  /** Balances and supplies before the first block, in the opening or where a block reveals them first. */
  readonly openingBalances?: readonly OpeningBalanceFact[];
  readonly openingSupplies?: readonly OpeningSupplyFact[];
}

/** A block with its new facts. */
export interface SourceBlock {
  readonly slot: number;
  /** Unknown in the oldest blocks of mainnet, as the time. */
  readonly height?: number | undefined;
  /** Unix seconds. */
  readonly time?: number | undefined;
  readonly hash: string;
  readonly parentSlot: number;
  /** Hash of the parent, which the ledger need not contain. */
  readonly parentHash: string;
  readonly leader?: string | undefined;
  /** Whether effects of its transactions are unknown. */
  readonly isPartial?: boolean | undefined;
  /** Fees of the leader in lamports; also among the rewards. */
  readonly feeRewards?: bigint | undefined;
  /** Numbers of all transactions of the block and of its votes, where the ledger contains only some. */
  readonly totals?: { readonly transactions: number; readonly votes?: number } | undefined;
  readonly facts: Facts;
  readonly transactions: readonly TransactionFact[];
  readonly rewards: readonly RewardFact[];
}

/** A source of blocks. */
export interface BlockSource {
  /** Identifies the ledger file: name, seed, size and everything else on which the blocks depend. */
  readonly id: string;
  /** Stored in the ledger, for reports: seed and size of a world, … */
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * Whether the blocks are those of a chain. What a fact leaves out is unknown then, and times are as they are; of
   * simulated blocks the ledger derives logs and data of instructions, and readers shift the time to the present.
   */
  readonly isChain?: boolean | undefined;
  /** Yields what exists before the first block, dated before its slot. */
  opening?(): Iterable<Facts> | AsyncIterable<Facts>;
  /** Unix seconds of the last block of a ledger without live blocks. */
  readonly end: number;
  /** Yields blocks in the order of the chain; live sources have no end. */
  blocks(): Iterable<SourceBlock> | AsyncIterable<SourceBlock>;
}

const ZERO = 48;

/** Returns the text of positions. */
export const encodePositions = (positions: readonly number[]): string => {
  let text = "";
  for (const position of positions) text += String.fromCharCode(ZERO + position);
  return text;
};

/** Returns the positions in a text. */
export const decodePositions = (text: string): readonly number[] =>
  Array.from(text, (character) => character.charCodeAt(0) - ZERO);
