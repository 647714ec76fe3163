/** Laws of the simulated chain that hold on any Solana ledger: addresses, keys, signers, fees and lookup tables. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { isOnCurve as isPoint } from "../../src/catalogue/index.ts";
import { WALLET } from "../../src/catalogue/samples.ts";
import { nodeTransaction, rpcTransaction } from "../../src/chain/ledger/queries/transaction/node-transaction.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { worldLedger } from "../support/ledger.ts";
import { queryData, queryRows } from "../support/query.ts";
import { asDoubles } from "../support/query-plans.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are read without static types
type Answer = any;

const SEEDS = ["test", "another", "Ωmega"];
const BASE_FEE = 5000;
const RAYDIUM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8";
const MICRO = 1_000_000;
const PACKET_BYTES = 1232;
/** Compute units of an instruction of the runtime's own programs. */
const NATIVE_UNITS = 150;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** Arguments that name addresses which are not accounts of their instruction; the last ones are those of events. */
const NOT_ACCOUNTS = new Set(["newAddresses", "memo", "inputMint", "outputMint"]);

function isOnCurve(address: string): boolean {
  try {
    ed25519.Point.fromBytes(base58.decode(address));
    return true;
  } catch {
    return false;
  }
}

/** Returns the associated token account, computed without the code of the sandbox. */
function associatedAddress(owner: string, tokenProgram: string, mint: string): string {
  const seeds = [owner, tokenProgram, mint].map((address) => base58.decode(address));
  const program = base58.decode("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
  for (let bump = 255; ; bump -= 1) {
    const hash = createHash("sha256");
    for (const part of [...seeds, Buffer.of(bump), program, "ProgramDerivedAddress"]) hash.update(part);
    const address = base58.encode(hash.digest());
    if (!isOnCurve(address)) return address;
  }
}

/** Returns instructions in the order of execution. */
const flatten = (list: readonly Answer[]): readonly Answer[] =>
  list.flatMap((each) => [each, ...flatten(each.inner_instructions)]);

/** Returns the addresses in arguments, at any depth. */
function addressesIn(value: Answer): readonly string[] {
  if (typeof value === "string") return ADDRESS.test(value) ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => (NOT_ACCOUNTS.has(name) ? [] : addressesIn(each)));
}

