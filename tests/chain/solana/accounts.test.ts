/** Accounts: the programs' own clients encode them, in every encoding that nodes use. */
import { Buffer } from "node:buffer";
import { zstdCompressSync } from "node:zlib";
import { type Address, address, none, some } from "@solana/kit";
import { getAddressLookupTableEncoder } from "@solana-program/address-lookup-table";
import { getNonceEncoder, NonceState, NonceVersion } from "@solana-program/system";
import {
  AccountState,
  ExtensionType,
  extension,
  getExtensionDecoder,
  getMintEncoder,
  getMultisigEncoder,
  getTokenEncoder,
} from "@solana-program/token-2022";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, toNumeric } from "../../../src/base/index.ts";
import {
  decodeAccount,
  decodeBase58,
  decodeCoreAsset,
  decodeEdition,
  decodeMetadata,
  encodeBase58,
  PROGRAM,
  parseAccount,
  SYSVAR,
} from "../../../src/chain/solana/index.ts";
import { extensionName } from "../../support/node/parse-account.ts";

const key = (number: number): Address => address(encodeBase58(new Uint8Array(32).fill(number)));
const [A, B, C] = [key(1), key(2), key(3)];
const bytesOf = (data: ArrayLike<number>) => new Uint8Array(data);
const WRAPPED_SOL = address("So11111111111111111111111111111111111111112");

const account = (data: Json, owner: string = PROGRAM.token): Json => ({
  lamports: 2_039_280,
  owner,
  executable: false,
  rentEpoch: 18446744073709552000,
  data,
});

const MINT = bytesOf(
  getMintEncoder().encode({
    mintAuthority: some(A),
    supply: 2n ** 64n - 1n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: none(),
    extensions: none(),
  }),
);
const PARSED_MINT = {
  program: "spl-token",
  type: "mint",
  info: { decimals: 6, freezeAuthority: null, isInitialized: true, mintAuthority: A, supply: "18446744073709551615" },
};

describe("encodings", () => {
  const base64 = Buffer.from(MINT).toString("base64");
  const zstd = zstdCompressSync(MINT).toString("base64");

  test.each<[string, Json]>([
    ["base64", [base64, "base64"]],
    ["base64+zstd", [zstd, "base64+zstd"]],
    ["base58", [encodeBase58(MINT), "base58"]],
    ["none", encodeBase58(MINT)],
  ])("%s", (_, data) => {
    expect(decodeAccount(B, account(data))).toMatchObject({
      address: B,
      lamports: 2_039_280n,
      data: MINT,
      parsed: PARSED_MINT,
    });
  });

  test("jsonParsed, with a list", () => {
    const data = { program: "sysvar", parsed: { type: "slotHashes", info: [{ slot: 1, hash: A }] }, space: 20 };
    expect(decodeAccount(SYSVAR.slotHashes, account(data, SYSVAR.owner))).toMatchObject({
      space: 20,
      data: undefined,
      parsed: { program: "sysvar", type: "slotHashes", info: { entries: [{ slot: 1, hash: A }] } },
    });
  });

  test("data that the node refused to encode", () => {
    const decoded = decodeAccount(B, account("error: data too large for bs58 encoding"));
    expect(decoded).toMatchObject({ data: undefined, parsed: undefined });
  });

  test.each<[Json, string]>([
    [["AAAA", "base64+zstd"], "not compressed with Zstandard"],
    [["AAAA", "rot13"], "a known encoding"],
    [["%", "base64"], "not base64"],
    [["0", "base58"], "not base58"],
  ])("%j is malformed", (data, message) => {
    expect(() => decodeAccount(B, account(data))).toThrow(message);
  });

  test("a compressed answer cannot fill the memory", () => {
    const bomb = zstdCompressSync(new Uint8Array(64 * 2 ** 20)).toString("base64");
    expect(() => decodeAccount(B, account([bomb, "base64+zstd"]))).toThrow("account.data");
  });
});

