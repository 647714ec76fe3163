import { describe, expect, it } from "vitest";
import { detectLookalike } from "../../src/catalogue/lookalike.ts";

describe("detectLookalike", () => {
  it.each([
    ["USDТ", "mixes Latin and Cyrillic letters"],
    ["UЅDC", "mixes Latin and Cyrillic letters"],
    ["Βitcoin", "mixes Greek and Latin letters"],
    ["USDՏ", "mixes Latin and Armenian letters"],
    ["ᎢᎬᏞᎪ", "has Cherokee letters"],
    ["ꓴꓢꓓꓚ", "has Lisu letters"],
    ["ТЕТНЕР", "has Cyrillic letters that look Latin"],
    ["ΒΤΝ", "has Greek letters that look Latin"],
    ["ＵＳＤＣ", "has letters in a style that looks like plain ones"],
    ["𝐔𝐒𝐃𝐂", "has letters in a style that looks like plain ones"],
    ["ⅩRP", "has letters in a style that looks like plain ones"],
    ["ÚSDC", "looks like USDC, a token"],
    ["B0NK", "looks like BONK, a token"],
    ["USDC\u2800", "looks like USDC, a token"],
  ])("flags %s", (name, reason) => {
    expect([reason, reason.replace(/(\w+) and (\w+)/, "$2 and $1")]).toContain(detectLookalike(name));
  });

  it.each([
    "USDC",
    "Wrapped SOL",
    "Bōryoku Dragonz",
    "Москва рубль",
    "Ελληνικά",
    "日本Coin",
    "PEPE币",
    "비트코인 BTC",
    "猫ねこネコ",
    "दोज",
    "🐕 DOGE",
    "naïve™",
    "$WIF ½ ②",
    "$WIF",
    "501",
    "",
  ])("accepts %s", (name) => {
    expect(detectLookalike(name)).toBeUndefined();
  });
});
