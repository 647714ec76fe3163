/** Inspection of transactions: decoded with and without a node, simulated, and refused where the text is none. */

import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type Json, SolxError } from "../../../src/base/index.ts";
import { createClient } from "../../../src/sources/index.ts";
import { createSession, loadInspect } from "../../../src/sources/node/index.ts";
import { FAULTS } from "../../support/node/faults.ts";
import { useScenario } from "../../support/node/use-test-node.ts";

const shared = useScenario();
const NOTHING = { simulate: false, strict: false };
const SIMULATED = { simulate: true, strict: false };

/** Calls a function with what reads from the node. */
async function withNode<T>(use: (node: NonNullable<Parameters<typeof inspectAt>[1]>) => Promise<T>): Promise<T> {
  await using client = createClient({ rpc: shared.node.url });
  return await use({ node: client.node(), session: createSession(), sending: {} });
}

async function inspectAt(
  ...[text, node, options]: Parameters<Awaited<ReturnType<typeof loadInspect>>["inspectTransaction"]>
) {
  const { inspectTransaction } = await loadInspect();
  return await inspectTransaction(text, node, options);
}

/** Returns an unsigned transfer of lamports from one wallet to another. */
function unsignedTransfer(lamports: bigint, payer?: string) {
  const { alice, bob } = shared.scenario.wallets;
  const blockhash = { blockhash: "11111111111111111111111111111111", lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer((payer ?? alice.address) as typeof alice.address, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(blockhash as never, draft),
    (draft) =>
      appendTransactionMessageInstructions(
        [
          getTransferSolInstruction({
            source: createNoopSigner(alice.address),
            destination: bob.address,
            amount: lamports,
          }),
        ],
        draft,
      ),
  );
  return compileTransaction(message);
}

describe("a transaction that is not signed", () => {
  test("is simulated: what it changes, what it costs, who has to sign", async () => {
    const { alice, bob } = shared.scenario.addresses;
    const text = getBase64EncodedWireTransaction(unsignedTransfer(1_000_000n));
    const result = await withNode((node) => inspectAt(text, node, SIMULATED));
    expect(result).toMatchObject({
      version: 0,
      fee_payer: alice,
      signatures: [{ signer: alice, status: "missing" }],
      instructions: [{ index: "1", type: "transfer", status: "ok", info: { source: alice, destination: bob } }],
      simulation: {
        status: "ok",
        sol_changes: [
          { address: alice, change: -1_005_000 },
          { address: bob, change: 1_000_000 },
        ],
        token_changes: [],
      },
    });
  });

  test("is decoded without a node, and nothing is said about running it", async () => {
    const text = getBase64EncodedWireTransaction(unsignedTransfer(5n));
    const result = await inspectAt(text, undefined, SIMULATED);
    expect(result).toMatchObject({ size: 217, instructions: [{ type: "transfer", info: { lamports: 5 } }] });
    expect(result).not.toHaveProperty("simulation");
    expect(result.instructions).not.toMatchObject([{ status: expect.anything() }]);
  });

  test("can be a message only", async () => {
    const message = getBase64Decoder().decode(unsignedTransfer(5n).messageBytes);
    const whole = getBase64EncodedWireTransaction(unsignedTransfer(5n));
    expect(await inspectAt(message, undefined, NOTHING)).toEqual(await inspectAt(whole, undefined, NOTHING));
  });

  test("fails with the reason when it would fail", async () => {
    const text = getBase64EncodedWireTransaction(unsignedTransfer(10n ** 18n));
    const { simulation, instructions } = await withNode((node) => inspectAt(text, node, SIMULATED));
    expect(simulation).toMatchObject({
      status: "failed",
      error_text: expect.stringMatching(/^Instruction 1 \(System Program\) failed: /),
      sol_changes: [],
    });
    expect(instructions).toMatchObject([{ status: "failed" }]);
  });
});

describe("instructions that never ran are not ok", () => {
  test("because the fee payer does not exist", async () => {
    const transaction = unsignedTransfer(5n, "Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr");
    const text = getBase64EncodedWireTransaction(transaction);
    const { simulation, instructions } = await withNode((node) => inspectAt(text, node, SIMULATED));
    expect(simulation).toMatchObject({ status: "failed", error: "AccountNotFound" });
    expect(instructions).toMatchObject([{ status: "not run" }]);
  });

  test("because the blockhash is unknown", async () => {
    const value = { err: "BlockhashNotFound", logs: [], accounts: null, unitsConsumed: 0 };
    const { simulation, instructions } = await simulatedAs(value);
    expect(simulation).toMatchObject({ error_text: "The blockhash is unknown or expired" });
    expect(instructions).toMatchObject([{ status: "not run" }]);
  });
});

/** Inspects a transfer on a node that answers each simulation alike. */
async function simulatedAs(value: Json, options = SIMULATED) {
  return withNode(async (reading) => {
    const call: typeof reading.node.call = async (method, params, sending) =>
      method === "simulateTransaction" ? { context: { slot: 1 }, value } : reading.node.call(method, params, sending);
    const { name, commitment, now } = reading.node;
    const node = { name, commitment, now, call, callMany: reading.node.callMany.bind(reading.node) };
    return inspectAt(getBase64EncodedWireTransaction(unsignedTransfer(5n)), { ...reading, node }, options);
  });
}

test("a simulation without an outcome is none", async () => {
  const value = { logs: [], accounts: null };
  const { simulation, instructions, notes } = await simulatedAs(value);
  expect(simulation).toBeUndefined();
  expect(instructions).not.toMatchObject([{ status: expect.anything() }]);
  expect(notes).toEqual([expect.stringMatching(/^Without a simulation: .*outcome/)]);
  await expect(simulatedAs(value, { simulate: true, strict: true })).rejects.toMatchObject({
    code: "MALFORMED_ANSWER",
  });
});

test.each([[null], [[]], [[null]]])("accounts that a simulation lacks are noted: %j", async (accounts) => {
  const { simulation, notes } = await simulatedAs({ err: null, logs: [], accounts });
  expect(simulation).toMatchObject({ status: "ok" });
  expect(simulation).not.toHaveProperty("sol_changes");
  expect(notes).toEqual([expect.stringMatching(/^Without changes of balances: .* of 2 accounts/)]);
});

describe("a transaction that was sent", () => {
  test.each(["tableTransfer", "transferWithFee", "version1Transfer", "multisigTransfer"] as const)(
    "%s: has valid signatures and the accounts of its lookup tables",
    async (name) => {
      const signature = shared.scenario.signatures[name];
      const result = await withNode((node) => inspectAt(signature, node, SIMULATED));
      const detail = await withNode(async ({ node }) =>
        node.call("getTransaction", [signature, { encoding: "json", maxSupportedTransactionVersion: 1 }]),
      );
      const { message } = (detail as never as { transaction: { message: { accountKeys: string[] } } }).transaction;
      const loaded = (detail as never as { meta: { loadedAddresses: { writable: string[]; readonly: string[] } } }).meta
        .loadedAddresses;
      expect(result.signatures).toEqual(
        expect.arrayContaining([expect.objectContaining({ status: "valid", signature })]),
      );
      expect(result.accounts).toMatchObject(
        [...message.accountKeys, ...loaded.writable, ...loaded.readonly].map((address) => ({ address })),
      );
    },
  );

  test("has the accounts that its lookup tables had then, whatever they have now", async () => {
    const signature = shared.scenario.signatures.tableTransfer;
    const complete = await withNode((node) => inspectAt(signature, node, NOTHING));
    const restore = shared.node.fail({ method: ["getMultipleAccounts", "getAccountInfo"], ...FAULTS.unknownMethod() });
    const result = await withNode((node) => inspectAt(signature, node, NOTHING));
    restore();
    expect(result.accounts).toEqual(complete.accounts);
    expect(result.accounts).toContainEqual(expect.objectContaining({ source: "lookupTable" }));
  });

  test.each([
    ["of which bytes are missing", (bytes: Buffer) => bytes.subarray(0, 90)],
    ["of other bytes", () => Buffer.alloc(300, 255)],
    [
      "that names an account that it does not have",
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -21), Buffer.of(200), bytes.subarray(-20)]),
    ],
  ])("in an answer %s: a typed error", async (_, damage) => {
    const signature = shared.scenario.signatures.transferWithFee;
    await withNode(async (reading) => {
      const { node } = reading;
      const call: typeof node.call = async (method, params, options) => {
        const result = await node.call(method, params, options);
        if (method !== "getTransaction" || !isObject(result)) return result;
        const bytes = Buffer.from(String((result.transaction as readonly string[])[0]), "base64");
        return { ...result, transaction: [damage(bytes).toString("base64"), "base64"] };
      };
      const callMany: typeof node.callMany = (calls) =>
        Promise.all(calls.map(({ method, params }) => call(method, params)));
      const damaged = {
        ...reading,
        node: { ...node, name: node.name, commitment: node.commitment, call, callMany } as never,
      };
      await expect(inspectAt(signature, damaged, NOTHING)).rejects.toMatchObject({ exit: "server" });
    });
  });

  test("a changed byte is noticed", async () => {
    const { messageBytes, signatures } = unsignedTransfer(5n);
    const { alice } = shared.scenario.wallets;
    const forged = { messageBytes, signatures: { ...signatures, [alice.address]: new Uint8Array(64).fill(7) } };
    const result = await inspectAt(getBase64EncodedWireTransaction(forged as never), undefined, NOTHING);
    expect(result.signatures).toMatchObject([{ status: "invalid" }]);
  });
});

/** Changes a byte of a text in base64, or cuts it off. */
const damaged = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }), cut: fc.option(fc.nat()) });

test("a damaged transaction is decoded or refused", async () => {
  const bytes = Buffer.from(getBase64EncodedWireTransaction(unsignedTransfer(5n)), "base64");
  await fc.assert(
    fc.asyncProperty(fc.array(damaged, { minLength: 1, maxLength: 4 }), async (changes) => {
      let copy = Buffer.from(bytes);
      for (const { at, value, cut } of changes) {
        if (copy.length > 0) copy[at % copy.length] = value;
        if (cut !== null) copy = copy.subarray(0, cut % (copy.length + 1));
      }
      const result = await inspectAt(copy.toString("base64"), undefined, NOTHING).catch((error: unknown) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(SolxError);
    }),
    { numRuns: 500 },
  );
});

test.each(["", "hello", "AAAA", "1111", "AQAAAA=="])("%j is no transaction", async (text) => {
  await expect(inspectAt(text, undefined, NOTHING)).rejects.toMatchObject({ exit: "usage", code: "BAD_TRANSACTION" });
});
