import { base32nopad, base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { PLATFORMS } from "../../src/catalogue/constants.ts";
import { JUPITER, NFT_COLLECTION, PUMPSWAP, USDC, WHIRLPOOL, WRAPPED_SOL } from "../../src/catalogue/samples.ts";
import { isAddress } from "../../src/catalogue/validate.ts";
import { COLLECTIONS } from "../../src/chain/world/data/collections.ts";
import {
  HOSTILE_COLLECTIONS,
  HOSTILE_EXTENSIONS,
  HOSTILE_META,
  HOSTILE_TEXTS,
  LONG_SYMBOL,
  LOOKALIKE_TOKENS,
} from "../../src/chain/world/data/hostile.ts";
import {
  arweaveUri,
  createMemeName,
  createSymbol,
  ipfsUri,
  SPAM_TOKENS,
  TOKEN_THEMES,
} from "../../src/chain/world/data/names.ts";
import { EXCHANGES, USER_DOMAINS, VALIDATORS } from "../../src/chain/world/data/profiles.ts";
import { PLATFORM_FACTS, PROGRAMS } from "../../src/chain/world/data/programs.ts";
import { KNOWN_TOKENS } from "../../src/chain/world/data/tokens.ts";
import { Random } from "../../src/chain/world/random.ts";

const MAX_SUPPLY = 2n ** 63n - 1n;
const unique = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

describe("programs and platforms", () => {
  it("have unique addresses of 32 bytes", () => {
    const addresses = Object.values(PROGRAMS).map(({ address }) => address);
    expect(addresses.filter((address) => !isAddress(address))).toEqual([]);
    expect(unique(addresses)).toBe(true);
    expect(unique(Object.values(PROGRAMS).map(({ name }) => name))).toBe(true);
    expect(addresses).toEqual(expect.arrayContaining([JUPITER, WHIRLPOOL, PUMPSWAP]));
  });

  it("include the platforms of all programs and of the catalogue", () => {
    const ids = PLATFORM_FACTS.map(({ id }) => id);
    expect(unique(ids)).toBe(true);
    expect(ids).toEqual(expect.arrayContaining([...PLATFORMS]));
    for (const { platform } of Object.values(PROGRAMS)) if (platform !== undefined) expect(ids).toContain(platform);
    for (const { website } of PLATFORM_FACTS) expect(new URL(website).protocol).toBe("https:");
  });
});

describe("well-known tokens", () => {
  it("have valid mints and authorities, and unique mints and symbols", () => {
    expect(KNOWN_TOKENS.length).toBeGreaterThanOrEqual(35);
    for (const { address, mintAuthority = USDC, freezeAuthority = USDC } of KNOWN_TOKENS) {
      expect([address, mintAuthority, freezeAuthority].filter((text) => !isAddress(text))).toEqual([]);
    }
    expect(unique(KNOWN_TOKENS.map(({ address }) => address))).toBe(true);
    expect(unique(KNOWN_TOKENS.map(({ symbol }) => symbol))).toBe(true);
  });

  it("have supplies that fit 63 bits, some beyond 2^53, and plausible prices and decimals", () => {
    for (const { address, decimals, supply, price, metadata, icon = "" } of KNOWN_TOKENS) {
      expect(supply <= MAX_SUPPLY && (supply > 0n || address === WRAPPED_SOL)).toBe(true);
      expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 18).toBe(true);
      expect(price).toBeGreaterThan(0);
      expect(new URL(String(metadata?.website)).protocol + new URL(icon).protocol).toBe("https:https:");
    }
    expect(KNOWN_TOKENS.some(({ supply }) => supply > BigInt(Number.MAX_SAFE_INTEGER))).toBe(true);
    expect(KNOWN_TOKENS.filter(({ extensions }) => extensions).map(({ symbol }) => symbol)).toEqual(["PYUSD"]);
  });
});

describe("names", () => {
  it("suffice for four hundred tokens with symbols and decimals from 0 to 18", () => {
    const names = TOKEN_THEMES.flatMap(({ heads, tails }) =>
      heads.flatMap((head) => tails.map((tail) => `${head} ${tail}`)),
    );
    expect(names.length).toBeGreaterThan(400);
    for (const name of names) expect(createSymbol(name)).toMatch(/^[A-Za-z]{2,10}$/);
    const decimals = TOKEN_THEMES.flatMap((theme) => theme.decimals);
    expect([Math.min(...decimals), Math.max(...decimals)]).toEqual([0, 18]);
  });

  it("of users and exchanges are unique, and the shares of validators sum to 1000", () => {
    expect(unique(USER_DOMAINS)).toBe(true);
    expect(unique(EXCHANGES.map(({ label }) => label))).toBe(true);
    expect(VALIDATORS.reduce((sum, [, share]) => sum + share, 0)).toBe(1000);
  });

  it("of spam tokens contain no working domains", () => {
    for (const name of SPAM_TOKENS.flat()) expect(name).not.toMatch(/[a-z0-9-]\.[a-z]{2,}/);
  });

  it("of short-lived tokens are many, with symbols of at most ten characters", () => {
    const random = new Random("names");
    const names = Array.from({ length: 5000 }, () => createMemeName(random));
    expect(new Set(names.map(([name]) => name)).size).toBeGreaterThan(2500);
    for (const [, symbol] of names) expect(symbol).toMatch(/^[A-Z]{2,10}$/);
  });
});

