/**
 * The chain of a sandbox, to which tests can add transactions. The first change copies the ledger, which other sandboxes
 * share; each change is a block at the time of the sandbox, so that all answers agree on it.
 */
import { parseDecimal, scaleDown, toWholeUnits, UsageError } from "../../base/index.ts";
import { isAddress, NATIVE_SOL, WRAPPED_SOL } from "../../catalogue/index.ts";
import { type Ledger, type LedgerCopy, type LedgerReader, loadGrowingLedgers } from "../../chain/ledger/index.ts";
import {
  type Account,
  type Holding,
  type LedgerEconomy,
  loadLedgerEconomy,
  type Token,
  type Transaction,
} from "../../chain/world/index.ts";
import type { SandboxClock } from "./clock.ts";

/** An amount of an account in whole units, as decimal text: `1.5`. */
export interface AccountAmount {
  /** The account. */
  readonly address: string;
  /** The amount in whole units. */
  readonly amount: string;
  /** The mint of a token; SOL by default. */
  readonly token?: string | undefined;
}

/** A transfer of an amount in whole units, as decimal text: `1.5`. */
export interface TransferRequest {
  /** The sender. */
  readonly from: string;
  /** The recipient. */
  readonly to: string;
  /** The amount in whole units. */
  readonly amount: string;
  /** The mint of a token; SOL by default. */
  readonly token?: string | undefined;
}

/** The transaction of a change, and its block. */
export interface ChainChange {
  /** The signature of the transaction that made the change. */
  readonly signature: string;
  /** The slot of the transaction. */
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number;
}

/** A chain that can be changed. */
export interface SandboxChain {
  readonly reader: LedgerReader;
  /** Whether blocks can be added; those of other chains come from elsewhere. */
  readonly canChange: boolean;
  /** Sends an amount, and opens what the receiver lacks. Throws UsageError when the sender has less. */
  send(transfer: TransferRequest): Promise<ChainChange>;
  /** Sets a balance: SOL comes from and goes to the richest wallet, tokens are minted and burnt. */
  setBalance(balance: AccountAmount): Promise<ChainChange | undefined>;
  /** Continues the chain at the time of the clock, so that statistics of the last day end there. */
  catchUp(): Promise<void>;
  /** The file of the chain; undefined for a chain that ends with the sandbox. */
  readonly stored: Pick<LedgerCopy, "state" | "saveState"> | undefined;
  close(): void;
}

/** Parts of a chain. */
export interface ChainOptions {
  readonly ledger: Pick<Ledger, "reader" | "close">;
  readonly clock: SandboxClock;
  /** The ledger to copy; undefined for one that something else fills. */
  readonly original: Ledger | undefined;
  /** The file of the copy, which a later sandbox can continue; by default a temporary one, created on demand. */
  readonly path?: string | undefined;
}

/** Lamports of a signature. */
const FEE = 5000n;
const MAX_SUPPLY = 2n ** 64n - 1n;

