/** The instructions of a transaction with their compute units and logs: `node/instructions`. */
import { type JsonObject, NotFoundError, omitUndefined } from "../../../base/index.ts";
import { NODE_LACKS } from "../../../catalogue/index.ts";
import {
  addressTitle,
  alignLogs,
  type ChainInstruction,
  type ChainTransaction,
  computeUnitProfile,
  encodeBase58,
  type IdlDecodedInstruction,
  loadIdl,
  loadParsers,
} from "../../../chain/solana/index.ts";
import type { AnswerContext, NodeAnswer } from "../answer.ts";
import { readTransactions } from "../calls/transactions.ts";

/** `node/instructions`, in the order of execution. */
export const instructions: NodeAnswer = async (context) => {
  const signature = context.params.required("tx");
  const [read] = await readTransactions(context, [{ signature }]);
  if (read) return { data: await instructionRows(context, read.transaction) };
  throw new NotFoundError(`${context.node.name} has no data for ${signature}.`, {
    code: 404,
    hint: NODE_LACKS.signature,
  });
};

/** Returns the rows of a transaction. Instructions that no parser knows are decoded by the program's interface. */
export async function instructionRows(
  context: Pick<AnswerContext, "node"> | undefined,
  transaction: ChainTransaction,
): Promise<readonly JsonObject[]> {
  const { parseInstructions } = await loadParsers();
  const parsed = parseInstructions(transaction);
  const units = computeUnitProfile(transaction).instructions;
  const logs = alignLogs(transaction);
  const decoded = await decodeByIdl(context, parsed.instructions);
  const positions = positionsOf(parsed.instructions);
  const failed = failedTopLevel(transaction);
  return parsed.instructions.map((instruction, at) => {
    const { program, accounts, data } = instruction;
    const interpretation = instruction.parsed ?? decoded[at];
    return omitUndefined({
      index: positions[at] ?? "",
      program,
      program_name: addressTitle(program),
      type: instruction.parsed?.type ?? decoded[at]?.name,
      status: statusOf(Number(positions[at]?.split(".")[0]) - 1, failed, logs[at]?.outcome),
      compute_units: units[at]?.units,
      own_compute_units: units[at]?.own,
      accounts,
      info: instruction.parsed?.info ?? (decoded[at] && infoOf(decoded[at])),
      data: interpretation === undefined && data ? encodeBase58(data) : undefined,
      logs: logs[at]?.entries.filter((entry) => typeof entry === "string"),
    });
  });
}

/** Returns the positions of instructions as text: 2 is the second top-level one, 2.1 the first that it called. */
function positionsOf(list: readonly ChainInstruction[]): readonly string[] {
  const children = new Map<number, number>();
  const positions: string[] = [];
  for (const { parent } of list) {
    const number = (children.get(parent) ?? 0) + 1;
    children.set(parent, number);
    positions.push(parent < 0 ? String(number) : `${positions[parent]}.${number}`);
  }
  return positions;
}

/** Returns the index of the top-level instruction that failed; undefined when none did. */
function failedTopLevel({ error }: ChainTransaction): number | undefined {
  const { InstructionError: detail } = (error ?? {}) as { readonly InstructionError?: readonly unknown[] };
  return typeof detail?.[0] === "number" ? detail[0] : undefined;
}

function statusOf(top: number, failed: number | undefined, outcome: "success" | "failure" | undefined): string {
  if (failed === undefined || top < failed) return "ok";
  if (top > failed) return "not run";
  // Calls before the failure were successful, but their effects are undone.
  return outcome === "success" ? "ok" : "failed";
}

/** Decodes instructions by the interfaces of their programs, where no parser knows them. */
async function decodeByIdl(
  context: Pick<AnswerContext, "node"> | undefined,
  list: readonly ChainInstruction[],
): Promise<readonly (IdlDecodedInstruction | undefined)[]> {
  const unknown = list.filter(({ parsed, data }) => parsed === undefined && data !== undefined);
  if (unknown.length === 0 || !context) return [];
  const { decodeInstructionByIdl, idlsOf } = await loadIdl();
  const lookups = await idlsOf(context.node, [...new Set(unknown.map(({ program }) => program))]);
  return list.map((instruction) => {
    const lookup = instruction.parsed ? undefined : lookups.get(instruction.program);
    return lookup?.kind === "found" ? decodeInstructionByIdl(lookup.idl, instruction) : undefined;
  });
}

function infoOf({ args, accounts }: IdlDecodedInstruction): JsonObject {
  return { ...args, ...Object.fromEntries(accounts.map(({ name, address }) => [name, address])) };
}
