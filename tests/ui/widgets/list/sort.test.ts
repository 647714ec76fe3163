import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, toNumeric } from "../../../../src/base/json.ts";
import { compareKeys, toSortKey } from "../../../../src/output/index.ts";
import { sortOrder } from "../../../../src/ui/widgets/list/rows.ts";
import { freeTable, transfer, transferTable } from "./samples.ts";

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, "", true, false, toNumeric("18446744073709551615"), toNumeric("1e-19"), toNumeric("-0")),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.bigInt().map((number) => toNumeric(String(number))),
  fc.string(),
  fc.array(fc.integer(), { maxLength: 2 }),
);

const keyOf = (one: Json) => toSortKey({ value: one, meta: undefined, parent: undefined });

function sorted(values: readonly Json[], isDescending: boolean): readonly Json[] {
  const table = freeTable(values.map((one) => ({ a: one })));
  const column = table.columns[0];
  if (!column) throw new Error("no column");
  return sortOrder(table.rows, column, isDescending).map((index) => values[index] ?? null);
}

describe("the order of values", () => {
  it("is total, and sorting agrees with it", () => {
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const [x, y, z] = [keyOf(a), keyOf(b), keyOf(c)];
        if (!x || !y || !z) return;
        expect(Math.sign(compareKeys(x, y))).toBe(-Math.sign(compareKeys(y, x)) + 0);
        if (compareKeys(x, y) <= 0 && compareKeys(y, z) <= 0) expect(compareKeys(x, z)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("keeps every row, puts empty values last in both directions, and is stable", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), fc.boolean(), (values, isDescending) => {
        const table = freeTable(values.map((one) => ({ a: one })));
        const column = table.columns[0];
        if (!column) return;
        const order = sortOrder(table.rows, column, isDescending);
        expect([...order].sort((a, b) => a - b)).toEqual(values.map((_one, index) => index));
        for (const [at, index] of order.slice(1).entries()) {
          const before = order[at] ?? 0;
          const [a, b] = [keyOf(values[before] ?? null), keyOf(values[index] ?? null)];
          if (!b) continue;
          expect(a).toBeDefined();
          const sign = a ? (isDescending ? -1 : 1) * compareKeys(a, b) : 0;
          expect(sign < 0 || (sign === 0 && before < index)).toBe(true);
        }
      }),
    );
  });

  it("compares digits, not doubles", () => {
    const numbers = ["9007199254740993", "9007199254740992", "18446744073709551615", "18446744073709551614", "1e-19"];
    expect(sorted(numbers.map(toNumeric), false)).toEqual(
      ["1e-19", "9007199254740992", "9007199254740993", "18446744073709551614", "18446744073709551615"].map(toNumeric),
    );
  });

  it("puts numbers before text, text before booleans, and empty values last", () => {
    expect(sorted(["b", null, 2, true, "A", 1], false)).toEqual([1, 2, "A", "b", true, null]);
    expect(sorted(["b", null, 2, true, "A", 1], true)).toEqual([true, "b", "A", 2, 1, null]);
  });

  it("compares token amounts in whole units, whatever their decimals", () => {
    const rows = [
      transfer({ amount: 5_000_000, token_decimals: 6 }),
      transfer({ amount: toNumeric("2000000000000000000"), token_decimals: 18 }),
      transfer({ amount: 900, token_decimals: 0 }),
    ];
    const table = transferTable(rows, ["amount"]);
    const column = table.columns[0];
    expect(column && sortOrder(table.rows, column, true)).toEqual([2, 0, 1]);
  });
});
