/** Blocks of a stream, encoded by the official codecs, against answers of nodes. */
import { createRequire } from "node:module";
import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { describe, expect, it } from "vitest";
import { isArray, isObject, type Json, parseJson } from "../../../../src/base/index.ts";
import { toBlockAnswer } from "../../../../src/chain/indexer/stream/convert.ts";
import { readTransactionError } from "../../../../src/chain/indexer/stream/errors.ts";
import { pongRequest, readMessage, subscribeRequest, UPDATE } from "../../../../src/chain/indexer/stream/messages.ts";
import { decodeBlock, encodeBase58 } from "../../../../src/chain/solana/index.ts";
import { encodeBlock } from "../../../support/node/encode.ts";
import { consistentResultOf, recordingsOf } from "../../../support/node/recorded.ts";
import { useScenario } from "../../../support/node/use-test-node.ts";
import { toJson, type WireObject } from "../../../support/node/wire.ts";
import { codecs, encodeUpdate, errorBytes } from "../../../support/node/yellowstone-codec.ts";

const shared = useScenario();

const jsonOf = (answer: WireObject): Json => parseJson(toJson(answer));

/** Returns a block of an answer as it is after the way over a stream. */
function streamed(slot: number, answer: WireObject): Json {
  const { block } = readMessage(UPDATE, encodeUpdate(slot, answer));
  return toBlockAnswer(block ?? new Uint8Array());
}

describe("blocks", () => {
  it("of the test node are decoded as by RPC", () => {
    const { blocks } = shared.node.chain;
    const kinds = new Set<string>();
    for (const block of blocks) {
      const answer = encodeBlock(block, "full", "base64", 1, true);
      const expected = decodeBlock(jsonOf(answer), block.slot);
      expect(decodeBlock(streamed(block.slot, answer), block.slot)).toEqual(expected);
      for (const { version, error, lookups, instructions, tokenBalances } of expected?.transactions ?? []) {
        kinds.add(`version ${version}`);
        if (error !== undefined) kinds.add("failed");
        if (lookups.length > 0) kinds.add("lookups");
        if (instructions.some(({ height }) => height > 1)) kinds.add("inner");
        if (tokenBalances.length > 0) kinds.add("tokens");
      }
      if (block.rewards.length > 0) kinds.add("rewards");
    }
    expect([...kinds].sort()).toEqual(
      ["failed", "inner", "lookups", "rewards", "tokens", "version 0", "version 1", "version legacy"].sort(),
    );
  });

  it.each([
    {},
    { priorityFeeLamports: 2n ** 63n + 1n },
    { computeUnitLimit: 300_000, heapSize: 65_536 },
    { loadedAccountsDataSizeLimit: 70_000, priorityFeeLamports: 7n },
    { computeUnitLimit: 1, heapSize: 65_536, loadedAccountsDataSizeLimit: 2, priorityFeeLamports: 3n },
  ])("have transactions of version 1 with limits %o", (limits) => {
    const [payer, program] = [1, 2].map((byte) => address(encodeBase58(new Uint8Array(32).fill(byte)))) as [
      Address,
      Address,
    ];
    const lifetime = { blockhash: payer as string as Blockhash, lastValidBlockHeight: 1n };
    const message = pipe(
      setTransactionMessageConfig(limits, createTransactionMessage({ version: 1 })),
      (value) => setTransactionMessageFeePayer(payer, value),
      (value) => setTransactionMessageLifetimeUsingBlockhash(lifetime, value),
      (value) => appendTransactionMessageInstruction({ programAddress: program, data: new Uint8Array(300) }, value),
    );
    const bytes = Buffer.from(getTransactionEncoder().encode(compileTransaction(message)));
    const meta = {
      err: null,
      fee: 1,
      preBalances: [1, 1],
      postBalances: [0, 1],
      logMessages: [],
      innerInstructions: [],
    };
    const lists = { preTokenBalances: [], postTokenBalances: [], loadedAddresses: { writable: [], readonly: [] } };
    const entry = { transaction: [bytes.toString("base64"), "base64"], meta: { ...meta, ...lists }, version: 1 };
    const answer = { blockhash: "b", previousBlockhash: "a", parentSlot: 6, blockTime: 1, transactions: [entry] };
    const block = decodeBlock(streamed(7, answer), 7);
    expect(block).toEqual(decodeBlock(jsonOf(answer), 7));
    expect(block?.transactions[0]).toMatchObject({ version: 1, limits });
  });

  it("lack no transaction", () => {
    const block = shared.node.chain.blocks.find(({ transactions }) => transactions.length > 0);
    const answer = encodeBlock(block ?? shared.node.chain.tip, "full", "base64", 1, true);
    const { block: bytes } = readMessage(UPDATE, encodeUpdate(1, answer));
    const message = codecs.SubscribeUpdateBlock.decode(bytes ?? new Uint8Array());
    const cut = codecs.SubscribeUpdateBlock.encode({ ...message, transactions: [] }).finish();
    expect(() => toBlockAnswer(cut)).toThrow("the block lacks transactions");
  });
});

