/**
 * What fills a ledger: a source gives blocks, one after another, with everything that happened in them. Accounts are
 * named by their addresses; SOL is the token {@link NATIVE_SOL}. A source has to say of every account, token and pool
 * what it is before, or in the same block as, it first takes part.
 */

/** What an account is. */
export type AccountKind =
  | "system_account"
  | "token_account"
  | "mint"
  | "program"
  | "stake_account"
  | "vote_account"
  | "pool"
  | "account";

/** An account, when it first takes part. */
export interface AccountFact {
  readonly address: string;
  readonly kind: AccountKind;
  readonly ownerProgram: string;
  readonly executable?: boolean;
  /** False for program derived addresses. */
  readonly onCurve?: boolean;
}

/** What is known of an account beside the chain. */
export interface LabelFact {
  readonly address: string;
  readonly label?: string;
  readonly icon?: string;
  readonly tags?: readonly string[];
  readonly type?: string;
  readonly domain?: string;
}

/** A token account as it is now: new, with another owner, or closed. */
export interface TokenAccountFact {
  readonly address: string;
  readonly token: string;
  readonly owner: string;
  readonly closed?: boolean;
}

/** A stake account as it is now. Lamports and epochs. */
export interface StakeAccountFact {
  readonly address: string;
  readonly staker: string;
  readonly withdrawer: string;
  readonly voter: string;
  readonly delegated: bigint;
  readonly activationEpoch: number;
  readonly deactivationEpoch?: number;
}

/** A token as it is now. */
export interface TokenFact {
  readonly address: string;
  readonly kind: "fungible" | "nft";
  readonly name: string;
  readonly symbol: string;
  readonly icon?: string;
  readonly decimals: number;
  readonly program: string;
  readonly creator?: string;
  /** Signatures of the transactions that created it and first minted it; unknown for tokens older than the ledger. */
  readonly created?: string;
  readonly firstMint?: string;
  /** When it was created, in Unix seconds of the ledger: for tokens older than the ledger, where it is known. */
  readonly founded?: number;
  readonly mintAuthority?: string;
  readonly freezeAuthority?: string;
  readonly metadataUri?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extensions?: readonly Readonly<Record<string, unknown>>[];
  /** Launch platform. */
  readonly platform?: string;
  /** 0 to 100; below 50 is spam. */
  readonly reputation: number;
}

/** A pool. */
export interface PoolFact {
  readonly address: string;
  readonly program: string;
  readonly token1: string;
  readonly token2: string;
  readonly vault1: string;
  readonly vault2: string;
  readonly creator: string;
  /** Signature of the transaction that created it. */
  readonly created: string;
  readonly lp?: string;
  readonly feeBps: number;
}

/** A program and the platform that it belongs to. */
export interface ProgramFact {
  readonly address: string;
  readonly name: string;
  readonly platform?: string;
}

/** A platform. */
export interface PlatformFact {
  readonly id: string;
  readonly name: string;
  readonly website: string;
  readonly description: string;
}

/** A collection of NFTs. */
export interface NftCollectionFact {
  readonly address: string;
  /** 64 hexadecimal digits. */
  readonly hex: string;
  readonly name: string;
  readonly symbol: string;
}

/** An NFT, beside its {@link TokenFact}. `data` and `meta` are as the API gives them. */
export interface NftFact {
  readonly address: string;
  readonly collection: string;
  readonly number: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Signature of the transaction that minted it. */
  readonly minted: string;
}

/** An account that a transaction names. */
export interface KeyUse {
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly lookupTable?: boolean;
}

/** An instruction, in the order of execution. */
export interface InstructionFact {
  readonly program: string;
  /** The program's own name of the instruction. */
  readonly type: string;
  /** The explorer's label; the same as `type` where it has none. */
  readonly parsedType: string;
  /** Index of the calling instruction in this list, -1 at the top. */
  readonly parent: number;
  readonly info?: Readonly<Record<string, unknown>>;
}

