/** Recorded answers of nodes: transactions, blocks and accounts of all encodings and of all years. */
import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject, parseJson, ServerError } from "../../../src/base/index.ts";
import {
  alignLogs,
  type ChainAccount,
  type ChainTransaction,
  computeUnitProfile,
  decodeAccount,
  decodeBlock,
  decodeTransaction,
  loadParsers,
  priorityFeeOf,
  transactionErrorText,
} from "../../../src/chain/solana/index.ts";
import { consistentResultOf, detailsOf, hasEffects, type Recording, recordings } from "../../support/node/recorded.ts";
import { toJson } from "../../support/node/wire.ts";

const { parseInstructions } = await loadParsers();

interface Decoded {
  readonly recording: Recording;
  readonly transaction: ChainTransaction;
}

const jsonOf = (recording: Recording): Json | undefined => {
  const result = consistentResultOf(recording);
  return result === undefined ? undefined : parseJson(toJson(result));
};

function transactionsOf(recording: Recording): readonly ChainTransaction[] {
  const result = jsonOf(recording);
  if (result === undefined) return [];
  if (recording.method === "getTransaction") return [decodeTransaction(result) ?? []].flat();
  return decodeBlock(result, Number(recording.params?.[0] ?? 0), detailsOf(result))?.transactions ?? [];
}

const decoded: readonly Decoded[] = recordings()
  .filter(({ method }) => /^get(Transaction|Block|ConfirmedBlock)$/.test(method))
  .filter(hasEffects)
  .flatMap((recording) => transactionsOf(recording).map((transaction) => ({ recording, transaction })));

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

describe.skipIf(recordings().length === 0)("recorded transactions", () => {
  test("all are decoded", () => {
    expect(decoded.length).toBeGreaterThan(380);
  });

  test("lamports change by the fee", () => {
    const wrong = decoded.filter(
      ({ recording, transaction: { detail, fee, preBalances, postBalances } }) =>
        detail === "full" && recording.complete && sum(postBalances) - sum(preBalances) !== -fee,
    );
    expect(wrong.map(({ recording }) => recording.name)).toEqual([]);
  });

  test("balances and keys are as many, and the payer signs", () => {
    const wrong = decoded.filter(({ recording, transaction: { detail, keys, preBalances } }) => {
      const isCounted = detail === "full" && recording.complete && recording.name !== "getBlock-base64-1tx-33-3.json";
      return (isCounted && keys.length !== preBalances.length) || keys[0]?.signer !== true;
    });
    expect(wrong.map(({ recording }) => recording.name)).toEqual([]);
  });

  test("calls are nested in their callers", () => {
    for (const { transaction } of decoded) {
      for (const [index, { parent, height }] of transaction.instructions.entries()) {
        expect(parent).toBeLessThan(index);
        expect(height).toBe((transaction.instructions[parent]?.height ?? 0) + 1);
      }
    }
  });

  test("every encoding gives the same transaction", () => {
    const groups = Map.groupBy(decoded, ({ transaction }) => transaction.signatures[0]);
    const pairs = [...groups.values()].flatMap(([first, ...others]) =>
      others.flatMap((other) =>
        first && first.recording.complete === other.recording.complete ? [[first, other] as const] : [],
      ),
    );
    expect(pairs.length).toBeGreaterThan(10);
    for (const [a, b] of pairs) expect(comparable(b.transaction)).toEqual(comparable(a.transaction));
  });

  test("errors are sentences", () => {
    const failed = decoded.flatMap(({ transaction }) =>
      transaction.error === undefined ? [] : [transactionErrorText(transaction.error, transaction)],
    );
    expect(failed.length).toBeGreaterThan(40);
    for (const text of failed)
      expect(text).toMatch(/^(Instruction \d+ \(.+\) failed.*: .+|Account \d+ .+|An account .+)$/);
  });

  test("the priority fee is what limit and price say", () => {
    const priced = decoded.flatMap(({ recording, transaction }) => {
      const { limit, price } = computeUnitProfile(transaction);
      if (!recording.complete || limit === undefined || price === undefined) return [];
      const expected = (price * BigInt(Math.min(limit, 1_400_000)) + 999_999n) / 1_000_000n;
      return [[recording.name, expected, priorityFeeOf(transaction)] as const];
    });
    expect(priced.length).toBeGreaterThan(20);
    for (const [name, expected, fee] of priced) expect([name, fee]).toEqual([name, expected]);
  });

  test("successful instructions are in the log, and their parts do not exceed the whole", () => {
    for (const { transaction } of decoded) {
      const { instructions } = computeUnitProfile(transaction);
      const { computeUnits: total } = transaction;
      const top = instructions.filter((_, index) => transaction.instructions[index]?.parent === -1);
      const used = top.reduce((units, row) => units + (row.units ?? 0), 0);
      if (total !== undefined) expect(used).toBeLessThanOrEqual(total);
      for (const { own } of instructions) expect(own ?? 0).toBeGreaterThanOrEqual(0);
      for (const [index, call] of alignLogs(transaction).entries()) {
        if (call) expect(call.program).toBe(transaction.instructions[index]?.program);
      }
    }
  });
});

