/** Stake: a vote account, a stake that is delegated, rewarded, split, deactivated and withdrawn. */
import {
  AccountRole,
  type Address,
  address,
  getAddressEncoder,
  getBase58Encoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";
import * as stake from "@solana-program/stake";
import { STAKE_PROGRAM_ADDRESS } from "@solana-program/stake";
import { getCreateAccountInstruction } from "@solana-program/system";
import type { Block } from "../chain.ts";
import { VOTE_PROGRAM } from "../parse-vote.ts";
import { SOL } from "./sol.ts";
import type { Story } from "./story.ts";

/** The amounts in lamports. */
export const STAKE_AMOUNTS = {
  delegated: 50n * SOL,
  reward: 31_415_926n,
  commission: 7,
  split: 20n * SOL,
  withdrawn: 5n * SOL,
} as const;

const STAKE_SIZE = 200;
/** Bytes of a vote account. */
export const VOTE_SIZE = 3762;
const SYSVAR_RENT = address("SysvarRent111111111111111111111111111111111");
const SYSVAR_STAKE_HISTORY = address("SysvarStakeHistory1111111111111111111111111");
const STAKE_CONFIG = address("StakeConfig11111111111111111111111111111111");
const SYSVAR_CLOCK = address("SysvarC1ock11111111111111111111111111111111");

/** Returns the instruction that makes an account a vote account; there is no client of the vote program. */
export function initializeVote(
  account: Address,
  node: KeyPairSigner,
  withdrawer: Address,
  commission: number,
): Instruction {
  const data = new Uint8Array(4 + 3 * 32 + 1);
  for (const [index, key] of [node.address, node.address, withdrawer].entries()) {
    data.set(getAddressEncoder().encode(key), 4 + index * 32);
  }
  data[100] = commission;
  return {
    programAddress: VOTE_PROGRAM,
    accounts: [
      { address: account, role: AccountRole.WRITABLE },
      { address: SYSVAR_RENT, role: AccountRole.READONLY },
      { address: SYSVAR_CLOCK, role: AccountRole.READONLY },
      { address: node.address, role: AccountRole.READONLY_SIGNER, signer: node } as never,
    ],
    data,
  };
}

/**
 * Returns an instruction with the accounts that command-line tools and wallets still pass: sysvars and the config of
 * stakes, which the program itself no longer needs.
 */
const classic = (instruction: Instruction, sysvars: readonly Address[]): Instruction => {
  const accounts = instruction.accounts ?? [];
  const readonly = sysvars.map((key) => ({ address: key, role: AccountRole.READONLY }));
  return { ...instruction, accounts: [...accounts.slice(0, -1), ...readonly, ...accounts.slice(-1)] };
};

/** What a vote is for: by default once confirmed. */
type VotedBlock = Pick<Block, "slot" | "blockhash" | "time"> & { readonly confirmations?: number };

/** Returns a vote for a slot (`TowerSync`), or one without any. */
export function vote(to: Address, voter: KeyPairSigner, voted: VotedBlock, isEmpty = false): Instruction {
  const { slot, blockhash, time, confirmations = 1 } = voted;
  const none = new Uint8Array(32);
  const data = Buffer.concat([
    u32(14),
    u64(0xff_ff_ff_ff_ff_ff_ff_ffn),
    // One lockout: the slot, as an offset from the root in seven bits a byte, and how often it was confirmed.
    ...(isEmpty ? [Uint8Array.of(0)] : [Uint8Array.of(1), varint(slot), Uint8Array.of(confirmations)]),
    new Uint8Array(getBase58Encoder().encode(blockhash)),
    Uint8Array.of(1),
    u64(BigInt(time)),
    none,
  ]);
  return {
    programAddress: VOTE_PROGRAM,
    accounts: [
      { address: to, role: AccountRole.WRITABLE },
      { address: voter.address, role: AccountRole.READONLY_SIGNER, signer: voter } as never,
    ],
    data: new Uint8Array(data),
  };
}

const u32 = (value: number) => getU32Encoder().encode(value) as Uint8Array;
const u64 = (value: bigint) => getU64Encoder().encode(value) as Uint8Array;
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest < 128) return Uint8Array.of(...bytes, rest);
    bytes.push((rest & 127) | 128);
  }
}

/** Plays the chapter; it takes four epochs. */
export async function playStake(story: Story) {
  const { alice, bob, send, node } = story;
  const [validator, voteAccount, stakeAccount, part] = (await Promise.all(
    ["validator", "vote", "stake", "split stake"].map(story.signer),
  )) as [KeyPairSigner, KeyPairSigner, KeyPairSigner, KeyPairSigner];
  const create = (account: KeyPairSigner, size: number, programAddress: Address, more = 0n) =>
    getCreateAccountInstruction({
      payer: alice,
      newAccount: account,
      lamports: story.rent(size) + more,
      space: size,
      programAddress,
    });

  await node.airdrop(validator.address, SOL);
  const createVote = await send([
    create(voteAccount, VOTE_SIZE, VOTE_PROGRAM),
    initializeVote(voteAccount.address, validator, bob.address, STAKE_AMOUNTS.commission),
  ]);
  const createStake = await send([
    create(stakeAccount, STAKE_SIZE, STAKE_PROGRAM_ADDRESS, STAKE_AMOUNTS.delegated),
    stake.getInitializeInstruction({
      stake: stakeAccount.address,
      arg0: { staker: alice.address, withdrawer: alice.address },
      arg1: { unixTimestamp: 0n, epoch: 0n, custodian: address("11111111111111111111111111111111") },
    }),
  ]);
  const delegateStake = await send([
    classic(
      stake.getDelegateStakeInstruction({
        stake: stakeAccount.address,
        vote: voteAccount.address,
        stakeAuthority: alice,
      }),
      [SYSVAR_CLOCK, SYSVAR_STAKE_HISTORY, STAKE_CONFIG],
    ),
  ]);
  const delegationEpoch = node.chain.epochOf(node.chain.tip.slot);
  node.chain.advanceEpoch();
  node.chain.advanceEpoch();
  const { slot: rewardSlot } = node.chain.reward([
    {
      pubkey: stakeAccount.address,
      lamports: STAKE_AMOUNTS.reward,
      rewardType: "Staking",
      commission: STAKE_AMOUNTS.commission,
    },
    { pubkey: voteAccount.address, lamports: 2_000_000n, rewardType: "Voting", commission: STAKE_AMOUNTS.commission },
  ]);
  const splitStake = await send([
    create(part, STAKE_SIZE, STAKE_PROGRAM_ADDRESS),
    stake.getSplitInstruction({
      stake: stakeAccount.address,
      splitStake: part.address,
      stakeAuthority: alice,
      args: STAKE_AMOUNTS.split,
    }),
  ]);
  const deactivateStake = await send([
    classic(stake.getDeactivateInstruction({ stake: part.address, stakeAuthority: alice }), [SYSVAR_CLOCK]),
  ]);
  const voted = await send([vote(voteAccount.address, validator, node.chain.tip)], { payer: validator });
  node.chain.advanceEpoch();
  const withdrawStake = await send([
    stake.getWithdrawInstruction({
      stake: part.address,
      recipient: bob.address,
      withdrawAuthority: alice,
      args: STAKE_AMOUNTS.withdrawn,
    }),
  ]);
  return {
    addresses: {
      validator: validator.address,
      vote: voteAccount.address,
      stake: stakeAccount.address,
      splitStake: part.address,
    },
    delegationEpoch,
    rewardSlot,
    signatures: { createVote, createStake, delegateStake, splitStake, deactivateStake, vote: voted, withdrawStake },
  };
}
