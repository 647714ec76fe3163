/** Previews of rows by what they are about. */

import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/base/json.ts";
import * as entities from "../../../src/catalogue/entities/index.ts";
import { UNKNOWN_SHAPE } from "../../../src/catalogue/index.ts";
import { WRAPPED_SOL } from "../../../src/catalogue/samples.ts";
import { deriveShape } from "../../../src/catalogue/schemas.ts";
import { createShortener } from "../../../src/output/text/width.ts";
import { IDLE_QUERY } from "../../../src/ui/navigation/data-store.ts";
import type { Route } from "../../../src/ui/navigation/route.ts";
import { lineWidth } from "../../../src/ui/navigation/theme/text-line.ts";
import { previewLines } from "../../../src/ui/preview/preview.ts";
import { endpointAt } from "../../../src/ui/widgets/cells.ts";
import type { PreviewFormat } from "../../../src/ui/widgets/list/preview.ts";
import { CLOCK, FAILED, SWAP, textOf } from "../pages/transaction/fixture.ts";
import { answerOf, fakeData } from "../support.tsx";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const JUP = "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN";
const [ALICE, BOB] = ["5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", "HEAm8KgovbUvvoviKWARK6DLv6Ygq9qdJvLWCEuQKEKR"];
const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const SIGNATURE = "4dqr5SruMWyv6z31Xp2DCmeyEGwaewvqCe8shfxKXRhUqaF8naGq7TTyVafHz7WDABM5ZAvhsh3GJAwc9JNySGrG";
const TRANSACTION: Route = { kind: "entity", entity: "transaction", id: SIGNATURE };

const linesOf = (row: Json, format: Partial<PreviewFormat>, size = { width: 90, height: 40 }) =>
  previewLines(row, { shape: UNKNOWN_SHAPE, clock: CLOCK, shorten: createShortener(), ...format }, size).map((line) =>
    textOf(line).trimEnd(),
  );

describe("a row about a transaction", () => {
  const transfers = deriveShape(entities.Transfer);
  const row = {
    trans_id: SIGNATURE,
    block_time: CLOCK.now / 1000 - 300,
    activity_type: "ACTIVITY_SPL_TRANSFER",
    from_address: ALICE,
    to_address: BOB,
    token_address: WRAPPED_SOL,
    token_decimals: 9,
    amount: 12_500_000_000,
    value: 1750,
  };

  test("shows its outcome and who gives what to whom, with the value", () => {
    const lines = linesOf(row, { shape: transfers, subject: TRANSACTION });
    expect(lines.slice(0, 2)).toEqual(["✔ success  5m ago", "5Q54…e4j1 → 12.5 wSOL ($1,750) → HEAm…KEKR"]);
    expect(lines.join("\n")).toMatch(/amount +12\.5/);
  });

  test("names each of several programs, and shortens those without a name", () => {
    const row = { program_ids: [TOKEN_PROGRAM, ALICE] };
    const data = fakeData();
    data.setName("Token Program", TOKEN_PROGRAM);
    const lines = linesOf(row, { shape: deriveShape(entities.AccountTransaction), subject: TRANSACTION, data });
    expect(lines.join("\n")).toMatch(/program ids +2 entries · Token Program, 5Q54…e4j1/);
  });

  test("shows both sides of a trade", () => {
    const trade = {
      activity_type: "ACTIVITY_TOKEN_SWAP",
      from_address: ALICE,
      platform: ["675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"],
      amount_info: {
        ...{ token1: WRAPPED_SOL, token1_decimals: 9, amount1: 12_500_000_000 },
        ...{ token2: USDC, token2_decimals: 6, amount2: 1_690_000_000 },
      },
    };
    const lines = linesOf(trade, { subject: TRANSACTION });
    expect(lines[1]).toMatch(/^5Q54…e4j1: 12\.5 wSOL → 1,690 USDC via Raydium/);
    expect(lines.join("\n")).not.toContain("amount info");
  });

  test("says why it failed, and lists its instructions", () => {
    const failed = {
      status: "Fail",
      err: { InstructionError: [1, { Custom: 6001 }] },
      parsed_instructions: [{ type: "route", program: "jupiter", program_id: "x" }],
    };
    const lines = linesOf(failed, { subject: TRANSACTION });
    expect(lines.slice(0, 2)).toEqual(["✖ Instruction 2 failed: custom error 6001", "· jupiter › route"]);
    expect(linesOf(failed, { subject: TRANSACTION }, { width: 24, height: 20 })[1]).toMatch(/^ {2}\S/);
  });

  test("shows the whole story where the details were opened before, without a request", () => {
    const answers = new Map(
      Object.entries({ "/transaction/detail": FAILED.detail, "/transaction/actions": SWAP.actions }).map(
        ([path, data]) => [path, answerOf({ endpoint: endpointAt(path), params: { tx: SIGNATURE } }, data)],
      ),
    );
    const store = fakeData();
    const data = {
      ...store,
      read: ({ endpoint }: Parameters<typeof store.read>[0]) => ({ ...IDLE_QUERY, answer: answers.get(endpoint.path) }),
    };
    const lines = linesOf({ tx_hash: SIGNATURE, status: "Fail" }, { subject: TRANSACTION, data });
    expect(lines[0]).toContain("✖ Instruction 2 (transfer) of Token Program failed: insufficient funds (1)");
    expect(lines).toContain("Balance changes");
    expect(store.requests).toEqual([]);
  });
});

