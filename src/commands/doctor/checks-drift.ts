/** Whether live answers still look as documented. Each group of the API is asked once, with an example of its documentation. */
import { SolxError, sentenceOf } from "../../base/errors.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints } from "../../catalogue/index.ts";
import { driftOf } from "../../client/drift.ts";
import type { Answer } from "../../client/index.ts";
import { type Context, USAGE_PATH } from "./context.ts";
import type { Check, Outcome } from "./finding.ts";
import { isApi } from "./probe.ts";

/** Differences told of one answer; the rest is counted. */
const TOLD = 3;

/** The endpoints that are compared: of each group of the newest family the first list or object, and what is free. */
export const COMPARED: readonly Endpoint[] = [
  ...Map.groupBy(
    endpoints.filter(({ family, returns, examples }) => {
      return family !== "legacy" && returns.shape !== "csv" && examples.length > 0;
    }),
    ({ family, group }) => `${family} ${group}`,
  ).values(),
].flatMap(([first]) => (first === undefined ? [] : [first]));

/** The answer that is there anyway. */
const isUsage = ({ path }: Endpoint): boolean => path === USAGE_PATH;

/** Compute units that comparing costs. */
export const DRIFT_UNITS = COMPARED.reduce((sum, endpoint) => sum + (isUsage(endpoint) ? 0 : endpoint.cost.units), 0);

/** What stands in place of the comparison where nobody asked for it. */
const notCompared: Check = {
  area: "drift",
  name: "answers",
  run: async ({ options, settings }) => {
    if (options.drift && !options.offline) return [];
    const cost = settings.sandbox ? "costs nothing here" : `costs ${DRIFT_UNITS} compute units`;
    return {
      level: "ok",
      value: null,
      message: `not compared; ${COMPARED.length} answers are with --drift, which ${cost}`,
    };
  },
};

function driftCheck(endpoint: Endpoint): Check {
  return {
    area: "drift",
    name: endpoint.command,
    sends: true,
    run: async (context) => (context.options.drift ? compared(endpoint, context) : []),
  };
}

async function compared(endpoint: Endpoint, context: Context): Promise<Outcome> {
  if (!isApi(await context.probe(endpoint.family))) {
    const hint = `See what is told of the network: ${endpoint.family}`;
    return { level: "note", message: "not compared: the server does not answer as the API does", hint };
  }
  try {
    return driftOutcome(endpoint, await driftOf(await answerOf(endpoint, context)));
  } catch (error) {
    if (!(error instanceof SolxError) || error.exit === "interrupted") throw error;
    // A plan that does not include it says nothing of how answers look; nor does a rate that is used up.
    const isOwn = ["auth", "permission", "rateLimited", "quota"].includes(error.exit);
    return {
      level: isOwn ? "note" : "warning",
      value: { code: error.code, status: error.status ?? null },
      message: isOwn ? `not compared: ${sentenceOf(error)}` : sentenceOf(error),
      hint: error.hint ?? `What is documented: solx docs ${endpoint.route}`,
    };
  }
}

/** The answer to an example; nothing is asked with a key that is not accepted. */
async function answerOf(endpoint: Endpoint, context: Context): Promise<Answer> {
  const usage = await context.usage();
  if (isUsage(endpoint)) return usage;
  const [example] = endpoint.examples;
  const client = await context.client();
  return client.fetch(endpoint, example?.params ?? {}, { signal: context.frame.io.signal });
}

/** What differences mean. */
export function driftOutcome(endpoint: Endpoint, problems: readonly string[]): Outcome {
  if (problems.length === 0) return { level: "ok", value: [], message: "as documented" };
  const more = problems.length > TOLD ? `; and ${problems.length - TOLD} more` : "";
  return {
    level: "warning",
    value: [...problems],
    message: `not as documented: ${problems.slice(0, TOLD).join("; ")}${more}`,
    hint: `It is shown as it is. What is documented: solx docs ${endpoint.route}. Newer versions of solx may know it.`,
  };
}

/** The checks of this file. */
export const DRIFT_CHECKS: readonly Check[] = [notCompared, ...COMPARED.map(driftCheck)];
