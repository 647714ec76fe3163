import { describe, expect, test } from "vitest";
import { textWidth } from "../../../src/output/text/width.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { fakeData, fakeServices, NOW, renderExplorer } from "../support.tsx";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const BOOKMARKS: Route = { kind: "page", page: "bookmarks" };
const SIZES = [
  [60, 15],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

describe("the layout", () => {
  test("reports a window that is too small, recovers, and can be quit there", async () => {
    const window = renderExplorer({ width: 50, height: 10 });
    expect(await window.waitFor(/Window too small: 50 × 10, minimum 60 × 15/)).toMatch(/q\s+quit/);
    await window.press("q");
    expect(window.quits()).toBe(1);
    await window.resize(80, 24);
    expect(await window.waitFor(/solx home/)).not.toMatch(/needs/);
  });

  test.each(SIZES)("fills a window of %i × %i, less a line, and no line is wider", async (width, height) => {
    const window = renderExplorer({ route: BOOKMARKS, width, height });
    const lines = (await window.waitFor(/\? help/)).split("\n");
    expect(lines).toHaveLength(height - 1);
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^solx .*bookmarks.* sandbox /);
  });

  test("opens a paste on any page, with or without line breaks around it, and goes back", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.paste(`\n ${USDC}\n`);
    await window.waitFor(/bookmarks › token USDC/);
    await window.press("esc");
    expect(window.frame()).not.toMatch(/USDC/);
    await window.press("]");
    expect(window.frame()).toMatch(/token USDC/);
  });

  test("an address pasted without bracketed paste is opened, and triggers no bindings", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.press(USDC);
    await window.waitFor(/bookmarks › token USDC/);
    expect(window.quits()).toBe(0);
  });

  test.each(["\r\n", "\r"])("several pasted identifiers are offered in the palette", async (gap) => {
    for (const pasted of [`${USDC}${gap}${WALLET}`, `${USDC} ${WALLET}`]) {
      const window = renderExplorer({ route: BOOKMARKS });
      await (pasted.includes(gap) ? window.paste(pasted) : window.press(pasted));
      expect(window.quits()).toBe(0);
      const frame = await window.waitFor("go to");
      expect(frame).toMatch(
        pasted.includes(gap) ? "1 more line left out" : /Open +EPjF.* account .*\n.* 5Q54.* account /,
      );
    }
  });

  test("a paste triggers no bindings, and opens the palette when it is no identifier", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.paste("usdc\rq\r");
    expect(window.quits()).toBe(0);
    await window.waitFor(/› usdc +/);
    expect(window.frame()).toMatch(/1 more line left out[\s\S]*Tokens +USDC/);
  });

  test("a paste over help closes help and opens what was pasted", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.press("?");
    await window.waitFor(/─ Keys ─/);
    await window.paste(USDC);
    expect(await window.waitFor(/token USDC/)).not.toMatch(/─ Keys ─/);
  });

  test.each(["q", "ctrl+c"])("%s quits", async (key) => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.press(key);
    expect(window.quits()).toBe(1);
  });

  test("keys that arrive at once reach the page that the previous ones opened", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.press(":usage");
    await window.waitFor(/usage/);
    expect(window.frame()).toMatch(/bookmarks/);
    expect(window.frame()).not.toMatch(/› usage/);
    await window.press("enter");
    await window.waitFor(/bookmarks › usage/);
  });

  test("notes of the client appear in the footer, the newest until the next key", async () => {
    let notify: (text: string) => void = () => {};
    const onNote = (listener: (text: string) => void) => {
      notify = listener;
      return () => {};
    };
    const window = renderExplorer({ route: BOOKMARKS, services: { onNote } });
    await window.waitFor(/\? help/);
    notify("The budget is shared with\u001B[31m another machine.");
    await window.waitFor(/The budget is shared with/);
    expect(window.styled()).not.toContain("\u001B[31m another");
    await window.press("j");
    await window.waitFor(/\? help/);
  });
});

