import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decimal, decimalText, parseDecimal, trimZeros } from "../../src/base/decimal.ts";
import {
  briefDigits,
  capNumber,
  compactNumber,
  formatAmount,
  formatChange,
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

describe("parseDecimal", () => {
  it("takes no text for a number that has more digits than any amount", () => {
    expect(decimal("9".repeat(9999)).digits).toBe(10n ** 9999n - 1n);
    for (const text of ["9".repeat(10_000), `0.${"9".repeat(10_000)}`, "1e99999"])
      expect(parseDecimal(text)).toBeUndefined();
  });
});

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
    const scale = 1_000_000;
    const digits = BigInt(`1${"0".repeat(scale)}`);
    expect(trimZeros({ negative: false, digits, scale })).toMatchObject({ digits: 1n, scale: 0 });
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

/** Significant digits of a formatted number. */
const significant = (text: string) =>
  text
    .replace(/e-?\d+$/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "").length;
/** The value of a formatted number, with its letter. */
const parsed = (text: string) => {
  const [, digits = "", letter = ""] = /^([^KMBTQ%]*)([KMBTQ]?)/.exec(text.replace(/[~$,▲ ]/g, "")) ?? [];
  return Number(digits) * 1000 ** " KMBTQ".indexOf(letter || " ");
};

describe("briefDigits", () => {
  it.each([
    ["0", "0"],
    ["595", "595"],
    ["1234", "1,234"],
    ["9999.6", "10.00K"],
    ["12345", "12.35K"],
    ["1234567", "1.235M"],
    ["46351869.103722921", "46.35M"],
    ["13262509852.55", "13.26B"],
    ["999877690", "999.9M"],
    ["999999", "1.000M"],
    ["1000000", "1M"],
    ["7520400000", "7.520B"],
    ["7500000000", "7.5B"],
    ["137.0988", "137.1"],
    ["0.44834217", "0.4483"],
    ["0.99996", "1.000"],
    ["0.000218099", "0.0002181"],
    ["0.000000001", "0.000000001"],
    ["1e-19", "1e-19"],
    ["123456789012345678901234", "1.23e23"],
    ["-12345678", "-12.35M"],
  ])("%s is %s", (text, brief) => {
    expect(briefDigits(decimal(text))).toBe(brief);
  });

  it("has at most four significant digits, and is close to the number", () => {
    const integers = fc.bigInt({ min: 1n, max: 10n ** 17n }).map(String);
    const nearLimit = fc.nat({ max: 16 }).map((power) => String(10n ** BigInt(power + 1) - 1n));
    const fractions = fc.double({ min: 1e-9, max: 1e6, noNaN: true }).map(String);
    fc.assert(
      fc.property(fc.oneof(integers, nearLimit, fractions), (text) => {
        const brief = briefDigits(decimal(text));
        expect(significant(brief)).toBeLessThanOrEqual(4);
        expect(Math.abs(parsed(brief) - Number(text))).toBeLessThanOrEqual(Number(text) * 0.000500001);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps zeros only of rounded numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat({ max: 12 }), (digits, power) => {
        expect(briefDigits(decimal(`${digits}e${power}`))).not.toMatch(/\.\d*0(?!\d)/);
      }),
    );
  });
});

describe("formatUsd", () => {
  it.each([
    ["0", "$0", "$0"],
    ["1", "$1.00", "$1.00"],
    ["12.5", "$12.50", "$12.50"],
    ["254.3", "$254.30", "$254.3"],
    ["137.0988123", "$137.099", "$137.1"],
    ["1234.565", "$1,234.57", "$1,235"],
    ["120740500232", "$120,740,500,232.00", "$120.7B"],
    ["0.999807", "$0.999807", "$0.9998"],
    ["0.99999999", "$1.00", "$1.00"],
    ["0.5", "$0.50", "$0.50"],
    ["0.0026961531314885928", "$0.00269615", "$0.002696"],
    ["0.00000001164", "$0.00000001164", "$0.00000001164"],
    ["1e-19", "$0.0000000000000000001", "$1e-19"],
    ["-12.3", "-$12.30", "-$12.30"],
    ["-1234567", "-$1,234,567.00", "-$1.235M"],
  ])("%s is %s, in brief %s", (text, full, brief) => {
    expect(formatUsd(decimal(text))).toBe(full);
    expect(formatUsd(decimal(text), "brief")).toBe(brief);
  });

  it("has cents and at least six significant digits in full, at most four in brief", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        fc.pre(Math.abs(Number(text)) < 1e17);
        const [value, full] = [Number(text), formatUsd(decimal(text))];
        expect(full).not.toMatch(/e/i);
        expect(Math.abs(parsed(full) - value)).toBeLessThanOrEqual(0.005 + Math.abs(value) * 1e-15);
        expect(Math.abs(parsed(full) - value)).toBeLessThanOrEqual(Math.abs(value) * 5.1e-6);
        expect(significant(formatUsd(decimal(text), "brief"))).toBeLessThanOrEqual(4);
      }),
    );
  });
});

