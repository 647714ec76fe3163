/** Properties of the transactions and blocks of the sandbox. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { type Json, type JsonObject, stringifyJson } from "../../src/base/json.ts";
import * as entities from "../../src/catalogue/entities/index.ts";
import { NATIVE_SOL } from "../../src/catalogue/samples.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { firstRow } from "../../src/chain/ledger/store/schema.ts";
import { findTransactionId } from "../../src/chain/ledger/store/votes.ts";
import { signatureFor } from "../support/chain.ts";
import { tinyLedger, worldLedger } from "../support/ledger.ts";
import { queryData, queryRows, runQuery } from "../support/query.ts";
import { asDoubles, planSteps } from "../support/query-plans.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read without static types
type Answer = any;

const data = (db: LedgerReader, route: string, params = {}): Answer => asDoubles(queryData(db, route, params));
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Returns instructions in the order of execution. */
const flatten = (list: readonly Answer[]): readonly Answer[] =>
  list.flatMap((each) => [each, ...flatten(each.inner_instructions)]);

function expectEntity(schema: z.ZodType, value: Json): void {
  const result = schema.safeParse(asDoubles(value));
  expect(result.error?.issues ?? []).toEqual([]);
}

interface Chain {
  readonly db: LedgerReader;
  /** Signatures of transactions, distributed over the chain. */
  readonly sample: readonly string[];
  readonly slots: readonly number[];
}

const column = (db: LedgerReader, sql: string): readonly Answer[] => db.all(sql).map((row) => Object.values(row)[0]);

async function chainOf(name: string): Promise<Chain> {
  const { reader: db } = name === "tiny" ? await tinyLedger() : await worldLedger();
  const step = Math.ceil(Number(db.get("SELECT COUNT(*) AS n FROM transactions")?.n) / 250);
  return {
    db,
    sample: db
      .all(
        `SELECT id, signature FROM transactions WHERE id / 8192 > (SELECT MIN(slot) FROM blocks) AND id % ${step} = 0 ORDER BY id`,
      )
      .map(({ signature }) => String(signature)),
    slots: column(db, "SELECT slot FROM blocks ORDER BY slot"),
  };
}

