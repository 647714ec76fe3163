/** Names of addresses: where they come from, which precede which, and what is marked. */
import { describe, expect, it, test } from "vitest";
import { WELL_KNOWN_TOKENS } from "../../src/catalogue/index.ts";
import { fitIdParts, nameText } from "../../src/output/names/cell-names.ts";
import { createNames, MAX_NAMES } from "../../src/output/names/names.ts";
import { USDC, WALLET, WSOL } from "./helpers.ts";

const NATIVE = "So11111111111111111111111111111111111111111";
const BONK = "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263";
const JUP = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";
const TOKEN = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
const POOL = "Gf7sXMoP8iRw4iiXmJ1nq4vxcRycbGXy5RL8a8LnTd3v";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const DRIFT_PROGRAM = "dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH";
const BINANCE = "5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9";
/** Addresses without a built-in name. */
const UNNAMED = [TOKEN, POOL, "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd"];

/** Returns names after some answers. */
function namesFrom(...answers: readonly unknown[]) {
  const names = createNames();
  for (const answer of answers) names.learn(answer as never);
  return names;
}

test("a name that imitates another stands for no address", () => {
  const names = namesFrom(
    { token_address: TOKEN, token_symbol: "USD\u0421" },
    { token_address: UNNAMED[2], token_symbol: "PHOTO" },
  );
  expect(names.of(TOKEN)?.warning).toBeDefined();
  expect(names.addressesOf("usd\u0421")).toEqual([]);
  expect(names.addressesOf("photo")).toEqual([UNNAMED[2]]);
  expect(names.addressesOf("usdc")).toEqual([USDC]);
});

