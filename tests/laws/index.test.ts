/**
 * The laws of lists for an index that changes while it is read: blocks arrive, are rolled back, or are removed because
 * they are old; others were never indexed. What was on the chain all the time is read once and in order, or the reading
 * says that rows may be missing.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NATIVE_SOL } from "../../src/catalogue/samples.ts";
import type { SourceBlock } from "../../src/chain/ledger/source/source.ts";
import { type ChainLedgerWriter, openChainLedger } from "../../src/chain/ledger/store/chain-writer.ts";
import { openGrowingLedger } from "../../src/chain/ledger/store/store.ts";
import { openLedgerService } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/sources/index.ts";
import { addressFor, Chain } from "../support/chain.ts";
import { CASES_EACH, checkReading, ENDLESS, endpointOf, type Reading, readAll, UNLIMITED } from "./readings.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-law-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WALLET = addressFor("wallet");
const START = 1_700_000_000;
/** Blocks of the base, and of the whole chain. */
const [BASE, ALL] = [30, 45];

/** Returns blocks of up to three transfers to the wallet, the first of slot 1; some blocks share a second. */
function createBlocks(): readonly SourceBlock[] {
  const chain = new Chain(addressFor("leader"));
  const bank = chain.account("bank");
  for (const name of ["wallet", "leader"]) chain.account(name);
  chain.transaction("genesis", bank, { genesis: true }, (draft) => draft.change(bank, bank, NATIVE_SOL, 10n ** 15n));
  for (let block = 0; block < ALL; block++) {
    for (let at = 0; at <= block % 3; at++)
      chain.transaction(`${block} ${at}`, bank, {}, (draft) =>
        draft.sol(bank, WALLET, BigInt(10_000_000 + block * 10 + at)),
      );
    chain.close(START + Math.floor(block / 2) * 60);
  }
  const FIRST = 1001;
  return chain.blocks.map((block) => ({
    ...block,
    slot: block.slot - FIRST,
    parentSlot: Math.max(0, block.parentSlot - FIRST),
  }));
}

const blocks = createBlocks();
/** The transfers of a block, newest first. */
const rowsOf = ({ transactions }: SourceBlock) =>
  transactions
    .filter(({ transfers }) => transfers.length > 0)
    .map(({ signature }) => String(signature))
    .reverse();

/** What the index has of the base: a range of its blocks, without those of a gap, and without effects of some. */
const BASES = {
  whole: { from: 0, gap: [BASE, BASE] },
  late: { from: 11, gap: [BASE, BASE] },
  gap: { from: 0, gap: [12, 15] },
  partial: { from: 0, gap: [BASE, BASE], partial: [12, 15] },
} as const;
/** A block as of a node that did not record what its transactions did. */
const withoutEffects = (block: SourceBlock): SourceBlock => ({
  ...block,
  isPartial: true,
  transactions: block.transactions.map((each) => ({ ...each, transfers: [], changes: [], holdings: [] })),
});

type BaseName = keyof typeof BASES;
const names = Object.keys(BASES) as BaseName[];

const isInBase = (name: BaseName, at: number) => {
  const { from, gap } = BASES[name];
  return at >= from && at < BASE && !(at >= gap[0] && at < gap[1]);
};

/** The slot of the newest block that no longer changes. */
const FINAL = Number(blocks[BASE - 8]?.slot);

beforeAll(() => {
  for (const name of names) {
    const writer = openChainLedger(join(folder, `${name}.db`), "chain:law");
    const [start, end] = BASES[name].gap;
    const gaps = start === BASE ? [] : [{ from: blocks[start]?.slot, to: Number(blocks[end]?.slot) - 1 }];
    writer.write({ meta: { commitment: "confirmed", filter: "", gaps: JSON.stringify(gaps) } });
    const found = BASES[name];
    const [first, last] = "partial" in found ? found.partial : [0, 0];
    const base = blocks
      .map((block, at) => (at >= first && at < last ? withoutEffects(block) : block))
      .filter((_, at) => isInBase(name, at));
    writer.write({ blocks: base, mayBeDropped: true, finalSlot: FINAL });
    writer.close();
  }
});

type Change = "grow" | "roll back" | "prune";
/** Changes before requests, by the number of the request. */
type Changes = readonly { readonly before: number; readonly change: Change; readonly count: number }[];

