/** Totals of a column: exact sums, those of token amounts by token. */
import { type Decimal, isObject, type Json, sumDecimals, toDecimal, trimZeros } from "../../../base/index.ts";
import { type FieldMeta, type Kind, tokenMintOf } from "../../../catalogue/index.ts";
import { findDecimals, formatSol, formatUsd, groupDigits } from "../../../output/index.ts";
import { shortId } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { ListColumn } from "./columns.ts";
import { type RowValue, valueOfColumn } from "./table.ts";

interface ColumnTotals {
  readonly head: string;
  readonly kind: Kind;
  /**
   * The most frequent unit first. The mint is that of the token; empty for the other kinds and for the token of the whole
   * list.
   */
  readonly totals: readonly { readonly mint: string; readonly sum: Decimal; readonly count: number }[];
}

const SUMMABLE_KINDS: ReadonlySet<Kind | undefined> = new Set<Kind>([
  "lamports",
  "tokenAmount",
  "amount",
  "sol",
  "usd",
  "count",
]);
/** Fields of these kinds that do not: what one unit costs or has. */
const UNIT_FIELDS = /price|decimals|floor/i;

function isSummable({ sources }: ListColumn): boolean {
  const [source] = sources;
  return SUMMABLE_KINDS.has(source?.meta?.kind) && !UNIT_FIELDS.test(String(source?.path.at(-1) ?? ""));
}

/** Returns the totals of a column over some rows; undefined where its values do not add up. */
export function sumColumn(rows: readonly Json[], column: ListColumn | undefined): ColumnTotals | undefined {
  const kind = column?.sources[0]?.meta?.kind;
  if (!column || kind === undefined || !isSummable(column) || rows.length < 2) return undefined;
  const values = new Map<string, Decimal[]>();
  for (const row of rows) {
    const { mint, amount } = amountIn(valueOfColumn(row, column)) ?? {};
    if (mint === undefined || !amount) continue;
    const group = values.get(mint);
    if (group) group.push(amount);
    else values.set(mint, [amount]);
  }
  const totals = [...values].map(([mint, amounts]) => ({ mint, sum: sumDecimals(amounts), count: amounts.length }));
  if (totals.length === 0) return undefined;
  return { head: column.head, kind, totals: totals.sort((a, b) => b.count - a.count) };
}

/** Returns a value with its unit; undefined where one of both is unknown. */
function amountIn({ value, meta, parent }: RowValue): { readonly mint: string; readonly amount: Decimal } | undefined {
  const amount = toDecimal(value);
  if (!amount) return undefined;
  if (meta?.kind !== "tokenAmount") return { mint: "", amount };
  const decimals = findDecimals(meta, parent);
  if (decimals === undefined) return undefined;
  return { mint: readMint(meta, parent) ?? "", amount: { ...amount, scale: amount.scale + decimals } };
}

/** Returns the mint of an amount; undefined where the whole list is of one token. */
function readMint({ token }: FieldMeta, parent: Json | undefined): string | undefined {
  const mint = token !== undefined && isObject(parent) ? parent[token] : undefined;
  return typeof mint === "string" ? mint : tokenMintOf(parent);
}

/** Tokens whose totals are shown where there is space. */
export const MAX_TOKENS = 3;

/**
 * Returns totals as a line: `Σ amount 12,345.6 SOL + 3 USDC + 5 tokens`.
 * @param symbolOf returns the symbol of a token, and that of the whole list for an empty mint
 */
export function totalsLine(
  { head, kind, totals }: ColumnTotals,
  symbolOf: (mint: string) => string | undefined,
  { unicode, tokens }: { readonly unicode: boolean; readonly tokens: number },
): TextLine {
  const visible = totals.slice(0, tokens);
  const more = totals.length - visible.length;
  const texts = visible.map(({ mint, sum }) => {
    if (kind === "usd") return formatUsd(sum);
    if (kind === "lamports") return formatSol(sum);
    const symbol = kind === "sol" ? "SOL" : kind === "tokenAmount" ? (symbolOf(mint) ?? shortId(mint)) : "";
    return [groupDigits(trimZeros(sum)), symbol].filter(Boolean).join(" ");
  });
  return [
    span(`${unicode ? "Σ" : "sum of"} ${head.toLowerCase()} `, "note"),
    ...texts.flatMap((text, at) => [...(at === 0 ? [] : [span(" + ", "note")]), span(text, "title")]),
    ...(more > 0 ? [span(` + ${more} more ${more === 1 ? "token" : "tokens"}`, "note")] : []),
  ];
}
