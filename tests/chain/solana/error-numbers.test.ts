/**
 * Errors whose numbers no client publishes: what the programs themselves return, executed. The numbers between them
 * follow: each list has one text for each number. Not provoked are those of Token-2022 about confidential transfers and
 * wrong accounts (20 to 27, 29, 33, 38 to 40, 48 to 50, 52 to 65, 68) and calls (41 to 47), and those of the vote program
 * about forks and long histories (4, 6 to 9, 12 to 18) and commissions (19, which programs no longer return).
 */
import {
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import * as token from "@solana-program/token-2022";
import { beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json } from "../../../src/base/index.ts";
import { customErrorMeaning, failedInstruction } from "../../../src/chain/solana/index.ts";
import type { Block } from "../../support/node/chain.ts";
import { VOTE_PROGRAM } from "../../support/node/parse-vote.ts";
import { initializeVote, VOTE_SIZE, vote } from "../../support/node/scenario/stake.ts";
import { type Story, startStory } from "../../support/node/scenario/story.ts";
import { useTestNode } from "../../support/node/use-test-node.ts";

const TOKEN_2022 = token.TOKEN_2022_PROGRAM_ADDRESS;
const SYSTEM = address("11111111111111111111111111111111");
const node = useTestNode();
let story: Story;
beforeAll(async () => {
  story = await startStory(node);
  for (const { address } of [story.alice, story.bob]) await node.airdrop(address, 1_000_000_000_000n);
});

const DECIMALS = 2;

/** Returns the instructions that create a mint with extensions. */
async function mintWith(...list: readonly token.ExtensionArgs[]) {
  const { alice } = story;
  const mint = await generateKeyPairSigner();
  const space = token.getMintSize(list.length > 0 ? [...list] : undefined);
  const create = [
    getCreateAccountInstruction({
      ...{ payer: alice, newAccount: mint, lamports: story.rent(space), space, programAddress: TOKEN_2022 },
    }),
    ...token.getPreInitializeInstructionsForMintExtensions(mint.address, [...list]),
    token.getInitializeMint2Instruction({ mint: mint.address, decimals: DECIMALS, mintAuthority: alice.address }),
  ];
  return { mint: mint.address, create };
}

const fee = (transferFeeBasisPoints: number) => ({ epoch: 0n, maximumFee: 1_000_000n, transferFeeBasisPoints });
const feeConfig = (basisPoints: number, authority: Address): token.ExtensionArgs => ({
  __kind: "TransferFeeConfig",
  ...{ transferFeeConfigAuthority: authority, withdrawWithheldAuthority: authority, withheldAmount: 0n },
  ...{ olderTransferFee: fee(basisPoints), newerTransferFee: fee(basisPoints) },
});

const multipliers = (multiplier: number) => ({
  ...{ multiplier, newMultiplierEffectiveTimestamp: 0n, newMultiplier: multiplier },
});

/** Creates a mint, an associated account of alice with tokens, and one of bob. */
async function holdings(...list: readonly token.ExtensionArgs[]) {
  const { alice, bob, send } = story;
  const { mint, create } = await mintWith(...list);
  await send(create);
  const accounts = [];
  for (const owner of [alice.address, bob.address]) {
    const seeds = { owner, mint, tokenProgram: TOKEN_2022 };
    await send([await token.getCreateAssociatedTokenInstructionAsync({ payer: alice, ...seeds })]);
    accounts.push((await token.findAssociatedTokenPda(seeds))[0]);
  }
  const [source, destination] = accounts as [Address, Address];
  await send([token.getMintToInstruction({ mint, token: source, mintAuthority: alice, amount: 1_000_000n })]);
  return { mint, source, destination };
}

type Case = readonly [number: number, text: string, instructions: () => Promise<readonly Instruction[]>];

const TOKEN_CASES: readonly Case[] = [
  [
    28,
    "the mint has a supply",
    async () => {
      const { alice } = story;
      const { mint } = await holdings({ __kind: "MintCloseAuthority", closeAuthority: alice.address });
      return [token.getCloseAccountInstruction({ account: mint, destination: alice.address, owner: alice })];
    },
  ],
  [
    30,
    "the transfer fee exceeds 10,000 basis points",
    async () => (await mintWith(feeConfig(10_001, story.alice.address))).create,
  ],
  [
    31,
    "the mint is required: use transferChecked",
    async () => {
      const { source, destination } = await holdings(feeConfig(100, story.alice.address));
      return [token.getTransferInstruction({ source, destination, authority: story.alice, amount: 10n })];
    },
  ],
  [
    32,
    "the fee does not match the expected fee",
    async () => {
      const { mint, source, destination } = await holdings(feeConfig(100, story.alice.address));
      const transfer = {
        source,
        mint,
        destination,
        authority: story.alice,
        amount: 1000n,
        decimals: DECIMALS,
        fee: 1n,
      };
      return [token.getTransferCheckedWithFeeInstruction(transfer)];
    },
  ],
  [
    34,
    "the owner of the account cannot be changed",
    async () => {
      const { source } = await holdings();
      const authorityType = token.AuthorityType.AccountOwner;
      const newAuthority = story.bob.address;
      return [token.getSetAuthorityInstruction({ owned: source, owner: story.alice, authorityType, newAuthority })];
    },
  ],
  [
    35,
    "the account has withheld transfer fees",
    async () => {
      const { alice, bob, send } = story;
      const { mint, source, destination } = await holdings(feeConfig(100, alice.address));
      const amounts = { mint, amount: 1000n, decimals: DECIMALS };
      await send([token.getTransferCheckedInstruction({ source, destination, authority: alice, ...amounts })]);
      return [
        token.getBurnInstruction({ account: destination, mint, authority: bob, amount: 990n }),
        token.getCloseAccountInstruction({ account: destination, destination: bob.address, owner: bob }),
      ];
    },
  ],
  [
    36,
    "no memo in the previous instruction, which the recipient requires",
    async () => {
      const { alice, bob, send } = story;
      const { mint, source, destination } = await holdings();
      const newExtensionTypes = [token.ExtensionType.MemoTransfer];
      await send([
        token.getReallocateInstruction({ token: destination, payer: alice, owner: bob, newExtensionTypes }),
        token.getEnableMemoTransfersInstruction({ token: destination, owner: bob }),
      ]);
      const transfer = { source, mint, destination, authority: alice, amount: 10n, decimals: DECIMALS };
      return [token.getTransferCheckedInstruction(transfer)];
    },
  ],
  [
    37,
    "the token cannot be transferred",
    async () => {
      const { mint, source, destination } = await holdings({ __kind: "NonTransferable" });
      const transfer = { source, mint, destination, authority: story.alice, amount: 10n, decimals: DECIMALS };
      return [token.getTransferCheckedInstruction(transfer)];
    },
  ],
  [
    51,
    "the extensions cannot be combined",
    async () => {
      const rate = { initializationTimestamp: 0n, preUpdateAverageRate: 0, lastUpdateTimestamp: 0n, currentRate: 1 };
      const authority = story.alice.address;
      const interest = { __kind: "InterestBearingConfig", rateAuthority: authority, ...rate } as const;
      return (await mintWith(interest, { __kind: "ScaledUiAmountConfig", authority, ...multipliers(2) })).create;
    },
  ],
  [
    66,
    "the multiplier is invalid",
    async () => {
      const { alice, send } = story;
      const scaled = { __kind: "ScaledUiAmountConfig", authority: alice.address, ...multipliers(2) } as const;
      const { mint, create } = await mintWith(scaled);
      await send(create);
      const change = { mint, authority: alice, multiplier: 0, effectiveTimestamp: 0n };
      return [token.getUpdateMultiplierScaledUiMintInstruction(change)];
    },
  ],
  [
    67,
    "transfers, mints and burns of the token are paused",
    async () => {
      const { alice, send } = story;
      const pausable = { __kind: "PausableConfig", authority: alice.address, paused: false } as const;
      const { mint, source, destination } = await holdings(pausable);
      await send([token.getPauseInstruction({ mint, authority: alice })]);
      const transfer = { source, mint, destination, authority: alice, amount: 10n, decimals: DECIMALS };
      return [token.getTransferCheckedInstruction(transfer)];
    },
  ],
];

/** Returns the number that a program returned, and what it means. */
async function errorOf(program: string, instructions: readonly Instruction[]) {
  const { err } = node.chain.transaction(await story.sendFailing(instructions)) ?? {};
  const reason = failedInstruction(err as Json)?.reason;
  const number = isObject(reason) ? Number(reason.Custom) : undefined;
  return [number, number === undefined ? reason : customErrorMeaning(program, number, undefined)];
}

describe("errors of Token-2022 after those that its client has", () => {
  it.each(TOKEN_CASES)("%i: %s", async (number, text, instructions) => {
    expect(await errorOf(TOKEN_2022, await instructions())).toEqual([number, text]);
  });
});

/** Creates a vote account of a validator, which may vote and change everything. */
async function createVoteAccount() {
  const [validator, account] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  const space = VOTE_SIZE;
  await story.send([
    getCreateAccountInstruction({
      ...{ payer: story.alice, newAccount: account, lamports: story.rent(space), space, programAddress: VOTE_PROGRAM },
    }),
    initializeVote(account.address, validator, validator.address, 10),
  ]);
  return { validator, account: account.address };
}

/** Returns an instruction of the vote program that a validator signs, with the clock where the program takes it. */
const ofVote = (number: number, more: readonly number[], accounts: readonly Address[], signer: KeyPairSigner) => ({
  programAddress: VOTE_PROGRAM,
  accounts: [
    ...accounts.map((key) => ({ address: key, role: AccountRole.WRITABLE })),
    { address: signer.address, role: AccountRole.READONLY_SIGNER, signer } as never,
  ],
  data: Uint8Array.of(number, 0, 0, 0, ...more),
});

const CLOCK = address("SysvarC1ock11111111111111111111111111111111");
const voteFor = (change: (block: Block) => Partial<Parameters<typeof vote>[2]>) => async () => {
  const { validator, account } = await createVoteAccount();
  return [vote(account, validator, { ...node.chain.tip, ...change(node.chain.tip) })];
};

const VOTE_CASES: readonly Case[] = [
  [
    0,
    "the vote is too old",
    async () => {
      const { validator, account } = await createVoteAccount();
      const { tip } = node.chain;
      await story.send([vote(account, validator, tip)]);
      return [vote(account, validator, tip)];
    },
  ],
  [1, "the slots do not match", voteFor(({ slot }) => ({ slot: slot + 1000 }))],
  [2, "the slot hashes do not match", voteFor(() => ({ blockhash: SYSTEM }))],
  [
    3,
    "the vote has no slots",
    async () => {
      const { validator, account } = await createVoteAccount();
      return [vote(account, validator, node.chain.tip, true)];
    },
  ],
  [
    5,
    "the authority was changed too recently",
    async () => {
      const { validator, account } = await createVoteAccount();
      const next = await generateKeyPairSigner();
      const change = ({ address: key }: KeyPairSigner) =>
        ofVote(1, [...getAddressEncoder().encode(key), 0, 0, 0, 0], [account, CLOCK], validator);
      await story.send([change(next)]);
      return [change(validator)];
    },
  ],
  [10, "a slot has no confirmations", voteFor(() => ({ confirmations: 0 }))],
  [11, "a slot has too many confirmations", voteFor(() => ({ confirmations: 32 }))],
];

describe("errors of the vote program, which has no client", () => {
  it.each(VOTE_CASES)("%i: %s", async (number, text, instructions) => {
    expect(await errorOf(VOTE_PROGRAM, await instructions())).toEqual([number, text]);
  });
});
