/** Parsed instructions: the programs' own clients encode them, and every client instruction is known. */
import { type Address, address, createNoopSigner, type Instruction } from "@solana/kit";
import * as lookupTable from "@solana-program/address-lookup-table";
import * as computeBudget from "@solana-program/compute-budget";
import * as loader from "@solana-program/loader-v3";
import { getAddMemoInstruction } from "@solana-program/memo";
import * as stake from "@solana-program/stake";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringifyJson } from "../../../src/base/index.ts";
import { encodeBase58, loadParsers, PROGRAM, SYSVAR } from "../../../src/chain/solana/index.ts";

const { parseInstruction } = await loadParsers();

/** An address that depends on a number. */
const key = (number: number): Address => address(encodeBase58(new Uint8Array(32).fill(number)));
const signer = (number: number) => createNoopSigner(key(number));
const [A, B, C, D, E] = [key(1), key(2), key(3), key(4), key(5)];

const parse = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction) =>
  parseInstruction(
    programAddress,
    accounts.map((account) => account?.address ?? A),
    new Uint8Array(data),
  );

const CLIENTS = { system, token, "token-2022": token2022, stake, "compute-budget": computeBudget, loader, lookupTable };

/** Values for all arguments of all instructions, by their name. */
const ARGUMENTS = {
  ...{ amount: 5n, additionalFee: 1, base: A, bump: 1, bumpSeed: 1, bytes: 8, custodian: A, decimals: 2 },
  ...{
    delegate: A,
    epoch: 3n,
    expectedPendingBalanceCreditCounter: 1n,
    fee: 1n,
    field: token2022.tokenMetadataField("Name"),
  },
  ...{ lamports: 7n, m: 1, maxDataLen: 9n, maxSize: 4n, maximumFee: 5n, mintAuthority: A, multiplier: 1.5, name: "N" },
  ...{ newAuthority: A, newRate: 3, offset: 0, owner: A, programId: A, rate: 4, recentSlot: 5n, seed: "s", space: 8n },
  ...{
    arg0: A,
    arg1: { __kind: 0 },
    additionalBytes: 5,
    units: 5,
    microLamports: 5n,
    accountDataSizeLimit: 4,
    symbol: "S",
  },
  ...{
    uri: "u",
    value: "v",
    key: "k",
    idempotent: true,
    start: 1n,
    end: 2n,
    accountState: 1,
    state: 1,
    authorityType: 0,
  },
  ...{ stakeAuthorize: 0, authoritySeed: "s", authorityOwner: A, newAuthorizedPubkey: A, unixTimestamp: 1n },
  ...{ freezeAuthority: A, closeAuthority: A, authority: A, rateAuthority: A, metadataAddress: A, groupAddress: A },
  ...{ memberAddress: A, transferHookProgramId: A, transferFeeConfigAuthority: A, withdrawWithheldAuthority: A },
  ...{ transferFeeBasisPoints: 5, effectiveTimestamp: 1n, uiAmount: "1.5", extensionTypes: [], newExtensionTypes: [] },
  ...{
    numTokenAccounts: 0,
    sources: [],
    newAuthorizedWithdrawer: A,
    args: [],
    fromSeed: "s",
    fromOwner: A,
    addresses: [A],
  },
  ...{
    authorizedStaker: A,
    withdrawAmount: 5n,
    newNonceAuthority: A,
    nonceAuthority: A,
    updateAuthority: A,
    newUpdateAuthority: A,
  },
  ...{ autoApproveNewAccounts: true, auditorElgamalPubkey: A, authorized: { staker: A, withdrawer: A }, staker: A },
  ...{
    lockup: { unixTimestamp: 1n, epoch: 2n, custodian: A },
    newAuthorized: A,
    withdrawer: A,
    signers: [A],
    payerAccount: A,
  },
};

