/** What holds balances: accounts, tokens, token accounts, stake accounts. Only transactions and rewards change them. */
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { AccountKind, KeyUse, TokenFact } from "../../source/source.ts";

/** Bits of {@link Account.flags}. */
export const SIGNER = 1;
export const WRITABLE = 2;
export const LOOKUP = 4;

/** An account. Accounts are one object each: compare and key by the object. */
export class Account {
  readonly address: string;
  readonly kind: AccountKind;
  readonly ownerProgram: string;
  /** False for program derived addresses, which never sign. */
  readonly onCurve: boolean;
  /** Of wrapped SOL accounts: the rent alone. */
  lamports = 0n;
  /** Its token accounts, open and closed, by token: one of each. Vaults are not among them. */
  readonly holdings = new Map<Token, Holding>();
  /** Whether the source has told of it. */
  published = false;
  /** Of programs: compute units of one instruction. */
  computeUnits = 0;

  /** The transaction that last touched it, its lamports before, and what it is there. */
  touchedBy = 0;
  preLamports = 0n;
  flags = 0;
  /** How it was last named; mostly it is named the same way again. */
  #lastUse: KeyUse | undefined;
  #lastUseFlags = 0;

  constructor(address: string, kind: AccountKind, ownerProgram: string, onCurve: boolean) {
    this.address = address;
    this.kind = kind;
    this.ownerProgram = ownerProgram;
    this.onCurve = onCurve;
  }

  /** How the transaction under way names it. */
  get keyUse(): KeyUse {
    const { flags, address } = this;
    if (this.#lastUse && this.#lastUseFlags === flags) return this.#lastUse;
    const signer = (flags & SIGNER) !== 0;
    const writable = (flags & WRITABLE) !== 0;
    this.#lastUseFlags = flags;
    this.#lastUse =
      (flags & LOOKUP) === 0 ? { address, signer, writable } : { address, signer, writable, lookupTable: true };
    return this.#lastUse;
  }
}

/** What a token begins as. */
export type TokenSpec = Omit<TokenFact, "address" | "program" | "created" | "firstMint" | "creator" | "mintAuthority">;

/** 10^n, exactly, as far as tokens have decimals. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** A token: fungible or an NFT. SOL is one too. */
export class Token {
  /** The mint. */
  readonly account: Account;
  readonly spec: TokenSpec;
  readonly program: Account;
  readonly creator: Account | undefined;
  /** Who may mint; undefined when nobody may any more. */
  authority: Account | undefined;
  created: string | undefined;
  firstMint: string | undefined;
  supply = 0n;
  /** Dollars of one whole token; 0 while it was never traded. Set by the market alone. */
  price = 0;
  /** Base units of one whole token. */
  readonly unitsPerToken: number;
  /** Native SOL, which has no token accounts. */
  readonly native: boolean;

  constructor(account: Account, spec: TokenSpec, program: Account, creator?: Account, authority?: Account) {
    this.account = account;
    this.spec = spec;
    this.program = program;
    this.creator = creator;
    this.authority = authority;
    this.unitsPerToken = POWERS[spec.decimals] ?? 1;
    this.native = account.address === NATIVE_SOL;
  }

  get address(): string {
    return this.account.address;
  }

  /** Base units of an amount of whole tokens, rounded. */
  toBaseUnits(whole: number): bigint {
    return BigInt(Math.round(whole * this.unitsPerToken));
  }

  /** Millionths of a dollar that an amount is worth now. */
  value(amount: bigint): bigint {
    if (this.price === 0) return 0n;
    return BigInt(Math.round(((Number(amount) * this.price) / this.unitsPerToken) * 1_000_000));
  }

  /** Base units that are worth so many dollars now; 0 without a price. */
  amountWorth(dollars: number): bigint {
    return this.price === 0 ? 0n : this.toBaseUnits(dollars / this.price);
  }

  /** The token as it is now. */
  get fact(): TokenFact {
    return {
      ...this.spec,
      address: this.address,
      program: this.program.address,
      ...(this.creator && { creator: this.creator.address }),
      ...(this.authority && { mintAuthority: this.authority.address }),
      ...(this.created !== undefined && { created: this.created }),
      ...(this.firstMint !== undefined && { firstMint: this.firstMint }),
    };
  }
}

/** A token account. */
export class Holding {
  readonly account: Account;
  readonly token: Token;
  owner: Account;
  amount = 0n;
  open = false;

  /** The owner and whether it was open when it was last published; undefined and false before. */
  publishedOwner: Account | undefined;
  publishedOpen = false;

  /** The transaction that last touched it and what it was before. */
  touchedBy = 0;
  preAmount = 0n;
  preOpen = false;
  preOwner: Account;

  constructor(account: Account, token: Token, owner: Account) {
    this.account = account;
    this.token = token;
    this.owner = owner;
    this.preOwner = owner;
  }
}

/** A stake account; always delegated. Its lamports are those of `account`. */
export class Stake {
  readonly account: Account;
  staker: Account;
  withdrawer: Account;
  voter: Account;
  /** Lamports. */
  delegated: bigint;
  readonly activationEpoch: number;
  deactivationEpoch: number | undefined;

  constructor(account: Account, owner: Account, voter: Account, delegated: bigint, activationEpoch: number) {
    this.account = account;
    this.staker = owner;
    this.withdrawer = owner;
    this.voter = voter;
    this.delegated = delegated;
    this.activationEpoch = activationEpoch;
  }
}
