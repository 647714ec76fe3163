import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../src/base/json.ts";
import { WRAPPED_SOL } from "../../../../src/catalogue/samples.ts";
import { createFormatter } from "../../../../src/ui/pages/transaction/formatter.ts";
import { limitRows } from "../../../../src/ui/pages/transaction/limits.ts";
import { CLOCK, linesOf, SWAP } from "./fixture.ts";

const formatter = createFormatter(SWAP.detail, SWAP.metadata, CLOCK);
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Returns a trade of 100 USDC for 2 wSOL. */
const trade = (input: JsonObject, inner: readonly Json[] = []): Json => {
  const data = {
    ...{ token_1: USDC, token_decimal_1: 6, amount_1: 100_000_000 },
    ...{ token_2: WRAPPED_SOL, token_decimal_2: 9, amount_2: 2_000_000_000 },
  };
  return {
    data_raw: { info: input },
    activities: [{ activity_type: "ACTIVITY_TOKEN_SWAP", data }],
    inner_instructions: inner,
  };
};
const sentences = (...instructions: readonly Json[]) =>
  linesOf(limitRows({ parsed_instructions: instructions }, formatter));

describe("the limits of trades", () => {
  test("are sentences about what was received, or paid", () => {
    expect(sentences(trade({ minimumAmountOut: "1990000000" }))).toEqual([
      "wanted at least 1.99 wSOL, got 2 (0.50% above)",
    ]);
    expect(sentences(trade({ max_quote_amount_in: "125000000" }))).toEqual([
      "wanted to pay at most 125 USDC, paid 100 (20.00% below)",
    ]);
  });

  test("follow from a quote and the accepted slippage, however arguments are typed", () => {
    const quote = { quotedOutAmount: { type: "u64", data: "2000000000" }, slippageBps: { type: "u16", data: 50 } };
    expect(sentences(trade(quote))).toEqual(["wanted at least 1.99 wSOL, got 2 (0.50% above)"]);
  });

  test("are what may be paid where the amount received is exact", () => {
    const exactOutput = { other_amount_threshold: "125000000", amountSpecifiedIsInput: false };
    expect(sentences(trade(exactOutput))).toEqual(["wanted to pay at most 125 USDC, paid 100 (20.00% below)"]);
    expect(sentences(trade({ ...exactOutput, amountSpecifiedIsInput: true }))[0]).toMatch(/^wanted at least/);
  });

  test("are those of the outermost trades; a limit of nothing and other arguments are none", () => {
    const inner = trade({ minAmountOut: "1" });
    expect(sentences(trade({ minAmountOut: "1000000000" }, [inner]))).toHaveLength(1);
    expect(sentences(trade({}, [inner]))).toHaveLength(1);
    expect(sentences(trade({ minAmountOut: "0" }), trade({ minAmountOut: "-5" }), trade({ amount: 3 }), null)).toEqual(
      [],
    );
  });
});
