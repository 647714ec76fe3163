/** Traces of the client's events. */
import { expect, test } from "vitest";
import { createWaitFilter } from "../../src/commands/run/reporter.ts";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";

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

test("an answer that deviates from the documentation is printed, and the deviations with --verbose", async () => {
  const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
  const row = { address: mint, amount: "12", decimals: "6", rank: null, unknown: { a: 1 } };
  const server = await serve((_request, response) =>
    sendJson(response, JSON.stringify({ success: true, data: { total: 1, items: [row] } })),
  );
  const run = (...options: string[]) =>
    runInProcess(["token", "holders", mint, "-o", "table", `SOLX_BASE_URL=${server.url}`, ...options]);
  const brief = await run();
  expect(brief).toMatchObject({ code: 0, stderr: "" });
  expect(brief.stdout).toMatch(/^RANK +OWNER +AMOUNT.*\n +- +- +0\.000012 /);
  const verbose = await run("--verbose");
  expect(verbose.stdout).toBe(brief.stdout);
  expect(verbose.stderr).toContain(
    "Undocumented response: amount: expected number, received string; decimals: expected",
  );
  await server.close();
});
