/** Whether live answers still look as documented. Each group of the API is asked once, with an example of its documentation. */
import { SolxError, toSentence } from "../../base/errors.ts";
import type { Family } from "../../catalogue/constants.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints } from "../../catalogue/index.ts";
import { type Answer, findSchemaDrift } from "../../client/index.ts";
import { type CheckContext, USAGE_PATH } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";
import { isApi } from "./probe.ts";

/** Differences told of one answer; the rest is counted. */
const MAX_LISTED = 3;

/** The endpoints that are compared: of each group of the newest family the first list or object, and what is free. */
export const COMPARED_ENDPOINTS: readonly Endpoint[] = [
  ...Map.groupBy(
    endpoints.filter(({ family, returns, examples }) => {
      return family !== "legacy" && returns.shape !== "csv" && examples.length > 0;
    }),
    ({ family, group }) => `${family} ${group}`,
  ).values(),
].flatMap(([first]) => (first === undefined ? [] : [first]));

/** The answer that is there anyway. */
const isUsageEndpoint = ({ path }: Endpoint): boolean => path === USAGE_PATH;

/** Compute units that comparing costs. */
export const DRIFT_UNITS = COMPARED_ENDPOINTS.reduce(
  (sum, endpoint) => sum + (isUsageEndpoint(endpoint) ? 0 : endpoint.cost.units),
  0,
);

/** What stands in place of the comparison where nobody asked for it, or nothing can be compared. */
const comparisonSkipped: Check = {
  area: "drift",
  name: "answers",
  run: async (checkContext) => {
    const { options, settings } = checkContext;
    if (options.drift && !options.offline) return (await comparisonObstacle(checkContext)) ?? [];
    const cost = settings.sandbox ? "costs nothing here" : `costs ${DRIFT_UNITS} compute units`;
    return {
      level: "ok",
      value: null,
      message: `not compared; ${COMPARED_ENDPOINTS.length} answers are with --drift, which ${cost}`,
    };
  },
};

function driftCheck(endpoint: Endpoint): Check {
  return {
    area: "drift",
    name: endpoint.command,
    sends: true,
    run: async (checkContext) => {
      if (!checkContext.options.drift || (await comparisonObstacle(checkContext)) !== undefined) return [];
      return compareExample(endpoint, checkContext);
    },
  };
}

/** Why nothing can be compared: nothing is asked of a server that is no API's, or with a key that is not accepted. */
export async function comparisonObstacle(checkContext: CheckContext): Promise<Outcome | undefined> {
  try {
    if (!isApi(await checkContext.probe("v2"))) return notApiOutcome("v2");
    await checkContext.usage();
    return undefined;
  } catch (error) {
    return failureOutcome(error, "See what is told of the key.");
  }
}

const notApiOutcome = (family: Family): Outcome => ({
  level: "note",
  message: "not compared: the server does not answer as the API does",
  hint: `See what is told of the network: ${family}`,
});

/** What a failure means. A plan that does not include it says nothing of how answers look; nor does a rate that is used up. */
function failureOutcome(error: unknown, hint: string): Outcome {
  if (!(error instanceof SolxError) || error.exit === "interrupted") throw error;
  const isKeyRelated = ["auth", "permission", "rateLimited", "quota"].includes(error.exit);
  return {
    level: isKeyRelated ? "note" : "warning",
    value: { code: error.code, status: error.status ?? null },
    message: isKeyRelated ? `not compared: ${toSentence(error)}` : toSentence(error),
    hint: error.hint ?? hint,
  };
}

async function compareExample(endpoint: Endpoint, checkContext: CheckContext): Promise<Outcome> {
  if (!isApi(await checkContext.probe(endpoint.family))) return notApiOutcome(endpoint.family);
  try {
    return driftOutcome(endpoint, await findSchemaDrift(await fetchExample(endpoint, checkContext)));
  } catch (error) {
    return failureOutcome(error, `What is documented: solx docs ${endpoint.route}`);
  }
}

/** The answer to an example. */
async function fetchExample(endpoint: Endpoint, checkContext: CheckContext): Promise<Answer> {
  if (isUsageEndpoint(endpoint)) return checkContext.usage();
  const [example] = endpoint.examples;
  const client = await checkContext.client();
  return client.fetch(endpoint, example?.params ?? {}, { signal: checkContext.context.io.signal });
}

/** What differences mean. */
export function driftOutcome(endpoint: Endpoint, problems: readonly string[]): Outcome {
  if (problems.length === 0) return { level: "ok", value: [], message: "as documented" };
  const more = problems.length > MAX_LISTED ? `; and ${problems.length - MAX_LISTED} more` : "";
  return {
    level: "warning",
    value: [...problems],
    message: `not as documented: ${problems.slice(0, MAX_LISTED).join("; ")}${more}`,
    hint: `It is shown as it is. What is documented: solx docs ${endpoint.route}. Newer versions of solx may know it.`,
  };
}

/** The checks of this file. */
export const DRIFT_CHECKS: readonly Check[] = [comparisonSkipped, ...COMPARED_ENDPOINTS.map(driftCheck)];
