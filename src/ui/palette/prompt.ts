/** What a command cannot do without, asked for one after another in the palette's own line. */

import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { address, type Param, signature, slot, text } from "../../catalogue/param.ts";
import type { Route } from "../app/route.ts";
import type { EntityKind } from "../app/entity-pages.ts";
import { checkValue, type ValueProblem } from "../form/check-value.ts";

/** What is opened once everything is known. */
export type PromptTarget =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint }
  | { readonly kind: "entity"; readonly entity: EntityKind };

/** The next thing to ask for. */
export interface Prompt {
  readonly target: PromptTarget;
  readonly name: string;
  readonly param: Param;
  /** What is known already. */
  readonly values: ParameterValues;
}

/** An identifier that is at hand where one is, and what it is of. */
export interface EntityRef {
  readonly entity: EntityKind;
  readonly id: string;
}

/** How each thing is named: what its identifier is called, and its form. */
const IDENTIFIERS: Readonly<Record<EntityKind, readonly [name: string, param: Param]>> = {
  account: ["address", address("Any account: wallet, token account, program or pool")],
  token: ["mint", address("The mint of a token")],
  transaction: ["signature", signature("The signature of a transaction")],
  block: ["slot", slot("The slot of a block")],
  market: ["pool", address("The address of a pool")],
  program: ["program", address("The address of a program")],
  collection: ["collection", text("The identifier of an NFT collection")],
};

/** What is asked for next; undefined once nothing is missing. */
export function nextPrompt(target: PromptTarget, values: ParameterValues = {}): Prompt | undefined {
  const needed: readonly (readonly [string, Param])[] =
    target.kind === "entity"
      ? [IDENTIFIERS[target.entity]]
      : Object.entries(target.endpoint.query).filter(([, param]) => param.required && param.default === undefined);
  const [name, param] = needed.find(([known]) => values[known] === undefined) ?? [];
  return name === undefined || param === undefined ? undefined : { target, name, param, values };
}

/** The words before what is typed: `account transfer`, `token`. */
export function targetLabel(target: PromptTarget): string {
  return target.kind === "entity" ? target.entity : target.endpoint.command;
}

/** Where everything that was given leads. */
export function routeOfTarget(target: PromptTarget, values: ParameterValues): Route {
  if (target.kind === "endpoint") return { kind: "endpoint", endpointRoute: target.endpoint.route, params: values };
  const [name] = IDENTIFIERS[target.entity];
  return { kind: "entity", entity: target.entity, id: String(values[name]) };
}

/** What an answer leads to: why it is refused, the next question, or the place. */
export type PromptResult =
  | { readonly problem: ValueProblem; readonly prompt?: undefined; readonly route?: undefined }
  | { readonly prompt: Prompt; readonly route?: undefined; readonly problem?: undefined }
  | { readonly route: Route; readonly prompt?: undefined; readonly problem?: undefined };

/** Takes an answer. @param now milliseconds since the epoch */
export function answerPrompt({ target, name, param, values }: Prompt, typed: string, now: number): PromptResult {
  const checked = checkValue(name, param, typed, now);
  if (checked.problem) return { problem: checked.problem };
  const all = { ...values, [name]: normalize(param, typed, checked.values) };
  const prompt = nextPrompt(target, all);
  return prompt ? { prompt } : { route: routeOfTarget(target, all) };
}

const IDENTIFIER_TYPES: readonly string[] = ["address", "signature", "slot"];

/** Identifiers as they travel, out of links and without what was around them; everything else as it was typed. */
function normalize({ type, arity }: Param, typed: string, values: readonly string[]): unknown {
  if (!IDENTIFIER_TYPES.includes(type)) return typed.trim();
  return arity === "list" ? values : (values[0] ?? "");
}

/** What the identifier that is asked for is of; undefined where something else is asked for. */
export function expectedEntity({ target, name, param }: Prompt): EntityKind | undefined {
  if (target.kind === "endpoint" && !param.positional && !IDENTIFIER_TYPES.includes(param.type)) return undefined;
  return target.kind === "entity" ? target.entity : entityOfParam(target.endpoint, name, param);
}

/** What the identifier that an endpoint takes is of. */
export function entityOfParam({ group }: Endpoint, name: string, { type }: Param): EntityKind {
  if (type === "signature") return "transaction";
  if (type === "slot") return "block";
  if (name === "collection") return "collection";
  if (/^token/.test(name) || group === "token") return "token";
  return group === "market" ? "market" : "account";
}

/** Things whose identifier is the address of an account. */
const ACCOUNT_ENTITIES: readonly EntityKind[] = ["account", "token", "market", "program"];

/** Whether what is one thing may be meant where another is asked for: every address is one of an account. */
export function isAcceptable(entity: EntityKind, expected: EntityKind | undefined): boolean {
  return entity === expected || (expected === "account" && ACCOUNT_ENTITIES.includes(entity));
}

/** What stands in the line at first: an identifier at hand whose kind is the one asked for, or the usual value. */
export function defaultAnswer(prompt: Prompt, known: readonly EntityRef[]): string {
  const expected = prompt.param.positional || prompt.target.kind === "entity" ? expectedEntity(prompt) : undefined;
  const exact = known.find(({ entity: thing }) => thing === expected);
  const near = known.find(({ entity: thing }) => isAcceptable(thing, expected));
  return exact?.id ?? near?.id ?? defaultValue(prompt.param);
}

function defaultValue({ role, values }: Param): string {
  if (role === "from") return "7d";
  return role === "to" ? "now" : String(values?.[0] ?? "");
}
