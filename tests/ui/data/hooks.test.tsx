import { EventEmitter } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { render } from "ink";
import type { ReactNode } from "react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RateLimitError } from "../../../src/base/errors.ts";
import { type Explorer, ExplorerContext, type Region } from "../../../src/ui/app/context.ts";
import { createNavigation } from "../../../src/ui/app/history.ts";
import { createKeyMap } from "../../../src/ui/app/keys/keymap.ts";
import { Lines } from "../../../src/ui/app/lines.tsx";
import { HOME } from "../../../src/ui/app/route.ts";
import { textLine } from "../../../src/ui/app/theme/text-line.ts";
import { createPainter } from "../../../src/ui/app/theme/theme.ts";
import { useAutoRefresh } from "../../../src/ui/data/auto-refresh.ts";
import { useNow, useResource } from "../../../src/ui/data/hooks.ts";
import { ResourceStatus, useResourceLine } from "../../../src/ui/data/status.tsx";
import type { DataStore } from "../../../src/ui/data/store.ts";
import { Ticker } from "../../../src/ui/data/ticker.ts";
import { fakeData, fakeServices, NOW } from "../support.tsx";
import { endpoint } from "./setup.ts";

const TRANSFERS = endpoint("v2-account-transfer");
const REGION: Region = { width: 76, height: 8, top: 0 };

/** Renders a component with a store; returns its frames. */
function draw(data: DataStore, what: ReactNode) {
  const keys = createKeyMap();
  const explorer: Explorer = {
    services: fakeServices(),
    navigation: createNavigation(HOME),
    keys,
    data,
    paint: createPainter("none"),
    theme: "default",
    setTheme: () => {},
    toast: () => {},
    setOverlay: () => {},
    subject: () => undefined,
    setSubject: () => {},
    quit: () => {},
  } as Explorer;
  const frames: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    columns: 80,
    rows: 24,
    write: (text: string) => frames.push(stripVTControlCharacters(text)),
  });
  const app = render(<ExplorerContext.Provider value={explorer}>{what}</ExplorerContext.Provider>, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    patchConsole: false,
  });
  onTestFinished(() => app.unmount());
  return { keys, frame: () => frames.at(-1) ?? "", frames, app };
}

/** A list that shows its status and its first row. */
function List({ auto = false, address = "x" }: { auto?: boolean; address?: string }) {
  const resource = useResource(TRANSFERS, { address });
  const calls = useResourceLine(resource);
  const { everyMs, costPerHour, isPaused } = useAutoRefresh(resource, auto);
  if (!resource.answer) return <ResourceStatus resource={resource} region={REGION} />;
  const rows = textLine(JSON.stringify(resource.answer.rows));
  const pace = textLine(`every ${everyMs / 1000}s, ${costPerHour} units/h${isPaused ? ", paused" : ""}`);
  return <Lines lines={[calls ?? textLine("fine"), rows, pace]} width={76} height={3} />;
}

describe("the status of a query on screen", () => {
  it("loads, shows rows, and keeps them with a countdown when a refresh is refused", async () => {
    const data = fakeData({ "v2-account-transfer": undefined });
    const { frame } = draw(data, <List />);
    await vi.waitFor(() => expect(frame()).toContain("Loading… · Esc cancel"));
    data.setAnswers({ "v2-account-transfer": [{ a: 1 }] });
    await vi.waitFor(() => expect(frame()).toMatch(/fine\s+\[\{"a":1\}\]/));
    data.setAnswers({ "v2-account-transfer": new RateLimitError("Too many requests") });
    data.refresh({ endpoint: TRANSFERS, params: { address: "x" } });
    await vi.waitFor(() => expect(frame()).toMatch(/stale: 0s, .*Too many requests[\s\S]*\{"a":1\}/));
  });

  it("is canceled by Esc with everything that is loading on screen, and only while loading", async () => {
    const data = fakeData({ "v2-account-transfer": undefined });
    const { frame, keys } = draw(
      data,
      <>
        <List />
        <List address="y" />
      </>,
    );
    const stops = () => keys.active().filter(({ label }) => label === "cancel loading").length;
    await vi.waitFor(() => expect(frame().match(/Esc cancel/g)).toHaveLength(2));
    expect(stops()).toBe(1);
    const cancelled = vi.spyOn(data, "cancel");
    keys.press("esc", undefined);
    expect(cancelled).toHaveBeenCalledTimes(2);
    await vi.waitFor(() => expect(frame()).not.toContain("Esc cancel"));
    expect(stops()).toBe(0);
  });

  it("shows the cost of an hour of automatic refresh on this plan", async () => {
    const { frame } = draw(fakeData({ "v2-account-transfer": [] }), <List auto />);
    await vi.waitFor(() => expect(frame()).toMatch(/every \d+s, \d+ units\/h$/m));
  });

  it("unsubscribes when it unmounts", async () => {
    const data = fakeData({ "v2-account-transfer": [] });
    const watching = vi.spyOn(data, "watch");
    const { app, keys } = draw(data, <List auto />);
    await vi.waitFor(() => expect(watching).toHaveBeenCalled());
    app.unmount();
    keys.press("j", "j");
    expect(data.requests).toHaveLength(1);
  });
});

describe("the current time", () => {
  it("is that of the services", async () => {
    const Now = () => <Lines lines={[textLine(String(useNow(1000, false)))]} width={20} height={1} />;
    const { frame } = draw(fakeData(), <Now />);
    await vi.waitFor(() => expect(frame()).toContain(String(NOW)));
  });
});

describe("the shared timer", () => {
  it("calls each subscriber at its interval, and stops without subscribers", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const ticker = new Ticker();
    const [fast, slow] = [vi.fn(), vi.fn()];
    const ends = [ticker.every(100, fast), ticker.every(1000, slow)];
    vi.advanceTimersByTime(2000);
    expect([fast.mock.calls.length, slow.mock.calls.length]).toEqual([20, 2]);
    expect(vi.getTimerCount()).toBe(1);
    for (const end of ends) end();
    expect(vi.getTimerCount()).toBe(0);
  });
});
