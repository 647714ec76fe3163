import { describe, expect, test } from "vitest";
import { NotFoundError } from "../../../src/base/errors.ts";
import { OTHER_SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { createNavigation, recordRecentRoutes } from "../../../src/ui/navigation/history.ts";
import { HOME, type Route } from "../../../src/ui/navigation/route.ts";
import type { CommandLines, ExplorerMemory } from "../../../src/ui/navigation/services.ts";
import type { Bookmark } from "../../../src/ui/navigation/view.ts";
import { fakeData, fakeServices, renderExplorer } from "../support.tsx";

const BOOKMARKS: Route = { kind: "page", page: "bookmarks" };
const account = (id: string): Route => ({ kind: "entity", entity: "account", id });

/** An explorer memory in memory. */
function memoryOf(bookmarks: readonly Bookmark[] = [], recent: readonly Route[] = []): ExplorerMemory {
  const stored = { bookmarks, recent };
  return {
    ...fakeServices().memory,
    bookmarks: () => stored.bookmarks,
    setBookmarks: async (bookmarks) => void Object.assign(stored, { bookmarks }),
    recent: () => stored.recent,
    setRecent: async (recent) => void Object.assign(stored, { recent }),
  };
}

const SIZES = [
  [60, 15],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

const MISSING = new NotFoundError("No such path.", { status: 404 });

describe("the palette", () => {
  test("opens a command that needs nothing at once", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":");
    await screen.waitFor("go to");
    await screen.press("tok trend");
    await screen.waitFor("token trending");
    await screen.press("enter");
    await screen.waitFor(/bookmarks › token trending/);
    expect(screen.frame()).not.toContain("go to");
  });

  test("lists tokens from answers by symbol, each with its mint", async () => {
    const data = fakeData();
    const bonk = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263";
    data.setName("BONK", bonk, WALLET);
    const screen = renderExplorer({ route: BOOKMARKS, data, width: 120 });
    await screen.press(":", "bon");
    const lines = await screen.waitFor(/BONK +⚠ belongs to another token 5Q544/);
    expect(lines).toMatch(new RegExp(`Tokens +BONK +${bonk}`));
    await screen.press("ctrl+u", "usdc");
    await screen.waitFor(new RegExp(`Tokens +USDC +${USDC} *│`));
    await screen.press("enter");
    await screen.waitFor(/› token USDC/);
  });

  test("a command asks for required values in its form, and validates them while typing", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":", "account transfer", "enter");
    await screen.waitFor(/open account transfer[\s\S]*›✗ address/);
    await screen.press("5Q54");
    await screen.waitFor("Validation Error: Address [5Q54] is invalid");
    await screen.press("enter");
    expect(screen.frame()).toContain("open account transfer");
    await screen.press("ctrl+u");
    await screen.paste(`https://solscan.io/account/${WALLET}\n`);
    await screen.press("down", "down", "space", "enter");
    await screen.waitFor(/› account transfer 5Q54…e4j1/);
  });

  test("fills in the entity of the current page", async () => {
    const screen = renderExplorer({ route: account(WALLET), data: fakeData() });
    await screen.press(":", "account portfolio", "enter");
    await screen.waitFor(new RegExp(`address +${WALLET}`));
  });

  test("keys pressed before it is drawn are typed into it", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":quq");
    await screen.waitFor("› quq");
    expect(screen.quits()).toBe(0);
  });

  test("a pasted address offers what it may identify", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":");
    await screen.paste(`\n${USDC}\n`);
    await screen.waitFor("Open as a token");
    await screen.press("down", "enter");
    await screen.waitFor(/› token USDC/);
  });

  test("a pasted command on several lines is one line", async () => {
    const screen = renderExplorer({ route: BOOKMARKS, width: 120 });
    await screen.paste(`solx account transfer \\\n  ${WALLET} \\\n  --flow in`);
    await screen.waitFor(`› solx account transfer ${WALLET} --flow in`);
    expect(screen.frame()).not.toContain("left out");
  });

  test("without input, there are recent pages, bookmarks, what the page can do, and pages, each once named", async () => {
    const memory = memoryOf([{ name: "Cold wallet", route: account(WALLET) }], [account(USDC)]);
    const screen = renderExplorer({ route: { kind: "page", page: "leaderboard" }, services: { memory } });
    await screen.press(":");
    const frame = await screen.waitFor(/a name, an identifier, a command or an action/);
    const groups = [...frame.matchAll(/^│ (Recent|Bookmarks|Actions|Pages|Open|Commands) /gm)].map(
      ([, group]) => group,
    );
    expect(groups).toEqual(["Recent", "Bookmarks", "Actions", "Pages", "Open"]);
    expect(frame).not.toMatch(/theme|legacy/);
    await screen.press("x");
    expect(screen.frame()).not.toContain("a name, an identifier");
  });

  test("a typed signature opens its transaction", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":", OTHER_SIGNATURE, "enter");
    await screen.waitFor(/› transaction /);
  });

  test("a mistyped command is explained, and Enter corrects it", async () => {
    const correction = { message: 'unknown command "hodlers"', hint: "Did you mean this?", lines: ["token holders"] };
    const lines: CommandLines = {
      interpret: async () => undefined,
      correct: async (line) => (line === "hodlers" ? correction : undefined),
      complete: async (line) => ({ start: line, candidates: [] }),
      find: async () => ({ commands: [], note: undefined }),
      open: async () => BOOKMARKS,
    };
    const screen = renderExplorer({ route: BOOKMARKS, services: fakeServices({ lines }) });
    await screen.press(":", "hodlers");
    const frame = await screen.waitFor(/unknown command "hodlers"/);
    expect(frame).toMatch(/Did you mean this\?/);
    expect(frame).toMatch(/Complete +token holders/);
    await screen.press("enter");
    await screen.waitFor(/› token holders *│/);
    await screen.waitFor(/Commands +token holders/);
    expect(screen.frame()).not.toContain("unknown command");
  });

  test("a question lists the commands that answer it, and why one is missing", async () => {
    const lines: CommandLines = {
      interpret: async () => undefined,
      correct: async () => undefined,
      find: async () => ({ commands: ["token holders", "account leaderboard"], note: "Needs a node." }),
      complete: async (line) => ({ start: line, candidates: [] }),
      open: async () => BOOKMARKS,
    };
    const screen = renderExplorer({ route: BOOKMARKS, services: fakeServices({ lines }) });
    await screen.press(":", "who owns most of it");
    expect(await screen.waitFor(/Commands +token holders/)).toMatch(/Needs a node\./);
    await screen.press("enter");
    await screen.waitFor(/open token holders/);
  });

  test("conditions of a question fill the form of what answers it, and select the rows of its list", async () => {
    const questions: string[] = [];
    const lines: CommandLines = {
      interpret: async () => undefined,
      correct: async () => undefined,
      find: async (question) => {
        questions.push(question);
        return { commands: ["account leaderboard", "account transfer", "account transactions"], note: undefined };
      },
      complete: async (line) => ({ start: line, candidates: [] }),
      open: async () => BOOKMARKS,
    };
    const data = fakeData({ "v2-account-transfer": [], "v2-account-transactions": [] });
    const services = fakeServices({ lines });
    const screen = renderExplorer({ route: account(WALLET), services, data, width: 120, height: 40 });
    await screen.press(":", "transfers > 1000 last 7d");
    await screen.waitFor(/Commands +account transfer +value = 1000\.\., from_time = 7d/);
    expect(questions).toContain("transfers");
    await screen.press("enter");
    await screen.waitFor(/open account transfer[\s\S]* value +1000\.\./);
    await screen.press("enter");
    await screen.waitFor(/value [^\n]*✕/);
    await screen.press(":", "failed transactions");
    await screen.waitFor(/Commands +account transactions +status = Fail/);
    await screen.press("enter");
    await screen.waitFor("open account transactions");
    await screen.press("enter");
    await screen.waitFor(/status = Fail/);
  });

  test("runs an action of the page by its name", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":", "quit");
    await screen.waitFor(/Actions +quit +quit the explorer +q Ctrl-C/);
    await screen.press("enter");
    await expect.poll(screen.quits).toBe(1);
  });

  test("Esc closes it, and the page is unchanged", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    const before = screen.frame();
    await screen.press(":", "acc tra");
    await screen.waitFor("› acc tra");
    await screen.press("esc");
    await expect.poll(screen.frame).toBe(before);
  });

  test("a form takes a symbol for a mint", async () => {
    const screen = renderExplorer({ route: BOOKMARKS, width: 120 });
    await screen.press(":", "token meta", "enter");
    await screen.waitFor(/open token meta/);
    await screen.press("ctrl+u", "Bonk", "enter");
    await screen.waitFor(/› token BONK/);
  });

  test.each([
    ["validators", "with a node: --rpc"],
    ["compare", "in lists, after Space has marked two rows; by name: compare jup bonk"],
    ["failed", "in lists of transactions"],
  ])("%s is found where it is not possible, and says where it is", async (text, where) => {
    const screen = renderExplorer({ route: BOOKMARKS, width: 140 });
    await screen.press(":", text);
    await screen.waitFor(`only ${where}`);
  });

  test("a kind of entity lists what there is of it", async () => {
    const screen = renderExplorer({ route: BOOKMARKS, width: 120 });
    await screen.press(":", "block", "enter");
    await screen.waitFor(/› block last/);
  });

  test("Tab completes the selected line", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.press(":", "acc tra", "tab");
    await screen.waitFor("› account transfer");
    await screen.press(WALLET, "enter");
    await screen.waitFor(/› account 5Q54…e4j1/);
  });

  const FOUND = { address: USDC, symbol: "USDC", name: "USD Coin", decimals: 6, price: 1, market_cap: 5e10 };

  test.each([
    [
      "the search",
      { "v2-token-search": { total: 1, items: [{ ...FOUND, is_verified: true }] } },
      /EPjF…Dt1v {2}verified/,
    ],
    ["the list of a server without a search", { "v2-token-search": MISSING, "v2-token-list": [FOUND] }, /EPjF…Dt1v/],
  ])("a symbol is searched in %s, and only that sends a request", async (_, answers, about) => {
    const data = fakeData(answers);
    const screen = renderExplorer({ route: BOOKMARKS, data });
    await screen.press(":", "usdc");
    await screen.waitFor("search tokens for usdc");
    expect(data.requests).toEqual([]);
    await screen.press("up", "enter");
    await screen.waitFor("USDC · USD Coin");
    expect(screen.frame()).toMatch(about);
    await screen.press("enter");
    await screen.waitFor(/› token USDC/);
  });

  test("bookmarks and recent pages are found", async () => {
    const memory = memoryOf([{ name: "Cold wallet", route: account(WALLET) }], [account(USDC)]);
    const screen = renderExplorer({ route: BOOKMARKS, services: { memory } });
    await screen.press(":");
    await screen.waitFor(/Bookmarks +Cold wallet +account 5Q54/);
    expect(screen.frame()).toMatch(/Recent +USDC +account EPjFWdd5A/);
    await screen.press("cold", "enter");
    await screen.waitFor(/› account /);
  });

  test.each(SIZES)("fits into %i × %i with any content", async (width, height) => {
    const screen = renderExplorer({ route: BOOKMARKS, width, height });
    const visit = () => {
      const lines = screen.frame().split("\n");
      expect(lines.length).toBeLessThan(height);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    };
    await screen.press(":");
    await screen.waitFor("go to");
    visit();
    await screen.press("tok", "up");
    visit();
    await screen.press("ctrl+u", "account transfer", "enter");
    await screen.waitFor("open account transfer");
    await screen.press("x".repeat(300));
    visit();
  });
});

