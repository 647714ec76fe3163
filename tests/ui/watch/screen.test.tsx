import { expect, onTestFinished, test } from "vitest";
import { resolveTheme } from "../../../src/output/index.ts";
import { WatchScreen } from "../../../src/ui/watch/screen.tsx";
import { UsageWatcher } from "../../../src/ui/watch/watcher.ts";
import { NO_TERMINAL, renderInTerminal } from "../support.tsx";
import { NOW, readingOf, sample } from "./setup.ts";

function open() {
  const calls = { polls: 0, quits: 0 };
  const watcher = new UsageWatcher({
    poll: async () => {
      calls.polls += 1;
      return readingOf(5_000_000);
    },
    samples: { since: () => [sample(0.5, 4_900_000), sample(0, 5_000_000)] },
    interval: 60,
    now: () => NOW,
  });
  const terminal = renderInTerminal(
    <WatchScreen
      watcher={watcher}
      now={() => NOW}
      rate={() => undefined}
      cost={100}
      isSandbox={true}
      theme={resolveTheme({ theme: "auto", colorScheme: "none", depth: 4 })}
      unicode={true}
      terminal={NO_TERMINAL}
      log={() => {}}
      quit={() => {
        calls.quits += 1;
      }}
    />,
    80,
    24,
  );
  onTestFinished(() => watcher.close());
  return { ...terminal, calls };
}

test("polls when it opens, and reacts to its keys", async () => {
  const { press, resize, waitFor, calls, frame } = open();
  await waitFor(/SANDBOX[\s\S]*5,000,000 used[\s\S]*every 1 min/);
  expect(calls.polls).toBe(1);
  await press("r");
  await expect.poll(() => calls.polls).toBe(2);
  await press("+");
  await waitFor(/every 2 min/);
  await press("-");
  await press("-");
  await waitFor(/every 30 s/);
  await press("t");
  await waitFor(/last 6 hours/);
  await press("?");
  await waitFor(/longer or shorter interval/);
  expect(frame()).not.toContain("5,000,000 used");
  await press("x");
  await waitFor(/5,000,000 used/);
  for (const [columns, rows] of [
    [1, 1],
    [200, 60],
    [60, 15],
  ] as const) {
    await resize(columns, rows);
  }
  const widest = () =>
    Math.max(
      ...frame()
        .split("\n")
        .map(({ length }) => length),
    );
  await expect.poll(widest).toBe(60);
  await waitFor(/12,000 units per hour/);
  await press("ctrl+z");
  await waitFor(/cannot suspend/);
  await press("q");
  await press("ctrl+c");
  await expect.poll(() => calls.quits).toBe(2);
});
