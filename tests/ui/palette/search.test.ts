import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../../src/catalogue/index.ts";
import { NFT_COLLECTION, OTHER_SIGNATURE, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { createNames } from "../../../src/output/index.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import { listCandidates } from "../../../src/ui/palette/candidates.ts";
import { searchKnownNames, searchTokens } from "../../../src/ui/palette/names.ts";
import { paletteLines } from "../../../src/ui/palette/palette-lines.ts";
import { initialPaletteState, paletteReducer } from "../../../src/ui/palette/palette-state.ts";
import {
  answerPrompt,
  defaultAnswer,
  entitiesInView,
  nextPrompt,
  type Prompt,
  suggestIdentifiers,
} from "../../../src/ui/palette/prompt.ts";
import { searchCandidates } from "../../../src/ui/palette/search.ts";
import { textField } from "../../../src/ui/widgets/text-field.ts";
import { fakeServices } from "../support.tsx";

const NOW = Date.UTC(2026, 10, 21, 12);
const OTHER_MARKET = "8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj";
const SLOT = "385804412";
const account: Route = { kind: "entity", entity: "account", id: WALLET };

const { source, supports } = fakeServices();

const all = listCandidates({
  source,
  supports,
  bindings: [{ keys: ["r"], label: "refresh", group: "data", run: () => {} }],
  bookmarks: [{ name: "My treasury", route: { kind: "entity", entity: "token", id: USDC } }],
  recent: [account],
  unicode: true,
  customization: undefined,
  nameOf: () => undefined,
});
const offer = (text: string) => searchCandidates(text, all, { source, supports, now: () => NOW }).candidates;
const titles = (text: string) => offer(text).map(({ kind, title }) => `${kind} ${title}`);
const opened = (text: string) =>
  offer(text).flatMap(({ action: effect }) => (effect.type === "open" ? [effect.route] : []));
const promptFor = (route: string): Prompt => {
  const endpoint = endpoints.find((one) => one.route === route);
  const results = endpoint && nextPrompt(endpoint);
  if (!results) throw new Error(route);
  return results;
};

describe("search results", () => {
  test("every command is found by its own words, first", () => {
    for (const { command } of endpoints) expect(titles(command)[0]).toBe(`endpoint ${command}`);
  });

  test("every command is found by its aliases and its route", () => {
    for (const { command, group, aliases = [], route, family } of endpoints) {
      expect(titles(route)).toContain(`endpoint ${command}`);
      const own = family === "legacy" ? [] : aliases.map((alias) => `${group} ${alias}`);
      for (const alias of own) expect(titles(alias).slice(0, 10)).toContain(`endpoint ${command}`);
    }
  });

  test.each([
    NFT_COLLECTION,
    `collection ${NFT_COLLECTION}`,
    `nft ${NFT_COLLECTION}`,
    `https://solscan.io/collection/${NFT_COLLECTION}`,
  ])("%s opens the collection", (text) => {
    expect(opened(text)).toEqual([{ kind: "entity", entity: "collection", id: NFT_COLLECTION }]);
  });

  test.each([
    [`tx ${OTHER_SIGNATURE}`, { kind: "entity", entity: "transaction", id: OTHER_SIGNATURE }],
    [`mint ${USDC}`, { kind: "entity", entity: "token", id: USDC }],
    [`pool ${USDC}`, { kind: "entity", entity: "market", id: USDC }],
  ])("%s opens an entity by a word for its kind", (text, route) => {
    expect(opened(text)[0]).toEqual(route);
  });

  test.each([
    ["acc tra", "endpoint account transfer"],
    ["tok hold", "endpoint token holders"],
    ["trending", "endpoint token trending"],
    ["leader", "page leaderboard"],
    ["home", "page home"],
    ["usage", "page usage"],
    ["wallet", "entity account"],
    ["refresh", "action refresh"],
    ["treasury", "bookmark My treasury"],
  ])("%s finds the %s first", (text, first) => {
    expect(titles(text)[0]).toBe(first);
  });

  test("an address may identify several entities, and every command with an address accepts it", () => {
    expect(
      opened(WALLET)
        .slice(0, 5)
        .map((place) => (place.kind === "entity" ? place.entity : "")),
    ).toEqual(["account", "token", "program", "market", "collection"]);
    expect(opened(WALLET)).toContainEqual({
      kind: "endpoint",
      endpointRoute: "v2-account-transfer",
      params: { address: WALLET },
    });
  });

  test("signatures, slots and links open their entities", () => {
    expect(opened(OTHER_SIGNATURE)[0]).toEqual({ kind: "entity", entity: "transaction", id: OTHER_SIGNATURE });
    expect(opened(SLOT)[0]).toEqual({ kind: "entity", entity: "block", id: SLOT });
    expect(opened(`https://explorer.example/token/${USDC}?x=1`)[0]).toEqual({
      kind: "entity",
      entity: "token",
      id: USDC,
    });
    expect(opened(`  "${USDC}"\u200b`)[0]).toEqual({ kind: "entity", entity: "account", id: USDC });
  });

  test("words beside an identifier filter what accepts it", () => {
    expect(opened(`token ${USDC}`)[0]).toEqual({ kind: "entity", entity: "token", id: USDC });
    expect(opened(`tok hold ${USDC}`)[0]).toMatchObject({
      endpointRoute: "v2-token-holders",
      params: { address: USDC },
    });
    expect(opened(`${WALLET} portfolio`)[0]).toMatchObject({ endpointRoute: "v2-account-portfolio" });
    expect(opened(`block ${SLOT}`)[0]).toMatchObject({ entity: "block" });
  });

  test("a command with its identifier comes before entities and commands with longer names", () => {
    for (const command of ["token meta", "token price", "account transfer", "token list", "account detail"]) {
      const places = opened(`${command} ${USDC}`);
      const endpoint = endpoints.find((one) => one.command === command);
      if (endpoint?.query.address) expect(places[0]).toMatchObject({ kind: "endpoint", endpointRoute: endpoint.route });
    }
  });

  test("legacy endpoints come after current ones, unless the query names them", () => {
    for (const text of ["token", "account tra", "block", "transactions", "holders", `transfer ${WALLET}`]) {
      const results = offer(text).filter(({ kind }) => kind === "endpoint");
      const isOld = results.map(({ title }) => title.startsWith("legacy "));
      expect(isOld).toEqual(isOld.toSorted());
    }
    expect(titles("legacy token list")[0]).toBe("endpoint legacy token list");
    expect(titles("leg tok lis")[0]).toBe("endpoint legacy token list");
  });

  test("an unsupported identifier is explained", () => {
    expect(
      searchCandidates("0x52908400098527886E0F7030069857D2E4169EE7", all, { source, supports, now: () => NOW }).note,
    ).toContain("EVM");
    expect(searchCandidates("someone.sol", all, { source, supports, now: () => NOW }).note).toContain(
      "Domain names are not resolved",
    );
  });

  test.each([
    [`${USDC.slice(0, 8)}0${USDC.slice(9)}`, 'Character 9, "0" (zero), is not base58.'],
    [USDC.slice(0, 21), "It decodes to 16 bytes (21 characters); an address has 32 bytes"],
    [`${USDC}v`, "It decodes to 33 bytes (45 characters); an address has 32 bytes"],
    ["EPjF…Dt1v", "This identifier was shortened to fit a table."],
  ])("the damaged identifier %s is explained, alone and behind a word", (text, hint) => {
    for (const line of [text, `token ${text}`]) {
      const { candidates, note } = searchCandidates(line, all, { source, supports, now: () => NOW });
      expect(note).toContain(`"${text}": not a recognised address, signature, slot, link or command. ${hint}`);
      expect(candidates.map(({ kind }) => kind)).not.toContain("search");
    }
  });

  test("an order is found by its words, their beginnings, and among other words", () => {
    const byVolume = "endpoint token list-v2 --sort-by volume_7d";
    for (const text of ["volume 7d", "vol7d", "v 7d", "top tokens by volume 7d"])
      expect(titles(text)[0], text).toBe(byVolume);
    expect(opened("vol7d")[0]).toEqual({
      kind: "endpoint",
      endpointRoute: "v2-token-list-v2",
      params: { sort_by: "volume_7d" },
    });
    expect(titles("volume of jup 7d")).not.toContain(byVolume);
    expect(titles("volume").filter((title) => title.includes("--sort-by"))).toEqual([]);
  });

  test("a name may be that of a token", () => {
    expect(titles("BONK").at(-1)).toBe("search search tokens for BONK");
  });

  test("accepts any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        expect(offer(text).length).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe("prompting for required values", () => {
  test("invalid answers are reported with the API message and what they are instead", () => {
    const prompt = promptFor("v2-account-transfer");
    expect(answerPrompt(prompt, "5Q54", NOW).problem?.message).toContain("Address [5Q54] is invalid");
    expect(answerPrompt(prompt, OTHER_SIGNATURE, NOW).problem?.hint).toContain("a transaction signature");
    expect(answerPrompt(prompt, ` https://x.example/account/${WALLET} `, NOW).route).toEqual({
      kind: "endpoint",
      endpointRoute: "v2-account-transfer",
      params: { address: WALLET },
    });
  });

  test("several required values are prompted for one after another", () => {
    let now = promptFor("account-export-transactions");
    const prompt: string[] = [now.name];
    for (const answer of [WALLET, "all", "7d"]) {
      const next = answerPrompt(now, answer, NOW).prompt;
      if (!next) throw new Error(`no question after ${answer}`);
      now = next;
      prompt.push(now.name);
    }
    expect(prompt).toEqual(["account", "type", "fromTime", "toTime"]);
    expect(answerPrompt(now, "now", NOW).route).toMatchObject({
      params: { account: WALLET, type: "all", fromTime: "7d", toTime: "now" },
    });
  });

  test("lists accept several values", () => {
    expect(answerPrompt(promptFor("v2-token-price-multi"), `${USDC}, ${WALLET}`, NOW).route).toMatchObject({
      params: { address: [USDC, WALLET] },
    });
  });

  test("a known identifier of the expected kind is filled in", () => {
    const hand = entitiesInView({ kind: "entity", entity: "token", id: USDC }, undefined);
    expect(defaultAnswer(promptFor("v2-token-holders"), hand)).toBe(USDC);
    expect(defaultAnswer(promptFor("v2-account-transfer"), hand)).toBe(USDC);
    expect(defaultAnswer(promptFor("v2-transaction-detail"), hand)).toBe("");
    expect(defaultAnswer(promptFor("v2-token-holders"), entitiesInView(account, undefined))).toBe("");
  });

  test("the cell of the cursor comes before the route", () => {
    const cell = { field: "token_address", value: USDC, kind: "address" } as const;
    const hand = entitiesInView(account, { cell });
    expect(defaultAnswer(promptFor("v2-token-holders"), hand)).toBe(USDC);
    expect(defaultAnswer(promptFor("v2-account-transfer"), hand)).toBe(WALLET);
  });

  test("known identifiers that fit are suggested, each once", () => {
    const places: Route[] = [account, { kind: "entity", entity: "block", id: SLOT }, account];
    const results = suggestIdentifiers(promptFor("v2-account-transfer"), [], places, NOW);
    expect(results).toEqual([{ entity: "account", id: WALLET }]);
  });

  test("only identifiers of the expected kind are suggested, tokens and programs also as accounts", () => {
    const ids: Route[] = [
      { kind: "entity", entity: "program", id: USDC },
      { kind: "entity", entity: "market", id: OTHER_MARKET },
      { kind: "entity", entity: "block", id: SLOT },
      { kind: "entity", entity: "collection", id: "c0ffee" },
      account,
    ];
    const suggested = (prompt: Prompt | undefined) =>
      prompt ? suggestIdentifiers(prompt, [], ids, NOW).map(({ entity: thing }) => thing) : [];
    expect(suggested(promptFor("v2-nft-collection-items"))).toEqual(["collection"]);
    expect(suggested(promptFor("v2-account-transfer"))).toEqual(["account", "program", "market"]);
    expect(suggested(promptFor("v2-market-info"))).toEqual(["market"]);
    const type = answerPrompt(promptFor("account-export-transactions"), WALLET, NOW).prompt;
    expect(suggested(type)).toEqual([]);
  });
});

describe("the palette state", () => {
  test("a changed text resets the selection, moving the cursor does not", () => {
    let state = paletteReducer(initialPaletteState("tok"), { type: "move", by: 3, count: 10 });
    expect(state.selected).toBe(3);
    state = paletteReducer(state, { type: "key", key: "home" });
    expect(state.selected).toBe(3);
    expect(paletteReducer(state, { type: "text", text: "e" }).selected).toBe(0);
  });

  test("the selection wraps, also without results", () => {
    fc.assert(
      fc.property(fc.nat(50), fc.integer({ min: -100, max: 100 }), (count, by) => {
        const { selected } = paletteReducer(initialPaletteState(), { type: "move", by, count });
        expect(selected).toBeGreaterThanOrEqual(0);
        expect(selected).toBeLessThan(Math.max(1, count));
      }),
    );
  });
});

describe("rendering", () => {
  test("fills its region exactly, and shows the selected line", () => {
    const size = fc.record({ width: fc.integer({ min: 56, max: 200 }), height: fc.integer({ min: 8, max: 40 }) });
    fc.assert(
      fc.property(
        size,
        fc.constantFrom("", "a", "tok", WALLET, "0x52908400098527886E0F7030069857D2E4169EE7"),
        (size, text) => {
          const { candidates, note } = searchCandidates(text, all, { source, supports, now: () => NOW });
          const messages = note === undefined ? [] : [{ text: note, role: "warning" as const }];
          for (const selected of [0, Math.floor(candidates.length / 2), candidates.length - 1]) {
            const view = { field: textField(text), placeholder: "", messages, candidates, selected };
            const lines = paletteLines(view, size, true);
            expect(lines).toHaveLength(size.height);
            for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(size.width);
            if (candidates[selected])
              expect(lines.some((line) => line.some(({ cursor: on }) => on === "row"))).toBe(true);
          }
        },
      ),
    );
  });
});

describe("tokens of a name", () => {
  const rows = [
    { address: USDC, symbol: "USDC", name: "USD Coin", price: 1, market_cap: 5e10 },
    { address: WALLET, symbol: "USDС", name: "USD\u202e Coin", price: null },
    { address: WALLET, symbol: "WIF", name: "dogwifhat" },
    { address: 5, symbol: "USDC" },
    null,
  ];
  const results = (prompt: string) => searchTokens(rows, prompt, { style: "relative", now: NOW });

  test("exact symbols first; names count too", () => {
    expect(results("usdc").map(({ title }) => title)).toEqual(["USDC · USD Coin"]);
    expect(results("usd")).toHaveLength(2);
    expect(results("DogWif")[0]?.action).toEqual({
      type: "open",
      route: { kind: "entity", entity: "token", id: WALLET },
    });
    expect(results("nothing")).toEqual([]);
  });

  test("the well-known token comes first and unmarked, known or found", () => {
    const names = createNames();
    names.learn({ address: WALLET, symbol: "USDC" });
    const known = searchKnownNames(names, "usdc");
    expect(known.map(({ about }) => about.includes("⚠"))).toEqual([false, true]);
    expect(known[0]?.about).toContain(USDC);
    const both = [{ address: WALLET, symbol: "USDC", name: "USD" }, ...rows];
    const listed = searchTokens(both, "usdc", { style: "relative", now: NOW });
    expect(listed.map(({ about }) => about.includes("⚠"))).toEqual([false, true]);
    expect(searchKnownNames(createNames(), "sol").map(({ title }) => title)).toEqual(
      expect.arrayContaining(["wSOL", "mSOL", "bSOL", "JupSOL", "JitoSOL"]),
    );
  });

  test("a lookalike is marked, and its name is displayed safely", () => {
    const [, twin] = results("usd");
    expect(twin?.about).toContain("⚠");
    expect(twin?.title).toContain("‹U+202E›");
  });
});
