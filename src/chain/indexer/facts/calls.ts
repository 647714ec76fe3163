/** The instructions of a transaction with their parsed forms and labels, and access to their arguments by type. */
import { isArray, isNumeric, isObject, type Json, type JsonObject, numericText } from "../../../base/index.ts";
import type { ChainInstruction, ChainTransaction } from "../../solana/index.ts";

/** An instruction of a transaction. */
export interface Call {
  /** Position in the order of execution. */
  readonly index: number;
  readonly instruction: ChainInstruction;
  /** Name of the program, such as `spl-token`; undefined where the instruction has no parsed form. */
  readonly program: string | undefined;
  readonly type: string | undefined;
  readonly info: JsonObject;
}

const NO_INFO: JsonObject = {};

/** Returns the instructions of a transaction whose instructions are parsed. */
export function collectCalls(transaction: ChainTransaction): readonly Call[] {
  return transaction.instructions.map((instruction, index) => {
    const { parsed } = instruction;
    return { index, instruction, program: parsed?.program, type: parsed?.type, info: parsed?.info ?? NO_INFO };
  });
}

/** Returns instructions with each batch of token instructions replaced by these. */
export function withoutBatches(calls: readonly Call[]): readonly Call[] {
  return calls.flatMap((call) => (call.type === "batch" ? batchedCalls(call) : [call]));
}

function batchedCalls(call: Call): readonly Call[] {
  const { instructions } = call.info;
  if (!isArray(instructions)) return [call];
  return instructions.flatMap((item) =>
    isObject(item) && typeof item.type === "string" && isObject(item.info)
      ? [{ ...call, type: item.type, info: item.info }]
      : [],
  );
}

/** Returns an argument that is a text; undefined where it is missing or of another type. */
export function textArgument(info: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = info[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Returns an argument that is a whole number, as a JSON number or as text; undefined where it is missing. */
export const integerArgument = (info: JsonObject, name: string): bigint | undefined => toInteger(info[name]);

/** Returns the amount of a token instruction: `amount`, or `tokenAmount` of the checked forms. */
export function tokenAmountArgument(info: JsonObject, name = "tokenAmount"): bigint | undefined {
  const value = info[name];
  return isObject(value) ? toInteger(value.amount) : toInteger(info.amount);
}

function toInteger(value: Json | undefined): bigint | undefined {
  const text = typeof value === "string" ? value : isNumeric(value) ? numericText(value) : "";
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

/** Labels that differ from the type, by the name of the program and the type. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  system: { transfer: "sol-transfer", transferWithSeed: "sol-transfer", createAccountWithSeed: "createAccount" },
  token: {
    transfer: "spl-transfer",
    transferChecked: "spl-transfer",
    transferCheckedWithFee: "spl-transfer",
    mintToChecked: "mintTo",
    burnChecked: "burn",
    initializeMint2: "initializeMint",
    withdrawWithheldTokensFromAccounts: "withdrawWithheldTokens",
    withdrawWithheldTokensFromMint: "withdrawWithheldTokens",
  },
  "spl-associated-token-account": {
    create: "createAssociatedAccount",
    createIdempotent: "createAssociatedAccount",
  },
  "compute-budget": {
    setComputeUnitLimit: "SetComputeUnitLimit",
    setComputeUnitPrice: "SetComputeUnitPrice",
  },
};

/** Programs with the labels of another one. */
const SAME_LABELS: Readonly<Record<string, string>> = {
  "spl-token": "token",
  "spl-token-2022": "token",
  ComputeBudget: "compute-budget",
};

/** Returns the label of an instruction. */
export function labelOf(program: string, type: string): string {
  if (program === "vote" && isVote(type)) return "vote";
  const labels = LABELS[SAME_LABELS[program] ?? program];
  return (labels && Object.hasOwn(labels, type) ? labels[type] : undefined) ?? type;
}

const VOTES = /^(vote|voteswitch|(compact)?updatevotestate(switch)?|towersync(switch)?)$/i;

/** Whether an instruction of the Vote Program is a vote, under one of the names that these have had. */
export const isVote = (type: string): boolean => VOTES.test(type);