/** Opens the chain of a sandbox over its ledger. Throws UsageError when the file cannot be used. */
export async function openChain({ ledger, clock, original, path }: ChainOptions): Promise<SandboxChain> {
  let current: Pick<Ledger, "reader" | "close"> = ledger;
  let stored: LedgerCopy | undefined;
  let copying: Promise<LedgerCopy> | undefined;
  const openCopy = async (source: Ledger): Promise<LedgerCopy> => {
    const { openLedgerCopy } = await loadGrowingLedgers();
    const copy = await openLedgerCopy(source, path);
    current = copy;
    return copy;
  };
  if (path !== undefined && original) {
    stored = await openCopy(original);
    copying = Promise.resolve(stored);
  }
  /**
   * Adds a block with what the action does, which has to be synchronous: a later change sees the block.
   * @param addsEmpty whether it is added without transactions
   */
  const change = async <T>(action: (economy: LedgerEconomy) => T, addsEmpty = false): Promise<T> => {
    if (!original) throw fixedError();
    copying ??= openCopy(original);
    const [copy, { LedgerEconomy }] = await Promise.all([copying, loadLedgerEconomy()]).catch((error) => {
      copying = undefined;
      throw error;
    });
    const economy = new LedgerEconomy(copy.reader, Math.floor(clock.dates() / 1000) - copy.reader.clock.shift);
    const result = action(economy);
    if (addsEmpty || economy.transactionCount > 0) copy.append(economy.closeBlock());
    return result;
  };
  const commit = (economy: LedgerEconomy, tx: Transaction): ChainChange => {
    if (!tx.commit()) throw new Error("The sandbox could not carry out the change.");
    const { slot, time } = economy.position;
    return { signature: tx.signature, slot, time: time + current.reader.clock.shift };
  };
  return {
    get reader() {
      return current.reader;
    },
    send: (transfer) => change((economy) => commit(economy, buildTransfer(economy, transfer))),
    setBalance: (balance) =>
      change((economy) => {
        const tx = buildBalanceChange(economy, balance);
        return tx && commit(economy, tx);
      }),
    canChange: original !== undefined,
    catchUp: () => change(() => {}, true),
    stored,
    close() {
      current.close();
      if (current !== ledger) ledger.close();
    },
  };
}

const fixedError = () =>
  new UsageError("the balances of this sandbox cannot be changed: its blocks come from elsewhere", {
    code: "CHAIN_FIXED",
    hint: "Start the sandbox without --live and --index.",
  });

function buildTransfer(economy: LedgerEconomy, { from, to, amount, token: mint }: TransferRequest): Transaction {
  const token = findToken(economy, mint);
  const units = parseUnits(token, amount);
  if (units === 0n) throw new UsageError(`invalid amount "${amount}": expected more than 0`);
  if (!token.isTransferable) throw new UsageError(`${describeToken(token)} cannot be transferred`);
  if (token.transferFeeBps > 0n) {
    throw new UsageError(`${describeToken(token)} withholds a fee from transfers, which the sandbox cannot send`);
  }
  const [sender, receiver] = [loadAccount(economy, "sender", from), loadAccount(economy, "receiver", to)];
  if (token.native) {
    checkWallet(sender);
    checkBalance(sender, token, sender.lamports, units);
    const tx = economy.begin(choosePayer(economy, sender, units + FEE));
    tx.transferSol(sender, receiver, units);
    return tx;
  }
  const own = economy.loadTokenAccount(from, token);
  const sources = own ? [own] : economy.loadHoldings(sender, token);
  checkBalance(sender, token, total(sources), units);
  const target = economy.loadTokenAccount(to, token) ?? checkOwner(receiver);
  if (!("token" in target)) economy.loadHoldings(target, token);
  const tx = economy.begin(choosePayer(economy, own?.owner ?? sender, token.accountRent(true) + FEE));
  for (const [source, part] of divide(sources, units)) tx.transferToken(source, target, token, part);
  return tx;
}

function buildBalanceChange(economy: LedgerEconomy, request: AccountAmount): Transaction | undefined {
  const token = findToken(economy, request.token);
  const units = parseUnits(token, request.amount);
  const account = loadAccount(economy, "address", request.address);
  const faucet = economy.loadFaucet(account);
  if (token.native) {
    checkWallet(account);
    const missing = units - account.lamports;
    if (missing === 0n) return undefined;
    if (missing > 0n) checkBalance(faucet, token, faucet.lamports - FEE, missing);
    const tx = economy.begin(faucet);
    if (missing > 0n) tx.transferSol(faucet, account, missing);
    else tx.transferSol(account, faucet, -missing);
    return tx;
  }
  checkMintable(token);
  const holdings = economy.loadHoldings(checkOwner(account), token);
  const missing = units - total(holdings);
  if (missing === 0n) return undefined;
  if (token.supply + missing > MAX_SUPPLY) {
    throw new UsageError(`the supply of ${describeToken(token)} would exceed the maximum of ${MAX_SUPPLY} base units`);
  }
  const tx = economy.begin(faucet);
  if (missing > 0n) tx.mint(token, account, missing);
  else for (const [holding, part] of divide(holdings, -missing)) tx.burn(token, holding, part);
  return tx;
}