describe("every instruction of a client", () => {
  const builders = Object.entries(CLIENTS).flatMap(([client, members]) =>
    Object.entries(members as Record<string, unknown>)
      .filter(([name, member]) => /^get[A-Z]\w+Instruction$/.test(name) && typeof member === "function")
      .map(([name, build]) => [`${client} ${name}`, build as (input: unknown) => Instruction] as const),
  );

  test("can be parsed", () => {
    const built = builders.flatMap(([name, build]) => {
      try {
        return [[name, build(ARGUMENTS)] as const];
      } catch {
        // Instructions with proofs need arguments of a fixed size.
        return [];
      }
    });
    expect(built.length).toBeGreaterThan(130);
    const unknown = built.filter(([, { accounts = [], ...instruction }]) => {
      // Clients omit optional accounts.
      const padding = Array.from({ length: 8 }, () => ({ address: B, role: 0 }));
      return parse({ ...instruction, accounts: [...accounts, ...padding] }) === undefined;
    });
    expect(unknown.map(([name]) => name)).toEqual([]);
  });
});

/** What nodes write for an amount of 5 with two decimals. */
const FIVE = { amount: "5", decimals: 2, uiAmount: 0.05, uiAmountString: "0.05" };

test.each<[string, Instruction, object]>([
  [
    "system:createAccount",
    system.getCreateAccountInstruction({
      payer: signer(1),
      newAccount: signer(2),
      lamports: 5n,
      space: 165,
      programAddress: C,
    }),
    { lamports: 5, newAccount: B, owner: C, source: A, space: 165 },
  ],
  [
    "system:transfer",
    system.getTransferSolInstruction({ source: signer(1), destination: B, amount: 5n }),
    { destination: B, lamports: 5, source: A },
  ],
  [
    "system:createAccountWithSeed",
    system.getCreateAccountWithSeedInstruction({
      payer: signer(1),
      newAccount: B,
      base: C,
      baseAccount: signer(3),
      seed: "köy",
      amount: 9n,
      space: 1n,
      programAddress: D,
    }),
    { base: C, lamports: 9, newAccount: B, owner: D, seed: "köy", source: A, space: 1 },
  ],
  [
    "system:advanceNonce",
    system.getAdvanceNonceAccountInstruction({ nonceAccount: A, nonceAuthority: signer(2) }),
    { nonceAccount: A, nonceAuthority: B, recentBlockhashesSysvar: SYSVAR.recentBlockhashes },
  ],
  [
    "system:transferWithSeed",
    system.getTransferSolWithSeedInstruction({
      source: A,
      baseAccount: signer(2),
      destination: C,
      amount: 5n,
      fromSeed: "s",
      fromOwner: D,
    }),
    { destination: C, lamports: 5, source: A, sourceBase: B, sourceOwner: D, sourceSeed: "s" },
  ],
  [
    "system:allocateWithSeed",
    system.getAllocateWithSeedInstruction({
      newAccount: A,
      baseAccount: signer(2),
      base: B,
      seed: "s",
      space: 5n,
      programAddress: C,
    }),
    { account: A, base: B, owner: C, seed: "s", space: 5 },
  ],
  [
    "spl-token:transfer",
    token.getTransferInstruction({ source: A, destination: B, authority: C, amount: 5n }),
    { amount: "5", authority: C, destination: B, source: A },
  ],
  [
    "spl-token:transfer",
    token.getTransferInstruction({
      source: A,
      destination: B,
      authority: C,
      amount: 5n,
      multiSigners: [signer(4), signer(5)],
    }),
    { amount: "5", destination: B, multisigAuthority: C, signers: [D, E], source: A },
  ],
  [
    "spl-token:transferChecked",
    token.getTransferCheckedInstruction({ source: A, mint: B, destination: C, authority: D, amount: 5n, decimals: 2 }),
    { authority: D, destination: C, mint: B, source: A, tokenAmount: FIVE },
  ],
  [
    "spl-token:initializeMint2",
    token.getInitializeMint2Instruction({ mint: A, decimals: 6, mintAuthority: B, freezeAuthority: null }),
    { decimals: 6, mint: A, mintAuthority: B },
  ],
  [
    "spl-token:setAuthority",
    token.getSetAuthorityInstruction({
      owned: A,
      owner: B,
      authorityType: token.AuthorityType.AccountOwner,
      newAuthority: null,
    }),
    { account: A, authority: B, authorityType: "accountOwner", newAuthority: null },
  ],
  [
    "spl-token:setAuthority",
    token.getSetAuthorityInstruction({
      owned: A,
      owner: B,
      authorityType: token.AuthorityType.MintTokens,
      newAuthority: C,
    }),
    { authority: B, authorityType: "mintTokens", mint: A, newAuthority: C },
  ],
  [
    "spl-token:burnChecked",
    token.getBurnCheckedInstruction({ account: A, mint: B, authority: C, amount: 5n, decimals: 2 }),
    { account: A, authority: C, mint: B, tokenAmount: FIVE },
  ],
  [
    "spl-token:initializeMultisig2",
    token.getInitializeMultisig2Instruction({ multisig: A, m: 2, signers: [B, C] }),
    { m: 2, multisig: A, signers: [B, C] },
  ],
  [
    "spl-token:transferCheckedWithFee",
    token2022.getTransferCheckedWithFeeInstruction({
      source: A,
      mint: B,
      destination: C,
      authority: D,
      amount: 5n,
      decimals: 2,
      fee: 5n,
    }),
    { authority: D, destination: C, feeAmount: FIVE, mint: B, source: A, tokenAmount: FIVE },
  ],
  [
    "spl-token:withdrawWithheldTokensFromAccounts",
    token2022.getWithdrawWithheldTokensFromAccountsInstruction({
      mint: A,
      feeReceiver: B,
      withdrawWithheldAuthority: C,
      multiSigners: [signer(4)],
      numTokenAccounts: 1,
      sources: [E],
    }),
    { feeRecipient: B, mint: A, multisigWithdrawWithheldAuthority: C, signers: [D], sourceAccounts: [E] },
  ],
  [
    "spl-token:initializeTransferFeeConfig",
    token2022.getInitializeTransferFeeConfigInstruction({
      mint: A,
      transferFeeConfigAuthority: B,
      withdrawWithheldAuthority: null,
      transferFeeBasisPoints: 50,
      maximumFee: 7n,
    }),
    { maximumFee: 7, mint: A, transferFeeBasisPoints: 50, transferFeeConfigAuthority: B },
  ],
  [
    "spl-token:initializeMetadataPointer",
    token2022.getInitializeMetadataPointerInstruction({ mint: A, authority: null, metadataAddress: A }),
    { metadataAddress: A, mint: A },
  ],
  [
    "spl-token:initializeTokenMetadata",
    token2022.getInitializeTokenMetadataInstruction({
      metadata: A,
      updateAuthority: B,
      mint: C,
      mintAuthority: signer(4),
      name: "Näme",
      symbol: "S",
      uri: "https://u",
    }),
    { metadata: A, mint: C, mintAuthority: D, name: "Näme", symbol: "S", updateAuthority: B, uri: "https://u" },
  ],
  [
    "spl-token:updateTokenMetadataField",
    token2022.getUpdateTokenMetadataFieldInstruction({
      metadata: A,
      updateAuthority: signer(2),
      field: token2022.tokenMetadataField("Key", ["colour"]),
      value: "red",
    }),
    { field: "colour", metadata: A, updateAuthority: B, value: "red" },
  ],
  [
    "spl-token:reallocate",
    token2022.getReallocateInstruction({
      token: A,
      payer: signer(2),
      owner: C,
      newExtensionTypes: [token2022.ExtensionType.MemoTransfer],
    }),
    { account: A, extensionTypes: ["memoTransfer"], owner: C, payer: B, systemProgram: PROGRAM.system },
  ],
  [
    "spl-token:updateInterestBearingConfigRate",
    token2022.getUpdateRateInterestBearingMintInstruction({ mint: A, rateAuthority: B, rate: -5 }),
    { mint: A, newRate: -5, rateAuthority: B },
  ],
  [
    "spl-token:updateMultiplier",
    token2022.getUpdateMultiplierScaledUiMintInstruction({
      mint: A,
      authority: B,
      multiplier: 1.5,
      effectiveTimestamp: 9n,
    }),
    { authority: B, mint: A, newMultiplier: "1.5", newMultiplierTimestamp: 9 },
  ],
  [
    "spl-associated-token-account:createIdempotent",
    token.getCreateAssociatedTokenIdempotentInstruction({ payer: signer(1), ata: B, owner: C, mint: D }),
    { account: B, mint: D, source: A, systemProgram: PROGRAM.system, tokenProgram: PROGRAM.token, wallet: C },
  ],
  [
    "stake:split",
    stake.getSplitInstruction({ stake: A, splitStake: B, stakeAuthority: signer(3), args: 5n }),
    { lamports: 5, newSplitAccount: B, stakeAccount: A, stakeAuthority: C },
  ],
  [
    "stake:setLockup",
    stake.getSetLockupInstruction({ stake: A, authority: signer(2), unixTimestamp: null, epoch: 9n, custodian: null }),
    { custodian: B, lockup: { epoch: 9 }, stakeAccount: A },
  ],
  [
    "ComputeBudget:setComputeUnitPrice",
    computeBudget.getSetComputeUnitPriceInstruction({ microLamports: 7n }),
    { microLamports: 7 },
  ],
  [
    "address-lookup-table:extendLookupTable",
    lookupTable.getExtendLookupTableInstruction({
      address: A,
      authority: signer(2),
      payer: signer(3),
      addresses: [D, E],
    }),
    {
      lookupTableAccount: A,
      lookupTableAuthority: B,
      newAddresses: [D, E],
      payerAccount: C,
      systemProgram: PROGRAM.system,
    },
  ],
  [
    "bpf-upgradeable-loader:setAuthority",
    loader.getSetAuthorityInstruction({ bufferOrProgramDataAccount: A, currentAuthority: signer(2), newAuthority: C }),
    { account: A, authority: B, newAuthority: C },
  ],
  [
    "bpf-upgradeable-loader:write",
    loader.getWriteInstruction({
      bufferAccount: A,
      bufferAuthority: signer(2),
      offset: 7,
      bytes: Uint8Array.of(1, 2, 3),
    }),
    { account: A, authority: B, bytes: "AQID", offset: 7 },
  ],
  ["spl-memo:memo", getAddMemoInstruction({ memo: "gruß" }), { memo: "gruß" }],
])("%s as a node writes it", (label, instruction, info) => {
  const parsed = parse(instruction);
  expect(`${parsed?.program}:${parsed?.type}`).toBe(label);
  expect(JSON.parse(JSON.stringify(parsed?.info))).toEqual(info);
});

