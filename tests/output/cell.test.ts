import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, parseJson, toNumeric } from "../../src/base/json.ts";
import { KINDS, type Kind } from "../../src/catalogue/kinds.ts";
import { formatValue, sizeMark, summarizeValue } from "../../src/output/values/cell.ts";
import { MAX_NUMBER_WIDTH } from "../../src/output/values/number.ts";
import { anyJson, numberText, USDC, WALLET, WSOL } from "./helpers.ts";

const clock = { style: "iso", now: Date.UTC(2024, 6, 5), timeZone: "UTC" } as const;
const kinds = Object.keys(KINDS) as Kind[];
const show = (kind: Kind | undefined, value: Json | undefined, parent: Json = null, decimals?: string | number) => {
  const meta = kind && { kind, description: "", ...(decimals === undefined ? {} : { decimals }) };
  return formatValue(value, meta, parent, clock);
};
const text = (...args: Parameters<typeof show>) => show(...args).text;

describe("formatValue", () => {
  it("names the reason of a failure, without control characters", () => {
    const error = { message: "Instruction 1 failed", reason: "slippage\u001B[2J exceeded (6001)", value: null };
    expect(show("status", "Fail", { status: "Fail", error })).toMatchObject({
      text: "Fail: slippage‹U+001B›[2J exceeded (6001)",
      role: "bad",
    });
    expect(text("status", "Success", { status: "Success" })).toBe("Success");
  });

  it.each<[Kind, Json, string]>([
    ["address", WALLET, WALLET],
    ["slot", 275794898, "275794898"],
    ["lamports", 5000, "0.000005 SOL"],
    ["lamports", "61773386454", "61.773386454 SOL"],
    ["lamports", "-8297", "-0.000008297 SOL"],
    ["sol", 832.15, "832.15 SOL"],
    ["amount", 1569498.559462, "1,569,498.559462"],
    ["usd", 0.999807, "$0.999807"],
    ["percent", 2.776895, "2.78%"],
    ["change", 2.776895, "▲ 2.78%"],
    ["change", "-0.000075", "▼ 0.000075%"],
    ["change", 0, "0%"],
    ["ordinal", 368201943, "368201943"],
    ["count", 8091170, "8,091,170"],
    ["number", -1, "-1"],
    ["number", toNumeric("18446744073709551615"), "18446744073709551615"],
    ["number", 1e-7, "0.0000001"],
    ["unixTime", 1720171655, "2024-07-05T09:27:35Z"],
    ["unixTime", 0, "-"],
    ["unixTime", "1779020765", "2026-05-17T12:26:05Z"],
    ["isoTime", "2024-07-05T09:27:35.000Z", "2024-07-05T09:27:35Z"],
    ["isoTime", "2026-05-17T19:26:05", "2026-05-17T19:26:05"],
    ["date", 20240717, "2024-07-17"],
    ["status", "Success", "Success"],
    ["status", "Fail", "Fail"],
    ["status", 1, "Success"],
    ["status", "0", "Fail"],
    ["boolean", true, "yes"],
    ["boolean", false, "no"],
    ["enum", "ACTIVITY_SPL_TRANSFER", "transfer"],
    ["enum", "ACTIVITY_TOKEN_SWAP", "swap"],
    ["enum", "ACTIVITY_NFT_CANCEL_BID", "cancel bid"],
    ["enum", "in", "in"],
    ["text", "Wrapped SOL", "Wrapped SOL"],
    ["url", "javascript:alert(1)", "javascript:alert(1)"],
    ["json", { a: [1, null], b: null }, '{"a":[1,"-"]}'],
    ["enum", ["staker", "withdrawer"], "staker, withdrawer"],
  ])("formats %s %j as %s", (kind, value, formatted) => {
    expect(text(kind, value)).toBe(formatted);
  });

  it.each<[Kind, Json, string]>([
    ["lamports", "46351869103722921", "46.35M SOL"],
    ["sol", 832.156, "832.2 SOL"],
    ["amount", 1569498.559462, "1.569M"],
    ["tokenAmount", 1569498559462, "1.569T base units"],
    ["usd", 13262509852.55, "$13.26B"],
    ["percent", 0.000075, "<0.01%"],
    ["change", -0.000075, "▼ <0.01%"],
    ["count", 8091170, "8.091M"],
    ["number", 0.43592030221960093, "0.4359"],
    ["number", 390204414, "390204414"],
    ["slot", 390204414, "390204414"],
    ["ordinal", 12345, "12345"],
    ["date", 20240717, "2024-07-17"],
    ["text", "1234567", "1234567"],
  ])("formats %s %j in brief as %s", (kind, value, formatted) => {
    expect(formatValue(value, { kind, description: "" }, null, { ...clock, numbers: "brief" }).text).toBe(formatted);
  });

  it("colours changes by their direction", () => {
    expect([1.5, "-0.1", 0, "n/a"].map((change) => show("change", change).role)).toEqual([
      "good",
      "bad",
      undefined,
      undefined,
    ]);
  });

  it.each<[Kind, Json]>([
    ["unixTime", "soon"],
    ["count", "many"],
    ["usd", "n/a"],
    ["status", "Pending"],
    ["date", "July"],
    ["slot", "latest"],
    ["lamports", "1.2.3"],
  ])("prints an invalid %s as it is: %j", (kind, value) => {
    expect(text(kind, value)).toBe(value);
  });

  it("prints missing values as -", () => {
    for (const kind of [...kinds, undefined]) {
      for (const nothing of [undefined, null, "", [], {}]) expect(text(kind, nothing)).toBe("-");
    }
  });

  it("formats any value of any kind", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds, undefined), anyJson, anyJson, (kind, value, parent) => {
        const cell = show(kind, value, parent, "decimals");
        expect(cell.text).not.toBe("");
        expect(cell.text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(cell.text).not.toContain("[object");
      }),
      { numRuns: 500 },
    );
  });
});

