/** Copy choices, pages of the public explorer, and text for manual selection. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/base/json.ts";
import { endpointByRoute, webPageUrl } from "../../../src/catalogue/index.ts";
import { JUPITER, NFT_COLLECTION, POOL, SIGNATURE, SLOT, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { breakText, listCopyChoices } from "../../../src/ui/actions/copy.tsx";
import { webPageOfView } from "../../../src/ui/actions/view-actions.tsx";
import type { Subject } from "../../../src/ui/navigation/context.ts";
import { ENTITY_KINDS } from "../../../src/ui/navigation/entity-pages.ts";
import { HOME, type Route } from "../../../src/ui/navigation/route.ts";

const endpoint = endpointByRoute("v2-account-transfer");
if (!endpoint) throw new Error("no transfers");
const request = { endpoint, params: { address: WALLET } };
const place: Route = { kind: "endpoint", endpointRoute: endpoint.route, params: request.params };
const sources = { command: () => "solx account transfer", curl: async () => "curl x" };

const keysOf = (subject: Subject | undefined, at: Route = place) =>
  listCopyChoices(at, subject, sources).map(({ key }) => key);
const copied = async (key: string, subject: Subject) => {
  const choice = listCopyChoices(place, subject, sources).find((choice) => choice.key === key);
  return choice && { what: choice.description, text: await choice.text() };
};

describe("copy choices", () => {
  const row = { amount: parseJson("18446744073709551615"), memo: "a\u001B[2Jb\nc" };

  test("only available choices are offered", () => {
    expect(keysOf(undefined, HOME)).toEqual(["s"]);
    expect(keysOf({ request, rows: [] })).toEqual(["i", "s", "u"]);
    const cell = { field: "amount", value: 1, kind: "amount" } as const;
    expect(keysOf({ request, rows: [row], row, marked: [row], cell })).toEqual(["v", "j", "f", "m", "i", "s", "u"]);
    expect(keysOf({ request, row })).toEqual(["j", "f", "i", "s", "u"]);
    expect(keysOf({ cell: { field: "memo", value: null, kind: "text" } }, HOME)).toEqual(["s"]);
  });

  test("an identifier is copied whole, even when it is shortened on screen", async () => {
    const cell = { field: "from_address", value: WALLET, kind: "address" } as const;
    expect(await copied("v", { cell })).toEqual({ what: "the address 5Q54…e4j1", text: WALLET });
  });

  test("numbers keep their digits, text its characters", async () => {
    const of = (value: Subject["row"]) => copied("v", { cell: { field: "x", value: value ?? null, kind: undefined } });
    expect((await of(row.amount))?.text).toBe("18446744073709551615");
    expect((await of(row.memo))?.text).toBe("a\u001B[2Jb\nc");
    expect((await of([1, { a: 2 }]))?.text).toBe('[1,{"a":2}]');
  });

  test("JSON is exact, on one line, and safe to paste into a terminal", async () => {
    const json = await copied("j", { rows: [row], row });
    expect(json?.text).toBe('{"amount":18446744073709551615,"memo":"a\\u001b[2Jb\\nc"}');
    expect((await copied("f", { rows: [row, row] }))?.text.split("\n")).toHaveLength(3);
  });

  test("field names from the chain are displayed safely in the menu", () => {
    const cell = { field: "a\u001B[2J", value: "b\u0007", kind: "text" } as const;
    for (const { label, description: what } of listCopyChoices(HOME, { cell }, sources))
      expect(label + what).not.toMatch(/[\u001B\u0007]/);
  });
});

describe("pages of the public explorer", () => {
  test.each([
    ["account", WALLET, `account/${WALLET}`],
    ["token", USDC, `token/${USDC}`],
    ["transaction", SIGNATURE, `tx/${SIGNATURE}`],
    ["block", String(SLOT), `block/${SLOT}`],
    ["market", POOL, `account/${POOL}`],
    ["program", JUPITER, `account/${JUPITER}`],
    ["collection", NFT_COLLECTION, `collection/${NFT_COLLECTION}`],
  ] as const)("a %s", (thing, id, path) => {
    expect(webPageUrl(thing, id)).toBe(`https://solscan.io/${path}`);
  });

  test("any value yields a URL of the public explorer or none", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENTITY_KINDS), fc.string({ unit: "binary" }), (thing, id) => {
        const url = webPageUrl(thing, id);
        if (url) expect(url).toMatch(/^https:\/\/solscan\.io\/[a-z]+\/[0-9A-Za-z]+$/);
      }),
    );
    const cell = { field: "uri", value: "javascript:alert(1)", kind: "url" } as const;
    expect(webPageOfView(HOME, { cell })).toBe("https://solscan.io/");
  });

  test("the cell comes first, then the row's transaction, then the route", () => {
    const row = { from_address: WALLET, trans_id: SIGNATURE, amount: 1 };
    const amount = { field: "amount", value: 1, kind: "amount" } as const;
    const from = { field: "from_address", value: WALLET, kind: "address" } as const;
    const thing: Route = { kind: "entity", entity: "token", id: USDC };
    expect(webPageOfView(thing, { request, rows: [row], row, cell: from })).toContain(`/account/${WALLET}`);
    expect(webPageOfView(thing, { request, rows: [row], row, cell: amount })).toContain(`/tx/${SIGNATURE}`);
    expect(webPageOfView(thing, { row })).toContain(`/token/${USDC}`);
    expect(webPageOfView(place, undefined)).toContain(`/account/${WALLET}`);
    expect(webPageOfView({ kind: "page", page: "usage" }, undefined)).toBeUndefined();
  });
});

describe("text for manual selection", () => {
  test("safe text is complete, in lines that are not too wide", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,300}$/), fc.integer({ min: 1, max: 100 }), (text, width) => {
        const lines = breakText(text, width);
        expect(lines.join("")).toBe(text);
        expect(lines.every((line) => line.length <= width)).toBe(true);
      }),
    );
  });

  test("a megabyte on one line is split in linear time", () => {
    const text = "x".repeat(1_000_000);
    expect(breakText(text, 80)).toHaveLength(12_500);
  });

  test("each line of the text starts a line, and is safe to display", () => {
    expect(breakText("one\ntwo\n", 80)).toEqual(["one", "two"]);
    expect(breakText("a\u001B[2Jb", 80).join("")).not.toContain("\u001B");
  });
});
