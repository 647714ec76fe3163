import { describe, expect, test } from "vitest";
import { NetworkError } from "../../../src/base/errors.ts";
import { parseKeyName, readCustomKeys } from "../../../src/ui/navigation/keys/read-custom-keys.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const TOKENS: Route = { kind: "endpoint", endpointRoute: "v2-token-list", params: {} };
const ROWS = [
  { address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", symbol: "USDC", price: 1 },
  { address: "So11111111111111111111111111111111111111112", symbol: "SOL", price: 150 },
];

describe("custom keys", () => {
  test("work and appear in footer and help; the default keys no longer work", async () => {
    const read = readCustomKeys(
      { "list.filter": ["f", "ctrl+f"], "account.funder": null, "solx.quit": null, "go.home": "Ctrl-G" },
      [{ key: "alt+t", open: "token trending" }],
    );
    expect(read.problems).toEqual([]);
    const places = new Map<string, Route>([["token trending", { kind: "page", page: "leaderboard" }]]);
    const services = {
      customization: { keys: read, hotkeyRoutes: places, theme: undefined, styles: {}, problems: [] },
    };
    const window = renderExplorer({ route: TOKENS, data: fakeData({ "v2-token-list": ROWS }), services });
    await window.waitFor(/f filter/);
    await window.press("/", "q");
    expect(window.quits()).toBe(0);
    await window.press("fUSDC", "enter");
    expect(await window.waitFor(/USDC/)).not.toMatch(/SOL/);
    await window.press("?");
    await window.waitFor(/─ Keys ─/);
    await window.press("filter rows");
    await window.waitFor(/f Ctrl-F +filter +filter rows .* · list\.filter/);
    await window.press("ctrl+u", "quit");
    await window.waitFor(/Ctrl-C +quit/);
    expect(window.frame()).not.toMatch(/q Ctrl-C/);
    await window.press("esc");
    await window.waitFor(/^(?![\s\S]*─ Keys ─)/);
    await window.press("ctrl+g");
    await window.waitFor(/^solx home/);
    await window.press("\u001Bt");
    await window.waitFor(/home › leaderboard/);
  });

  test("are used in key hints, which omit actions without a key", async () => {
    const read = readCustomKeys({ "view.refresh": "ctrl+r", "list.form": null, "view.cancel": "x" }, undefined);
    const services = {
      customization: { keys: read, hotkeyRoutes: new Map(), theme: undefined, styles: {}, problems: [] },
    };
    const data = fakeData({ "v2-token-list": new NetworkError("connect ECONNREFUSED.") });
    const window = renderExplorer({ route: TOKENS, data, services });
    expect(await window.waitFor("The API cannot be reached")).toContain("Ctrl-R retry");
    data.setAnswers({ "v2-token-list": ROWS });
    await window.press("ctrl+r");
    await window.waitFor(/USDC/);
    await window.press("/nothing", "enter");
    expect(await window.waitFor(/No rows match the filters: nothing/)).toMatch(/^ *x clear filter *$/m);
  });

  test("of one action are removed from another, which is reported when it has no key left", () => {
    const { problems } = readCustomKeys({ "view.copy": "s", "list.mark": "v", "move.down": "J" }, undefined);
    expect(problems).toEqual([
      "key s is assigned to view.copy, which leaves no key for list.sort; set one, or null",
      "key s is assigned to view.copy, which leaves no key for chart.compare; set one, or null",
      "key v is assigned to list.mark, which leaves no key for list.preview; set one, or null",
      "key J is assigned to move.down, which leaves no key for detail.json; set one, or null",
      "key J is assigned to move.down, which leaves no key for account.objects; set one, or null",
    ]);
    expect(readCustomKeys({ "view.copy": "s", "list.sort": "Y", "chart.compare": null }, undefined).problems).toEqual(
      [],
    );
    const freed = { "chart.numbers": null, "list.failed": null };
    expect(readCustomKeys({ "list.sort": "x", "detail.json": "x", ...freed }, undefined).problems).toEqual([]);
    expect(readCustomKeys({ "list.sort": "x", "list.form": "x", ...freed }, undefined).problems).toEqual([
      "key x is assigned to list.sort and list.form; change one of them",
    ]);
  });

  test.each([
    [{ "list.fliter": "f" }, /unknown action "list.fliter"; did you mean list.filter\?/],
    [{ filter: "f" }, /did you mean list.filter\?/],
    [{ "list.filter": "ctrl+alt+delete" }, /list.filter: invalid key "ctrl\+alt\+delete"/],
    [{ "list.filter": 3 }, /invalid key 3/],
    ["f", /"keys" must be an object/],
  ])("%j is reported, and the rest is applied", (settings, message) => {
    const { problems, keys } = readCustomKeys(settings, [{ key: "T" }]);
    expect(problems[0]).toMatch(message);
    expect(problems[1]).toMatch(/hotkeys 1 /);
    expect(keys.size).toBe(0);
  });

  test("are parsed from many spellings", () => {
    const written = [
      "Ctrl-T",
      "ctrl+t",
      "C",
      "PgDn",
      "Escape",
      " ",
      "alt+X",
      "ctrl+i",
      "F1",
      "",
      "shift+tab",
      "ctrl+PgUp",
    ];
    const names = ["ctrl+t", "ctrl+t", "C", "pagedown", "esc", "space", "alt+X", "tab"];
    expect(written.map(parseKeyName)).toEqual([...names, undefined, undefined, "shift+tab", "ctrl+pageup"]);
  });

  test("problems of the file are shown at start", async () => {
    const services = {
      customization: {
        keys: readCustomKeys(undefined, undefined),
        hotkeyRoutes: new Map(),
        theme: undefined,
        styles: {},
        problems: ["One.", "Two."],
      },
    };
    const window = renderExplorer({ route: TOKENS, data: fakeData({ "v2-token-list": ROWS }), services });
    expect(await window.waitFor(/One\./)).toMatch(/Two\./);
    await window.press("x");
    expect(window.frame()).not.toMatch(/One\./);
  });

  test("always keep a key to quit", () => {
    const { keys } = readCustomKeys({ "solx.quit": null }, undefined);
    expect(keys.get("solx.quit")).toEqual(["ctrl+c"]);
  });
});
