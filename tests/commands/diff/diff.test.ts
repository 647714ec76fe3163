/** `solx diff` on simulated data, and the law of its fields. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../../src/base/json.ts";
import { UNKNOWN_SHAPE } from "../../../src/catalogue/index.ts";
import { deriveShape, f } from "../../../src/catalogue/schemas.ts";
import { compareFields } from "../../../src/commands/diff/differences.ts";
import { formatPath, parsePath, valueAt } from "../../../src/output/fields/paths.ts";
import { runInProcess } from "../../support/in-process.ts";

const diff = (...args: readonly string[]) => runInProcess(["diff", ...args, "--sandbox"]);

async function rowsOf(...args: readonly string[]): Promise<readonly JsonObject[]> {
  return (parseJson((await diff(...args, "-o", "json")).stdout) as readonly Json[]).filter(isObject);
}

describe("diff", () => {
  it("prints the fields of two tokens that differ, and exits 11", async () => {
    const { code, stderr } = await diff("jup", "bonk");
    expect([code, JSON.parse(stderr).errors.message]).toEqual([
      11,
      expect.stringMatching(/^\d+ of \d+ fields differ\.$/),
    ]);
    const rows = await rowsOf("jup", "bonk");
    expect(rows).toContainEqual({ field: "token.symbol", a: "JUP", b: "BONK", difference: null, change_pct: null });
    expect(rows.map(({ field }) => field)).not.toContain("account.type");
    expect((await rowsOf("jup", "bonk", "--equal")).map(({ field }) => field)).toContain("account.type");
  });

  it("does not subtract amounts of other units, and gives no share of a moment", async () => {
    const tokens = await rowsOf("jup", "bonk");
    expect(tokens.find(({ field }) => field === "token.supply")).toMatchObject({ difference: null, change_pct: null });
    const blocks = await rowsOf("385804411", "385804412");
    const slot = { field: "slot", a: 385804411, b: 385804412, difference: 1, change_pct: null };
    expect(blocks).toContainEqual(slot);
  });

  it("of one thing with itself prints no row, and exits 0", async () => {
    const { code, stdout, stderr } = await diff("jup", "jup");
    expect([code, parseJson(stdout), stderr]).toEqual([0, [], expect.stringMatching(/All \d+ fields are equal\./)]);
  });

  it("shows values in their units in tables", async () => {
    const { stdout } = await diff("jup", "bonk", "-o", "table");
    expect(stdout).toMatch(/^FIELD +JUP +BONK +CHANGE$/m);
    expect(stdout).toMatch(/^token\.price +\$0\.\d+ +\$0\.\d+ +[▲▼] +[\d.,]+%$/m);
  });

  it("refuses things of different kinds", async () => {
    const { code, stderr } = await diff("jup", "385804411");
    expect([code, JSON.parse(stderr).errors.message]).toEqual([
      2,
      "jup is an address, and 385804411 is a block: only two of one kind can be compared.",
    ]);
  });
});

describe("fields of two values", () => {
  it("compares items of lists by what identifies them, wherever they are", () => {
    const shape = deriveShape(
      z.object({ tokens: z.array(z.object({ mint: f.address("The mint"), amount: f.count("Its amount") })) }),
    );
    const one = { mint: "a", amount: 0 };
    const two = { mint: "b", amount: 1 };
    const three = { mint: "c", amount: 2 };
    const fields = compareFields(
      { tokens: [one, two] },
      { tokens: [{ ...two, amount: 5 }, one, three] } as Json,
      shape,
    );
    const differing = fields.filter(({ isEqual }) => !isEqual);
    expect(differing.map(({ path, sides }) => [formatPath(path), ...sides.map(({ value }) => value)])).toEqual([
      ["tokens.b.amount", 1, 5],
      ["tokens.c", undefined, three],
    ]);
  });

  const json = fc.jsonValue() as fc.Arbitrary<Json>;

  it("are those of the values, and equal exactly where the values are", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const fields = compareFields(a, b, UNKNOWN_SHAPE);
        for (const { path, sides } of fields) {
          if (path.length === 0) continue;
          const steps = parsePath(formatPath(path));
          const values = [a, b].map((value) => valueAt(value, steps));
          expect(sides.map(({ value }) => value)).toEqual(values);
        }
        const text = (value: Json) => stringifyJson(value, 0);
        if (text(a) === text(b)) expect(fields.every(({ isEqual }) => isEqual)).toBe(true);
        expect(compareFields(a, a, UNKNOWN_SHAPE).every(({ isEqual }) => isEqual)).toBe(true);
        const reversed = compareFields(b, a, UNKNOWN_SHAPE);
        const differing = (all: typeof fields) => all.filter(({ isEqual }) => !isEqual).length;
        expect(differing(reversed)).toBe(differing(fields));
      }),
    );
  });
});
