/** What an account holds: the portfolio with values and shares, most valuable first, and NFTs by their names. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import {
  compareDecimals,
  computePercent,
  type Decimal,
  decimalText,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectsOf,
  pluralize,
  sumDecimals,
  textOf,
  toDecimal,
  toNumber,
  toNumeric,
} from "../../../base/index.ts";
import { type Column, distinctSymbol, tokenMintOf, WRAPPED_SOL } from "../../../catalogue/index.ts";
import { deriveShape, f, fieldMeta, Portfolio } from "../../../catalogue/schemas.ts";
import {
  type Cell,
  type Clock,
  clip,
  formatPercent,
  formatUsd,
  formatValue,
  MISSING,
  safeText,
  withRole,
} from "../../../output/index.ts";
import { useResource } from "../../data/hooks.ts";
import { useResourceLine } from "../../data/status.tsx";
import { useBindings, useExplorer, useViewState } from "../../navigation/context.ts";
import { bindAction, formatKeyHints, keyLabelsOf, refreshBinding } from "../../navigation/keys/bindings.ts";
import { joinFitting, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, relativeClock } from "../../widgets/cells.ts";
import { type BarShare, stackedBar } from "../../widgets/chart/one-line.ts";
import { useChartStyle } from "../../widgets/chart/panel.tsx";
import { ListPanel } from "../../widgets/list/panel.tsx";
import { SEPARATOR } from "../../widgets/list/status.ts";
import { barDrawing, filledColumns, MAX_SYMBOL, type ShortTableColumn } from "../../widgets/table/layout.ts";
import type { RowIdentity } from "../../widgets/table/use-table.ts";
import { AnswerTable } from "../entity/panels.tsx";
import type { TabProps } from "../props.ts";
import { PORTFOLIO, TOKEN_ACCOUNTS } from "./record.ts";

const IDENTITY: RowIdentity = {
  shape: deriveShape(Portfolio).field("tokens"),
  idOf: ({ token_address: mint }) => String(mint ?? ""),
};

/** Minimum height with the shares of the tokens as a bar. */
const MIN_BAR_HEIGHT = 12;

/** Shows the holdings of an account. */
export function Holdings({ id, region, part }: TabProps) {
  const explorer = useExplorer();
  const { services, navigation } = explorer;
  const params = { address: id };
  const resource = useResource(PORTFOLIO, params);
  const state = useResourceLine(resource);
  const portfolio = answerObject(resource);
  const all = useMemo(() => (portfolio ? holdingsOf(portfolio) : []), [portfolio]);
  const [showsAll, setShowsAll] = useViewState(`${part} valueless`, false);
  // Without prices nothing has a value.
  const hasValues = services.source.facts.hasPrices;
  const valued = useMemo(() => (hasValues ? all.filter((row) => !isValueless(row)) : all), [all, hasValues]);
  const canHide = valued.length > 0 && valued.length < all.length;
  const rows = canHide && !showsAll ? valued : all;
  const columns = useMemo(
    () => filledColumns(holdingColumns(relativeClock(services), services.unicode), rows),
    [services, rows],
  );
  const hint = canHide
    ? formatKeyHints(keyLabelsOf(explorer), [["account.valueless", showsAll ? "hide" : "show"]])
    : "";
  const style = useChartStyle();
  const shares = useMemo(
    () => stackedBar(holdingShares(rows), { ...style, width: region.width }),
    [rows, style, region.width],
  );
  useBindings("panel", [
    bindAction(
      "account.objects",
      "all fields",
      () => navigation.open({ kind: "endpoint", endpointRoute: PORTFOLIO.route, params }),
      { hint: 50, active: portfolio !== undefined },
    ),
    bindAction(
      "account.valueless",
      showsAll ? "hide tokens without value" : "show tokens without value",
      () => setShowsAll((before) => !before),
      { hint: 35, active: canHide },
    ),
    refreshBinding(resource.refresh, !portfolio),
  ]);
  return (
    <AnswerTable
      source={{ resource, rows, columns, identity: IDENTITY, empty: "No holdings." }}
      link={{ field: "token_address", kind: "address", read: mintOf }}
      region={region}
      part={part}
      top={() => [
        ...(portfolio
          ? [portfolioLine(portfolio, all.length, region.width, { count: all.length - rows.length, hint })]
          : []),
        ...(region.height >= MIN_BAR_HEIGHT ? shares : []),
        ...(state ? [state] : []),
      ]}
    />
  );
}

