/** What a command cannot do without, asked for one after another in the palette's own line. */

import type { Endpoint } from "../../catalogue/endpoint.ts";
import type { ParameterValues } from "../../catalogue/index.ts";
import { address, type Param, signature, slot, text } from "../../catalogue/param.ts";
import type { Place, Thing } from "../app/route.ts";
import { checkValue, type Problem } from "../form/check-value.ts";

/** What is opened once everything is known. */
export type Asked =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint }
  | { readonly kind: "thing"; readonly thing: Thing };

/** The next thing to ask for. */
export interface Question {
  readonly asked: Asked;
  readonly name: string;
  readonly param: Param;
  /** What is known already. */
  readonly given: ParameterValues;
}

/** An identifier that is at hand where one is, and what it is of. */
export interface AtHand {
  readonly thing: Thing;
  readonly id: string;
}

/** How each thing is named: what its identifier is called, and its form. */
const IDENTIFIERS: Readonly<Record<Thing, readonly [name: string, param: Param]>> = {
  account: ["address", address("Any account: wallet, token account, program or pool")],
  token: ["mint", address("The mint of a token")],
  transaction: ["signature", signature("The signature of a transaction")],
  block: ["slot", slot("The slot of a block")],
  market: ["pool", address("The address of a pool")],
  program: ["program", address("The address of a program")],
  collection: ["collection", text("The identifier of an NFT collection")],
};

/** What is asked for next; undefined once nothing is missing. */
export function questionOf(asked: Asked, given: ParameterValues = {}): Question | undefined {
  const needed: readonly (readonly [string, Param])[] =
    asked.kind === "thing"
      ? [IDENTIFIERS[asked.thing]]
      : Object.entries(asked.endpoint.query).filter(([, param]) => param.required && param.default === undefined);
  const [name, param] = needed.find(([known]) => given[known] === undefined) ?? [];
  return name === undefined || param === undefined ? undefined : { asked, name, param, given };
}

/** The words before what is typed: `account transfer`, `token`. */
export function wordsOf(asked: Asked): string {
  return asked.kind === "thing" ? asked.thing : asked.endpoint.command;
}

/** Where everything that was given leads. */
export function destination(asked: Asked, given: ParameterValues): Place {
  if (asked.kind === "endpoint") return { kind: "endpoint", route: asked.endpoint.route, params: given };
  const [name] = IDENTIFIERS[asked.thing];
  return { kind: "thing", thing: asked.thing, id: String(given[name]) };
}

/** What an answer leads to: why it is refused, the next question, or the place. */
export type Outcome =
  | { readonly problem: Problem; readonly question?: undefined; readonly place?: undefined }
  | { readonly question: Question; readonly place?: undefined; readonly problem?: undefined }
  | { readonly place: Place; readonly question?: undefined; readonly problem?: undefined };

/** Takes an answer. @param now milliseconds since the epoch */
export function answered({ asked, name, param, given }: Question, typed: string, now: number): Outcome {
  const checked = checkValue(name, param, typed, now);
  if (checked.problem) return { problem: checked.problem };
  const all = { ...given, [name]: kept(param, typed, checked.values) };
  const question = questionOf(asked, all);
  return question ? { question } : { place: destination(asked, all) };
}

const IDENTIFIER_TYPES: readonly string[] = ["address", "signature", "slot"];

/** Identifiers as they travel, out of links and without what was around them; everything else as it was typed. */
function kept({ type, arity }: Param, typed: string, values: readonly string[]): unknown {
  if (!IDENTIFIER_TYPES.includes(type)) return typed.trim();
  return arity === "list" ? values : (values[0] ?? "");
}

/** What the identifier that is asked for is of; undefined where something else is asked for. */
export function wantedThing({ asked, name, param }: Question): Thing | undefined {
  if (asked.kind === "endpoint" && !param.positional && !IDENTIFIER_TYPES.includes(param.type)) return undefined;
  return asked.kind === "thing" ? asked.thing : identified(asked.endpoint, name, param);
}

/** What the identifier that an endpoint takes is of. */
export function identified({ group }: Endpoint, name: string, { type }: Param): Thing {
  if (type === "signature") return "transaction";
  if (type === "slot") return "block";
  if (name === "collection") return "collection";
  if (/^token/.test(name) || group === "token") return "token";
  return group === "market" ? "market" : "account";
}

/** Things whose identifier is the address of an account. */
const ACCOUNTS: readonly Thing[] = ["account", "token", "market", "program"];

/** Whether what is one thing may be meant where another is asked for: every address is one of an account. */
export function isOf(thing: Thing, wanted: Thing | undefined): boolean {
  return thing === wanted || (wanted === "account" && ACCOUNTS.includes(thing));
}

/** What stands in the line at first: an identifier at hand whose kind is the one asked for, or the usual value. */
export function prefill(question: Question, atHand: readonly AtHand[]): string {
  const wanted = question.param.positional || question.asked.kind === "thing" ? wantedThing(question) : undefined;
  const exact = atHand.find(({ thing }) => thing === wanted);
  const near = atHand.find(({ thing }) => isOf(thing, wanted));
  return exact?.id ?? near?.id ?? usual(question.param);
}

function usual({ role, values }: Param): string {
  if (role === "from") return "7d";
  return role === "to" ? "now" : String(values?.[0] ?? "");
}
