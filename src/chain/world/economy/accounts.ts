/** The state of the chain, which only transactions and rewards change: accounts, tokens, token accounts, stake accounts. */
import { Buffer } from "node:buffer";
import { decodeBase58, isObject, type JsonObject } from "../../../base/index.ts";
import { isOnCurve, NATIVE_SOL, PROGRAM, SYSVAR } from "../../../catalogue/index.ts";
import type { AccountKind, KeyUse } from "../../ledger/index.ts";
import { programAddress, rentOf, requiredExtensions, TOKEN_LAYOUTS, writeLayout } from "../../solana/index.ts";
import { keyPairAddress, randomAddress } from "../addresses.ts";
import { NATIVE_PROGRAMS, PROGRAMS, type ProgramName } from "../data/programs.ts";
import type { WorldToken } from "../facts.ts";
import type { Random } from "../random.ts";

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

const NO_SIGNERS: readonly Account[] = [];
/** The holdings of most accounts, which own no token accounts. */
const NO_HOLDINGS: ReadonlyMap<Token, Holding> = new Map();

/** Number of accounts so far. */
let accountCount = 0;

/** An account. There is one object for each account: compare accounts and key maps by the object. */
export class Account {
  /** A number in place of the address where texts are composed of accounts. */
  readonly id = accountCount++;
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
  /** Who signs for it, if it is a multisig: all of them. */
  signers: readonly Account[] = NO_SIGNERS;
  /** The account that it describes: the mint of metadata, the program of code. */
  subject: Account | undefined;
  /** Accounts that programs derive from seeds of which this is the last account, by program and seeds. */
  derived: Map<string, Account> | undefined;
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

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(decodeBase58(this.address));
    return this.#bytes;
  }

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

/** Compute units of an instruction of a native program. */
export const NATIVE_UNITS = 150;

/** The initial properties of a token. */
export type TokenSpec = Omit<WorldToken, "address" | "program" | "created" | "firstMint" | "creator" | "mintAuthority">;

const { mint, extendedMint, account, extendedAccount } = TOKEN_LAYOUTS;
const [MINT_SIZE, ACCOUNT_SIZE] = [mint, account].map((layout) => writeLayout(layout, { extensions: [] }).length) as [
  number,
  number,
];

/** Returns the size of a mint in bytes. */
export function mintSize(extensions: readonly JsonObject[] = []): number {
  return extensions.length > 0 ? writeLayout(extendedMint, { extensions }).length : MINT_SIZE;
}

