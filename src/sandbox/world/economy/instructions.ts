/** The instructions of a transaction and the compute budget that they get. */
import type { InstructionFact } from "../../source/source.ts";
import type { Account } from "./accounts.ts";

/** Parent of top-level instructions. */
export const TOP_LEVEL = -1;
/** The error of a transaction that has used up its compute units. */
export const OUT_OF_UNITS = "Computational budget exceeded";

/** Default compute units for each top-level instruction, and the maximum of a transaction. */
const UNITS_EACH = 200_000;
const UNITS_MAX = 1_400_000;
const SET_PRICE = "setComputeUnitPrice";

/** The instructions of one transaction, in the order of execution. */
export class InstructionList {
  readonly facts: InstructionFact[] = [];
  readonly #programs: Account[] = [];
  /** Compute units that the instructions use, before jitter. */
  units = 0;
  /** Arguments of the instruction that sets the price of compute units; filled in by {@link setPrice}. */
  #price: { microLamports: number } | undefined;

  /** Adds an instruction and returns its index. */
  add(program: Account, type: string, parsedType: string, parent: number, info?: InstructionFact["info"]): number {
    this.units += program.computeUnits;
    this.#programs.push(program);
    const { address } = program;
    const fact: InstructionFact =
      info === undefined
        ? { program: address, type, parsedType, parent }
        : { program: address, type, parsedType, parent, info };
    return this.facts.push(fact) - 1;
  }

  /** Returns the program of an instruction. */
  programOf(instruction: number): Account | undefined {
    return this.#programs[instruction];
  }

  /** Adds the instruction that sets the price of compute units; the price follows with {@link setPrice}. */
  addPrice(computeBudget: Account): void {
    this.#price = { microLamports: 0 };
    this.add(computeBudget, SET_PRICE, SET_PRICE, TOP_LEVEL, this.#price);
  }

  /**
   * Sets the price of one compute unit, in millionths of a lamport, so that the whole limit costs the priority fee.
   * Does nothing without a price instruction.
   */
  setPrice(priorityFee: number): void {
    if (this.#price) this.#price.microLamports = Math.round((priorityFee * 1_000_000) / this.unitLimit);
  }

  /** Returns the position of an instruction, or of the one that it is part of, among the top-level instructions. */
  topIndexOf(instruction: number): number {
    return this.facts.slice(0, instruction + 1).filter(({ parent }) => parent === TOP_LEVEL).length - 1;
  }

  /** Compute units that the transaction may use. */
  get unitLimit(): number {
    let top = 0;
    for (const { parent, type } of this.facts) if (parent < 0 && type !== SET_PRICE) top++;
    const units = UNITS_EACH * (top < 1 ? 1 : top);
    return units < UNITS_MAX ? units : UNITS_MAX;
  }
}
