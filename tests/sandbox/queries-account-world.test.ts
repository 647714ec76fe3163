/** Properties of the account endpoints for accounts of a generated world. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, numericText } from "../../src/base/json.ts";
import { SMALL_SIZES, STANDARD_SIZES } from "../../src/catalogue/constants.ts";
import * as everyEntity from "../../src/catalogue/entities/index.ts";
import { endpoints, recordOf, returnsList } from "../../src/catalogue/index.ts";
import { worldLedger } from "../support/ledger.ts";
import { type ParamInput, queryCsv, queryData, queryRows, runQuery } from "../support/query.ts";

const { reader } = await worldLedger();
const entities: Readonly<Record<string, unknown>> = everyEntity;

type Filters = Readonly<Record<string, ParamInput>>;
const addresses = (sql: string) => reader.all(sql).map((row) => reader.addressOf(Number(row.id)));

/** The busiest owners and token accounts, and samples of every kind of account. */
const SAMPLE = [
  ...addresses("SELECT account_id AS id FROM account_transfers GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 12"),
  ...addresses(
    "SELECT k.account_id AS id FROM account_keys k JOIN token_accounts t USING (account_id) GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 8",
  ),
  ...addresses("SELECT staker_id AS id FROM stake_accounts GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3"),
  ...addresses("SELECT max(id) AS id FROM accounts GROUP BY kind"),
  ...addresses("SELECT account_id AS id FROM rewards WHERE kind = 'staking' GROUP BY 1 LIMIT 3"),
  ...addresses("SELECT min(account_id) AS id FROM pools"),
];
const sample = fc.constantFrom(...new Set(SAMPLE));

const texts = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row));
const sorted = (rows: readonly unknown[]): string[] => texts(rows).sort();

function every(route: string, filters: Filters, size = 100): JsonObject[] {
  const all: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const rows = queryRows(reader, route, { ...filters, page, page_size: size });
    all.push(...rows);
    if (rows.length < size) return all;
  }
}

const LISTS: readonly (readonly [route: string, sizes: readonly number[], needs: Filters])[] = [
  ["v2-account-transfer", STANDARD_SIZES, {}],
  ["v2-account-defi-activities", STANDARD_SIZES, {}],
  ["v2-account-balance-change", STANDARD_SIZES, {}],
  ["v2-account-token-accounts", SMALL_SIZES, { type: "token" }],
  ["v2-account-token-accounts", SMALL_SIZES, { type: "nft", hide_zero: true }],
  ["v2-account-stake", SMALL_SIZES, {}],
  ["v2-account-stake", SMALL_SIZES, { sort_by: "delegated_stake", sort_order: "asc" }],
];

describe("pages", () => {
  test("of any size neither overlap nor skip rows", () => {
    fc.assert(
      fc.property(sample, fc.constantFrom(...LISTS), fc.nat(), (address, [route, sizes, needs], pick) => {
        const whole = texts(every(route, { address, ...needs }, sizes.at(-1)));
        expect(texts(every(route, { address, ...needs }, sizes[pick % sizes.length]))).toEqual(whole);
        // One transaction may contain equal transfers, which are separate rows.
        if (route !== "v2-account-transfer") expect(new Set(whole).size).toBe(whole.length);
      }),
      { numRuns: 120 },
    );
  });

  test("contain every transfer of the ledger", () => {
    for (const address of new Set(SAMPLE)) {
      const id = reader.idOf(address) ?? 0;
      const isTokenAccount = reader.get("SELECT 1 FROM token_accounts WHERE account_id = ?", id) !== undefined;
      const parties = isTokenAccount ? "from_id, to_id, from_account_id, to_account_id" : "from_id, to_id";
      const expected = reader.get(`SELECT count(*) AS count FROM transfers WHERE ? IN (${parties})`, id);
      expect(every("v2-account-transfer", { address })).toHaveLength(Number(expected?.count));
    }
  });

  test("of the leaderboard are complete, by every key and in both directions", () => {
    const keys = ["sol_values", "stake_values", "token_values", "total_values"];
    const total = Number((queryData(reader, "v2-account-leaderboard") as JsonObject).total);
    for (const sort_by of keys) {
      const descending = every("v2-account-leaderboard", { sort_by });
      expect(descending).toHaveLength(total);
      expect(texts(every("v2-account-leaderboard", { sort_by, sort_order: "asc" }).reverse())).toEqual(
        texts(descending),
      );
      const values = descending.map((row) => Number(numericText(row[sort_by] as number)));
      expect(values).toEqual([...values].sort((a, b) => b - a));
    }
  });

  test("slices of the legacy lists add up to the list", () => {
    fc.assert(
      fc.property(sample, fc.integer({ min: 1, max: 50 }), (account, limit) => {
        const { total, data } = queryData(reader, "account-spl-transfers", { account, limit: 50 }) as unknown as {
          total: number;
          data: JsonObject[];
        };
        const parts: JsonObject[] = [];
        for (let offset = 0; offset < Math.min(total, 50); offset += limit) {
          parts.push(...queryRows(reader, "account-spl-transfers", { account, limit, offset }));
        }
        expect(texts(parts.slice(0, 50))).toEqual(texts(data));
      }),
      { numRuns: 30 },
    );
  });
});

