import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { deriveShape } from "../../src/catalogue/schemas.ts";
import { rows, SIGNATURE, USDC, WALLET, written } from "./helpers.ts";

const { AccountTransaction, Block, MarketListItem, Portfolio, TransactionDetail } = entities;
const terminal = { format: "table", isTerminal: true, width: 80 } as const;

const holding = (changes: Record<string, Json> = {}) => ({
  token_address: USDC,
  amount: 560077767091702,
  amount_str: "560077767091702",
  balance: 560077767.091702,
  token_price: 0.0001508,
  token_decimals: 6,
  token_name: "USD Coin with quite a long name",
  token_symbol: "USDC",
  token_icon: "https://example.com/a/long/path/to/a/picture.png",
  value: 84462.08,
  ...changes,
});

async function portfolio(tokens: Json[], options = {}) {
  const value = { total_value: 1, native_balance: holding(), tokens };
  return (await written({ kind: "object", value }, { ...terminal, ...options }, { entity: Portfolio })).text;
}

describe("a list inside an object", () => {
  it("starts with the first fields of the catalogue", async () => {
    const text = await portfolio([holding()]);
    const [, table = ""] = text.split("tokens (1)\n");
    expect(table).toMatch(/^SYMBOL +BALANCE +PRICE +VALUE +TOKEN +TOKEN NAME/);
    expect(table).toMatch(/^USDC +560,077,767.091702 +\$0.0001508 +\$84,462.08 +EPjF…Dt1v/m);
    expect(table).toMatch(/1 column hidden: TOKEN DECIMALS;/);
  });

  it("shows every other field where the width allows", async () => {
    const [head = ""] = (await portfolio([holding({ newer: 1, constructor: "x" })], { width: 400 }))
      .split("tokens (1)\n")
      .slice(1);
    for (const name of ["TOKEN NAME", "TOKEN DECIMALS", "NEWER", "CONSTRUCTOR"]) expect(head).toContain(name);
  });

  it("starts with existing fields", () => {
    for (const entity of Object.values(entities)) {
      const shape = deriveShape(entity);
      for (const form of shape.fields.map((name) => shape.field(name))) {
        for (const name of Object.keys(form.meta?.first ?? {})) expect(form.fields).toContain(name);
      }
    }
  });

  it("shows sender, amount and token of a transfer", async () => {
    const transfer = { source_owner: WALLET, source: USDC, destination: USDC, destination_owner: WALLET };
    const value = { transfers: [{ ...transfer, token_address: USDC, decimals: 6, amount: 5643804, ins_index: 1 }] };
    const { text } = await written({ kind: "object", value }, terminal, { entity: TransactionDetail });
    expect(text).toMatch(/^FROM +TO +AMOUNT +TOKEN +SOURCE/m);
    expect(text).toMatch(/^5Q54…e4j1 +5Q54…e4j1 +5.643804 +EPjF…Dt1v/m);
  });
});

describe("redundant fields", () => {
  it("base units beside whole units are left out", async () => {
    const text = await portfolio([holding()], { width: 400 });
    expect(text).not.toMatch(/AMOUNT|native_balance.amount/);
    expect(text).toContain("native_balance.balance         560,077,767.091702");
  });

  it("stay where they differ in any row", async () => {
    expect(await portfolio([holding(), holding({ balance: 5 })], { width: 400 })).toMatch(/ AMOUNT /);
  });

  it("addresses of icons are left out, unless they are requested", async () => {
    expect(await portfolio([holding()], { width: 400 })).not.toMatch(/icon|https:/i);
    expect(await portfolio([holding()], { width: 400, fields: ["native_balance.token_icon"] })).toContain("https:");
  });

  it("a second spelling of a name is left out, unless its value differs", async () => {
    const tableOf = async (value: JsonObject) =>
      (await written({ kind: "object", value }, terminal, { entity: MarketListItem })).text;
    expect(await tableOf({ total_trades_24h: 5, total_trade_24h: 5 })).not.toContain("total_trade_24h");
    expect(await tableOf({ total_trades_24h: 5, total_trade_24h: 6 })).toMatch(/^total_trade_24h +6$/m);
  });

  it("a time as text beside a number is left out, in every style", async () => {
    const value = { block_time: 1720171655, time: "2024-07-05T09:27:35.000Z", blockhash: USDC };
    for (const time of ["relative", "iso", "unix", "local"] as const) {
      const { text } = await written({ kind: "object", value }, { ...terminal, time }, { entity: Block });
      expect(text).toMatch(/^block_time /m);
      expect(text).not.toMatch(/^time /m);
    }
    const other = { ...value, time: "2024-07-05T09:27:36.000Z" };
    const { text } = await written({ kind: "object", value: other }, { ...terminal, time: "iso" }, { entity: Block });
    expect(text).toMatch(/^time /m);
  });

  it("are printed on request, and in formats for programs", async () => {
    const value = { block_time: 1720171655, time: "2024-07-05T09:27:35.000Z" };
    const chosen = await written({ kind: "object", value }, { ...terminal, fields: ["time"] }, { entity: Block });
    expect(chosen.text).toMatch(/^time /);
    const json = await written({ kind: "object", value }, { format: "json" }, { entity: Block });
    expect(JSON.parse(json.text)).toEqual(value);
  });
});

describe("objects in a cell", () => {
  const view = { entity: AccountTransaction, columns: ["tx_hash", "parsed_instructions"] };
  const cell = async (value: Json, options = {}) => {
    const list = [{ tx_hash: SIGNATURE, parsed_instructions: value }];
    const { text, notes } = await written(rows(list), { ...terminal, ...options }, view);
    return { summary: text.split("\n")[1]?.replace(/^\S+\s+/, ""), notes };
  };

  it("are summarized by the field that names them", async () => {
    const named = (...types: string[]) => types.map((type) => ({ type, program: "system", program_id: USDC }));
    expect((await cell(named("transfer", "createAccount", "swap"))).summary).toBe("transfer, createAccount, swap");
    expect((await cell([{ symbol: "JUP", name: "Jupiter", type: "token" }])).summary).toBe("Jupiter");
    expect((await cell({ type: "transfer", info: { lamports: 1 } })).summary).toBe("transfer");
    const many = (await cell(named(...new Array(30).fill("transfer")), { width: 50 })).summary ?? "";
    expect(many).toMatch(/^transfer, .*…$/);
  });

  it("are JSON where one of them has no such field", async () => {
    expect((await cell([{ type: "transfer" }, { a: 1 }])).summary).toBe('[{"type":"transfer"},{"a":1}]');
    expect((await cell([{ type: "" }])).summary).toBe('[{"type":""}]');
    expect((await cell([{ type: 7 }])).summary).toBe('[{"type":7}]');
    expect((await cell([])).summary).toBe("-");
  });

  it("are safe on a terminal and marked when they imitate others", async () => {
    expect((await cell([{ name: "a\u001b[2Jb" }])).summary).toBe("a‹U+001B›[2Jb");
    const { summary, notes } = await cell([{ name: "USDТ" }, { name: "x" }]);
    expect(summary).toBe("⚠ USDТ, x");
    expect(notes.join()).toContain("mixes Latin and Cyrillic");
  });
});
