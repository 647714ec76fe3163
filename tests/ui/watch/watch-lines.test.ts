import { describe, expect, test } from "vitest";
import { AuthError, NetworkError } from "../../../src/base/errors.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import { clockText, type WatchView, watchLines } from "../../../src/ui/watch/watch-lines.ts";
import { NOW, readingOf, sample, stateOf, usageOf, viewOf } from "./setup.ts";

const textOf = (view: WatchView) =>
  watchLines(view)
    .map((line) =>
      line
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    )
    .join("\n");
const roleOf = (view: WatchView, pattern: RegExp) =>
  watchLines(view)
    .flat()
    .find(({ text }) => pattern.test(text))?.role;

describe("the screen", () => {
  test.each([
    [60, 14],
    [80, 23],
    [120, 39],
    [200, 59],
    [20, 4],
    [1, 1],
  ])("has exactly the size of the window, %s × %s", (width, height) => {
    const history = Array.from({ length: 50 }, (_, at) => sample(10 - at / 5, at * 10_000));
    for (const problem of [undefined, new NetworkError("The API is not there.", { hint: "Check the cable." })]) {
      const lines = watchLines(viewOf({ width, height, state: stateOf({ history, problem, failures: 3 }) }));
      expect(lines).toHaveLength(height);
      expect([...new Set(lines.map(lineWidth))]).toEqual([width]);
    }
  });

  test("shows the numbers, the state in words, and the cost of polling", () => {
    const history = [sample(0.5, 4_900_000), sample(0, 5_000_000)];
    const text = textOf(viewOf({ state: stateOf({ history }) }));
    for (const part of [
      "profile work · Lite",
      "updated now",
      "✔ OK: At this pace",
      "5,000,000 used, 15,000,000 left",
      "2025-06-01 to 2025-07-01, renews in 15 days",
      "123,400 units in the last 24 hours",
      "200,000 by the last 30 minutes",
      "1,234 requests, 99.5% succeeded",
      "980 of 1,000 requests available now",
      "units per hour, last hour  peak 200",
      "account transfer",
      "next in 42 s · every 1 min, 6,000 units per hour",
    ]) {
      expect(text).toContain(part);
    }
  });

  test.each([
    [40, 8],
    [20, 4],
  ])("shows share and state first in little space, %s × %s", (width, height) => {
    const [first, second] = textOf(viewOf({ width, height })).split("\n");
    expect(first).toBe("25% ✔ OK");
    expect(second).toBe("15,000,000 left");
  });

  test("has one zero at the side of a chart of nothing used", () => {
    const history = [sample(0.5, 5_000_000), sample(0, 5_000_000)];
    expect(textOf(viewOf({ state: stateOf({ history }) })).match(/ {2}0 *$/gm)).toHaveLength(1);
  });

  test("warns with words and colour when little is left", () => {
    const short = stateOf({
      latest: readingOf(19_000_000, { usage: usageOf(19_000_000, { total_cu_24h: 900_000, success_rate_24h: 80 }) }),
    });
    expect(textOf(viewOf({ state: short }))).toMatch(/⚠ SHORT: At this pace the units end on 2025-06-16/);
    expect(roleOf(viewOf({ state: short }), /SHORT/)).toBe("warning");
    expect(textOf(viewOf({ state: short }))).toContain("80% succeeded: LOW");
    const none = stateOf({ latest: readingOf(20_000_000) });
    expect(textOf(viewOf({ state: none }))).toContain("✖ NONE LEFT");
    expect(roleOf(viewOf({ state: none }), /NONE LEFT/)).toBe("bad");
  });

  test("shows earlier data when a poll fails, with its age, the reason and the next poll", () => {
    const problem = new AuthError("Authentication failed", { hint: "Log in again.\nSecond line" });
    const state = stateOf({ problem, failures: 2, nextAt: NOW + 125_000, latest: readingOf(1, { at: NOW - 900_000 }) });
    const text = textOf(viewOf({ state }));
    expect(text).toContain("STALE: 15 minutes ago");
    expect(text).toContain(
      "⚠ Authentication failed.\nLog in again.\nshowing earlier data; failed 2 times, next try in 2 min 5 s",
    );
    expect(text).toContain("19,999,999 left");
    expect(roleOf(viewOf({ state }), /Authentication/)).toBe("bad");
    const never = textOf(viewOf({ state: stateOf({ problem, failures: 1, latest: undefined }) }));
    expect(never).toContain("no data yet; failed once");
    expect(textOf(viewOf({ state: stateOf({ latest: undefined, isPolling: true }) }))).toContain(
      "Loading usage of the key",
    );
  });

  test("removes control characters of answers and messages", () => {
    const problem = new NetworkError("bad \u001b[2J\u202e thing");
    const latest = readingOf(1, { usage: usageOf(1, { renew_date: "\u001b[2J", end_date: 7 }), profile: "\u009bx" });
    const text = textOf(viewOf({ state: stateOf({ problem, failures: 1, latest }) }));
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test("omits hints that do not fit instead of truncating them", () => {
    expect(
      textOf(viewOf({ width: 30 }))
        .split("\n")
        .at(-1),
    ).toBe("q quit  ? help  r refresh now");
    expect(
      textOf(viewOf({ toast: "Something happened." }))
        .split("\n")
        .at(-1),
    ).toBe("Something happened.");
  });

  test("counts down in two units", () => {
    expect([0, 9.2, 60, 61, 3600, 3725, 90_000].map(clockText)).toEqual([
      "0 s",
      "10 s",
      "1 min",
      "1 min 1 s",
      "1 h",
      "1 h 2 min",
      "25 h",
    ]);
  });
});
