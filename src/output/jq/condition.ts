/** A jq condition on rows: `--until '.amount > 1000'`. */
import { type Json, parseJson } from "../../base/json.ts";
import { compileProgram, executeJq, jqError, toJqInput } from "./jq.ts";

/** What a condition says of a row; a text is why jq could not tell. */
export type ConditionResult = boolean | string;

/** Each row's verdict: whether anything that the condition gives for it is true. */
const conditionProgram = (condition: string) => `map(try ([${condition}\n] | any) catch tostring)`;

/**
 * Compiles a condition, so that a wrong one costs no request.
 * @throws UsageError in jq's own words
 */
export async function checkCondition(condition: string, signal?: AbortSignal): Promise<void> {
  await compileProgram(condition, signal);
}

/**
 * Asks a condition about rows, in their order.
 * @throws UsageError when jq stops altogether, and the reason of the signal when it fires
 */
export async function evaluateCondition(
  rows: readonly Json[],
  condition: string,
  signal?: AbortSignal,
): Promise<ConditionResult[]> {
  if (rows.length === 0) return [];
  const { stdout, stderr, exitCode } = await executeJq(toJqInput(rows), conditionProgram(condition), signal);
  if (exitCode !== 0) throw jqError(stderr, exitCode);
  return parseJson(stdout) as ConditionResult[];
}