describe.each(SEEDS)("the chain of seed %s", (seed) => {
  let db: LedgerReader;
  let signatures: readonly string[];

  beforeAll(async () => {
    db = (await worldLedger({ seed })).reader;
    signatures = db
      .all("SELECT signature FROM transactions WHERE vote = 0 AND id > (SELECT min(id) FROM transactions) ORDER BY id")
      .map(({ signature }) => String(signature));
  });

  const idOf = (tx: string) => Number(db.get("SELECT id FROM transactions WHERE signature = ?", tx)?.id);
  const detail = (tx: string): Answer => asDoubles(queryData(db, "v2-transaction-detail", { tx }));
  /** Checks a law for random transactions that match. */
  const forTransactions = (check: (answer: Answer) => void, numRuns = 150) =>
    fc.assert(
      fc.property(fc.constantFrom(...signatures), (tx) => check(detail(tx))),
      { numRuns },
    );
  const column = (sql: string) => db.all(sql).map((row) => String(Object.values(row)[0]));
  const withType = (type: string, limit: number) =>
    column(
      `SELECT x.signature FROM instructions i CROSS JOIN instruction_kinds k ON k.id = i.kind_id
       CROSS JOIN transactions x ON x.id = i.id / 1024
       WHERE k.type = '${type}' AND x.error IS NULL GROUP BY x.id ORDER BY x.id DESC LIMIT ${limit}`,
    );

  test("an address is on the curve if and only if the API says so", () => {
    const addresses = column("SELECT address FROM accounts");
    fc.assert(
      fc.property(fc.constantFrom(...addresses), (address) => {
        expect(queryData(db, "v2-account-detail", { address })).toMatchObject({ is_oncurve: isOnCurve(address) });
      }),
      { numRuns: 300 },
    );
  });

  test("users, mints, stakes and votes have key pairs; what programs own has none", () => {
    const onCurve = (kind: string) =>
      new Set(column(`SELECT address FROM accounts WHERE kind = '${kind}' ORDER BY id DESC LIMIT 60`).map(isOnCurve));
    for (const kind of ["stake_account", "vote_account"]) expect([kind, ...onCurve(kind)]).toEqual([kind, true]);
    const users = column(
      "SELECT address FROM accounts WHERE id IN (SELECT account_id FROM account_keys WHERE flags & 1) ORDER BY id DESC LIMIT 100",
    );
    for (const user of users) expect([user, isOnCurve(user)]).toEqual([user, true]);
    const pools = column("SELECT address FROM accounts WHERE kind = 'pool' ORDER BY id DESC LIMIT 40");
    for (const pool of pools) expect([pool, isOnCurve(pool)]).toEqual([pool, false]);
  });

  test("a token account that the associated token program creates is that of its owner and mint", () => {
    const created = withType("createIdempotent", 60)
      .flatMap((tx) => flatten(detail(tx).parsed_instructions))
      .filter(({ type }) => type === "createIdempotent");
    expect(created.length).toBeGreaterThan(30);
    for (const { data_raw: raw, inner_instructions: inner } of created) {
      const { account, wallet, mint, tokenProgram } = raw.info;
      expect(account).toBe(associatedAddress(wallet, tokenProgram, mint));
      expect(inner.map(({ type }: Answer) => type)).toEqual([
        "getAccountDataSize",
        "createAccount",
        "initializeImmutableOwner",
        "initializeAccount3",
      ]);
      expect(inner[1].data_raw.info).toMatchObject({ newAccount: account, owner: tokenProgram });
      expect(inner[3].data_raw.info).toEqual({ account, mint, owner: wallet });
    }
  });

  test("every account of an instruction is a key of the transaction, in all forms", () => {
    forTransactions((answer) => {
      const keys = new Set(answer.account_keys.map(({ pubkey }: Answer) => pubkey));
      const expectKeys = (addresses: readonly string[]) =>
        expect(addresses.filter((each) => !keys.has(each))).toEqual([]);
      for (const { accounts, data_raw: raw, program_id, idl_data } of flatten(answer.parsed_instructions)) {
        expectKeys([program_id, ...accounts, ...addressesIn(raw.info), ...addressesIn(idl_data)]);
      }
      const legacy: Answer = asDoubles(queryData(db, "transaction-detail", { signature: answer.tx_hash }));
      const calls = legacy.innerInstructions.flatMap(({ parsedInstructions }: Answer) => parsedInstructions);
      for (const { programId, params } of [...legacy.parsedInstruction, ...calls]) {
        expectKeys([programId, ...addressesIn(params)]);
      }
      expect(legacy.inputAccount.map(({ account }: Answer) => account)).toEqual([...keys]);
    });
  });

  test("every key is used, and every account that changes is writable", () => {
    forTransactions((answer) => {
      const { account_keys: keys, sol_bal_change: lamports, token_bal_change: tokens, signer } = answer;
      const calls = flatten(answer.parsed_instructions);
      const used = new Set([
        signer[0],
        ...calls.flatMap(({ program_id, accounts, data_raw: raw }) => [
          program_id,
          ...accounts,
          ...addressesIn(raw.info),
        ]),
      ]);
      const addresses = keys.map(({ pubkey }: Answer) => pubkey);
      expect(addresses.filter((address: string) => !used.has(address))).toEqual([]);
      expect(new Set(addresses).size).toBe(addresses.length);
      const writable = new Set(keys.filter((key: Answer) => key.writable).map(({ pubkey }: Answer) => pubkey));
      for (const { address, change_amount } of [...lamports, ...tokens]) {
        if (change_amount !== "0") expect(writable).toContain(address);
      }
    });
  });

  test("transactions fit into a packet of the network", () => {
    forTransactions(({ tx_hash }) => {
      const id = idOf(tx_hash);
      const [answer]: Answer = nodeTransaction(db, id, "base64");
      expect(Buffer.from(answer.transaction[0], "base64").length).toBeLessThanOrEqual(PACKET_BYTES);
    });
  });

  test("callers pass the accounts of their calls on", () => {
    forTransactions((answer) => {
      for (const { accounts, inner_instructions: inner, program_id } of flatten(answer.parsed_instructions)) {
        if (accounts.length === 0) continue;
        for (const call of inner) {
          for (const account of [...call.accounts, ...addressesIn(call.data_raw.info)]) {
            if (account !== program_id) expect(accounts).toContain(account);
          }
        }
      }
    });
  });

  test("keys are in the order of messages: signers, then the others, writable ones first, then those from tables", () => {
    forTransactions(({ tx_hash, account_keys: keys, signer, address_table_lookup: lookups, version }) => {
      const rank = ({ signer: signs, writable, source }: Answer) =>
        source === "lookupTable" ? (writable ? 4 : 5) : signs ? (writable ? 0 : 1) : writable ? 2 : 3;
      const ranks = keys.map(rank);
      expect(ranks).toEqual(ranks.toSorted());
      expect(ranks[0]).toBe(0);
      expect(keys.filter((key: Answer) => key.signer).map(({ pubkey }: Answer) => pubkey)).toEqual(signer);
      for (const { pubkey, signer: signs } of keys)
        if (signs) expect([pubkey, isOnCurve(pubkey)]).toEqual([pubkey, true]);
      // The positions in the tables lead back to the keys.
      const loaded = keys.filter(({ source }: Answer) => source === "lookupTable").map(({ pubkey }: Answer) => pubkey);
      const at = (table: string, position: number) =>
        db.addressOf(
          Number(
            db.get(
              "SELECT account_id FROM lookup_entries WHERE table_id = ? AND position = ?",
              db.idOf(table) ?? 0,
              position,
            )?.account_id,
          ),
        );
      const read = (name: "writableIndexes" | "readonlyIndexes") =>
        lookups.flatMap((lookup: Answer) => lookup[name].map((position: number) => at(lookup.accountKey, position)));
      expect([...read("writableIndexes"), ...read("readonlyIndexes")]).toEqual(loaded);
      if (version === "legacy") expect(lookups).toEqual([]);
      // The raw and the serialized form name the same positions.
      const id = idOf(tx_hash);
      const lookupsIn = ([{ transaction }]: Answer) => transaction.message.addressTableLookups;
      expect(lookupsIn(rpcTransaction(db, id))).toEqual(version === "legacy" ? null : lookups);
      expect(lookupsIn(nodeTransaction(db, id, "json"))).toEqual(version === "legacy" ? undefined : lookups);
    });
  });

  test("accounts from lookup tables were added to them by earlier transactions", () => {
    const entries = db.all("SELECT account_id, table_id, position FROM lookup_entries");
    expect(entries.length).toBeGreaterThan(15);
    const added = withType("extendLookupTable", 1000).flatMap((tx) => {
      const call = flatten(detail(tx).parsed_instructions).find(({ type }) => type === "extendLookupTable");
      const { lookupTableAccount: table, newAddresses } = call.data_raw.info;
      return newAddresses.map((address: string) => `${table} ${address}`);
    });
    const expected = entries.map(
      (row) => `${db.addressOf(Number(row.table_id))} ${db.addressOf(Number(row.account_id))}`,
    );
    expect(added.toSorted()).toEqual(expected.toSorted());
    const early = db.get(
      `SELECT 1 FROM lookup_entries l CROSS JOIN account_keys k ON k.account_id = l.account_id AND k.flags & 4
       WHERE k.id < (SELECT min(c.id) FROM account_keys c WHERE c.account_id = l.table_id)`,
    );
    expect(early).toBeUndefined();
  });

  test("new accounts with key pairs sign for their creation, and authorities for what they move", () => {
    const names = ["authority", "mintAuthority", "owner", "stakeAuthority", "withdrawAuthority", "voteAuthority"];
    forTransactions((answer) => {
      const signers = new Set(answer.signer);
      for (const { type, program, data_raw: raw, outer_ins_index: outer } of flatten(answer.parsed_instructions)) {
        if (typeof raw === "string") continue;
        if (type === "createAccount" && program === "system") {
          const { source, newAccount, owner } = raw.info;
          for (const account of [source, newAccount]) expect(isOnCurve(account)).toBe(signers.has(account));
          expect(owner).toMatch(ADDRESS);
        }
        if (!/^(spl-token|stake|vote)/.test(program) || /^initialize/.test(type)) continue;
        for (const name of names) {
          const account = raw.info[name];
          if (account === undefined) continue;
          expect([type, name, signers.has(account)]).toEqual([type, name, outer === -1 || isOnCurve(account)]);
        }
      }
    });
  });

  test("every signature costs the base fee, and the priority fee is the limit times the price", () => {
    forTransactions((answer) => {
      const { fee, priority_fee: priority, signer, activities, compute_units_consumed: used } = answer;
      expect(fee).toBe(BASE_FEE * signer.length + priority);
      const budget = (type: string, field: string) =>
        activities.find((each: Answer) => each.activity_type === type)?.data[field];
      const limit = budget("compute_unit_limit", "compute_unit_limit");
      const price = budget("compute_unit_price", "compute_unit_price");
      expect(limit === undefined).toBe(price === undefined);
      expect(priority).toBe(limit === undefined ? 0 : Math.ceil((limit * price) / MICRO));
      const calls = answer.parsed_instructions.filter(({ program }: Answer) => program !== "ComputeBudget").length;
      expect(used).toBeLessThanOrEqual(limit ?? Math.min(1_400_000, 200_000 * calls));
    });
    const several = db.all(
      "SELECT count(*) AS n FROM account_keys WHERE flags & 1 GROUP BY id / 1024 HAVING n > 1 LIMIT 1",
    );
    expect(several).toHaveLength(1);
  });

  test("logs count down from the limit, and add up to the units consumed", () => {
    forTransactions(({ log_message: lines, compute_units_consumed: used, activities, parsed_instructions, status }) => {
      const limit = activities.find((each: Answer) => each.activity_type === "compute_unit_limit");
      const calls = parsed_instructions.filter(({ program }: Answer) => program !== "ComputeBudget").length;
      let remaining = limit?.data.compute_unit_limit ?? Math.min(1_400_000, 200_000 * calls);
      let [depth, total, own, invoked] = [0, 0, 0, 0];
      for (const line of lines) {
        if (/^Program \w+ invoke/.test(line)) [depth, invoked] = [depth + 1, invoked + 1];
        const [, consumed, before] = /^Program \w+ consumed (\d+) of (\d+) compute units$/.exec(line) ?? [];
        if (depth === 1 && consumed !== undefined) {
          own = Number(consumed);
          expect(Number(before)).toBe(remaining);
        }
        if (!/^Program \w+ (success|failed)/.test(line)) continue;
        depth -= 1;
        if (depth > 0) continue;
        // Programs of the runtime log no units.
        const units = own === 0 ? invoked * NATIVE_UNITS : own;
        [total, remaining, own, invoked] = [total + units, remaining - units, 0, 0];
      }
      if (status === 1) expect(total).toBe(used);
      else expect(total).toBeLessThanOrEqual(used);
    });
  });

  test("swaps name the pool and the owner of its vaults", () => {
    const swaps = withType("swapBaseIn", 20).flatMap((tx) => detail(tx).activities);
    const direct = swaps.filter(({ activity_type }: Answer) => activity_type === "defi_token_swap");
    expect(direct.length).toBeGreaterThan(5);
    for (const { data, program_id } of direct) {
      expect(data.amm_id).toMatch(ADDRESS);
      if (program_id === RAYDIUM) expect(data.amm_authority).toBe(WALLET);
    }
  });

  test("the data of opaque instructions is text, that of exchanges has arguments by their interfaces", () => {
    forTransactions((answer) => {
      for (const { program, type, data_raw: raw, idl_data, activities } of flatten(answer.parsed_instructions)) {
        expect(typeof raw).toBe(program === "ComputeBudget" ? "string" : "object");
        if (program === "ComputeBudget") {
          const bytes = Buffer.from(base58.decode(raw));
          const [value] = Object.values(activities[0].data);
          const isLimit = type === "setComputeUnitLimit";
          expect(bytes[0]).toBe(isLimit ? 2 : 3);
          expect(isLimit ? bytes.readUInt32LE(1) : Number(bytes.readBigUInt64LE(1))).toBe(value);
        }
        if (type !== "swapBaseIn" || answer.status !== 1) continue;
        const { data } = activities.find((each: Answer) => each.activity_type === "defi_token_swap");
        expect(idl_data.input_args.amountIn).toEqual({ type: "u64", data: data.amount_1 });
        expect(idl_data.input_args.minimumAmountOut.data).toBeLessThanOrEqual(data.amount_2);
      }
    });
  });

  test("the transactions of a mint are those that name it", () => {
    const mints = column(
      `SELECT a.address FROM tokens t CROSS JOIN accounts a ON a.id = t.id CROSS JOIN token_stats s ON s.token_id = t.id
       WHERE t.kind = 'fungible' AND s.trades_24h > 0 AND t.id > 1 LIMIT 20`,
    );
    expect(mints.length).toBeGreaterThan(3);
    for (const address of mints) {
      const rows = queryRows(db, "v2-account-transactions", { address, limit: 10 });
      expect(rows.length).toBeGreaterThan(0);
      for (const { tx_hash } of rows) {
        const keys = detail(String(tx_hash)).account_keys.map(({ pubkey }: Answer) => pubkey);
        expect(keys).toContain(address);
      }
    }
  });

  test("nodes list instructions parsed, or with accounts and data", () => {
    const blocks = column("SELECT slot FROM blocks ORDER BY transactions - votes DESC LIMIT 3");
    const rows = blocks.flatMap(
      (block): Answer => asDoubles(queryRows(db, "block-transactions", { block, limit: 50 })),
    );
    const programs = new Set<string>();
    for (const { meta, transaction, version } of rows) {
      const { accountKeys, instructions, addressTableLookups } = transaction.message;
      const keys = accountKeys.map(({ pubkey }: Answer) => pubkey);
      expect(addressTableLookups === null).toBe(version === "legacy");
      const inner = meta.innerInstructions.flatMap(({ instructions: calls }: Answer) => calls);
      for (const { programId, accounts, data, parsed, program } of [...instructions, ...inner]) {
        expect(keys).toContain(programId);
        expect(parsed === undefined).toBe(program === undefined);
        if (parsed !== undefined) continue;
        programs.add(programId);
        for (const account of accounts) expect(keys).toContain(account);
        expect(base58.decode(data).length).toBeGreaterThan(0);
      }
    }
    expect(programs.size).toBeGreaterThan(0);
  });
});

test("addresses are tested for the curve as by the reference implementation", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(isPoint(Buffer.from(bytes))).toBe(isOnCurve(base58.encode(bytes)));
    }),
    { numRuns: 500 },
  );
  const [wallet, mint] = [
    "Bdky9P44ETXheH3KTTURodpeaV7QdPJyofS4brK1656o",
    "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs",
  ];
  const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  expect(associatedAddress(wallet, token, mint)).toBe("Ao2NSUtJet9C1z9LJy2gMJMVEb7xJepaQFT8ig8z9CNw");
});
