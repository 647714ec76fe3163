/** The transfers of an account: the list, a live feed with values, and their sums by counterparty. */
import { useMemo } from "react";
import {
  groupThousands,
  type Json,
  type JsonObject,
  objectsOf,
  parseDecimal,
  pluralize,
  scalarText,
  textOf,
  toNumber,
} from "../../../base/index.ts";
import { NATIVE_SOL, wrapSol } from "../../../catalogue/index.ts";
import { deriveShape, f, fieldMeta, Transfer } from "../../../catalogue/schemas.ts";
import { maxPageSize, valueAtPrice } from "../../../client/index.ts";
import {
  type Cell,
  createDerivedFieldReader,
  DERIVED_FIELDS,
  formatUsd,
  formatValue,
  MISSING,
  type Valuation,
} from "../../../output/index.ts";
import { type Resource, useAgeTime, useNameOf, useOptionalResource, useResource } from "../../data/hooks.ts";
import { paceText, useLive } from "../../data/live.ts";
import { useBindings, useExplorer, usePane, useViewState } from "../../navigation/context.ts";
import type { QueryState } from "../../navigation/data-store.ts";
import { bindAction } from "../../navigation/keys/bindings.ts";
import { shortId } from "../../navigation/route.ts";
import { joinFitting, span, type TextLine, textLine } from "../../navigation/theme/text-line.ts";
import { answerObject, clockForColumn, endpointAt, formatField, relativeClock } from "../../widgets/cells.ts";
import { barDrawing, filledColumns, type ShortTableColumn } from "../../widgets/table/layout.ts";
import type { RowIdentity } from "../../widgets/table/use-table.ts";
import { AnswerTable, HeadedList } from "../entity/panels.tsx";
import { TRANSFERS } from "../flow/transfers.ts";
import type { TabProps } from "../props.ts";
import { assetsOf } from "./holdings.tsx";
import { PORTFOLIO } from "./record.ts";

const TOTAL = endpointAt("/account/transfer/total");
/** The API does not count further. */
const MAX_TOTAL = 10_000_000;
/** The largest page: the list, the feed and the sums are of one request. */
const PAGE_SIZE = maxPageSize(TRANSFERS);

/** Returns the line with the number of transfers; undefined where the server does not count them. */
function totalLine({ answer, problem }: QueryState): TextLine | undefined {
  const total = answer && toNumber(answer.data);
  if (total === undefined) return answer || problem ? undefined : [span("counting transfers …", "note")];
  if (total === 0) return [span("no transfers in the last three weeks", "note")];
  const count = `${total >= MAX_TOTAL ? "at least " : ""}${groupThousands(total)}`;
  return [span(count), span(` ${total === 1 ? "transfer" : "transfers"} in the last three weeks`, "note")];
}

/** Shows transfers: in a pane as a feed, otherwise as a list. */
export function Transfers(props: TabProps) {
  return usePane().pane ? <TransferFeed {...props} /> : <TransferList {...props} />;
}

function TransferList({ id, region, part }: TabProps) {
  const { services } = useExplorer();
  // Counting a walk would read every transaction of the account.
  const isCounted = !services.source.supports(TRANSFERS).isWalk;
  const total = useResource(TOTAL, { address: id }, isCounted);
  const line = isCounted ? totalLine(total) : undefined;
  const request = transferRequest(id);
  return <HeadedList lines={line ? [line] : []} {...request} region={region} part={part} />;
}

const transferRequest = (address: string) => ({ endpoint: TRANSFERS, params: { address, page_size: PAGE_SIZE } });

/** The fields that are added to a transfer: who is at the other end, and today's value of the amount. */
const COUNTERPARTY = "counterparty";
const VALUE = DERIVED_FIELDS.value.name;
const COUNTERPARTY_META = fieldMeta(f.address("Counterparty") as never);

/** Values below are not worth their digits. */
const MIN_VALUE = 0.01;

function valueCell(value: Json | undefined): Cell {
  const number = toNumber(value);
  if (number === undefined) return MISSING;
  if (number !== 0 && number < MIN_VALUE) return { text: `<$${MIN_VALUE}`, numeric: true, role: "note" };
  const decimal = parseDecimal(number.toFixed(2));
  return decimal ? { text: formatUsd(decimal, "brief"), numeric: true } : MISSING;
}

const counterpartyCell = (row: JsonObject): Cell =>
  formatValue(row[COUNTERPARTY], COUNTERPARTY_META, row, { style: "iso", now: 0 });

const isOutgoing = (row: JsonObject, id: string) => row.flow === "out" || row.from_address === id;

