/** What moves in a transaction: transfers of tokens and lamports, and whether they explain the change of a balance. */
import { isNumeric, isObject, type Json, type JsonObject, numericText, textOf } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import type { ChainInstruction, ChainTransaction, TokenBalance } from "../model.ts";
import { parseInstruction } from "../parsers/index.ts";

/** An amount that an instruction moves between accounts; mints and burns have one side only. */
export interface Flow {
  readonly instruction: number;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** What the source pays. */
  readonly amount: bigint;
  /** The part that the token program withholds from the receiver (Token-2022 with a transfer fee). */
  readonly withheld: bigint;
  /** The mint; undefined for lamports, and where no account of the transfer is in the balances. */
  readonly mint: string | undefined;
  readonly inLamports: boolean;
}

/** The flows of a transaction with its balances. */
export class TransactionFlows {
  readonly transaction: ChainTransaction;
  readonly flows: readonly Flow[];
  readonly #balances: ReadonlyMap<string, TokenBalance>;
  readonly #lamports: ReadonlyMap<string, bigint>;

  constructor(transaction: ChainTransaction) {
    this.transaction = transaction;
    this.#balances = new Map(transaction.tokenBalances.map((balance) => [balance.account, balance]));
    this.#lamports = new Map(transaction.keys.map(({ address }, at) => [address, lamportChange(transaction, at)]));
    const flows = transaction.instructions.flatMap((instruction, index) => this.#flowsOf(instruction, index));
    this.flows = flows.map((flow) => this.#withFee(flow, flows));
  }

  balanceOf(account: string | undefined): TokenBalance | undefined {
    return account === undefined ? undefined : this.#balances.get(account);
  }

  /** Returns the change of a token account that flows do not explain; undefined for accounts without balance. */
  unexplained(account: string): bigint | undefined {
    const balance = this.#balances.get(account);
    return balance === undefined ? undefined : balance.post - balance.pre - sumOf(account, false, this.flows);
  }

  /** Returns the change of an account's lamports that flows do not explain: programs move those of their accounts. */
  unexplainedLamports(account: string): bigint {
    return (this.#lamports.get(account) ?? 0n) - sumOf(account, true, this.flows);
  }

  #flowsOf(instruction: ChainInstruction, index: number): readonly Flow[] {
    const { program } = instruction;
    const isToken = program === PROGRAM.token || program === PROGRAM.token2022;
    if (!isToken && program !== PROGRAM.system) return [];
    const parsed = instruction.parsed ?? parse(instruction);
    const move = parsed && (isToken ? TOKEN_MOVES : SYSTEM_MOVES)[parsed.type];
    if (parsed === undefined || move === undefined) return [];
    const { info } = parsed;
    const [from, to] = move.map((name) => (name === "" ? undefined : textOf(info[name])));
    const amount = parseAmount(info.amount ?? info.tokenAmount ?? info.lamports);
    if (amount === undefined || (from === undefined && to === undefined)) return [];
    const mint = textOf(info.mint) ?? this.balanceOf(from)?.mint ?? this.balanceOf(to)?.mint;
    const withheld = parseAmount(info.feeAmount) ?? 0n;
    return [{ instruction: index, from, to, amount, withheld, mint: isToken ? mint : undefined, inLamports: !isToken }];
  }

  /** Returns a transfer with its fee, which the receiver's balance shows where the instruction does not state it. */
  #withFee(flow: Flow, flows: readonly Flow[]): Flow {
    const { to, instruction } = flow;
    const balance = this.balanceOf(to);
    if (flow.inLamports || flow.withheld > 0n || to === undefined || balance === undefined) return flow;
    if (this.transaction.instructions[instruction]?.program !== PROGRAM.token2022) return flow;
    if (flows.filter((other) => other.to === to).length !== 1) return flow;
    const withheld = balance.pre - balance.post + sumOf(to, false, flows);
    return withheld > 0n && withheld < flow.amount ? { ...flow, withheld } : flow;
  }
}

/** Accounts that pay and receive by the type of an instruction. */
type Moves = Readonly<Record<string, readonly [from: string, to: string]>>;

const TOKEN_MOVES: Moves = {
  transfer: ["source", "destination"],
  transferChecked: ["source", "destination"],
  transferCheckedWithFee: ["source", "destination"],
  mintTo: ["", "account"],
  mintToChecked: ["", "account"],
  burn: ["account", ""],
  burnChecked: ["account", ""],
};

const SYSTEM_MOVES: Moves = {
  transfer: ["source", "destination"],
  transferWithSeed: ["source", "destination"],
  createAccount: ["source", "newAccount"],
  createAccountWithSeed: ["source", "newAccount"],
};

const parse = ({ program, accounts, data }: ChainInstruction) =>
  accounts === undefined || data === undefined ? undefined : parseInstruction(program, accounts, data);

/** Returns an amount: a number, a text, or the `amount` of an object. */
function parseAmount(value: Json | undefined): bigint | undefined {
  if (isNumeric(value)) return parseAmount(numericText(value));
  if (isObject(value)) return parseAmount((value as JsonObject).amount);
  return typeof value === "string" && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

const lamportChange = ({ preBalances, postBalances }: ChainTransaction, at: number): bigint =>
  (postBalances[at] ?? 0n) - (preBalances[at] ?? 0n);

/** Returns what an account receives less what it pays. */
function sumOf(account: string, inLamports: boolean, flows: readonly Flow[]): bigint {
  let sum = 0n;
  for (const flow of flows) {
    if (flow.inLamports !== inLamports) continue;
    if (flow.to === account) sum += flow.amount - flow.withheld;
    if (flow.from === account) sum -= flow.amount;
  }
  return sum;
}
