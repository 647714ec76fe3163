/** Errors of transactions as sentences. */
import { isArray, isObject, type Json, toNumber } from "../../../base/index.ts";
import { addressTitle } from "../../../catalogue/index.ts";
import { type LogCall, logTree } from "../logs.ts";
import type { ChainTransaction } from "../model.ts";
import { anchorErrorText, customErrorText } from "./custom-errors.ts";
import { instructionErrorName, transactionErrorName } from "./error-names.ts";

/** What is known about the transaction besides its error. */
export type ErrorContext = Partial<Pick<ChainTransaction, "instructions" | "logs" | "keys">>;

/**
 * Returns a node's error of a transaction as a sentence without a full stop, such as `Instruction 2 (Token Program)
 * failed: insufficient funds (custom error 1)`. Instructions and accounts count from 1.
 */
export function transactionErrorText(error: Json, context: ErrorContext = {}): string {
  if (typeof error === "string") return capitalize(transactionErrorName(error));
  const [variant] = isObject(error) ? Object.entries(error) : [];
  if (variant === undefined) return "Unknown error";
  const [name, detail] = variant;
  if (name === "InstructionError" && isArray(detail)) return instructionText(detail, context);
  if (name === "DuplicateInstruction") return `Instruction ${(toNumber(detail) ?? 0) + 1} is a duplicate`;
  const account = isObject(detail) ? toNumber(detail.account_index) : undefined;
  if (account === undefined) return capitalize(transactionErrorName(name));
  const address = context.keys?.[account]?.address;
  const place = `account ${account + 1}${address === undefined ? "" : ` (${address})`}`;
  return name === "InsufficientFundsForRent"
    ? `${capitalize(place)} would be left below the rent-exempt minimum`
    : `${capitalize(transactionErrorName(name))}: ${place}`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const titleOf = (program: string): string => addressTitle(program) ?? program;

function instructionText([position, error]: readonly Json[], { instructions, logs }: ErrorContext): string {
  const index = toNumber(position) ?? 0;
  const program = instructions?.filter(({ parent }) => parent < 0)[index]?.program;
  const failed = failedCall(logs);
  const subject = `Instruction ${index + 1}${program === undefined ? "" : ` (${titleOf(program)})`} failed`;
  const inner = failed === undefined || failed.program === program ? "" : ` in ${titleOf(failed.program)}`;
  return `${subject}${inner}: ${errorText(error ?? null, failed?.program ?? program, failed)}`;
}

/** Returns the innermost call that failed: it is the first one whose failure is in the log. */
export function failedCall(logs: readonly string[] | undefined): LogCall | undefined {
  const find = (calls: readonly LogCall[]): LogCall | undefined => {
    const failed = calls.find(({ outcome }) => outcome === "failure");
    return failed && (find(failed.entries.filter((entry) => typeof entry !== "string")) ?? failed);
  };
  return logs && find(logTree(logs).calls);
}

function errorText(error: Json, program: string | undefined, failed: LogCall | undefined): string {
  if (typeof error === "string") return instructionErrorName(error);
  const [[name, detail] = ["", null]] = isObject(error) ? Object.entries(error) : [];
  const code = name === "Custom" ? toNumber(detail) : undefined;
  if (code === undefined) return instructionErrorName(name);
  const text = customErrorMeaning(program, code, failed);
  return text === undefined ? `custom error ${code}` : `${text} (custom error ${code})`;
}

/** Returns what a custom error means: by the program, by its own words in the log, or by the framework. */
export function customErrorMeaning(
  program: string | undefined,
  code: number,
  failed: LogCall | undefined,
): string | undefined {
  return (program && customErrorText(program, code)) ?? loggedErrorText(failed) ?? anchorErrorText(code);
}

/** How programs print their errors: Anchor with a number and a message, most others after `Error: `, or as a panic. */
const ERROR_LINES = [/Error Message: (.+?)\.*$/, /^(?:Program log: )?Error: (.+?)\.*$/, /panicked at (.+?)\.*$/];

/** Returns what the failed program itself says about its error. */
export function loggedErrorText(failed: LogCall | undefined): string | undefined {
  const texts = failed?.entries.filter((entry) => typeof entry === "string").toReversed() ?? [];
  for (const pattern of ERROR_LINES) {
    for (const text of texts) {
      const match = pattern.exec(text);
      if (match?.[1] !== undefined) return match[1];
    }
  }
  return undefined;
}
