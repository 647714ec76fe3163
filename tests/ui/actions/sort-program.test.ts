/** The jq program of an order: jq, run on the rows of the answer, returns them in the order of the screen. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson, stringifyJson, toNumeric } from "../../../src/base/json.ts";
import type { FieldMeta, Kind } from "../../../src/catalogue/kinds.ts";
import { USDC, WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { executeJq } from "../../../src/output/jq/jq.ts";
import { sortProgram } from "../../../src/ui/actions/sort-program.ts";
import { sortOrder } from "../../../src/ui/widgets/list/rows.ts";

/** A column, and rows that have values in it. */
interface OrderCase {
  readonly meta: FieldMeta;
  readonly rows: readonly Json[];
  readonly isDescending: boolean;
}

const metaOf = (kind: Kind, more: Partial<FieldMeta> = {}): FieldMeta => ({ kind, description: "", ...more });

/** Few values are drawn often, so that rows are equal; the others are any. */
const oftenEqual = <T>(any: fc.Arbitrary<T>, ...few: readonly T[]) => fc.oneof(fc.constantFrom(...few), any);
const numeric = (text: fc.Arbitrary<string>) => text.map(toNumeric);
const baseUnits = oftenEqual(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  ...["0", "1500000", "1500000000", "9007199254740993", "9007199254740992", "18446744073709551615"],
);
const decimalText = oftenEqual(
  fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^\d{1,20}$/)).map((p) => p.join(".")),
  ...["0.1", "0.3", "0.30000000000000004", "1", "1.0", "9007199254740993", "-0.5"],
);
const time = fc.tuple(
  fc.date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
  fc.constantFrom("", ".0", ".000", ".5", ".123456", ".123457"),
);
const text = oftenEqual(fc.string({ unit: "binary" }), "usdc", "USDC", "Usdc", "\u{1f600}", "\uff5e", "Ä", "ä");

/** The columns by what they hold: their kind, and their values. */
const COLUMNS: Readonly<Record<string, readonly [FieldMeta, fc.Arbitrary<Json>]>> = {
  "amounts of tokens with several decimals": [
    metaOf("tokenAmount", { decimals: "token_decimals" }),
    fc.oneof(numeric(baseUnits), baseUnits),
  ],
  "amounts of tokens known by their mint": [metaOf("tokenAmount", { token: "token" }), numeric(baseUnits)],
  "amounts of one token": [metaOf("tokenAmount", { decimals: 9 }), numeric(baseUnits)],
  lamports: [metaOf("lamports"), numeric(baseUnits)],
  "values in US dollars": [metaOf("usd"), fc.oneof(numeric(decimalText), decimalText)],
  numbers: [metaOf("number"), numeric(fc.oneof(decimalText, fc.constantFrom("1e-19", "1E+25", "2e3")))],
  "numbers of unknown meaning": [metaOf("json"), numeric(decimalText)],
  times: [metaOf("unixTime"), numeric(fc.integer({ min: 0, max: 2 ** 31 }).map(String))],
  "times as text": [
    metaOf("isoTime"),
    time.map(([date, fraction]) => date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`)),
  ],
  text: [metaOf("text"), text],
  flags: [metaOf("boolean"), fc.boolean()],
};

const DECIMALS = fc.constantFrom<Json | undefined>(0, 2, 6, 9, 18, 255, "6", null, undefined);
const MINTS = fc.constantFrom<Json | undefined>(USDC, WRAPPED_SOL, "unknown", null, undefined);

function casesOf([meta, value]: readonly [FieldMeta, fc.Arbitrary<Json>]): fc.Arbitrary<OrderCase> {
  const present = fc.record({ "the value": value, token_decimals: DECIMALS, token: MINTS });
  const empty = fc.record({
    "the value": fc.constantFrom<Json | undefined>(null, "", undefined),
    token_decimals: DECIMALS,
  });
  const row = fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: empty });
  const rows = fc.array(row, { maxLength: 12 }).map((all) =>
    all.map((one, id): Json => {
      const fields = Object.entries({ ...one, id }).filter(([, field]) => field !== undefined);
      return Object.fromEntries(fields) as Json;
    }),
  );
  return fc.record({ meta: fc.constant(meta), rows, isDescending: fc.boolean() });
}

const sortOf = ({ meta, isDescending }: OrderCase) => ({ sources: [{ path: ["the value"], meta }], isDescending });

/** Runs the programs of cases in one engine, since it starts slowly. */
async function runPrograms(cases: readonly OrderCase[]): Promise<readonly (readonly number[])[]> {
  const programs = cases.map((one, at) => `(.[${at}] | ${sortProgram(one.rows, sortOf(one)) ?? "."} | map(.id))`);
  const input = stringifyJson(cases.map(({ rows }) => rows));
  const { stdout, stderr } = await executeJq(input, `[${programs.join(", ")}]`, undefined);
  expect(stderr).toBe("");
  return parseJson(stdout) as unknown as number[][];
}

function orderOf({ meta, rows, isDescending }: OrderCase): readonly number[] {
  const column = { key: "value", head: "", sources: [{ path: ["the value"], meta }] };
  return sortOrder(rows, column, isDescending);
}

describe("jq orders rows like the screen", () => {
  test.each(Object.entries(COLUMNS))("%s", async (_name, column) => {
    await fc.assert(
      fc.asyncProperty(fc.array(casesOf(column), { minLength: 1, maxLength: 25 }), async (cases) => {
        expect(await runPrograms(cases)).toEqual(cases.map(orderOf));
      }),
      { numRuns: 6 },
    );
  });

  test("amounts of tokens with other decimals are compared in whole units, equal ones in the order of the answer", async () => {
    const amounts: readonly (readonly [string, number])[] = [
      ["1500000", 6],
      ["2000000000000000000", 18],
      ["1500000000", 9],
      ["9007199254740993", 0],
      ["9007199254740992", 0],
    ];
    const rows = amounts.map(
      ([amount, decimals], id): Json => ({
        "the value": toNumeric(amount),
        token_decimals: decimals,
        id,
      }),
    );
    const meta = metaOf("tokenAmount", { decimals: "token_decimals" });
    const orders = await runPrograms([true, false].map((isDescending) => ({ meta, rows, isDescending })));
    expect(orders).toEqual([
      [3, 4, 1, 0, 2],
      [0, 2, 1, 4, 3],
    ]);
  });
});

test.each<[string, FieldMeta, readonly Json[]]>([
  ["nested values", metaOf("json"), [{ v: [1] }, { v: { a: 1 } }]],
  ["values of several types", metaOf("text"), [{ v: "a" }, { v: 1 }]],
  ["numbers in text that are none", metaOf("usd"), [{ v: "12" }, { v: "twelve" }]],
  ["amounts that are not whole", metaOf("tokenAmount", { decimals: "d" }), [{ v: toNumeric("1.5"), d: 6 }]],
])("there is no program for %s", (_name, meta, rows) => {
  expect(sortProgram(rows, { sources: [{ path: ["v"], meta }], isDescending: true })).toBeUndefined();
});