/** Whether a recording has all that nodes record today, in an encoding that has instructions as they are on the chain. */
function isOfToday(answer: WireObject): boolean {
  const entries = isArray(answer.transactions) ? (answer.transactions as unknown as readonly WireObject[]) : [];
  return (
    entries.length > 0 &&
    entries.every(({ transaction, meta }) => {
      const { preTokenBalances, loadedAddresses } = (meta ?? {}) as WireObject;
      const { message } = isObject(transaction) ? (transaction as WireObject) : { message: undefined };
      const isCompiled = isArray(transaction) || isObject((message as WireObject | undefined)?.header);
      return isCompiled && preTokenBalances != null && loadedAddresses != null;
    })
  );
}

const recorded = recordingsOf("getBlock").flatMap((each) => {
  const answer = consistentResultOf(each) as WireObject | null;
  return answer && isOfToday(answer) ? [{ name: each.name, answer }] : [];
});

describe.skipIf(recorded.length === 0)("recorded blocks", () => {
  it.each(recorded)("$name", ({ answer }) => {
    const slot = Number(answer.parentSlot) + 1;
    expect(decodeBlock(streamed(slot, answer), slot)).toEqual(decodeBlock(jsonOf(answer), slot));
  });
});

it("subscribes to blocks with transactions, and answers pings", () => {
  const filter = { accountInclude: [], includeTransactions: true, includeAccounts: false, includeEntries: false };
  for (const [commitment, number] of [
    ["confirmed", 1],
    ["finalized", 2],
  ] as const)
    expect(codecs.SubscribeRequest.decode(subscribeRequest(commitment))).toMatchObject({
      blocks: { blocks: filter },
      commitment: number,
      ...{ accounts: {}, slots: {}, transactions: {}, entry: {}, accountsDataSlice: [], ping: undefined },
    });
  expect(codecs.SubscribeRequest.decode(pongRequest())).toMatchObject({ blocks: {}, ping: { id: 1 } });
});

/** The decoder of the package, which is machine code: absent on some systems. */
function officialDecoder(): ((bytes: Uint8Array) => Json) | undefined {
  try {
    return createRequire(import.meta.url)("@triton-one/yellowstone-grpc").txErrDecode.decode;
  } catch {
    return undefined;
  }
}

const decodeError = officialDecoder();

it.skipIf(!decodeError)("reads the errors of transactions as the official decoder", () => {
  const read = (decode: (bytes: Uint8Array) => Json, bytes: Uint8Array) => {
    try {
      return decode(bytes);
    } catch {
      return "unknown";
    }
  };
  const all = [...errorBytes()];
  const errors = all.map((bytes) => read(readTransactionError, bytes));
  expect(errors).toEqual(all.map((bytes) => read(decodeError as (bytes: Uint8Array) => Json, bytes)));
  expect(errors.filter((error) => error !== "unknown").length).toBeGreaterThan(90);
});