describe("a row about a token", () => {
  const row = { address: JUP, symbol: "JUP", name: "Jupiter", price: 0.4483, price_24h_change: 3.2, market_cap: 1.2e9 };

  test("is a card with its price, its change and the prices of the last days", () => {
    const store = fakeData();
    const data = { ...store, trends: { ...store.trends, of: () => [1, 2, 3, 4] } };
    const subject: Route = { kind: "entity", entity: "token", id: JUP };
    const lines = linesOf(row, { shape: deriveShape(entities.TokenListItem), subject, data });
    expect(lines[0]).toBe("JUP  Jupiter");
    expect(lines[1]).toBe(JUP);
    expect(lines[2]).toMatch(/^\$0\.4483 {2}▲ 3\.2/);
    expect(lines[3]).toMatch(/^⣀⣀⣀.*⠉⠉⠉ {2}7d$/);
    expect(lines.join("\n")).toMatch(/market cap +\$1,200,000,000/);
    expect(lines.filter((text) => text.includes(JUP))).toHaveLength(1);
  });
});

describe("a row about an account", () => {
  test("is a card with its name and value", () => {
    const store = fakeData();
    store.setName("Binance Hot Wallet", ALICE);
    const subject: Route = { kind: "entity", entity: "account", id: ALICE };
    const lines = linesOf({ owner: ALICE, value: 5 }, { subject, data: store });
    expect(lines.slice(0, 2)).toEqual(["Binance Hot Wallet", ALICE]);
  });
});

describe("nested values", () => {
  const row = {
    info: { data: { name: "Ape", tags: ["rare", "blue"] }, creators: [{ address: "x", share: 50 }, { address: "y" }] },
    empty: {},
    list: [],
  };

  test("are as the details of the row show them at first, never JSON", () => {
    expect(linesOf(row, {})).toEqual([
      "▾ info",
      "  ▾ data      Ape",
      "      name  Ape",
      "    ▸ tags  2 entries · rare, blue",
      "  ▸ creators  2 entries",
    ]);
    expect(linesOf({ creators: row.info.creators, tags: row.info.data.tags }, {})).toEqual([
      "▾ creators  2 entries",
      "         address  share",
      "  ▸ [0]  x           50",
      "  ▸ [1]  y            -",
      "▸ tags      2 entries · rare, blue",
    ]);
  });

  test("are counted where they are too deep or too many", () => {
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
    expect(linesOf(deep, {}).at(-1)).toMatch(/d +1 field$/);
    const many = { list: Array.from({ length: 20 }, (_, at) => ({ at })) };
    expect(linesOf(many, {})).toEqual(["▸ list  20 entries"]);
  });

  test("fit their region", () => {
    for (const width of [12, 30, 60]) {
      const lines = previewLines(
        row,
        { shape: UNKNOWN_SHAPE, clock: CLOCK, shorten: createShortener() },
        { width, height: 5 },
      );
      expect(lines).toHaveLength(5);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
    }
  });
});
