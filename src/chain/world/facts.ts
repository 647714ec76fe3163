/** Facts of the simulated world, of which nothing is unknown. */
import type { RouteFact, SourceBlock, TokenFact, TransactionFact, TransferFact } from "../ledger/index.ts";

/** A type with other types of some members. */
type Replace<Fact, Members> = Omit<Fact, keyof Members> & Members;

/** The members of a type, of which none is missing. */
type Known<Fact> = { readonly [Name in keyof Fact]-?: NonNullable<Fact[Name]> };

/** A token. */
export type WorldToken = TokenFact & Known<Pick<TokenFact, "name" | "symbol" | "decimals" | "program" | "reputation">>;

/** A route. */
export type WorldRoute = RouteFact & { readonly value: bigint };

/** A transfer. */
export type WorldTransfer = TransferFact & { readonly value: bigint };

/** A transaction. */
export type WorldTransaction = Replace<
  TransactionFact,
  {
    readonly fee: number;
    readonly priorityFee: number;
    readonly computeUnits: number;
    readonly transfers: readonly WorldTransfer[];
  }
>;

/** A block. */
export type WorldBlock = Replace<
  SourceBlock,
  {
    readonly height: number;
    readonly time: number;
    readonly leader: string;
    readonly feeRewards: bigint;
    readonly facts: Replace<SourceBlock["facts"], { readonly tokens?: readonly WorldToken[] }>;
    readonly transactions: readonly WorldTransaction[];
  }
>;
