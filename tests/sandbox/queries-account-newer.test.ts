/** The account endpoints that the specification lacks: laws between them and the other account endpoints. */
import { existsSync, readFileSync } from "node:fs";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase58 } from "../../src/base/index.ts";
import { type Json, type JsonObject, numericText } from "../../src/base/json.ts";
import { serializeTransaction } from "../../src/chain/ledger/queries/transaction/node-transaction.ts";
import { worldLedger } from "../support/ledger.ts";
import { type ParamInput, queryCsv, queryData, queryRows } from "../support/query.ts";
import { asDoubles } from "../support/query-plans.ts";

const { reader } = await worldLedger();

type Filters = Readonly<Record<string, ParamInput>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are read like untyped JSON.
type Loose = any;

const addresses = (sql: string) => reader.all(sql).map((row) => reader.addressOf(Number(row.id)));

/** Busy wallets, token accounts, a pool, validators, stake accounts, and an account that does not exist. */
const SAMPLE = [
  ...addresses("SELECT account_id AS id FROM account_transfers GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 8"),
  ...addresses(
    "SELECT k.account_id AS id FROM account_keys k JOIN token_accounts t USING (account_id) GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 4",
  ),
  ...addresses("SELECT identity_id AS id FROM voters LIMIT 2"),
  ...addresses("SELECT account_id AS id FROM voters LIMIT 1"),
  ...addresses("SELECT max(id) AS id FROM accounts GROUP BY kind"),
  base58.encode(new Uint8Array(32).fill(9)),
];
const sample = fc.constantFrom(...new Set(SAMPLE));
const STAKES = addresses("SELECT account_id AS id FROM rewards WHERE kind = 'staking' GROUP BY 1 LIMIT 6");
const PROGRAMS = addresses("SELECT account_id AS id FROM programs");
const TOKENS = addresses(
  "SELECT token_id AS id FROM balance_changes WHERE token_id > 1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 5",
);
const NOW = reader.clock.end + reader.clock.shift;
const DAY = 86_400;

function every(route: string, filters: Filters): JsonObject[] {
  const all: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const rows = queryRows(reader, route, { ...filters, page, page_size: 100 });
    all.push(...rows);
    if (rows.length < 100) return all;
  }
}

const time = fc.integer({ min: NOW - 90 * DAY, max: NOW });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

describe("/account/transfer/total", () => {
  const filters = fc.record(
    {
      activity_type: fc.subarray(["ACTIVITY_SPL_TRANSFER", "ACTIVITY_SPL_BURN", "ACTIVITY_SPL_CREATE_ACCOUNT"], {
        minLength: 1,
      }),
      token: fc.constantFrom(...TOKENS),
      from: sample,
      exclude_to: sample,
      exclude_amount_zero: fc.boolean(),
      value: fc.constantFrom([0, 10], [5, 100_000]),
      flow: fc.constantFrom("in", "out"),
      from_time: time,
      to_time: time,
    },
    { requiredKeys: [] },
  );

  test("is the number of transfers with the same filters; without times those of three weeks", () => {
    fc.assert(
      fc.property(sample, filters, (address, filter) => {
        const recent = (filter.from_time ?? filter.to_time) ? {} : { from_time: NOW - 21 * DAY };
        const rows = every("v2-account-transfer", { address, ...filter, ...recent } as Filters);
        expect(queryData(reader, "v2-account-transfer-total", { address, ...filter } as Filters)).toBe(rows.length);
      }),
      { numRuns: 150 },
    );
  });
});

describe("/account/funded-by", () => {
  test("has the funders of account metadata, in the order of the request, without accounts that have none", () => {
    fc.assert(
      fc.property(fc.uniqueArray(sample, { minLength: 1 }), (address) => {
        const rows = queryRows(reader, "v2-account-metadata-multi", { address: address.slice(0, 20) });
        const expected = rows.flatMap((row) =>
          row.funded_by === undefined ? [] : [{ address: row.account_address, ...(row.funded_by as JsonObject) }],
        );
        expect(queryRows(reader, "v2-account-funded-by", { address: address.slice(0, 20) })).toEqual(expected);
      }),
    );
    expect(queryRows(reader, "v2-account-funded-by", { address: SAMPLE.slice(0, 12) }).length).toBeGreaterThan(3);
  });
});

