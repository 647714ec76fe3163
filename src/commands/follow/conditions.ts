/** jq conditions on rows: `--when` and `--until`. */
import type { Json } from "../../base/index.ts";
import { compileProgram, evaluateCondition } from "../../output/index.ts";
import type { RunContext } from "../run/context.ts";

/** Returns whether each of some rows matches a condition. */
export type RowMatcher = (rows: readonly Json[]) => Promise<readonly boolean[]>;

/**
 * Compiles a condition. A row that it cannot be evaluated on counts as no match, which is noted once.
 * @param name what the condition is called in the note
 * @throws UsageError for one that is no jq program
 */
export async function openMatcher(context: RunContext, name: string, condition: string): Promise<RowMatcher> {
  const { io, session, reporter } = context;
  await compileProgram(condition, io.signal);
  const options = { signal: io.signal, jqTimeout: (await session.settings()).get("jq-timeout") };
  let hasFailed = false;
  return async (rows) => {
    const verdicts = await evaluateCondition(rows, condition, options);
    const failure = verdicts.find((verdict) => typeof verdict === "string");
    if (failure !== undefined && !hasFailed) {
      hasFailed = true;
      await reporter.note(`${name} could not evaluate a row, which counts as no match: ${failure}`);
    }
    return verdicts.map((verdict) => verdict === true);
  };
}
