import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { openDatabase } from "../../src/base/sqlite.ts";
import type { BlockSource, SourceBlock } from "../../src/chain/ledger/source/source.ts";
import { LatestBalances } from "../../src/chain/ledger/store/facts.ts";
import { createTables, Ingester } from "../../src/chain/ledger/store/ingester.ts";
import { createIdRegistry, SourceError } from "../../src/chain/ledger/store/registry.ts";
import { firstRow, INDEXES, LEDGER_VERSION } from "../../src/chain/ledger/store/schema.ts";
import { SETTLE_STATEMENTS } from "../../src/chain/ledger/store/settle.ts";
import {
  ledgerFromDatabase,
  listLedgers,
  openExistingLedger,
  openLedger,
  removeLedgers,
} from "../../src/chain/ledger/store/store.ts";
import { writeLedger } from "../../src/chain/ledger/store/writer.ts";
import { worldId } from "../../src/chain/world/world-id.ts";
import { DERIVED_TABLES, dumpTable } from "../support/derived-tables.ts";
import { type TestLedger, tinyLedger, worldLedger } from "../support/ledger.ts";
import { at, tinySource } from "../support/tiny-chain.ts";

const source = tinySource();
const blocks = [...(source.blocks() as Iterable<SourceBlock>)];
const transactions = blocks.flatMap((block) => block.transactions);

let tiny: TestLedger;
beforeAll(async () => {
  tiny = await tinyLedger();
});
afterAll(() => tiny.ledger.close());

/** Returns the only value of a query. */
const one = (sql: string, ...params: (string | number)[]) => Object.values(tiny.reader.get(sql, ...params) ?? {})[0];
const big = (sql: string, ...params: (string | number)[]) => BigInt(String(one(sql, ...params)));

describe("rows", () => {
  test("contains everything of the source once", () => {
    const count = (table: string) => one(`SELECT COUNT(*) FROM ${table}`);
    const total = (length: (transaction: (typeof transactions)[number]) => number) =>
      transactions.reduce((sum, transaction) => sum + length(transaction), 0);
    expect(count("blocks")).toBe(blocks.length);
    expect(count("transactions")).toBe(transactions.length);
    expect(count("account_keys")).toBe(total(({ keys }) => keys.length));
    expect(count("instructions")).toBe(total(({ instructions }) => instructions.length));
    expect(count("transfers")).toBe(total(({ transfers }) => transfers.length));
    expect(count("balance_changes")).toBe(total(({ changes }) => changes.length));
    expect(count("defi")).toBe(total(({ defi }) => defi.length));
    expect(count("nft_activities")).toBe(total(({ nfts }) => nfts.length));
    expect(count("rewards")).toBe(blocks.reduce((sum, { rewards }) => sum + rewards.length, 0));
  });

  test("stores transfers unchanged", () => {
    const rows = tiny.reader.all(
      `SELECT instruction, type, f.address AS "from", fa.address AS fromAccount, t.address AS "to", ta.address AS toAccount,
         k.address AS token, CAST(amount AS TEXT) AS amount, CAST(value AS TEXT) AS value
       FROM transfers x JOIN accounts f ON f.id = from_id LEFT JOIN accounts fa ON fa.id = from_account_id
       JOIN accounts t ON t.id = to_id LEFT JOIN accounts ta ON ta.id = to_account_id JOIN accounts k ON k.id = token_id
       ORDER BY x.id`,
    );
    const expected = transactions.flatMap(({ transfers }) => transfers);
    expect(rows.map((row) => ({ ...row }))).toEqual(
      expected.map(({ fromAccount = null, toAccount = null, ...rest }) => ({
        ...{ ...rest, fromAccount, toAccount },
        ...{ amount: String(rest.amount), value: String(rest.value) },
      })),
    );
  });

  test("instructions reference their caller", () => {
    const id = one("SELECT id FROM transactions WHERE signature = ?", at.aggregated) as number;
    const rows = tiny.reader.all(
      "SELECT parent FROM instructions WHERE id >= ? AND id < ? ORDER BY id",
      firstRow(id),
      firstRow(id + 1),
    );
    expect(rows.map(({ parent }) => parent)).toEqual([-1, 0, 1, 1, 0, 4, 4]);
  });

  test("the routes of a router contain those of its pools", () => {
    const rows = tiny.reader.all(
      "SELECT activity, parent, is_trade FROM routes WHERE id / 1024 = (SELECT id FROM transactions WHERE signature = ?)",
      at.aggregated,
    );
    expect(rows.map(({ activity, parent, is_trade }) => [activity, parent, is_trade])).toEqual([
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, 1],
    ]);
  });

  test("rewards belong to their block", () => {
    const rewards = tiny.reader.all("SELECT id, id / 1024 / 8192 AS slot FROM rewards");
    expect(rewards.length).toBeGreaterThan(0);
    for (const { slot, id } of rewards) {
      const last = tiny.reader.get("SELECT max(id) AS id FROM transactions WHERE id / 8192 = ?", slot as number);
      expect(id).toBeGreaterThan(firstRow(Number(last?.id ?? 0) + 1) - 1);
    }
  });

  test("native SOL and the System Program have the ids 1 and 2", () => {
    expect(tiny.reader.idOf(at.sol)).toBe(1);
    expect(tiny.reader.idOf(at.programs.system)).toBe(2);
  });
});

