/** A jq condition on rows: `--until '.amount > 1000'`. */
import { type Json, parseJson } from "../../base/json.ts";
import { askJq, checkProgram, jqError, jqText } from "./jq.ts";

/** What a condition says of a row; a text is why jq could not tell. */
export type Verdict = boolean | string;

/** Each row's verdict: whether anything that the condition gives for it is true. */
const verdictsOf = (condition: string) => `map(try ([${condition}\n] | any) catch tostring)`;

/**
 * Compiles a condition, so that a wrong one costs no request.
 * @throws UsageError in jq's own words
 */
export async function checkCondition(condition: string, signal?: AbortSignal): Promise<void> {
  await checkProgram(condition, signal);
}

/**
 * Asks a condition about rows, in their order.
 * @throws UsageError when jq stops altogether, and the reason of the signal when it fires
 */
export async function judge(rows: readonly Json[], condition: string, signal?: AbortSignal): Promise<Verdict[]> {
  if (rows.length === 0) return [];
  const { stdout, stderr, exitCode } = await askJq(jqText(rows), verdictsOf(condition), signal);
  if (exitCode !== 0) throw jqError(stderr, exitCode);
  return parseJson(stdout) as Verdict[];
}
