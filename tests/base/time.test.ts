import { expect, test } from "vitest";
import { formatSpan } from "../../src/base/index.ts";

test("durations have at most two units", () => {
  expect([0, 59.2, 60, 61, 3600, 7260, 90_000, 864_000].map(formatSpan)).toEqual([
    "0 s",
    "1 min",
    "1 min",
    "1 min 1 s",
    "1 h",
    "2 h 1 min",
    "1 d 1 h",
    "10 d",
  ]);
});