describe("built-in names", () => {
  it("are those of well-known tokens, programs, sysvars and exchanges", () => {
    const { of } = createNames();
    expect(of(USDC)).toEqual({ name: "USDC", kind: "token", source: "built-in" });
    expect(of(TOKEN_PROGRAM)).toEqual({ name: "Token Program", kind: "program", source: "built-in" });
    const others = [
      ["675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", "Raydium AMM"],
      ["SysvarC1ock11111111111111111111111111111111", "Sysvar: Clock"],
      ["1nc1nerator11111111111111111111111111111111", "Incinerator"],
      ["96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5", "Jito Tip Account"],
      ["he1iusunGwqrNtafDtLdhsUQDFvo13z9sUa36PauBtk", "Helius"],
      [BINANCE, "Binance 2"],
    ] as const;
    for (const [address, name] of others) expect(of(address)?.name).toBe(name);
    expect([of(WALLET), of("constructor"), of("__proto__"), of("")]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are never marked, whatever answers call them", () => {
    for (const { mint, symbol } of WELL_KNOWN_TOKENS.values()) {
      for (const spelling of [symbol, symbol.toLowerCase(), `$${symbol}`, "SОL"]) {
        const names = namesFrom(
          { address: mint, symbol: spelling },
          { account_address: mint, account_label: spelling },
        );
        expect([symbol, names.of(mint)]).toEqual([symbol, { name: symbol, kind: "token", source: "built-in" }]);
      }
    }
    const names = namesFrom({ account_address: DRIFT_PROGRAM, account_label: "USDC" });
    expect(names.of(DRIFT_PROGRAM)).toEqual({ name: "Drift", kind: "program", source: "built-in" });
  });

  it("of exchanges and validators give way to labels in answers", () => {
    const names = namesFrom({ account_address: BINANCE, account_label: "Binance Hot Wallet 3" });
    expect(names.of(BINANCE)).toEqual({ name: "Binance Hot Wallet 3", kind: "account", source: "answer" });
  });
});

describe("names in answers", () => {
  it("are those of tokens and labelled accounts, at any depth", () => {
    const names = namesFrom(
      [{ address: TOKEN, symbol: "TKN" }],
      { tokens: { [WSOL]: { token_address: WSOL, token_symbol: "SOL" } } },
      { account_address: WALLET, account_label: "Market maker" },
    );
    expect([TOKEN, WSOL, WALLET, NATIVE].map((id) => names.of(id)?.name)).toEqual([
      "TKN",
      "wSOL",
      "Market maker",
      "SOL",
    ]);
    expect(names.tokens().get(TOKEN)).toBe("TKN");
    expect(names.tokens().has(WALLET)).toBe(false);
  });

  it("are those of domains, programs, validators, collections and NFTs", () => {
    const [collection, account, vote, identity] = ["ab".repeat(32), `${WALLET.slice(0, -1)}5`, TOKEN, BONK];
    const program = `${DRIFT_PROGRAM.slice(0, -1)}J`;
    const names = namesFrom(
      { account_address: account, account_domain: "toly.sol" },
      { parsed_instructions: [{ program_id: program, program: "my_program", inner_instructions: [] }] },
      [{ vote_account: vote, identity, name: "Kestrel" }],
      [{ collection_id: collection, name: "Dragonz", symbol: "DRG" }],
      [{ info: { address: POOL, collection_id: collection, token_name: "Dragonz #494", token_symbol: "DRG" } }],
    );
    expect([account, program, vote, collection, POOL].map((id) => [names.of(id)?.name, names.of(id)?.kind])).toEqual([
      ["toly.sol", "account"],
      ["my_program", "program"],
      ["Kestrel", "validator"],
      ["Dragonz", "collection"],
      ["Dragonz #494", "nft"],
    ]);
    expect(names.tokens().has(POOL)).toBe(false);
  });

  it("of NFTs in metadata of tokens are those of the item, not the symbol of all", () => {
    const item = { address: TOKEN, name: "Dragonz #494", symbol: "DRG", decimals: 0, supply: "1" };
    expect(namesFrom(item).of(TOKEN)).toEqual({ name: "Dragonz #494", kind: "nft", source: "answer" });
    expect(namesFrom({ ...item, supply: "2" }).of(TOKEN)?.name).toBe("DRG");
    // An NFT can use the symbol of a token too.
    expect(namesFrom({ ...item, name: "USDC" }).of(TOKEN)?.warning).toBe("belongs to another token");
  });

  it("of pools are their tokens, once both are known", () => {
    const names = namesFrom({ pool_id: POOL, token_1: JUP, token_2: TOKEN });
    expect(names.of(POOL)).toBeUndefined();
    names.learn({ address: TOKEN, symbol: "TKN" });
    expect(names.of(POOL)).toEqual({ name: "JUP/TKN", kind: "market", source: "answer" });
    names.learn({ pool_address: POOL, token_infos: [{ token: WSOL }, { token: USDC }] });
    expect(names.of(POOL)?.name).toBe("wSOL/USDC");
    names.learn({ pool_id: POOL, token_1: USDC, token_2: WSOL });
    expect(names.of(POOL)?.name).toBe("wSOL/USDC");
    names.learn({ pool_address: POOL, token1: TOKEN, token2: USDC });
    names.learn({ address: TOKEN, symbol: "USDC" });
    expect(names.of(POOL)).toMatchObject({ name: "USDC/USDC", warning: "belongs to another token" });
  });

  it("are those of addresses that are the keys of metadata", () => {
    const tokens = { [TOKEN]: { token_symbol: "TKN\u001B[2J" }, [POOL]: { token_symbol: "", token_name: "Wrapped" } };
    const names = namesFrom({ tokens: { ...tokens, short: { token_symbol: "no" } }, other: 1 });
    expect([TOKEN, POOL, "short"].map((id) => names.of(id)?.name)).toEqual(["TKN‹U+001B›[2J", "Wrapped", undefined]);
  });

  it("are those of the mint, not of the token account beside it", () => {
    const names = namesFrom(
      [{ address: WALLET, tokenAddress: TOKEN, symbol: "TKN" }],
      [{ account_address: WALLET, token_symbol: "TKN" }],
    );
    expect([names.of(WALLET), names.of(TOKEN)?.name]).toEqual([undefined, "TKN"]);
  });

  it("are one line of safe text, cut when long, and ignored when they are none", () => {
    expect(namesFrom([{ address: TOKEN, symbol: "BO\u001B[2JNK\n" }]).of(TOKEN)?.name).toBe("BO‹U+001B›[2JNK");
    const label = { account_address: WALLET, account_label: "Treasury of the Republic of San Marino" };
    expect(namesFrom(label).of(WALLET)?.name).toBe("Treasury of the Republic of San…");
    for (const symbol of ["", " \n", "-", "unknown", "x".repeat(10_000), WALLET, 7, null]) {
      expect(namesFrom([{ address: TOKEN, symbol }]).of(TOKEN)).toBeUndefined();
    }
  });

  it("are not taken from data that anybody wrote", () => {
    const label = { account_address: WALLET, account_label: "Binance Hot Wallet" };
    const holders = ["meta", "metadata", "data", "idl_data", "data_raw", "data_decoded", "info", "extensions"];
    for (const field of holders) {
      expect(namesFrom({ [field]: { ...label, data: label } }, [{ [field]: label }]).of(WALLET)).toBeUndefined();
    }
    expect(namesFrom({ data: [label] }).of(WALLET)?.name).toBe("Binance Hot Wallet");
  });

  it("are marked where they imitate: as symbols of other tokens, and with letters of other alphabets", () => {
    const names = namesFrom([{ address: TOKEN, symbol: "usdc" }], {
      account_address: WALLET,
      account_label: "Вinance",
    });
    expect(names.of(TOKEN)?.warning).toBe("belongs to another token");
    expect(names.of(WALLET)?.warning).toBe("mixes Cyrillic and Latin letters");
    // A label is no symbol: an account may be called as a token is.
    const labels = namesFrom({ account_address: WALLET, account_label: "Drift" });
    expect(labels.of(WALLET)?.warning).toBeUndefined();
  });

  it("resolve to their addresses, ignoring case, the well-known one first", () => {
    const names = namesFrom([{ address: WALLET, symbol: "usdc" }], [{ address: USDC, symbol: "USD" }]);
    expect(names.addressesOf(" UsdC ")).toEqual([USDC, WALLET]);
    expect(names.addressesOf("wsol")).toEqual([WSOL]);
    expect(names.addressesOf("unknown")).toEqual([]);
    expect([...names.tokens()].filter(([, symbol]) => symbol.toLowerCase() === "usdc")).toEqual([
      [USDC, "USDC"],
      [WALLET, "usdc"],
    ]);
  });

  it("are found in any value in bounded time, and the oldest are dropped", () => {
    const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ inner }), { address: TOKEN, symbol: "TKN" });
    expect(namesFrom(deep, new Array(100_000).fill(null)).of(TOKEN)).toBeUndefined();
    const names = createNames();
    const addressOf = (number: number) => `${WALLET.slice(0, -5)}${String(number + 11111).replaceAll("0", "z")}`;
    for (let at = 0; at < MAX_NAMES + 1; at += 1) names.learn({ address: addressOf(at), symbol: `T${at}` });
    expect([names.of(addressOf(0)), names.of(addressOf(1))?.name]).toEqual([undefined, "T1"]);
    expect([...names.learned()]).toHaveLength(MAX_NAMES);
  });
});