describe("token accounts", () => {
  const token = (mint: Address, isNative: bigint | null = null) => {
    return bytesOf(
      getTokenEncoder().encode({
        ...{ mint, owner: A, amount: 1_500_000_000n, delegate: some(B), state: AccountState.Frozen },
        ...{ isNative, delegatedAmount: 7n, closeAuthority: none(), extensions: none() },
      }),
    );
  };

  test("without the decimals of the mint, an amount in base units", () => {
    expect(parseAccount(C, PROGRAM.token, token(C))).toEqual({
      program: "spl-token",
      type: "account",
      info: {
        amount: "1500000000",
        delegate: B,
        delegatedAmount: "7",
        isNative: false,
        mint: C,
        owner: A,
        state: "frozen",
      },
    });
  });

  test("wrapped SOL", () => {
    expect(parseAccount(C, PROGRAM.token, token(WRAPPED_SOL, 2_039_280n))?.info).toMatchObject({
      isNative: true,
      rentExemptReserve: { amount: "2039280", decimals: 9, uiAmountString: "0.00203928" },
      tokenAmount: { amount: "1500000000", decimals: 9, uiAmount: 1.5, uiAmountString: "1.5" },
    });
  });

  test("multisig accounts", () => {
    const signers = [A, B, ...Array.from({ length: 9 }, () => address(PROGRAM.system))];
    const data = bytesOf(getMultisigEncoder().encode({ m: 1, n: 2, isInitialized: true, signers }));
    expect(parseAccount(C, PROGRAM.token, data)).toMatchObject({
      type: "multisig",
      info: { numRequiredSigners: 1, numValidSigners: 2, signers: [A, B] },
    });
  });

  test("extensions of a mint", () => {
    const fee = { epoch: 1n, maximumFee: 2n ** 64n - 1n, transferFeeBasisPoints: 50 };
    const data = getMintEncoder().encode({
      ...{ mintAuthority: none(), supply: 1n, decimals: 0, isInitialized: true, freezeAuthority: none() },
      extensions: some([
        extension("TransferFeeConfig", {
          ...{ transferFeeConfigAuthority: A, withdrawWithheldAuthority: B, withheldAmount: 3n },
          ...{ olderTransferFee: fee, newerTransferFee: fee },
        }),
        extension("MetadataPointer", { authority: none(), metadataAddress: some(C) }),
        extension("InterestBearingConfig", {
          ...{ rateAuthority: A, initializationTimestamp: 1n, preUpdateAverageRate: -2 },
          ...{ lastUpdateTimestamp: 3n, currentRate: 4 },
        }),
        extension("ScaledUiAmountConfig", {
          ...{ authority: A, multiplier: 1.5, newMultiplierEffectiveTimestamp: 9n, newMultiplier: 2 },
        }),
        extension("PausableConfig", { authority: some(A), paused: true }),
        extension("TokenMetadata", {
          ...{ updateAuthority: some(A), mint: B, name: "Ünï", symbol: "U", uri: "https://u" },
          additionalMetadata: new Map([["a", "b"]]),
        }),
      ]),
    });
    const parsed = parseAccount(B, PROGRAM.token2022, bytesOf(data));
    expect(parsed?.program).toBe("spl-token-2022");
    expect(JSON.parse(JSON.stringify(parsed?.info.extensions))).toMatchObject([
      {
        extension: "transferFeeConfig",
        state: { withheldAmount: 3, newerTransferFee: { transferFeeBasisPoints: 50 } },
      },
      { extension: "metadataPointer", state: { authority: null, metadataAddress: C } },
      { extension: "interestBearingConfig", state: { preUpdateAverageRate: -2, currentRate: 4 } },
      { extension: "scaledUiAmountConfig", state: { multiplier: "1.5", newMultiplier: "2" } },
      { extension: "pausableConfig", state: { authority: A, paused: true } },
      { extension: "tokenMetadata", state: { name: "Ünï", symbol: "U", additionalMetadata: [["a", "b"]] } },
    ]);
  });
});

