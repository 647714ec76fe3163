/** Limits, faults, forks and subscriptions of the test node. */
import { address, createSolanaRpcSubscriptions, lamports } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { walletAccount } from "../support/node/account.ts";
import { TestChain } from "../support/node/chain.ts";
import { FAULTS } from "../support/node/faults.ts";
import { startTestNode, type TestNode, type TestNodeOptions } from "../support/node/node.ts";
import { namedSigner, signTransaction } from "../support/node/sign.ts";

const BOB = "2fh7th4t14gNWpxavuXKV5acoXmYXCnDHM3BRyAKU7MQ";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers have many forms.
  readonly body: any;
}

async function post(node: TestNode, message: unknown): Promise<Answer> {
  const response = await fetch(node.url, { method: "POST", body: JSON.stringify(message) });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
const call = (node: TestNode, method: string, ...params: unknown[]) =>
  post(node, { jsonrpc: "2.0", id: 7, method, params });
const codeOf = async (answer: Promise<Answer>) => (await answer).body.error?.code;

/** Runs a test with a node. */
async function withNode(options: TestNodeOptions, use: (node: TestNode) => Promise<void>): Promise<void> {
  const node = await startTestNode(options);
  try {
    await use(node);
  } finally {
    await node.close();
  }
}

describe("slots", () => {
  test("skipped, missing, pruned and future slots have their own errors", () =>
    withNode({}, async (node) => {
      const { chain } = node;
      chain.skipSlots(1);
      const skipped = chain.tip.slot + 1;
      const { slot } = chain.produceBlock();
      expect(await codeOf(call(node, "getBlock", skipped))).toBe(-32007);
      expect(await codeOf(call(node, "getBlock", slot + 1))).toBe(-32004);
      chain.missing.add(slot);
      expect(await codeOf(call(node, "getBlock", slot))).toBe(-32009);
      chain.firstAvailable = slot + 1;
      chain.missing.clear();
      expect(await codeOf(call(node, "getBlock", slot))).toBe(-32001);
      expect((await call(node, "getFirstAvailableBlock")).body.result).toBe(slot + 1);
    }));

  test("blocks are visible at a commitment when they have reached it", () =>
    withNode({ finality: { confirmed: 1, finalized: 3 } }, async (node) => {
      const signature = await node.airdrop(BOB, 5_000_000_000n);
      const balance = async (commitment: string) =>
        (await call(node, "getBalance", BOB, { commitment })).body.result.value;
      const status = async () => (await call(node, "getSignatureStatuses", [signature])).body.result.value[0];
      expect([await balance("processed"), await balance("confirmed")]).toEqual([5_000_000_000, 0]);
      expect(await status()).toMatchObject({ confirmationStatus: "processed", confirmations: 0 });
      node.chain.produceBlock();
      expect([await balance("confirmed"), await balance("finalized")]).toEqual([5_000_000_000, 0]);
      expect((await call(node, "getTransaction", signature)).body.result).toBe(null);
      node.chain.produceBlock(2);
      expect(await balance("finalized")).toBe(5_000_000_000);
      expect(await status()).toMatchObject({ confirmationStatus: "finalized", confirmations: null });
    }));
});

describe("faults", () => {
  test("a rate limit answers with 429, its code and Retry-After, as often as configured", () =>
    withNode({}, async (node) => {
      node.fail({ ...FAULTS.rateLimited(3), method: "getSlot", times: 1, after: 1 });
      const statuses = [];
      for (let index = 0; index < 3; index += 1) statuses.push((await call(node, "getSlot")).status);
      expect(statuses).toEqual([200, 429, 200]);
      node.fail({ ...FAULTS.rateLimited(3), method: "getSlot" });
      const limited = await call(node, "getSlot");
      expect([limited.headers.get("retry-after"), limited.body.error.code]).toEqual(["3", 429]);
      expect((await call(node, "getHealth")).body.result).toBe("ok");
      expect(node.calls()).toEqual({ getSlot: 4, getHealth: 1 });
    }));

  test("proxies answer with text, pages and statuses", () =>
    withNode({}, async (node) => {
      const answers = [];
      for (const fault of [FAULTS.rateLimitedPlain(), FAULTS.badGateway(), FAULTS.tooLarge(), FAULTS.gone()]) {
        const remove = node.fail(fault);
        const { status, body } = await call(node, "getSlot");
        answers.push([status, typeof body]);
        remove();
      }
      expect(answers).toEqual([
        [429, "string"],
        [502, "string"],
        [413, "string"],
        [410, "object"],
      ]);
    }));

  test("requests over the limit of the node are refused", () =>
    withNode({ rateLimit: { requests: 5, perMethod: 2, seconds: 60 } }, async (node) => {
      const statuses = [];
      for (const method of ["getSlot", "getSlot", "getSlot", "getHealth"]) {
        statuses.push((await call(node, method)).status);
      }
      expect(statuses).toEqual([200, 200, 429, 200]);
    }));

  test("a list of requests is answered as a list, unless the node accepts none", async () => {
    const list = ["getSlot", "nothing", "getHealth"].map((method, id) => ({ jsonrpc: "2.0", id, method }));
    await withNode({}, async (node) => {
      expect((await post(node, list)).body).toMatchObject([{ id: 0 }, { error: { code: -32601 } }, { result: "ok" }]);
      expect(node.httpRequests()).toBe(1);
    });
    await withNode({ batches: false }, async (node) => {
      expect((await post(node, list)).body.error.code).toBe(-32600);
    });
  });

  test("limits: excluded keys, history, transaction versions, an empty first page", () =>
    withNode({}, async (node) => {
      const { limits } = node;
      const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
      limits.excludedKeys = [program];
      expect(await codeOf(call(node, "getProgramAccounts", program))).toBe(-32010);
      const signature = await node.send([], { version: 0 });
      expect(await codeOf(call(node, "getTransaction", signature))).toBe(-32015);
      limits.maxTransactionVersion = 0;
      const withVersion = (maxSupportedTransactionVersion: number) =>
        call(node, "getTransaction", signature, { maxSupportedTransactionVersion });
      expect([await codeOf(withVersion(1)), await codeOf(withVersion(0))]).toEqual([-32602, undefined]);
      limits.emptySignaturePages = 1;
      const rows = async () => (await call(node, "getSignaturesForAddress", node.faucet.address)).body.result.length;
      expect([await rows(), await rows()]).toEqual([0, 1]);
      limits.withoutHistory = true;
      expect(await codeOf(call(node, "getSignaturesForAddress", BOB))).toBe(-32011);
    }));
});

describe("signatures of an address", () => {
  test("pages are newest first, without gaps, and end at until", () =>
    withNode({}, async (node) => {
      const sent: string[] = [];
      await node.chain.inOneBlock(async () => {
        for (let amount = 1; amount <= 3; amount += 1) sent.unshift(await node.airdrop(BOB, BigInt(amount * 1e9)));
      });
      for (let amount = 1; amount <= 4; amount += 1) sent.unshift(await node.airdrop(BOB, BigInt(amount * 1e9)));
      const page = async (options: object) =>
        (await call(node, "getSignaturesForAddress", BOB, options)).body.result.map(
          ({ signature }: { signature: string }) => signature,
        );
      expect(await page({})).toEqual(sent);
      const first = await page({ limit: 5 });
      expect([...first, ...(await page({ limit: 5, before: first.at(-1) }))]).toEqual(sent);
      expect(await page({ until: sent[5] })).toEqual(sent.slice(0, 5));
    }));
});

describe("forks", () => {
  test("dropped blocks leave no trace, whatever happened in them", async () => {
    const alice = await namedSigner("alice");
    const friends = await Promise.all([0, 1, 2].map((index) => namedSigner(`friend ${index}`)));
    const step = fc.record({ to: fc.nat(2), amount: fc.integer({ min: 1, max: 2_000_000_000 }), skip: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 5 }),
        fc.array(step, { minLength: 1, maxLength: 5 }),
        async (a, b) => {
          const chain = new TestChain({ finality: "manual" });
          chain.setAccount(walletAccount(alice.address, 4_000_000_000n));
          const play = async (steps: typeof a) => {
            for (const { to, amount, skip } of steps) {
              chain.skipSlots(skip);
              const destination = friends[to]?.address ?? alice.address;
              const transfer = getTransferSolInstruction({
                source: alice,
                destination,
                amount: lamports(BigInt(amount)),
              });
              const { blockhash } = chain.tip;
              const bytes = await signTransaction({ instructions: [transfer], payer: alice, blockhash });
              // A transaction whose payer cannot pay is in no block.
              try {
                chain.send(bytes);
              } catch {}
            }
          };
          const state = () => {
            const { get } = chain.accountsAt("processed");
            const keys = [alice.address, chain.leaders[0] ?? "", ...friends.map((friend) => friend.address)];
            return keys.map((key) => [get(key)?.lamports, chain.transactionsOf(key).length]);
          };
          await play(a);
          const [before, { slot, blockhash }] = [state(), chain.tip];
          await play(b);
          chain.rollback(slot);
          expect(state()).toEqual(before);
          expect(chain.tip.blockhash).toBe(blockhash);
          expect(chain.produceBlock().parentSlot).toBe(slot);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("a slot that is used again has another block; finalized blocks stay", async () => {
    const chain = new TestChain({ finality: "manual" });
    const { slot } = chain.tip;
    const dropped = chain.produceBlock();
    chain.rollback(slot, { reuseSlots: true });
    const replacement = chain.produceBlock();
    expect(replacement.slot).toBe(dropped.slot);
    expect(replacement.blockhash).not.toBe(dropped.blockhash);
    chain.commit("finalized");
    expect(() => chain.rollback(slot)).toThrow("finalized");
  });
});

test("subscriptions report slots, accounts and roots", () =>
  withNode({ finality: "manual" }, async (node) => {
    const rpc = createSolanaRpcSubscriptions(node.wsUrl);
    const { signal, abort } = ((controller) => ({ signal: controller.signal, abort: () => controller.abort() }))(
      new AbortController(),
    );
    const [slots, accounts, roots] = await Promise.all([
      rpc.slotNotifications().subscribe({ abortSignal: signal }),
      rpc.accountNotifications(address(BOB), { commitment: "confirmed", encoding: "base64" }).subscribe({
        abortSignal: signal,
      }),
      rpc.rootNotifications().subscribe({ abortSignal: signal }),
    ]);
    const first = async <T>(list: AsyncIterable<T>) => (await list[Symbol.asyncIterator]().next()).value;
    const reports = Promise.all([first(slots), first(accounts), first(roots)]);
    await node.airdrop(BOB, 3_000_000_000n);
    const { slot, parentSlot } = node.chain.tip;
    node.chain.commit("confirmed");
    node.chain.commit("finalized");
    const [slotReport, account, root] = await reports;
    expect(slotReport).toMatchObject({ slot: BigInt(slot), parent: BigInt(parentSlot) });
    expect(account).toMatchObject({ value: { lamports: 3_000_000_000n } });
    // The block of the faucet is the first that was not final.
    expect(root).toBe(BigInt(parentSlot));
    abort();
  }));
