import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/base/json.ts";
import type { Column } from "../../../../src/catalogue/index.ts";
import { UNKNOWN_SHAPE } from "../../../../src/catalogue/index.ts";
import { createNames, fitCell } from "../../../../src/output/index.ts";
import { measureColumns } from "../../../../src/ui/widgets/list/column-layout.ts";
import {
  allColumns,
  apiSortKey,
  type ColumnSource,
  listColumns,
  tradeSidesFirst,
} from "../../../../src/ui/widgets/list/columns.ts";
import { selectVisibleRows } from "../../../../src/ui/widgets/list/rows.ts";
import { buildTable, type CellTable, searchTexts } from "../../../../src/ui/widgets/list/table.ts";
import {
  CLOCK,
  columnsFor,
  freeTable,
  OTHER,
  route,
  TRANSFERS,
  transfer,
  transferTable,
  USDC,
  WALLET,
} from "./samples.ts";

/** Another address with the same first and last characters. */
const TWIN = `${WALLET.slice(0, 4)}6tsEbD7S8EmxGTJYAKtTVhAW5Q5fKrFoepg${WALLET.slice(-4)}`;

/** Returns the cells of all rows. */
const rowsOf = ({ rows, cellsOf }: CellTable) => rows.map((_row, at) => cellsOf(at));

/** Returns a table of transfers with the names in an answer. */
function namedTable(rows: readonly Json[], answer: Json): CellTable {
  const names = createNames();
  names.learn(answer);
  return buildTable(rows, columnsFor(TRANSFERS, rows), TRANSFERS.identity, CLOCK, names.of);
}

describe("the columns of trades", () => {
  const { columns } = route("v2-token-defi-activities");
  const heads = (width: number) =>
    tradeSidesFirst(columns, width).map((one) => (typeof one === "string" ? one : one.path));

  it("start with both sides of the trade in a narrow region", () => {
    expect(heads(80).slice(0, 5)).toEqual([
      "block_time",
      ...heads(200).filter((path) => /[12]$/.test(path.split("|")[0] ?? "")),
    ]);
    expect([heads(200)[1], heads(60)[1]]).toEqual(["activity_type", "activity_type"]);
    expect([...heads(80)].sort()).toEqual([...heads(200)].sort());
    expect(tradeSidesFirst(route("v2-account-transfer").columns, 80)).toBe(route("v2-account-transfer").columns);
  });
});

describe("rows as cells", () => {
  it("are identified by the identity of the endpoint; duplicates are numbered", () => {
    const rows = [transfer(), transfer(), transfer({ amount: 2 })];
    const [a, b, c] = buildTable(rows, columnsFor(TRANSFERS, rows), ["trans_id", "amount"], CLOCK).keys;
    expect(b).toBe(`${a}#2`);
    expect(c).not.toBe(a);
  });

  it("mark lookalike identifiers and show more of both", () => {
    const { lookalikes, shorten } = transferTable([transfer(), transfer({ from_address: TWIN })]);
    expect(lookalikes).toEqual(new Set([WALLET, TWIN]));
    expect(shorten(TWIN)).not.toBe(shorten(WALLET));
    expect(transferTable([transfer()]).lookalikes.size).toBe(0);
    expect(transferTable([transfer()]).shorten(OTHER)).toBe("2iXU…LSZd");
  });

  it("have names before known identifiers, which a filter finds", () => {
    const rows = [transfer(), transfer({ token_address: OTHER })];
    const table = namedTable(rows, [{ account_address: WALLET, account_label: "Market Maker of the North" }]);
    const at = table.columns.findIndex(({ key }) => key === "to_address");
    expect(rowsOf(table).map((row) => [row[at]?.names?.[0]?.text, row[at]?.text])).toEqual([
      ["Market Maker of the North", WALLET],
      ["Market Maker of the North", WALLET],
    ]);
    const demand = measureColumns(table).demands[at];
    expect([demand?.minimum, demand?.names, demand?.short]).toEqual([16, 25, 25 + " 5Q54…e4j1".length]);
    expect(
      selectVisibleRows(table, { filter: "market maker", cellFilters: [], sort: undefined }, () =>
        searchTexts(table, CLOCK),
      ).matches,
    ).toEqual([0, 1]);
  });

  it("mark a famous symbol before another mint, which stays beside it", () => {
    const rows = [transfer(), transfer({ token_address: OTHER })];
    const table = namedTable(rows, [{ address: OTHER, symbol: "USDC" }]);
    const at = table.columns.findIndex(({ key }) => key === "token_address");
    const cells = rowsOf(table).map((row) => row[at] ?? { text: "" });
    expect(cells.map(({ warning }) => warning)).toEqual([undefined, '"USDC" belongs to another token']);
    const drawn = (width: number) => cells.map((cell) => fitCell(cell, width, table.shorten));
    expect(drawn(16)).toEqual(["USDC", "⚠ USDC 2iXU…LSZd"]);
    expect(drawn(10)).toEqual(["USDC", "⚠ USDC 2i…"]);
    expect(drawn(4)).toEqual(["USDC", "⚠ U…"]);
  });

  it("do not repeat a name that another cell shows", () => {
    const row = { symbol: "usdc", address: USDC, owner: WALLET };
    const columns = columnsFor(route("v2-token-list"), [row], ["symbol", "address", "owner"]);
    const names = createNames();
    names.learn({ account_address: WALLET, account_label: "Whale" });
    const table = buildTable([row], columns, undefined, CLOCK, names.of);
    expect(table.cellsOf(0).map((cell) => cell.names?.[0]?.text)).toEqual([undefined, undefined, "Whale"]);
  });

  it("describe the errors of failed transactions", () => {
    const rows = [{ InstructionError: [1, { Custom: 1 }] }, null].map((err) => ({ meta: { err } }));
    const table = buildTable(rows, columnsFor(route("transaction-last"), rows, ["meta.err"]), undefined, CLOCK);
    expect(rowsOf(table).map(([cell]) => cell?.text)).toEqual(["Instruction 2 failed: custom error 1", "-"]);
  });

  it("show scalars as one column, and scalars among objects as a field", () => {
    const endpoint = route("v2-account-transfer");
    const plain = buildTable(["a", 7], columnsFor(endpoint, ["a", 7]), undefined, CLOCK);
    expect(plain.columns.map(({ head }) => head)).toEqual(["value"]);
    expect(rowsOf(plain).map(([cell]) => cell?.text)).toEqual(["a", "7"]);
    expect(rowsOf(freeTable([{ value: 1 }, "b"])).map(([cell]) => cell?.text)).toEqual(["1", "b"]);
  });

  it("use the first path with a value", () => {
    const table = buildTable(
      [{ b: 2 }, { a: 1 }],
      columnsFor(route("v2-account-transfer"), [{}], ["a|b"]),
      undefined,
      CLOCK,
    );
    expect(rowsOf(table).map(([cell]) => cell?.text)).toEqual(["2", "1"]);
  });
});

