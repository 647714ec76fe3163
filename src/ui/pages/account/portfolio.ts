/** The holdings of an account, sorted by value, with exact shares. */
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  isObject,
  type Json,
  type JsonObject,
  numericOf,
  objectsOf,
  percentOf,
  pluralize,
  sumDecimals,
  toNumber,
} from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { f, fieldMeta } from "../../../catalogue/schemas.ts";
import {
  type Cell,
  type Clock,
  clip,
  distinctSymbol,
  formatPercent,
  formatUsd,
  formatValue,
  MISSING,
  safeText,
  tokenMintOf,
  withRole,
} from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { BarShare } from "../../widgets/chart/stacked-bar.ts";
import { barDrawing, MAX_SYMBOL, type ShortTableColumn } from "../../widgets/table/layout.ts";

/** The added field with a holding's share of the total value. */
const SHARE = "share_percent";
const BAR_WIDTH = 10;
/** Minimum useful width of a name beside its symbol. */
const MIN_NAME = 12;
const MIN_SYMBOL = 8;
/** SOL has no mint. */
const NO_MINT_CELL: Cell = { text: "native", role: "note" };

/** Returns SOL and the tokens of a portfolio, most valuable first, those without a price last. */
export function holdingsOf(portfolio: JsonObject): readonly JsonObject[] {
  const tokens = objectsOf(portfolio.tokens);
  const native = isObject(portfolio.native_balance) ? [portfolio.native_balance] : [];
  const total = totalValue(portfolio, [...native, ...tokens]);
  return [...native, ...tokens].toSorted(compareValues).map((holding) => {
    const value = decimalOf(holding.value);
    const share = value && total && percentOf(value, total);
    return share ? { ...holding, [SHARE]: numericOf(decimalText(share)) as Json } : holding;
  });
}

/** Returns whether a holding is worth nothing as far as is known: spam, and what is left of others. */
export function isValueless(holding: JsonObject): boolean {
  const value = decimalOf(holding.value);
  return hasMint(holding) && (value === undefined || value.digits === 0n);
}

/** Returns the values of holdings by the names of their tokens; a bar of one token says nothing. */
export function holdingShares(holdings: readonly JsonObject[]): readonly BarShare[] {
  const shares = holdings.map((row) => ({ label: holdingName(row), value: toNumber(row.value) ?? 0 }));
  return shares.filter(({ value }) => value > 0).length > 1 ? shares : [];
}

function holdingName(row: JsonObject): string {
  const name = [row.token_symbol, row.token_name, row.token_address].find(
    (one) => typeof one === "string" && one !== "",
  );
  return clip(safeText(distinctSymbol(String(name ?? "unknown"), tokenMintOf(row))), MAX_SYMBOL);
}

/** Returns the mint of a holding. SOL has none and uses the mint of its wrapped form, which has the same price. */
export function mintOf(holding: JsonObject | undefined): Json | undefined {
  if (holding === undefined) return undefined;
  if (hasMint(holding)) return holding.token_address;
  return holding.token_symbol === "SOL" ? WRAPPED_SOL : undefined;
}

const hasMint = ({ token_address: mint }: JsonObject) => typeof mint === "string" && mint !== "";

/** Returns the total value, or the sum of the values when the API omits it. */
function totalValue(portfolio: JsonObject, holdings: readonly JsonObject[]): Decimal | undefined {
  const reported = decimalOf(portfolio.total_value);
  if (reported && reported.digits !== 0n && !reported.negative) return reported;
  const values = holdings.map(({ value }) => decimalOf(value)).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : sumDecimals(values);
}

function compareValues(a: JsonObject, b: JsonObject): number {
  const [left, right] = [decimalOf(a.value), decimalOf(b.value)];
  if (left && right) return compareDecimals(right, left);
  return (left ? 0 : 1) - (right ? 0 : 1);
}

/**
 * Returns the line above the holdings; the summary of the account has their total value.
 * @param hidden how many of the tokens are hidden because they have no value, and the key that shows them
 */
export function portfolioLine(
  portfolio: JsonObject,
  count: number,
  hidden: { readonly count: number; readonly hint: string } = { count: 0, hint: "" },
): TextLine {
  const positions = objectsOf(portfolio.positions);
  const positionValue = sumDecimals(
    positions.map((one) => decimalOf(one.position_value)).filter((one) => one !== undefined),
  );
  return [
    span(count <= 1 ? "SOL only" : `SOL and ${pluralize(count - 1, "token")}`, "note"),
    ...(positions.length > 0
      ? [span(` · plus ${pluralize(positions.length, "position")} worth ${formatUsd(positionValue)}`, "note")]
      : []),
    ...(hidden.count > 0 ? [span(` · ${pluralize(hidden.count, "token")} without value hidden`, "note")] : []),
    ...(hidden.hint === "" ? [] : [span(` · ${hidden.hint}`, "note")]),
  ];
}

const META = {
  symbol: fieldMeta(f.text("Symbol") as never),
  balance: fieldMeta(f.amount("Balance") as never),
  usd: fieldMeta(f.usd("Value") as never),
  mint: fieldMeta(f.address("Mint") as never),
};

/** Returns the columns of holdings. */
export function holdingColumns(clock: Clock, unicode: boolean): readonly ShortTableColumn[] {
  const cell =
    (meta: (typeof META)[keyof typeof META], ...fields: readonly string[]) =>
    (row: JsonObject): Cell =>
      formatValue(
        fields.map((field) => row[field]).find((value) => value !== undefined),
        meta,
        row,
        { ...clock, numbers: "brief" },
      );
  const mint = cell(META.mint, "token_address");
  const symbol = cell(META.symbol, "token_symbol", "token_name");
  const token = (row: JsonObject) => withRole(symbol(row), "token");
  return [
    {
      head: "token",
      path: "token_symbol",
      cell: token,
      minWidth: MIN_SYMBOL,
      maxWidth: MAX_SYMBOL,
    },
    { head: "balance", path: "balance", cell: cell(META.balance, "balance_str", "balance") },
    { head: "price", path: "token_price", cell: cell(META.usd, "token_price") },
    { head: "value", path: "value", cell: cell(META.usd, "value") },
    { head: "share", path: SHARE, cell: shareCell },
    {
      head: "",
      path: SHARE,
      cell: () => MISSING,
      drawing: barDrawing((row) => toNumber(row[SHARE]), BAR_WIDTH, unicode),
    },
    { head: "mint", path: "token_address", cell: (row) => (hasMint(row) ? mint(row) : NO_MINT_CELL) },
    { head: "name", path: "token_name", cell: cell(META.symbol, "token_name"), minWidth: MIN_NAME },
  ];
}

function shareCell(row: JsonObject): Cell {
  const share = decimalOf(row[SHARE]);
  return share ? { text: formatPercent(share, "brief"), numeric: true } : MISSING;
}