/** A transfer. Amounts in base units; value in millionths of a dollar at the time. */
export interface TransferFact {
  /** Index of the instruction that moves it. */
  readonly instruction: number;
  /** Index in the catalogue's list of transfer activities. */
  readonly type: number;
  readonly from: string;
  readonly fromAccount?: string;
  readonly to: string;
  readonly toAccount?: string;
  readonly token: string;
  readonly amount: bigint;
  readonly value: bigint;
}

/** A balance before and after a transaction, once for each account and token that it changes. */
export interface BalanceChangeFact {
  readonly account: string;
  readonly owner: string;
  readonly token: string;
  readonly pre: bigint;
  readonly post: bigint;
}

/** A pool or venue that an activity goes through. */
export interface RouteFact {
  readonly pool: string;
  readonly program: string;
  /** Whether it is a trade: token1 goes into the pool, token2 comes out. */
  readonly isTrade: boolean;
  readonly token1: string;
  readonly amount1: bigint;
  readonly token2?: string;
  readonly amount2?: bigint;
  readonly value: bigint;
  /** Prices of whole tokens in dollars after the trade, of the tokens whose price it makes. */
  readonly prices?: readonly (readonly [token: string, price: number])[];
  readonly children?: readonly RouteFact[];
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
  readonly token2?: string;
  readonly amount2?: bigint;
  readonly value: bigint;
  readonly routes: readonly RouteFact[];
}

/** An NFT activity; the price in base units of its currency. */
export interface NftActivityFact {
  /** Index in the catalogue's list of NFT activities. */
  readonly type: number;
  readonly nft: string;
  readonly collection: string;
  readonly from?: string;
  readonly to?: string;
  readonly marketplace: string;
  readonly price: bigint;
  readonly currency: string;
}

/** A transaction. Failed ones change the payer's SOL by the fee and nothing else. */
export interface TransactionFact {
  readonly signature: string;
  /** Lamports, the priority fee included. */
  readonly fee: number;
  readonly priorityFee: number;
  /** Why it failed. */
  readonly error?: string;
  readonly vote?: boolean;
  readonly computeUnits: number;
  /** 0, or undefined for legacy. */
  readonly version?: number;
  readonly logs?: readonly string[];
  readonly keys: readonly KeyUse[];
  readonly instructions: readonly InstructionFact[];
  readonly transfers: readonly TransferFact[];
  readonly changes: readonly BalanceChangeFact[];
  readonly defi: readonly DefiFact[];
  readonly nfts: readonly NftActivityFact[];
}

/** SOL that a block pays. */
export interface RewardFact {
  readonly account: string;
  readonly kind: "fee" | "staking";
  readonly epoch: number;
  readonly amount: bigint;
  readonly post: bigint;
  readonly commission?: number;
}

/** Things that are new, or not what they were. */
export interface Facts {
  readonly accounts?: readonly AccountFact[];
  readonly labels?: readonly LabelFact[];
  readonly programs?: readonly ProgramFact[];
  readonly platforms?: readonly PlatformFact[];
  readonly tokens?: readonly TokenFact[];
  readonly tokenAccounts?: readonly TokenAccountFact[];
  readonly stakeAccounts?: readonly StakeAccountFact[];
  readonly pools?: readonly PoolFact[];
  readonly nftCollections?: readonly NftCollectionFact[];
  readonly nfts?: readonly NftFact[];
}

/** A block and what is new with it; at least one transaction. */
export interface SourceBlock {
  readonly slot: number;
  readonly height: number;
  /** Unix seconds. */
  readonly time: number;
  readonly hash: string;
  readonly parentSlot: number;
  readonly leader: string;
  /** Lamports of fees that the leader earns; also among the rewards. */
  readonly feeRewards: bigint;
  readonly facts: Facts;
  readonly transactions: readonly TransactionFact[];
  readonly rewards: readonly RewardFact[];
}

/** Gives blocks. */
export interface Source {
  /** Name, seed and size, and whatever else makes two ledgers differ: ledgers are kept under it. */
  readonly id: string;
  /** Unix seconds of the newest block that a ledger which does not grow holds. */
  readonly end: number;
  /** Blocks in the order of the chain, without an end where the source goes on. */
  blocks(): Iterable<SourceBlock> | AsyncIterable<SourceBlock>;
}
