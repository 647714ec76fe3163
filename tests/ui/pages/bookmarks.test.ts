import { describe, expect, test } from "vitest";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { bookmarkRows, bookmarkTree } from "../../../src/ui/pages/bookmarks/rows.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Returns the recent pages, each as a line without repeated spaces. */
function recentLines(recent: readonly Route[]): readonly string[] {
  const rows = bookmarkRows([], recent, (address) => (address === USDC ? "USDC" : undefined));
  const lines = bookmarkTree(rows, () => undefined).map(({ line }) =>
    (typeof line === "function" ? line(100) : line)
      .map(({ text }) => text)
      .join("")
      .trim(),
  );
  return lines.slice(lines.indexOf("Recent pages  2") + 1, lines.indexOf("Recent pages  2") + 3);
}

describe("recent pages", () => {
  test("name a page and its identifier; without a name, the kind and the identifier once", () => {
    const recent: readonly Route[] = [
      { kind: "entity", entity: "token", id: USDC },
      { kind: "entity", entity: "block", id: "390204414" },
    ];
    expect(recentLines(recent).map((line) => line.replace(/ +/g, " "))).toEqual([
      `token USDC token ${USDC}`,
      "block 390204414",
    ]);
  });
});
