/** Traces of the client's events. */
import { expect, test } from "vitest";
import { createWaitFilter } from "../../src/commands/run/trace.ts";

const wait = (seconds: number | undefined) => ({ type: "wait", reason: "rate", seconds }) as const;

test("simultaneous waits are reported once, short ones not at all", () => {
  const isWorthALine = createWaitFilter();
  expect(isWorthALine(wait(0.2), 0)).toBe(false);
  expect(isWorthALine(wait(5), 0)).toBe(true);
  expect(isWorthALine(wait(5), 10)).toBe(false);
  expect(isWorthALine(wait(4), 1000)).toBe(false);
  expect(isWorthALine(wait(5), 5000)).toBe(true);
  expect(isWorthALine({ type: "note", text: "x" }, 5001)).toBe(true);
});