describe("columns", () => {
  const pathOf = (column: Column) => (typeof column === "string" ? column : column.path);
  const endpoint = route("v2-token-markets");
  const source = { endpoint, shape: UNKNOWN_SHAPE, rows: [{ pool_id: "x", odd: 1, "a.b": 2 }] };

  it("are those of the catalogue unless the user chose others, with the headings of the catalogue", () => {
    expect(listColumns(source).map(({ key }) => key)).toEqual(endpoint.columns.map(pathOf));
    const nft = { ...source, endpoint: route("v2-nft-collection-items") };
    const [first] = listColumns({ ...nft, chosenKeys: ["info.token_name"] });
    expect(first?.head).toBe("name");
  });

  it("omit the subject of the list unless the user chose it", () => {
    const accounts = { endpoint: route("v2-account-token-accounts"), shape: UNKNOWN_SHAPE, subjectId: WALLET };
    const row = { token_address: USDC, token_account: OTHER, owner: WALLET };
    const heads = (more: Partial<ColumnSource>, rows: readonly Json[] = [row]) =>
      listColumns({ ...accounts, rows, ...more }).map(({ head }) => head);
    expect(heads({})).not.toContain("owner");
    expect(heads({ subjectId: OTHER })).toContain("owner");
    expect(heads({}, [row, { ...row, owner: OTHER }])).toContain("owner");
    expect(heads({ chosenKeys: ["owner", "amount"] })).toEqual(["owner", "amount"]);
    expect(allColumns({ ...accounts, rows: [row] }).map(({ head }) => head)).toContain("owner");
    const rows = [{ from_address: WALLET, to_address: OTHER }];
    expect(listColumns({ endpoint: TRANSFERS, shape: UNKNOWN_SHAPE, subjectId: WALLET, rows }).length).toBe(
      TRANSFERS.columns.length,
    );
  });

  it("can be selected among those of the list and all fields, special names included", () => {
    const all = allColumns(source);
    expect(all.slice(0, endpoint.columns.length).map(({ key }) => key)).toEqual(endpoint.columns.map(pathOf));
    expect(all.map(({ head }) => head)).toContain("odd");
    const odd = all.find(({ head }) => head === "a.b");
    expect(odd && listColumns({ ...source, chosenKeys: [odd.key] })[0]?.sources[0]?.path).toEqual(["a.b"]);
  });

  it("have a sort key of the API by name, or by their words when these are unambiguous", () => {
    const keyOf = (name: string, path: string) => {
      const columns = columnsFor(route(name));
      const column = columns.find(({ key }) => key === path);
      return column && apiSortKey(route(name), column, columns);
    };
    expect(keyOf("v2-account-transfer", "block_time")).toBe("block_time");
    expect(keyOf("v2-account-transfer", "amount")).toBeUndefined();
    expect(keyOf("v2-token-markets", "total_tvl")).toBe("tvl");
    expect(keyOf("v2-token-markets", "total_trades_24h")).toBe("trade");
    expect(keyOf("v2-token-markets", "num_trader_24h")).toBe("trader");
    expect(keyOf("v2-token-markets", "pool_id")).toBeUndefined();
    expect(keyOf("v2-token-list", "market_cap")).toBe("market_cap");
  });
});