/** The numbers of extensions, as the program's client knows them. */
const EXTENSIONS = Object.values(ExtensionType).filter(
  (number) => typeof number === "number" && number > 0,
) as number[];

test.each(EXTENSIONS.map((number) => [ExtensionType[number] as string, number] as const))(
  "the extension %s is number %i",
  (name, number) => {
    // The client's decoder says how long a state may be: zeros are valid in every extension.
    const decoder = getExtensionDecoder();
    const states = Array.from({ length: 512 }, (_, length) =>
      Uint8Array.of(number, 0, length & 255, length >> 8, ...new Uint8Array(length)),
    );
    const state = states.findLast((bytes) => {
      try {
        return decoder.read(bytes, 0)[1] === bytes.length;
      } catch {
        return false;
      }
    });
    expect(state).toBeDefined();
    const data = Uint8Array.of(...MINT, ...new Uint8Array(83), 1, ...(state ?? []));
    const { extensions } = parseAccount(B, PROGRAM.token2022, data)?.info ?? {};
    expect(extensions).toMatchObject([{ extension: extensionName(name) }]);
  },
);

test("nonces, lookup tables and sysvars", () => {
  const nonce = getNonceEncoder().encode({
    ...{
      version: NonceVersion.Current,
      state: NonceState.Initialized,
      authority: A,
      blockhash: B,
      lamportsPerSignature: 5000n,
    },
  });
  expect(parseAccount(C, PROGRAM.system, bytesOf(nonce))).toMatchObject({
    program: "nonce",
    info: { authority: A, blockhash: B, feeCalculator: { lamportsPerSignature: "5000" } },
  });
  const table = getAddressLookupTableEncoder().encode({
    ...{ deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 5n, lastExtendedSlotStartIndex: 1, authority: some(A) },
    addresses: [B, C],
  });
  expect(parseAccount(C, PROGRAM.lookupTable, bytesOf(table))?.info).toEqual({
    ...{ addresses: [B, C], authority: A, deactivationSlot: "18446744073709551615", lastExtendedSlot: "5" },
    lastExtendedSlotStartIndex: 1,
  });
  const numbers = (...values: bigint[]) => bytesOf(Buffer.from(BigUint64Array.from(values).buffer));
  expect(parseAccount(SYSVAR.clock, SYSVAR.owner, numbers(1n, 2n, 3n, 4n, 5n))).toEqual({
    ...{ program: "sysvar", type: "clock" },
    info: { epoch: 3, epochStartTimestamp: 2, leaderScheduleEpoch: 4, slot: 1, unixTimestamp: 5 },
  });
  expect(parseAccount(SYSVAR.stakeHistory, SYSVAR.owner, numbers(1n, 9n, 2n ** 60n + 1n, 3n, 4n))?.info).toEqual({
    entries: [
      { epoch: 9, stakeHistory: { effective: toNumeric("1152921504606846977"), activating: 3, deactivating: 4 } },
    ],
  });
});

/** Bytes of a vote account of the third version: one vote, one voter, one epoch. */
function voteAccount(): Uint8Array {
  const number = (value: number | bigint, size: number) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigUInt64LE(BigInt(value));
    return buffer.subarray(0, size);
  };
  const key32 = (value: number) => Buffer.alloc(32, value);
  return Buffer.concat([
    ...[number(2, 4), key32(1), key32(2), number(7, 1)],
    ...[number(1, 8), number(3, 1), number(100, 8), number(31, 4), number(1, 1), number(99, 8)],
    ...[number(1, 8), number(5, 8), key32(3), Buffer.alloc(32 * 48), number(31, 8), number(1, 1)],
    ...[number(1, 8), number(5, 8), number(10, 8), number(4, 8), number(100, 8), number(1_700_000_000, 8)],
  ]);
}

