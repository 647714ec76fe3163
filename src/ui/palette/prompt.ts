/** The required parameters of a command, and the identifiers that may be their values. */
import { type Endpoint, type Param, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { checkValue, type ValueProblem } from "../../client/index.ts";
import type { Subject } from "../navigation/context.ts";
import { type EntityKind, entityPage } from "../navigation/entity-pages.ts";
import { endpointOfRoute, type Route } from "../navigation/route.ts";
import { routeOfCell } from "../widgets/list/links.ts";

/** A prompt for one parameter of an endpoint; the values are those before it. */
export interface Prompt {
  readonly endpoint: Endpoint;
  readonly name: string;
  readonly param: Param;
  readonly values: ParameterValues;
}

/** An entity by kind and identifier. */
export interface EntityRef {
  readonly entity: EntityKind;
  readonly id: string;
}

/** Returns the next prompt; undefined when nothing is missing. */
export function nextPrompt(endpoint: Endpoint, values: ParameterValues = {}): Prompt | undefined {
  const needed = Object.entries(endpoint.query).filter(([, param]) => param.required && param.default === undefined);
  const [name, param] = needed.find(([known]) => values[known] === undefined) ?? [];
  return name === undefined || param === undefined ? undefined : { endpoint, name, param, values };
}

/** The result of an answer: why it is invalid, the next prompt, or the route. */
export type PromptResult =
  | { readonly problem: ValueProblem; readonly prompt?: undefined; readonly route?: undefined }
  | { readonly prompt: Prompt; readonly route?: undefined; readonly problem?: undefined }
  | { readonly route: Route; readonly prompt?: undefined; readonly problem?: undefined };

/** Applies an answer to a prompt. @param now milliseconds since the epoch */
export function answerPrompt({ endpoint, name, param, values }: Prompt, typed: string, now: number): PromptResult {
  const checked = checkValue(name, param, typed, now);
  if (checked.problem) return { problem: checked.problem };
  const all = { ...values, [name]: normalize(param, typed, checked.values) };
  const prompt = nextPrompt(endpoint, all);
  return prompt ? { prompt } : { route: { kind: "endpoint", endpointRoute: endpoint.route, params: all } };
}

const IDENTIFIER_TYPES: readonly string[] = ["address", "signature", "slot"];

/** Returns identifiers in wire form, extracted from links; everything else as typed. */
function normalize({ type, arity }: Param, typed: unknown, values: readonly string[]): unknown {
  if (!IDENTIFIER_TYPES.includes(type)) return typeof typed === "string" ? typed.trim() : typed;
  return arity === "list" ? values : (values[0] ?? "");
}

/** Returns valid parameters with {@link normalize}d identifiers. */
export function normalizeParams({ query }: Endpoint, params: ParameterValues, now: number): ParameterValues {
  const normalized = Object.entries(params).map(([name, value]) => {
    const param = query[name];
    const checked = param && checkValue(name, param, value, now);
    return [name, param && checked && !checked.problem ? normalize(param, value, checked.values) : value];
  });
  return Object.fromEntries(normalized);
}

/** Returns the entity kind that a prompt asks for; undefined when it does not ask for an identifier. */
function expectedEntity({ endpoint, name, param }: Prompt): EntityKind | undefined {
  if (!param.positional && !IDENTIFIER_TYPES.includes(param.type)) return undefined;
  return entityOfParam(endpoint, name, param);
}

function entityOfParam({ group }: Endpoint, name: string, { type }: Param): EntityKind {
  if (type === "signature") return "transaction";
  if (type === "slot") return "block";
  if (name === "collection") return "collection";
  if (/^token/.test(name) || group === "token") return "token";
  return group === "market" ? "market" : "account";
}

/** Returns whether an entity is acceptable where another kind is expected: every address is one of an account. */
function isAcceptable(entity: EntityKind, expected: EntityKind | undefined): boolean {
  return entity === expected || (expected === "account" && entityPage(entity).accepts[0] === "address");
}

/** Returns the initial value of a parameter: a known identifier of the expected kind, or the default value. */
export function defaultAnswer(prompt: Prompt, known: readonly EntityRef[]): string {
  const expected = prompt.param.positional ? expectedEntity(prompt) : undefined;
  const exact = known.find(({ entity }) => entity === expected);
  const near = known.find(({ entity }) => isAcceptable(entity, expected));
  return exact?.id ?? near?.id ?? defaultValue(prompt.param);
}

function defaultValue({ role, values }: Param): string {
  if (role === "from") return "7d";
  return role === "to" ? "now" : String(values?.[0] ?? "");
}

/** Returns the required parameters of an endpoint with their initial values. */
export function defaultParams(endpoint: Endpoint, known: readonly EntityRef[]): ParameterValues {
  let values: ParameterValues = {};
  for (let prompt = nextPrompt(endpoint); prompt; prompt = nextPrompt(endpoint, values))
    values = { ...values, [prompt.name]: defaultAnswer(prompt, known) };
  return values;
}

/** Returns the entities of a view that can answer a prompt. */
export function entitiesInView(route: Route, subject: Subject | undefined): readonly EntityRef[] {
  return [routeOfCell(subject), route].flatMap((one) => (one ? entityOfRoute(one) : []));
}

function entityOfRoute(route: Route): readonly EntityRef[] {
  if (route.kind === "entity") return [{ entity: route.entity, id: route.id }];
  const endpoint = endpointOfRoute(route);
  const [name, param] = (endpoint && positionalOf(endpoint)) ?? [];
  if (!endpoint || !param || route.kind !== "endpoint" || name === undefined) return [];
  const id = [route.params[name]].flat()[0];
  if (typeof id !== "string" && typeof id !== "number") return [];
  return [{ entity: entityOfParam(endpoint, name, param), id: String(id) }];
}

/** Returns suggestions for a prompt: known identifiers, then those of recent routes, each once. */
export function suggestIdentifiers(
  prompt: Prompt,
  known: readonly EntityRef[],
  routes: readonly Route[],
  now: number,
): readonly EntityRef[] {
  const all = [...known, ...routes.flatMap(entityOfRoute)];
  const expected = expectedEntity(prompt);
  const near = all.filter(({ entity }) => entity !== expected && isAcceptable(entity, expected));
  const ordered = [...all.filter(({ entity }) => entity === expected), ...near];
  const ids = ordered.map(({ id }) => id);
  return ordered.filter(({ id }, index) => ids.indexOf(id) === index && !answerPrompt(prompt, id, now).problem);
}