describe("names of earlier runs", () => {
  it("are known, and give way to those of this run", () => {
    const names = namesFrom([{ address: TOKEN, symbol: "NEW" }]);
    const before = names.version();
    names.restore([
      { address: TOKEN, kind: "token", name: "OLD" },
      { address: WALLET, kind: "account", name: "Whale" },
    ]);
    expect([names.of(TOKEN)?.name, names.of(WALLET)?.name]).toEqual(["NEW", "Whale"]);
    expect([...names.learned()].map(({ name }) => name)).toEqual(["Whale", "NEW"]);
    expect(names.version()).toBeGreaterThan(before);
  });

  it("and repeated ones change nothing", () => {
    const names = namesFrom([{ address: TOKEN, symbol: "TKN" }]);
    const before = names.version();
    names.learn([{ address: TOKEN, symbol: "TKN" }, { hello: "world" }]);
    expect(names.version()).toBe(before);
  });
});

describe("the user's own names", () => {
  const own = () =>
    createNames(
      new Map([
        ["treasury", WALLET],
        ["my-usdc", USDC],
        ["second", WALLET],
      ]),
    );

  it("precede all others, and have their own source", () => {
    const names = own();
    names.learn({ account_address: WALLET, account_label: "Other label" });
    expect(names.of(WALLET)).toEqual({ name: "treasury", kind: "account", source: "own" });
    expect(names.of(USDC)).toEqual({ name: "my-usdc", kind: "token", source: "own" });
    expect(nameText(names.of(WALLET))).toBe("★ treasury");
    expect(names.addressesOf("Treasury")).toEqual([WALLET]);
  });

  it("are marked where an answer gives them to another address", () => {
    const names = own();
    for (const [at, label] of ["Treasury", "★ treasury", "trea-sury"].entries()) {
      names.learn({ account_address: UNNAMED[at] as string, account_label: label });
      expect([label, names.of(UNNAMED[at] as string)?.warning]).toEqual([label, "is your name of another address"]);
    }
    expect(names.of(TOKEN_PROGRAM)?.warning).toBeUndefined();
  });

  it("can change while they are displayed", () => {
    const names = own();
    let changes = 0;
    names.subscribe(() => {
      changes += 1;
    });
    names.setOwn(new Map([["vault", WALLET]]));
    expect([names.of(WALLET)?.name, changes]).toEqual(["vault", 1]);
    expect(names.of(USDC)?.source).toBe("built-in");
  });
});

test("where a name is not enough, its address is cut once, from its end", () => {
  const name = { text: "wSOL/USDC", role: "market", isAmbiguous: true, isTrusted: false } as const;
  const cell = { text: POOL, role: "market", ids: [POOL], names: [name] } as const;
  const shorten = (id: string) => `${id.slice(0, 4)}…${id.slice(-4)}`;
  const fit = (width: number) =>
    fitIdParts(cell, width, shorten)
      .map(({ text }) => text)
      .join("");
  expect([19, 17, 16, 15, 12].map(fit)).toEqual([
    "wSOL/USDC Gf7s…Td3v",
    "wSOL/USDC Gf7s…",
    "wSOL/USDC Gf7s…",
    "wSOL/USDC Gf7s…",
    "wSOL/USDC G…",
  ]);
});