describe("token amounts", () => {
  it.each<[Json, string]>([
    [0, "1,587,870,559"],
    [6, "1,587.870559"],
    [9, "1.587870559"],
    ["9", "1.587870559"],
    [18, "0.000000001587870559"],
  ])("with %j decimals: %s", (decimals, formatted) => {
    expect(text("tokenAmount", 1587870559, { token_decimals: decimals }, "token_decimals")).toBe(formatted);
  });

  it.each<Json>([null, "six", -1, 6.5, 256, 1e9, [], ""])("say base units when the decimals are %j", (decimals) => {
    const parent = { token_decimals: decimals };
    expect(text("tokenAmount", 1587870559, parent, "token_decimals")).toBe("1,587,870,559 base units");
  });

  it("have the decimals of a well-known token where only its mint is known", () => {
    const meta = { kind: "tokenAmount", description: "", token: "mint" } as const;
    const show = (mint: string) => formatValue(1587870559, meta, { mint }, clock).text;
    expect(show("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")).toBe("1,587.870559");
    expect(show("ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk")).toBe("1,587,870,559 base units");
  });

  it("say base units when the decimals are unknown", () => {
    expect(text("tokenAmount", 5, {}, "token_decimals")).toBe("5 base units");
    expect(text("tokenAmount", 5, null, undefined)).toBe("5 base units");
  });

  it("scale any 64-bit amount exactly", () => {
    const units = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(units, fc.nat({ max: 26 }), fc.boolean(), (amount, decimals, asText) => {
        const value = asText ? String(amount) : toNumeric(String(amount));
        const [whole = "", fraction = ""] = text("tokenAmount", value, { d: decimals }, "d").split(".");
        expect(BigInt(whole.replaceAll(",", "") + fraction.padEnd(decimals, "0"))).toBe(amount);
        expect(fraction.endsWith("0")).toBe(false);
      }),
    );
  });

  it("are rounded where they have too many decimals", () => {
    expect(text("tokenAmount", 1587870559, { d: 255 }, "d")).toBe("~0");
    expect(text("tokenAmount", toNumeric("1e300"), { d: 6 }, "d")).toBe("1e294");
    expect(text("tokenAmount", toNumeric("1e300"))).toBe("1e300 base units");
  });
});