const SHAPE = deriveShape(Transfer);
const FIELD_READER = createDerivedFieldReader(SHAPE);

/** Returns transfers with their counterparty and, where a price is known, their value. */
function valuedTransfers(
  rows: readonly Json[],
  id: string,
  prices: ReadonlyMap<string, Json | undefined>,
): readonly JsonObject[] {
  const valuation: Valuation = (mint, amount) => valueAtPrice(prices.get(priceKey(mint)), amount);
  return objectsOf(FIELD_READER.add(rows, ["value"], valuation)).map((row) => ({
    ...row,
    [COUNTERPARTY]: (isOutgoing(row, id) ? row.to_address : row.from_address) ?? null,
  }));
}

const priceKey = (mint: Json | undefined): string => wrapSol(mint === undefined ? NATIVE_SOL : String(mint));

/** Returns the prices that a portfolio has of its tokens, by mint. */
const portfolioPrices = (portfolio: JsonObject | undefined): ReadonlyMap<string, Json | undefined> =>
  new Map(assetsOf(portfolio).map(({ token_address: mint, token_price: price }) => [priceKey(mint), price]));

interface ValuedTransfers {
  readonly resource: Resource;
  readonly rows: readonly JsonObject[];
}

/** Requests the latest transfers; their values follow from the prices in the portfolio, which the page has. */
function useValuedTransfers(id: string): ValuedTransfers {
  const { endpoint, params } = transferRequest(id);
  const resource = useResource(endpoint, params);
  const portfolio = answerObject(useOptionalResource(PORTFOLIO, { address: id }));
  const { answer } = resource;
  const rows = useMemo(
    () => valuedTransfers(answer?.rows ?? [], id, portfolioPrices(portfolio)),
    [answer, id, portfolio],
  );
  return { resource, rows };
}

const FEED_IDENTITY: RowIdentity = {
  shape: SHAPE,
  idOf: (row) =>
    ["trans_id", "from_token_account", "to_token_account", "amount"].map((name) => scalarText(row[name])).join(),
};
/** From this width on, the feed has counterparties with their identifiers. */
const MIN_WHOLE_WIDTH = 80;
/** Maximum width of a token in the feed. */
const MAX_TOKEN = 8;
/** How often the feed is requested, if the quota allows it. */
const FEED_MS = 15_000;

function TransferFeed({ id, region, part }: TabProps) {
  const { services, data } = useExplorer();
  const { resource, rows } = useValuedTransfers(id);
  const [choice, setChoice] = useViewState<boolean | undefined>(`${part} live`, undefined);
  const requests = useMemo(() => [{ ...transferRequest(id), everyMs: FEED_MS }], [id]);
  const live = useLive(requests, choice);
  const isOn = live.status === "on" || live.status === "paused";
  useBindings("panel", [bindAction("list.auto", isOn ? "pause" : "live", () => setChoice(!isOn), { hint: 28 })]);
  const now = useAgeTime(resource.answer);
  const nameOf = useNameOf();
  // biome-ignore lint/correctness/useExhaustiveDependencies: names arrive later.
  const columns = useMemo((): readonly ShortTableColumn[] => {
    const clock = clockForColumn(
      rows.map((row) => row.block_time),
      { ...relativeClock(services), now },
    );
    const field = (name: string) => (row: JsonObject) =>
      formatField(Transfer, row, name, { ...clock, numbers: "brief" });
    // A name takes less space than an identifier with its steps.
    const token = ({ token_address: mint }: JsonObject): Cell => {
      const id = textOf(mint);
      return id === undefined ? MISSING : { text: data.nameOf(id) ?? shortId(id), role: "token" };
    };
    const shortCounterparty = ({ [COUNTERPARTY]: other }: JsonObject): Cell => {
      const address = textOf(other);
      return address ? { text: data.nameOf(address) ?? shortId(address), elastic: true } : MISSING;
    };
    const amount = (row: JsonObject): Cell => {
      const cell = field("amount")(row);
      const isOut = isOutgoing(row, id);
      return cell === MISSING
        ? cell
        : { ...cell, text: `${isOut ? "-" : "+"}${cell.text}`, role: isOut ? "bad" : "good" };
    };
    return filledColumns(
      [
        { head: "time", path: "block_time", cell: field("block_time") },
        { head: "amount", path: "amount", cell: amount },
        { head: "token", path: "token_address", cell: token, maxWidth: MAX_TOKEN },
        { head: "value", path: VALUE, cell: (row) => valueCell(row[VALUE]) },
        region.width < MIN_WHOLE_WIDTH
          ? { head: "counterparty", path: COUNTERPARTY, cell: shortCounterparty, minWidth: 8 }
          : { head: "counterparty", path: COUNTERPARTY, cell: counterpartyCell },
      ],
      rows,
    );
  }, [rows, services, data, nameOf, now, id, region.width]);
  return (
    <AnswerTable
      source={{ resource, rows, columns, identity: FEED_IDENTITY, empty: "No transfers." }}
      link={{ field: "trans_id", kind: "signature" }}
      region={region}
      part={`${part} feed`}
      top={() => (isOn ? [[span(services.unicode ? "● " : "* ", "good"), span(paceText(live), "note")]] : [])}
    />
  );
}

