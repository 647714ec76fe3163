import { expect, onTestFinished, test } from "vitest";
import { AuthError, NetworkError, RateLimitError } from "../../../src/base/errors.ts";
import type { UsageSample } from "../../../src/client/usage/usage-file.ts";
import type { UsageReport } from "../../../src/client/usage/usage-report.ts";
import { UsageWatcher } from "../../../src/ui/watch/watcher.ts";
import { NOW, readingOf } from "./setup.ts";

/** A watcher with a clock and answers that the test controls. */
function watching(interval = 60) {
  let now = NOW;
  const waiting: { resolve: (reading: UsageReport) => void; reject: (error: unknown) => void; signal: AbortSignal }[] =
    [];
  const calls: string[] = [];
  const history: UsageSample[] = [];
  const watcher = new UsageWatcher({
    poll: (signal) => new Promise<UsageReport>((resolve, reject) => waiting.push({ resolve, reject, signal })),
    samples: { since: (from) => history.filter(({ at }) => at >= from) },
    interval,
    now: () => now,
    onReading: ({ at }) => calls.push(`answer ${(at - NOW) / 1000}`),
    onFailure: ({ message }) => calls.push(message),
  });
  onTestFinished(() => watcher.close());
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    watcher,
    calls,
    polls: () => waiting.length,
    signal: () => waiting.at(-1)?.signal,
    /** Advances the wall clock by some seconds and ticks. */
    async pass(seconds: number) {
      now += seconds * 1000;
      watcher.tick();
      await settle();
    },
    async answer(reading = readingOf(1, { at: now })) {
      waiting.at(-1)?.resolve(reading);
      await settle();
    },
    async fail(error: unknown) {
      waiting.at(-1)?.reject(error);
      await settle();
    },
    due: () => (watcher.state().nextAt - now) / 1000,
  };
}

test("polls at once, then at the interval after each answer", async () => {
  const { watcher, pass, answer, polls, calls, due } = watching();
  await pass(0);
  expect(polls()).toBe(1);
  await pass(30);
  expect(polls()).toBe(1);
  await answer();
  expect(due()).toBe(60);
  await pass(59);
  expect(polls()).toBe(1);
  await pass(1);
  expect(polls()).toBe(2);
  await answer();
  expect(calls).toEqual(["answer 30", "answer 90"]);
  expect(watcher.state()).toMatchObject({ problem: undefined, isPolling: false });
});

test("polls less often while polls fail, and keeps the last answer", async () => {
  const { watcher, pass, answer, fail, due, calls } = watching();
  await pass(0);
  await answer();
  const waits: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    await pass(due());
    await fail(new NetworkError(`No ${count}`));
    waits.push(due());
  }
  expect(waits).toEqual([120, 240, 480, 600, 600, 600]);
  expect(watcher.state()).toMatchObject({ failures: 6, latest: { plan: "lite" }, problem: { message: "No 5" } });
  await pass(600);
  await fail(new RateLimitError("Later", { retryAfter: 5000 }));
  expect(due()).toBe(5000);
  watcher.refresh();
  await answer();
  expect(due()).toBe(60);
  expect(watcher.state()).toMatchObject({ failures: 0, problem: undefined });
  expect(calls.filter((text) => text.startsWith("answer"))).toHaveLength(2);
});

test("an earlier answer with an error counts as a failure", async () => {
  const { watcher, pass, answer } = watching();
  await pass(0);
  await answer(readingOf(1, { at: NOW - 5000, error: new AuthError("No key") }));
  expect(watcher.state()).toMatchObject({
    failures: 1,
    latest: { at: NOW - 5000 },
    problem: { exit: "auth" },
  });
});

test("one poll follows hours of sleep, and a clock that was set back does not delay it", async () => {
  const { pass, answer, polls, due } = watching();
  await pass(0);
  await answer();
  await pass(8 * 3600);
  expect(polls()).toBe(2);
  await answer();
  await pass(-5 * 3600);
  expect(due()).toBe(60);
  await pass(60);
  expect(polls()).toBe(3);
});

test("a poll during sleep is aborted", async () => {
  const { watcher, pass, answer, signal, polls } = watching();
  await pass(0);
  const late = signal();
  await pass(3600);
  expect(late?.aborted).toBe(true);
  expect(watcher.state()).toMatchObject({ isPolling: false, problem: { code: "TIMEOUT" } });
  await answer();
  expect(watcher.state().latest).toBeUndefined();
  await pass(120);
  expect(polls()).toBe(2);
});

test("a changed interval counts from the last answer", async () => {
  const { watcher, pass, answer, due } = watching();
  await pass(0);
  await answer();
  await pass(20);
  watcher.setInterval(30);
  expect(due()).toBe(10);
  watcher.setInterval(10);
  expect(due()).toBe(0);
  watcher.setInterval(300);
  expect(due()).toBe(280);
});
