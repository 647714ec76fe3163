/** What a transaction pays for and uses: compute units of each instruction, limits, priority fee. */
import { isNumeric, type Numeric, numericText, toNumber } from "../../base/index.ts";
import { PROGRAM } from "../../catalogue/index.ts";
import { attempt, ByteReader } from "./bytes.ts";
import { type LogCall, logTree } from "./logs.ts";
import type { ChainInstruction, ChainTransaction, ParsedInstruction } from "./model.ts";

/** Compute units of a transaction. */
interface ComputeUnitProfile {
  /** Of each instruction, with and without those of the calls in it; undefined where the log does not report them. */
  readonly instructions: readonly { readonly units: number | undefined; readonly own: number | undefined }[];
  /** The requested limit; undefined where the transaction uses the default. */
  readonly limit?: number | undefined;
  /** Price of a unit in millionths of a lamport. */
  readonly price?: bigint | undefined;
}

/** Lamports for a signature, on all public clusters. */
const SIGNATURE_FEE = 5000n;

/** Returns the compute units of each instruction and of the transaction. */
export function computeUnitProfile(transaction: ChainTransaction): ComputeUnitProfile {
  const { limit, price } = readBudget(transaction.instructions);
  const instructions = alignLogs(transaction).map((call) => {
    const { units } = call ?? {};
    return { units, own: call && units !== undefined ? units - innerUnits(call) : undefined };
  });
  return { instructions, limit: transaction.limits?.computeUnitLimit ?? limit, price };
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
  const calls = logTree(logs ?? []).flatMap(withInner);
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

type Budget = Pick<ComputeUnitProfile, "limit" | "price">;

function readBudget(instructions: readonly ChainInstruction[]): Budget {
  const own = instructions.filter(({ program }) => program === PROGRAM.computeBudget);
  return Object.assign(
    {},
    ...own.map(({ data, parsed }) => (data ? readInstruction(data) : parsed && readParsed(parsed))),
  );
}

/** What the instructions of the program hold, by their number; the first one has a fee, too, which is no longer used. */
const INSTRUCTIONS: Readonly<Record<number, (reader: ByteReader) => Budget>> = {
  0: (reader) => ({ limit: reader.u32() }),
  2: (reader) => ({ limit: reader.u32() }),
  3: (reader) => ({ price: reader.u64() }),
};

function readInstruction(data: Uint8Array): Budget | undefined {
  const reader = new ByteReader(data);
  return attempt(() => INSTRUCTIONS[reader.u8()]?.(reader));
}

/** Some nodes parse the program. */
function readParsed({ type, info }: ParsedInstruction): Budget {
  const units = toNumber(info.units);
  if (type === "setComputeUnitLimit" && units !== undefined) return { limit: units };
  const isPrice = type === "setComputeUnitPrice" && isNumeric(info.microLamports);
  return isPrice ? { price: BigInt(numericText(info.microLamports as Numeric)) } : {};
}