describe("a source that breaks its contract", () => {
  const ingest = (change: (block: SourceBlock) => SourceBlock) => {
    const db = openDatabase(":memory:");
    createTables(db);
    new Ingester(db).add(change(blocks[0] as SourceBlock));
  };

  test("by an unknown account", () => {
    expect(() => ingest((block) => ({ ...block, leader: at.dave }))).toThrow(SourceError);
    expect(() => ingest((block) => ({ ...block, leader: at.dave }))).toThrow(at.dave);
  });

  test("by an unknown transaction", () => {
    const nfts = [{ address: at.alice, collection: at.bob, number: 1, data: {}, meta: {}, minted: at.mintNft }];
    expect(() => ingest((block) => ({ ...block, facts: { ...block.facts, nfts } }))).toThrow(at.mintNft);
  });
});

describe("derived tables", () => {
  test("balances are the sums of their changes and rewards", () => {
    const wrong = tiny.reader.all(
      `SELECT b.* FROM balances b WHERE amount <>
         (SELECT coalesce(SUM(post - pre), 0) FROM balance_changes c WHERE c.account_id = b.account_id AND c.token_id = b.token_id)
         + iif(token_id = 1, (SELECT coalesce(SUM(amount), 0) FROM rewards r WHERE r.account_id = b.account_id), 0)`,
    );
    expect(wrong).toEqual([]);
    for (const name of ["alice", "bob", "carol", "dave", "whale", "stake"] as const) {
      const sql = "SELECT CAST(amount AS TEXT) FROM balances WHERE token_id = 1 AND account_id = ?";
      expect(big(sql, tiny.reader.idOf(at[name]) ?? 0)).toBe(source.chain.balance(at[name]));
    }
  });

  test("SOL is neither created nor lost", () => {
    const genesis = transactions[0]?.changes.reduce((sum, { post }) => sum + post, 0n) ?? 0n;
    const paid = big("SELECT SUM(amount) FROM rewards");
    const fees = big("SELECT SUM(fee) FROM transactions");
    expect(
      big("SELECT CAST(SUM(supply) AS TEXT) FROM token_stats WHERE token_id IN (1, ?)", tiny.reader.idOf(at.wsol) ?? 0),
    ).toBe(genesis + paid - fees);
  });

  test("the balances of a token add up to its supply", () => {
    const rows = tiny.reader.all(
      `SELECT token_id, CAST(supply AS TEXT) AS supply, (SELECT CAST(SUM(amount) AS TEXT) FROM balances b
         WHERE b.token_id = s.token_id) AS balance FROM token_stats s`,
    );
    for (const { supply, balance } of rows) expect(balance).toBe(supply);
    expect(one("SELECT holders FROM token_stats WHERE token_id = ?", tiny.reader.idOf(at.usdc) ?? 0)).toBe(5);
  });

  test("windows of 24 hours end with the newest block", () => {
    const stats = tiny.reader.get("SELECT * FROM token_stats WHERE token_id = ?", tiny.reader.idOf(at.wsol) ?? 0);
    expect(stats).toMatchObject({
      price: 99,
      price_prev: 100,
      trades_24h: 2,
      traders_24h: 1,
      volume_24h: 1_192_000_000,
    });
    const pool = tiny.reader.get("SELECT * FROM pool_stats WHERE pool_id = ?", tiny.reader.idOf(at.catPool) ?? 0);
    expect(pool).toMatchObject({
      trades_24h: 1,
      trades_prev_24h: 1,
      volume_24h: 202_000_000,
      volume_prev_24h: 50_000_000,
    });
    expect(pool?.tvl).toBe(22_975);
  });

  test("programs count transactions, not instructions", () => {
    const stats = (address: string) =>
      tiny.reader.get("SELECT * FROM program_stats WHERE program_id = ?", tiny.reader.idOf(address) ?? 0);
    expect(stats(at.jupiter)).toMatchObject({ transactions: 2, successes: 1, volume: 202_000_000, users_24h: 2 });
    expect(stats(at.programs.vote)).toMatchObject({ transactions: 2, successes: 2 });
  });

  test("a transferred token account belongs to its new owner", () => {
    const sql = "SELECT owner_id FROM balances WHERE account_id = ? AND token_id <> 1";
    expect(one(sql, tiny.reader.idOf(at.daveUsdc) ?? 0)).toBe(tiny.reader.idOf(at.dave));
  });

  test("funders are the senders of the first SOL", () => {
    const funder = (name: string) =>
      one("SELECT funder_id FROM funders WHERE account_id = ?", tiny.reader.idOf(name) ?? 0);
    expect(funder(at.carol)).toBe(tiny.reader.idOf(at.alice));
    expect(funder(at.dave)).toBe(tiny.reader.idOf(at.bob));
    expect(funder(at.whale)).toBeUndefined();
  });

  test("a sale ends a listing", () => {
    const market = (name: string) =>
      tiny.reader.get("SELECT * FROM nft_markets WHERE nft_id = ?", tiny.reader.idOf(name) ?? 0);
    expect(market(at.nft)).toMatchObject({ listing_id: null, last_sale_id: expect.any(Number) });
    expect(market(at.nftTwo)).toMatchObject({ listing_price: 5_000_000_000, last_sale_id: null });
  });

  test("settling repeatedly gives the same result as settling once", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: blocks.length, maxLength: blocks.length }), (stops) => {
        const db = openDatabase(":memory:");
        createTables(db);
        const ingester = new Ingester(db);
        blocks.forEach((block, index) => {
          ingester.add(block);
          if (stops[index]) ingester.settle();
        });
        ingester.settle();
        for (const table of DERIVED_TABLES) expect(dumpTable(db, table), table).toEqual(dumpTable(tiny.db, table));
        db.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe("query plans", () => {
  test.each([
    ["SELECT id FROM accounts WHERE address = ?", "accounts_address"],
    ["SELECT * FROM transactions WHERE signature = ?", "transactions_signature"],
    ["SELECT * FROM account_keys WHERE account_id = ? ORDER BY id DESC LIMIT 10", "account_keys_account"],
    [
      "SELECT * FROM account_transfers WHERE account_id = ? AND transfer_id < ? ORDER BY transfer_id DESC LIMIT 10",
      "PRIMARY KEY",
    ],
    ["SELECT * FROM transfers WHERE token_id = ? AND id < ? ORDER BY id DESC LIMIT 10", "transfers_token"],
    ["SELECT * FROM transfers WHERE id >= ? AND id < ? ORDER BY id DESC", "INTEGER PRIMARY KEY"],
    ["SELECT * FROM balance_changes WHERE owner_id = ? ORDER BY id DESC LIMIT 10", "balance_changes_owner"],
    ["SELECT * FROM defi_tokens WHERE token_id = ? ORDER BY defi_id DESC LIMIT 10", "PRIMARY KEY"],
    ["SELECT * FROM routes WHERE pool_id = ? AND id > ? ORDER BY id DESC LIMIT 10", "routes_pool"],
    ["SELECT * FROM prices WHERE token_id = ? AND id < ? ORDER BY id DESC LIMIT 1", "PRIMARY KEY"],
    [
      "SELECT account_id, amount FROM balances WHERE token_id = ? AND amount > 0 ORDER BY amount DESC LIMIT 10",
      "balances_token",
    ],
    ["SELECT slot FROM blocks WHERE time >= ? ORDER BY time, slot LIMIT 1", "blocks_time"],
    ["SELECT * FROM nft_activities WHERE collection_id = ? ORDER BY id DESC LIMIT 10", "nft_activities_collection"],
    ["SELECT * FROM wealth ORDER BY total DESC LIMIT 10", "wealth_total"],
  ])("%s", (sql, index) => {
    const plan = tiny.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const details = plan.map(({ detail }) => String(detail)).join("; ");
    expect(details).toContain(index);
    expect(details).not.toContain("TEMP B-TREE");
  });
});

describe("large ledgers", () => {
  const empty = () => {
    const db = openDatabase(":memory:");
    createTables(db);
    return db;
  };

  test("ids of accounts are found when they are no longer in memory", () => {
    const db = empty();
    const registry = createIdRegistry(db);
    const insert = db.prepare("INSERT INTO accounts VALUES (?, ?, 'account', 2, 0, 0, NULL)");
    const ids = Array.from({ length: 120_000 }, (_, n) => {
      const id = registry.registerAccount(`account ${n}`);
      insert.run(id, `account ${n}`);
      return id;
    });
    expect(new Set(ids).size).toBe(ids.length);
    for (const n of [0, 1, 49_999, 70_000, 119_999]) expect(registry.accountId(`account ${n}`)).toBe(ids[n]);
    expect(registry.registerAccount("account 5")).toBe(ids[5]);
    expect(() => registry.accountId("unknown")).toThrow("without describing it");
    db.close();
  });

  test("the latest balance of an account is the last one, in memory or not", () => {
    const db = empty();
    const balances = new LatestBalances(db);
    for (let account = 0; account < 60_000; account++) balances.set(account, 7, 1, BigInt(account));
    for (const account of [3, 59_999]) balances.set(account, 7, 2, 1n);
    balances.flush();
    const rows = db.prepare("SELECT * FROM latest WHERE account_id IN (3, 4, 59999) ORDER BY 1").all();
    expect(rows.map((row) => Object.values(row))).toEqual([
      [3, 7, 2, 1],
      [4, 7, 1, 4],
      [59_999, 7, 2, 1],
    ]);
    expect(db.prepare("SELECT COUNT(*) AS n FROM latest").get()?.n).toBe(60_000);
    db.close();
  });
});

test("settling a block scans no large table", () => {
  const db = openDatabase(":memory:");
  createTables(db);
  db.exec(INDEXES);
  new Ingester(db);
  const big =
    /SCAN (?:transfers|instructions|i|account_keys|balance_changes|balances|b|routes|defi|transactions|prices)\b/;
  for (const sql of SETTLE_STATEMENTS) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    for (const { detail } of plan) expect(detail, sql).not.toMatch(big);
  }
  db.close();
});

describe("ledgers in files", () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-ledger-"));
  const home = join(folder, "sandbox");
  const id = worldId({ seed: "Tiny & small", size: 1 });
  const named: BlockSource = { ...source, id, details: { seed: "Tiny & small", size: 1, hostile: false } };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const files = () => readdirSync(home);
  const open = async (options = {}) => {
    const ledger = await openLedger({ folder, source: named, ...options });
    ledger.close();
    return ledger;
  };
  const path = async () => String((await open()).path);

  test("is created once and stored", async () => {
    expect(await openExistingLedger({ folder, id })).toBeUndefined();
    const fractions: number[] = [];
    await open({ onProgress: (fraction: number) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    await open({ onProgress: () => expect.unreachable() });
    const known = await openExistingLedger({ folder, id, now: 1_800_000_000 });
    expect(known?.meta).toMatchObject({
      source: id,
      seed: "Tiny & small",
      size: "1",
      hostile: "false",
      end: String(source.end),
    });
    expect(known?.reader.clock).toEqual({ end: source.end, shift: 1_800_000_000 - source.end });
    expect(known?.reader.idOf(at.alice)).toBe(tiny.reader.idOf(at.alice));
    expect(() => known?.db.exec("DELETE FROM meta")).toThrow("readonly");
    known?.close();
    expect(files()).toHaveLength(1);
  });

  test("is listed", async () => {
    const [info, ...others] = await listLedgers(folder);
    expect(others).toEqual([]);
    expect(info).toMatchObject({
      path: await path(),
      bytes: statSync(await path()).size,
      meta: { seed: "Tiny & small" },
    });
    expect(info?.rows).toMatchObject({ blocks: blocks.length, transactions: transactions.length });
  });

  test.each([
    ["not a database", (file: string) => writeFileSync(file, "This is no database. ".repeat(1000))],
    ["empty", (file: string) => truncateSync(file, 0)],
    ["truncated", (file: string) => truncateSync(file, statSync(file).size / 2)],
    ["of another version", (file: string) => alter(file, "UPDATE meta SET value = '0' WHERE name = 'version'")],
    ["of another source", (file: string) => alter(file, "UPDATE meta SET value = 'other' WHERE name = 'source'")],
    ["without its description", (file: string) => alter(file, "DROP TABLE meta")],
  ])("that is %s is created again", async (_, damage) => {
    const before = readFileSync(await path());
    damage(await path());
    expect(await openExistingLedger({ folder, id })).toBeUndefined();
    const ledger = await openLedger({ folder, source: named });
    expect(ledger.meta.version).toBe(String(LEDGER_VERSION));
    for (const table of DERIVED_TABLES) expect(dumpTable(ledger.db, table)).toEqual(dumpTable(tiny.db, table));
    ledger.close();
    expect(readFileSync(await path()).equals(before)).toBe(true);
  });

  test("can be created by several processes at once", async () => {
    rmSync(home, { recursive: true });
    const ledgers = await Promise.all([1, 2, 3, 4].map(() => openLedger({ folder, source: named })));
    for (const ledger of ledgers) {
      expect(ledger.reader.idOf(at.alice)).toBe(tiny.reader.idOf(at.alice));
      ledger.close();
    }
    expect(files()).toHaveLength(1);
  });

  test("that is interrupted leaves no files", async () => {
    rmSync(home, { recursive: true });
    const endless: BlockSource = { ...named, end: source.end * 2, blocks: () => endlessBlocks() };
    const stop = new AbortController();
    const opening = openLedger({ folder, source: endless, signal: stop.signal, onProgress: () => stop.abort() });
    await expect(opening).rejects.toThrow(InterruptedError);
    expect(files()).toEqual([]);
  });

  test("of dead processes are removed after an hour", async () => {
    mkdirSync(join(home, ".making-old"), { recursive: true });
    mkdirSync(join(home, ".making-new"), { recursive: true });
    const longAgo = Date.now() / 1000 - 2 * 3600;
    utimesSync(join(home, ".making-old"), longAgo, longAgo);
    await open();
    expect(files()).toContain(".making-new");
    expect(files()).not.toContain(".making-old");
  });

  test("is in memory where it cannot be stored", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const notes: string[] = [];
    const ledger = await openLedger({ folder: file, source: named, onNote: (note) => notes.push(note) });
    expect(ledger.path).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining("cannot store its data")]);
    expect(ledger.reader.idOf(at.alice)).toBe(tiny.reader.idOf(at.alice));
    ledger.close();
  });

  test("on a full disk is created in memory, with a note", async () => {
    const full = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR" });
    let tries = 0;
    const blocksOnce = function* () {
      tries += 1;
      if (tries === 1) throw full;
      yield* blocks;
    };
    const notes: string[] = [];
    const before = files();
    const options = {
      folder,
      source: { ...source, id: "full", blocks: blocksOnce },
      onNote: (t: string) => notes.push(t),
    };
    const ledger = await openLedger(options);
    expect([ledger.path, notes]).toEqual([undefined, [expect.stringContaining("cannot store its data")]]);
    expect(ledger.reader.idOf(at.alice)).toBe(tiny.reader.idOf(at.alice));
    ledger.close();
    expect(files()).toEqual(before);
  });

  test("are removed", async () => {
    const file = await path();
    expect(await removeLedgers(folder)).toEqual([file]);
    expect(await listLedgers(folder)).toEqual([]);
    expect(await removeLedgers(folder)).toEqual([]);
  });

  test("have distinct names that are valid on any file system", async () => {
    const small: BlockSource = { ...source, end: blocks[0]?.time ?? 0 };
    const seeds = [
      "a",
      "A",
      "../a",
      "a/b",
      "ä",
      "con",
      "\u{1f980}",
      "\ud800",
      "",
      "x".repeat(300),
      "X".repeat(300),
      `${"x".repeat(300)}y`,
    ];
    for (const seed of seeds) {
      const named = worldId({ seed, size: 1 });
      (await openLedger({ folder, source: { ...small, id: named } })).close();
      const known = await openExistingLedger({ folder, id: named });
      expect(known, seed).toBeDefined();
      known?.close();
    }
    expect(new Set(files().map((name) => name.toLowerCase())).size).toBe(seeds.length);
    for (const name of files()) expect(name).toMatch(/^[a-z0-9_-]{1,120}\.db$/);
    const known = (await listLedgers(folder)).map(({ meta }) => meta.seed);
    expect(known).toHaveLength(seeds.length);
  });
});

