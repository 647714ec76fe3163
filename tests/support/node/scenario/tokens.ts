/** The Token program: the life of a mint, delegates, frozen accounts, wrapped SOL, multisigs, failures, an NFT. */
import { type Address, address, getAddressEncoder, getProgramDerivedAddress, lamports } from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { NATIVE_MINT } from "../account.ts";
import { METADATA_PROGRAM, masterEditionAccount, metadataAccount } from "./metadata.ts";
import { SOL } from "./sol.ts";
import type { Story } from "./story.ts";

/** The amounts in base units. */
export const TOKEN_AMOUNTS = {
  decimals: 6,
  minted: 1_000_000_000_000n,
  transferred: 250_500_000n,
  transferredChecked: 100_000_000n,
  burned: 50_000_000n,
  approved: 500_000_000n,
  delegated: 123_456_789n,
  nested: 5_000_000n,
  wrapped: 2n * SOL,
  wrappedTransferred: 500_000_000n,
  bySigners: 42_000_000n,
  /** Above 2^63. */
  hugeSupply: 18_000_000_000_000_000_001n,
  hugeTransferred: 9_500_000_000_000_000_000n,
} as const;

/** Plays the chapter. */
export async function playTokens(story: Story) {
  const { alice, bob, carol, dave, send, sendFailing, node } = story;
  const { decimals } = TOKEN_AMOUNTS;

  const createMint = async (name: string, units: number, freezeAuthority: Address | null = alice.address) => {
    const mint = await story.signer(name);
    const signature = await send([
      getCreateAccountInstruction({
        payer: alice,
        newAccount: mint,
        lamports: story.rent(token.getMintSize()),
        space: token.getMintSize(),
        programAddress: TOKEN_PROGRAM_ADDRESS,
      }),
      token.getInitializeMint2Instruction({
        mint: mint.address,
        decimals: units,
        mintAuthority: alice.address,
        freezeAuthority,
      }),
    ]);
    return { mint: mint.address, signature };
  };
  const accountOf = async (owner: Address, mint: Address) =>
    (await token.findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];
  const createAccount = async (owner: Address, mint: Address) => {
    const signature = await send([await token.getCreateAssociatedTokenInstructionAsync({ payer: alice, owner, mint })]);
    return { account: await accountOf(owner, mint), signature };
  };
  const mintTo = (mint: Address, account: Address, amount: bigint) =>
    send([token.getMintToInstruction({ mint, token: account, mintAuthority: alice, amount })]);

  const usd = await createMint("mint", decimals);
  const { mint } = usd;
  const aliceToken = await createAccount(alice.address, mint);
  const bobToken = await createAccount(bob.address, mint);
  const carolToken = { account: await accountOf(carol.address, mint) };
  const createIdempotent = await send([
    await token.getCreateAssociatedTokenIdempotentInstructionAsync({ payer: alice, owner: carol.address, mint }),
  ]);
  node.chain.setAccount(
    await metadataAccount({
      mint,
      updateAuthority: alice.address,
      name: "Scenario Dollar",
      symbol: "SCUSD",
      uri: "https://example.com/scusd.json",
      sellerFeeBasisPoints: 0,
      creators: [],
      isFungible: true,
    }),
  );
  const minted = await mintTo(mint, aliceToken.account, TOKEN_AMOUNTS.minted);
  const tokenTransfer = await send([
    token.getTransferInstruction({
      source: aliceToken.account,
      destination: bobToken.account,
      authority: alice,
      amount: TOKEN_AMOUNTS.transferred,
    }),
  ]);
  const tokenTransferChecked = await send(
    [
      token.getTransferCheckedInstruction({
        source: bobToken.account,
        mint,
        destination: carolToken.account,
        authority: bob,
        amount: TOKEN_AMOUNTS.transferredChecked,
        decimals,
      }),
    ],
    { payer: bob },
  );
  const burn = await send(
    [token.getBurnInstruction({ account: bobToken.account, mint, authority: bob, amount: TOKEN_AMOUNTS.burned })],
    { payer: bob },
  );
  const approve = await send([
    token.getApproveInstruction({
      source: aliceToken.account,
      delegate: dave.address,
      owner: alice,
      amount: TOKEN_AMOUNTS.approved,
    }),
  ]);
  const delegateTransfer = await send(
    [
      token.getTransferInstruction({
        source: aliceToken.account,
        destination: carolToken.account,
        authority: dave,
        amount: TOKEN_AMOUNTS.delegated,
      }),
    ],
    { payer: dave },
  );
  const fromCarol = token.getTransferInstruction({
    source: carolToken.account,
    destination: bobToken.account,
    authority: carol,
    amount: 1n,
  });
  const freeze = await send([token.getFreezeAccountInstruction({ account: carolToken.account, mint, owner: alice })]);
  const failedFrozenTransfer = await sendFailing([fromCarol], { payer: carol });
  const thaw = await send([token.getThawAccountInstruction({ account: carolToken.account, mint, owner: alice })]);
  const failedTokenTransfer = await sendFailing(
    [
      token.getTransferInstruction({
        source: bobToken.account,
        destination: carolToken.account,
        authority: bob,
        amount: TOKEN_AMOUNTS.minted,
      }),
    ],
    { payer: bob },
  );

  // A token account that is not the associated one, and that is closed again.
  const spare = await story.signer("spare token account");
  await send([
    getCreateAccountInstruction({
      payer: alice,
      newAccount: spare,
      lamports: story.rent(165),
      space: 165,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    token.getInitializeAccount3Instruction({ account: spare.address, mint, owner: alice.address }),
  ]);
  const closeAccount = await send([
    token.getCloseAccountInstruction({ account: spare.address, destination: bob.address, owner: alice }),
  ]);

  // Tokens that were sent to the associated account of a token account: the program returns them by inner transfers.
  const nested = await createAccount(aliceToken.account, mint);
  await send([
    token.getTransferInstruction({
      source: aliceToken.account,
      destination: nested.account,
      authority: alice,
      amount: TOKEN_AMOUNTS.nested,
    }),
  ]);
  const innerTransfer = await send([
    await token.getRecoverNestedAssociatedTokenInstructionAsync({
      walletAddress: alice,
      ownerTokenMintAddress: mint,
      nestedTokenMintAddress: mint,
    }),
  ]);

  const wrapped = await accountOf(alice.address, NATIVE_MINT);
  const bobWrapped = await createAccount(bob.address, NATIVE_MINT);
  const wrapSol = await send([
    await token.getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: alice,
      owner: alice.address,
      mint: NATIVE_MINT,
    }),
    getTransferSolInstruction({ source: alice, destination: wrapped, amount: lamports(TOKEN_AMOUNTS.wrapped) }),
    token.getSyncNativeInstruction({ account: wrapped }),
  ]);
  const wrappedTransfer = await send([
    token.getTransferInstruction({
      source: wrapped,
      destination: bobWrapped.account,
      authority: alice,
      amount: TOKEN_AMOUNTS.wrappedTransferred,
    }),
  ]);
  const unwrapSol = await send([
    token.getCloseAccountInstruction({ account: wrapped, destination: alice.address, owner: alice }),
  ]);

  const multisig = await story.signer("multisig");
  await send([
    getCreateAccountInstruction({
      payer: alice,
      newAccount: multisig,
      lamports: story.rent(token.getMultisigSize()),
      space: token.getMultisigSize(),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    token.getInitializeMultisig2Instruction({
      multisig: multisig.address,
      m: 2,
      signers: [alice.address, bob.address, carol.address],
    }),
  ]);
  const multisigToken = await createAccount(multisig.address, mint);
  await mintTo(mint, multisigToken.account, TOKEN_AMOUNTS.bySigners * 2n);
  const multisigTransfer = await send([
    token.getTransferInstruction({
      source: multisigToken.account,
      destination: bobToken.account,
      authority: multisig.address,
      amount: TOKEN_AMOUNTS.bySigners,
      multiSigners: [alice, bob],
    }),
  ]);

  const huge = await createMint("huge mint", 0, null);
  const aliceHuge = await createAccount(alice.address, huge.mint);
  const bobHuge = await createAccount(bob.address, huge.mint);
  const hugeMinted = await mintTo(huge.mint, aliceHuge.account, TOKEN_AMOUNTS.hugeSupply);
  const hugeTransfer = await send([
    token.getTransferCheckedInstruction({
      source: aliceHuge.account,
      mint: huge.mint,
      destination: bobHuge.account,
      authority: alice,
      amount: TOKEN_AMOUNTS.hugeTransferred,
      decimals: 0,
    }),
  ]);
  const setAuthority = await send([
    token.getSetAuthorityInstruction({
      owned: huge.mint,
      owner: alice,
      authorityType: token.AuthorityType.MintTokens,
      newAuthority: null,
    }),
  ]);

  const nft = await createMint("nft", 0);
  const aliceNft = await createAccount(alice.address, nft.mint);
  const mintNft = await mintTo(nft.mint, aliceNft.account, 1n);
  const [edition] = await getProgramDerivedAddress({
    programAddress: METADATA_PROGRAM,
    seeds: ["metadata", getAddressEncoder().encode(METADATA_PROGRAM), getAddressEncoder().encode(nft.mint), "edition"],
  });
  await send([
    token.getSetAuthorityInstruction({
      owned: nft.mint,
      owner: alice,
      authorityType: token.AuthorityType.MintTokens,
      newAuthority: edition,
    }),
  ]);
  const collection = address("Co11ection111111111111111111111111111111111");
  const metadata = await metadataAccount({
    mint: nft.mint,
    updateAuthority: alice.address,
    name: "Scenario #1",
    symbol: "SCN",
    uri: "https://example.com/1.json",
    sellerFeeBasisPoints: 500,
    creators: [{ address: alice.address, verified: true, share: 100 }],
    collection: { key: collection, verified: true },
    isFungible: false,
  });
  node.chain.setAccount(metadata);
  node.chain.setAccount(masterEditionAccount(edition));

  return {
    addresses: {
      mint,
      aliceToken: aliceToken.account,
      bobToken: bobToken.account,
      carolToken: carolToken.account,
      multisig: multisig.address,
      multisigToken: multisigToken.account,
      closedToken: spare.address,
      bobWrapped: bobWrapped.account,
      hugeMint: huge.mint,
      aliceHuge: aliceHuge.account,
      bobHuge: bobHuge.account,
      nft: nft.mint,
      aliceNft: aliceNft.account,
      nftMetadata: metadata.address,
      nftEdition: edition,
      collection,
    },
    signatures: {
      createMint: usd.signature,
      createTokenAccount: aliceToken.signature,
      createIdempotent,
      mintTo: minted,
      tokenTransfer,
      tokenTransferChecked,
      burn,
      approve,
      delegateTransfer,
      freeze,
      failedFrozenTransfer,
      thaw,
      failedTokenTransfer,
      closeAccount,
      innerTransfer,
      wrapSol,
      wrappedTransfer,
      unwrapSol,
      multisigTransfer,
      hugeMinted,
      hugeTransfer,
      setAuthority,
      mintNft,
    },
  };
}