function divide(holdings: readonly Holding[], amount: bigint): readonly (readonly [Holding, bigint])[] {
  let rest = amount;
  return holdings.flatMap((holding) => {
    const part = holding.amount < rest ? holding.amount : rest;
    rest -= part;
    return part > 0n ? [[holding, part] as const] : [];
  });
}

const total = (holdings: readonly Holding[]): bigint => holdings.reduce((sum, { amount }) => sum + amount, 0n);

/** Returns who pays the fee: the sender, or the richest wallet for one that cannot. */
const choosePayer = (economy: LedgerEconomy, sender: Account, cost: bigint): Account =>
  sender.kind === "system_account" && sender.onCurve && sender.lamports >= cost ? sender : economy.loadFaucet(sender);

function findToken(economy: LedgerEconomy, mint = NATIVE_SOL): Token {
  const token = economy.loadToken(mint);
  if (token) return token;
  throw new UsageError(`unknown token "${mint}": expected the mint of a token of the sandbox`, {
    code: "UNKNOWN_TOKEN",
    hint: "To find a token: solx token search <name>",
  });
}

function loadAccount(economy: LedgerEconomy, name: string, text: string): Account {
  if (!isAddress(text)) throw new UsageError(`invalid ${name} "${text}": expected an address`, { code: "BAD_ADDRESS" });
  return economy.load(text);
}

function parseUnits(token: Token, text: string): bigint {
  const { decimals } = token.spec;
  const value = parseDecimal(text);
  if (value === undefined || value.negative) {
    throw new UsageError(`invalid amount "${text}": expected a decimal number such as 1.5`, { code: "BAD_AMOUNT" });
  }
  const units = scaleDown(value, -decimals);
  if (units.scale > 0) {
    throw new UsageError(`invalid amount "${text}": ${describeToken(token)} has ${decimals} decimals`, {
      code: "BAD_AMOUNT",
    });
  }
  return units.digits * 10n ** BigInt(-units.scale);
}

function checkBalance(account: Account, token: Token, balance: bigint, amount: bigint): void {
  if (balance >= amount) return;
  const [has, needs] = [balance, amount].map((units) => toWholeUnits(units, token.spec.decimals));
  throw new UsageError(`insufficient balance: ${account.address} has ${has} ${describeToken(token)}, not ${needs}`, {
    code: "INSUFFICIENT_BALANCE",
    hint: `Give it more first: solx sandbox balance ${account.address} ${needs}${token.native ? "" : ` --token ${token.address}`}`,
  });
}

/** SOL of other accounts is their rent or their stake. */
function checkWallet({ address, kind }: Account): void {
  if (kind === "system_account") return;
  throw new UsageError(`${address} is no wallet: its SOL belongs to its ${kind.replace("_", " ")}`, {
    code: "NOT_A_WALLET",
  });
}

/** Returns the owner of token accounts. */
function checkOwner(account: Account): Account {
  if (account.kind !== "token_account" && account.kind !== "mint") return account;
  throw new UsageError(`${account.address} is a ${account.kind.replace("_", " ")} and cannot own this token`, {
    code: "NOT_AN_OWNER",
  });
}

function checkMintable(token: Token): void {
  const isWrapped = token.address === WRAPPED_SOL;
  if (!isWrapped && token.spec.kind === "fungible") return;
  throw new UsageError(
    isWrapped ? "wrapped SOL cannot be minted" : `${describeToken(token)} is an NFT, of which there is only one`,
    { code: "NOT_MINTABLE", hint: "Send it from an account that has it: solx sandbox send" },
  );
}

const describeToken = ({ spec, address }: Token): string => spec.symbol || address;