describe("numbers", () => {
  const numbers = [
    "lamports",
    "tokenAmount",
    "amount",
    "sol",
    "usd",
    "percent",
    "change",
    "count",
    "slot",
    "ordinal",
    "number",
  ] as const;
  const monsters = fc.tuple(fc.bigInt(), fc.integer({ min: -99999, max: 99999 })).map(([n, e]) => `${n}e${e}`);
  const texts = fc.oneof(numberText, monsters, fc.bigInt({ min: 0n, max: 10n ** 400n }).map(String));

  it("of unknown meaning have all digits of an identifier, and an exponent beyond", () => {
    const brief = (value: string) =>
      formatValue(toNumeric(value), { kind: "number", description: "" }, {}, { ...clock, numbers: "brief" }).text;
    expect(brief("390204414123456")).toBe("390204414123456");
    expect(brief("18446744073709552000")).toBe("1.84e19");
    expect(show("number", toNumeric("18446744073709552000")).text).toBe("18446744073709552000");
  });

  it("have a maximum width", () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbers, undefined), texts, fc.integer({ min: -1, max: 300 }), (kind, n, d) => {
        const cell = show(kind, toNumeric(n), { d }, "d");
        const meta = kind && { kind, description: "", decimals: "d" };
        const brief = formatValue(toNumeric(n), meta, { d }, { ...clock, numbers: "brief" });
        expect(brief.text.replace(/ base units$| SOL$|%$/, "").length).toBeLessThanOrEqual(MAX_NUMBER_WIDTH);
        expect(cell.numeric).toBe(true);
        expect(cell.text.length).toBeLessThanOrEqual(MAX_NUMBER_WIDTH + " base units".length);
        expect(cell.text.replace(/ base units$| SOL$|%$/, "").length).toBeLessThanOrEqual(MAX_NUMBER_WIDTH);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("names that imitate others", () => {
  it("are marked with the reason", () => {
    expect(show("text", "USDТ")).toMatchObject({
      text: "⚠ USDТ",
      warning: '"USDТ" mixes Latin and Cyrillic letters',
    });
    expect(show("enum", "USDТ").warning).toBeUndefined();
  });

  it("are marked where a well-known symbol has another mint", () => {
    const fake = { text: "⚠ usdc", warning: '"usdc" belongs to another token' };
    expect(show("text", "usdc", { address: WALLET, symbol: "usdc" })).toMatchObject(fake);
    expect(show("text", "usdc", { token_address: WALLET })).toMatchObject(fake);
    expect(summarizeValue({ address: WALLET, symbol: "usdc" })).toMatchObject(fake);
    expect(show("text", "USDC", { address: USDC, symbol: "USDC" }).text).toBe("USDC");
    expect(show("text", "SOL", { token_address: WSOL }).text).toBe("wSOL");
    expect(show("text", "SOL", {}).text).toBe("SOL");
    expect(show("text", "USDC", { address: WALLET }).text).toBe("USDC");
  });

  it("are not marked where the address beside them is a token account", () => {
    expect(show("text", "USDC", { address: WALLET, symbol: "USDC", tokenAddress: USDC }).text).toBe("USDC");
    expect(show("text", "USDC", { tokenAddress: WALLET, symbol: "USDC", address: USDC }).text).toBe("⚠ USDC");
    expect(show("text", "USDC", { mintAddress: WALLET, tokenSymbol: "USDC" }).text).toBe("⚠ USDC");
  });
});

describe("identifiers", () => {
  it("are recognised for tables, also in lists and without a kind", () => {
    expect(show("address", WALLET).ids).toEqual([WALLET]);
    expect(show(undefined, WALLET).ids).toEqual([WALLET]);
    expect(show("address", [WALLET, USDC])).toEqual({ text: `${WALLET}, ${USDC}`, ids: [WALLET, USDC] });
    expect(show("address", "not an address").ids).toBeUndefined();
  });
});

describe("long values", () => {
  it("are cut, with their whole size", () => {
    expect(show("text", "x".repeat(10_240)).size).toBe(10_240);
    expect(show("text", "日".repeat(5000)).size).toBe(15_000);
    expect(show("json", parseJson(`[[${"1,".repeat(500_000)}1]]`)).text.length).toBeLessThan(5000);
    expect(show("text", "short").size).toBeUndefined();
    expect(show("text", new Array(5000).fill("log")).text).toMatch(/ \+4980 more$/);
  });

  it("deep nesting is no problem", () => {
    expect(text("json", parseJson(`${"[".repeat(60)}1${"]".repeat(60)}`))).toContain("[[[1]]]");
  });

  it.each([
    [999, "…(999 B)"],
    [1234, "…(1.2 kB)"],
    [1_200_000, "…(1.2 MB)"],
    [3e9, "…(3 GB)"],
  ])("%i bytes are %s", (bytes, mark) => {
    expect(sizeMark(bytes)).toBe(mark);
  });
});