/** A transaction without what depends on the request: position, and data that the parsed encoding replaces. */
function comparable(transaction: ChainTransaction) {
  const { index: _, error: __, ...rest } = parseInstructions(transaction);
  return {
    ...rest,
    instructions: rest.instructions.map(({ parsed, accounts, data, ...call }) => ({
      ...call,
      ...(parsed ? { parsed } : { accounts, data }),
    })),
  };
}

/** Accounts that fixture authors edited beyond recognition. */
const EDITED = new Set([
  "getAccountInfo-jsonParsed-sysvar-rent-SysvarRe.json",
  "getAccountInfo-legacy-string-program-None-Hzn3n914.json",
]);

const accounts: readonly (readonly [Recording, ChainAccount])[] = recordings()
  .filter(
    ({ method, name }) =>
      /^get(AccountInfo|MultipleAccounts|ProgramAccounts|TokenAccountsBy)/.test(method) && !EDITED.has(name),
  )
  .flatMap((recording) => accountsOf(recording).map((account) => [recording, account] as const));

function accountsOf(recording: Recording): readonly ChainAccount[] {
  const result = jsonOf(recording);
  const value = isObject(result) ? result.value : result;
  const list = isArray(value) ? value : [value];
  const requested = [recording.params?.[0]].flat();
  return list.flatMap((item, at) => {
    if (item === null || item === undefined) return [];
    const row = item as JsonObject;
    return row.account === undefined
      ? decodeAccount(String(requested[at]), row)
      : decodeAccount(String(row.pubkey), row.account);
  });
}

describe.skipIf(recordings().length === 0)("recorded accounts", () => {
  test("all are decoded", () => {
    expect(accounts.length).toBeGreaterThan(80);
    for (const [{ name }, account] of accounts) {
      const space = account.parsed && account.data ? account.space : undefined;
      if (space !== undefined) expect([name, account.data?.length]).toEqual([name, space]);
    }
  });

  test("what is parsed here equals what a node parsed", () => {
    const groups = Map.groupBy(accounts, ([, { address }]) => address);
    const pairs = [...groups].flatMap(([address, group]) => {
      const byNode = group.find(([, { data, parsed }]) => parsed && data === undefined)?.[1];
      const here = group.find(([, { data, parsed }]) => parsed && data !== undefined)?.[1];
      return byNode && here ? [[address, byNode.parsed, here.parsed] as const] : [];
    });
    // The fixture authors removed the fee of the nonce.
    const compared = pairs.filter(([, byNode]) => byNode?.program !== "nonce");
    expect(compared.map(([, byNode]) => byNode?.program).toSorted()).toEqual(
      expect.arrayContaining(["address-lookup-table", "bpf-upgradeable-loader", "spl-token-2022", "stake"]),
    );
    for (const [address, byNode, here] of compared) expect([address, here]).toEqual([address, byNode]);
  });

  test("an account without its balance is malformed", () => {
    const edited = recordings().find(({ name }) => name === "getAccountInfo-jsonParsed-sysvar-rent-SysvarRe.json");
    expect(() => edited && accountsOf(edited)).toThrow(ServerError);
  });
});
