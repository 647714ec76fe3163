import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalText, parseDecimal, trimZeros } from "../../src/base/decimal.ts";
import {
  capNumber,
  compactNumber,
  formatPercent,
  formatSol,
  formatUsd,
  groupDigits,
  MAX_NUMBER_WIDTH,
} from "../../src/output/values/number.ts";
import { numberText } from "./helpers.ts";

const decimal = (text: string) => {
  const value = parseDecimal(text);
  if (!value) throw new Error(`${text} is no decimal`);
  return value;
};

describe("trimZeros", () => {
  it("removes only the zeros at the end of a fraction", () => {
    expect(["1.500", "100", "0.000", "-2.0", "1.05"].map((text) => decimalText(trimZeros(decimal(text))))).toEqual([
      "1.5",
      "100",
      "0",
      "-2",
      "1.05",
    ]);
  });

  it("accepts a million of them", () => {
    expect(trimZeros(decimal(`1.${"0".repeat(1_000_000)}`))).toMatchObject({ digits: 1n, scale: 0 });
  });
});

describe("groupDigits", () => {
  it.each([
    ["0", "0"],
    ["999", "999"],
    ["1000", "1,000"],
    ["-1234567.8901", "-1,234,567.8901"],
    ["18446744073709551615", "18,446,744,073,709,551,615"],
    ["0.00000001164", "0.00000001164"],
    ["1e-19", "0.0000000000000000001"],
    ["1e21", "1,000,000,000,000,000,000,000"],
  ])("%s is %s", (text, formatted) => {
    expect(groupDigits(decimal(text))).toBe(formatted);
  });

  it("adds only commas", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(groupDigits(decimal(text)).replaceAll(",", "")).toBe(decimalText(decimal(text)));
      }),
    );
  });
});

describe("formatSol", () => {
  it("divides lamports exactly", () => {
    expect(formatSol(decimal("5000"))).toBe("0.000005 SOL");
    expect(formatSol(decimal("18446744073709551615"))).toBe("18,446,744,073.709551615 SOL");
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (lamports) => {
        const [whole = "", fraction = ""] = formatSol(decimal(String(lamports)))
          .replace(" SOL", "")
          .split(".");
        expect(BigInt(whole.replaceAll(",", "")) * 10n ** 9n + BigInt(fraction.padEnd(9, "0"))).toBe(lamports);
      }),
    );
  });
});

describe("formatUsd", () => {
  it.each([
    ["0", "$0"],
    ["1", "$1.00"],
    ["254.3", "$254.30"],
    ["1234.565", "~$1,234.57"],
    ["120740500232", "$120,740,500,232.00"],
    ["0.999807", "~$0.9998"],
    ["0.999999", "~$1.00"],
    ["0.5", "$0.50"],
    ["0.0026961531314885928", "~$0.002696"],
    ["0.00000001164", "$0.00000001164"],
    ["1e-19", "$0.0000000000000000001"],
    ["-12.3", "-$12.30"],
    ["-0.999999", "~-$1.00"],
  ])("%s is %s", (text, formatted) => {
    expect(formatUsd(decimal(text))).toBe(formatted);
  });

  it("marks every rounding, and only roundings", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const formatted = formatUsd(decimal(text));
        const exact = decimal(formatted.replace(/[~$,]/g, ""));
        const value = decimal(text);
        const same = exact.digits * 10n ** BigInt(value.scale) === value.digits * 10n ** BigInt(exact.scale);
        expect(formatted.startsWith("~")).toBe(!same);
        expect(formatted).not.toMatch(/e/i);
      }),
    );
  });
});

describe("formatPercent", () => {
  it.each([
    ["9.617460814963485", "~9.62%"],
    ["100", "100%"],
    ["-0.49324", "~-0.49%"],
    ["2.5", "2.5%"],
    ["0.000123", "~0.00012%"],
    ["0", "0%"],
    ["1234.5", "1,234.5%"],
  ])("%s is %s", (text, formatted) => {
    expect(formatPercent(decimal(text))).toBe(formatted);
  });
});

