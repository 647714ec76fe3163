/** Transfers and activities of a transaction in the two spellings of the API: details and actions. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { TIP_ACCOUNTS } from "../../../../catalogue/index.ts";
import { UNNAMED_INSTRUCTION } from "../../source/source.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { amountOf, timeFields } from "../sql.ts";
import { findOtherLeg, type InstructionActivity, stepsOf, type TransactionSteps } from "./activities.ts";
import { type ArgumentsByInstruction, decodedData, feeOf, isParsed, newAccountFields } from "./arguments.ts";
import { failureField, type TransactionHead } from "./head.ts";
import { encodedData, idlData } from "./instruction-data.ts";
import {
  type Instruction,
  type InstructionTransfer,
  readTree,
  topInstructions,
  topPrograms,
  UNKNOWN_PROGRAM,
  withInner,
} from "./tree.ts";

/** How types are written: `spl_createaccount` in details, `ACTIVITY_SPL_CREATE_ACCOUNT` in actions. */
type Spelling = "detail" | "actions";

function detailKind(type: string): string {
  const name = type.replace("ACTIVITY_", "").toLowerCase();
  if (/^(compute|nft)_/.test(name)) return name;
  return name.startsWith("spl_") ? `spl_${name.slice("spl_".length).replaceAll("_", "")}` : `defi_${name}`;
}

/** Returns an activity type in the spelling of details; DeFi types may contain `SPL` too. */
const activityKind = ({ type, isMain }: InstructionActivity): string =>
  isMain && type.startsWith("ACTIVITY_SPL_")
    ? `defi_${type.replace("ACTIVITY_SPL_", "").toLowerCase()}`
    : detailKind(type);

/** Returns the position of an instruction below its top-level instruction. */
const outerFields = ({ index, outer }: Instruction) => ({
  ins_index: index,
  outer_ins_index: outer?.index ?? -1,
  outer_program_id: outer?.program ?? null,
});

const EVENTS: Readonly<Record<string, string>> = {
  ACTIVITY_SPL_CREATE_ACCOUNT: "createAccount",
  ACTIVITY_SPL_CLOSE_ACCOUNT: "closeAccount",
};

function withheldFee(instruction: Instruction): JsonObject {
  const fee = feeOf(instruction);
  return fee === undefined ? {} : { amount: amountOf(fee), amount_str: fee };
}

function transferJson(
  steps: TransactionSteps,
  instruction: Instruction,
  transfer: InstructionTransfer,
  spelling: Spelling,
): JsonObject {
  const { sourceOwner, source, destination, destinationOwner, type, token, decimals, amount } = transfer;
  const other = findOtherLeg(steps, instruction, transfer);
  return {
    source_owner: sourceOwner,
    source,
    destination,
    destination_owner: destinationOwner,
    transfer_type: spelling === "detail" ? detailKind(type) : type,
    token_address: token,
    ...omitMissing({ decimals }),
    amount: amountOf(amount),
    amount_str: amount,
    program_id: instruction.program,
    ...outerFields(instruction),
    ...(spelling === "detail"
      ? { event: EVENTS[type] ?? "", fee: withheldFee(instruction) }
      : { extra_data: type === "ACTIVITY_SPL_CREATE_ACCOUNT" ? newAccountFields(instruction) : {} }),
    ...(other
      ? {
          base_value: omitMissing({
            token_address: other.token,
            decimals: other.decimals,
            amount: amountOf(other.amount),
            amount_str: other.amount,
          }),
        }
      : {}),
  };
}

/** Returns an activity. */
export function activityJson(activity: InstructionActivity, spelling: Spelling): JsonObject {
  const { instruction, name, type, data } = activity;
  const { caller, program, parsedType, level } = instruction;
  const isDetail = spelling === "detail";
  return {
    name,
    activity_type: isDetail ? activityKind(activity) : type,
    program_id: program,
    data,
    ...outerFields(instruction),
    ...(isDetail ? { program_invoke_level: level, inst_type: parsedType } : {}),
    // As in the API: account creations do not name their caller.
    ...(type === "ACTIVITY_SPL_CREATE_ACCOUNT"
      ? {}
      : { real_outer_ins_index: caller?.index ?? -1, real_outer_program_id: caller?.program ?? null }),
  };
}

/** Programs whose instructions explorers show as encoded data. */
const OPAQUE: ReadonlySet<string> = new Set(["ComputeBudget", UNKNOWN_PROGRAM]);

/** Returns an instruction with its inner instructions; transfers and activities are its own only. */
export function instructionJson(
  instruction: Instruction,
  steps: TransactionSteps,
  infos: ArgumentsByInstruction,
): JsonObject {
  const { parsedType, type, program, programName, level, inner, transfers, accounts } = instruction;
  const data = decodedData(instruction, infos);
  const parsed = isParsed(instruction);
  const isNamed = type !== UNNAMED_INSTRUCTION;
  const name = instruction.raw?.name;
  return {
    parsed_type: isNamed ? parsedType : (name ?? parsedType),
    type: isNamed ? type : (name ?? type),
    program_id: program,
    program: programName,
    ...outerFields(instruction),
    data_raw: OPAQUE.has(programName) ? encodedData(instruction, data.info) : data,
    // As in the API: the accounts of parsed instructions are among their arguments.
    accounts: parsed ? [] : accounts,
    activities: steps.activities
      .filter((activity) => activity.instruction === instruction)
      .map((activity) => activityJson(activity, "detail")),
    transfers: transfers.map((transfer) => transferJson(steps, instruction, transfer, "detail")),
    ...(transfers.some(({ destination }) => TIP_ACCOUNTS.includes(destination)) ? { tags: ["mev_tip"] } : {}),
    program_invoke_level: level,
    inner_instructions: inner.map((each) => instructionJson(each, steps, infos)),
    ...(parsed || (OPAQUE.has(programName) && !instruction.raw) ? {} : idlData(instruction, data.info)),
  };
}

/** Returns the transfers of all instructions, in order. */
export const allTransfers = (
  tree: readonly Instruction[],
  steps: TransactionSteps,
  spelling: Spelling,
): readonly JsonObject[] =>
  tree.flatMap((instruction) =>
    instruction.transfers.map((transfer) => transferJson(steps, instruction, transfer, spelling)),
  );

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
function mainStep(instructions: readonly Instruction[], activities: readonly InstructionActivity[]) {
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
export function readActions(db: LedgerReader, head: TransactionHead): JsonObject {
  const tree = readTree(db, head.id);
  const steps = stepsOf(db, head, tree);
  return {
    tx_hash: head.signature,
    block_id: head.slot,
    ...timeFields(db, head.time),
    fee: head.fee,
    priority_fee: head.priorityFee,
    ...failureField(db, head, topPrograms(tree)),
    one_line_summary: oneLineSummary(tree, steps),
    summaries: topInstructions(tree).flatMap((instruction) => instructionSummary(instruction, steps)),
    transfers: allTransfers(tree, steps, "actions"),
    activities: steps.activities.map((activity) => activityJson(activity, "actions")),
  };
}