describe("addresses of icons and metadata", () => {
  it("have the identifiers of their networks", () => {
    const random = new Random("uris");
    for (let count = 0; count < 200; count++) {
      const arweave = arweaveUri(random).replace("https://arweave.net/", "");
      const bytes = Buffer.from(arweave, "base64url");
      expect([bytes.length, bytes.toString("base64url")]).toEqual([32, arweave]);
      const cid = ipfsUri(random).replace("https://ipfs.io/ipfs/", "");
      if (cid.startsWith("Qm")) expect([...base58.decode(cid).slice(0, 2), cid.length]).toEqual([0x12, 0x20, 46]);
      else expect(base32nopad.decode(cid.slice(1).toUpperCase()).length).toBe(36);
    }
  });

  it("are on hosts that tokens of mainnet use", () => {
    for (const { icon = "", metadataUri = "" } of KNOWN_TOKENS) {
      for (const uri of [icon, metadataUri]) expect(new URL(uri).hostname).not.toMatch(/(^|\.)(example|test|invalid)$/);
    }
    for (const { website } of COLLECTIONS)
      expect(new URL(website).hostname).toMatch(/^(magiceden|boryokudragonz)\.io$/);
  });
});

describe("collections", () => {
  it("have about two thousand items, and the sample collection is first", () => {
    expect(COLLECTIONS[0]?.hex).toBe(NFT_COLLECTION);
    expect(COLLECTIONS.length).toBe(20);
    const items = COLLECTIONS.reduce((sum, plan) => sum + plan.items, 0);
    expect(items).toBeGreaterThanOrEqual(1900);
    expect(unique(COLLECTIONS.map(({ name }) => name))).toBe(true);
  });
});

describe("hostile texts", () => {
  const all = Object.values(HOSTILE_TEXTS).join("\u0001");

  it.each([
    ["escape sequences", "\u001b[2J"],
    ["clipboard by BEL and ST", "\u001b]52;c;"],
    ["links", "\u001b]8;;"],
    ["titles", "\u001b]0;"],
    ["C1 controls", "\u009b"],
    ["C1 strings", "\u0090"],
    ["NUL", "\0"],
    ["line breaks", "\r\n"],
    ["tabs", "\t"],
    ["backspaces", "\b"],
    ["line separators", "\u2028"],
    ["bidi overrides", "\u202e"],
    ["bidi isolates", "\u2066"],
    ["zero width", "\u200b"],
    ["tag characters", "\u{e0067}"],
    ["emoji sequences", "\u{1f469}\u{1f3fd}\u200d"],
    ["formulas", "=HYPERLINK("],
    ["commands", "+cmd|"],
    ["sums", "@SUM"],
    ["minus", "-1+2"],
    ["quotes", '","'],
    ["instructions", "Ignore all previous instructions"],
    ["scripts", "javascript:"],
    ["data", "data:text/html"],
    ["files", "file:///"],
  ])("have %s", (_name, text) => {
    expect(all).toContain(text);
  });

  it("have 500 combining marks, a symbol of 10 kB, and lookalike letters", () => {
    expect(HOSTILE_TEXTS["combining marks"]?.match(/\p{M}/gu)?.length).toBe(500);
    expect(LONG_SYMBOL).toHaveLength(10 * 1024);
    expect(LOOKALIKE_TOKENS.some(([name]) => name !== "USDC" && name.normalize("NFKC").includes("\u0405"))).toBe(true);
  });

  it("have the shapes of the API", () => {
    for (const { extension } of HOSTILE_EXTENSIONS) expect(typeof extension).toBe("string");
    for (const { attributes = [], properties = {} } of HOSTILE_META) {
      expect(Array.isArray(attributes)).toBe(true);
      expect((attributes as unknown[]).every((entry) => typeof entry === "object" && entry !== null)).toBe(true);
      expect(Array.isArray(properties)).toBe(false);
    }
    expect(HOSTILE_COLLECTIONS.every(([name, symbol]) => name !== "" && symbol !== "")).toBe(true);
  });
});