test("an amount that a double cannot hold keeps its digits", () => {
  const parsed = parse(system.getTransferSolInstruction({ source: signer(1), destination: B, amount: 2n ** 64n - 1n }));
  expect(stringifyJson(parsed?.info ?? null)).toContain('"lamports":18446744073709551615');
});

test("a stake instruction with and without the sysvars that it no longer needs", () => {
  const data = Uint8Array.of(2, 0, 0, 0);
  const old = [A, B, SYSVAR.clock, SYSVAR.stakeHistory, SYSVAR.stakeConfig, C];
  expect(parseInstruction(PROGRAM.stake, old, data)?.info).toEqual({
    clockSysvar: SYSVAR.clock,
    stakeAccount: A,
    stakeAuthority: C,
    stakeConfigAccount: SYSVAR.stakeConfig,
    stakeHistorySysvar: SYSVAR.stakeHistory,
    voteAccount: B,
  });
  expect(parseInstruction(PROGRAM.stake, [A, B, C], data)?.info).toEqual({
    stakeAccount: A,
    voteAccount: B,
    stakeAuthority: C,
  });
});

test("a compact vote names the slots themselves", () => {
  const data = new Uint8Array([
    14,
    0,
    0,
    0,
    100,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    2,
    1,
    31,
    200,
    1,
    30,
    ...new Uint8Array(32),
    0,
    ...new Uint8Array(32),
  ]);
  const parsed = parseInstruction(PROGRAM.vote, [A, B], data);
  expect(parsed?.type).toBe("towersync");
  expect(parsed?.info.towerSync).toMatchObject({
    root: 100,
    lockouts: [
      { slot: 101, confirmation_count: 31 },
      { slot: 301, confirmation_count: 30 },
    ],
    timestamp: null,
  });
});

test("any data of any program is parsed or stays raw", () => {
  const programs = Object.values(PROGRAM);
  fc.assert(
    fc.property(
      fc.constantFrom(...programs),
      fc.integer({ min: 0, max: 8 }),
      fc.uint8Array({ maxLength: 120 }),
      (program, count, data) => {
        const parsed = parseInstruction(program, [A, B, C, D, E, A, B, C].slice(0, count), data);
        expect(JSON.stringify(parsed ?? null)).not.toContain("undefined");
        for (const value of Object.values(parsed?.info ?? {})) expect(value).not.toBe(undefined);
      },
    ),
    { numRuns: 2000 },
  );
});
