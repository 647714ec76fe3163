/** Checks an answer: that it is about what was requested, and that it matches the catalogue. */
import { isObject, ServerError } from "../../base/index.ts";
import { positionalOf } from "../../catalogue/index.ts";
import type { Answer } from "../answer.ts";
import type { ClientSettings } from "../options.ts";
import type { Source } from "../source.ts";

/**
 * Reports an answer that does not match.
 * @throws ServerError (code `DRIFT` or `OTHER_ADDRESS`) where that is an error
 */
export async function checkAnswer(
  answer: Answer,
  { facts, mask }: Pick<Source, "facts" | "mask">,
  { drift, onEvent }: Pick<ClientSettings, "drift" | "onEvent">,
): Promise<void> {
  const { endpoint } = answer.request;
  const other = findOtherAddress(answer);
  if (other !== undefined) {
    const text = `The answer is about another address than the requested one: ${mask(other)}`;
    if (drift === "error") throw new ServerError(`${text}.`, { code: "OTHER_ADDRESS", status: answer.status });
    onEvent({ type: "warning", text });
  }
  if (drift === "ignore" || !endpoint) return;
  const { findSchemaDrift } = await import("./schema-drift.ts");
  const all = (await findSchemaDrift(answer)).map(mask);
  const problems = facts.omitsUnknown ? all.filter((problem) => !problem.endsWith("received undefined")) : all;
  if (problems.length === 0) return;
  if (drift === "report") return onEvent({ type: "drift", endpoint: endpoint.route, problems });
  throw new ServerError(`The answer does not match the catalogue: ${problems.join("; ")}.`, {
    code: "DRIFT",
    status: answer.status,
    hint: `Without the setting strict it is printed as it is. To see what is documented: solx docs ${endpoint.route}`,
  });
}

/** Returns the address that an answer about one address is about, where that is not the requested one. */
function findOtherAddress({ data, request: { endpoint, subject } }: Answer): string | undefined {
  if (!isObject(data)) return undefined;
  const [name, param] = (endpoint && positionalOf(endpoint)) ?? [];
  if (name === undefined || param?.type !== "address") return undefined;
  const address = data[name];
  return typeof address === "string" && subject !== undefined && address !== subject ? address : undefined;
}