/** The sums of the transfers with one counterparty. */
const FIELDS = { inflow: "value_in", outflow: "value_out", count: "transfers", last: "block_time" } as const;

/** Returns the sums by counterparty, those of the largest flow first. */
function counterpartyRows(transfers: readonly JsonObject[], id: string): readonly JsonObject[] {
  const byAddress = new Map<string, JsonObject>();
  for (const row of transfers) {
    const address = textOf(row[COUNTERPARTY]);
    // Burns have no other end, and transfers between own token accounts move nothing.
    if (address === undefined || address === "" || address === id) continue;
    const before = byAddress.get(address) ?? { [COUNTERPARTY]: address, block_time: row.block_time ?? null };
    const side = isOutgoing(row, id) ? FIELDS.outflow : FIELDS.inflow;
    const value = toNumber(row[VALUE]);
    byAddress.set(address, {
      ...before,
      [FIELDS.count]: (toNumber(before[FIELDS.count]) ?? 0) + 1,
      ...(value !== undefined && { [side]: (toNumber(before[side]) ?? 0) + value }),
    });
  }
  return [...byAddress.values()].toSorted((a, b) => flowOf(b) - flowOf(a) || countOf(b) - countOf(a));
}

const flowOf = (row: JsonObject) => (toNumber(row[FIELDS.inflow]) ?? 0) + (toNumber(row[FIELDS.outflow]) ?? 0);
const countOf = (row: JsonObject) => toNumber(row[FIELDS.count]) ?? 0;

const COUNTERPARTY_IDENTITY: RowIdentity = {
  shape: deriveShape(
    Transfer.extend({
      [COUNTERPARTY]: f.address("Counterparty"),
      [FIELDS.inflow]: f.usd("Value received"),
      [FIELDS.outflow]: f.usd("Value sent"),
      [FIELDS.count]: f.count("Transfers"),
    }),
  ),
  idOf: (row) => textOf(row[COUNTERPARTY]),
};
const BAR_WIDTH = 10;

/** Shows whom an account received from and sent to, by the latest transfers. */
export function Counterparties({ id, region, part }: TabProps) {
  const { services } = useExplorer();
  const { resource, rows: transfers } = useValuedTransfers(id);
  const rows = useMemo(() => counterpartyRows(transfers, id), [transfers, id]);
  const columns = useMemo((): readonly ShortTableColumn[] => {
    const clock = clockForColumn(
      rows.map((row) => row.block_time),
      relativeClock(services),
    );
    const value = (head: string, path: string): ShortTableColumn => ({
      head,
      path,
      cell: (row) => valueCell(row[path]),
    });
    return filledColumns(
      [
        { head: "counterparty", path: COUNTERPARTY, cell: counterpartyCell },
        value("in", FIELDS.inflow),
        value("out", FIELDS.outflow),
        {
          head: "",
          path: COUNTERPARTY,
          cell: () => MISSING,
          drawing: barDrawing(flowOf, BAR_WIDTH, services.unicode),
        },
        { head: "transfers", path: FIELDS.count, cell: (row) => ({ text: String(countOf(row)), numeric: true }) },
        {
          head: "last",
          path: FIELDS.last,
          cell: (row) => formatField(Transfer, row, "block_time", clock),
          minWidth: 8,
        },
      ],
      rows,
    );
  }, [rows, services]);
  const scope = joinFitting(
    [
      textLine(
        `${pluralize(rows.length, "counterparty", "counterparties")} of the latest ${pluralize(transfers.length, "transfer")}`,
        "note",
      ),
      textLine("at today's prices", "note"),
    ],
    region.width,
    span(", ", "note"),
  );
  return (
    <AnswerTable
      source={{ resource, rows, columns, identity: COUNTERPARTY_IDENTITY, empty: "No transfers with others." }}
      link={{ field: COUNTERPARTY, kind: "address" }}
      region={region}
      part={part}
      top={() => [scope]}
    />
  );
}
