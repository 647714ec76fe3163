import { describe, expect, it } from "vitest";
import { PermissionError } from "../../../src/base/errors.ts";
import { isObject, type JsonObject, parseJson } from "../../../src/base/json.ts";
import { WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { holdingColumns, holdingsOf, mintOf, portfolioLine } from "../../../src/ui/pages/account/holdings.tsx";
import { funderOf, isOwnedByTokenProgram, mayHoldData, otherEntities } from "../../../src/ui/pages/account/record.ts";
import { layOutTable } from "../../../src/ui/widgets/table/layout.ts";
import { fakeData, renderExplorer } from "../support.tsx";

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const FUNDER = "43GSck5H2Xg7h4mSFZpDSvmGRZskwqiFMdGy4D76R5Re";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const SYSTEM = "11111111111111111111111111111111";

const detail = (more: JsonObject = {}): JsonObject => ({
  account: WALLET,
  lamports: 1_500_000_000,
  type: "system_account",
  executable: false,
  owner_program: SYSTEM,
  is_oncurve: true,
  ...more,
});
const PORTFOLIO: JsonObject = {
  total_value: 400,
  native_balance: { amount: 1, balance: 1, token_decimals: 9, token_symbol: "SOL", token_price: 100, value: 100 },
  tokens: [
    { token_address: "dust", balance: 5, token_symbol: "DUST", value: 0.0000001 },
    { token_address: MINT, balance: 300, token_symbol: "USDC", token_price: 1, value: 300 },
  ],
};
const ANSWERS = {
  "v2-account-detail": detail(),
  "v2-account-metadata": {
    account_address: WALLET,
    account_label: "Kestrel",
    account_tags: ["market_maker"],
    account_domain: "kestrel.sol",
    funded_by: { funded_by: FUNDER, tx_hash: "x", block_time: 1_700_000_000 },
    active_age: 92,
  },
  "v2-account-portfolio": PORTFOLIO,
};
const route = { kind: "entity", entity: "account", id: WALLET } as const;

/** Returns the symbols of the holdings of a frame, in their order. */
const rowsOf = (frame: string) =>
  frame.split("\n").flatMap((one) => /^(?:✓ | {2})(SOL|USDC|DUST)\b/.exec(one)?.slice(1) ?? []);

const portfolio = { ...route, tab: "portfolio" };

describe("the portfolio", () => {
  it("cycles the order of the selected column", async () => {
    const window = renderExplorer({ route: portfolio, data: fakeData(ANSWERS), width: 120, height: 30 });
    expect(rowsOf(await window.waitFor(/USDC .*75(\.00)?%/))).toEqual(["USDC", "SOL", "DUST"]);
    await window.press("s");
    expect(rowsOf(await window.waitFor(/ value↓/))).toEqual(["USDC", "SOL", "DUST"]);
    await window.press("s");
    expect(rowsOf(await window.waitFor(/ value↑/))).toEqual(["DUST", "SOL", "USDC"]);
    await window.press("h", "h", "h", "s");
    expect(rowsOf(await window.waitFor(/token↑/))).toEqual(["DUST", "SOL", "USDC"]);
    await window.press("s");
    expect(rowsOf(await window.waitFor(/token↓/))).toEqual(["USDC", "SOL", "DUST"]);
    await window.press("l", "s");
    expect(rowsOf(await window.waitFor(/balance↓/))).toEqual(["USDC", "DUST", "SOL"]);
    await window.press("/s", "enter");
    expect(rowsOf(await window.waitFor(/3 of 3/))).toEqual(["USDC", "DUST", "SOL"]);
    await window.press("esc", "s", "s");
    expect(rowsOf(await window.waitFor(/ balance {2}/))).toEqual(["USDC", "SOL", "DUST"]);
  });

  it.each([
    [120, 30],
    [80, 24],
    [60, 18],
  ])("has a preview and comparable marks, at %d × %d", async (width, height) => {
    const window = renderExplorer({ route: portfolio, data: fakeData(ANSWERS), width, height });
    await window.waitFor(/USDC .*75(\.00)?%/);
    await window.press("space", "space");
    expect((await window.waitFor(/✓ SOL/)).match(/✓/g)).toHaveLength(2);
    await window.press("g", "v");
    const frame = await window.waitFor(new RegExp(`(?:│ |^)${MINT}`, "m"));
    expect(rowsOf(frame)[0]).toBe("USDC");
    await window.press("v", "D");
    await window.waitFor(/token price|balance/);
    expect(window.frame()).toMatch(/Enter|f |Esc/);
    await window.press("esc");
    await window.press("j", "space");
    expect((await window.waitFor(/✓ USDC/)).match(/✓/g)).toHaveLength(1);
  });
});

describe("the account page", () => {
  it("shows the account and its holdings, most valuable first, with shares", async () => {
    const window = renderExplorer({ route, data: fakeData(ANSWERS), width: 120, height: 30 });
    const frame = await window.waitFor(/USDC .*75(\.00)?%/);
    expect(frame).toContain(`Kestrel  ${WALLET}`);
    expect(frame).toMatch(/1\.5 SOL/);
    expect(frame).toContain("kestrel.sol");
    expect(frame).toContain("for 92 days");
    expect(frame).toMatch(/kind +wallet/);
    expect(frame.indexOf("USDC")).toBeLessThan(frame.indexOf("DUST"));
    expect(frame).toMatch(/SOL \+ tokens +\$400/);
    expect(frame).toContain("SOL and 2 tokens");
    await window.press("enter");
    await window.waitFor(/Kestrel › token USDC/);
  });

  it("folds tokens without value away, with their number", async () => {
    const tokens = [...(PORTFOLIO.tokens as JsonObject[]), { token_address: "spam", balance: 9, token_symbol: "SPAM" }];
    const answers = { ...ANSWERS, "v2-account-portfolio": { ...PORTFOLIO, tokens } };
    const window = renderExplorer({ route, data: fakeData(answers) });
    expect(await window.waitFor("1 without value hidden · z show")).not.toContain("SPAM");
    await window.press("z");
    await window.waitFor("SPAM");
  });

  it("filters the holdings, and Esc clears the filter before it goes back", async () => {
    const window = renderExplorer({ route, data: fakeData(ANSWERS) });
    await window.waitFor("DUST");
    await window.press("/usdc");
    await window.waitFor(/\/usdc +1 of 3/);
    await window.press("enter");
    const frame = await window.waitFor("1 of 3 · Esc clear");
    expect(rowsOf(frame)).toEqual(["USDC"]);
    await window.press("esc");
    await window.waitFor(/^ {2}DUST/m);
    await window.press("/nothing");
    await window.waitFor("No rows match the filters.");
  });

  it("does not describe the parameters of a tab as filters", async () => {
    const window = renderExplorer({ route, data: fakeData({ ...ANSWERS, "v2-account-token-accounts": [] }) });
    await window.waitFor("DUST");
    await window.press("9", "tab", "tab");
    expect(await window.waitFor("No NFTs of 5Q54…e4j1 · r refresh")).not.toContain("type nft");
    await window.press("shift+tab");
    await window.waitFor("No token accounts of 5Q54…e4j1 · r refresh");
  });

  it("links to its funder", async () => {
    const window = renderExplorer({ route, data: fakeData(ANSWERS) });
    await window.waitFor("43GS…R5Re");
    await window.press("f");
    await window.waitFor(/account 43GS…R5Re/);
  });

  it("names the funder and the owner program", async () => {
    const data = fakeData({ ...ANSWERS, "v2-account-detail": detail({ owner_program: TOKEN_PROGRAM }) });
    data.names.learn({ account_address: FUNDER, account_label: "Binance Hot Wallet 3" });
    const window = renderExplorer({ route, data, width: 160, height: 30 });
    const frame = await window.waitFor(/funded by +Binance Hot Wallet 3/);
    expect(frame).toMatch(/owned by +Token Program/);
  });

  it("distinguishes a funder that looks like the account", async () => {
    const twin = `${WALLET.slice(0, 5)}${FUNDER.slice(5, -5)}${WALLET.slice(-5)}`;
    const metadata = { ...ANSWERS["v2-account-metadata"], funded_by: { funded_by: twin } };
    const window = renderExplorer({
      route,
      data: fakeData({ ...ANSWERS, "v2-account-metadata": metadata }),
      width: 120,
    });
    const frame = await window.waitFor("looks like this address but differs");
    expect(frame).not.toMatch(/funded by +5Q54…e4j1/);
  });

  it("redirects a mint to its token, unless the account itself is requested", async () => {
    const answers = {
      ...ANSWERS,
      "v2-account-detail": detail({ owner_program: TOKEN_PROGRAM, type: "mint" }),
      "v2-token-meta": { address: WALLET, symbol: "KES", decimals: 6, supply: "1" },
    };
    const window = renderExplorer({ route, data: fakeData(answers) });
    await window.waitFor(/^solx token KES /);
    await window.press("A");
    await window.waitFor("t open as token");
    await window.press("2");
    await window.waitFor(/^solx KES › account KES /);
    await window.press("esc");
    await window.waitFor(/^solx token KES /);
    await window.press("A");
    await window.waitFor("t open as token");
    await window.press("t");
    await window.waitFor(/^solx KES › account KES › token KES /);
  });

  it("redirects a program, which links back to the account", async () => {
    const answers = {
      ...ANSWERS,
      "v2-account-detail": detail({ executable: true, owner_program: "BPF", type: "program" }),
    };
    const window = renderExplorer({ route, data: fakeData(answers) });
    await window.waitFor(/^solx program Kestrel /);
    await window.press("A");
    await window.waitFor("p open as program");
  });

  it("does not redirect a requested tab", async () => {
    const answers = {
      ...ANSWERS,
      "v2-account-detail": detail({ owner_program: TOKEN_PROGRAM, type: "mint" }),
      "v2-token-meta": { address: WALLET, symbol: "KES", decimals: 6, supply: "1" },
      "v2-account-transfer": [],
    };
    const window = renderExplorer({ route: { ...route, tab: "transfers" }, data: fakeData(answers) });
    await window.waitFor("t open as token");
    expect(window.frame()).toMatch(/^solx account/);
  });

  it("shows the age of the account in days", async () => {
    const window = renderExplorer({ route: { ...route, tab: "about" }, data: fakeData(ANSWERS) });
    await window.waitFor(/active age +92 days/);
  });

  it("shows the account when the plan includes no metadata", async () => {
    const data = fakeData({ ...ANSWERS, "v2-account-metadata": new PermissionError("Not in this plan.") });
    const window = renderExplorer({ route, data });
    const frame = await window.waitFor("not in this plan");
    expect(frame).toMatch(/1\.5 SOL/);
  });

  it("requests a tab on first use, and opens the tab of the route", async () => {
    const data = fakeData({ ...ANSWERS, "v2-account-transfer": [] });
    const window = renderExplorer({ route: { ...route, tab: "transfers" }, data });
    await window.waitFor("Kestrel");
    const routes = () => data.requests.map(({ endpoint }) => endpoint.route);
    expect(routes()).toContain("v2-account-transfer");
    expect(routes()).not.toContain("v2-account-portfolio");
    await window.press("1");
    await window.waitFor("USDC");
    expect(routes()).toContain("v2-account-portfolio");
  });
});

describe("holdings", () => {
  it("have exact shares of the reported total value", () => {
    const portfolio = parseJson(
      '{"total_value":0.3,"native_balance":{"token_symbol":"SOL","value":0.1},"tokens":[{"token_address":"a","value":0.2}]}',
    );
    if (!isObject(portfolio)) throw new Error("It is an object.");
    const shares = holdingsOf(portfolio).map(({ share_percent: share }) => share);
    expect(JSON.stringify(shares)).toBe("[66.666667,33.333333]");
  });

  it("have shares of their sum when no total is reported", () => {
    const rows = holdingsOf({
      tokens: [
        { token_address: "a", value: 1 },
        { token_address: "b", value: 3 },
      ],
    });
    expect(rows.map(({ token_address: mint, share_percent: share }) => [mint, share])).toEqual([
      ["b", 75],
      ["a", 25],
    ]);
  });

  it("distinguish SOL from its wrapped form", () => {
    const [token] = holdingColumns({ style: "relative", now: 0 }, true);
    const nameOf = (row: JsonObject) => token?.cell(row).text;
    expect(nameOf({ token_symbol: "SOL" })).toBe("SOL");
    expect(nameOf({ token_symbol: "SOL", token_address: WRAPPED_SOL })).toBe("wSOL");
  });

  it("show value and share in a narrow window, and abbreviate small shares", () => {
    const columns = holdingColumns({ style: "relative", now: 0 }, true);
    const rows = holdingsOf({
      tokens: [
        {
          token_address: "a",
          token_symbol: "LONGSYMBOL",
          balance: 560_077_767.091,
          token_price: 0.00015,
          value: 84_462.08,
        },
        { token_address: "b", token_symbol: "B", balance: 1.123456789, token_price: 0.000005886, value: 0.66 },
      ],
    });
    const lines = layOutTable(rows, columns, 60).rows.map((line) => line.map(({ text }) => text).join(""));
    expect(lines[0]).toMatch(/\$84\.46K/);
    expect(lines[0]).toContain(">99.99%");
    expect(lines[1]).toContain("<0.01%");
  });

  it("survive missing fields", () => {
    expect(holdingsOf({})).toEqual([]);
    expect(
      portfolioLine({}, 0, 80)
        .map(({ text }) => text)
        .join(""),
    ).toBe("SOL only");
  });

  it("are summed up by what fits, positions last", () => {
    const portfolio = { positions: [{ position_value: 50.0922 }, { position_value: 1200 }] };
    const hidden = { count: 6, hint: "z show" };
    const line = (width: number) =>
      portfolioLine(portfolio, 42, width, hidden)
        .map(({ text }) => text)
        .join("");
    const short = "SOL and 41 tokens · 6 without value hidden · z show";
    expect(line(90)).toBe(`${short} · plus 2 positions, $1,250`);
    expect(line(60)).toBe(short);
  });

  it("of SOL link to its wrapped form, others to their mint", () => {
    expect(mintOf({ token_symbol: "SOL" })).toBe("So11111111111111111111111111111111111111112");
    expect(mintOf({ token_symbol: "SOL", token_address: MINT })).toBe(MINT);
    expect(mintOf({ token_symbol: "X" })).toBeUndefined();
  });
});

describe("the entities of an address", () => {
  it("follow from its owner program, never from its name", () => {
    expect(isOwnedByTokenProgram(detail({ owner_program: TOKEN_PROGRAM }))).toBe(true);
    expect(isOwnedByTokenProgram(detail())).toBe(false);
    expect(otherEntities(detail({ executable: true }), { address: MINT })).toEqual(["token", "program"]);
    expect(otherEntities(detail({ type: "pool" }), undefined)).toEqual(["market"]);
    expect(otherEntities(undefined, undefined)).toEqual([]);
    expect(mayHoldData(detail())).toBe(false);
    expect(mayHoldData(detail({ owner_program: TOKEN_PROGRAM }))).toBe(true);
  });

  it("say that there is no account, and offer no data of it", async () => {
    const { owner_program: _, ...nobody } = detail({ lamports: 0, type: "no_account" });
    const data = fakeData({ ...ANSWERS, "v2-account-detail": nobody, "v2-account-metadata": {} });
    const window = renderExplorer({ route, data, width: 120, height: 30 });
    expect(await window.waitFor(/kind no account/)).not.toMatch(/owned by|wallet/);
    expect(mayHoldData(nobody)).toBe(false);
  });

  it("include its funder, in either form", () => {
    expect(funderOf({ funded_by: { funded_by: FUNDER } })).toBe(FUNDER);
    expect(funderOf({ funded_by: FUNDER })).toBe(FUNDER);
    expect(funderOf({})).toBeUndefined();
  });
});