describe("help", () => {
  test.each(SIZES)("lists every active key, at %i × %i", async (width, height) => {
    const window = renderExplorer({ route: BOOKMARKS, width, height });
    await window.waitFor(/\? help/);
    await window.press("?");
    const seen = [await window.waitFor(/─ Keys ─/)];
    for (let page = 0; page < 20; page += 1) {
      await window.press("pagedown");
      seen.push(window.frame());
    }
    const all = seen.join("\n");
    for (const label of ["bookmarks", "usage", "home", "suspend", "quit", "help", "mouse", "search", "copy", "export"])
      expect(all).toContain(label);
    for (const frame of seen) expect(frame.split("\n")).toHaveLength(height - 1);
    await window.press("esc");
    expect(window.frame()).not.toMatch(/─ Keys ─/);
    expect(window.frame()).toMatch(/solx bookmarks/);
  });

  test("filters while typing, and runs what is chosen", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.press("?", "usage");
    await window.waitFor(/U +usage +open usage of the API key · go\.usage/);
    await window.press("enter");
    await window.waitFor(/bookmarks › usage/);
    await window.press("?", "bookmarks");
    await window.mouse("click", /B +bookmarks/);
    await window.waitFor(/usage › bookmarks/);
  });

  test("? closes it again, and is typed into a filter", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.press("?", "usage");
    expect(await window.waitFor(/U +usage/)).not.toMatch(/B +bookmarks/);
    await window.press("?");
    expect(window.frame()).toMatch(/› usage\?/);
    await window.press("esc");
    expect(window.frame()).not.toMatch(/─ Keys ─/);
    await window.press("?");
    await window.waitFor(/─ Keys ─[\s\S]*B +bookmarks/);
    await window.press("?");
    expect(window.frame()).toMatch(/^solx bookmarks(?![\s\S]*─ Keys ─)/);
  });

  test("is drawn in ASCII where nothing else can be", async () => {
    const window = renderExplorer({ route: BOOKMARKS, services: { unicode: false } });
    await window.press("?");
    expect(await window.waitFor(/\+- Keys -/)).not.toMatch(/[╭│─↑↓]/);
  });
});

describe("the header", () => {
  test("shows what is left of what is scarce, and the wait", async () => {
    const data = fakeData();
    const window = renderExplorer({ route: BOOKMARKS, data, width: 120 });
    await window.waitFor(/\? help/);
    const units = { remaining: 5_000_000, limit: 10_000_000, at: NOW };
    data.setQuota({ requests: { remaining: 900, limit: 1000 }, units });
    expect(await window.waitFor(/5M units/)).not.toMatch(/requests|waiting/);
    data.setQuota({ requests: { remaining: 12, limit: 1000 }, units, waitingUntil: NOW + 9000 });
    expect(await window.waitFor(/waiting 9s/)).toMatch(/12 requests/);
  });

  test("names the pages of the history, and opens a known mint as a token at once", async () => {
    const window = renderExplorer({ route: BOOKMARKS, width: 120 });
    await window.paste(USDC);
    await window.waitFor(/^solx bookmarks › token USDC /);
    await window.paste(WALLET);
    await window.waitFor(/^solx bookmarks › USDC › account 5Q54…e4j1 /);
  });
});

describe("without a key", () => {
  const identity = { ...fakeServices().identity, isSandbox: false, hasKey: false, profile: "default" };

  test("the popup offers the sandbox, continuing, and quitting", async () => {
    let count = 0;
    const toSandbox = () => {
      count += 1;
    };
    const window = renderExplorer({ route: BOOKMARKS, services: { identity, switchToSandbox: toSandbox } });
    const frame = await window.waitFor(/No API key/);
    expect(frame).toMatch(/auth login/);
    expect(frame).toMatch(/no key/);
    await window.press("s");
    expect(count).toBe(1);
    await window.press("enter");
    expect(window.frame()).not.toMatch(/No API key/);
  });
});

describe("the mouse", () => {
  test("clicking a hint runs its binding, clicking a breadcrumb goes back to it", async () => {
    const window = renderExplorer({ route: BOOKMARKS, width: 120 });
    await window.waitFor(/\? help/);
    await window.mouse("click", "help");
    await window.waitFor(/─ Keys ─/);
    await window.mouse("click", /close(?= *$)/);
    expect(window.frame()).not.toMatch(/─ Keys ─/);
    await window.press("U");
    await window.waitFor(/bookmarks › usage/);
    await window.mouse("click", "bookmarks");
    expect(await window.waitFor(/solx bookmarks/)).not.toMatch(/usage ›/);
    await window.mouse("click", "solx");
    expect(window.frame()).toMatch(/solx bookmarks/);
  });

  test("a click beside a popup closes it and does nothing else", async () => {
    const window = renderExplorer({ route: BOOKMARKS, width: 120 });
    await window.waitFor(/\? help/);
    await window.press("U", "?");
    await window.waitFor(/─ Keys ─/);
    await window.mouse("click", "Keys");
    expect(window.frame()).toMatch(/─ Keys ─/);
    await window.mouse("click", "bookmarks ›");
    expect(window.frame()).not.toMatch(/─ Keys ─/);
    expect(window.frame()).toMatch(/bookmarks › usage/);
  });

  test("dragging explains how to select text, once", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.waitFor(/\? help/);
    await window.press("\u001B[<0;5;5M", "\u001B[<0;9;5m", "\u001B[<0;5;6M", "\u001B[<0;9;6m");
    expect(window.toasts).toEqual(["Shift and drag to select text · m turns the mouse off"]);
  });

  test("its reports are not keys", async () => {
    const window = renderExplorer({ route: BOOKMARKS });
    await window.waitFor(/\? help/);
    await window.press("\u001B[<0;5;5M", "\u001B[<0;5;5m", "\u001B[<65;5;5M", "\u001B[<35;1;1M");
    expect(window.frame()).toMatch(/solx bookmarks/);
    expect(window.quits()).toBe(0);
  });
});
