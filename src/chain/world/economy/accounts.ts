/** The state of the chain: accounts, tokens, token accounts and stake accounts. Only transactions and rewards change it. */
import type { Buffer } from "node:buffer";
import { NATIVE_SOL, PROGRAM } from "../../../catalogue/index.ts";
import type { AccountKind, KeyUse } from "../../ledger/index.ts";
import { decodeAddress } from "../base58.ts";
import type { WorldToken } from "../facts.ts";

/** Bits of {@link Account.flags}. */
export const SIGNER = 1;
export const WRITABLE = 2;
export const LOOKUP = 4;

/** The place of an account in a lookup table. */
export interface LookupEntry {
  readonly table: Account;
  /** Number of the table; the tables of a transaction are in this order. */
  readonly tableNumber: number;
  readonly position: number;
}

/** The holdings of most accounts, which own no token accounts. */
const NO_HOLDINGS: ReadonlyMap<Token, Holding> = new Map();

/** An account. There is one object for each account: compare accounts and key maps by the object. */
export class Account {
  readonly address: string;
  readonly kind: AccountKind;
  readonly ownerProgram: string;
  /** Whether the address is a point of the curve. False for program derived addresses, which never sign. */
  readonly onCurve: boolean;
  /** For wrapped SOL accounts the rent only. */
  lamports = 0n;
  #holdings: Map<Token, Holding> | undefined;
  /** Whether the source has published the account. */
  published = false;
  /** Whether transactions of many users use the account, so that lookup tables contain it. */
  shared = false;
  lookup: LookupEntry | undefined;
  /** How often a transaction could have loaded the account from a lookup table. */
  lookupRequests = 0;
  /** Compute units of one instruction, for programs. */
  computeUnits = 0;

  /** Number of the transaction that last touched the account, the lamports before it, and the key flags in it. */
  touchedBy = 0;
  preLamports = 0n;
  flags = 0;
  /** Position among the keys of the last finished transaction. */
  keyIndex = 0;
  /** The last key use, reused while the flags are the same. */
  #lastUse: KeyUse | undefined;
  #lastUseFlags = 0;
  #bytes: Buffer | undefined;

  constructor(address: string, kind: AccountKind, ownerProgram: string, onCurve: boolean) {
    this.address = address;
    this.kind = kind;
    this.ownerProgram = ownerProgram;
    this.onCurve = onCurve;
  }

  /** The token account of each token that transfers use, open or closed: usually the associated one. */
  get holdings(): ReadonlyMap<Token, Holding> {
    return this.#holdings ?? NO_HOLDINGS;
  }

  /** Returns the base units of a token that the account owns. */
  balance(token: Token): bigint {
    return this.#holdings?.get(token)?.amount ?? 0n;
  }

  /** Sets the token account that transfers of a token use, or removes it. */
  setHolding(token: Token, holding: Holding | undefined): void {
    if (holding) {
      this.#holdings ??= new Map();
      this.#holdings.set(token, holding);
    } else this.#holdings?.delete(token);
  }

  /** The 32 bytes of the address. */
  get bytes(): Buffer {
    this.#bytes ??= decodeAddress(this.address);
    return this.#bytes;
  }

  /** The account as a key of the current transaction. */
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

/** Sizes of token accounts in bytes: of SPL Token, of Token-2022 (where the owner is immutable), and with fees. */
const ACCOUNT_SIZE = 165;
const ACCOUNT_2022_SIZE = 170;
const FEE_SIZE = 12;

/** Returns the lamports that an account of a size holds for its rent. */
export const rentOf = (size: number): bigint => BigInt((size + 128) * 6960);

/** The initial properties of a token. */
export type TokenSpec = Omit<WorldToken, "address" | "program" | "created" | "firstMint" | "creator" | "mintAuthority">;

/** Exact powers of ten, up to the maximum number of decimals. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** Returns the basis points of transfers that a mint withholds. */
function readTransferFee({ extensions = [] }: TokenSpec): bigint {
  const config = extensions.find(({ extension }) => extension === "transferFeeConfig")?.state;
  const { newerTransferFee = {} } = (config ?? {}) as { newerTransferFee?: { transferFeeBasisPoints?: number } };
  return BigInt(newerTransferFee.transferFeeBasisPoints ?? 0);
}

/** A token: native SOL, a fungible token or an NFT. */
export class Token {
  /** The mint account. */
  readonly account: Account;
  readonly spec: TokenSpec;
  readonly program: Account;
  readonly creator: Account | undefined;
  /** The mint authority; undefined once it is revoked. */
  authority: Account | undefined;
  created: string | undefined;
  firstMint: string | undefined;
  /** Whether the source has published the token: that of a transaction that failed it has not. */
  published = false;
  supply = 0n;
  /** Price of one whole token in dollars; 0 before the first trade. Only the market sets it. */
  price = 0;
  /** Whether users have forgotten the token: transactions must not use it, because its token accounts are forgotten too. */
  abandoned = false;
  /** Share of transfers that the mint withholds, in basis points: such tokens are sent by transactions of their issuer. */
  readonly transferFeeBps: bigint;
  /** Number of base units in one whole token. */
  readonly unitsPerToken: number;
  /** Whether the token is native SOL, which has no token accounts. */
  readonly native: boolean;
  /** Lamports that a token account holds for its rent. */
  readonly accountRent: bigint;

  constructor(account: Account, spec: TokenSpec, program: Account, creator?: Account, authority?: Account) {
    this.account = account;
    this.spec = spec;
    this.transferFeeBps = readTransferFee(spec);
    this.program = program;
    this.creator = creator;
    this.authority = authority;
    this.unitsPerToken = POWERS[spec.decimals] ?? 1;
    this.native = account.address === NATIVE_SOL;
    account.shared = spec.kind === "fungible" && !this.native;
    const fee = spec.extensions?.some(({ extension }) => extension === "transferFeeConfig") ? FEE_SIZE : 0;
    this.accountRent = rentOf((program.address === PROGRAM.token2022 ? ACCOUNT_2022_SIZE : ACCOUNT_SIZE) + fee);
  }

  get address(): string {
    return this.account.address;
  }

  /** Converts whole tokens to base units, rounded. */
  toBaseUnits(whole: number): bigint {
    return BigInt(Math.round(whole * this.unitsPerToken));
  }

  /** Returns the current value of an amount, in millionths of a dollar. */
  value(amount: bigint): bigint {
    if (this.price === 0) return 0n;
    return BigInt(Math.round(((Number(amount) * this.price) / this.unitsPerToken) * 1_000_000));
  }

  /** Returns the amount that is currently worth `dollars`; 0 without a price. */
  amountWorth(dollars: number): bigint {
    return this.price === 0 ? 0n : this.toBaseUnits(dollars / this.price);
  }

  /** The current state of the token. */
  get fact(): WorldToken {
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
  /** Whether the address is derived from the owner and the token; such an account never changes its owner. */
  readonly associated: boolean;
  owner: Account;
  amount = 0n;
  open = false;

  /** The owner and the open state that were last published; undefined and false before. */
  publishedOwner: Account | undefined;
  publishedOpen = false;

  /** Number of the transaction that last touched the token account, and the state before it. */
  touchedBy = 0;
  preAmount = 0n;
  preOpen = false;
  preOwner: Account;

  constructor(account: Account, token: Token, owner: Account, associated: boolean) {
    this.account = account;
    this.token = token;
    this.owner = owner;
    this.associated = associated;
    this.preOwner = owner;
  }
}

/** A delegated stake account; `account` holds its lamports. */
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