const POSITION_SHAPE = deriveShape(Portfolio).field("positions");
const POSITION_IDENTITY: RowIdentity = { shape: POSITION_SHAPE, idOf: (row) => textOf(row.position_id) };

/** Shows the positions of an account in pools, most valuable first; the portfolio has them. */
export function Positions({ id, region, part }: TabProps) {
  const { services } = useExplorer();
  const resource = useResource(PORTFOLIO, { address: id });
  const portfolio = answerObject(resource);
  const rows = useMemo(() => {
    const value = (row: JsonObject) => toNumber(row.position_value) ?? 0;
    return listOf(portfolio?.positions)
      .filter(isObject)
      .toSorted((a, b) => value(b) - value(a));
  }, [portfolio]);
  const columns = useMemo(() => {
    const cell = (path: string) => (row: JsonObject) =>
      formatValue(row[path], POSITION_SHAPE.field(path).meta, row, { ...relativeClock(services), numbers: "brief" });
    const range = (row: JsonObject): Cell =>
      row.is_position_in_range === false ? { text: "out of range", role: "warning" } : { text: "in range" };
    return filledColumns(
      [
        { head: "value", path: "position_value", cell: cell("position_value") },
        { head: "type", path: "position_type", cell: cell("position_type") },
        { head: "range", path: "is_position_in_range", cell: range },
        { head: "program", path: "program", cell: cell("program") },
        { head: "pool", path: "pool_id", cell: cell("pool_id") },
        { head: "opened", path: "created_time", cell: cell("created_time"), minWidth: 8 },
      ],
      rows,
    );
  }, [rows, services]);
  return (
    <AnswerTable
      source={{ resource, rows, columns, identity: POSITION_IDENTITY, empty: "No positions in pools." }}
      link={{ field: "pool_id", kind: "address" }}
      region={region}
      part={part}
    />
  );
}

const NFT_COLUMNS: readonly Column[] = [{ path: "token_address", head: "NFT" }, "token_account"];

/** Shows the NFTs of an account. The rows of the API have only mints: names are requested for those on the screen. */
export function Nfts({ id, region, part }: TabProps) {
  const { data, pointer } = useExplorer();
  const params = { address: id, type: "nft", hide_zero: true };
  const unnamed = useSyncExternalStore(pointer.subscribe, pointer.identifiers);
  useEffect(() => data.nameLoads.show(unnamed.filter(({ role }) => role === "token")), [data, unnamed]);
  return (
    <ListPanel
      endpoint={TOKEN_ACCOUNTS}
      params={params}
      columns={NFT_COLUMNS}
      noun="NFTs"
      region={region}
      part={part}
    />
  );
}

/** The added field with a holding's share of the total value. */
const SHARE = "share_percent";
const BAR_WIDTH = 10;
/** Minimum useful width of a name beside its symbol. */
const MIN_NAME = 12;
const MIN_SYMBOL = 8;
/** SOL has no mint. */
const NO_MINT_CELL: Cell = { text: "native", role: "note" };

/** Returns SOL and the tokens of a portfolio. */
export const assetsOf = (portfolio: JsonObject | undefined): readonly JsonObject[] =>
  objectsOf([portfolio?.native_balance ?? null, ...listOf(portfolio?.tokens)]);

