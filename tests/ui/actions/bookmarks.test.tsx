/** A bookmark is a view: opening it shows the same rows, in this session and in another one. */
import { expect, test } from "vitest";
import { WALLET } from "../../../src/catalogue/samples.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import type { Bookmark } from "../../../src/ui/navigation/view.ts";
import { SANDBOX_NOW, useSandbox } from "../../support/running-sandbox.ts";
import { fakeServices, renderExplorer } from "../support.tsx";

const sandbox = useSandbox();

const ACCOUNT: Route = { kind: "entity", entity: "account", id: WALLET };

/** Returns the screen below the breadcrumbs and above the footer, without the cost of the requests. */
const bodyOf = (frame: string) =>
  frame
    .split("\n")
    .slice(1, -1)
    .map((line) => line.replace(/\d+ requests?, \d+ units/, "").trimEnd());

/** Opens the explorer with the bookmarks of earlier sessions. */
function open(route: Route, stored: { bookmarks: readonly Bookmark[] }) {
  const memory = {
    ...fakeServices().memory,
    bookmarks: () => stored.bookmarks,
    setBookmarks: async (bookmarks: readonly Bookmark[]) => void Object.assign(stored, { bookmarks }),
  };
  const services = { memory, now: () => SANDBOX_NOW * 1000 };
  return renderExplorer({ route, client: sandbox.client, services, width: 120, height: 40 });
}

test.each<[string, readonly (readonly [keys: readonly string[], pattern: RegExp])[]]>([
  [
    "a tab, filtered by the API and sorted",
    [
      [["3"], /rows 1–/],
      [["h", "h", "s", "="], /✕/],
      [["j", "j"], /rows/],
    ],
  ],
  [
    "a later page with a filter of the screen",
    [
      [["7"], /rows 1–/],
      [["n"], /rows (?!1–)\d+–/],
      [["/so", "enter", "G"], /filter so/],
    ],
  ],
  [
    "a short table that is sorted",
    [
      [["1"], /SOL and/],
      [["l", "l", "s", "j", "j"], /[↑↓]/],
    ],
  ],
])("%s is there again after b, H, B and Enter", async (_name, steps) => {
  const stored = { bookmarks: [] as readonly Bookmark[] };
  const window = open(ACCOUNT, stored);
  await window.waitFor(/portfolio/);
  for (const [keys, pattern] of steps) {
    await window.press(...keys);
    await window.waitFor(pattern);
  }
  await expect.poll(() => window.frame()).not.toMatch(/Loading…/);
  const before = bodyOf(window.frame());
  await window.press("b", "H");
  await window.waitFor(/latest blocks/);
  await window.press("B", "enter");
  await expect.poll(() => bodyOf(window.frame())).toEqual(before);

  const later = { bookmarks: JSON.parse(JSON.stringify(stored.bookmarks)) as readonly Bookmark[] };
  const other = open({ kind: "page", page: "bookmarks" }, later);
  await other.waitFor(/Bookmarks +1/);
  await other.press("enter");
  await expect.poll(() => bodyOf(other.frame())).toEqual(before);
});