describe("recent routes", () => {
  test("every visited route, newest first, each once, without pages such as home", () => {
    const memory = memoryOf();
    const navigation = createNavigation(HOME);
    const end = recordRecentRoutes({ navigation, services: fakeServices({ memory }) });
    navigation.open(account("a"));
    navigation.open(account("b"));
    navigation.open(BOOKMARKS);
    navigation.open(account("a"));
    expect(memory.recent()).toEqual([account("a"), account("b")]);
    end();
    navigation.open(account("c"));
    expect(memory.recent()).toHaveLength(2);
  });

  test("a replaced route, such as the next block, replaces the recorded one", () => {
    const memory = memoryOf();
    const navigation = createNavigation(HOME);
    const end = recordRecentRoutes({ navigation, services: fakeServices({ memory }) });
    navigation.open(account("a"));
    navigation.open(account("b"));
    navigation.replace(account("c"));
    navigation.replace(account("d"));
    expect(memory.recent()).toEqual([account("d"), account("a")]);
    end();
  });
});

describe("the bookmarks", () => {
  const two = [
    { name: "first", route: account("a") },
    { name: "second", route: account("b") },
  ];

  test("without bookmarks it says how to add one", async () => {
    const screen = renderExplorer({ route: BOOKMARKS });
    await screen.waitFor("No bookmarks yet.");
    expect(screen.frame()).toContain("bookmark the current page");
  });

  test("a bookmark is opened, and going back restores the cursor", async () => {
    const memory = memoryOf(two);
    const screen = renderExplorer({ route: BOOKMARKS, services: { memory } });
    await screen.press("j", "enter");
    await screen.waitFor(/bookmarks › account b/);
    await screen.press("[");
    await screen.waitFor("Bookmarks  2");
    await screen.press("d");
    await expect.poll(memory.bookmarks).toEqual([two[0]]);
  });

  test("a deleted bookmark can be restored in its position", async () => {
    const memory = memoryOf(two);
    const screen = renderExplorer({ route: BOOKMARKS, services: { memory } });
    await screen.press("d");
    await screen.waitFor("Deleted first · u undo");
    expect(memory.bookmarks()).toEqual([two[1]]);
    await screen.press("u");
    await expect.poll(memory.bookmarks).toEqual(two);
  });

  test("a bookmark is renamed", async () => {
    const memory = memoryOf(two);
    const screen = renderExplorer({ route: BOOKMARKS, services: { memory } });
    await screen.press("R", "ctrl+u", "q is fine", "enter");
    await expect.poll(() => memory.bookmarks()[0]).toEqual({ name: "q is fine", route: account("a") });
    await screen.press("R", "x");
    await screen.waitFor("q is finex");
    await screen.press("esc");
    await screen.waitFor(/q is fine /);
    expect(memory.bookmarks()[0]?.name).toBe("q is fine");
    expect(screen.quits()).toBe(0);
  });

  test("a recent page becomes a bookmark", async () => {
    const memory = memoryOf(two, [account("c")]);
    const screen = renderExplorer({ route: BOOKMARKS, services: { memory } });
    await screen.waitFor("Recent pages");
    await screen.press("G", "b");
    await expect.poll(() => memory.bookmarks().at(-1)).toEqual({ name: "account c", route: account("c") });
  });

  test("a hostile name is displayed safely", async () => {
    const memory = memoryOf([{ name: "x\u001B[2J\u202Ey", route: account("a") }]);
    const screen = renderExplorer({ route: BOOKMARKS, services: { memory } });
    expect(screen.frame()).toContain("x‹U+001B›[2J‹U+202E›y");
  });
});