/** Returns SOL and the tokens of a portfolio, most valuable first, those without a price last. */
export function holdingsOf(portfolio: JsonObject): readonly JsonObject[] {
  const assets = assetsOf(portfolio);
  const total = totalValue(portfolio, assets);
  return assets.toSorted(compareValues).map((holding) => {
    const value = toDecimal(holding.value);
    const share = value && total && computePercent(value, total);
    return share ? { ...holding, [SHARE]: toNumeric(decimalText(share)) as Json } : holding;
  });
}

/** Returns whether a holding is worth nothing as far as is known: spam, and what is left of others. */
function isValueless(holding: JsonObject): boolean {
  const value = toDecimal(holding.value);
  return hasMint(holding) && (value === undefined || value.digits === 0n);
}

/** Returns the values of holdings by the names of their tokens; a bar of one token says nothing. */
function holdingShares(holdings: readonly JsonObject[]): readonly BarShare[] {
  const shares = holdings.map((row) => ({ label: holdingName(row), value: toNumber(row.value) ?? 0 }));
  return shares.filter(({ value }) => value > 0).length > 1 ? shares : [];
}

function holdingName(row: JsonObject): string {
  const name = textOf(row.token_symbol) ?? textOf(row.token_name) ?? textOf(row.token_address) ?? "unknown";
  return clip(safeText(distinctSymbol(name, tokenMintOf(row))), MAX_SYMBOL);
}

/** Returns the mint of a holding. SOL has none and uses the mint of its wrapped form, which has the same price. */
export function mintOf(holding: JsonObject | undefined): Json | undefined {
  if (holding === undefined) return undefined;
  if (hasMint(holding)) return holding.token_address;
  return holding.token_symbol === "SOL" ? WRAPPED_SOL : undefined;
}

const hasMint = ({ token_address: mint }: JsonObject) => textOf(mint) !== undefined;

/** Returns the total value, or the sum of the values when the API omits it. */
function totalValue(portfolio: JsonObject, holdings: readonly JsonObject[]): Decimal | undefined {
  const reported = toDecimal(portfolio.total_value);
  if (reported && reported.digits !== 0n && !reported.negative) return reported;
  const values = holdings.flatMap(({ value }) => toDecimal(value) ?? []);
  return values.length === 0 ? undefined : sumDecimals(values);
}

function compareValues(a: JsonObject, b: JsonObject): number {
  const [left, right] = [toDecimal(a.value), toDecimal(b.value)];
  if (left && right) return compareDecimals(right, left);
  return (left ? 0 : 1) - (right ? 0 : 1);
}

/**
 * Returns the line above the holdings, of what fits; the summary of the account has their total value.
 * @param hidden how many of the tokens are hidden because they have no value, and the key that shows them
 */
export function portfolioLine(
  portfolio: JsonObject,
  count: number,
  width: number,
  hidden = { count: 0, hint: "" },
): TextLine {
  const positions = listOf(portfolio.positions).filter(isObject);
  const worth = sumDecimals(positions.flatMap((one) => toDecimal(one.position_value) ?? []));
  const parts = [
    count <= 1 ? "SOL only" : `SOL and ${pluralize(count - 1, "token")}`,
    [hidden.count > 0 ? `${hidden.count} without value hidden` : "", hidden.hint].filter(Boolean).join(" · "),
    positions.length > 0 ? `plus ${pluralize(positions.length, "position")}, ${formatUsd(worth, "brief")}` : "",
  ];
  return joinFitting(
    parts.map((part) => textLine(part, "note")),
    width,
    SEPARATOR,
  );
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
      formatValue(row[fields.find((field) => row[field] !== undefined) ?? ""], meta, row, {
        ...clock,
        numbers: "brief",
      });
  const mint = cell(META.mint, "token_address");
  const symbol = cell(META.symbol, "token_symbol", "token_name");
  const token = (row: JsonObject) => withRole(symbol(row), "token");
  return [
    { head: "token", path: "token_symbol", cell: token, minWidth: MIN_SYMBOL, maxWidth: MAX_SYMBOL },
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
  const share = toDecimal(row[SHARE]);
  return share ? { text: formatPercent(share, "brief"), numeric: true } : MISSING;
}
