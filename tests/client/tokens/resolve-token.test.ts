/** Tokens by symbol: what is built in, what is searched, and what is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, NotFoundError, parseJson } from "../../../src/base/index.ts";
import {
  type Endpoint,
  endpointByRoute,
  isAddress,
  NATIVE_SOL,
  USDC,
  WELL_KNOWN_TOKENS,
  WRAPPED_SOL,
} from "../../../src/catalogue/index.ts";
import { KNOWN_TOKENS } from "../../../src/chain/world/data/tokens.ts";
import { type Answer, type ClientCore, isTokenSymbol, resolveToken, TokenResolver } from "../../../src/client/index.ts";

const OTHER = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
const MINT = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

const token = (changes: JsonObject = {}): JsonObject => ({
  address: MINT,
  symbol: "PHOTO",
  name: "Photo",
  decimals: 4,
  holder: 7,
  is_verified: true,
  ...changes,
});

/** A client whose search returns these tokens; `keywords` are what was searched. */
function searchOf(items: readonly JsonObject[], meta: JsonObject = {}) {
  const keywords: unknown[] = [];
  const fetch = async (endpoint: { readonly path: string }, params: Readonly<Record<string, unknown>> = {}) => {
    if (endpoint.path === "/token/search") keywords.push(params.keyword);
    const data = endpoint.path === "/token/search" ? { total: items.length, items } : meta;
    return { data, rows: endpoint.path === "/token/search" ? items : undefined } as unknown as Answer;
  };
  return { keywords, client: { fetch: fetch as ClientCore["fetch"] } };
}

describe("well-known tokens", () => {
  it("are those of the sandbox, with the same mints and decimals", () => {
    const simulated = KNOWN_TOKENS.map(({ address, decimals }) => [address, decimals]);
    const missing = [...WELL_KNOWN_TOKENS.values()].filter(
      ({ mint, decimals }) => !simulated.some((one) => one[0] === mint && one[1] === decimals),
    );
    expect(missing.map(({ symbol }) => symbol)).toEqual(["SOL"]);
    expect([...WELL_KNOWN_TOKENS.keys()].every(isAddress)).toBe(true);
  });

  it("are resolved in any case, with or without $, and without a request", async () => {
    const { client, keywords } = searchOf([]);
    for (const { symbol, mint, decimals } of WELL_KNOWN_TOKENS.values()) {
      for (const text of [symbol, symbol.toLowerCase(), `$${symbol.toUpperCase()}`, ` "${symbol}" `]) {
        const resolved = await resolveToken(client, text, { accepts: "asset" });
        expect(resolved, text).toMatchObject({ mint, decimals, source: "well-known" });
      }
    }
    expect(keywords).toEqual([]);
  });

  it("SOL is native SOL as an asset, and wrapped SOL as a mint", async () => {
    const { client } = searchOf([]);
    expect((await resolveToken(client, "sol", { accepts: "asset" })).mint).toBe(NATIVE_SOL);
    expect((await resolveToken(client, "sol")).mint).toBe(WRAPPED_SOL);
  });
});

describe("an address", () => {
  it("is taken as it is, also from a link, without a request", async () => {
    const { client, keywords } = searchOf([]);
    expect(await resolveToken(client, OTHER)).toEqual({ mint: OTHER, source: "address" });
    expect(await resolveToken(client, USDC)).toMatchObject({ mint: USDC, decimals: 6, source: "address" });
    expect((await resolveToken(client, `https://solscan.io/token/${OTHER}`)).mint).toBe(OTHER);
    expect(keywords).toEqual([]);
  });

  it("is never taken for a symbol, nor are other identifiers", () => {
    for (const text of [
      OTHER,
      "281844070",
      "toly.sol",
      "https://x.example/usdc",
      "0x52908400098527886E0F7030069857D2E4169EE7",
    ])
      expect(isTokenSymbol(text), text).toBe(false);
    for (const text of ["", "So11…1112", OTHER.slice(0, 30), "two words", "$", "a,b"])
      expect(isTokenSymbol(text), text).toBe(false);
  });
});