test("vote accounts", () => {
  expect(parseAccount(C, PROGRAM.vote, bytesOf(voteAccount()))).toEqual({
    program: "vote",
    type: "vote",
    info: {
      authorizedVoters: [{ epoch: 5, authorizedVoter: C }],
      authorizedWithdrawer: B,
      commission: 7,
      epochCredits: [{ epoch: 5, credits: "10", previousCredits: "4" }],
      lastTimestamp: { slot: 100, timestamp: 1_700_000_000 },
      nodePubkey: A,
      priorVoters: [],
      rootSlot: 99,
      votes: [{ slot: 100, confirmationCount: 31 }],
    },
  });
});

test("programs and validators", () => {
  const programData = Buffer.concat([Buffer.from([3, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1]), Buffer.alloc(32, 1)]);
  expect(parseAccount(C, PROGRAM.upgradeableLoader, bytesOf(programData))).toMatchObject({
    type: "programData",
    info: { slot: 9, authority: A },
  });
  const text = Buffer.from('{"name":"Väl"}');
  const info = Buffer.concat([
    ...[Buffer.from([2]), decodeBase58("Va1idator1nfo111111111111111111111111111111"), Buffer.from([0])],
    ...[Buffer.alloc(32, 1), Buffer.from([1])],
    ...[Buffer.from([text.length, 0, 0, 0, 0, 0, 0, 0]), text],
  ]);
  expect(parseAccount(C, PROGRAM.config, bytesOf(info))).toMatchObject({
    type: "validatorInfo",
    info: { configData: { name: "Väl" }, keys: [{ signer: false }, { pubkey: A, signer: true }] },
  });
});

test("metadata without the zeros at the end of its texts", () => {
  const text = (value: string, size: number) => {
    const buffer = Buffer.alloc(4 + size);
    buffer.writeUInt32LE(size);
    buffer.write(value, 4);
    return buffer;
  };
  const creator = Buffer.concat([Buffer.alloc(32, 3), Buffer.from([1, 100])]);
  const head = [
    ...[
      Buffer.from([4]),
      Buffer.alloc(32, 1),
      Buffer.alloc(32, 2),
      text("Näme", 32),
      text("SYM", 10),
      text("https://u", 200),
    ],
    ...[Buffer.from([244, 1, 1, 1, 0, 0, 0]), creator, Buffer.from([0, 1])],
  ];
  const later = Buffer.concat([Buffer.from([1, 255, 1, 4, 1, 1]), Buffer.alloc(32, 1), Buffer.alloc(100)]);
  const expected = {
    ...{ updateAuthority: A, mint: B, name: "Näme", symbol: "SYM", uri: "https://u", sellerFeeBasisPoints: 500 },
    ...{ creators: [{ address: C, verified: true, share: 100 }], primarySaleHappened: false, isMutable: true },
  };
  expect(decodeMetadata(bytesOf(Buffer.concat([...head, later])))).toEqual({
    ...expected,
    tokenStandard: "ProgrammableNonFungible",
    collection: { address: A, verified: true },
  });
  expect(decodeMetadata(bytesOf(Buffer.concat(head)))).toEqual({
    ...expected,
    tokenStandard: undefined,
    collection: undefined,
  });
  expect(decodeMetadata(bytesOf([4, 1, 2]))).toBe(undefined);
});

test("any data of any owner is parsed or stays raw", () => {
  const owners = [...Object.values(PROGRAM), SYSVAR.owner];
  fc.assert(
    fc.property(
      fc.constantFrom(...owners),
      fc.constantFrom(C, ...Object.values(SYSVAR)),
      fc.uint8Array({ maxLength: 400 }),
      (owner, at, data) => {
        const sizes = [data, bytesOf([...data, ...new Uint8Array(165)]).subarray(0, 165)];
        for (const bytes of sizes) {
          for (const value of Object.values(parseAccount(at, owner, bytes)?.info ?? {}))
            expect(value).not.toBe(undefined);
          for (const read of [decodeMetadata, decodeEdition, decodeCoreAsset]) read(bytes);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
