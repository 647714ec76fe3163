import { describe, expect, it } from "vitest";
import { DefiActivity, PriceSeries } from "../../src/catalogue/entities/index.ts";
import { deriveShape } from "../../src/catalogue/schemas.ts";
import { summarizeFields } from "../../src/output/table/columns.ts";
import { rows, USDC, WSOL, written } from "./helpers.ts";

const clock = { style: "iso", now: 0 } as const;
const symbolOf = (mint: string) => ({ name: mint === USDC ? "USDC" : "wSOL" });
const route = { token1: WSOL, token1_decimals: 9, amount1: 1_500_000_000, token2: USDC, token2_decimals: 6 };
const amounts = deriveShape(DefiActivity).field("amount_info");
const prices = (...values: readonly number[]) => values.map((price, day) => ({ date: 20240701 + day, price }));

describe("summaries of nested values", () => {
  it("name the amounts of an exchange with their tokens", () => {
    const value = { ...route, amount2: "205700001", routers: [] };
    expect(summarizeFields(value, amounts, { ...clock, symbolOf })?.text).toBe("1.5 wSOL → 205.700001 USDC");
    expect(summarizeFields(value, amounts, { ...clock, symbolOf, numbers: "brief" })?.text).toBe(
      "1.5 wSOL → 205.7 USDC",
    );
    expect(summarizeFields(route, amounts, { ...clock, symbolOf })?.text).toBe("1.5 wSOL");
  });

  it("of lists are the first and the last item", () => {
    const shape = deriveShape(PriceSeries).field("prices");
    expect(summarizeFields(prices(1, 2, 3.5), shape, clock)?.text).toBe(
      "3 entries: 2024-07-01 $1.00 … 2024-07-03 $3.50",
    );
    expect(summarizeFields(prices(1), shape, clock)?.text).toBe("2024-07-01 $1.00");
    expect(summarizeFields([], shape, clock)).toBeUndefined();
    expect(summarizeFields("text", shape, clock)).toBeUndefined();
  });
});

describe("a table of rows with lists", () => {
  const series = [
    { token_address: WSOL, prices: prices(137.0988, 140) },
    { token_address: USDC, prices: prices(0.9998) },
  ];
  const view = { entity: PriceSeries, columns: ["token_address", "prices"] };
  const print = async (options = {}) =>
    (await written(rows(series), { format: "table", isTerminal: true, ...options }, view)).text;

  it("has a row for each item", async () => {
    expect(await print()).toBe(
      [
        "TOKEN                                         DATE            PRICE",
        `${WSOL}   2024-07-01  $137.1  `,
        `${WSOL}   2024-07-02  $140    `,
        `${USDC}  2024-07-01    $0.9998`,
        "",
      ]
        .map((line) => line.trimEnd())
        .join("\n"),
    );
  });

  it("has the chosen fields, and other formats the lists", async () => {
    expect(await print({ fields: ["prices"] })).toMatch(/^PRICES\n2 entries: 2024-07-01 \$137.1 … 2024-07-02 \$140\n/);
    const { text } = await written(rows(series), { format: "ndjson" }, view);
    expect(text.split("\n")[1]).toBe(JSON.stringify(series[1]));
  });
});
