import { stripVTControlCharacters } from "node:util";
import { render } from "ink";
import { expect, onTestFinished, test } from "vitest";
import { NO_TERMINAL } from "../../../src/ui/terminal/control.ts";
import { WatchScreen } from "../../../src/ui/watch/screen.tsx";
import { createWatcher } from "../../../src/ui/watch/watcher.ts";
import { Input, Screen } from "../support.tsx";
import { NOW, readingOf } from "./world.ts";

function open() {
  const [stdin, stdout] = [new Input(), new Screen(80, 24)];
  const counts = { looks: 0, quits: 0 };
  const watcher = createWatcher({
    poll: async () => {
      counts.looks += 1;
      return readingOf(5_000_000);
    },
    samples: { since: () => [] },
    interval: 60,
    now: () => NOW,
  });
  const app = render(
    <WatchScreen
      watcher={watcher}
      now={() => NOW}
      rate={() => undefined}
      cost={100}
      isSandbox={true}
      palette="none"
      unicode={true}
      terminal={NO_TERMINAL}
      log={() => {}}
      quit={() => {
        counts.quits += 1;
      }}
    />,
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  );
  onTestFinished(() => {
    app.unmount();
    watcher.close();
  });
  const frame = () => stripVTControlCharacters(stdout.last);
  const shows = (pattern: RegExp) => expect.poll(frame, { timeout: 10_000, interval: 5 }).toMatch(pattern);
  return { stdin, stdout, counts, frame, shows };
}

test("looks when it opens, and obeys its keys", async () => {
  const { stdin, stdout, counts, frame, shows } = open();
  await shows(/SANDBOX[\s\S]*5,000,000 used[\s\S]*every 1 min/);
  expect(counts.looks).toBe(1);
  stdin.send("r");
  await expect.poll(() => counts.looks).toBe(2);
  stdin.send("+");
  await shows(/every 2 min/);
  stdin.send("-");
  stdin.send("-");
  await shows(/every 30 s/);
  stdin.send("t");
  await shows(/the last 6 hours/);
  stdin.send("?");
  await shows(/a longer interval/);
  expect(frame()).not.toContain("5,000,000 used");
  stdin.send("x");
  await shows(/5,000,000 used/);
  for (const [columns, rows] of [
    [1, 1],
    [200, 60],
    [60, 15],
  ] as const) {
    Object.assign(stdout, { columns, rows });
    stdout.emit("resize");
  }
  const widest = () =>
    Math.max(
      ...frame()
        .split("\n")
        .map(({ length }) => length),
    );
  await expect.poll(widest).toBe(60);
  await shows(/for 12,000 units an hour/);
  stdin.send("\u001a");
  await shows(/There is no shell to go back to/);
  stdin.send("q");
  stdin.send("\u0003");
  await expect.poll(() => counts.quits).toBe(2);
});
