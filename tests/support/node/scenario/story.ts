/** What the chapters of the scenario share: wallets, and sending. */
import type { Address, Instruction, KeyPairSigner } from "@solana/kit";
import type { TestNode } from "../node.ts";
import { namedSigner, type TransactionDraft } from "../sign.ts";

/** The wallets of the scenario. */
export interface Wallets {
  /** Creates mints and pays for most transactions. */
  readonly alice: KeyPairSigner;
  readonly bob: KeyPairSigner;
  readonly carol: KeyPairSigner;
  /** Spends tokens of alice, as their delegate. */
  readonly dave: KeyPairSigner;
}

/** A chapter writes with this. */
export interface Story extends Wallets {
  readonly node: TestNode;
  /** Sends a transaction that alice pays unless the options say otherwise; throws when it fails. */
  send(instructions: readonly Instruction[], options?: Partial<TransactionDraft>): Promise<string>;
  /** Sends a transaction that has to fail while it executes; returns its signature. */
  sendFailing(instructions: readonly Instruction[], options?: Partial<TransactionDraft>): Promise<string>;
  /** Returns a key pair for a name: the same one in every run. */
  signer(name: string): Promise<KeyPairSigner>;
  /** Lamports that an account of a size needs. */
  rent(size: number | bigint): bigint;
}

/** Starts a story on a node. */
export async function startStory(node: TestNode): Promise<Story> {
  const signer = (name: string) => namedSigner(`scenario ${name}`);
  const [alice, bob, carol, dave] = await Promise.all(["alice", "bob", "carol", "dave"].map(signer));
  const wallets = { alice, bob, carol, dave } as unknown as Wallets;
  const run = async (instructions: readonly Instruction[], options: Partial<TransactionDraft> = {}) => {
    const signature = await node.send(instructions, { payer: wallets.alice, ...options });
    const executed = node.chain.transaction(signature);
    if (executed === undefined) throw new Error(`Not in a block: ${signature}`);
    return executed;
  };
  return {
    ...wallets,
    node,
    signer,
    rent: (size) => node.chain.svm.minimumBalanceForRentExemption(BigInt(size)),
    async send(instructions, options) {
      const { err, logs, signatures } = await run(instructions, options);
      if (err !== null) throw new Error(`The scenario failed: ${JSON.stringify(err)}\n${logs.join("\n")}`);
      return signatures[0] ?? "";
    },
    async sendFailing(instructions, options) {
      const { err, signatures } = await run(instructions, options);
      if (err === null) throw new Error("A transaction of the scenario that has to fail did not");
      return signatures[0] ?? "";
    },
  };
}

/** Returns the texts of addresses by name. */
export function addressesOf<Name extends string>(
  signers: Readonly<Record<Name, KeyPairSigner>>,
): Record<Name, Address> {
  const entries = Object.entries<KeyPairSigner>(signers).map(([name, { address }]) => [name, address]);
  return Object.fromEntries(entries) as Record<Name, Address>;
}