describe("compactNumber", () => {
  it.each([
    ["1,234", "~1.23K"],
    ["$1,234,567.89", "~$1.23M"],
    ["~-$12,345,678.90", "~-$12.3M"],
    ["18,446,744,073.709551615 SOL", "~18.4B SOL"],
    ["123,456%", "~123K%"],
    ["1234567", "~1.23M"],
    ["999,877,690", "~1B"],
    ["~-$9,999.99", "~-$10K"],
  ])("shortens %s to %s", (text, short) => {
    expect(compactNumber(text)).toBe(short);
  });

  it("has at most three digits, and is close to the number", () => {
    const number = fc.bigInt({ min: 1000n, max: 10n ** 17n });
    const nearLimit = fc.nat({ max: 13 }).map((power) => 10n ** BigInt(power + 4) - 1n);
    fc.assert(
      fc.property(fc.oneof(number, nearLimit), (value) => {
        const [, digits = "", letter = ""] = /^~([\d.]+)([KMBTQ])$/.exec(compactNumber(String(value)) ?? "") ?? [];
        expect(digits.replace(".", "").length).toBeLessThanOrEqual(3);
        const near = Number(digits) * 1000 ** ("KMBTQ".indexOf(letter) + 1);
        expect(Math.abs(near - Number(value))).toBeLessThanOrEqual(Number(value) * 0.005);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["999", "0.000000001", "text", "", "1,000,000,000,000,000,000,000"])("has no short form for %j", (text) => {
    expect(compactNumber(text)).toBeUndefined();
  });
});

describe("capNumber", () => {
  it.each([
    ["18,446,744,073,709,551,615 base units", "18,446,744,073,709,551,615 base units"],
    ["-18,446,744,073.709551615 SOL", "-18,446,744,073.709551615 SOL"],
    ["0.00000000000000000000000001", "0.00000000000000000000000001"],
    ["0.0000000000000000000000000001", "~0"],
    ["-$0.0000000000000000000000000001", "~$0"],
    ["0.00000000000000000000000012345", "~0.0000000000000000000000001"],
    ["1,234,567.8901234567890123456789", "~1,234,567.89012345678901235"],
    ["1234567890.123456789012345678901", "~1234567890.1234567890123457"],
    ["999,999,999,999,999,999,999.99", "~1e21"],
    ["123,456,789,012,345,678,901,234 SOL", "~1.23e23 SOL"],
    ["~-$999,999,999,999,999,999,999,999.12", "~-$1e24"],
    ["1,000,000,000,000,000,000,000,000", "1e24"],
    [`1.${"0".repeat(40)}%`, "1%"],
    [`0.${"0".repeat(40)}`, "0"],
  ])("prints %s as %s", (text, formatted) => {
    expect(capNumber(text)).toBe(formatted);
  });

  it("limits the width, does not change what fits, and marks every rounding", () => {
    const show = fc.constantFrom(groupDigits, decimalText, formatUsd, formatPercent, formatSol);
    fc.assert(
      fc.property(numberText, show, (text, show) => {
        const whole = show(decimal(text));
        const formatted = capNumber(whole);
        const [bare = "", unit = ""] = formatted.split(/(?=%| SOL)/);
        expect(bare.length).toBeLessThanOrEqual(MAX_NUMBER_WIDTH);
        if (whole.length - unit.length <= MAX_NUMBER_WIDTH) expect(formatted).toBe(whole);
        fc.pre(whole.length < 300);
        const [value, near] = [whole, formatted].map((part) => Number(part.replace(/[~$,%]| SOL/g, "")));
        expect(Math.abs((near ?? 0) - (value ?? 0))).toBeLessThanOrEqual(Math.abs(value ?? 0) * 0.005 + 1e-20);
        if (!formatted.startsWith("~") && formatted !== whole) expect(near).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });
});