/** Returns the size of a token account in bytes. @param extensions of the mint; undefined for the older program */
function tokenAccountSize(extensions: readonly JsonObject[] | undefined, isAssociated: boolean): number {
  const required = extensions === undefined ? [] : requiredExtensions(extensions, isAssociated);
  return required.length > 0 ? writeLayout(extendedAccount, { extensions: required }).length : ACCOUNT_SIZE;
}

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
  /** Fees that were harvested from token accounts and not withdrawn yet. */
  withheld = 0n;
  /** Price of one whole token in dollars; 0 before the first trade. Only the market sets it. */
  price = 0;
  /** Whether users have forgotten the token: transactions must not use it, because its token accounts are forgotten too. */
  abandoned = false;
  /** Share of transfers that the mint withholds, in basis points: such tokens are sent by transactions of their issuer. */
  readonly transferFeeBps: bigint;
  readonly unitsPerToken: number;
  /** Whether the token is native SOL, which has no token accounts. */
  readonly native: boolean;
  readonly #accountRents: readonly [vault: bigint, associated: bigint];

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
    const extensions = program.address === PROGRAM.token2022 ? this.extensions : undefined;
    this.#accountRents = [rentOf(tokenAccountSize(extensions, false)), rentOf(tokenAccountSize(extensions, true))];
  }

  /** Extensions of the mint. */
  get extensions(): readonly JsonObject[] {
    return this.program.address === PROGRAM.token2022 ? ((this.spec.extensions ?? []) as readonly JsonObject[]) : [];
  }

  /** Whether owners can send the token. */
  get isTransferable(): boolean {
    return !this.extensions.some(({ extension }) => extension === "nonTransferable");
  }

  /** Returns the lamports that a token account holds for its rent. */
  accountRent(isAssociated: boolean): bigint {
    return this.#accountRents[Number(isAssociated)] as bigint;
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

  get fact(): WorldToken {
    return {
      ...this.spec,
      extensions: this.spec.extensions?.map((each) => this.#withWithheld(each as JsonObject)),
      address: this.address,
      program: this.program.address,
      creator: this.creator?.address,
      mintAuthority: this.authority?.address,
      created: this.created,
      firstMint: this.firstMint,
    };
  }

  #withWithheld(each: JsonObject): JsonObject {
    if (this.withheld === 0n || each.extension !== "transferFeeConfig" || !isObject(each.state)) return each;
    return { ...each, state: { ...each.state, withheldAmount: Number(this.withheld) } };
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
  /** Fees that the mint has withheld here. */
  withheld = 0n;

  /** The state that was last published; undefined, false and none before. */
  publishedOwner: Account | undefined;
  publishedOpen = false;
  publishedWithheld = 0n;

  /** Number of the transaction that last touched the token account, and the state before it. */
  touchedBy = 0;
  preAmount = 0n;
  preWithheld = 0n;
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

/** The accounts by which the runtime informs programs, as far as transactions of the world name them. */
const SYSVARS = ["clock", "recentBlockhashes", "rent", "slotHashes", "stakeHistory", "stakeConfig"] as const;

/** Seeds of an address that a program derives. */
export type Seeds = readonly (Account | Uint8Array | string)[];

/** The accounts of a world. */
export class AccountFactory {
  readonly random: Random;
  readonly programs: Readonly<Record<ProgramName, Account>>;
  /** The accounts by which the runtime informs programs. */
  readonly sysvars: Readonly<Record<(typeof SYSVARS)[number], Account>>;
  readonly #accounts = new Map<string, Account>();

  constructor(random: Random) {
    this.random = random;
    this.programs = Object.fromEntries(
      Object.entries(PROGRAMS).map(([name, { address }]) => {
        const native = NATIVE_PROGRAMS.includes(name);
        const program = this.account("program", native ? PROGRAM.nativeLoader : PROGRAM.upgradeableLoader, { address });
        program.computeUnits = native ? NATIVE_UNITS : address.startsWith("Token") ? 4500 : 24_000;
        return [name, program];
      }),
    ) as Record<ProgramName, Account>;
    this.sysvars = Object.fromEntries(
      SYSVARS.map((name) => {
        const owner = name === "stakeConfig" ? PROGRAM.config : SYSVAR.owner;
        return [name, this.account("account", owner, { address: SYSVAR[name] })];
      }),
    ) as AccountFactory["sysvars"];
  }

  /**
   * Returns the account of an address, or a new account with a key pair, which signs for its creation.
   * @param suffix base58 digits at the end of a new address
   */
  account(
    kind: AccountKind,
    ownerProgram: string,
    { address, suffix = "" }: { address?: string | undefined; suffix?: string | undefined } = {},
  ): Account {
    const { random } = this;
    if (address === undefined) {
      return new Account(
        keyPairAddress(random, () => randomAddress(random, suffix)),
        kind,
        ownerProgram,
        true,
      );
    }
    const known = this.#accounts.get(address);
    if (known) return known;
    const account = new Account(address, kind, ownerProgram, isOnCurve(Buffer.from(decodeBase58(address))));
    account.shared = !account.onCurve;
    // Only fixed addresses are ever looked up again.
    this.#accounts.set(address, account);
    return account;
  }

  wallet(address?: string): Account {
    return this.account("system_account", this.programs.system.address, { address });
  }

  /** Returns an account of a program that signs for it, usually of the kind "account" or "pool". */
  programAccount(kind: AccountKind, program: Account, address?: string): Account {
    if (address !== undefined) return this.account(kind, program.address, { address });
    return this.#create(kind, program, [this.#randomSeed()]);
  }

  #create(kind: AccountKind, program: Account, seeds: readonly (string | Uint8Array)[], owner = program): Account {
    const address = programAddress(seeds, program.bytes);
    // Authorities of well-known mints are known by their addresses before their programs derive them.
    const known = this.#accounts.get(address);
    if (known) return known;
    const account = new Account(address, kind, owner.address, false);
    account.shared = kind !== "token_account";
    return account;
  }

  #randomSeed(): Buffer {
    const seed = Buffer.alloc(8);
    seed.writeUInt32LE(this.random.word());
    seed.writeUInt32LE(this.random.word(), 4);
    return seed;
  }

  /**
   * Returns the account that a program derives from seeds: the same object while the last account of the seeds is used.
   * @param kind by default that of an account with data, or of an associated token account
   * @param owner the program that owns its data
   */
  derive(program: Account, seeds: Seeds, kind?: AccountKind, owner?: Account): Account {
    let last = program;
    let key = `${program.id}`;
    for (const seed of seeds) {
      if (seed instanceof Account) last = seed;
      key += seed instanceof Account ? ` ${seed.id}` : `/${typeof seed === "string" ? seed : seed.join()}`;
    }
    last.derived ??= new Map();
    let account = last.derived.get(key);
    if (!account) {
      const bytes = seeds.map((seed) => (seed instanceof Account ? seed.bytes : seed));
      const isAssociated = program === this.programs.associatedToken;
      const [, tokenProgram] = isAssociated ? (seeds as readonly Account[]) : [];
      account = this.#create(
        kind ?? (isAssociated ? "token_account" : "account"),
        program,
        bytes,
        owner ?? tokenProgram,
      );
      last.derived.set(key, account);
    }
    return account;
  }

  /** Returns the owner's associated token account, which is not open yet: see {@link Transaction.openTokenAccount}. */
  createAssociated(owner: Account, token: Token): Holding {
    const { associatedToken } = this.programs;
    return new Holding(this.derive(associatedToken, [owner, token.program, token.account]), token, owner, true);
  }

  /**
   * Returns another token account, which is not open yet: derived by a program, from random seeds by default, or without a
   * program with a key pair.
   */
  createVault(owner: Account, token: Token, program?: Account, seeds: Seeds = []): Holding {
    const { program: tokenProgram } = token;
    const account = !program
      ? this.account("token_account", tokenProgram.address)
      : seeds.length > 0
        ? this.derive(program, seeds, "token_account", tokenProgram)
        : this.#create("token_account", program, [this.#randomSeed()], tokenProgram);
    account.shared = program !== undefined || !owner.onCurve;
    return new Holding(account, token, owner, false);
  }

  /** Returns the account by which a program acts for owners who did not sign: their delegate. */
  delegateOf(program: Account): Account {
    return this.derive(program, ["delegate"]);
  }
}
