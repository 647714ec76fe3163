/** Names in tables: what gives way where space is short, what stays beside a name, and wide tables. */
import { describe, expect, it } from "vitest";
import { AccountDetail, Transfer } from "../../src/catalogue/entities/index.ts";
import { createNames, type OutputOptions } from "../../src/output/index.ts";
import { textWidth } from "../../src/output/text/width.ts";
import { rows, SIGNATURE, USDC, WALLET, written } from "./helpers.ts";

const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";
const FAKE = "6U91aKa8pmMxkJwBCfPTmUEfZi6dHe7DcFq2ALvB2tbB";
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

/** Options of a terminal with the names in an answer. */
function named(answer: unknown, more: Partial<OutputOptions> = {}): Partial<OutputOptions> {
  const names = createNames();
  names.learn(answer as never);
  const prepare = async (values: readonly unknown[]) => {
    for (const value of values) names.learn(value as never);
  };
  return { format: "table", isTerminal: true, names: async () => ({ of: names.of, prepare }), ...more };
}

const LABELS = [
  { account_address: WALLET, account_label: "Binance Hot Wallet 3" },
  { address: FAKE, symbol: "USDC" },
];
const view = { entity: Transfer, columns: ["flow", "token_address", "from_address", "to_address", "trans_id"] };
const transfer = (more = {}) => ({
  flow: "in",
  token_address: USDC,
  from_address: WALLET,
  to_address: OTHER,
  trans_id: SIGNATURE,
  ...more,
});
const table = async (list: readonly object[], width: number, options = named(LABELS)) =>
  (await written(rows(list as never), { ...options, width }, view)).text.trimEnd().split("\n");

describe("names in a table", () => {
  it("stay where addresses give way", async () => {
    expect((await table([transfer()], 62)).slice(1)).toEqual([
      "in    USDC   Binance Hot Wallet 3  2iXU…LSZd  4AU5…CC4f",
    ]);
    // An address beside a built-in name would say nothing.
    expect((await table([transfer()], 80))[1]).toBe(
      "in    USDC   Binance Hot Wallet 3 5Q54…e4j1  2iXU…LSZd  4AU5…CC4f",
    );
    expect((await table([transfer()], 120))[1]).toBe(
      `in    USDC   Binance Hot Wallet 3 5Q54…e4j1  ${OTHER}  4AU5…CC4f`,
    );
    // They are cut to a width at which they still say something, then columns are left out.
    expect((await table([transfer()], 40))[1]).toBe("in    USDC   Binance Hot Wal…  2iXU…LSZd");
  });

  it("never make a line longer than the terminal", async () => {
    const list = [transfer(), transfer({ token_address: FAKE }), transfer({ from_address: TOKEN_PROGRAM })];
    for (let width = 1; width <= 200; width += 1) {
      for (const line of await table(list, width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it("of impostors keep their mark and their address", async () => {
    const list = [transfer(), transfer({ token_address: FAKE })];
    const tokens = async (width: number) => (await table(list, width)).slice(1, 3).map((line) => line.slice(6, 22));
    expect(await tokens(80)).toEqual(["USDC            ", "⚠ USDC 6U91…2tbB"]);
    const narrow = await written(
      rows(list),
      { ...named(LABELS), width: 8, fields: ["token_address"] },
      { entity: Transfer },
    );
    expect(narrow.text.split("\n").slice(1, 3)).toEqual(["USDC", "⚠ USDC …"]);
    expect(narrow.notes).toEqual(['⚠ The name "USDC" belongs to another token. Trust the address, not the name.']);
  });

  it("that two addresses share keep both addresses", async () => {
    const labels = [WALLET, OTHER].map((address) => ({ account_address: address, account_label: "Treasury" }));
    expect((await table([transfer()], 70, named(labels)))[1]).toContain("Treasury 5Q54…e4j1  Treasury 2iXU…LSZd");
  });

  it("are not repeated beside a cell that shows them", async () => {
    const { text } = await written(rows([{ symbol: "usdc", address: USDC }]), { ...named([]), width: 60 });
    expect(text).toContain(USDC);
    expect(text.match(/usdc/gi)).toHaveLength(1);
  });

  it("come from the metadata of the answer, and from its rows", async () => {
    const content = rows([transfer({ token_address: FAKE })]);
    const metadata = { tokens: { [FAKE]: { token_address: FAKE, token_symbol: "OTTER" } } };
    const { text } = await written({ ...content, metadata }, { ...named([]), width: 70 }, view);
    expect(text).toContain("OTTER");
  });

  it("of several programs are listed", async () => {
    const list = [{ programs: [TOKEN_PROGRAM, OTHER, WALLET] }];
    const { text } = await written(rows(list), { ...named([]), width: 60 });
    expect(text).toBe("PROGRAMS\nToken Program, 2iXU…LSZd +1\n");
  });

  it("are escaped in Markdown", async () => {
    const labels = { account_address: WALLET, account_label: "a|b [c](d)" };
    const list = await table([transfer()], 100, named(labels, { tableStyle: "markdown" }));
    expect(list.at(-1)).toContain("a\\|b \\[c\\](d)");
  });
});

describe("names in a record", () => {
  const account = { account: WALLET, lamports: 5_330_000_000, owner_program: TOKEN_PROGRAM };
  const print = async (width: number, options = named(LABELS)) =>
    (await written({ kind: "object", value: account }, { ...options, width }, { entity: AccountDetail })).text;

  it("precede whole addresses, or short ones where these do not fit", async () => {
    expect(await print(100)).toContain(`Binance Hot Wallet 3 ${WALLET}\n`);
    expect(await print(100)).toContain(`Token Program ${TOKEN_PROGRAM}\n`);
    expect(await print(60)).toContain("Binance Hot Wallet 3 5Q54…e4j1\n");
  });

  it("are not repeated beside a field that is the name", async () => {
    const value = { account_address: WALLET, account_label: "Binance Hot Wallet 3" };
    const { text } = await written({ kind: "object", value }, { ...named(LABELS), width: 100 });
    expect(text.match(/Binance/g)).toHaveLength(1);
  });
});

describe("a wide table", () => {
  it("has whole addresses beside names, and every column", async () => {
    const list = [transfer(), transfer({ from_address: OTHER })];
    const lines = await table(list, 40, named(LABELS, { format: "wide" }));
    expect(lines[0]).toMatch(/^FLOW +TOKEN +FROM +TO +SIGNATURE$/);
    expect(lines[1]).toContain(`USDC ${USDC}`);
    expect(lines[1]).toContain(`Binance Hot Wallet 3 ${WALLET}`);
    for (const id of [OTHER, SIGNATURE]) expect(lines[2]).toContain(id);
    expect(lines).toHaveLength(3);
  });

  it("prints numbers in full, and a record without line breaks", async () => {
    const value = { account: WALLET, lamports: 123_456_789_012 };
    const options = { ...named([]), format: "wide", width: 20 } as const;
    const { text } = await written({ kind: "object", value }, options, { entity: AccountDetail });
    expect(text).toMatch(new RegExp(`^account +${WALLET}$`, "m"));
    expect(text).toContain("123.456789012 SOL");
    expect((await written(rows([value]), options, { entity: AccountDetail })).text).toContain("123.456789012 SOL");
  });
});
