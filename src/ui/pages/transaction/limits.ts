/** What the trades of a transaction had to bring at least, or could cost at most, beside what they did. */
import { countOf, fieldOf, isObject, type Json, listOf, toDecimal, toNumber } from "../../../base/index.ts";
import { span } from "../../navigation/theme/text-line.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { effectsOf, stepKind, toStep } from "./steps.ts";

type LimitKind = "least" | "most";

/** Arguments that are limits, in lower case without underscores. */
const LIMITS: Readonly<Record<string, LimitKind>> = {
  minimumamountout: "least",
  minamountout: "least",
  minoutamount: "least",
  minquoteamountout: "least",
  minbaseamountout: "least",
  minsoloutput: "least",
  otheramountthreshold: "least",
  maximumamountin: "most",
  maxamountin: "most",
  maxinamount: "most",
  maxquoteamountin: "most",
  maxsolcost: "most",
};
/** Arguments that say that the amount paid is exact; where they are false, a threshold is the most to pay. */
const EXACT_INPUT = ["amountspecifiedisinput", "isbaseinput"];
const BASIS_POINTS = 10_000n;
const WORDS = { least: ["wanted at least ", ", got "], most: ["wanted to pay at most ", ", paid "] } as const;
/** The side of a trade that a limit is about. */
const SIDES = { least: 2, most: 1 } as const;
const TRADES: ReadonlySet<string> = new Set(["tokenswap", "aggtokenswap"]);

interface Limit {
  readonly kind: LimitKind;
  /** In base units. */
  readonly amount: bigint;
}

/** Returns the sentences about the limits of the outermost trades that have one. */
export function limitRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const rowsOf = (instruction: Json, key: string): readonly TreeRow[] => {
    const row = limitRow(instruction, `limit ${key}`, formatter);
    const inner = listOf(fieldOf(instruction, "inner_instructions"));
    return row ? [row] : inner.flatMap((one, at) => rowsOf(one, `${key}.${at}`));
  };
  return listOf(fieldOf(detail, "parsed_instructions")).flatMap((one, at) => rowsOf(one, `${at}`));
}

function limitRow(instruction: Json, key: string, formatter: TransactionFormatter): TreeRow | undefined {
  const trade = effectsOf(instruction)
    .map(toStep)
    .find(({ type }) => TRADES.has(stepKind(type)));
  const limit = trade && limitOf(argumentsOf(instruction));
  if (!limit) return undefined;
  const side = SIDES[limit.kind];
  const of = (name: string) => fieldOf(trade.data, `${name}_${side}`);
  const actual = toDecimal(fieldOf(trade.data, `amount_${side}_str`) ?? of("amount"));
  if (!actual || actual.scale > 0 || limit.amount === 0n) return undefined;
  const money = (amount: bigint) => formatter.money(`${amount}`, of("token"), of("token_decimal"));
  const [wanted, [got]] = [money(limit.amount).slice(0, 2), money(actual.digits)];
  const percent = (Number(actual.digits) / Number(limit.amount) - 1) * 100;
  const distance = ` (${Math.abs(percent).toFixed(2)}% ${percent < 0 ? "below" : "above"})`;
  const [before, between] = WORDS[limit.kind];
  const line = [
    span(before),
    ...wanted,
    span(between),
    span((got?.text ?? "").trim(), "title"),
    span(distance, "note"),
  ];
  return { key, line, row: instruction };
}

/** Returns the decoded arguments by their names in lower case without underscores. */
function argumentsOf(instruction: Json): ReadonlyMap<string, Json> {
  const raw = fieldOf(instruction, "data_raw");
  const sources = [fieldOf(fieldOf(instruction, "idl_data"), "input_args"), fieldOf(raw, "info") ?? raw];
  const entries = sources.flatMap((one) => (isObject(one) ? Object.entries(one) : []));
  return new Map(
    entries.map(([name, value]) => [name.replaceAll("_", "").toLowerCase(), fieldOf(value, "data") ?? value] as const),
  );
}

/** Returns the limit of a trade; of a quote, what is left of it after the accepted slippage. */
function limitOf(named: ReadonlyMap<string, Json>): Limit | undefined {
  const units = (value: Json | undefined) => {
    const number = toDecimal(value);
    return number?.scale === 0 && !number.negative ? number.digits : undefined;
  };
  const [quoted, slippage] = [units(named.get("quotedoutamount")), countOf(named.get("slippagebps"))];
  if (quoted !== undefined && slippage !== undefined && slippage <= BASIS_POINTS) {
    return { kind: "least", amount: (quoted * (BASIS_POINTS - BigInt(slippage))) / BASIS_POINTS };
  }
  const [name] = Object.keys(LIMITS).filter((one) => named.has(one));
  const amount = units(named.get(name ?? ""));
  const isInexact = EXACT_INPUT.some((one) => named.get(one) === false || toNumber(named.get(one)) === 0);
  const kind = isInexact ? "most" : LIMITS[name ?? ""];
  return amount === undefined || kind === undefined ? undefined : { kind, amount };
}
