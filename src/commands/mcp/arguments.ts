/** Arguments as models give them: read generously where there is no doubt what is meant, refused with a reason where there is. */
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/nearest-name.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { displayText } from "../../client/index.ts";
import type { Limits } from "./limits.ts";

/** The arguments of a call, as they came. */
export type Args = Readonly<Record<string, unknown>>;

const refused = (message: string, hint?: string) =>
  new UsageError(message, { code: "ARGUMENT", ...(hint ? { hint } : {}) });

/**
 * A text that may be there; empty without it.
 * @throws UsageError for what is no text
 */
export function wordsArg(args: Args, name: string): string {
  const value = args[name] ?? "";
  if (typeof value === "string") return value.trim();
  throw refused(`"${name}" must be a text.`);
}

/**
 * A text that must be there.
 * @throws UsageError without it
 */
export function textArg(args: Args, name: string, example: string): string {
  const value = args[name];
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  throw refused(`"${name}" is required: a text.`, `For example: ${JSON.stringify({ [name]: example })}`);
}

/**
 * Checks that a tool has what it is called with.
 * @throws UsageError for a name that it does not have, with the nearest
 */
export function checkNames(args: Args, tool: string, names: readonly string[]): void {
  const strange = Object.keys(args).find((name) => !names.includes(name));
  if (strange === undefined) return;
  const meant = nearestName(strange, names);
  const hint = meant === undefined ? `It takes ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new RefusedArgument(strange, refused(`${tool} takes no "${displayText(strange)}".`, hint));
}

/**
 * How many rows are wanted; what is more than the server gives is as many as it gives.
 * @throws UsageError for what is no number of rows
 */
export function rowsArg({ rows: given }: Args, limits: Limits, fields: readonly string[] | undefined): number {
  const rows = fields === undefined ? limits.rows : limits.chosenRows;
  if (given === undefined || given === null) return rows.usual;
  const count = typeof given === "string" ? Number(given) : given;
  if (Number.isSafeInteger(count) && (count as number) >= 1) return Math.min(count as number, rows.most);
  throw refused(`"rows" must be a whole number from 1 to ${rows.most}.`);
}

/**
 * The fields that are wanted: a list of paths, or one text with commas.
 * @throws UsageError for what is neither
 */
export function fieldsArg({ fields }: Args): readonly string[] | undefined {
  if (fields === undefined || fields === null) return undefined;
  const paths = typeof fields === "string" ? fields.split(",") : fields;
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    throw refused('"fields" must be a list of paths.', 'For example: {"fields":["address","metadata.name"]}');
  }
  const named = paths.map((path: string) => path.trim()).filter((path) => path !== "");
  return named.length === 0 ? undefined : [...new Set(named)];
}

/** Arguments of a call beside the parameters of its endpoint. */
const OWN: ReadonlySet<string> = new Set(["endpoint", "params", "rows", "fields"]);

/**
 * The parameters of an endpoint, by its own names: also as JSON text, beside `params`, in the query of the URL that the
 * endpoint is given as, or in another spelling.
 * @throws UsageError for what holds no parameters
 */
export function paramsArg(args: Args, endpoint: Endpoint): Args {
  const { params } = args;
  const given = typeof params === "string" ? parsed(params) : (params ?? {});
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw refused('"params" must be an object.', `For example: ${example(endpoint)}`);
  }
  const beside = Object.entries(args).filter(([name]) => !OWN.has(name));
  const names = Object.keys(endpoint.query);
  const all = [...queryOf(args), ...beside, ...Object.entries(given)];
  return Object.fromEntries(all.map(([name, value]) => [nameIn(names, name), withEnds(value)]));
}

/** The parameters in the query of an endpoint that is given as a URL: a list where a name is there several times. */
export function queryOf({ endpoint }: Args): readonly (readonly [string, string | readonly string[]])[] {
  const [, search = ""] = /^[^?#]*\?([^#]*)/.exec(String(endpoint)) ?? [];
  const query = new URLSearchParams(search);
  return [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    return [name, values.length > 1 ? values : (values[0] ?? "")];
  });
}

function parsed(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function example({ examples }: Endpoint): string {
  return JSON.stringify({ params: examples[0]?.params ?? {} });
}

const spelled = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The name of a parameter in the endpoint's spelling: `fromTime`, `--from-time` and `activity_type[]` too. */
function nameIn(names: readonly string[], name: string): string {
  return names.includes(name) ? name : (names.find((one) => spelled(one) === spelled(name)) ?? name);
}

/** Two ends that are named are a range. */
function withEnds(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const end = (names: readonly string[]) => entries.find(([name]) => names.includes(name.toLowerCase()))?.[1];
  const [least, greatest] = [end(["min", "from", "least", "start"]), end(["max", "to", "greatest", "end"])];
  return entries.length === 2 && least !== undefined && greatest !== undefined ? [least, greatest] : value;
}

/**
 * True or false; nothing is false.
 * @throws UsageError for what is neither
 */
export function flagArg(args: Args, name: string): boolean {
  const value = args[name] ?? false;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw refused(`"${name}" must be true or false.`);
}

/** An argument that was refused by what read it. */
export class RefusedArgument extends UsageError {
  override name = "RefusedArgument";
  readonly parameter: string;

  constructor(parameter: string, { message, code, hint }: UsageError) {
    super(message, { code, ...(hint === undefined ? {} : { hint }) });
    this.parameter = parameter;
  }
}

/** The parameter that a refusal is about: the one that it names, or whose value it repeats. */
export function parameterIn(message: string, params: Args): string | undefined {
  const named = /"([a-z][\w[\]]{0,39})" (?:is|must|needs|names)|^Validation Error: (\w+) (?:is|must)/.exec(message);
  const name = named?.[1] ?? named?.[2];
  const quoted = (text: string) => message.includes(`[${text}]`) || message.includes(`"${text}"`);
  const repeated = Object.entries(params).find(([, value]) =>
    textsIn(value).some((text) => quoted(displayText(text))),
  )?.[0];
  return repeated ?? name;
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  const texts = typeof value === "string" ? [value, ...value.split(",")] : [String(value)];
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
