/** Transactions and blocks: kit encodes them, in every version, and malformed answers are typed errors. */
import { Buffer } from "node:buffer";
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, type JsonObject, parseJson, ServerError } from "../../../src/base/index.ts";
import {
  type ChainTransaction,
  decodeBlock,
  decodeTransaction,
  encodeBase58,
  PROGRAM,
  readTransaction,
} from "../../../src/chain/solana/index.ts";

const key = (number: number): Address => address(encodeBase58(new Uint8Array(32).fill(number)));
const [PAYER, A, B, MINT, TABLE] = [key(1), key(2), key(3), key(4), key(5)];
const BLOCKHASH = key(9) as string as Blockhash;

/** Returns the bytes of a transaction without signatures. */
function encode(version: "legacy" | 0 | 1, instructions: readonly Instruction[], config = {}): Uint8Array {
  const lifetime = { blockhash: BLOCKHASH, lastValidBlockHeight: 1n };
  const body = (message: Parameters<typeof setTransactionMessageFeePayer>[1]) =>
    pipe(
      message,
      (value) => setTransactionMessageFeePayer(PAYER, value),
      (value) => setTransactionMessageLifetimeUsingBlockhash(lifetime, value),
      (value) => appendTransactionMessageInstructions(instructions, value as never),
    );
  const message =
    version === 1
      ? setTransactionMessageConfig(config, createTransactionMessage({ version: 1 }))
      : createTransactionMessage({ version } as { version: 0 });
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(body(message as never) as never)));
}

const TRANSFER: Instruction = {
  programAddress: address(PROGRAM.token),
  accounts: [
    { address: A, role: AccountRole.WRITABLE },
    { address: B, role: AccountRole.WRITABLE },
    { address: PAYER, role: AccountRole.READONLY_SIGNER },
  ],
  data: Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0),
};

const META = {
  err: null,
  fee: 5000,
  preBalances: [10_000, 1, 1, 1],
  postBalances: [5_000, 1, 1, 1],
  innerInstructions: [],
  logMessages: [],
  loadedAddresses: { writable: [], readonly: [] },
};

const answer = (bytes: Uint8Array, meta: JsonObject = META): JsonObject => ({
  slot: 7,
  blockTime: 1_700_000_000,
  transaction: [Buffer.from(bytes).toString("base64"), "base64"],
  meta,
});

const decode = (value: Json): ChainTransaction => decodeTransaction(value) as ChainTransaction;

