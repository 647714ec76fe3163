/** Compares live answers with the documented fields: one documented example of each group of the API. */

import { SolxError, toSentence } from "../../base/index.ts";
import { type Endpoint, endpoints, type Family } from "../../catalogue/index.ts";
import { type Answer, findSchemaDrift } from "../../client/index.ts";
import { usageEndpoint } from "../endpoint/answers.ts";
import type { CheckContext } from "./context.ts";
import { type Check, localCheck, note, type Outcome, ok, remoteCheck, warning } from "./finding.ts";
import { isApi } from "./probe.ts";

/** Maximum number of differences listed for one answer; the rest is counted. */
const MAX_LISTED = 3;

/** The endpoints that are compared: the first list or object of each group, without the legacy family. */
export const COMPARED_ENDPOINTS: readonly Endpoint[] = [
  ...Map.groupBy(
    endpoints.filter(({ family, returns, examples }) => {
      return family !== "legacy" && returns.shape !== "csv" && examples.length > 0;
    }),
    ({ family, group }) => `${family} ${group}`,
  ).values(),
].flatMap(([first]) => (first === undefined ? [] : [first]));

/** Whether the answer of an endpoint is available anyway, from the check of the key. */
const isUsageEndpoint = ({ route }: Endpoint): boolean => route === usageEndpoint().route;

/** Compute units of all comparisons. */
export const DRIFT_UNITS = COMPARED_ENDPOINTS.reduce(
  (sum, endpoint) => sum + (isUsageEndpoint(endpoint) ? 0 : endpoint.cost.units),
  0,
);

/** The finding that replaces the comparisons without `--drift`, and when nothing can be compared. */
const comparisonSkipped = localCheck("drift", "answers", async (checkContext) => {
  const { options, facts } = checkContext;
  if (options.drift && !options.offline) return (await comparisonObstacle(checkContext)) ?? [];
  const cost = facts.isSimulated ? "free in the sandbox" : `${DRIFT_UNITS} compute units`;
  return ok(`not compared; --drift compares ${COMPARED_ENDPOINTS.length} answers (${cost})`);
});

const driftCheck = (endpoint: Endpoint): Check =>
  remoteCheck("drift", endpoint.command, async (checkContext) => {
    if (!checkContext.options.drift || (await comparisonObstacle(checkContext)) !== undefined) return [];
    if (!isApi(await checkContext.probe(endpoint.family))) return notApiOutcome(endpoint.family);
    try {
      return driftOutcome(endpoint, await findSchemaDrift(await fetchExample(endpoint, checkContext)));
    } catch (error) {
      return failureOutcome(error, `Documented fields: solx docs ${endpoint.route}`);
    }
  });

/**
 * Returns why nothing can be compared, or undefined if nothing prevents it. No units are spent on a server that does
 * not answer like the API, or with a key that is not accepted.
 */
export async function comparisonObstacle(checkContext: CheckContext): Promise<Outcome | undefined> {
  try {
    if (!isApi(await checkContext.probe("v2"))) return notApiOutcome("v2");
    await checkContext.usage();
    return undefined;
  } catch (error) {
    return failureOutcome(error, "See the findings under Key.");
  }
}

const notApiOutcome = (family: Family): Outcome =>
  note("not compared: the server does not respond like the API", { hint: `See the finding ${family} under Network.` });

/** Rates a failed request: missing permission or an exhausted rate limit say nothing about the fields of an answer. */
function failureOutcome(error: unknown, defaultHint: string): Outcome {
  if (!(error instanceof SolxError) || error.exit === "interrupted") throw error;
  const { code, status = null, hint = defaultHint } = error;
  const isKeyRelated = ["auth", "permission", "rateLimited", "quota"].includes(error.exit);
  const report = isKeyRelated ? note : warning;
  return report(`${isKeyRelated ? "not compared: " : ""}${toSentence(error)}`, { value: { code, status }, hint });
}

/** Requests the first documented example of an endpoint. */
async function fetchExample(endpoint: Endpoint, checkContext: CheckContext): Promise<Answer> {
  if (isUsageEndpoint(endpoint)) return checkContext.usage();
  const [example] = endpoint.examples;
  const client = await checkContext.client();
  return client.fetch(endpoint, example?.params ?? {}, { signal: checkContext.context.io.signal });
}

/** Returns the finding for the differences of one answer. */
export function driftOutcome(endpoint: Endpoint, problems: readonly string[]): Outcome {
  if (problems.length === 0) return ok("as documented", []);
  const more = problems.length > MAX_LISTED ? `; and ${problems.length - MAX_LISTED} more` : "";
  return warning(`differs from the documentation: ${problems.slice(0, MAX_LISTED).join("; ")}${more}`, {
    value: [...problems],
    hint: `Output is not affected. Documented fields: solx docs ${endpoint.route}. A newer version of solx may know them.`,
  });
}

/** Checks of live answers. */
export const DRIFT_CHECKS: readonly Check[] = [comparisonSkipped, ...COMPARED_ENDPOINTS.map(driftCheck)];