test("a ledger of asynchronous blocks is the same", async () => {
  const db = openDatabase(":memory:");
  const later: BlockSource = {
    ...source,
    async *blocks() {
      yield* blocks;
    },
  };
  await writeLedger(db, later);
  expect(ledgerFromDatabase(db).meta).toEqual(tiny.ledger.meta);
  for (const table of DERIVED_TABLES) expect(dumpTable(db, table)).toEqual(dumpTable(tiny.db, table));
});

function alter(file: string, sql: string): void {
  const db = openDatabase(file);
  db.exec(sql);
  db.close();
}

/** Yields the blocks of the tiny chain, then an endless sequence of votes. */
function* endlessBlocks(): Generator<SourceBlock> {
  yield* blocks;
  const last = blocks.at(-1) as SourceBlock;
  const vote = transactions.find((transaction) => transaction.isVote) as (typeof transactions)[number];
  for (let n = 1; ; n++) {
    const transaction = { ...vote, signature: `${vote.signature.slice(0, 70)}${n}` };
    yield {
      ...last,
      slot: last.slot + n,
      time: Number(last.time) + n,
      facts: {},
      rewards: [],
      transactions: [transaction],
    };
  }
}

test("generated worlds are cached for tests", async () => {
  const { ledger } = await worldLedger({ seed: "cached", size: 0.02 });
  const again = await worldLedger({ seed: "cached", size: 0.02 });
  expect(again.ledger.path).toBe(ledger.path);
  expect(again.reader.get("SELECT COUNT(*) AS rows FROM transactions")).toEqual(
    ledger.reader.get("SELECT COUNT(*) AS rows FROM transactions"),
  );
  ledger.close();
  again.ledger.close();
});
