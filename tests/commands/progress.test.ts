import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientEvent } from "../../src/client/index.ts";
import type { GlobalOptions } from "../../src/commands/options/global-options.ts";
import { createContext } from "../../src/commands/run/create-context.ts";
import { startProgress } from "../../src/commands/run/progress.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Streams {
  /** The kinds of standard output and standard error. */
  readonly stdout?: "terminal" | "pipe";
  readonly stderr?: "terminal" | "pipe";
  readonly env?: Readonly<Record<string, string>>;
  readonly globals?: GlobalOptions;
}

function contextFor({ stdout = "pipe", stderr = "terminal", env = {}, globals = {} }: Streams) {
  let text = "";
  const stream = (isTTY: boolean, take: (chunk: string) => void) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          take(String(chunk));
          done();
        },
      }),
      { isTTY, columns: 100 },
    ) as unknown as NodeJS.WriteStream;
  const context = createContext({
    argv: [],
    env,
    version: "0.0.0",
    stdin: process.stdin,
    stdout: stream(stdout === "terminal", () => {}),
    stderr: stream(stderr === "terminal", (chunk) => {
      text += chunk;
    }),
    now: Date.now,
    signal: new AbortController().signal,
  });
  context.globals = globals;
  return { context, text: () => text, line: () => text.split("\n").at(-1)?.split("\r\u001b[2K").at(-1) };
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

test("a terminal has a line after a second, which counts and is erased", async () => {
  const { context, text, line } = contextFor({});
  const progress = startProgress(context, { total: 100 });
  progress.add(10, 1, 100);
  await seconds(0.9);
  expect(text()).toBe("");
  await seconds(1.1);
  expect(line()).toBe("10 of 100 rows, 18 s left, 1 request, 5.0 rows/s, 100 units");
  progress.add(10, 1, 100);
  await seconds(2);
  expect(line()).toBe("20 of 100 rows, 16 s left, 2 requests, 5.0 rows/s, 200 units");
  await progress.end();
  expect(line()).toBe("");
  const ended = text();
  await seconds(60);
  expect(text()).toBe(ended);
});

test("the line is redrawn at most ten times a second", async () => {
  const { context, text } = contextFor({});
  const progress = startProgress(context);
  await seconds(1);
  const before = text().split("\r").length;
  for (let at = 0; at < 1000; at++) {
    progress.add(1, 1);
    await seconds(0.001);
  }
  expect(text().split("\r").length - before).toBeLessThanOrEqual(10);
  await progress.end();
});

test("a note during the work has its own line", async () => {
  const { context, text, line } = contextFor({});
  const progress = startProgress(context);
  await seconds(2);
  expect(line()).toBe("0 rows");
  await context.reporter.note("Something to know.");
  expect(text().endsWith("\r\u001b[2Ksolx: Something to know.\n")).toBe(true);
  await seconds(1);
  expect(line()).toBe("0 rows");
  await progress.end();
});

test("nothing is drawn over a prompt", async () => {
  const { context, text, line } = contextFor({});
  const progress = startProgress(context);
  context.reporter.write("Continue? [y/N] ");
  context.reporter.isPrompting = true;
  await seconds(5);
  expect(text()).toBe("Continue? [y/N] ");
  context.reporter.isPrompting = false;
  await seconds(1);
  expect(line()).toBe("0 rows");
  await progress.end();
});

test("waits count down and end with the next request", async () => {
  const { context, line } = contextFor({});
  const progress = startProgress(context);
  const emit = (event: object) => context.reporter.emit(event as ClientEvent);
  expect(emit({ type: "wait", reason: "rate", seconds: 42 })).toBe(true);
  await seconds(2);
  expect(line()).toBe("0 rows, waiting 40 s for the rate limit");
  await seconds(10);
  expect(line()).toBe("0 rows, waiting 30 s for the rate limit");
  expect(emit({ type: "request" })).toBe(false);
  await seconds(1);
  expect(line()).toBe("0 rows");
  expect(emit({ type: "retry", seconds: 5 })).toBe(true);
  await seconds(1);
  expect(line()).toBe("0 rows, retrying in 4 s");
  await seconds(5);
  expect(line()).toBe("0 rows");
  await progress.end();
  expect(emit({ type: "wait", reason: "rate", seconds: 42 })).toBe(false);
});

test("an export reports its windows and the remaining time", async () => {
  const { context, line } = contextFor({});
  const progress = startProgress(context);
  const event = { type: "export", window: 3, of: 20, rows: 15_000, seconds: 1000 };
  expect(context.reporter.emit(event as ClientEvent)).toBe(true);
  progress.add(15_000, 3);
  await seconds(20);
  expect(line()).toBe("15,000 rows, 16 min 20 s left, window 3 of about 20, 3 requests, 750 rows/s");
  await progress.end();
});

test.each([
  ["a log", { stderr: "pipe" }, '{"note":"60 rows, 6 requests, 2.0 rows/s."}'],
  ["a dumb terminal", { env: { TERM: "dumb" } }, "solx: 60 rows, 6 requests, 2.0 rows/s."],
  ["a screen reader", { env: { ACCESSIBLE: "1" } }, "solx: 60 rows, 6 requests, 2.0 rows/s."],
  ["a build", { env: { CI: "true" } }, "solx: 60 rows, 6 requests, 2.0 rows/s."],
] as const)("%s has a note every half minute", async (_, streams, note) => {
  const { context, text } = contextFor(streams);
  const progress = startProgress(context);
  progress.add(60, 6);
  await seconds(29);
  expect(text()).toBe("");
  await seconds(2);
  await progress.end();
  expect(text()).toBe(`${note}\n`);
  await seconds(60);
  expect(text()).toBe(`${note}\n`);
});

test.each([
  ["--quiet", { globals: { quiet: true } }],
  ["--quiet in a log", { globals: { quiet: true }, stderr: "pipe" }],
  ["rows on the same terminal", { stdout: "terminal" }],
] as const)("%s: nothing is reported", async (_, streams) => {
  const { context, text } = contextFor(streams);
  const progress = startProgress(context);
  progress.add(10, 1);
  await seconds(100);
  await progress.end();
  expect(text()).toBe("");
});

test("with --out the line is displayed on the terminal", async () => {
  const { context, line } = contextFor({ stdout: "terminal", globals: { out: "rows.csv" } });
  const progress = startProgress(context);
  await seconds(2);
  expect(line()).toBe("0 rows");
  await progress.end();
});

test("a walk has the remaining time of all its transactions, unless a number of rows is requested", async () => {
  for (const total of [undefined, 500]) {
    const { context, line } = contextFor({});
    const progress = startProgress(context, total === undefined ? {} : { total });
    const report = (done: number) =>
      context.reporter.emit({ type: "walk", signatures: 400, complete: true, done, calls: 400 - done, rows: done });
    report(0);
    await seconds(10);
    report(100);
    progress.add(100);
    await seconds(2);
    const text =
      total === undefined ? "100 rows, 28 s left, 100 of 400 transactions read" : "100 of 500 rows, 48 s left";
    expect(line()).toContain(text);
    await progress.end();
  }
});
