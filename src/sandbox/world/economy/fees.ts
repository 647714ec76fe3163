/** What a transaction pays for its compute units. */
import type { InstructionFact } from "../../source/source.ts";

/** Compute units that a transaction gets for each of its instructions at the top, and at most. */
const UNITS_EACH = 200_000;
const UNITS_MAX = 1_400_000;

/** Why a transaction fails that has used up its compute units. */
export const OUT_OF_UNITS = "Computational budget exceeded";

/** Compute units that a transaction may use, where it does not ask for others. */
export function unitsOf(instructions: readonly InstructionFact[]): number {
  let top = 0;
  for (const { parent, type } of instructions) if (parent < 0 && type !== "setComputeUnitPrice") top++;
  const units = UNITS_EACH * (top < 1 ? 1 : top);
  return units < UNITS_MAX ? units : UNITS_MAX;
}

/**
 * What one compute unit costs, in millionths of a lamport, so that all that the transaction gets cost the priority fee.
 * @param instructions of the transaction, the one that says the price among them
 */
export function unitPrice(fee: number, instructions: readonly InstructionFact[]): number {
  return Math.round((fee * 1_000_000) / unitsOf(instructions));
}
