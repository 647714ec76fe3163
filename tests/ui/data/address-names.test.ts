import { describe, expect, it } from "vitest";
import { createAddressNames } from "../../../src/ui/data/address-names.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WSOL = "So11111111111111111111111111111111111111112";
const BONK = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263";
const TOKEN = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

describe("names in answers", () => {
  it("are those of tokens and labelled accounts, at any depth", () => {
    const names = createAddressNames();
    names.learn([{ address: USDC, symbol: "USDC" }]);
    names.learn({ tokens: { [WSOL]: { token_address: WSOL, token_symbol: "SOL" } } });
    names.learn({ account_address: WALLET, account_label: "Market maker" });
    expect([USDC, WSOL, WALLET].map(names.of)).toEqual(["USDC", "wSOL", "Market maker"]);
    expect([...names.tokens().keys()]).toEqual([USDC, WSOL]);
    expect(names.of("So11111111111111111111111111111111111111111")).toBe("SOL");
  });

  it("are those of the mint, not of the token account beside it", () => {
    const names = createAddressNames();
    names.learn([{ address: WALLET, tokenAddress: BONK, symbol: "BONK" }]);
    names.learn([{ account_address: WALLET, token_symbol: "BONK" }]);
    names.learn([{ mintAddress: USDC, tokenSymbol: "USDC" }]);
    expect(names.of(WALLET)).toBeUndefined();
    expect([...names.tokens()]).toEqual([
      [BONK, "BONK"],
      [USDC, "USDC"],
    ]);
  });

  it("are one line of safe text, and ignored when empty or too long", () => {
    const names = createAddressNames();
    names.learn([{ address: TOKEN, symbol: "BO\u001B[2JNK\n" }]);
    expect(names.of(TOKEN)).toBe("BO‹U+001B›[2JNK");
    for (const symbol of ["", " \n", "x".repeat(10_000), 7, null]) {
      const others = createAddressNames();
      others.learn([{ address: TOKEN, symbol }]);
      expect(others.of(TOKEN)).toBeUndefined();
    }
  });

  it("resolve to their addresses, ignoring case", () => {
    const names = createAddressNames();
    names.learn([
      { address: USDC, symbol: "USDC" },
      { address: WALLET, symbol: "usdc" },
    ]);
    expect(names.addressesOf(" UsdC ")).toEqual([USDC, WALLET]);
    expect(names.addressesOf("wsol")).toEqual([WSOL]);
    expect(names.addressesOf("unknown")).toEqual([]);
  });

  it("of well-known tokens are always known, and resolve to the real one first", () => {
    const names = createAddressNames();
    expect(names.addressesOf("usdc")).toEqual([USDC]);
    names.learn([{ address: WALLET, symbol: "USDC" }]);
    names.learn([{ address: USDC, symbol: "USD" }]);
    expect(names.addressesOf("usdc")).toEqual([USDC, WALLET]);
    expect([names.of(USDC), names.of(WALLET)]).toEqual(["USDC", "USDC"]);
  });

  it("belong to addresses alone", () => {
    const names = createAddressNames();
    names.learn({ address: "constructor", symbol: "X" });
    expect([names.of("constructor"), names.of("__proto__")]).toEqual([undefined, undefined]);
  });

  it("are found in any value in bounded time", () => {
    const names = createAddressNames();
    const deep = Array.from({ length: 60 }).reduce<{ readonly [key: string]: unknown }>((inner) => ({ inner }), {
      address: TOKEN,
      symbol: "TKN",
    });
    names.learn(deep as never);
    names.learn(new Array(100_000).fill(null));
    expect(names.of(TOKEN)).toBeUndefined();
  });
});
