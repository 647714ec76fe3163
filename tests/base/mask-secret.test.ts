import { expect, it } from "vitest";
import { KEY_MASK, maskSecret } from "../../src/catalogue/index.ts";

const KEY = "sk-7Hq2Lr9XvTz4Nw8Pc3Yb";

it.each([
  ["the key", `no such token: ${KEY}.`, `no such token: ${KEY_MASK}.`],
  ["the key twice", `${KEY} ${KEY}`, `${KEY_MASK} ${KEY_MASK}`],
  ["upper case", KEY.toUpperCase(), KEY_MASK],
  ["the beginning of the key", `got ${KEY.slice(0, 14)}…`, `got ${KEY_MASK}…`],
  ["the end of the key", `…${KEY.slice(-12)}`, `…${KEY_MASK}`],
  ["hexadecimal digits", Buffer.from(KEY).toString("hex"), KEY_MASK],
  ["hexadecimal digits in upper case", Buffer.from(KEY).toString("hex").toUpperCase(), KEY_MASK],
  ["Base64", Buffer.from(KEY).toString("base64").slice(0, -2), KEY_MASK],
])("masks %s", (_, text, masked) => {
  expect(maskSecret(text, KEY)).toBe(masked);
});

it.each(["", "x", "xy", "user:"])("masks no less of Base64 behind %j than what depends on the key alone", (before) => {
  const text = Buffer.from(`${before}${KEY}`).toString("base64");
  const masked = maskSecret(text, KEY);
  expect(masked).toContain(KEY_MASK);
  expect(masked.replace(KEY_MASK, "").length).toBeLessThan(4 + (before.length * 4) / 3 + 4);
});

it("masks every part of twelve characters, wherever it starts", () => {
  for (let start = 0; start + 12 <= KEY.length; start += 1) {
    for (let before = 0; before < 12; before += 1) {
      const text = `${"#".repeat(before)}${KEY.slice(start, start + 12)}`;
      expect(maskSecret(text, KEY)).toBe("#".repeat(before) + KEY_MASK);
      expect(maskSecret(text.slice(0, -1), KEY)).toBe(text.slice(0, -1));
    }
  }
});

it("leaves other texts alone, and short keys", () => {
  expect(maskSecret(`starts with ${KEY.slice(0, 8)}`, KEY)).toBe(`starts with ${KEY.slice(0, 8)}`);
  expect(maskSecret("the api", "api")).toBe("the api");
  expect(maskSecret("İstanbul", KEY)).toBe("İstanbul");
});