test("funders were funded before they fund others", () => {
  const early = reader.get(`SELECT count(*) AS count FROM funders f JOIN funders g ON g.account_id = f.funder_id
    WHERE g.transfer_id > f.transfer_id`);
  expect(early?.count).toBe(0);
  expect(Number(reader.get("SELECT count(*) AS count FROM funders")?.count)).toBeGreaterThan(100);
});

describe("/account/stake/reward", () => {
  test("has the rewards of the export in lamports, page by page", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STAKES), optional(time), optional(time), (address, from_time, to_time) => {
        const [, ...records] = queryCsv(reader, "v2-account-reward-export", { address, from_time, to_time });
        const rows = every("v2-account-stake-reward", { address, from_time, to_time }) as Loose[];
        expect(
          rows.map((row) => [
            row.epoch,
            row.effective_slot,
            row.effective_time,
            row.amount / 1e9,
            row.change_percent,
            row.post_balance / 1e9,
            row.commission,
          ]),
        ).toEqual(records.map(([epoch, slot, unix, , ...others]) => [epoch, slot, unix, ...others.map(Number)]));
        for (const row of rows) {
          expect(row.address).toBe(address);
          const before = row.post_balance - row.amount;
          expect(row.change_percent).toBeCloseTo((100 * row.amount) / before, 12);
        }
      }),
      { numRuns: 60 },
    );
    expect(queryRows(reader, "v2-account-stake-reward", { address: STAKES[0], from_time: 0 })).not.toEqual([]);
  });

  test("of a wallet has no rows", () => {
    expect(queryRows(reader, "v2-account-stake-reward", { address: SAMPLE[0], from_time: 0 })).toEqual([]);
  });
});

const ENHANCED = "v2-account-transactions-enhanced";

/** Reads all pages of enhanced transactions; returns their signatures. */
function enhanced(filters: Filters): string[] {
  const signatures: string[] = [];
  for (let cursor: Json | undefined; cursor !== null; ) {
    const data = queryData(reader, ENHANCED, { ...filters, ...(cursor && { cursor: cursor as string }) }) as Loose;
    signatures.push(...data.transactions.map((row: Loose) => row.transaction.signatures[0]));
    cursor = data.cursor;
  }
  return signatures;
}

/** Signatures of an account's transactions, newest first. */
function transactionsOf(address: string): string[] {
  const signatures: string[] = [];
  for (;;) {
    const rows = queryRows(reader, "v2-account-transactions", {
      address,
      limit: 40,
      before: signatures.at(-1),
    }) as Loose[];
    signatures.push(...rows.map((row) => row.tx_hash));
    if (rows.length < 40) return signatures;
  }
}

const details = new Map<string, Loose>();
function detailOf(tx: string): Loose {
  const detail = details.get(tx) ?? asDoubles(queryData(reader, "v2-transaction-detail", { tx }));
  details.set(tx, detail);
  return detail;
}

