import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isImpossibleDate, parseDate, parseTime } from "../../../src/client/request/wire-values.ts";

const NOW = Date.UTC(2024, 6, 5, 12, 34, 56, 789);
const at = (text: string) => String(Date.parse(text) / 1000);

describe("times", () => {
  it.each([
    ["1720137600", "1720137600"],
    ["0", "0"],
    ["now", at("2024-07-05T12:34:56Z")],
    ["today", at("2024-07-05T00:00:00Z")],
    ["Yesterday", at("2024-07-04T00:00:00Z")],
    ["45s", at("2024-07-05T12:34:11Z")],
    ["30m", at("2024-07-05T12:04:56Z")],
    ["2h", at("2024-07-05T10:34:56Z")],
    ["7d", at("2024-06-28T12:34:56Z")],
    ["1w", at("2024-06-28T12:34:56Z")],
    ["5y", at("2019-07-07T12:34:56Z")],
    ["7d ago", at("2024-06-28T12:34:56Z")],
    ["2024-07-05", at("2024-07-05T00:00:00Z")],
    ["2024-07-05T12:00", at("2024-07-05T12:00:00Z")],
    ["2024-07-05 12:00:30", at("2024-07-05T12:00:30Z")],
    ["2024-07-05T12:00:30.999Z", at("2024-07-05T12:00:30Z")],
    ["2024-07-05T12:00:00+05:30", at("2024-07-05T06:30:00Z")],
    ["2024-07-05T12:00:00-0800", at("2024-07-05T20:00:00Z")],
    ["2024-02-29", at("2024-02-29T00:00:00Z")],
    ["20240705", at("2024-07-05T00:00:00Z")],
  ])("%s is %s", (text, seconds) => {
    expect(parseTime(text, NOW).text).toBe(seconds);
  });

  it("have a note when they are interpreted", () => {
    expect(parseTime("7d", NOW).note).toBe("7d is 2024-06-28T12:34:56Z");
    expect(parseTime("1720137600", NOW).note).toBeUndefined();
  });

  it("are read as milliseconds where they are, with a note", () => {
    expect(parseTime("1720137600123", NOW)).toEqual({
      text: "1720137600",
      note: "1720137600123 was read as milliseconds: 2024-07-05T00:00:00Z",
    });
    expect(parseTime("1000000000000", NOW).text).toBe("1000000000");
    expect(parseTime("9999999999999", NOW).text).toBe("9999999999");
  });

  it.each(["17828640000", "178286400000", "17828640000000"])("are left unchanged where %s cannot be meant", (text) => {
    expect(parseTime(text, NOW)).toEqual({ text });
  });

  it("end in 2286, also where a date means no end", () => {
    expect(parseTime("9999-12-31", NOW)).toEqual({ text: "9999999999", note: "9999-12-31 is 2286-11-20T17:46:39Z" });
    expect(parseTime(new Date("9999-12-31"), NOW).text).toBe("9999999999");
  });

  it.each(["2024-02-30", "2023-02-29", "2024-13-01", "2024-07-05T25:00", "2024-07-05T12:61"])(
    "leave %s unchanged",
    (text) => {
      expect(parseTime(text, NOW).text).toBe(text);
      expect(isImpossibleDate(text)).toBe(true);
    },
  );

  it("round-trip through ISO 8601, in any time zone", () => {
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), offsets, (seconds, offset) => {
        const local = new Date((seconds + offset * 60) * 1000).toISOString().slice(0, 19);
        const sign = offset < 0 ? "-" : "+";
        const two = (number: number) => String(number).padStart(2, "0");
        const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
        fc.pre(!local.startsWith("-") && !local.startsWith("+"));
        expect(parseTime(local + zone, NOW).text).toBe(String(seconds));
      }),
    );
  });

  it("accept a Date to the second, and refuse an invalid one", () => {
    expect(parseTime(new Date(1_720_137_600_999), NOW).text).toBe("1720137600");
    expect(parseTime(new Date(Number.NaN), NOW).text).not.toMatch(/\d/);
  });
});

describe("dates", () => {
  it.each([
    ["20240705", "20240705"],
    ["2024-07-05", "20240705"],
    ["2024-07-05T23:30:00-05:00", "20240706"],
    ["today", "20240705"],
    ["yesterday", "20240704"],
    ["7d", "20240628"],
    ["2024-02-30", "2024-02-30"],
    ["soon", "soon"],
  ])("%s is %s", (text, date) => {
    expect(parseDate(text, NOW).text).toBe(date);
  });

  it("accept a Date by its day in UTC", () => {
    expect(parseDate(new Date("2024-07-05T23:59:59Z"), NOW).text).toBe("20240705");
  });
});
