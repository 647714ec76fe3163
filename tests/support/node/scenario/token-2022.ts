/** Token-2022: metadata, transfer fees, interest, scaled amounts, frozen by default. */
import type { Address } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import * as token from "@solana-program/token-2022";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@solana-program/token-2022";
import type { Story } from "./story.ts";

/** The amounts in base units. */
export const TOKEN_2022_AMOUNTS = {
  decimals: 9,
  minted: 5_000_000_000_000n,
  transferred: 1_000_000_000n,
  /** 2.5 % of the transfer. */
  fee: 25_000_000n,
  feeBasisPoints: 250,
  maximumFee: 10_000_000_000_000_000_000n,
  interestMinted: 1_000_000_000n,
  /** Hundredths of a percent in a year. */
  interestRate: 500,
  scaledMinted: 1_000_000n,
  multiplier: 2.5,
} as const;

/** Plays the chapter. */
export async function playToken2022(story: Story) {
  const { alice, bob, send, node } = story;
  const { decimals } = TOKEN_2022_AMOUNTS;

  const createMint = async (name: string, units: number, extensions: (mint: Address) => token.ExtensionArgs[]) => {
    const mint = await story.signer(name);
    const list = extensions(mint.address);
    // Metadata is written after the mint is initialised: the account grows, and has to have the lamports before.
    const size = token.getMintSize(list.filter(({ __kind }) => __kind !== "TokenMetadata"));
    const signature = await send([
      getCreateAccountInstruction({
        payer: alice,
        newAccount: mint,
        lamports: story.rent(token.getMintSize(list)),
        space: size,
        programAddress: TOKEN_2022_PROGRAM_ADDRESS,
      }),
      ...token.getPreInitializeInstructionsForMintExtensions(mint.address, list),
      token.getInitializeMint2Instruction({
        mint: mint.address,
        decimals: units,
        mintAuthority: alice.address,
        freezeAuthority: alice.address,
      }),
      ...token.getPostInitializeInstructionsForMintExtensions(mint.address, alice, list),
    ]);
    return { mint: mint.address, signature };
  };
  const createAccount = async (owner: Address, mint: Address) => {
    await send([
      await token.getCreateAssociatedTokenInstructionAsync({
        payer: alice,
        owner,
        mint,
        tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
      }),
    ]);
    const [account] = await token.findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS });
    return account;
  };
  const mintTo = (mint: Address, account: Address, amount: bigint) =>
    send([token.getMintToInstruction({ mint, token: account, mintAuthority: alice, amount })]);

  const fee = {
    epoch: 0n,
    maximumFee: TOKEN_2022_AMOUNTS.maximumFee,
    transferFeeBasisPoints: TOKEN_2022_AMOUNTS.feeBasisPoints,
  };
  const { mint: feeMint, signature: createFeeMint } = await createMint("fee mint", decimals, (mint) => [
    {
      __kind: "TransferFeeConfig",
      transferFeeConfigAuthority: alice.address,
      withdrawWithheldAuthority: alice.address,
      withheldAmount: 0n,
      olderTransferFee: fee,
      newerTransferFee: fee,
    },
    { __kind: "MintCloseAuthority", closeAuthority: alice.address },
    { __kind: "PermanentDelegate", delegate: alice.address },
    { __kind: "MetadataPointer", authority: alice.address, metadataAddress: mint },
    {
      __kind: "TokenMetadata",
      updateAuthority: alice.address,
      mint,
      name: "Scenario Fee Token",
      symbol: "SCFEE",
      uri: "https://example.com/scfee.json",
      additionalMetadata: new Map([["website", "https://example.com"]]),
    },
  ]);
  const aliceFee = await createAccount(alice.address, feeMint);
  const bobFee = await createAccount(bob.address, feeMint);
  const mintFeeToken = await mintTo(feeMint, aliceFee, TOKEN_2022_AMOUNTS.minted);
  const transferWithFee = await send([
    token.getTransferCheckedWithFeeInstruction({
      source: aliceFee,
      mint: feeMint,
      destination: bobFee,
      authority: alice,
      amount: TOKEN_2022_AMOUNTS.transferred,
      decimals,
      fee: TOKEN_2022_AMOUNTS.fee,
    }),
  ]);
  // A plain checked transfer withholds the fee, too.
  const transferChecked2022 = await send(
    [
      token.getTransferCheckedInstruction({
        source: bobFee,
        mint: feeMint,
        destination: aliceFee,
        authority: bob,
        amount: 400_000_000n,
        decimals,
      }),
    ],
    { payer: bob },
  );
  const harvestFees = await send([
    token.getHarvestWithheldTokensToMintInstruction({ mint: feeMint, sources: [bobFee] }),
  ]);
  const withdrawFees = await send([
    token.getWithdrawWithheldTokensFromMintInstruction({
      mint: feeMint,
      feeReceiver: aliceFee,
      withdrawWithheldAuthority: alice,
    }),
  ]);
  const { time } = node.chain.tip;
  const { mint: interestMint } = await createMint("interest mint", 6, () => [
    {
      __kind: "InterestBearingConfig",
      rateAuthority: alice.address,
      initializationTimestamp: time,
      preUpdateAverageRate: TOKEN_2022_AMOUNTS.interestRate,
      lastUpdateTimestamp: time,
      currentRate: TOKEN_2022_AMOUNTS.interestRate,
    },
  ]);
  const aliceInterest = await createAccount(alice.address, interestMint);
  await mintTo(interestMint, aliceInterest, TOKEN_2022_AMOUNTS.interestMinted);

  const { mint: scaledMint } = await createMint("scaled mint", 3, () => [
    {
      __kind: "ScaledUiAmountConfig",
      authority: alice.address,
      multiplier: TOKEN_2022_AMOUNTS.multiplier,
      newMultiplierEffectiveTimestamp: 0n,
      newMultiplier: TOKEN_2022_AMOUNTS.multiplier,
    },
  ]);
  const aliceScaled = await createAccount(alice.address, scaledMint);
  await mintTo(scaledMint, aliceScaled, TOKEN_2022_AMOUNTS.scaledMinted);

  const { mint: frozenMint } = await createMint("frozen mint", 0, () => [
    { __kind: "DefaultAccountState", state: token.AccountState.Frozen },
    { __kind: "NonTransferable" },
  ]);
  const bobFrozen = await createAccount(bob.address, frozenMint);

  return {
    addresses: {
      feeMint,
      aliceFee,
      bobFee,
      interestMint,
      aliceInterest,
      scaledMint,
      aliceScaled,
      frozenMint,
      bobFrozen,
    },
    signatures: { createFeeMint, mintFeeToken, transferWithFee, transferChecked2022, harvestFees, withdrawFees },
  };
}