describe.each(["tiny", "world"])("the %s ledger", (name) => {
  let chain: Chain;
  let db: LedgerReader;
  beforeAll(async () => {
    chain = await chainOf(name);
    db = chain.db;
  });

  const details = (): readonly Answer[] => chain.sample.map((tx) => data(db, "v2-transaction-detail", { tx }));

  test("a transaction reduces the lamports by its fee only", () => {
    for (const { sol_bal_change: changes, fee, priority_fee: priority, account_keys: keys } of details()) {
      expect(sum(changes.map((each: Answer) => BigInt(each.change_amount)))).toBe(-BigInt(fee));
      expect(priority).toBeLessThanOrEqual(fee);
      expect(changes.map((each: Answer) => each.address)).toEqual(keys.map((key: Answer) => key.pubkey));
      for (const each of changes) {
        expect(BigInt(each.post_balance) - BigInt(each.pre_balance)).toBe(BigInt(each.change_amount));
        expect(BigInt(each.pre_balance)).toBeGreaterThanOrEqual(0n);
      }
    }
  });

  test("instructions have arguments, of which the accounts are keys of the transaction", () => {
    for (const detail of details()) {
      const keys = new Set(detail.account_keys.map((key: Answer) => key.pubkey));
      for (const { data_raw: raw, accounts } of flatten(detail.parsed_instructions)) {
        for (const account of accounts) expect(keys).toContain(account);
        if (typeof raw === "string") continue;
        const named = Object.entries(raw.info).filter(
          ([, value]) => typeof value === "string" && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value),
        );
        if (!("memo" in raw.info))
          for (const [key, value] of named) expect([key, keys.has(value)]).toEqual([key, true]);
        if (name === "world" && detail.status === 1) {
          expect([detail.tx_hash, raw.type, Object.keys(raw.info).length > 0]).toEqual([
            detail.tx_hash,
            raw.type,
            true,
          ]);
        }
      }
    }
  });

  test("the arguments of a swap match its activity and transfers", () => {
    const swaps = details().flatMap((detail) =>
      flatten(detail.parsed_instructions).filter(
        ({ data_raw: raw, activities }) => activities.length > 0 && raw.info?.inputVault && raw.info.outputVault,
      ),
    );
    expect(swaps.length > 0 || name === "tiny").toBe(true);
    for (const { data_raw: raw, activities, inner_instructions: inner } of swaps) {
      const { data } = activities.at(-1);
      if (data.amm_id === undefined) continue;
      const transfers = flatten(inner).flatMap((each: Answer) => each.transfers);
      const [sent, received] = [transfers[0], transfers.at(-1)];
      expect(raw.info).toMatchObject({
        amountIn: data.amount_1_str,
        amountOut: data.amount_2_str,
        source: sent.source,
        inputVault: sent.destination,
        outputVault: received.source,
        destination: received.destination,
        pool: data.amm_id,
        owner: data.account,
      });
    }
  });

  test("a balance before a transaction is the balance after the previous one", () => {
    const rewarded = new Set(column(db, "SELECT DISTINCT account_id FROM rewards").map((id) => db.addressOf(id)));
    const balances = new Map<string, string>();
    const ids = column(
      db,
      "SELECT id FROM transactions WHERE id / 8192 > (SELECT MIN(slot) FROM blocks) ORDER BY id LIMIT 400",
    );
    for (const id of ids) {
      const tx = String(db.get("SELECT signature FROM transactions WHERE id = ?", id)?.signature);
      for (const { address, pre_balance: pre, post_balance: post } of data(db, "v2-transaction-detail", { tx })
        .sol_bal_change) {
        if (!rewarded.has(address)) expect(pre).toBe(balances.get(address) ?? pre);
        balances.set(address, post);
      }
    }
  });

  test("instructions are a tree with the positions of everything", () => {
    for (const detail of details()) {
      const walk = (list: readonly Answer[], level: number, outer: Answer): void =>
        list.forEach((each, index) => {
          expect(each).toMatchObject({ ins_index: index, program_invoke_level: level });
          const place = { outer_program_id: outer?.program_id ?? null, outer_ins_index: outer?.ins_index ?? -1 };
          for (const part of [each, ...each.transfers, ...each.activities]) expect(part).toMatchObject(place);
          walk(each.inner_instructions, level + 1, outer ?? each);
        });
      walk(detail.parsed_instructions, 1, undefined);
      const id = Number(findTransactionId(db, detail.tx_hash));
      if (isVote(detail.tx_hash)) continue;
      const rows = db.all(
        `SELECT k.type FROM instructions i JOIN instruction_kinds k ON k.id = i.kind_id
        WHERE i.id >= ? AND i.id < ? ORDER BY i.id`,
        firstRow(id),
        firstRow(id + 1),
      );
      const flat = flatten(detail.parsed_instructions);
      // The hand-written chain calls some programs late.
      const order = (list: readonly unknown[]) =>
        name === "tiny" ? list.map((each) => JSON.stringify(each)).sort() : list;
      expect(order(flat.map(({ type }) => type))).toEqual(order(rows.map(({ type }) => type)));
      expect(order(flat.flatMap(({ transfers }) => transfers))).toEqual(order(detail.transfers));
      expect(order(flat.flatMap(({ activities }) => activities))).toEqual(order(detail.activities));
      expect(new Set(flat.map(({ program_id }) => program_id))).toEqual(new Set(detail.programs_involved));
    }
  });

  test("a transfer is the same in details, actions, account and token lists", () => {
    const transactions = chain.sample.filter((_, index) => index % 5 === 0);
    for (const tx of transactions) {
      const detail = data(db, "v2-transaction-detail", { tx });
      const actions = data(db, "v2-transaction-actions", { tx });
      const place = ({ source, destination, amount_str, token_address }: Answer) => [
        source,
        destination,
        amount_str,
        token_address,
      ];
      expect(actions.transfers.map(place)).toEqual(detail.transfers.map(place));
      const day = { from_time: detail.block_time, to_time: detail.block_time, page_size: 100 };
      for (const transfer of detail.transfers.slice(0, 3)) {
        const same = (rows: readonly JsonObject[]) =>
          rows.filter(
            (row) =>
              row.trans_id === tx &&
              row.from_address === transfer.source_owner &&
              row.to_address === transfer.destination_owner &&
              stringifyJson(row.amount ?? null) === transfer.amount_str,
          ).length;
        const address = transfer.source_owner;
        expect(same(queryRows(db, "v2-account-transfer", { address, flow: "out", ...day }))).toBeGreaterThan(0);
        if (transfer.token_address === NATIVE_SOL) continue;
        expect(same(queryRows(db, "v2-token-transfer", { address: transfer.token_address, ...day }))).toBeGreaterThan(
          0,
        );
      }
    }
  });

  test("failed transactions only pay the fee", () => {
    const failed = column(db, "SELECT signature FROM transactions WHERE error IS NOT NULL ORDER BY id LIMIT 20");
    expect(failed.length).toBeGreaterThan(0);
    for (const tx of failed) {
      const detail = data(db, "v2-transaction-detail", { tx });
      expect(detail).toMatchObject({ status: 0, transfers: [], token_bal_change: [] });
      expect(detail.activities.every(({ name }: Answer) => name === "ComputeBudget")).toBe(true);
      expect(detail.sol_bal_change.filter((each: Answer) => each.change_amount !== "0")).toHaveLength(1);
      expect(data(db, "transaction-detail", { signature: tx }).status).toBe("Fail");
    }
  });

  test("logs contain the start and end of every program, up to the one that fails", () => {
    const withDerivedLogs = details().filter(({ tx_hash: tx }) =>
      db.get("SELECT 1 FROM transactions WHERE id = ? AND logs IS NULL", findTransactionId(db, tx) ?? -1),
    );
    for (const { log_message: lines, status, compute_units_consumed: units } of withDerivedLogs) {
      const open: string[] = [];
      let used = 0;
      for (const line of lines as readonly string[]) {
        const [, program = "", word = "", rest = ""] =
          /^Program (\w+) (invoke|success|failed|consumed)(.*)$/.exec(line) ?? [];
        if (word === "invoke") {
          open.push(program);
          expect(rest).toBe(` [${open.length}]`);
        }
        if (word === "consumed") {
          const [own = 0, left = 0] = (rest.match(/\d+/g) ?? []).map(Number);
          expect(own).toBeLessThanOrEqual(left);
          if (open.length === 1) used += own;
        }
        if (word === "success" || word.startsWith("failed")) expect(open.pop()).toBe(program);
      }
      expect(open).toEqual([]);
      expect(used).toBeLessThanOrEqual(units);
      expect(/ failed: /.test(lines.at(-1) ?? "")).toBe(status === 0);
    }
  });

  test("answers match the entities", () => {
    for (const tx of chain.sample) {
      expectEntity(entities.TransactionDetail, queryData(db, "v2-transaction-detail", { tx }));
      expectEntity(entities.TransactionActions, queryData(db, "v2-transaction-actions", { tx }));
      expectEntity(entities.LegacyTransactionDetail, queryData(db, "transaction-detail", { signature: tx }));
    }
    for (const row of queryRows(db, "transaction-last", { limit: 20 }))
      expectEntity(entities.LegacyRpcTransaction, row);
    for (const row of queryRows(db, "v2-transaction-last", { limit: 100 }))
      expectEntity(entities.AccountTransaction, row);
    for (const row of queryRows(db, "v2-block-last", { limit: 100 })) expectEntity(entities.Block, row);
    for (const row of queryRows(db, "block-last", { limit: 20 })) expectEntity(entities.LegacyBlock, row);
  });

  test("the involved tokens have names", () => {
    for (const tx of chain.sample) {
      const result: Answer = runQuery(db, "v2-transaction-detail", { tx });
      expect(Object.keys(result.metadata.tokens)).toEqual(result.data.tokens_involved);
      for (const label of Object.values<Answer>(result.metadata.tokens)) {
        const text = expect.any(String);
        expect(label).toEqual({ token_address: text, token_name: text, token_symbol: text, token_icon: text });
      }
    }
  });

  test("several transactions are in the order of the request", () => {
    const [first = "", second = ""] = chain.sample;
    const unknown = signatureFor("unknown");
    const tx = [second, unknown, first, second];
    expect(queryRows(db, "v2-transaction-detail-multi", { tx })).toEqual([
      queryData(db, "v2-transaction-detail", { tx: second }),
      queryData(db, "v2-transaction-detail", { tx: first }),
    ]);
    expect(queryRows(db, "v2-transaction-actions-multi", { tx }).map((row) => row.tx_hash)).toEqual([second, first]);
    expect(queryData(db, "v2-transaction-detail", { tx: unknown })).toEqual({});
    expect(queryData(db, "v2-transaction-actions", { tx: unknown })).toEqual({});
    expect(queryData(db, "transaction-detail", { signature: unknown })).toEqual({});
  });

  test("the legacy family returns the same data for a transaction", () => {
    const last = data(db, "transaction-last", { limit: 20 });
    for (const { meta, transaction } of last) {
      const tx = transaction.signatures[0];
      const detail = data(db, "v2-transaction-detail", { tx });
      expect(meta.preBalances).toEqual(detail.sol_bal_change.map((each: Answer) => Number(each.pre_balance)));
      expect(meta.postBalances).toEqual(detail.sol_bal_change.map((each: Answer) => Number(each.post_balance)));
      expect(transaction.message.recentBlockhash).toBe(detail.recent_block_hash);
      expect(meta.err === null).toBe(detail.status === 1);
      const top = transaction.message.instructions.length;
      const inner = meta.innerInstructions.flatMap(({ instructions }: Answer) => instructions);
      expect(top + inner.length).toBe(flatten(detail.parsed_instructions).length);
      const legacy = data(db, "transaction-detail", { signature: tx });
      expect(legacy.tokenTransfers.length + legacy.solTransfers.length).toBe(detail.transfers.length);
      for (const change of detail.token_bal_change) {
        const index = detail.account_keys.findIndex(({ pubkey }: Answer) => pubkey === change.address);
        const after = meta.postTokenBalances.find(({ accountIndex }: Answer) => accountIndex === index);
        expect(after?.uiTokenAmount.amount ?? "0").toBe(change.post_balance);
      }
    }
  });

  test("the latest transactions are those of the latest blocks", () => {
    const all = queryRows(db, "v2-transaction-last", { limit: 100, filter: "all" }).map(({ tx_hash }) => tx_hash);
    const blocks = queryRows(db, "v2-block-last", { limit: 10 }).flatMap(({ current_slot }) =>
      hashesOf(Number(current_slot)).toReversed(),
    );
    expect(all.slice(0, blocks.length)).toEqual(blocks.slice(0, all.length));
    const voteless = queryRows(db, "v2-transaction-last", { limit: 100 }).map(({ tx_hash }) => tx_hash);
    const within = all.filter((tx) => !isVote(tx));
    expect(voteless.slice(0, within.length)).toEqual(within);
  });

  const isVote = (tx: unknown) => {
    const id = findTransactionId(db, String(tx)) ?? -1;
    return (db.get("SELECT vote FROM transactions WHERE id = ?", id)?.vote ?? 1) === 1;
  };

  const hashesOf = (block: number, filter = {}): readonly string[] => {
    const hashes: string[] = [];
    for (let page = 1; ; page += 1) {
      const answer = data(db, "v2-block-transactions", { block, page, page_size: 10, ...filter });
      hashes.push(...answer.transactions.map(({ tx_hash }: Answer) => tx_hash));
      if (answer.transactions.length === 0) {
        expect(answer.total).toBe(hashes.length);
        return hashes;
      }
    }
  };

  test("pages of a block contain each of its transactions once", () => {
    fc.assert(
      fc.property(fc.constantFrom(...chain.slots), (block) => {
        const all = hashesOf(block);
        expect(new Set(all).size).toBe(all.length);
        expect(data(db, "v2-block-detail", { block }).transactions_count).toBe(all.length);
        expect(data(db, "block-detail", { block }).result.transactionCount).toBe(all.length);
        const voteless = hashesOf(block, { exclude_vote: true });
        const votes = all.filter(isVote);
        expect([...voteless, ...votes].sort()).toEqual(all.toSorted());
        const legacy = data(db, "block-transactions", { block, limit: 50 });
        expect(legacy.map(({ transaction }: Answer) => transaction.signatures[0])).toEqual(all.slice(0, 50));
      }),
      { numRuns: 15 },
    );
  });

  test("the program filter of a block matches calls at any depth", () => {
    const block = chain.slots.at(-1) ?? 0;
    const all = queryRows(db, "v2-block-transactions", { block, page_size: 100 });
    const programs = [...new Set(all.flatMap(({ program_ids }) => program_ids as readonly string[]))].slice(0, 5);
    for (const program of programs) {
      const expected = all.filter(({ program_ids }) => (program_ids as readonly string[]).includes(program));
      expect(queryRows(db, "v2-block-transactions", { block, page_size: 100, program })).toEqual(expected);
    }
    const any = queryRows(db, "v2-block-transactions", { block, page_size: 100, program: programs.join() });
    expect(any).toEqual(
      all.filter(({ program_ids }) => programs.some((id) => (program_ids as readonly string[]).includes(id))),
    );
  });

  test("blocks reference their parents", () => {
    const last = data(db, "v2-block-last", { limit: 100 });
    expect(last.map(({ current_slot }: Answer) => current_slot)).toEqual(chain.slots.toReversed().slice(0, 100));
    for (const { current_slot, ...block } of last) {
      expect(data(db, "v2-block-detail", { block: current_slot })).toEqual(block);
      if (!chain.slots.includes(block.parent_slot)) continue;
      expect(data(db, "v2-block-detail", { block: block.parent_slot }).blockhash).toBe(block.previous_block_hash);
    }
  });

  test("a slot without a block is reported", () => {
    const future = (chain.slots.at(-1) ?? 0) + 1000;
    for (const block of [future, Number.MAX_SAFE_INTEGER]) {
      expect(queryData(db, "v2-block-detail", { block })).toEqual({});
      expect(queryData(db, "v2-block-transactions", { block })).toEqual({ total: 0, transactions: [] });
      expect(queryData(db, "block-transactions", { block })).toEqual([]);
      expect(data(db, "block-detail", { block }).result.code).toBe(-32004);
    }
    expect(data(db, "block-detail", { block: 0 }).result).toMatchObject({ code: -32007 });
  });

  test("queries use indexes", () => {
    const [tx = ""] = chain.sample;
    const block = chain.slots.at(-1);
    for (const [route, params] of [
      ["v2-transaction-detail", { tx }],
      ["v2-transaction-actions", { tx }],
      ["v2-block-transactions", { block, exclude_vote: true, program: NATIVE_SOL }],
      ["v2-block-detail", { block }],
      ["block-transactions", { block }],
      ["transaction-detail", { signature: tx }],
    ] as const) {
      expect(
        planSteps(db, (watched) => runQuery(watched, route, params)).filter((step) => /^SCAN [a-z]+$/.test(step)),
      ).toEqual([]);
    }
  });
});
