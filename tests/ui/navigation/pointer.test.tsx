/** The mouse on a page: which lines receive which events, links, tabs, and what the terminal has to report. */
import { Box } from "ink";
import { describe, expect, test } from "vitest";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { App } from "../../../src/ui/app/app.tsx";
import * as lazy from "../../../src/ui/app/lazy.ts";
import { Lines } from "../../../src/ui/frame/lines.tsx";
import { Popup } from "../../../src/ui/frame/popup.tsx";
import { type Explorer, useExplorer } from "../../../src/ui/navigation/context.ts";
import { HOME } from "../../../src/ui/navigation/route.ts";
import { span, textLine } from "../../../src/ui/navigation/theme/text-line.ts";
import type { MouseEvent } from "../../../src/ui/terminal/mouse.ts";
import { apiIdentity, fakeData, fakeServices, NO_TERMINAL, renderExplorer, renderInTerminal } from "../support.tsx";

/** Two panes beside each other; the right one wants movements. `PopupView` draws every popup. */
function renderPanes(PopupView = lazy.PopupView) {
  const events: string[] = [];
  const modes: string[] = [];
  let explorer: Explorer | undefined;
  const record = (pane: string) => (event: MouseEvent) => {
    const { type, x, y, hit } = event;
    events.push([pane, type, x, y, hit ?? ""].join(" ").trim());
  };
  const Page = () => {
    explorer = useExplorer();
    const right = [textLine("chart"), [span("a "), { ...span("bar", "good"), hit: 7 }]];
    return (
      <Box>
        <Lines lines={[textLine("left"), textLine("list")]} width={20} height={9} onMouse={record("left")} />
        <Lines lines={right} width={20} height={2} onMouse={record("right")} hover />
      </Box>
    );
  };
  const terminal = { ...NO_TERMINAL, requestMouse: (mode: string) => void modes.push(mode) };
  const window = renderInTerminal(
    <App
      services={fakeServices()}
      data={fakeData()}
      initialRoute={HOME}
      lazy={{ ...lazy, Page, PopupView }}
      quit={() => {}}
      terminal={terminal}
    />,
    80,
    24,
  );
  return { window, events, modes, explorer: () => explorer as Explorer };
}

describe("panes", () => {
  test("receive clicks and turns of the wheel at their positions in it, with what the span stands for", async () => {
    const { window, events } = renderPanes();
    await window.waitFor(/chart/);
    await window.mouse("click", "list");
    await window.mouse("down", "bar");
    await window.mouse("click", "bar");
    expect(events).toEqual(["left click 0 1", "right down 2 1 7", "right click 2 1 7"]);
  });

  test("receive movements where they want them, and their end", async () => {
    const { window, events, modes } = renderPanes();
    await window.waitFor(/chart/);
    expect(modes.at(-1)).toBe("motion");
    await window.mouse("move", "chart");
    await window.mouse("move", "list");
    await window.mouse("move", "left");
    expect(events).toEqual(["right move 0 0", "right leave -1 -1"]);
  });

  test("receive nothing while a popup covers the page; its lines do", async () => {
    const popup: string[] = [];
    const onMouse = ({ type, x, y }: MouseEvent) => void popup.push(`${type} ${x} ${y}`);
    const { window, events, explorer } = renderPanes(() => (
      <Popup title="Menu" lines={[textLine("one"), textLine("two")]} onMouse={onMouse} />
    ));
    await window.waitFor(/chart/);
    explorer().openPopup({ kind: "palette", only: "keys" });
    await window.waitFor("Menu");
    await window.mouse("click", "two");
    await window.mouse("click", "Menu");
    await window.mouse("up", "left");
    expect([popup, events]).toEqual([["click 0 1"], []]);
  });
});

test("the terminal selects text while a text is shown for that", async () => {
  const { window, modes, explorer } = renderPanes();
  await window.waitFor(/chart/);
  explorer().openPopup({ kind: "text", title: "Not copied", text: "select this" });
  await window.waitFor("select this");
  expect(modes.at(-1)).toBe("off");
  explorer().closePopup();
  await window.waitFor("left");
  expect(modes.at(-1)).toBe("motion");
});

test("a click opens a link of a detail view, and a tab", async () => {
  const data = fakeData({ "v2-account-detail": { account: WALLET, owner_program: USDC, lamports: 5 } });
  const window = renderExplorer({
    data,
    width: 120,
    route: { kind: "endpoint", endpointRoute: "v2-account-detail", params: { address: WALLET } },
  });
  await window.waitFor(USDC);
  await window.mouse("click", USDC);
  await window.waitFor(/account detail .* › /);
  await window.press("esc");
  await window.press(":");
  await window.press(WALLET);
  await window.press("enter");
  await window.waitFor(/3 transfers/);
  await window.mouse("click", "transfers");
  await window.waitFor(/No transfers|rows|Loading/);
  expect(data.requests.map(({ endpoint }) => endpoint.route)).toContain("v2-account-transfer");
});

test("a click on the state of the home page pauses it, one on the search hint opens the palette", async () => {
  const window = renderExplorer({ width: 120, height: 36, services: { identity: apiIdentity() } });
  await window.waitFor(/live every .* a pause/);
  await window.mouse("click", "a pause");
  await window.waitFor(/paused · a resume/);
  await window.mouse("click", "search and commands");
  await window.waitFor("go to");
});
