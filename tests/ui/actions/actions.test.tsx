/** The actions in the running explorer. */
import { describe, expect, test } from "vitest";
import { InterruptedError, UsageError } from "../../../src/base/errors.ts";
import type { Endpoint, ParameterValues } from "../../../src/catalogue/index.ts";
import { SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import type { ConnectedClient } from "../../../src/sources/index.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import type { Services } from "../../../src/ui/navigation/services.ts";
import type { Bookmark } from "../../../src/ui/navigation/view.ts";
import { answerOf, fakeData, fakeServices, renderExplorer } from "../support.tsx";

const TRANSFERS: Route = { kind: "endpoint", endpointRoute: "v2-account-transfer", params: { address: WALLET } };
const ROWS = [1, 2, 3].map((amount) => ({
  block_time: 1_720_000_000 + amount,
  trans_id: SIGNATURE,
  from_address: WALLET,
  to_address: USDC,
  token_address: USDC,
  amount,
  token_decimals: 0,
  flow: "in",
}));

/** The first page of a longer list. */
const FIRST_PAGE: Route = { ...TRANSFERS, params: { address: WALLET, page_size: 3 } };

/** Opens a list of transfers. */
async function transfers(services: Partial<Services> = {}, options: Parameters<typeof renderExplorer>[0] = {}) {
  const data = fakeData({ "v2-account-transfer": ROWS });
  const window = renderExplorer({ route: TRANSFERS, data, services, ...options });
  await window.waitFor(/3/);
  return window;
}

/** Returns the last notice, once there is one. */
async function lastNotice(window: { readonly toasts: readonly string[] }): Promise<string> {
  await expect.poll(() => window.toasts.length).toBeGreaterThan(0);
  return window.toasts.at(-1) ?? "";
}

describe("copying", () => {
  test("the menu lists what can be copied; a key copies it and reports it", async () => {
    const window = await transfers();
    await window.press("c");
    expect(await window.waitFor(/Copy/)).toMatch(/j +the row as JSON/);
    await window.press("i");
    expect(await lastNotice(window)).toBe(`Copied the identifier 5Q54…e4j1: ${WALLET}`);
    expect(window.frame()).not.toMatch(/the row as JSON/);
  });

  test("the cursor wraps, and Esc closes without copying", async () => {
    const window = await transfers();
    await window.press("c", "up", "esc");
    expect(window.toasts).toEqual([]);
    await window.press("c", "up", "up", "enter");
    expect(await lastNotice(window)).toMatch(/^Copied the solx command: solx --sandbox account transfer/);
  });

  test("text that cannot be copied is shown for manual selection", async () => {
    const copy = async () => ({ ok: false, message: "Not copied: no clipboard." });
    const window = await transfers({ copy });
    await window.press("c", "i");
    expect(await window.waitFor(/Not copied/)).toContain(`\n${WALLET}`);
    await window.press("esc");
    expect(window.frame()).not.toMatch(/Not copied/);
  });

  test("a failure is reported as a sentence", async () => {
    const window = await transfers();
    await window.press("c", "u");
    expect(await lastNotice(window)).toBe("There is no client in this test.");
  });
});

describe("the command", () => {
  test.each([60, 80, 200])("is shown whole in %i columns, and copied in one line", async (width) => {
    const window = await transfers({}, { width });
    await window.press("!");
    const screen = await window.waitFor(/solx command of this view/);
    const inside = [...screen.matchAll(/│ (.*?) *│/g)].map(([, text]) => text);
    expect(inside.join(" ").replace(/\\ /g, "")).toContain(`account transfer ${WALLET}`);
    await window.press("enter");
    expect(await lastNotice(window)).toContain(`solx --sandbox account transfer ${WALLET}`);
  });

  test("a page filter is listed as a change made on screen", async () => {
    const window = await transfers();
    await window.press("/", "i", "n", "enter", "!");
    expect(await window.waitFor(/solx command of this view/)).toMatch(/# only on screen: filter in/);
    await window.press("enter");
    expect(await lastNotice(window)).toContain("the command without the changes made on screen");
  });
});

describe("exporting", () => {
  test("the form shows scope, format and file; Enter saves and reports the row count", async () => {
    const files: [string, string][] = [];
    const save: Services["save"] = async (name, chunks) => {
      let text = "";
      for await (const chunk of chunks) text += chunk;
      files.push([name, text]);
      return `/home/me/${name}`;
    };
    const window = await transfers({ save });
    await window.press("e");
    expect(await window.waitFor(/these rows \(3\)/)).toMatch(/format +csv/);
    await window.press("enter");
    const notice = await lastNotice(window);
    const [name = "", text = ""] = files[0] ?? [];
    expect(notice).toBe(`Saved 3 rows: ${name} in /home/me`);
    expect(name).toMatch(/^account-transfer-5Q54e4j1-\d{8}-\d{6}\.csv$/);
    expect(text.trim().split("\n")).toHaveLength(4);
  });

  test("the name can be typed and pasted, and triggers no bindings", async () => {
    const names: string[] = [];
    const save: Services["save"] = async (name) => {
      names.push(name);
      throw new UsageError("x cannot be written: the disk is full.");
    };
    const window = await transfers({ save });
    await window.press("e", "up", "ctrl+u", "q", "c");
    await window.paste("x.csv\n");
    await window.waitFor(/qcx\.csv/);
    await window.press("enter");
    expect(await lastNotice(window)).toBe("x cannot be written: the disk is full.");
    expect([names, window.quits()]).toEqual([["qcx.csv"], 0]);
    expect(window.frame()).toMatch(/qcx\.csv/);
  });

  /** A client with three pages of a list, the last of which never arrives if it waits. */
  const pagedClient = (waits = false) => {
    const pages = async function* (
      endpoint: Endpoint,
      params: ParameterValues,
      { signal }: { readonly signal: AbortSignal },
    ) {
      for (const page of [1, 2, 3]) {
        if (waits && page === 3)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        const rows = [{ trans_id: `${page}`, amount: 1_500_000, token_decimals: 6 }];
        yield { rows, answer: answerOf({ endpoint, params }, rows), more: page < 3 };
      }
    };
    return { client: async () => ({ pages }) as unknown as ConnectedClient };
  };

  test("all rows are saved without leaving the explorer, after the cost was shown", async () => {
    let text = "";
    const save: Services["save"] = async (name, chunks) => {
      for await (const chunk of chunks) text += chunk;
      return `/home/me/${name}`;
    };
    const window = await transfers({ save, ...pagedClient() }, { route: FIRST_PAGE });
    await window.press("e", "left");
    expect(await window.waitFor(/all rows of the list/)).toMatch(/1 request, 100 units for each 100 rows/);
    expect(window.frame()).toMatch(/units +default: human in CSV and TSV/);
    await window.press("enter");
    expect(await lastNotice(window)).toMatch(/^Saved 3 rows: account-transfer-.*\.csv in \/home\/me/);
    expect(text).toMatch(/^.*amount.*\n(.*1\.5.*\n){3}$/);
  });

  test("Esc cancels an export, which leaves no file", async () => {
    let error: unknown;
    const save: Services["save"] = async (_name, chunks) => {
      try {
        for await (const _chunk of chunks) {
          // Read until it fails.
        }
      } catch (caught) {
        error = caught;
        throw caught;
      }
      return "";
    };
    const window = await transfers({ save, ...pagedClient(true) }, { route: FIRST_PAGE });
    await window.press("e", "left", "enter");
    await window.waitFor(/exported/);
    await window.press("esc");
    expect(await lastNotice(window)).toBe("Canceled: no file was written.");
    expect(error).toBeInstanceOf(InterruptedError);
  });

  test("without content, it says so", async () => {
    const window = renderExplorer({ route: { kind: "endpoint", endpointRoute: "v2-account-transfer", params: {} } });
    await window.press("e");
    expect(await lastNotice(window)).toBe("nothing to export here");
  });
});

describe("bookmarks and the browser", () => {
  test("the same key adds a bookmark, then asks before it changes anything", async () => {
    let bookmarks: readonly Bookmark[] = [];
    const memory = {
      ...fakeServices().memory,
      bookmarks: () => bookmarks,
      setBookmarks: async (next: readonly Bookmark[]) => {
        bookmarks = next;
      },
    };
    const window = await transfers({ memory });
    await window.press("b");
    expect(await lastNotice(window)).toMatch(/^Bookmarked account transfer 5Q54…e4j1/);
    expect(bookmarks[0]?.route).toMatchObject({ endpointRoute: "v2-account-transfer", params: { address: WALLET } });
    await window.press("b");
    await window.waitFor(/Bookmarked already[\s\S]*Update account transfer[\s\S]*Remove account transfer/);
    await window.press("esc", "b", "down", "down", "enter");
    await expect.poll(() => bookmarks.map(({ name }) => name.slice(-1))).toEqual(["1", "2"]);
    await window.press("b", "down", "enter");
    await expect.poll(() => bookmarks.map(({ name }) => name.slice(-1))).toEqual(["2"]);
  });

  test("the page of the view is opened, or its URL is shown", async () => {
    const window = await transfers();
    await window.press("o");
    expect(await lastNotice(window)).toMatch(/^Opened https:\/\/solscan\.io\//);
    const browse = async (url: string) => ({ ok: false, message: `No browser can be opened here: ${url}` });
    const blind = await transfers({ browse });
    await blind.press("o");
    expect(await blind.waitFor(/No browser/)).toMatch(/\nhttps:\/\/solscan\.io\//);
    await blind.press("c");
    expect(await lastNotice(blind)).toMatch(/^Copied the URL of the page: https/);
  });
});
