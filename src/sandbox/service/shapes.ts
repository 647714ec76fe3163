/** Forms of answers in which servers of the API differ, by their age or the gateway in front of them. */
import { isArray, isNumeric, isObject, type Json, numericText, toNumeric } from "../../base/index.ts";
import { answerBody, type Endpoint, loadEntities, loadFields, type QueryResult } from "../../catalogue/index.ts";
import type { ShapeName } from "./shape-names.ts";

/** Returns the body for a result in some forms. */
export async function shapeBody(
  result: QueryResult,
  endpoint: Endpoint,
  shapes: readonly ShapeName[] = [],
): Promise<string> {
  const has = (name: ShapeName) => shapes.includes(name);
  const { family } = endpoint;
  const hasEnvelope = family === "legacy" ? has("enveloped") : !(family === "public" && has("bare"));
  if ("csv" in result || shapes.length === 0) return answerBody(result, endpoint, hasEnvelope);
  const { at = "", unwrapped } = endpoint.returns;
  const form = has("text") ? toText : has("numbers") ? toNumber : undefined;
  const whole = form ? convertFields(result.data, { at, paths: await mixedFieldsOf(endpoint), form }) : result.data;
  const data = has("rows") && unwrapped && isObject(whole) ? (whole[at] ?? whole) : whole;
  return answerBody({ ...result, data }, endpoint, hasEnvelope);
}

const toText = (value: Json): Json => (isNumeric(value) ? numericText(value) : value);
const toNumber = (value: Json): Json => (typeof value === "string" && /^\d+$/.test(value) ? toNumeric(value) : value);

async function mixedFieldsOf({ returns }: Endpoint): Promise<ReadonlySet<string>> {
  const [entities, { listMixedFields }] = await Promise.all([loadEntities(), loadFields()]);
  return new Set(listMixedFields(entities[returns.entity]).map((path) => path.replaceAll("[]", "")));
}

interface Conversion {
  /** The field with the rows, if any. */
  readonly at: string;
  /** Paths in a row. */
  readonly paths: ReadonlySet<string>;
  readonly form: (value: Json) => Json;
}

/** Returns data with the values at some paths of its rows in another form. */
function convertFields(data: Json, { at, paths, form }: Conversion): Json {
  const convert = (value: Json, path: string): Json => {
    if (isArray(value)) return value.map((item) => convert(item, path));
    if (isObject(value)) {
      const inner = (name: string) => (path === "" && name === at ? "" : path === "" ? name : `${path}.${name}`);
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convert(item, inner(name))]));
    }
    return paths.has(path) ? form(value) : value;
  };
  return convert(data, "");
}
