/** The instructions of a transaction and their accounts. */

import type { InstructionFact } from "../../ledger/index.ts";
import { encodePositions } from "../../ledger/index.ts";
import { type Account, NATIVE_UNITS } from "./accounts.ts";

/** Parent of top-level instructions. */
export const TOP_LEVEL = -1;

interface Call {
  readonly program: Account;
  readonly type: string;
  readonly parsedType: string;
  readonly parent: number;
  info: InstructionFact["info"];
  readonly accounts: Account[];
}

/** The instructions of one transaction, in the order of execution. */
export class InstructionList {
  readonly #calls: Call[] = [];
  /** Compute units that programs use, which differ a little from run to run, and those of native programs. */
  units = 0;
  nativeUnits = 0;
  /** Arguments of the instructions of the compute budget; filled in by {@link setBudget}. */
  #limit: { units: number } | undefined;
  #price: { microLamports: number } | undefined;

  /** Adds an instruction and returns its index. Its callers pass the program and the accounts on. */
  add(program: Account, type: string, parsedType: string, parent: number, info?: InstructionFact["info"]): number {
    if (program.computeUnits === NATIVE_UNITS) this.nativeUnits += NATIVE_UNITS;
    else this.units += program.computeUnits;
    this.#passOn(parent, program);
    return this.#calls.push({ program, type, parsedType, parent, info, accounts: [] }) - 1;
  }

  addAccount(instruction: number, account: Account): void {
    const call = this.#calls[instruction];
    if (!call) return;
    call.accounts.push(account);
    this.#passOn(call.parent, account);
  }

  #passOn(instruction: number, account: Account): void {
    for (let call = this.#calls[instruction]; call; call = this.#calls[call.parent]) {
      if (call.program !== account && !call.accounts.includes(account)) call.accounts.push(account);
    }
  }

  has(instruction: number, account: Account): boolean {
    return this.#calls[instruction]?.accounts.includes(account) === true;
  }

  get last(): number {
    return this.#calls.length - 1;
  }

  programOf(instruction: number): Account | undefined {
    return this.#calls[instruction]?.program;
  }

  /** Returns the index of the first instruction of a program, or of this type; -1 without one. */
  find(program: Account, type?: string): number {
    return this.#calls.findIndex((call) => call.program === program && (type === undefined || call.type === type));
  }

  /** Returns the position of an instruction, or of the one that it is part of, among the top-level instructions. */
  topIndexOf(instruction: number): number {
    return this.#calls.slice(0, instruction + 1).filter(({ parent }) => parent === TOP_LEVEL).length - 1;
  }

  /** Adds the instructions that set the limit and the price of compute units. */
  addBudget(computeBudget: Account): void {
    this.#limit = { units: 0 };
    this.#price = { microLamports: 0 };
    this.add(computeBudget, "setComputeUnitLimit", "SetComputeUnitLimit", TOP_LEVEL, this.#limit);
    this.add(computeBudget, "setComputeUnitPrice", "SetComputeUnitPrice", TOP_LEVEL, this.#price);
  }

  /** Sets the limit of compute units and the price of one, in millionths of a lamport. */
  setBudget(units: number, microLamports: number): void {
    if (this.#limit) this.#limit.units = units;
    if (this.#price) this.#price.microLamports = microLamports;
  }

  /** Number of top-level instructions other than those of the compute budget. */
  get topCount(): number {
    let count = 0;
    for (const { parent } of this.#calls) if (parent === TOP_LEVEL) count++;
    return this.#limit ? count - 2 : count;
  }

  /** Number of bytes of the top-level instructions, about: the data of programs other than native ones has up to 70. */
  get topBytes(): number {
    let bytes = 0;
    for (const { parent, program, accounts, info } of this.#calls) {
      if (parent !== TOP_LEVEL) continue;
      const isPlain = program.computeUnits === NATIVE_UNITS || accounts.length < 8;
      bytes += accounts.length + (isPlain ? 16 : 70) + (info === undefined ? 0 : JSON.stringify(info).length >> 1);
    }
    return bytes;
  }

  /** States arguments of an instruction in addition to its own. */
  state(instruction: number, info: InstructionFact["info"]): void {
    const call = this.#calls[instruction];
    if (call) call.info = { ...info, ...call.info };
  }

  /** Returns the instructions, once every account has its position among the keys. */
  toFacts(): InstructionFact[] {
    return this.#calls.map(({ program, type, parsedType, parent, info, accounts }) => {
      const positions = encodePositions(accounts.map(({ keyIndex }) => keyIndex));
      const fact = { program: program.address, type, parsedType, parent, accounts: positions };
      return info === undefined ? fact : { ...fact, info };
    });
  }
}