describe("/account/transactions/enhanced", () => {
  test("has the transactions of the account's list that the filters select, whatever the page size", () => {
    const few = SAMPLE.filter((address) => transactionsOf(address).length < 250);
    const filters = fc.record(
      {
        program: fc.subarray(PROGRAMS, { minLength: 1, maxLength: 2 }),
        token: fc.subarray(TOKENS, { minLength: 1, maxLength: 2 }),
        signer: fc.array(sample, { minLength: 1, maxLength: 3 }),
        status: fc.boolean(),
        from_time: time,
        to_time: time,
        from_position: fc.nat(99),
        to_position: fc.nat(99),
        bySlot: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...few), filters, fc.integer({ min: 1, max: 40 }), (address, filter, limit) => {
        const { from_position, to_position, bySlot = false, ...sent } = filter;
        const all = transactionsOf(address);
        const at = (position: number | undefined) => (position === undefined ? undefined : all[position]);
        const [after, before] = [at(from_position), at(to_position)];
        const slot = (signature: string | undefined) => signature && detailOf(signature).block_id;
        const bounds = bySlot
          ? { from_slot: slot(after), to_slot: slot(before) }
          : { from_signature: after, to_signature: before };
        const isSelected = (signature: string, index: number) => {
          const detail = detailOf(signature);
          const inBounds = bySlot
            ? detail.block_id > (bounds.from_slot ?? -1) && detail.block_id < (bounds.to_slot ?? Infinity)
            : index < (after === undefined ? Infinity : all.indexOf(after)) &&
              index > (before === undefined ? -1 : all.indexOf(before));
          return (
            inBounds &&
            detail.block_time >= (sent.from_time ?? 0) &&
            detail.block_time <= (sent.to_time ?? Infinity) &&
            (sent.status === undefined || (detail.status === 1) === sent.status) &&
            // The first transaction of a ledger has no signer.
            (sent.signer?.some((signer) => detail.signer.includes(signer)) ?? true) &&
            (sent.program ?? [undefined]).some(
              (program) => program === undefined || detail.account_keys.some((key: Loose) => key.pubkey === program),
            ) &&
            (sent.token ?? [undefined]).some(
              (token) =>
                token === undefined || detail.token_bal_change.some((change: Loose) => change.token_address === token),
            )
          );
        };
        expect(enhanced({ address, limit, ...sent, ...bounds } as Filters)).toEqual(all.filter(isSelected));
      }),
      { numRuns: 120 },
    );
  });

  test("with token_account has the transactions of the token accounts, too", () => {
    const owners = addresses(
      "SELECT owner_id AS id FROM token_accounts GROUP BY 1 ORDER BY count(*) DESC LIMIT 1 OFFSET 9",
    );
    for (const address of owners) {
      const owned = addresses(`SELECT account_id AS id FROM token_accounts WHERE owner_id = ${reader.idOf(address)}`);
      const expected = new Set([address, ...owned].flatMap(transactionsOf));
      const actual = enhanced({ address, token_account: true, limit: 7 });
      expect(actual).toHaveLength(expected.size);
      expect(new Set(actual)).toEqual(expected);
    }
  });

  test("selects transactions by a program and the first bytes of an instruction's data", () => {
    const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
    const [address = ""] = SAMPLE;
    const read = (instruction: readonly string[]) =>
      (queryData(reader, ENHANCED, { address, limit: 40, encoding: "json", instruction }) as Loose).transactions;
    const datas = (row: Loose): string[] => {
      const { message } = row.transaction;
      const all = [
        ...message.instructions,
        ...row.meta.innerInstructions.flatMap((inner: Loose) => inner.instructions),
      ];
      const keys = [...message.accountKeys, ...row.meta.loadedAddresses.writable, ...row.meta.loadedAddresses.readonly];
      return all
        .filter((each: Loose) => keys[each.programIdIndex] === token)
        .map((each: Loose) => Buffer.from(base58.decode(each.data)).toString("hex"));
    };
    const burns = read([`${token}0f`]);
    const transfers = read([`${token}0c`]);
    expect(transfers.length).toBeGreaterThan(0);
    for (const row of transfers) expect(datas(row).some((data) => data.startsWith("0c"))).toBe(true);
    for (const row of burns) expect(datas(row).some((data) => data.startsWith("0f"))).toBe(true);
    expect(read([`${token}0c`, `${token}0f`]).length).toBeGreaterThanOrEqual(transfers.length);
    expect(read(["nonsense", `${token}ff`])).toEqual([]);
  });

  test("has the balances, keys and logs of the transaction's details", () => {
    for (const address of SAMPLE) {
      const { transactions } = queryData(reader, ENHANCED, { address, limit: 5 }) as Loose;
      for (const { transaction, meta, slot, blockTime, version } of transactions) {
        const detail = detailOf(transaction.signatures[0]);
        expect([slot, blockTime, version]).toEqual([detail.block_id, detail.block_time, detail.version]);
        expect(transaction.message.accountKeys).toEqual(detail.account_keys);
        expect(meta.preBalances.map(numericText)).toEqual(
          detail.sol_bal_change.map((change: Loose) => change.pre_balance),
        );
        expect(meta.postBalances.map(numericText)).toEqual(
          detail.sol_bal_change.map((change: Loose) => change.post_balance),
        );
        expect([meta.fee, meta.logMessages]).toEqual([detail.fee, detail.log_message]);
        expect(meta.err === null).toBe(detail.status === 1);
        // The opening balances have no signers.
        expect(transaction.signatures).toHaveLength(Math.max(1, detail.signer.length));
      }
    }
  });
});

