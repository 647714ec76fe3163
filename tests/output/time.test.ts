import { describe, expect, it } from "vitest";
import type { TimeStyle } from "../../src/output/types.ts";
import { formatDate, formatIso, formatUnix } from "../../src/output/values/time.ts";

const NOW = Date.UTC(2024, 6, 5, 9, 30, 35);
const at = (style: TimeStyle, timeZone?: string) => ({ style, now: NOW, timeZone });
const SECONDS = NOW / 1000;

describe("formatUnix", () => {
  it.each([
    [0, "now"],
    [12, "12s ago"],
    [180, "3m ago"],
    [7199, "1h ago"],
    [86_400 * 3, "3d ago"],
    [86_400 * 31, "2024-06-04 09:30Z"],
    [-90, "in 1m"],
    [-86_400 * 400, "2025-08-09 09:30Z"],
  ])("formats %i seconds ago as %s", (age, formatted) => {
    expect(formatUnix(SECONDS - age, at("relative"))).toBe(formatted);
  });

  it("always prints the zone of a local time", () => {
    expect(formatUnix(SECONDS, at("iso"))).toBe("2024-07-05T09:30:35Z");
    expect(formatUnix(SECONDS, at("local", "Europe/Berlin"))).toBe("2024-07-05 11:30:35 UTC+2");
    expect(formatUnix(SECONDS, at("local", "Asia/Kolkata"))).toBe("2024-07-05 15:00:35 UTC+5:30");
    expect(formatUnix(SECONDS, at("local", "America/New_York"))).toBe("2024-07-05 05:30:35 UTC-4");
    expect(formatUnix(SECONDS, at("local", "UTC"))).toBe("2024-07-05 09:30:35 UTC");
    expect(formatUnix(SECONDS, at("unix"))).toBe(String(SECONDS));
  });

  it("refuses an unknown zone", () => {
    expect(() => formatUnix(SECONDS, at("local", "Mars/Olympus"))).toThrow('invalid time zone "Mars/Olympus"');
  });

  it.each([0, -1, Number.NaN, 1e15, 18446744073709552000])("does not accept %s as a time", (seconds) => {
    expect(formatUnix(seconds, at("iso"))).toBeUndefined();
  });
});

describe("formatIso", () => {
  it("formats times with a zone", () => {
    expect(formatIso("2024-07-05T09:27:35.000Z", at("relative"))).toBe("3m ago");
    expect(formatIso("2024-07-05T11:30:35+02:00", at("iso"))).toBe("2024-07-05T09:30:35Z");
    expect(formatIso("2024-07-05T09:27:35.250Z", at("iso"))).toBe("2024-07-05T09:27:35.250Z");
  });

  it.each(["2026-05-17T19:26:05", "yesterday", "", "2024-13-45T00:00:00Z"])(
    "guesses no zone and no date: %j",
    (text) => {
      expect(formatIso(text, at("iso"))).toBeUndefined();
    },
  );
});

describe("formatDate", () => {
  it.each([
    ["20240717", "2024-07-17"],
    ["20240229", "2024-02-29"],
    ["20230229", undefined],
    ["20241399", undefined],
    ["1720171655", undefined],
    ["", undefined],
  ])("%s is %s", (text, formatted) => {
    expect(formatDate(text)).toBe(formatted);
  });
});
