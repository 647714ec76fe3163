/** `--with` adds exact amounts and values to rows, and fields that rows do not have are refused before a request. */
import { parse as parseCsv } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject, numericText, parseJson, type RawNumber } from "../../src/base/json.ts";
import { runInProcess } from "../support/in-process.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const TRANSFERS = ["account", "transfer", WALLET];
const solx = (...args: readonly string[]) => runInProcess([...args, "--sandbox"]);

async function rowsOf(...args: readonly string[]): Promise<readonly JsonObject[]> {
  const { code, stdout, stderr } = await solx(...args);
  if (code !== 0) throw new Error(stderr);
  return (parseJson(stdout) as readonly Json[]).filter(isObject);
}

const digits = (row: JsonObject | undefined, field: string) => numericText(row?.[field] as RawNumber | number);

/** Returns base units divided by 10^decimals, as text. */
function shift(units: string, decimals: number): string {
  const padded = units.padStart(decimals + 1, "0");
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`.replace(/\.?0+$/, "");
}

describe("--with", () => {
  it("adds whole units and values in US dollars with every digit", async () => {
    const rows = await rowsOf(...TRANSFERS, "--limit", "20", "--with", "value,amount_ui");
    expect(rows).toHaveLength(20);
    for (const row of rows) {
      expect(digits(row, "amount_ui")).toBe(shift(digits(row, "amount"), Number(row.token_decimals)));
    }
    const priced = rows.find(({ value_usd: value }) => value !== null);
    const [latest] = await rowsOf("token", "price-latest", String(priced?.token_address));
    const product = Number(digits(latest, "price")) * Number(digits(priced, "amount_ui"));
    expect(Number(digits(priced, "value_usd"))).toBeCloseTo(product, 6);
  });

  it("adds columns to tables and CSV, which can be selected and sorted by", async () => {
    const args = [...TRANSFERS, "--limit", "20", "--with", "amount_ui", "--sort-by", "-amount_ui"];
    const { stdout } = await solx(...args, "--fields", "amount_ui,amount", "-o", "csv");
    const amounts = parseCsv(stdout, { columns: true }).map((row) => Number((row as { amount_ui: string }).amount_ui));
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    expect((await solx(...args, "-o", "wide")).stdout.split("\n")[0]).toMatch(/AMOUNT UI$/);
  });

  it("takes the value that the API sends", async () => {
    const rows = await rowsOf("account", "defi-activities", WALLET, "--with", "value");
    expect(rows.map((row) => row.value_usd)).toEqual(rows.map((row) => row.value));
  });

  it("is refused for other words, and for answers without amounts", async () => {
    expect((await solx(...TRANSFERS, "--with", "price")).stderr).toContain('invalid value \\"price\\" for --with');
    const { code, stderr } = await solx(
      "token",
      "meta",
      "So11111111111111111111111111111111111111112",
      "--with",
      "value",
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining("--with value cannot be used with token meta")]);
  });
});

describe("a field that the rows do not have", () => {
  it.each([
    ["--fields", ["--fields", "amont"], "Did you mean amount?"],
    ["--fields", ["--fields", "X:amont"], "Did you mean amount?"],
    ["--sort-by", ["--sort-by", "amont"], "Did you mean amount?"],
    ["--until", ["--follow", "--until", '.flow == "in" and .amont > 5'], "Did you mean amount?"],
    ["--until", ["--follow", "--until", ".value_usd > 5"], "Add --with value."],
  ])("is refused in %s before a request", async (option, args, hint) => {
    const { code, stderr } = await runInProcess([...TRANSFERS, ...args, "SOLX_BASE_URL=http://127.0.0.1:1"], {
      env: { SOLX_API_KEY: "key-0123456789abcdef" },
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`invalid value for ${option}: The answer has no field`);
    expect(stderr).toContain(hint);
  });
});
