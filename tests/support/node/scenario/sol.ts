/** SOL: transfers with memos, over lookup tables, to many accounts, with durable nonces, and failed ones. */
import { type Address, createAddressWithSeed, lamports } from "@solana/kit";
import {
  findAddressLookupTablePda,
  getCreateLookupTableInstructionAsync,
  getExtendLookupTableInstruction,
} from "@solana-program/address-lookup-table";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getAddMemoInstruction } from "@solana-program/memo";
import {
  getCreateAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from "@solana-program/system";
import { MEMO_PROGRAM } from "../chain.ts";
import { base58 } from "../parse-account.ts";
import type { Story } from "./story.ts";

export const SOL = 1_000_000_000n;

/** The amounts in lamports. */
export const SOL_AMOUNTS = {
  simple: 1_500_000_000n,
  withMemo: 250_000_000n,
  overTable: 40_000_000n,
  each: 2_000_000n,
  withBudget: 7_000_000n,
  withNonce: 90_000_000n,
  version1: 11_000_000n,
  group: [1_000_001n, 1_000_002n, 1_000_003n],
} as const;

export const MEMO = "Invoice 42: thank you";

/** Plays the chapter. */
export async function playSol(story: Story) {
  const { node, alice, bob, carol, send } = story;
  const pay = (to: Address, amount: bigint, from = alice) =>
    getTransferSolInstruction({ source: from, destination: to, amount: lamports(amount) });

  const airdrop = await node.airdrop(alice.address, 1000n * SOL);
  await node.airdrop(bob.address, 100n * SOL);
  await node.airdrop(carol.address, 100n * SOL);
  await node.airdrop(story.dave.address, 10n * SOL);
  const solTransfer = await send([pay(bob.address, SOL_AMOUNTS.simple)]);
  const solTransferWithMemo = await send([
    pay(carol.address, SOL_AMOUNTS.withMemo),
    getAddMemoInstruction({ memo: MEMO }, { programAddress: MEMO_PROGRAM }),
  ]);
  node.chain.skipSlots(2);

  const recentSlot = BigInt(node.chain.tip.slot);
  const [lookupTable] = await findAddressLookupTablePda({ authority: alice.address, recentSlot });
  const entries = [bob.address, carol.address, SYSTEM_PROGRAM_ADDRESS];
  const createLookupTable = await send([
    await getCreateLookupTableInstructionAsync({ authority: alice.address, payer: alice, recentSlot }),
    getExtendLookupTableInstruction({ address: lookupTable, authority: alice, payer: alice, addresses: entries }),
  ]);
  node.chain.produceBlock();
  const tableTransfer = await send([pay(carol.address, SOL_AMOUNTS.overTable)], {
    version: 0,
    tables: { [lookupTable]: entries },
  });

  const many = await Promise.all(Array.from({ length: 18 }, (_, index) => story.signer(`friend ${index}`)));
  const manyAccounts = await send(many.map(({ address }) => pay(address, SOL_AMOUNTS.each)));
  const computeBudget = await send([
    getSetComputeUnitLimitInstruction({ units: 20_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: 2_500_000n }),
    pay(bob.address, SOL_AMOUNTS.withBudget),
  ]);

  const seed = "savings";
  const seeded = await createAddressWithSeed({
    baseAddress: alice.address,
    programAddress: SYSTEM_PROGRAM_ADDRESS,
    seed,
  });
  const createWithSeed = await send([
    getCreateAccountWithSeedInstruction({
      payer: alice,
      newAccount: seeded,
      baseAccount: alice,
      base: alice.address,
      seed,
      amount: story.rent(0),
      space: 0,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    }),
  ]);

  const nonce = await story.signer("nonce");
  const createNonce = await send([
    getCreateAccountInstruction({
      payer: alice,
      newAccount: nonce,
      lamports: story.rent(80),
      space: 80,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    }),
    getInitializeNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: bob.address }),
  ]);
  // Every such transaction advances the nonce in its first instruction.
  const withNonce = () => {
    const data = node.chain.accountsAt("processed").get(nonce.address)?.data ?? new Uint8Array();
    return {
      payer: bob,
      nonce: { account: nonce.address, authority: bob.address, value: base58(data.subarray(40, 72)) },
    };
  };
  const nonceTransfer = await send([pay(carol.address, SOL_AMOUNTS.withNonce, bob)], withNonce());
  const failedNonceTransfer = await story.sendFailing([pay(carol.address, 1_000_000n * SOL, bob)], withNonce());
  const failedSolTransfer = await story.sendFailing([pay(bob.address, SOL), pay(carol.address, 1_000_000n * SOL)]);

  const group: string[] = [];
  await node.chain.inOneBlock(async () => {
    for (const amount of SOL_AMOUNTS.group) group.push(await send([pay(bob.address, amount)]));
  });
  return {
    addresses: { lookupTable, nonce: nonce.address, seeded, friends: many.map(({ address }) => address) },
    signatures: {
      airdrop,
      solTransfer,
      solTransferWithMemo,
      createLookupTable,
      tableTransfer,
      manyAccounts,
      computeBudget,
      createWithSeed,
      createNonce,
      nonceTransfer,
      failedNonceTransfer,
      failedSolTransfer,
      groupFirst: group[0] ?? "",
      groupSecond: group[1] ?? "",
      groupThird: group[2] ?? "",
    },
  };
}

/** Sends a transaction of version 1: nodes that know it only answer clients that say so. */
export async function playVersion1({ send, alice, bob }: Story) {
  const transfer = getTransferSolInstruction({
    source: alice,
    destination: bob.address,
    amount: lamports(SOL_AMOUNTS.version1),
  });
  const version1Transfer = await send([transfer], {
    version: 1,
    config: { computeUnitLimit: 30_000, loadedAccountsDataSizeLimit: 64_000, priorityFeeLamports: 321n },
  });
  return { addresses: {}, signatures: { version1Transfer } };
}
