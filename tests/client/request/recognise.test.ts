import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHints } from "../../../src/base/index.ts";
import { recognise } from "../../../src/client/index.ts";
import { SIGNATURE, USDC, WALLET } from "../servers.ts";

/** The hint at a command line. */
const hintOf = (text: string) => toHints(recognise(text).hint).command ?? "";

describe("recognise", () => {
  it.each([
    [WALLET, "address", WALLET, undefined],
    [SIGNATURE, "signature", SIGNATURE, undefined],
    ["281844070", "slot", "281844070", undefined],
    [`  '${USDC}' `, "address", USDC, undefined],
    [`https://solscan.io/token/${USDC}#holders`, "address", USDC, "token"],
    [`https://solscan.io/account/${WALLET}?x=/tx/1`, "address", WALLET, "account"],
    [`solscan.io/tx/${SIGNATURE}`, "signature", SIGNATURE, "transaction"],
    ["https://solscan.io/block/281844070", "slot", "281844070", "block"],
    ["3790".repeat(16), "hash", "3790".repeat(16), undefined],
    [`https://solscan.io/collection/${"c0ff".repeat(16)}`, "hash", "c0ff".repeat(16), undefined],
    [`https://example.com/anything/${WALLET}`, "address", WALLET, undefined],
    ["https://solscan.io/", "url", "https://solscan.io/", undefined],
    ["https://solscan.io/token/none", "url", "https://solscan.io/token/none", undefined],
    [`0x${"0".repeat(40)}`, "evm", `0x${"0".repeat(40)}`, undefined],
    ["bonfida.sol", "domain", "bonfida.sol", undefined],
    ["", "unknown", "", undefined],
    ["nothing!", "unknown", "nothing!", undefined],
  ])("%s is %s %s (%s)", (text, kind, value, target) => {
    expect(recognise(text)).toMatchObject({ kind, value, ...(target && { target }) });
    if (!target) expect(recognise(text).target).toBeUndefined();
  });

  it("returns a hint for everything that cannot be used", () => {
    for (const text of ["", "nothing!", "0x".padEnd(42, "a"), "toly.sol", "https://solscan.io", WALLET.slice(2)]) {
      expect(hintOf(text)).toMatch(/\w+.*\.$/);
    }
  });

  it("explains how to find the mint of a symbol", () => {
    for (const text of ["USDC", "BONK", "$WIF", "bonk"])
      expect(hintOf(text)).toContain(`solx token search ${text.replace("$", "")}`);
    for (const text of [WALLET.slice(0, 12), "nothing!"]) expect(hintOf(text)).not.toMatch(/symbol/);
  });

  it("distinguishes several identifiers from an invalid one", () => {
    for (const gap of ["\r\n", "\r", " "])
      expect(hintOf(`${WALLET}${gap}${USDC}\n`)).toBe("These are 2 identifiers: use one at a time.");
    expect(hintOf(`${WALLET} x`)).toContain("is not base58");
  });

  it("recognises an identifier that a table shortened", () => {
    for (const text of ["3iS3…a3io", "So11…1112", "So11...1112", "5Q549…ge4j1"]) {
      expect(hintOf(text)).toMatch(/shortened to fit a table.*-o json/);
    }
    for (const text of ["3iS3…", "…", "a b…c"]) expect(hintOf(text)).toContain("is not base58");
  });

  it("never throws, and never accepts an invalid address", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
        const { kind, value } = recognise(text);
        if (kind === "address") expect(base58.decode(value)).toHaveLength(32);
        if (kind === "signature") expect(base58.decode(value)).toHaveLength(64);
      }),
    );
  });
});
