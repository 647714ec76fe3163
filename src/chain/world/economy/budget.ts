/** The compute budget of a transaction, and the priority fee that follows from it. */
import type { TransactionHost } from "./host.ts";
import type { InstructionList } from "./instructions.ts";

/** The error of a transaction that has used up its compute units. */
export const OUT_OF_UNITS = "Computational budget exceeded";

/** Default compute units for each top-level instruction, and the maximum of a transaction. */
const UNITS_EACH = 200_000;
const UNITS_MAX = 1_400_000;
const MICRO = 1_000_000;

/** A compute budget. */
export interface ComputeBudget {
  /** Compute units that the transaction used. */
  readonly consumed: number;
  /** Lamports: the limit times the price, rounded up. */
  readonly priorityFee: number;
}

/**
 * Decides the limit and the price of compute units, and enters them into the instructions that set them.
 * @param priority lamports to pay for priority, about; 0 for the default limit and no price
 */
export function settleBudget(
  host: TransactionHost,
  instructions: InstructionList,
  { priority, exhausted }: { priority: number; exhausted: boolean },
): ComputeBudget {
  const needed = host.jitter(instructions.units) + instructions.nativeUnits;
  if (priority === 0) {
    const limit = Math.min(UNITS_MAX, UNITS_EACH * Math.max(1, instructions.topCount));
    return { consumed: exhausted ? limit : Math.min(needed, limit), priorityFee: 0 };
  }
  const limit = Math.min(UNITS_MAX, exhausted ? Math.floor(needed * 0.8) : host.unitLimit(needed));
  const price = Math.max(1, Math.floor((priority * MICRO) / limit));
  instructions.setBudget(limit, price);
  return { consumed: exhausted ? limit : Math.min(needed, limit), priorityFee: Math.ceil((limit * price) / MICRO) };
}
