/** Counts in sentences. */
import { expect, test } from "vitest";
import { groupThousands, pluralize } from "../../src/base/index.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [-1234567, "-1,234,567"],
  ["1234567.8901", "1,234,567.8901"],
  [18446744073709551615n, "18,446,744,073,709,551,615"],
  [Number.NaN, "NaN"],
])("groups the digits of %s", (number, expected) => {
  expect(groupThousands(number)).toBe(expected);
});

test("adds the noun in its number", () => {
  expect([0, 1, 2000].map((count) => pluralize(count, "row"))).toEqual(["0 rows", "1 row", "2,000 rows"]);
  expect(pluralize(2, "entry", "entries")).toBe("2 entries");
});
