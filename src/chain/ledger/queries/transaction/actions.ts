/** The actions of a transaction, step by step. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { amountOf, timeFields } from "../sql.ts";
import { type InstructionActivity, stepsOf, type TransactionSteps } from "./activities.ts";
import type { TransactionHead } from "./head.ts";
import { activityJson, allTransfers } from "./instructions.ts";
import { type Instruction, type InstructionTransfer, topInstructions, treeOf, withInner } from "./tree.ts";

const BUDGET = /^ACTIVITY_COMPUTE_/;
const ACCOUNTS = new Set(["ACTIVITY_SPL_CREATE_ACCOUNT", "ACTIVITY_SPL_CLOSE_ACCOUNT"]);

const activityStep = ({ type, instruction, data }: InstructionActivity): JsonObject => ({
  activity_type: type,
  program_id: instruction.program,
  data,
});

const transferStep = (instruction: Instruction, transfer: InstructionTransfer): JsonObject => ({
  activity_type: transfer.type,
  program_id: instruction.program,
  data: omitMissing({
    source: transfer.source,
    source_owner: transfer.sourceOwner,
    destination: transfer.destination,
    destination_owner: transfer.destinationOwner,
    token_address: transfer.token,
    token_decimals: transfer.decimals,
    amount: amountOf(transfer.amount),
    amount_str: transfer.amount,
  }),
});

/** Returns the transfers that are not activities as well. */
const transferSteps = (instructions: readonly Instruction[]): readonly JsonObject[] =>
  instructions.flatMap((instruction) =>
    instruction.transfers
      .filter(({ type }) => !ACCOUNTS.has(type))
      .map((transfer) => transferStep(instruction, transfer)),
  );

/** Returns the main step of instructions: the first main activity, or else the only transfer. */
function mainStep(
  instructions: readonly Instruction[],
  activities: readonly InstructionActivity[],
): JsonObject | undefined {
  const main = activities.find(({ isMain }) => isMain);
  if (main) return activityStep(main);
  const transfers = transferSteps(instructions);
  return transfers.length === 1 ? transfers[0] : undefined;
}

/** Returns the steps of a top-level instruction and its inner instructions as a group. */
function instructionSummary(top: Instruction, steps: TransactionSteps): readonly JsonObject[] {
  const instructions = withInner(top);
  const within = new Set(instructions);
  const activities = steps.activities.filter(({ instruction, type }) => within.has(instruction) && !BUDGET.test(type));
  const body = [...activities.map(activityStep), ...transferSteps(instructions)];
  if (body.length === 0) return [];
  const title = mainStep(instructions, activities) ?? {
    activity_type: "INTERACTION",
    program_id: top.program,
    data: { program_instruction: top.parsedType },
  };
  return [{ title, body }];
}

/** Returns the one-line summary: the only main step, or the programs involved. */
function oneLineSummary(tree: readonly Instruction[], steps: TransactionSteps): JsonObject {
  const top = topInstructions(tree);
  const acting = top.filter((instruction) => {
    const within = new Set(withInner(instruction));
    return steps.activities.some((activity) => activity.isMain && within.has(activity.instruction));
  });
  const main = acting.length > 1 ? undefined : mainStep(tree, steps.activities);
  if (main) return main;
  const programs = Map.groupBy(top, ({ program }) => program);
  return {
    activity_type: "MULTI_INTERACTIONS",
    data: {
      program_instruction_maps: Object.fromEntries(
        [...programs].map(([program, list]) => [program, list.map(({ parsedType }) => parsedType)]),
      ),
    },
  };
}

/** Returns the entity `TransactionActions`. */
export function actionsOf(db: LedgerReader, head: TransactionHead): JsonObject {
  const tree = treeOf(db, head.id);
  const steps = stepsOf(db, head, tree);
  return {
    tx_hash: head.signature,
    block_id: head.slot,
    ...timeFields(db, head.time),
    fee: head.fee,
    priority_fee: head.priorityFee,
    one_line_summary: oneLineSummary(tree, steps),
    summaries: topInstructions(tree).flatMap((instruction) => instructionSummary(instruction, steps)),
    transfers: allTransfers(tree, steps, "actions"),
    activities: steps.activities.map((activity) => activityJson(activity, "actions")),
  };
}
