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
import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/sources/index.ts";
import { createSession, loadInspect } from "../../../src/sources/node/index.ts";
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
function unsignedTransfer(lamports: bigint) {
  const { alice, bob } = shared.scenario.wallets;
  const blockhash = { blockhash: "11111111111111111111111111111111", lastValidBlockHeight: 0n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(alice.address, draft),
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

  test("a changed byte is noticed", async () => {
    const { messageBytes, signatures } = unsignedTransfer(5n);
    const { alice } = shared.scenario.wallets;
    const forged = { messageBytes, signatures: { ...signatures, [alice.address]: new Uint8Array(64).fill(7) } };
    const result = await inspectAt(getBase64EncodedWireTransaction(forged as never), undefined, NOTHING);
    expect(result.signatures).toMatchObject([{ status: "invalid" }]);
  });
});

test.each(["", "hello", "AAAA", "1111", "AQAAAA=="])("%j is no transaction", async (text) => {
  await expect(inspectAt(text, undefined, NOTHING)).rejects.toMatchObject({ exit: "usage", code: "BAD_TRANSACTION" });
});
