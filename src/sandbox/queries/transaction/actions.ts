/** What a transaction does, step by step. */
import type { JsonObject } from "../../../base/index.ts";
import type { Reader } from "../../ledger/reader.ts";
import { amountOf, isoOf, unixOf } from "../sql.ts";
import { type Activity, type Steps, stepsOf } from "./activities.ts";
import type { Head } from "./head.ts";
import { activityJson, allTransfers } from "./instructions.ts";
import { type Instruction, type Transfer, topOf, treeOf, withInner } from "./tree.ts";

const BUDGET = /^ACTIVITY_COMPUTE_/;
const ACCOUNTS = new Set(["ACTIVITY_SPL_CREATE_ACCOUNT", "ACTIVITY_SPL_CLOSE_ACCOUNT"]);

const stepOf = ({ type, instruction, data }: Activity): JsonObject => ({
  activity_type: type,
  program_id: instruction.program,
  data,
});

const moveOf = (instruction: Instruction, transfer: Transfer): JsonObject => ({
  activity_type: transfer.type,
  program_id: instruction.program,
  data: {
    source: transfer.source,
    source_owner: transfer.sourceOwner,
    destination: transfer.destination,
    destination_owner: transfer.destinationOwner,
    token_address: transfer.token,
    token_decimals: transfer.decimals,
    amount: amountOf(transfer.amount),
    amount_str: transfer.amount,
  },
});

/** Transfers that are not told as activities already. */
const movesOf = (instructions: readonly Instruction[]): readonly JsonObject[] =>
  instructions.flatMap((instruction) =>
    instruction.transfers.filter(({ type }) => !ACCOUNTS.has(type)).map((transfer) => moveOf(instruction, transfer)),
  );

/** The step that the instructions are for: the first that is an end, else the only transfer. */
function mainOf(instructions: readonly Instruction[], activities: readonly Activity[]): JsonObject | undefined {
  const end = activities.find(({ isEnd }) => isEnd);
  if (end) return stepOf(end);
  const moves = movesOf(instructions);
  return moves.length === 1 ? moves[0] : undefined;
}

/** A group of steps: those of an instruction at the top and of all below it. */
function summaryOf(top: Instruction, steps: Steps): readonly JsonObject[] {
  const instructions = withInner(top);
  const within = new Set(instructions);
  const activities = steps.activities.filter(({ instruction, type }) => within.has(instruction) && !BUDGET.test(type));
  const body = [...activities.map(stepOf), ...movesOf(instructions)];
  if (body.length === 0) return [];
  const title = mainOf(instructions, activities) ?? {
    activity_type: "INTERACTION",
    program_id: top.program,
    data: { program_instruction: top.parsedType },
  };
  return [{ title, body }];
}

/** The transaction in a line: the one thing that it is for, or the programs that take part. */
function lineOf(tree: readonly Instruction[], steps: Steps): JsonObject {
  const top = topOf(tree);
  const busy = top.filter((instruction) => {
    const within = new Set(withInner(instruction));
    return steps.activities.some((activity) => activity.isEnd && within.has(activity.instruction));
  });
  const main = busy.length > 1 ? undefined : mainOf(tree, steps.activities);
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

/** The entity `TransactionActions`. */
export function actionsOf(db: Reader, head: Head): JsonObject {
  const tree = treeOf(db, head.id);
  const steps = stepsOf(db, head, tree);
  return {
    tx_hash: head.signature,
    block_id: head.slot,
    block_time: unixOf(db.clock, head.time),
    time: isoOf(db.clock, head.time),
    fee: head.fee,
    priority_fee: head.priorityFee,
    one_line_summary: lineOf(tree, steps),
    summaries: topOf(tree).flatMap((instruction) => summaryOf(instruction, steps)),
    transfers: allTransfers(tree, steps, "actions"),
    activities: steps.activities.map((activity) => activityJson(activity, "actions")),
  };
}
