/** When pollers poll, by a clock that waits move. */
import { expect, test } from "vitest";
import { loadWatch, type Poller } from "../../../src/client/index.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/** Polls until a number of polls; returns their seconds since the start. */
async function pollTimes(
  polls: number,
  poller: Partial<Poller>,
  { onSleep = () => 0, hurries = 0 }: { onSleep?: (sleeps: number) => number; hurries?: number } = {},
) {
  const { runSchedule } = await loadWatch();
  let [now, sleeps, elapsed] = [START, 0, 0];
  const times: number[] = [];
  const stop = new AbortController();
  let hurry = () => {};
  const one: Poller = {
    ...{ inputs: undefined, interval: 60, units: 0, requests: 1, ...poller },
    async poll() {
      times.push(elapsed);
      return [];
    },
  };
  const schedule = runSchedule([one], {
    timing: {
      now: () => now,
      async sleep(milliseconds) {
        if (hurries > 0) {
          hurries -= 1;
          hurry();
          await new Promise(() => {});
        }
        sleeps += 1;
        elapsed += milliseconds / 1000;
        now += milliseconds + onSleep(sleeps) * 1000;
      },
    },
    signal: stop.signal,
    onFailure: async () => {},
    onRecovery: async () => {},
    onStart(start) {
      hurry = () => start(one);
    },
  });
  for await (const _ of schedule) if (times.length >= polls) return times;
  return times;
}

test("once in an interval", async () => {
  expect(await pollTimes(4, {})).toEqual([0, 60, 120, 180]);
});

test("a clock that is set back an hour delays a poll by one interval at most", async () => {
  const onSleep = (sleeps: number) => (sleeps === 2 ? -3600 : 0);
  expect(await pollTimes(5, {}, { onSleep })).toEqual([0, 60, 180, 240, 300]);
});

test("a clock that is set forward an hour makes one poll earlier, and none is made up for", async () => {
  const onSleep = (sleeps: number) => (sleeps === 2 ? 3600 : 0);
  expect(await pollTimes(5, {}, { onSleep })).toEqual([0, 60, 120, 180, 240]);
});

test("at the times of a calendar, by a clock that is set meanwhile", async () => {
  const hourly = (after: number) => (Math.floor(after / 3_600_000) + 1) * 3_600_000;
  expect(await pollTimes(3, { interval: 3600, nextTime: hourly })).toEqual([0, 3600, 7200]);
  const onSleep = (sleeps: number) => (sleeps === 1 ? 1800 : 0);
  expect(await pollTimes(3, { interval: 3600, nextTime: hourly }, { onSleep })).toEqual([0, 1800, 5400]);
});

test("hurried polls come two seconds after the last one", async () => {
  expect(await pollTimes(3, { interval: 3600 }, { hurries: 1 })).toEqual([0, 2, 3602]);
});
