import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computePercent,
  type Decimal,
  decimalText,
  parseDecimal,
  percentChange,
  percentToFraction,
  subtractDecimals,
  sumDecimals,
} from "../../../../src/base/decimal.ts";
import { parseJson } from "../../../../src/base/json.ts";
import { choiceLine, nextRange, RANGES, rangeChoice, seriesHeading } from "../../../../src/ui/widgets/chart/heading.ts";
import {
  dailySeries,
  parseDay,
  relativeSeries,
  summarizeSeries,
  timeText,
} from "../../../../src/ui/widgets/chart/series.ts";

const decimal = (text: string): Decimal => {
  const value = parseDecimal(text);
  if (!value) throw new Error(`${text} is no number.`);
  return value;
};
const format = (value: Decimal | undefined) => value && decimalText(value);

describe("a series", () => {
  it("is sorted by day, with holes for missing days", () => {
    const rows = [
      { date: 20241231, price: 3 },
      { date: 20241228, price: 1 },
      { date: 20241229, price: 2 },
    ];
    const series = dailySeries(rows, "date", ["price"]);
    expect(series.map(({ time, value }) => [timeText(time, true), value])).toEqual([
      ["2024-12-28", 1],
      ["2024-12-29", 2],
      ["2024-12-30", undefined],
      ["2024-12-31", 3],
    ]);
    expect(summarizeSeries(series)?.holes).toBe(1);
  });

  it("uses the first field that a row has, as text or as a number", () => {
    const series = dailySeries([{ day: "20250101", volume: "12.5" }], "day", ["value", "volume"]);
    expect(series.map(({ value }) => value)).toEqual([12.5]);
  });

  it("ignores invalid days and accepts any rows", () => {
    expect(dailySeries([{ date: 20250230, price: 1 }, null, "x", { date: 5, price: 1 }], "date", ["price"])).toEqual(
      [],
    );
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (rows) => {
        expect(Array.isArray(dailySeries(rows as never, "date", ["price"]))).toBe(true);
      }),
    );
  });

  it("is limited when two days are far apart", () => {
    const rows = [
      { date: 19700101, price: 1 },
      { date: 99991231, price: 2 },
    ];
    expect(dailySeries(rows, "date", ["price"]).length).toBeLessThanOrEqual(4000);
  });

  it("preserves every digit", () => {
    const rows = parseJson('[{"date":20250101,"price":0.1000000000000000000001},{"date":20250102,"price":0.3}]');
    const numbers = summarizeSeries(dailySeries(rows as never, "date", ["price"]));
    expect(format(numbers?.lowest.exact)).toBe("0.1000000000000000000001");
    expect(numbers?.highest.time).toBe((parseDay(20250102) ?? 0) * 86_400);
  });

  it("converts days to dates and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50_000 }), (day) => {
        expect(parseDay(Number(timeText(day * 86_400, true).replaceAll("-", "")))).toBe(day);
      }),
    );
  });
});

describe("shares and changes", () => {
  it("are exact where doubles are not", () => {
    expect(format(sumDecimals([decimal("0.1"), decimal("0.2")]))).toBe("0.3");
    expect(format(computePercent(decimal("1"), decimal("3")))).toBe("33.333333");
    expect(format(computePercent(decimal("9007199254740993"), decimal("9007199254740993")))).toBe("100");
    expect(format(percentChange(decimal("100"), decimal("107.5")))).toBe("7.5");
    expect(format(percentChange(decimal("200"), decimal("50")))).toBe("-75");
  });

  it("are undefined for zero", () => {
    expect(computePercent(decimal("1"), decimal("0"))).toBeUndefined();
    expect(percentChange(decimal("0"), decimal("5"))).toBeUndefined();
  });

  it("subtraction is the inverse of addition", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(30), fc.bigInt(), fc.nat(30), (a, scaleA, b, scaleB) => {
        const [left, right] = [decimal(`${a}e-${scaleA}`), decimal(`${b}e-${scaleB}`)];
        expect(subtractDecimals(sumDecimals([left, right]), sumDecimals([right, left])).digits).toBe(0n);
      }),
    );
  });

  it("fractions of bars are between 0 and 1", () => {
    expect(percentToFraction(decimal("250"))).toBe(1);
    expect(percentToFraction(decimal("-3"))).toBe(0);
    expect(percentToFraction(undefined)).toBe(0);
    expect(percentToFraction(decimal("12.5"))).toBe(0.125);
  });
});

describe("what is said about a series", () => {
  const rows = [
    { date: 20250101, price: 100 },
    { date: 20250102, price: 80 },
    { date: 20250104, price: 125 },
  ];
  const points = dailySeries(rows, "date", ["price"]);
  const heading = (index?: number) => {
    const { values, details } = seriesHeading(points, index, {
      format: (value) => `$${decimalText(value)}`,
      isDaily: true,
      unicode: true,
      period: "7 days",
    });
    return [values, details].map((parts) => parts.map((line) => line.map(({ text }) => text).join("")));
  };

  it("is the last value, the change, the extremes and the number of missing days", () => {
    expect(heading()).toEqual([
      ["$125", "▲ 25% in 7 days"],
      ["lowest $80 2025-01-02", "highest $125 2025-01-04", "1 day missing"],
    ]);
  });

  it("is the value of a point, its time and the change until it", () => {
    expect(heading(1)[0]).toEqual(["$80", "2025-01-02", "▼ 20% since 2025-01-01"]);
    expect(heading(0)[0]).toEqual(["$100", "2025-01-01"]);
    expect(heading(2)[0]).toEqual(["-", "2025-01-03"]);
  });

  it("can be compared by changes since the first value of a time", () => {
    const changes = relativeSeries(points, points[1]?.time ?? 0);
    expect(changes.map(({ value }) => value)).toEqual([0, 56.25]);
  });
});

describe("ranges", () => {
  it("stop at their ends", () => {
    expect(nextRange(RANGES, 30, 1)).toBe(90);
    expect(nextRange(RANGES, 1, -1)).toBe(1);
    expect(nextRange(RANGES, 365, 1)).toBe(365);
  });

  it("are all in the title with the current one highlighted, or alone", () => {
    const choice = rangeChoice(RANGES, 30, () => {});
    const line = choiceLine(choice, 40);
    expect(line.map(({ text }) => text).join("")).toBe("1d 7d 30d 90d 365d");
    expect(line.filter(({ role }) => role === "active").map(({ text }) => text)).toEqual(["30d"]);
    expect(choiceLine(choice, 5).map(({ text }) => text)).toEqual(["30d"]);
  });

  it("are chosen by the position of a label", () => {
    const chosen: number[] = [];
    rangeChoice(RANGES, 30, (days) => chosen.push(days)).choose(0);
    expect(chosen).toEqual([1]);
  });
});