const changes: fc.Arbitrary<Changes> = fc.array(
  fc.record({
    before: fc.nat({ max: 9 }),
    change: fc.constantFrom<Change>("grow", "grow", "roll back", "prune"),
    count: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 3 },
);

/** A rollback of as many rows as a page has: no row of the next page shows it. */
const WHOLE_PAGE: [BaseName, Changes] = ["whole", [{ before: 1, change: "roll back", count: 5 }]];

/** A rollback that undoes the growth by which a row came again, before the page is read again that would show it. */
const UNDONE: [BaseName, Changes] = [
  "whole",
  [
    { before: 4, change: "grow", count: 1 },
    { before: 6, change: "grow", count: 1 },
    { before: 6, change: "roll back", count: 2 },
  ],
];

/** An index that changes between requests, and what was on the chain meanwhile. */
class ChangingIndex {
  readonly #writer: ChainLedgerWriter;
  readonly #changes: Changes;
  readonly #next: SourceBlock[] = blocks.slice(BASE);
  readonly #indexed: SourceBlock[];
  /** All blocks that were ever on the chain, in its order. */
  readonly #chain: SourceBlock[] = blocks.slice(0, BASE);
  readonly #onChain = new Set<string>(this.#chain.flatMap(rowsOf));
  requests = 0;

  constructor(name: BaseName, path: string, what: Changes) {
    copyFileSync(join(folder, `${name}.db`), path);
    this.#writer = openChainLedger(path, "chain:law");
    this.#changes = what;
    this.#indexed = blocks.filter((_, at) => isInBase(name, at));
  }

  /** Changes what is due before a request. Rows that arrive later are not there all the time. */
  beforeRequest(): void {
    const number = this.requests++;
    for (const { before, change, count } of this.#changes) {
      if (before !== number) continue;
      if (change === "grow") this.#grow(count, number === 0);
      else if (change === "roll back") this.#rollBack(count);
      else this.#writer.prune(Number(this.#indexed[count * 3]?.time ?? 0));
    }
  }

  #grow(count: number, isSteady: boolean): void {
    for (const block of this.#next.splice(0, count)) {
      this.#writer.write({ blocks: [block], mayBeDropped: true, meta: { next: block.slot + 1 } });
      this.#indexed.push(block);
      this.#chain.push(block);
      if (isSteady) for (const row of rowsOf(block)) this.#onChain.add(row);
    }
  }

  #rollBack(count: number): void {
    // Blocks that are final stay.
    const start = this.#indexed.findIndex(({ slot }) => slot > FINAL);
    if (start < 0) return;
    const removed = this.#indexed.splice(Math.max(start, this.#indexed.length - count));
    for (const row of removed.flatMap(rowsOf)) this.#onChain.delete(row);
    const [first] = removed;
    if (first) this.#writer.removeFrom(first.slot, { next: first.slot });
  }

  /** All rows that there ever were, newest first, and those that were on the chain all the time. */
  get rows() {
    const all = this.#chain.toReversed().flatMap(rowsOf);
    return { all, steady: all.filter((row) => this.#onChain.has(row)) };
  }

  close(): void {
    this.#writer.close();
  }
}

let files = 0;

/** Reads a list of an index while it changes. */
async function read(name: BaseName, what: Changes, route: string, params: Readonly<Record<string, unknown>>) {
  const path = join(folder, `case-${++files}.db`);
  const index = new ChangingIndex(name, path, what);
  const ledger = openGrowingLedger(path);
  if (!ledger) throw new Error("no ledger");
  const service = await openLedgerService(ledger, { name: "law" });
  const open = async () => ({
    handle: (request: Parameters<typeof service.handle>[0]) => {
      index.beforeRequest();
      if (index.requests > ENDLESS) throw new Error("endless");
      return service.handle(request);
    },
    close: () => service.close(),
  });
  const source = { kind: "index", name: "law" } as const;
  const doubts: string[] = [];
  const client = createClient({
    ...{ ledger: { open, source, failure: { code: "LAW", hint: "" } }, key: service.key, rateLimiter: UNLIMITED },
    ...{ retries: 0, sleep: async () => {}, onEvent: (event) => event.type === "coverage" && doubts.push(event.text) },
  });
  try {
    const reading: Reading = await readAll(client, endpointOf(route), params);
    return { reading, doubts, ...index.rows };
  } finally {
    await client.close();
    index.close();
    for (const suffix of ["", "-wal", "-shm", ".lock"]) rmSync(path + suffix, { force: true });
  }
}

describe("an index that changes", () => {
  test.each([
    ["v2-account-transfer", { address: WALLET, page_size: 10 }],
    ["v2-account-transfer", { address: WALLET, page_size: 10, sort_order: "asc" }],
    ["v2-account-balance-change", { address: WALLET, page_size: 10 }],
    ["v2-account-transactions", { address: WALLET, limit: 10 }],
    ["account-sol-transfers", { account: WALLET, limit: 10 }],
    ["v2-account-transfer-export", { address: WALLET }],
  ] as const)("%s %j", async (route, params) => {
    const run = async (name: BaseName, what: Changes) => {
      const { reading, doubts, all, steady } = await read(name, what, route, params);
      const order = "sort_order" in params ? all.toReversed() : all;
      const mayRepeat = doubts.some((text) => text.includes("there twice"));
      checkReading(mayRepeat ? { ...reading, ids: [...new Set(reading.ids)] } : reading, {
        all: order,
        steady,
        isDoubtful: doubts.length > 0,
      });
      if (name === "whole" && what.length === 0) expect([reading.error, doubts]).toEqual([undefined, []]);
    };
    for (const name of names) await run(name, []);
    await fc.assert(fc.asyncProperty(fc.constantFrom(...names), changes, run), {
      numRuns: 2 + CASES_EACH,
      examples: [WHOLE_PAGE, UNDONE],
    });
  });
});
