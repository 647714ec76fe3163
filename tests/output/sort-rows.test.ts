/** `--sort-by`: a stable, total order with exact numbers, and its bound. */
import { expect, it } from "vitest";
import { type Json, parseJson } from "../../src/base/json.ts";
import { Transfer } from "../../src/catalogue/entities/index.ts";
import { type ContentSchema, parseSortFields, write } from "../../src/output/index.ts";
import { pages, rows, written } from "./helpers.ts";

const sorted = async (list: readonly Json[], by: string, view: ContentSchema = {}) =>
  JSON.parse((await written(rows(list, 2), { sortBy: parseSortFields(by) }, view)).text);

it("compares numbers beyond 2^53 by all digits, and has empty values last in both directions", async () => {
  const list = parseJson('[{"n":null},{"n":9007199254740993},{"n":9007199254740992},{},{"n":-1}]') as readonly Json[];
  const text = async (by: string) =>
    (await written(rows(list), { format: "ndjson", sortBy: parseSortFields(by) })).text;
  expect(await text("n")).toBe('{"n":-1}\n{"n":9007199254740992}\n{"n":9007199254740993}\n{"n":null}\n{}\n');
  expect(await text("n:desc")).toBe('{"n":9007199254740993}\n{"n":9007199254740992}\n{"n":-1}\n{"n":null}\n{}\n');
});

it("is stable, by one field or several", async () => {
  const list = [
    { a: 2, b: "x" },
    { a: 1, b: "y" },
    { a: 2, b: "w" },
    { a: 1, b: "z" },
  ];
  expect((await sorted(list, "a")).map(({ b }: { b: string }) => b)).toEqual(["y", "z", "x", "w"]);
  expect((await sorted(list, "a:desc,b")).map(({ b }: { b: string }) => b)).toEqual(["w", "x", "y", "z"]);
});

it("compares token amounts in whole units", async () => {
  const list = [
    { amount: 5_000_000, token_decimals: 6 },
    { amount: 4_000_000_000, token_decimals: 9 },
  ];
  const amounts = (await sorted(list, "amount", { entity: Transfer })).map(({ amount }: { amount: number }) => amount);
  expect(amounts).toEqual([4_000_000_000, 5_000_000]);
});

it("prints what it sorted of a longer list, and fails as incomplete", async () => {
  const page = (start: number) => Array.from({ length: 60_000 }, (_, at) => ({ n: start - at }));
  const chunks: string[] = [];
  const sink = { write: async (chunk: string | Uint8Array) => void chunks.push(String(chunk)) };
  const content = { kind: "rows", pages: pages(page(0), page(1)) } as const;
  const options = { format: "ndjson", width: 80, isTerminal: false, now: 0, sortBy: parseSortFields("n") } as const;
  await expect(write(content, {}, options, sink)).rejects.toMatchObject({ exitCode: 10, code: "TOO_MANY_ROWS" });
  const lines = chunks.join("").trim().split("\n");
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([60_000, '{"n":-59999}', '{"n":0}']);
});