describe("formatPercent", () => {
  it.each([
    ["9.617460814963485", "9.62%", "9.62%"],
    ["100", "100%", "100%"],
    ["-0.49324", "-0.49%", "-0.49%"],
    ["2.5", "2.5%", "2.5%"],
    ["41.0387", "41.04%", "41.04%"],
    ["141.0387", "141.04%", "141.0%"],
    ["0.01", "0.01%", "0.01%"],
    ["0.000075", "0.000075%", "<0.01%"],
    ["-0.000075", "-0.000075%", "-<0.01%"],
    ["0", "0%", "0%"],
    ["12345.678", "12,345.68%", "12.35K%"],
    ["99.996", "100%", ">99.99%"],
  ])("%s is %s, in brief %s", (text, full, brief) => {
    expect(formatPercent(decimal(text))).toBe(full);
    expect(formatPercent(decimal(text), "brief")).toBe(brief);
  });
});

describe("formatChange", () => {
  it.each([
    ["2.456", "▲ 2.46%", "▲ 2.46%"],
    ["-16.7", "▼ 16.7%", "▼ 16.7%"],
    ["-0.0018", "▼ 0.0018%", "▼ <0.01%"],
    ["0", "0%", "0%"],
    ["13000.2", "▲ 13,000.2%", "▲ >999%"],
  ])("%s is %s, in brief %s", (text, full, brief) => {
    expect(formatChange(decimal(text))).toBe(full);
    expect(formatChange(decimal(text), "brief")).toBe(brief);
  });
});

describe("compactNumber", () => {
  it.each([
    ["1,234", "1,234"],
    ["$1,234,567.89", "$1.235M"],
    ["$12.50", "$12.50"],
    ["~-$12,345,678.90", "-$12.35M"],
    ["18,446,744,073.709551615 SOL", "18.45B SOL"],
    ["1,234,567.5 USDC", "1.235M USDC"],
    ["123,456%", "123.5K%"],
    ["1234567", "1.235M"],
    ["0.000000001", "0.000000001"],
  ])("shortens %s to %s", (text, short) => {
    expect(compactNumber(text)).toBe(short);
  });

  it("agrees with the brief form of the number", () => {
    fc.assert(
      fc.property(numberText, fc.constantFrom(formatAmount, formatUsd, formatSol), (text, format) => {
        // In full, dollars are rounded to six digits before.
        fc.pre(format !== formatUsd || /^-?\d{1,4}$/.test(text));
        expect(compactNumber(format(decimal(text), "full"))).toBe(format(decimal(text), "brief"));
      }),
    );
  });

  it.each(["text", "", "<0.01%", "1.23e300"])("has no short form for %j", (text) => {
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
    const show = fc.constantFrom(groupDigits, decimalText, formatUsd, formatPercent, formatSol, formatChange);
    fc.assert(
      fc.property(numberText, show, (text, show) => {
        const whole = (show as (value: Decimal) => string)(decimal(text));
        const formatted = capNumber(whole);
        const [bare = "", unit = ""] = formatted.split(/(?=%| SOL)/);
        expect(bare.length).toBeLessThanOrEqual(MAX_NUMBER_WIDTH);
        if (whole.length - unit.length <= MAX_NUMBER_WIDTH) expect(formatted).toBe(whole);
        fc.pre(whole.length < 300);
        const [value, near] = [whole, formatted].map((part) => Number(part.replace(/[~$,%▲▼ ]|SOL/g, "")));
        expect(Math.abs((near ?? 0) - (value ?? 0))).toBeLessThanOrEqual(Math.abs(value ?? 0) * 0.005 + 1e-20);
        if (!formatted.startsWith("~") && formatted !== whole) expect(near).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });
});
