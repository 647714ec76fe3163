import { EventEmitter } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { render } from "ink";
import type { ReactNode } from "react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RateLimitError, ServerError } from "../../../src/base/errors.ts";
import { resolveTheme } from "../../../src/output/index.ts";
import { useNow, useResource } from "../../../src/ui/data/hooks.ts";
import { IDLE_MS, paceText, RELAXED_MS, useLive, useLiveAnswer } from "../../../src/ui/data/live.ts";
import { ResourceStatus, useResourceLine } from "../../../src/ui/data/status.tsx";
import { Ticker } from "../../../src/ui/data/timers.ts";
import { Lines } from "../../../src/ui/frame/lines.tsx";
import { createSubjects, type Explorer, ExplorerContext, type Region } from "../../../src/ui/navigation/context.ts";
import type { DataStore, EndpointRequest } from "../../../src/ui/navigation/data-store.ts";
import { createNavigation } from "../../../src/ui/navigation/history.ts";
import { createKeyMap } from "../../../src/ui/navigation/keys/keymap.ts";
import { createPointer } from "../../../src/ui/navigation/pointer/pointer.ts";
import { HOME } from "../../../src/ui/navigation/route.ts";
import type { Services } from "../../../src/ui/navigation/services.ts";
import { createPainter } from "../../../src/ui/navigation/theme/painter.ts";
import { textLine } from "../../../src/ui/navigation/theme/text-line.ts";
import { ThemeContext } from "../../../src/ui/navigation/theme/use-theme.ts";
import { waitFor } from "../../support/wait-for.ts";
import { apiIdentity, fakeData, fakeServices, NOW } from "../support.tsx";
import { endpoint, HandClock } from "./setup.ts";

const TRANSFERS = endpoint("v2-account-transfer");
const REGION: Region = { width: 76, height: 8, top: 0 };

/** Renders a component with a store; returns its frames. */
function draw(data: DataStore, what: ReactNode, clock?: HandClock, more: Partial<Services> = {}) {
  const keys = createKeyMap();
  const explorer: Explorer = {
    services: fakeServices({ identity: apiIdentity(), ...(clock && { now: () => clock.now }), ...more }),
    navigation: createNavigation(HOME),
    keys,
    pointer: createPointer(),
    data,
    subjects: createSubjects(),
    toast: () => {},
    openPopup: () => {},
    closePopup: () => {},
    quit: () => {},
  };
  const theme = {
    paint: createPainter(resolveTheme({ theme: "auto", colorScheme: "none", depth: 4 })),
    theme: "auto",
    setTheme: () => {},
    previewTheme: () => {},
  };
  const frames: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    columns: 80,
    rows: 24,
    write: (text: string) => frames.push(stripVTControlCharacters(text)),
  });
  const app = render(
    <ExplorerContext.Provider value={explorer}>
      <ThemeContext.Provider value={theme}>{what}</ThemeContext.Provider>
    </ExplorerContext.Provider>,
    {
      stdout: stdout as unknown as NodeJS.WriteStream,
      debug: true,
      patchConsole: false,
    },
  );
  onTestFinished(() => app.unmount());
  return { keys, frame: () => frames.at(-1) ?? "", frames, app };
}

/** A list that shows its status and its first row. */
function List({ auto = false, address = "x" }: { auto?: boolean; address?: string }) {
  const resource = useResource(TRANSFERS, { address });
  const calls = useResourceLine(resource);
  const live = useLiveAnswer(resource, auto);
  if (!resource.answer) return <ResourceStatus resource={resource} region={REGION} />;
  const rows = textLine(JSON.stringify(resource.answer.rows));
  const pace = textLine(paceText(live));
  return <Lines lines={[calls ?? textLine("fine"), rows, pace]} width={76} height={3} />;
}

