/** What moves in a transaction: trades, transfers and other steps, apart from fees, tips and rent. */
import {
  decimalText,
  fieldOf,
  isObject,
  type Json,
  listOf,
  stringifyJson,
  textOf,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import { isTipAccount, NATIVE_SOL } from "../../../catalogue/index.ts";
import { SOL_DECIMALS } from "../../../output/index.ts";
import { stepKind, type TransactionStep, toStep } from "./steps.ts";

/** A step with those that it consists of: the venues of a trade, the payments of a sale. */
export interface FlowStep {
  readonly value: Json;
  readonly step: TransactionStep;
  readonly children: readonly FlowStep[];
}

/** A payment to the network: a tip to validators, the rent of a new account, or the rent of a closed one. */
export interface Charge {
  readonly kind: "tip" | "rent" | "refund";
  readonly value: Json;
  readonly step: TransactionStep;
}

interface TransactionFlow {
  readonly steps: readonly FlowStep[];
  readonly charges: readonly Charge[];
}

/** Kinds of steps without information beside the others. */
const HIDDEN_KINDS: ReadonlySet<string> = new Set([
  "common",
  "computeunitlimit",
  "computeunitprice",
  "interaction",
  "multiinteractions",
  "",
]);

const flowStep = (value: Json, children: readonly FlowStep[]): FlowStep => ({ value, step: toStep(value), children });

/** Returns the steps of a transaction from its actions; without these, from its details. */
export function transactionFlow(detail: Json | undefined, actions: Json | undefined): TransactionFlow {
  const groups = listOf(fieldOf(actions, "summaries"));
  const source = actions ?? detail;
  const all =
    groups.length > 0
      ? groups.flatMap((group) => groupedSteps(fieldOf(group, "title"), listOf(fieldOf(group, "body"))))
      : groupedSteps(undefined, [...listOf(fieldOf(source, "activities")), ...listOf(fieldOf(source, "transfers"))]);
  const charges: Charge[] = [];
  return { steps: withoutCharges(all, charges), charges };
}

/** Returns the steps of a group: below its title where that describes them, otherwise beside each other. */
function groupedSteps(title: Json | undefined, body: readonly Json[]): readonly FlowStep[] {
  const hasTitle = title !== undefined && !HIDDEN_KINDS.has(stepKind(toStep(title).type));
  const trades = [...(hasTitle ? [title] : []), ...body].map((value) => toStep(value).data);
  const legs = new Set(trades.flatMap((data) => tradesIn(data).flatMap(legsOf)));
  const pools = new Set(trades.flatMap((data) => venuesOf(data).map((venue) => fieldOf(venue, "amm_id"))));
  const known = hasTitle ? stringifyJson(title) : "";
  const others = body.filter((value) => {
    const { type, data } = toStep(value);
    const kind = stepKind(type);
    const isRoute = kind === "tokenswap" && pools.has(fieldOf(data, "amm_id"));
    // What both sides of a trade pay is in the trade.
    const isLeg = kind === "transfer" && legs.has(legKey(fieldOf(data, "token_address"), data, "amount"));
    return !HIDDEN_KINDS.has(kind) && !isRoute && !isLeg && stringifyJson(value) !== known;
  });
  const steps = others.map((value) => flowStep(value, routeSteps(toStep(value).data)));
  return hasTitle ? [flowStep(title, [...routeSteps(toStep(title).data), ...steps])] : steps;
}

/** Returns the venues of a trade in their order; a single one is the trade itself. */
function routeSteps(data: Json | undefined): readonly FlowStep[] {
  const routes = listOf(fieldOf(data, "routers"));
  return routes.length === 1 && listOf(fieldOf(routes[0], "child_routers")).length === 0 ? [] : routes.map(routeStep);
}

function routeStep(route: Json): FlowStep {
  return {
    value: route,
    step: { type: "route", program: fieldOf(route, "program_id"), data: route },
    children: listOf(fieldOf(route, "child_routers")).map(routeStep),
  };
}

function tradesIn(data: Json | undefined): readonly Json[] {
  return isObject(data) ? [data, ...venuesOf(data)] : [];
}

function venuesOf(data: Json | undefined): readonly Json[] {
  return [...listOf(fieldOf(data, "routers")), ...listOf(fieldOf(data, "child_routers"))].flatMap(tradesIn);
}

function legsOf(trade: Json | undefined): readonly string[] {
  return [1, 2].flatMap((side) => {
    const token = fieldOf(trade, `token_${side}`);
    return token === undefined ? [] : [legKey(token, trade, `amount_${side}`)];
  });
}

function legKey(token: Json | undefined, data: Json | undefined, field: string): string {
  const amount = toDecimal(fieldOf(data, `${field}_str`) ?? fieldOf(data, field));
  return `${textOf(token)} ${amount === undefined ? "" : decimalText(amount)}`;
}

/** Returns the steps without charges, which are appended to `charges`. */
function withoutCharges(steps: readonly FlowStep[], charges: Charge[]): readonly FlowStep[] {
  return steps.flatMap((one) => {
    const kind = chargeKind(one);
    if (kind === undefined) return [{ ...one, children: withoutCharges(one.children, charges) }];
    charges.push({ kind, value: one.value, step: one.step });
    return withoutCharges(one.children, charges);
  });
}

function chargeKind(one: FlowStep): Charge["kind"] | undefined {
  const { type, data } = one.step;
  const kind = stepKind(type);
  if (kind === "createaccount") return isRent(data) ? "rent" : undefined;
  if (kind === "closeaccount") return fieldOf(data, "token_address") === NATIVE_SOL ? "refund" : undefined;
  return kind === "transfer" && isTipAccount(textOf(fieldOf(data, "destination")) ?? "") ? "tip" : undefined;
}

/** Lamports of the rent of a few kilobytes; a new account that gets more holds a deposit, such as a stake. */
const MAX_RENT = 20_000_000;

function isRent(data: Json | undefined): boolean {
  const amount = toNumber(fieldOf(data, "init_amount")) ?? toNumber(fieldOf(data, "amount"));
  return amount === undefined || amount <= MAX_RENT;
}

/** Returns the instructions of a transaction at all depths, each before those that it calls. */
export function allInstructions(detail: Json | undefined): readonly Json[] {
  const withInner = (one: Json): readonly Json[] => [
    one,
    ...listOf(fieldOf(one, "inner_instructions")).flatMap(withInner),
  ];
  return listOf(fieldOf(detail, "parsed_instructions")).flatMap(withInner);
}

/** Returns the transfers that a failed transaction attempted, from its instructions. */
export function attemptedTransfers(detail: Json | undefined): readonly Json[] {
  return allInstructions(detail).flatMap((one) => {
    const info = fieldOf(fieldOf(one, "data_raw"), "info");
    const transfer = /^transfer/i.test(textOf(fieldOf(one, "type")) ?? "") ? transferOf(info) : undefined;
    return transfer ? [{ ...transfer, program_id: fieldOf(one, "program_id") ?? null }] : [];
  });
}

/** Returns the arguments of a transfer in the form of a transfer of the API; undefined where it is none. */
function transferOf(info: Json | undefined): { readonly [field: string]: Json } | undefined {
  const [source, destination] = [fieldOf(info, "source"), fieldOf(info, "destination")];
  const amount = fieldOf(info, "tokenAmount");
  const lamports = fieldOf(info, "lamports");
  const token = lamports === undefined ? fieldOf(info, "mint") : NATIVE_SOL;
  const value = lamports ?? fieldOf(amount, "amount");
  if (source === undefined || destination === undefined || token === undefined || value === undefined) return undefined;
  return {
    transfer_type: "spl_transfer",
    source,
    source_owner: fieldOf(info, "authority") ?? fieldOf(info, "multisigAuthority") ?? source,
    destination,
    token_address: token,
    amount_str: value,
    decimals: lamports === undefined ? (fieldOf(amount, "decimals") ?? null) : SOL_DECIMALS,
  };
}
