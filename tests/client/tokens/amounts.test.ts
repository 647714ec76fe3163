/** Human amounts: exact digits in both directions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toWholeUnits } from "../../../src/base/index.ts";
import { parseAmount, toBaseUnits } from "../../../src/client/index.ts";

const baseUnits = (text: string, decimals: number) => {
  const amount = parseAmount(text);
  return amount && toBaseUnits(amount.number, decimals);
};

describe("amounts", () => {
  it("return to the same base units from whole units, with all digits", () => {
    const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(amounts, fc.nat(30), (amount, decimals) => {
        expect(baseUnits(toWholeUnits(amount, decimals), decimals)).toBe(String(amount));
      }),
      { numRuns: 500 },
    );
  });

  it("have the same value in any notation", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(6), fc.nat(3), (digits, places, zeros) => {
        const plain = toWholeUnits(BigInt(digits), places);
        const variants = [`${digits}e-${places}`, `0${plain}`, plain.includes(".") ? plain + "0".repeat(zeros) : plain];
        for (const text of variants) expect(baseUnits(text, 9), text).toBe(baseUnits(plain, 9));
      }),
    );
  });

  it.each([
    ["1.5usdc", 6, "1500000", "usdc"],
    ["1.5 USDC", 6, "1500000", "USDC"],
    [".5$wif", 6, "500000", "$wif"],
    ["1_000.25jup", 6, "1000250000", "jup"],
    ["2e3bonk", 5, "200000000", "bonk"],
    ["1.", 2, "100", undefined],
    ["0.000000000000000001x", 18, "1", "x"],
    ["18446744073709551615", 0, "18446744073709551615", undefined],
  ])("%s with %i decimals is %s", (text, decimals, expected, symbol) => {
    expect(parseAmount(text)?.symbol).toBe(symbol);
    expect(baseUnits(text, decimals)).toBe(expected);
  });

  it("with more digits than the token has are refused, trailing zeros aside", () => {
    expect(baseUnits("1.2345678", 6)).toBeUndefined();
    expect(baseUnits("1.2345670", 6)).toBe("1234567");
  });

  it.each(["", "usdc", "1..2", "-1", "1,5", "1 2", "NaN", "9".repeat(200)])("%j is no amount", (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });
});
