/**
 * Recorded answers as the examples of the document. The build replaces this module by its data
 * (`scripts/openapi-examples.ts`), since recording takes seconds.
 */
import { isArray, isObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../base/index.ts";
import { endpoints } from "../../catalogue/index.ts";
import { prepare } from "../../client/index.ts";
import { openSandbox } from "../../sandbox/index.ts";
import { pathOf, REFERENCE_TIME } from "./paths.ts";

/** The body of an answer to the first example of each endpoint, by path. */
export type RecordedExamples = Readonly<Record<string, Json>>;

/** Returns the recorded answers. */
export const loadExamples = (): Promise<RecordedExamples> => recordExamples();

/**
 * Asks a sandbox for the first example of each endpoint; in smaller ones some lists are empty. Of every list, the first
 * item is kept.
 * @param folder where worlds are stored; by default that of the sandbox
 */
export async function recordExamples(folder?: string): Promise<RecordedExamples> {
  const clock = () => REFERENCE_TIME;
  const sandbox = await openSandbox({ folder, size: 0.5, now: REFERENCE_TIME / 1000, clock });
  const record = async (url: string): Promise<Json> => {
    const { status, headers, body } = await sandbox.handle({ method: "GET", url, headers: { token: sandbox.key } });
    if (status !== 200) throw new Error(`${url}: ${body}`);
    return headers["content-type"]?.includes("json") ? shortenAnswer(parseJson(body)) : body.split("\n", 2).join("\n");
  };
  try {
    const examples = new Map<string, Json>();
    for (const endpoint of endpoints) {
      const { path, query } = prepare(endpoint, endpoint.examples[0]?.params ?? {}, { now: clock });
      const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
      examples.set(pathOf(endpoint), await record(`${pathOf({ ...endpoint, path })}?${search}`));
    }
    return Object.fromEntries(examples);
  } finally {
    await sandbox.close();
  }
}

/** Returns an answer with one item of each list, and the labels of the tokens that these name. */
function shortenAnswer(answer: Json): Json {
  const { metadata, ...rest } = shortenLists(answer) as JsonObject;
  if (!isObject(metadata) || !isObject(metadata.tokens)) return shortenLists(answer);
  const text = stringifyJson(rest);
  const tokens = Object.entries(metadata.tokens).filter(([mint]) => text.includes(mint));
  return { ...rest, metadata: { ...metadata, tokens: Object.fromEntries(tokens) } };
}

function shortenLists(value: Json): Json {
  if (isArray(value)) return value.slice(0, 1).map(shortenLists);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortenLists(inner)]));
}