describe("other symbols", () => {
  it("are searched: the only token, or the only verified one", async () => {
    const alone = searchOf([token({ is_verified: false })]);
    expect(await resolveToken(alone.client, "$photo")).toEqual({
      mint: MINT,
      symbol: "PHOTO",
      decimals: 4,
      source: "search",
      isVerified: false,
      namesakes: 0,
    });
    expect(alone.keywords).toEqual(["photo"]);
    const { client } = searchOf([token(), token({ address: OTHER, is_verified: false })]);
    expect(await resolveToken(client, "photo")).toMatchObject({ mint: MINT, isVerified: true, namesakes: 1 });
  });

  it("are refused when several tokens have them and none stands out", async () => {
    const states = fc.array(fc.boolean(), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(states, async (verified) => {
        const items = verified.map((is_verified, at) => token({ is_verified, address: at === 0 ? MINT : OTHER }));
        const outcome = await resolveToken(searchOf(items).client, "photo").catch((error: unknown) => error);
        if (verified.filter(Boolean).length === 1)
          expect(outcome).toMatchObject({ source: "search", isVerified: true });
        else {
          expect(outcome).toMatchObject({ exitCode: 2, code: "AMBIGUOUS_SYMBOL" });
          expect((outcome as { candidates: unknown[] }).candidates).toHaveLength(verified.length);
        }
      }),
    );
  });

  it("with letters that look like Latin ones are refused, unless verified", async () => {
    const symbol = "US\u0414C";
    const fake = searchOf([token({ symbol, is_verified: false })]);
    await expect(resolveToken(fake.client, symbol)).rejects.toMatchObject({
      code: "AMBIGUOUS_SYMBOL",
      candidates: [{ address: MINT, is_verified: false, holder: 7 }],
    });
    expect(await resolveToken(searchOf([token({ symbol })]).client, symbol)).toMatchObject({
      mint: MINT,
      imitation: "mixes Latin and Cyrillic letters",
    });
  });

  it("that imitate a well-known one are refused, in any letters, and marked where verified", async () => {
    for (const symbol of ["B0NK", "USD\u0421", "\u0405OL", "ＪＵＰ", "ÚSDC"]) {
      await expect(
        resolveToken(searchOf([token({ symbol, is_verified: false })]).client, symbol),
        symbol,
      ).rejects.toMatchObject({ code: "AMBIGUOUS_SYMBOL" });
      const verified = await resolveToken(searchOf([token({ symbol })]).client, symbol);
      expect([symbol, verified.imitation]).toEqual([symbol, expect.stringMatching(/looks like|letters/)]);
    }
    expect(await resolveToken(searchOf([token()]).client, "photo")).not.toHaveProperty("imitation");
  });

  it("are refused when no token has exactly this symbol", async () => {
    for (const items of [[], [token({ symbol: "PHOTOS" })]])
      await expect(resolveToken(searchOf(items).client, "photo")).rejects.toMatchObject({
        exitCode: 2,
        code: "UNKNOWN_SYMBOL",
      });
  });

  it("are refused by servers without a search, and other failures are passed on", async () => {
    const failing = (error: Error) => ({ fetch: (() => Promise.reject(error)) as ClientCore["fetch"] });
    await expect(resolveToken(failing(new NotFoundError("No path.", { status: 404 })), "photo")).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
      hint: "Give the mint of the token.",
    });
    const broken = new Error("broken");
    await expect(resolveToken(failing(broken), "photo")).rejects.toBe(broken);
  });
});

describe("parameters", () => {
  const transfers = endpointByRoute("v2-account-transfer") as Endpoint;
  const holders = endpointByRoute("v2-token-holders") as Endpoint;
  const resolve = (endpoint: Endpoint, params: JsonObject, source = searchOf([token()], { decimals: 3 })) =>
    new TokenResolver(source.client).resolveParameters(endpoint, params);

  it("have mints in place of symbols, each searched once", async () => {
    const source = searchOf([token()]);
    const notes: string[] = [];
    const resolver = new TokenResolver(source.client, { onResolved: (text) => void notes.push(text) });
    for (const value of ["photo,usdc", ["photo", "USDC"]]) {
      const { token: mints } = await resolver.resolveParameters(transfers, { address: OTHER, token: value });
      expect([mints].flat().join()).toBe(`${MINT},${USDC}`);
    }
    expect([source.keywords, notes]).toEqual([["photo"], ["photo"]]);
  });

  it.each([
    [{ token: USDC, amount: "1.5usdc.." }, ["1500000", "18446744073709551615"]],
    [{ token: USDC, amount: "..2 usdc" }, ["0", "2000000"]],
    [{ token: USDC, amount: "1..2usdc" }, ["1000000", "2000000"]],
    [{ token: "bonk", amount: "1.5..2ui" }, ["150000", "200000"]],
    [{ token: "photo", amount: "1..2ui" }, ["1000", "2000"]],
    [{ token: USDC, amount: "5..6" }, "5..6"],
    [{ token: USDC, amount: ["5", 6] }, ["5", 6]],
  ] as const)("%j have the amount %j", async (params, amount) => {
    expect((await resolve(transfers, { address: OTHER, ...(params as JsonObject) })).amount).toEqual(amount);
  });

  it("take the token from the amount, unless it is another one", async () => {
    expect(await resolve(transfers, { amount: "1usdc.." })).toMatchObject({ token: USDC });
    const conflicts = [
      { token: "bonk", amount: "1usdc.." },
      { token: "bonk,usdc", amount: "1..2ui" },
      { amount: "1ui.." },
    ];
    for (const params of conflicts)
      await expect(resolve(transfers, params)).rejects.toMatchObject({ exitCode: 2, code: "INVALID_AMOUNT" });
    await expect(resolve(holders, { address: "jup", from_amount: "1usdc" })).rejects.toMatchObject({ exitCode: 2 });
    expect(await resolve(holders, { address: "usdc", from_amount: "1usdc" })).toMatchObject({ from_amount: "1000000" });
  });

  it("are refused with too many digits, or without known decimals", async () => {
    await expect(resolve(transfers, { amount: "1.2345678usdc.." })).rejects.toMatchObject({
      message: 'invalid value "1.2345678usdc" for amount: expected at most 6 decimals, as USDC has',
    });
    const unknown = searchOf([], parseJson("{}") as JsonObject);
    await expect(resolve(transfers, { token: OTHER, amount: "1ui.." }, unknown)).rejects.toMatchObject({
      exitCode: 2,
      code: "UNKNOWN_DECIMALS",
    });
  });
});