/** Reads the wire format of transactions, independently of the code that writes it. */
function parseWire(bytes: Uint8Array): Loose {
  let at = 0;
  const byte = () => bytes[at++] as number;
  const take = (count: number) => {
    at += count;
    return bytes.slice(at - count, at);
  };
  const length = () => {
    let [value, shift, next] = [0, 0, 0x80];
    for (; next & 0x80; shift += 7) {
      next = byte();
      value |= (next & 0x7f) << shift;
    }
    return value;
  };
  const list = <T>(read: () => T): T[] => Array.from({ length: length() }, read);
  const key = () => base58.encode(take(32));
  const signatures = list(() => base58.encode(take(64)));
  const isVersioned = ((bytes[at] as number) & 0x80) !== 0;
  const version = isVersioned ? byte() & 0x7f : "legacy";
  const [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts] = [byte(), byte(), byte()];
  const accountKeys = list(key);
  const recentBlockhash = key();
  const instructions = list(() => ({
    programIdIndex: byte(),
    accounts: list(byte),
    data: base58.encode(take(length())),
  }));
  const lookups = isVersioned
    ? {
        addressTableLookups: list(() => ({
          accountKey: key(),
          writableIndexes: list(byte),
          readonlyIndexes: list(byte),
        })),
      }
    : {};
  expect(at).toBe(bytes.length);
  const header = { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts };
  return { version, signatures, message: { header, accountKeys, recentBlockhash, instructions, ...lookups } };
}

describe("the encodings of a transaction", () => {
  const read = (address: string, encoding: string) =>
    (asDoubles(queryData(reader, ENHANCED, { address, encoding, limit: 20 })) as Loose).transactions as Loose[];

  test("are the same transaction: bytes, indexes and parsed instructions", () => {
    for (const address of SAMPLE) {
      const [parsed, json, base64, base58Rows] = ["jsonParsed", "json", "base64", "base58"].map((encoding) =>
        read(address, encoding),
      ) as [Loose[], Loose[], Loose[], Loose[]];
      json.forEach((row, index) => {
        const [text, name] = base64[index].transaction;
        const bytes = Buffer.from(text, "base64");
        const { version, ...wire } = parseWire(bytes);
        const { message } = row.transaction;
        const instructions = message.instructions.map(({ stackHeight: _, ...instruction }: Loose) => instruction);
        expect({ name, version }).toEqual({ name: "base64", version: row.version });
        expect(wire).toEqual({ ...row.transaction, message: { ...message, instructions } });
        expect(base58Rows[index].transaction[1]).toBe("base58");
        expect(Buffer.from(decodeBase58(base58Rows[index].transaction[0]))).toEqual(bytes);
        expect(base64[index].meta).toEqual(row.meta);
        const { writable, readonly } = row.meta.loadedAddresses;
        const keys = [...message.accountKeys, ...writable, ...readonly];
        const parsedMessage = parsed[index].transaction.message;
        expect(keys).toEqual(parsedMessage.accountKeys.map(({ pubkey }: Loose) => pubkey));
        expect(message.instructions.map(({ programIdIndex }: Loose) => keys[programIdIndex])).toEqual(
          parsedMessage.instructions.map(({ programId }: Loose) => programId),
        );
        const {
          numRequiredSignatures: signers,
          numReadonlySignedAccounts,
          numReadonlyUnsignedAccounts,
        } = message.header;
        const statics = parsedMessage.accountKeys.slice(0, message.accountKeys.length);
        const isWritable = (at: number) =>
          at < signers ? at < signers - numReadonlySignedAccounts : at < statics.length - numReadonlyUnsignedAccounts;
        expect(statics.map(({ signer, writable: isWritten }: Loose) => [signer, isWritten])).toEqual(
          statics.map((_: Loose, at: number) => [at < signers, isWritable(at)]),
        );
      });
    }
  });

  test("of a recorded transaction have the recorded bytes", (context) => {
    const folder = new URL("../../../shared/rpc-recorded/", import.meta.url);
    const file = (encoding: string) => new URL(`getTransaction-${encoding}-legacy-vote-4zExa66h.json`, folder);
    if (!existsSync(file("json"))) return context.skip();
    const [json, base64] = ["json", "base64"].map(
      (name) => JSON.parse(readFileSync(file(name), "utf8")).body.result,
    ) as [Loose, Loose];
    const { signatures, message } = json.transaction;
    const { numRequiredSignatures: signers, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
    const count = message.accountKeys.length;
    const bytes = serializeTransaction({
      signatures,
      version: undefined,
      keys: message.accountKeys.map((address: string, at: number) => ({
        address,
        signer: at < signers,
        writable: at < signers ? at < signers - numReadonlySignedAccounts : at < count - numReadonlyUnsignedAccounts,
      })),
      recentHash: message.recentBlockhash,
      instructions: message.instructions.map((each: Loose) => ({ ...each, data: base58.decode(each.data) })),
      inner: [],
      lookups: [],
    });
    expect(Buffer.from(bytes).toString("base64")).toBe(base64.transaction[0]);
  });
});
