/** What a transaction pays for and uses: compute units of each instruction, limits, priority fee. */
import { isNumeric, type Json, numericText, toNumber } from "../../base/index.ts";
import { PROGRAM } from "../../catalogue/index.ts";
import { ByteReader } from "./bytes.ts";
import { type LogCall, logTree } from "./logs.ts";
import type { ChainInstruction, ChainTransaction } from "./model.ts";

/** Compute units of an instruction. */
interface InstructionUnits {
  /** Position in {@link ChainTransaction.instructions}. */
  readonly index: number;
  readonly program: string;
  /** Units with those of the calls in it; undefined where the log does not report them, as for native programs. */
  readonly units: number | undefined;
  /** Units without those of the calls in it, as far as these are known. */
  readonly own: number | undefined;
}

/** Compute units of a transaction. */
interface ComputeUnitProfile {
  readonly instructions: readonly InstructionUnits[];
  readonly total: number | undefined;
  /** The requested limit; undefined where the transaction uses the default. */
  readonly limit: number | undefined;
  /** Price of a unit in millionths of a lamport. */
  readonly price: bigint | undefined;
  /** Bytes of accounts that may be loaded. */
  readonly loadedAccountsDataSizeLimit: number | undefined;
  /** Bytes of the heap. */
  readonly heapSize: number | undefined;
  /** Lamports beyond the fee for signatures; undefined where the node did not return the fee. */
  readonly priorityFee: bigint | undefined;
}

/** Lamports for a signature, on all public clusters. */
const SIGNATURE_FEE = 5000n;

/** Returns the compute units of each instruction and of the transaction. */
export function computeUnitProfile(transaction: ChainTransaction): ComputeUnitProfile {
  const budget = readBudget(transaction.instructions);
  const { limits } = transaction;
  return {
    instructions: alignLogs(transaction).map((call, index) => ({
      index,
      program: (transaction.instructions[index] as ChainInstruction).program,
      units: call?.units,
      own: call?.units === undefined ? undefined : call.units - innerUnits(call),
    })),
    total: transaction.computeUnits,
    limit: limits?.computeUnitLimit ?? budget.limit,
    price: budget.price,
    loadedAccountsDataSizeLimit: limits?.loadedAccountsDataSizeLimit ?? budget.loadedAccountsDataSizeLimit,
    heapSize: limits?.heapSize ?? budget.heapSize,
    priorityFee: transaction.detail === "full" ? priorityFeeOf(transaction) : undefined,
  };
}

const innerCalls = ({ entries }: LogCall): readonly LogCall[] => entries.filter((entry) => typeof entry !== "string");

/** The log reports no units of native programs, which may contain calls of others. */
const innerUnits = (call: LogCall): number =>
  innerCalls(call).reduce((sum, inner) => sum + (inner.units ?? innerUnits(inner)), 0);

/**
 * Returns the call in the log of each instruction; undefined for those that are not in it, such as precompiled programs
 * and what follows where the log is cut off.
 */
export function alignLogs({
  instructions,
  logs,
}: Pick<ChainTransaction, "instructions" | "logs">): readonly (LogCall | undefined)[] {
  const calls = logTree(logs ?? []).calls.flatMap(withInner);
  let next = 0;
  return instructions.map(({ program, height }) => {
    const call = calls[next];
    if (call?.program !== program || call.depth !== height) return undefined;
    next += 1;
    return call;
  });
}

const withInner = (call: LogCall): readonly LogCall[] => [call, ...innerCalls(call).flatMap(withInner)];

/** Returns the lamports beyond the fee for signatures. */
export function priorityFeeOf({ fee, signatures, instructions }: ChainTransaction): bigint {
  const extra = fee - SIGNATURE_FEE * BigInt(signatures.length + checkedSignatures(instructions));
  return extra > 0n ? extra : 0n;
}

const PRECOMPILES: readonly string[] = [PROGRAM.ed25519, PROGRAM.secp256k1, PROGRAM.secp256r1];

/** Signatures that precompiled programs check cost as much as those of the transaction. */
function checkedSignatures(instructions: readonly ChainInstruction[]): number {
  return instructions.reduce(
    (sum, { program, data }) => sum + (PRECOMPILES.includes(program) ? (data?.[0] ?? 0) : 0),
    0,
  );
}

interface Budget {
  limit?: number;
  price?: bigint;
  loadedAccountsDataSizeLimit?: number;
  heapSize?: number;
}

function readBudget(instructions: readonly ChainInstruction[]): Budget {
  const budget: Budget = {};
  for (const { program, data, parsed } of instructions) {
    if (program !== PROGRAM.computeBudget) continue;
    if (data !== undefined) readInstruction(data, budget);
    else if (parsed !== undefined) readParsed(parsed.type, parsed.info, budget);
  }
  return budget;
}

/** Sizes of the instructions of the program, by their number. */
const SIZES = [9, 5, 5, 9, 5];

function readInstruction(data: Uint8Array, budget: Budget): void {
  const reader = new ByteReader(data);
  const number = reader.remaining > 0 ? reader.u8() : -1;
  if (data.length < (SIZES[number] ?? Number.POSITIVE_INFINITY)) return;
  if (number === 1) budget.heapSize = reader.u32();
  else if (number === 3) budget.price = reader.u64();
  else if (number === 4) budget.loadedAccountsDataSizeLimit = reader.u32();
  else budget.limit = reader.u32();
}

/** Some nodes parse the program. */
function readParsed(type: string, info: Readonly<Record<string, Json>>, budget: Budget): void {
  const units = toNumber(info.units);
  if (type === "setComputeUnitLimit" && units !== undefined) budget.limit = units;
  if (type === "setComputeUnitPrice" && isNumeric(info.microLamports)) {
    budget.price = BigInt(numericText(info.microLamports));
  }
}