describe("bytes of each version", () => {
  test("legacy", () => {
    const transaction = decode(answer(encode("legacy", [TRANSFER])));
    expect(transaction).toMatchObject({ version: "legacy", blockhash: BLOCKHASH, slot: 7, fee: 5000n, detail: "full" });
    expect(transaction.keys).toEqual([
      { address: PAYER, signer: true, writable: true, fromLookupTable: false },
      { address: A, signer: false, writable: true, fromLookupTable: false },
      { address: B, signer: false, writable: true, fromLookupTable: false },
      { address: PROGRAM.token, signer: false, writable: false, fromLookupTable: false },
    ]);
    expect(transaction.instructions).toEqual([
      {
        parent: -1,
        height: 1,
        program: PROGRAM.token,
        accounts: [A, B, PAYER],
        data: TRANSFER.data,
        parsed: undefined,
      },
    ]);
  });

  test("version 0 with a lookup table", () => {
    const lookup = { addressIndex: 4, lookupTableAddress: TABLE };
    const instruction: Instruction = {
      ...TRANSFER,
      accounts: [
        { address: A, role: AccountRole.WRITABLE, ...lookup },
        { address: B, role: AccountRole.READONLY, ...lookup, addressIndex: 9 },
        { address: PAYER, role: AccountRole.READONLY_SIGNER },
      ],
    };
    const loadedAddresses = { writable: [A], readonly: [B] };
    const transaction = decode(answer(encode(0, [instruction]), { ...META, loadedAddresses }));
    expect(transaction.version).toBe(0);
    expect(transaction.lookups).toEqual([{ table: TABLE, writable: [4], readonly: [9] }]);
    expect(transaction.keys.slice(2)).toEqual([
      { address: A, signer: false, writable: true, fromLookupTable: true },
      { address: B, signer: false, writable: false, fromLookupTable: true },
    ]);
    expect(transaction.instructions[0]?.accounts).toEqual([A, B, PAYER]);
    const unresolved = decode({ ...answer(encode(0, [instruction])), meta: { ...META, loadedAddresses: null } });
    expect(unresolved).toMatchObject({ detail: "full", keys: { length: 2 } });
    expect(unresolved.instructions[0]).toMatchObject({ program: PROGRAM.token, accounts: undefined });
  });

  test("version 1 with resource limits beyond 2^53", () => {
    const config = { computeUnitLimit: 300_000, heapSize: 65_536, priorityFeeLamports: 2n ** 63n + 1n };
    const transaction = decode(answer(encode(1, [TRANSFER], config)));
    expect(transaction).toMatchObject({ version: 1, limits: config, blockhash: BLOCKHASH });
    expect(transaction.signatures).toHaveLength(1);
    expect(transaction.instructions[0]?.accounts).toEqual([A, B, PAYER]);
  });

  test("a later version is refused by name", () => {
    const bytes = encode(1, [TRANSFER]);
    bytes[0] = 0x82;
    expect(() => decode(answer(bytes))).toThrow(/version 2 of transactions is not supported/);
  });

  test("any message that kit compiles", () => {
    const addresses = Array.from({ length: 12 }, (_, number) => key(number + 20));
    const instruction = fc.record({
      programAddress: fc.constantFrom(...addresses.slice(0, 4)),
      accounts: fc.array(
        fc.record({
          address: fc.constantFrom(...addresses.slice(4)),
          role: fc.constantFrom(AccountRole.READONLY, AccountRole.WRITABLE, AccountRole.READONLY_SIGNER),
        }),
        { maxLength: 9 },
      ),
      data: fc.uint8Array({ maxLength: 200 }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom("legacy" as const, 0 as const, 1 as const),
        fc.array(instruction, { maxLength: 5 }),
        (version, instructions) => {
          const { message } = readTransaction(encode(version, instructions));
          expect(
            message.instructions.map(({ program, accounts, data }) => ({
              programAddress: message.keys[program],
              accounts: Array.from(accounts, (position) => message.keys[position]),
              data: new Uint8Array(data),
            })),
          ).toEqual(
            instructions.map((each) => ({ ...each, accounts: each.accounts.map((account) => account.address) })),
          );
        },
      ),
    );
  });
});

describe("answers of old nodes", () => {
  const inner = (stackHeights: readonly (number | null)[]): Json => [
    {
      index: 0,
      instructions: [A, B, A].map((_, at) => ({
        programIdIndex: [1, 2, 1][at] ?? 0,
        accounts: [],
        data: "",
        ...(stackHeights.length === 0 ? {} : { stackHeight: stackHeights[at] ?? null }),
      })),
    },
  ];
  const logs = [
    `Program ${PROGRAM.token} invoke [1]`,
    `Program ${A} invoke [2]`,
    `Program ${B} invoke [3]`,
    `Program ${B} success`,
    `Program ${A} success`,
    `Program ${A} invoke [2]`,
    `Program ${A} success`,
    `Program ${PROGRAM.token} success`,
  ];
  const tree = (meta: JsonObject) =>
    decode(answer(encode("legacy", [TRANSFER]), { ...META, ...meta })).instructions.map(({ parent, height }) => [
      parent,
      height,
    ]);

  test("calls are nested by their height, else by the log, else under their instruction", () => {
    const nested = [
      [-1, 1],
      [0, 2],
      [1, 3],
      [0, 2],
    ];
    expect(tree({ innerInstructions: inner([2, 3, 2]) })).toEqual(nested);
    expect(tree({ innerInstructions: inner([]), logMessages: logs })).toEqual(nested);
    expect(tree({ innerInstructions: inner([]), logMessages: null })).toEqual([
      [-1, 1],
      [0, 2],
      [0, 2],
      [0, 2],
    ]);
  });

  test("missing members", () => {
    const { innerInstructions: _, logMessages: __, loadedAddresses: ___, ...meta } = META;
    const transaction = decode(
      answer(encode("legacy", [TRANSFER]), { ...meta, err: undefined as never, status: { Err: "X" } }),
    );
    expect(transaction).toMatchObject({ error: "X", logs: undefined, computeUnits: undefined, tokenBalances: [] });
  });

  test("a bare base58 text", () => {
    const base58 = encodeBase58(encode("legacy", [TRANSFER]));
    expect(decode({ ...answer(new Uint8Array()), transaction: base58 }).keys[0]?.address).toBe(PAYER);
  });
});

describe("token balances", () => {
  const row = (accountIndex: number, amount: string, mint: string = MINT): JsonObject => ({
    accountIndex,
    mint,
    owner: PAYER,
    programId: PROGRAM.token,
    uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: "" },
  });
  const balances = (preTokenBalances: Json, postTokenBalances: Json) =>
    decode(answer(encode("legacy", [TRANSFER]), { ...META, preTokenBalances, postTokenBalances })).tokenBalances;

  test("are joined by account, missing ones are 0", () => {
    const amount = "18446744073709551615";
    expect(balances([row(1, amount), row(2, "4")], [row(1, "0"), row(3, "9")])).toMatchObject([
      { account: A, pre: 2n ** 64n - 1n, post: 0n, existedBefore: true, existsAfter: true },
      { account: B, pre: 4n, post: 0n, existsAfter: false, owner: undefined, ownerBefore: PAYER },
      { account: PROGRAM.token, pre: 0n, post: 9n, existedBefore: false, existsAfter: true },
    ]);
  });

  test("an account that was opened again for another mint has two entries", () => {
    expect(balances([row(1, "1")], [row(1, "2", B)])).toMatchObject([
      { mint: MINT, pre: 1n, post: 0n, existsAfter: false },
      { mint: B, pre: 0n, post: 2n, existedBefore: false },
    ]);
  });
});

