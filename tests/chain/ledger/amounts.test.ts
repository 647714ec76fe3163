/** Amounts up to 2^64 − 1 in SQLite: order, comparison, sums and differences are exact. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/base/sqlite.ts";
import { addRange, asText, WhereClause } from "../../../src/chain/ledger/queries/sql.ts";
import {
  addAmountFunctions,
  amountDistance,
  storedAmount,
  subtractAmounts,
  sumAmounts,
} from "../../../src/chain/ledger/store/amounts.ts";

const EDGES = [0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 10n ** 19n - 1n, 10n ** 19n, 2n ** 64n - 1n];
const amount = fc.oneof(fc.constantFrom(...EDGES), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));

const db = openDatabase(":memory:");
addAmountFunctions(db);
db.exec(
  "CREATE TABLE amounts (n INTEGER PRIMARY KEY, amount ANY NOT NULL) STRICT; CREATE INDEX by_amount ON amounts (amount)",
);
afterAll(() => db.close());

const insert = db.prepare("INSERT INTO amounts VALUES (?, ?)");

/** Stores amounts and reads values. */
function withAmounts<T>(
  amounts: readonly bigint[],
  read: (all: (sql: string, ...values: never[]) => bigint[]) => T,
): T {
  db.exec("DELETE FROM amounts");
  amounts.forEach((each, n) => {
    insert.run(n, storedAmount(each));
  });
  const all = (sql: string, ...values: never[]) =>
    db
      .prepare(sql)
      .all(...values)
      .flatMap(({ value }) => (value === null ? [] : [BigInt(String(value))]));
  return read(all);
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
const amounts = fc.array(amount, { maxLength: 20 });

describe("amounts in SQLite", () => {
  test("are read with all digits and in their order", () => {
    fc.assert(
      fc.property(amounts, (list) => {
        const sorted = withAmounts(list, (all) =>
          all(`SELECT ${asText("amount")} AS value FROM amounts ORDER BY amount`),
        );
        expect(sorted).toEqual(list.toSorted(compare));
      }),
    );
  });

  test("are filtered by ranges of any decimal numbers", () => {
    fc.assert(
      fc.property(amounts, amount, fc.bigInt({ min: 0n, max: 2n ** 66n }), (list, minimum, maximum) => {
        const where = addRange(new WhereClause(), "amount", [String(minimum), String(maximum)]);
        const sql = `SELECT ${asText("amount")} AS value FROM amounts ${where.sql} ORDER BY n`;
        const matching = withAmounts(list, (all) => all(sql, ...(where.values as never[])));
        expect(matching).toEqual(list.filter((each) => each >= minimum && each <= maximum));
      }),
    );
  });

  test("add up and differ exactly", () => {
    fc.assert(
      fc.property(amounts, amount, (list, other) => {
        const value = String(storedAmount(other));
        const literal = typeof storedAmount(other) === "string" ? `'${value}'` : value;
        withAmounts(list, (all) => {
          expect(all(`SELECT ${asText(sumAmounts("amount"))} AS value FROM amounts`)).toEqual(
            list.length === 0 ? [] : [list.reduce((sum, each) => sum + each, 0n)],
          );
          expect(all(`SELECT ${asText(subtractAmounts("amount", literal))} AS value FROM amounts ORDER BY n`)).toEqual(
            list.map((each) => each - other),
          );
          expect(all(`SELECT ${asText(amountDistance("amount", literal))} AS value FROM amounts ORDER BY n`)).toEqual(
            list.map((each) => (each > other ? each - other : other - each)),
          );
        });
      }),
    );
  });
});
