/**
 * A program with an Anchor IDL on the chain. It is a copy of the memo program, which accepts every text as instruction
 * data: the discriminator and the arguments below are bytes of a text.
 */
import { deflateSync } from "node:zlib";
import {
  AccountRole,
  type Address,
  createAddressWithSeed,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
} from "@solana/kit";
import type { Account } from "../account.ts";
import { MEMO_PROGRAM } from "../chain.ts";
import type { Story } from "./story.ts";

/** The arguments of the instruction. */
export const VAULT = { amount: 1_000_000n, note: "rainy day" } as const;

/** The first eight bytes of `account:IdlAccount`. */
const IDL_DISCRIMINATOR = Uint8Array.of(24, 70, 98, 191, 58, 144, 123, 158);
const DEPOSIT = new TextEncoder().encode("deposit!");

const idlOf = (program: Address) => ({
  address: program,
  metadata: { name: "scenario_vault", version: "0.1.0", spec: "0.1.0" },
  instructions: [
    {
      name: "deposit",
      discriminator: [...DEPOSIT],
      accounts: [{ name: "owner", writable: true, signer: true }],
      args: [
        { name: "amount", type: "u64" },
        { name: "note", type: "string" },
      ],
    },
  ],
  errors: [{ code: 6000, name: "VaultIsFull", msg: "The vault is full" }],
});

/** Returns the account in which a program keeps its IDL. */
async function idlAccount(program: Address, authority: Address): Promise<Account> {
  const [base] = await getProgramDerivedAddress({ programAddress: program, seeds: [] });
  const key = await createAddressWithSeed({ baseAddress: base, programAddress: program, seed: "anchor:idl" });
  const text = deflateSync(JSON.stringify(idlOf(program)));
  const data = new Uint8Array(44 + text.length);
  data.set(IDL_DISCRIMINATOR);
  data.set(getAddressEncoder().encode(authority), 8);
  new DataView(data.buffer).setUint32(40, text.length, true);
  data.set(text, 44);
  return { address: key, lamports: 10_000_000n, owner: program, executable: false, data };
}

/** Plays the chapter. */
export async function playPrograms({ node, alice, send, signer }: Story) {
  const { address: program } = await signer("vault program");
  const memo = node.chain.accountsAt("processed").get(MEMO_PROGRAM);
  node.chain.svm.addProgram(program, memo?.data ?? new Uint8Array());
  const idl = await idlAccount(program, alice.address);
  node.chain.setAccount(idl);
  const note = new TextEncoder().encode(VAULT.note);
  const data = new Uint8Array(20 + note.length);
  data.set(DEPOSIT);
  new DataView(data.buffer).setBigUint64(8, VAULT.amount, true);
  new DataView(data.buffer).setUint32(16, note.length, true);
  data.set(note, 20);
  const deposit: Instruction = {
    programAddress: program,
    accounts: [{ address: alice.address, role: AccountRole.WRITABLE_SIGNER }],
    data,
  };
  return {
    addresses: { vaultProgram: program, vaultIdl: idl.address },
    signatures: { vaultDeposit: await send([deposit]) },
  };
}
