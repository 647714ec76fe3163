/** Why a transaction failed. */
import { isObject, type Json, stringifyJson } from "../../../base/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import { countOf, fieldOf, listOf, textOf } from "../entity/json-fields.ts";
import type { TransactionFormatter } from "./formatter.ts";

const FAILED_LINE = /^Program (\S+) failed: (.+)$/;
const TOP_LEVEL_CALL = /^Program \S+ invoke \[1\]$/;
const CUSTOM_ERROR = /^custom program error: 0x([0-9a-f]{1,13})$/i;
/** Error messages that frameworks log. */
const ERROR_MESSAGE = /(?:Error Message: |Program log: Error: |panicked at )(.+?)\.?$/;
const MAX_LENGTH = 200;

/** Meanings of the error codes of native programs. */
const SYSTEM_PROGRAM = "11111111111111111111111111111111";
const TOKEN_PROGRAM = /^Token(keg|z)/;
const SYSTEM_CODES: Readonly<Record<number, string>> = {
  0: "an account with this address already exists",
  1: "insufficient SOL",
};
const TOKEN_CODES: Readonly<Record<number, string>> = {
  0: "insufficient SOL for rent",
  1: "insufficient tokens",
  3: "mint mismatch",
  4: "owner mismatch",
  17: "the account is frozen",
};

/** Returns whether the transaction failed; undefined when its status is unknown. */
export function hasFailed(detail: Json | undefined): boolean | undefined {
  const status = fieldOf(detail, "status");
  if (status === undefined) return undefined;
  const count = countOf(status);
  return count === undefined ? !/^success$/i.test(textOf(status) ?? "") : count === 0;
}

/** Returns why a transaction failed, according to its logs; undefined when it did not fail. */
export function failureOf(detail: Json | undefined, formatter: TransactionFormatter): string | undefined {
  if (hasFailed(detail) !== true) return undefined;
  const logs = listOf(fieldOf(detail, "log_message")).map((text) => textOf(text) ?? "");
  const lines = logs.map((text) => FAILED_LINE.exec(text));
  // The innermost program fails first; its callers fail with the same error.
  const at = lines.findIndex((match) => match !== null);
  const [, program = "", words = ""] = lines[at] ?? [];
  if (at < 0) return reportedError(detail);
  const message = logs
    .slice(0, at)
    .reverse()
    .slice(0, 8)
    .map((text) => ERROR_MESSAGE.exec(text)?.[1])
    .find((text) => text !== undefined);
  const name = formatter.nameOf(program) ?? formatter.address(program, "program_id").text;
  const reason =
    message === undefined
      ? codeText(program, words)
      : `${clip(safeText(message), MAX_LENGTH)} (${codeText(program, words)})`;
  return `${name}: ${reason}`;
}

/**
 * Returns the index of the top-level instruction that failed, according to the logs; undefined when none did or it is
 * unknown.
 */
export function failedInstruction(detail: Json | undefined): number | undefined {
  const lines = listOf(fieldOf(detail, "log_message")).map((text) => textOf(text) ?? "");
  const at = lines.findIndex((text) => FAILED_LINE.test(text));
  const startedCount = lines.slice(0, at).filter((text) => TOP_LEVEL_CALL.test(text)).length;
  return at < 0 || startedCount === 0 ? undefined : startedCount - 1;
}

/** Describes an error code of a program. */
function codeText(program: string, reason: string): string {
  const hex = CUSTOM_ERROR.exec(reason)?.[1];
  if (hex === undefined) return clip(safeText(reason), MAX_LENGTH);
  const code = Number.parseInt(hex, 16);
  const known =
    program === SYSTEM_PROGRAM ? SYSTEM_CODES[code] : TOKEN_PROGRAM.test(program) ? TOKEN_CODES[code] : undefined;
  return known ?? `custom program error ${code} (0x${hex})`;
}

/** Returns the error of the answer itself, for answers without logs. */
function reportedError(detail: Json | undefined): string {
  const error = fieldOf(detail, "error") ?? fieldOf(detail, "err");
  if (error === undefined) return "unknown reason";
  return clip(
    safeText(isObject(error) ? stringifyJson(error) : String(textOf(error) ?? stringifyJson(error))),
    MAX_LENGTH,
  );
}
