import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/base/json.ts";
import { textWidth } from "../../../src/output/text/width.ts";
import { groupDigits } from "../../../src/output/values/number.ts";
import { DEFAULT_KEY_LABELS } from "../../../src/ui/navigation/keys/bindings.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import { clockForColumn, titleLine } from "../../../src/ui/widgets/cells.ts";
import { selectVisibleRows } from "../../../src/ui/widgets/list/rows.ts";
import { layOutTable } from "../../../src/ui/widgets/table/layout.ts";
import { rowTexts } from "../../../src/ui/widgets/table/use-table.ts";
import { filterLine } from "../../../src/ui/widgets/text-input.ts";

const ID = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

describe("a short table", () => {
  const columns = [
    {
      head: "name",
      path: "name",
      cell: ({ name }: { readonly name?: unknown }) => ({ text: String(name), elastic: true as const }),
    },
    { head: "amount", path: "amount", cell: () => ({ text: "~$1,234,567.89", numeric: true as const }) },
    { head: "mint", path: "mint", cell: () => ({ text: ID, ids: [ID] }) },
  ];

  it("never exceeds its width", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 60 }), { minLength: 1 }),
        fc.integer({ min: 4, max: 150 }),
        (names, width) => {
          const safe = names.map((name) => ({ name: name.replace(/[^ -~]/g, "x") }));
          const { head, rows } = layOutTable(safe, columns, width);
          for (const line of [head, ...rows]) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it("shows whole identifiers when they fit, otherwise both ends, and abbreviates large numbers", () => {
    const text = (width: number) =>
      layOutTable([{ name: "USDC" }], columns, width)
        .rows[0]?.map((one) => one.text)
        .join("") ?? "";
    expect(text(100)).toContain(ID);
    expect(text(40)).toContain("EPjF…Dt1v");
    expect(text(26)).toContain("$1.235M");
  });
});

describe("an optional column", () => {
  const amount = { head: "market cap", path: "cap", cell: () => ({ text: "$7.5B", numeric: true as const }) };
  const name = {
    head: "name",
    path: "name",
    cell: () => ({ text: "Some long name", elastic: true as const }),
    minWidth: 12,
  };
  const heads = (width: number) => layOutTable([{}], [amount, name], width).head.map((one) => one.text.trim());

  it("is left out before headings are cut", () => {
    expect(heads(24)).toEqual(["market cap", "", "name"]);
    expect(heads(23)).toEqual(["market cap"]);
  });
});

describe("numbers of a short table", () => {
  const column = { head: "n", path: "n", cell: ({ n }: JsonObject) => ({ text: String(n), numeric: true as const }) };
  const name = { head: "name", path: "name", cell: () => ({ text: "a name", elastic: true as const }), maxWidth: 4 };
  const texts = (width: number, ...numbers: readonly string[]) =>
    layOutTable(
      numbers.map((n) => ({ n })),
      [column, name],
      width,
    ).rows.map((line) => line[0]?.text.trim());

  it("are all exact or all abbreviated", () => {
    expect(texts(40, "415,675.1", "98,795.721331201", "5.33")).toEqual(["415,675.1", "98,795.721331201", "5.33"]);
    expect(texts(20, "415,675.1", "98,795.721331201", "5.33")).toEqual(["415.7K", "98.80K", "5.33"]);
  });

  it("leave the rest of the width when the column is limited", () => {
    expect(lineWidth(layOutTable([{ n: "1" }], [column, name], 40).head)).toBe(7);
  });

  it("are rounded, and not cut", () => {
    expect(texts(16, "$0.000005886")).toEqual(["$0.000005886"]);
    expect(texts(16, "1.999999999 SOL")).toEqual(["2.000 SOL"]);
  });

  it("never exceed the width of the table", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 1, max: 24 }), (digits, width) => {
        const n = `$${groupDigits({ negative: false, digits, scale: 9 })}`;
        const [line = []] = layOutTable([{ n }], [column], width).rows;
        expect(lineWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("the times of a column", () => {
  const now = Date.UTC(2024, 6, 5);
  const clock = { style: "relative", now } as const;
  const DAY = 86_400;

  it("are all ages or all dates", () => {
    const seconds = now / 1000;
    expect(clockForColumn([seconds, seconds - DAY, undefined], clock)).toBe(clock);
    expect(clockForColumn([seconds - 90 * DAY, seconds - 60 * DAY], clock)).toBe(clock);
    expect(clockForColumn([seconds, seconds - 60 * DAY], clock).style).toBe("iso");
  });
});

describe("a title", () => {
  const name = [{ text: "A name that takes much more space than the line has" }];
  const text = (width: number) =>
    titleLine(name, ID, width)
      .map((one) => one.text)
      .join("");

  it("contains the whole identifier and cuts the name", () => {
    expect(text(80).endsWith(ID)).toBe(true);
    expect(textWidth(text(80))).toBeLessThanOrEqual(80);
  });

  it("shortens the identifier in a narrow line", () => {
    expect(text(50).endsWith("EPjF…Dt1v")).toBe(true);
    expect(textWidth(text(50))).toBeLessThanOrEqual(50);
  });
});

describe("the filter of a short table", () => {
  const rows = [
    { name: "USDC", mint: "EPjF" },
    { name: "Bonk", mint: "DezX" },
  ];
  const columns = [{ head: "name", path: "name", cell: ({ name }: JsonObject) => ({ text: String(name) }) }];
  const filtered = (filter: string) =>
    selectVisibleRows({ rows, keys: ["a", "b"], columns: [] }, { filter, cellFilters: [], sort: undefined }, () =>
      rowTexts(rows, columns),
    );
  const names = (text: string) => filtered(text).rows.map(({ name }) => name);

  it("matches formatted and raw values in any case, but no field names", () => {
    expect(names("usd")).toEqual(["USDC"]);
    expect(names("dezx")).toEqual(["Bonk"]);
    expect(names("mint")).toEqual([]);
    expect(names("")).toEqual(["USDC", "Bonk"]);
  });

  it("shows the number of matches and escapes its text", () => {
    const text = "\u001B[2J";
    const line = filterLine({ text, isOpen: false }, { problem: undefined, ...filtered(text) }, 2, DEFAULT_KEY_LABELS);
    expect(line?.map((one) => one.text).join("")).toContain("0 of 2 · Esc clear");
    expect(line?.map((one) => one.text).join("")).not.toContain("\u001B");
  });
});
