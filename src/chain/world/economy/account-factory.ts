/** Creates accounts: those of known addresses, with key pairs, and derived by programs. */
import { Buffer } from "node:buffer";
import { isOnCurve, PROGRAM, SYSVAR } from "../../../catalogue/index.ts";
import type { AccountKind } from "../../ledger/index.ts";
import { decodeAddress, randomAddress } from "../base58.ts";
import { NATIVE_PROGRAMS, PROGRAMS, type ProgramName } from "../data/programs.ts";
import { keyPairAddress, programAddress } from "../derive.ts";
import type { Random } from "../random.ts";
import { Account, Holding, type Token } from "./accounts.ts";
import { NATIVE_UNITS } from "./instructions.ts";

/** The accounts by which the runtime informs programs, as far as transactions of the world name them. */
const SYSVARS = ["clock", "rent", "stakeHistory", "stakeConfig"] as const;

/** The accounts of a world. */
export class AccountFactory {
  readonly random: Random;
  /** The well-known programs. */
  readonly programs: Readonly<Record<ProgramName, Account>>;
  /** The accounts by which the runtime informs programs. */
  readonly sysvars: Readonly<Record<(typeof SYSVARS)[number], Account>>;
  readonly #accounts = new Map<string, Account>();
  readonly #delegates = new Map<Account, Account>();

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
      SYSVARS.map((name) => [name, this.account("account", SYSVAR.owner, { address: SYSVAR[name] })]),
    ) as AccountFactory["sysvars"];
  }

  /**
   * Returns the account of an address, or a new account with a key pair, which signs for its creation.
   * @param suffix base58 digits at the end of a new address
   */
  account(
    kind: AccountKind,
    ownerProgram: string,
    { address, suffix = "" }: { address?: string | undefined; suffix?: string } = {},
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
    const account = new Account(address, kind, ownerProgram, isOnCurve(decodeAddress(address)));
    account.shared = !account.onCurve;
    // Only fixed addresses are ever looked up again.
    this.#accounts.set(address, account);
    return account;
  }

  /** Returns the wallet of an address, or a new wallet. */
  wallet(address?: string): Account {
    return this.account("system_account", this.programs.system.address, { address });
  }

  /** Returns an account of a program that signs for it, usually of the kind "account" or "pool". */
  programAccount(kind: AccountKind, program: Account, address?: string): Account {
    if (address !== undefined) return this.account(kind, program.address, { address });
    return this.derivedAccount(kind, program, [this.#randomSeed()]);
  }

  /** Returns the account that a program derives from seeds; `owner` is the program that owns its data. */
  derivedAccount(
    kind: AccountKind,
    program: Account,
    seeds: readonly (string | Uint8Array)[],
    owner: Account = program,
  ): Account {
    const bytes = seeds.map((seed) => (typeof seed === "string" ? Buffer.from(seed) : seed));
    const account = new Account(programAddress(bytes, program.bytes), kind, owner.address, false);
    account.shared = kind !== "token_account";
    return account;
  }

  #randomSeed(): Buffer {
    const seed = Buffer.alloc(8);
    seed.writeUInt32LE(this.random.word());
    seed.writeUInt32LE(this.random.word(), 4);
    return seed;
  }

  /** Returns the owner's associated token account, which is not open yet: see {@link Transaction.openTokenAccount}. */
  createAssociated(owner: Account, token: Token): Holding {
    const { associatedToken } = this.programs;
    const seeds = [owner.bytes, token.program.bytes, token.account.bytes];
    return new Holding(this.derivedAccount("token_account", associatedToken, seeds, token.program), token, owner, true);
  }

  /** Returns another token account, which is not open yet: derived by a program, or by default with a key pair. */
  createVault(owner: Account, token: Token, program?: Account): Holding {
    const account = program
      ? this.derivedAccount("token_account", program, [this.#randomSeed()], token.program)
      : this.account("token_account", token.program.address);
    account.shared = program !== undefined;
    return new Holding(account, token, owner, false);
  }

  /** Returns the account by which a program acts for owners who did not sign: their delegate. */
  delegateOf(program: Account): Account {
    let delegate = this.#delegates.get(program);
    if (!delegate) {
      delegate = this.derivedAccount("account", program, ["delegate"]);
      this.#delegates.set(program, delegate);
    }
    return delegate;
  }
}