describe("filters", () => {
  test("and their complements add up to the list", () => {
    fc.assert(
      fc.property(sample, sample, (address, party) => {
        const list = (filters: Filters) => every("v2-account-transfer", { address, ...filters });
        const all = sorted(list({}));
        const parts = (a: Filters, b: Filters) => expect(sorted([...list(a), ...list(b)])).toEqual(all);
        parts({ flow: "in" }, { flow: "out" });
        parts({ from: party }, { exclude_from: party });
        parts({ to: party }, { exclude_to: party });
        const changes = (flow?: string) => every("v2-account-balance-change", { address, flow });
        expect(sorted([...changes("in"), ...changes("out")])).toEqual(sorted(changes()));
      }),
      { numRuns: 25 },
    );
  });

  test("time windows include both ends", () => {
    fc.assert(
      fc.property(sample, fc.double({ min: 0, max: 1, noNaN: true }), (address, where) => {
        const all = every("v2-account-balance-change", { address });
        if (all.length === 0) return;
        const time = Number(all[Math.floor(where * (all.length - 1))]?.block_time);
        const rows = every("v2-account-balance-change", { address, from_time: time, to_time: time });
        expect(texts(rows)).toEqual(texts(all.filter((row) => row.block_time === time)));
      }),
      { numRuns: 40 },
    );
  });
});

describe("answers", () => {
  test("a transfer is the same for the sender and the receiver", () => {
    for (const address of SAMPLE.slice(0, 4)) {
      for (const row of queryRows(reader, "v2-account-transfer", { address, flow: "out", page_size: 40 })) {
        if (row.from_address === row.to_address) continue;
        const { flow: _, ...transfer } = row;
        const time = Number(row.block_time);
        const other = every("v2-account-transfer", { address: String(row.to_address), from_time: time, to_time: time });
        expect(texts(other)).toContain(JSON.stringify({ ...transfer, flow: "in" }));
      }
    }
  });

  test("the last change of a balance is the current balance", () => {
    for (const address of SAMPLE) {
      const balances = new Map<string, string>();
      for (const type of ["token", "nft"]) {
        for (const row of every("v2-account-token-accounts", { address, type, hide_zero: true }, 40)) {
          balances.set(String(row.token_account), String(row.amount_str));
        }
      }
      for (const [account, amount] of balances) {
        const [last] = queryRows(reader, "v2-account-balance-change", {
          address: account,
          token: reader.addressOf(
            Number(
              reader.get("SELECT token_id FROM token_accounts WHERE account_id = ?", reader.idOf(account) ?? 0)
                ?.token_id,
            ),
          ),
        });
        expect(numericText(last?.post_balance as number)).toBe(amount);
      }
    }
  });

  test("deposits into vaults have one side and no hops", () => {
    const filters = { activity_type: ["ACTIVITY_TOKEN_DEPOSIT_VAULT"] };
    const rows = SAMPLE.flatMap((address) => every("v2-account-defi-activities", { address, ...filters }));
    expect(rows.length).toBeGreaterThan(0);
    for (const { routers } of rows) {
      expect(Object.keys(routers as JsonObject).sort()).toEqual(["amount1", "token1", "token1_decimals"]);
    }
  });

  test("exports start with the rows of the lists", () => {
    for (const address of SAMPLE) {
      const [, ...records] = queryCsv(reader, "v2-account-transfer-export", { address });
      const rows = queryRows(reader, "v2-account-transfer", { address, page_size: 100 });
      expect(records.slice(0, 100).map((record) => [record[0], record[6]])).toEqual(
        rows.map((row) => [row.trans_id, numericText(row.amount as number)]),
      );
      expect(records.length).toBeLessThanOrEqual(5000);
    }
  });

  test("match the entities of the catalogue", () => {
    const needs: Readonly<Record<string, Filters>> = {
      "v2-account-token-accounts": { type: "token" },
      "account-export-transactions": { type: "all", fromTime: 1, toTime: 4_000_000_000 },
    };
    for (const endpoint of endpoints.filter(({ route }) => /^(v2-)?account-/.test(route))) {
      const { route, query, returns } = endpoint;
      const entity = entities[returns.entity] as typeof everyEntity.Transfer;
      for (const address of "address" in query || "account" in query ? SAMPLE : SAMPLE.slice(0, 1)) {
        const one = query.address?.arity === "list" ? { address: [address] } : { address };
        const subject: Filters = "account" in query ? { account: address } : "address" in query ? one : {};
        const result = runQuery(reader, route, { ...subject, ...needs[route] });
        if ("csv" in result) {
          const width = Object.keys(entity.shape).length;
          for (const record of result.csv) expect(record).toHaveLength(width);
          continue;
        }
        const list = returnsList(endpoint)
          ? queryRows(reader, route, { ...subject, ...needs[route] })
          : [recordOf(endpoint, result.data)];
        for (const row of JSON.parse(JSON.stringify(list)) as JsonObject[]) {
          expect(entity.safeParse(row).error?.issues, `${route} ${JSON.stringify(row)}`).toBeUndefined();
        }
      }
    }
  });
});