describe("the status of a query on screen", () => {
  it("loads, shows rows, and keeps them with a countdown when a refresh is refused", async () => {
    const data = fakeData({ "v2-account-transfer": undefined });
    const { frame } = draw(data, <List />);
    await waitFor(() => expect(frame()).toContain("Loading… · Esc cancel"));
    data.setAnswers({ "v2-account-transfer": [{ a: 1 }] });
    await waitFor(() => expect(frame()).toMatch(/fine\s+\[\{"a":1\}\]/));
    data.setAnswers({ "v2-account-transfer": new RateLimitError("Too many requests") });
    data.refresh({ endpoint: TRANSFERS, params: { address: "x" } });
    await waitFor(() => expect(frame()).toMatch(/Refresh failed: Too many requests[\s\S]*\{"a":1\}/));
  });

  it("is reported once: by the region in place of an answer, not by the line above it as well", async () => {
    const data = fakeData({ "v2-account-transfer": new ServerError("The server is tired.") });
    function Summary({ address }: { address: string }) {
      const line = useResourceLine(useResource(TRANSFERS, { address }));
      return <Lines lines={[line ?? textLine("summary")]} width={76} height={1} />;
    }
    const both = draw(
      data,
      <>
        <Summary address="y" />
        <List />
      </>,
    );
    await waitFor(() => expect(both.frame()).toMatch(/^summary\s+API error\s+The server is tired\./));
    expect(both.frame().match(/tired/g)).toHaveLength(1);
    const alone = draw(fakeData({ "v2-account-transfer": new ServerError("Tired.") }), <Summary address="y" />);
    await waitFor(() => expect(alone.frame()).toContain("Tired."));
  });

  it("shows the headings of a table while it loads, and the progress of what requests wait for", async () => {
    const data = fakeData({ "v2-account-transfer": undefined });
    const Body = () => (
      <ResourceStatus resource={useResource(TRANSFERS, { address: "x" })} region={REGION} heads={["time", "amount"]} />
    );
    const loading = draw(data, <Body />);
    await waitFor(() => expect(loading.frame()).toMatch(/Loading….*\n +time +amount *\n +▄+ +▄+/));
    const progress = { text: "Creating the ledger", share: 0.42 };
    const waiting = draw(data, <Body />, undefined, { progress: () => progress });
    await waitFor(() => expect(waiting.frame()).toMatch(/Creating the ledger\s+█+.* 42%/));
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
    await waitFor(() => expect(frame().match(/Esc cancel/g)).toHaveLength(2));
    expect(stops()).toBe(1);
    const cancelled = vi.spyOn(data, "cancel");
    keys.press("esc", undefined);
    expect(cancelled).toHaveBeenCalledTimes(2);
    await waitFor(() => expect(frame()).not.toContain("Esc cancel"));
    expect(stops()).toBe(0);
  });

  it("shows the cost of an hour of automatic refresh on this plan", async () => {
    const { frame } = draw(fakeData({ "v2-account-transfer": [] }), <List auto />);
    await waitFor(() => expect(frame()).toMatch(/every 3m · 2,000 units\/h$/m));
  });

  it("unsubscribes when it unmounts", async () => {
    const data = fakeData({ "v2-account-transfer": [] });
    const watching = vi.spyOn(data, "watch");
    const { app, keys } = draw(data, <List auto />);
    await waitFor(() => expect(watching).toHaveBeenCalled());
    app.unmount();
    keys.press("j", "j");
    expect(data.requests).toHaveLength(1);
  });
});

describe("the current time", () => {
  it("is that of the services", async () => {
    const Now = () => <Lines lines={[textLine(String(useNow(1000, false)))]} width={20} height={1} />;
    const { frame } = draw(fakeData(), <Now />);
    await waitFor(() => expect(frame()).toContain(String(NOW)));
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

describe("a page that refreshes by itself", () => {
  const REQUESTS = [{ endpoint: TRANSFERS, params: { address: "x" }, everyMs: 5000 }];
  function Page({ choice, clock }: { choice?: boolean; clock: HandClock }) {
    const { status, everyMs, costPerHour } = useLive(REQUESTS, choice, clock);
    return <Lines lines={[textLine(`${status} every ${everyMs} ms, ${costPerHour} units/h`)]} width={76} height={1} />;
  }
  const ample = { remaining: 900_000_000, limit: 1_000_000_000, at: NOW };

  it("requests at its interval within its share of the units, until the user pauses it", async () => {
    const data = fakeData({ "v2-account-transfer": [{ a: 1 }] });
    data.setQuota({ units: ample });
    const clock = new HandClock();
    const { frame, app, keys } = draw(data, <Page clock={clock} />, clock);
    await waitFor(() => expect(frame()).toContain("on every 5000 ms, 72000 units/h"));
    await waitFor(() => expect(clock.count).toBe(1));
    for (const count of [2, 3]) {
      clock.advance(5000);
      expect(data.requests).toHaveLength(count);
      await waitFor(() => expect(data.read(REQUESTS[0] as EndpointRequest).isLoading).toBe(false));
    }
    data.setQuota({ units: { ...ample, remaining: 18_000_000, limit: 20_000_000 } });
    await waitFor(() => expect(frame()).toContain("on every 10000 ms, 36000 units/h"));
    // Without keys it refreshes less often, and says so; with the next key, as before.
    clock.advance(RELAXED_MS);
    await waitFor(() => expect(frame()).toContain("on every 40000 ms, 9000 units/h"));
    keys.press("j", undefined);
    await waitFor(() => expect(frame()).toContain("on every 10000 ms, 36000 units/h"));
    clock.advance(IDLE_MS);
    await waitFor(() => expect(frame()).toContain("paused"));
    expect(clock.count).toBe(0);
    keys.press("j", undefined);
    await waitFor(() => expect(frame()).toContain("on every"));
    app.unmount();
    expect(clock.count).toBe(0);
  });

  it("does not refresh in the sandbox, whose chain does not grow, unless the user turns it on", async () => {
    const clock = new HandClock();
    const sandbox = { identity: fakeServices().identity };
    const { frame } = draw(fakeData({ "v2-account-transfer": [] }), <Page clock={clock} />, clock, sandbox);
    await waitFor(() => expect(frame()).toContain("still"));
    expect(clock.count).toBe(0);
    const forced = draw(fakeData({ "v2-account-transfer": [] }), <Page clock={clock} choice />, clock, sandbox);
    await waitFor(() => expect(forced.frame()).toContain("on every"));
  });

  it("is off while units are scarce, unless the user turns it on", async () => {
    const data = fakeData({ "v2-account-transfer": [{ a: 1 }] });
    data.setQuota({ units: { ...ample, remaining: ample.limit * 0.05 } });
    const clock = new HandClock();
    const { frame } = draw(data, <Page clock={clock} />, clock);
    await waitFor(() => expect(frame()).toContain("scarce"));
    expect(clock.count).toBe(0);
    const forced = draw(data, <Page clock={clock} choice />, clock);
    await waitFor(() => expect(forced.frame()).toContain("on every"));
    const off = draw(data, <Page clock={clock} choice={false} />, clock);
    await waitFor(() => expect(off.frame()).toContain("off every"));
  });
});
