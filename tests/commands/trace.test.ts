/** What is told of the client's work in passing. */
import { expect, test } from "vitest";
import { waitsWorthTelling } from "../../src/commands/run/trace.ts";

const wait = (seconds: number | undefined) => ({ type: "wait", reason: "rate", seconds }) as const;

test("a wait that many requests have at a time is told once, and short ones not at all", () => {
  const isNews = waitsWorthTelling();
  expect(isNews(wait(0.2), 0)).toBe(false);
  expect(isNews(wait(5), 0)).toBe(true);
  expect(isNews(wait(5), 10)).toBe(false);
  expect(isNews(wait(4), 1000)).toBe(false);
  expect(isNews(wait(5), 5000)).toBe(true);
  expect(isNews({ type: "note", text: "x" }, 5001)).toBe(true);
});
