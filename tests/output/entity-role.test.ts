import { describe, expect, test } from "vitest";
import { entityOfDescription, entityOfName, entityRole, resolveTheme } from "../../src/output/index.ts";
import { rows, SIGNATURE, USDC, WALLET, written } from "./helpers.ts";

describe("the role of a field", () => {
  test.each([
    ["signature", "trans_id", "Signature", "transaction"],
    ["slot", "block_id", "Slot", "block"],
    ["program", "program_id", "Program", "program"],
    ["address", "token_address", "Mint of the token", "token"],
    ["address", "address", "Mint of the token", "token"],
    ["address", "from_token_account", "Sending token account", "account"],
    ["address", "tokenAccount", "The token account", "account"],
    ["address", "tokenAuthority", "Mint authority; null when revoked", "account"],
    ["address", "token_owner", "Owner of the token account", "account"],
    ["address", "pool_address", "Pool of the hop", "market"],
    ["address", "sources", "Pool or venue", "market"],
    ["address", "address", "Mint of the NFT", "nft"],
    ["address", "owner", "Owning wallet", "account"],
    ["hash", "collection_id", "Collection", "nft"],
    ["hash", "block_hash", "Hash of the block", undefined],
    ["text", "token_symbol", "Symbol", "token"],
    ["text", "account_label", "Label", "account"],
    ["text", "memo", "Memo", undefined],
    ["count", "holder", "Holders", undefined],
  ] as const)("of kind %s called %s (%s) is %s", (kind, field, description, role) => {
    expect(entityRole(field, { kind, description })).toBe(role);
  });

  test("of an unknown kind is none", () => {
    expect(entityRole("address", undefined)).toBeUndefined();
    expect([entityOfName("address"), entityOfDescription({ description: "The account" })]).toEqual([
      undefined,
      "account",
    ]);
  });
});

test("tables and records on a terminal have the accents of entities; marks, names and missing values go before", async () => {
  const { styles: theme } = resolveTheme({ theme: "dark", colorScheme: "dark", depth: 24 });
  const entity = (await import("../../src/catalogue/entities/index.ts")).Transfer;
  const row = {
    ...{ trans_id: SIGNATURE, block_id: 5, from_address: WALLET, to_address: null, token_address: USDC, flow: "out" },
  };
  const fields = Object.keys(row);
  const options = { format: "table", isTerminal: true, width: 200, theme, fields } as const;
  const painted = (role: keyof typeof theme, text: string) => `\u001B[${theme[role]}m${text}`;
  for (const content of [rows([row]), { kind: "object", value: row } as const]) {
    const { text } = await written(content, options, { entity });
    expect(text).toContain(painted("transaction", SIGNATURE.slice(0, 4)));
    expect(text).toContain(painted("account", WALLET.slice(0, 4)));
    expect(text).toContain(painted("block", "5"));
    expect(text).toContain(painted("missing", "-"));
    expect(text).toContain(painted("bad", "out"));
    const { text: plain } = await written(content, { ...options, theme: undefined }, { entity });
    expect(plain).not.toContain("\u001B");
  }
});