describe("malformed answers", () => {
  const good = answer(encode("legacy", [TRANSFER]));

  test.each<[Json, string]>([
    [{ ...good, slot: "7" }, "slot is not"],
    [{ ...good, transaction: ["AQ", "base64"] }, "transaction is not a transaction"],
    [{ ...good, meta: { ...META, fee: 1.5 } }, "meta.fee is not a whole number"],
    [{ ...good, meta: { ...META, preTokenBalances: [{ accountIndex: 99 }] } }, "meta.preTokenBalances[0].accountIndex"],
    ["text", "result is not an object"],
  ])("%#: the error names the member", (value, member) => {
    expect(() => decode(value)).toThrow(ServerError);
    expect(() => decode(value)).toThrow(member);
  });

  test("the error of a block names the transaction", () => {
    const block = {
      ...{ parentSlot: 1, blockhash: A, previousBlockhash: B, blockHeight: 1, blockTime: 1, rewards: [] },
      transactions: [good, { ...good, meta: { ...META, fee: null } }],
    };
    expect(() => decodeBlock(block, 2)).toThrow("transactions[1].meta.fee is not a whole number");
  });

  const block = (transactions: Json, more: JsonObject = {}) => ({
    ...{ parentSlot: 1, blockhash: A, previousBlockhash: B, blockHeight: 1, blockTime: 1, rewards: [] },
    ...{ transactions, ...more },
  });

  test("a transaction without effects is not one that succeeded", () => {
    for (const meta of [null, undefined as never]) {
      const lacking = { ...good, meta };
      const error = expect.objectContaining({ code: "MISSING_EFFECTS", exit: "server" });
      expect(() => decode(lacking)).toThrow(error);
      expect(() => decodeBlock(block([good, lacking]), 2)).toThrow(error);
    }
  });

  test("effects that were not recorded are no effects that did not happen", () => {
    const complete = { ...META, preTokenBalances: [], postTokenBalances: [] };
    expect(decode({ ...good, meta: complete }).isPartial).toBe(undefined);
    for (const name of ["innerInstructions", "preTokenBalances", "postTokenBalances"]) {
      expect(decode({ ...good, meta: { ...complete, [name]: null } }).isPartial).toBe(true);
      const { [name as "fee"]: _, ...rest } = complete;
      expect(decode({ ...good, meta: rest }).isPartial).toBe(true);
    }
    // The logs have what was called.
    const logged = (depth: number) => ({ ...complete, logMessages: [`Program ${A} invoke [${depth}]`] });
    expect(decode({ ...good, meta: logged(1) }).isPartial).toBe(undefined);
    expect(decode({ ...good, meta: logged(2) }).isPartial).toBe(true);
  });

  test.each(["preBalances", "postBalances"])("%s that no accounts can have", (name) => {
    for (const balances of [[10_000, 1, 1], [10_000, 1, 1, -1], [], null])
      expect(() => decode({ ...good, meta: { ...META, [name]: balances } })).toThrow(ServerError);
  });

  test("a block without what was requested", () => {
    for (const details of ["full", "accounts", "signatures"] as const) {
      for (const nothing of [null, undefined as never])
        expect(() => decodeBlock(block(nothing, { signatures: nothing }), 2, details)).toThrow(ServerError);
    }
    expect(decodeBlock(block(null), 2, "none")?.transactions).toEqual([]);
  });

  test("an answer about another transaction", () => {
    expect(() => decodeTransaction(good, { signature: "other" })).toThrow(ServerError);
    expect(decodeTransaction(null, { signature: "other" })).toBe(undefined);
  });

  test("any change of an answer gives a transaction or a typed error", () => {
    const json = JSON.stringify(good);
    fc.assert(
      fc.property(
        fc.nat(json.length - 1),
        fc.constantFrom("0", "-", "null", "[]", "{}", '"', "9999999999999999999"),
        (at, text) => {
          let value: Json;
          try {
            value = parseJson(json.slice(0, at) + text + json.slice(at + 1));
          } catch {
            return;
          }
          try {
            decodeTransaction(value);
          } catch (error) {
            if (!(error instanceof ServerError)) throw error;
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});

test("a block with accounts only", () => {
  const accountKeys = [{ pubkey: A, signer: true, writable: true, source: "transaction" }];
  const { innerInstructions: _, logMessages: __, loadedAddresses: ___, ...meta } = META;
  const balances = { preBalances: [10_000], postBalances: [5000] };
  const block = decodeBlock(
    {
      ...{ parentSlot: 1, blockhash: A, previousBlockhash: B, blockHeight: null, blockTime: null },
      transactions: [{ transaction: { accountKeys, signatures: ["s"] }, meta: { ...meta, ...balances }, version: 0 }],
    },
    2,
    "accounts",
  );
  expect(block?.transactions[0]).toMatchObject({ detail: "accounts", version: 0, instructions: [], fee: 5000n });
  expect(block).toMatchObject({ signatures: ["s"], height: undefined, time: undefined, rewards: [] });
});
