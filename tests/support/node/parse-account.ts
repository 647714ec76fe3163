/** Accounts in the form of the `jsonParsed` encoding. */
import { type Address, getAddressDecoder, getBase58Decoder, isOption, unwrapOption } from "@solana/kit";
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM_ADDRESS,
  getAddressLookupTableDecoder,
} from "@solana-program/address-lookup-table";
import { LOADER_V3_PROGRAM_ADDRESS } from "@solana-program/loader-v3";
import { getStakeStateAccountDecoder, STAKE_PROGRAM_ADDRESS } from "@solana-program/stake";
import { getNonceDecoder, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import {
  AccountState,
  type Extension,
  getMintDecoder,
  getMultisigDecoder,
  getTokenDecoder,
} from "@solana-program/token-2022";
import { type Account, mintFields, NATIVE_MINT, TOKEN_PROGRAMS, tokenAccountFields } from "./account.ts";
import { parseSysvar } from "./parse-sysvar.ts";
import { parseVote, VOTE_PROGRAM } from "./parse-vote.ts";
import { uiTokenAmount } from "./token-amounts.ts";
import type { Wire, WireObject } from "./wire.ts";

/** What a parser may ask about the rest of the chain. */
export interface ParseContext {
  get(address: string): Account | undefined;
  /** Unix seconds. */
  readonly time: number;
}

/** The parsed form of an account: kind and fields. */
export interface ParsedState {
  readonly type: string;
  readonly info: Wire;
}

/** Returns an account's data in parsed form; undefined when nodes have no parser for it either. */
export function parseAccount(account: Account, context: ParseContext): WireObject | undefined {
  const parser = PARSERS[account.owner];
  if (parser === undefined) return undefined;
  try {
    const parsed = parser.parse(account, context);
    if (parsed === undefined) return undefined;
    const { type, info } = parsed;
    return { program: parser.program, parsed: { info, type }, space: account.data.length };
  } catch {
    return undefined;
  }
}

interface AccountParser {
  readonly program: string;
  parse(account: Account, context: ParseContext): ParsedState | undefined;
}

const PARSERS: Readonly<Record<string, AccountParser>> = {
  [SYSTEM_PROGRAM_ADDRESS]: { program: "nonce", parse: parseNonce },
  ...Object.fromEntries(
    TOKEN_PROGRAMS.map((program) => [
      program,
      { program: program === TOKEN_PROGRAM_ADDRESS ? "spl-token" : "spl-token-2022", parse: parseToken },
    ]),
  ),
  [STAKE_PROGRAM_ADDRESS]: { program: "stake", parse: parseStake },
  [VOTE_PROGRAM]: { program: "vote", parse: ({ data }) => parseVote(data) },
  [ADDRESS_LOOKUP_TABLE_PROGRAM_ADDRESS]: { program: "address-lookup-table", parse: parseLookupTable },
  [LOADER_V3_PROGRAM_ADDRESS]: { program: "bpf-upgradeable-loader", parse: parseLoader },
  Sysvar1111111111111111111111111111111111111: { program: "sysvar", parse: parseSysvar },
};

function parseNonce({ data }: Account): ParsedState | undefined {
  if (data.length !== 80) return undefined;
  const { authority, blockhash, lamportsPerSignature, state } = getNonceDecoder().decode(data);
  if (state === 0) return { type: "uninitialized", info: null };
  const feeCalculator = { lamportsPerSignature: lamportsPerSignature.toString() };
  return { type: "initialized", info: { authority, blockhash, feeCalculator } };
}

function parseToken(account: Account, context: ParseContext): ParsedState | undefined {
  if (tokenAccountFields(account) !== undefined) return parseTokenAccount(account, context);
  if (mintFields(account) !== undefined) return parseMint(account);
  if (account.data.length !== 355) return undefined;
  const multisig = getMultisigDecoder().decode(account.data);
  return {
    type: "multisig",
    info: {
      numRequiredSigners: multisig.m,
      numValidSigners: multisig.n,
      isInitialized: multisig.isInitialized,
      signers: multisig.signers.slice(0, multisig.n),
    },
  };
}

function parseTokenAccount(account: Account, { get, time }: ParseContext): ParsedState {
  const token = getTokenDecoder().decode(account.data);
  const mint = get(token.mint);
  const amount = (value: bigint) => uiTokenAmount(value, mint, time);
  const [delegate, reserve, close] = [token.delegate, token.isNative, token.closeAuthority].map((option) =>
    unwrapOption(option as Parameters<typeof unwrapOption>[0]),
  );
  return {
    type: "account",
    info: {
      mint: token.mint,
      owner: token.owner,
      tokenAmount: amount(token.amount),
      state: STATES[token.state],
      isNative: reserve !== null,
      ...(delegate !== null && { delegate: delegate as Address, delegatedAmount: amount(token.delegatedAmount) }),
      ...(reserve !== null && { rentExemptReserve: uiTokenAmount(reserve as bigint, get(NATIVE_MINT), time) }),
      ...(close !== null && { closeAuthority: close as Address }),
      ...extensionFields(unwrapOption(token.extensions)),
    } as Wire,
  };
}

function parseMint({ data }: Account): ParsedState {
  const mint = getMintDecoder().decode(data);
  return {
    type: "mint",
    info: {
      mintAuthority: unwrapOption(mint.mintAuthority),
      supply: mint.supply.toString(),
      decimals: mint.decimals,
      isInitialized: mint.isInitialized,
      freezeAuthority: unwrapOption(mint.freezeAuthority),
      ...extensionFields(unwrapOption(mint.extensions)),
    },
  };
}

const STATES: Readonly<Record<AccountState, string>> = {
  [AccountState.Uninitialized]: "uninitialized",
  [AccountState.Initialized]: "initialized",
  [AccountState.Frozen]: "frozen",
};

const extensionFields = (extensions: readonly Extension[] | null) =>
  extensions?.length ? { extensions: extensions.map(extension) } : {};

/** Extensions and fields that nodes name otherwise than the program's client. */
const EXTENSION_NAMES: Readonly<Record<string, string>> = { ConfidentialTransferFee: "confidentialTransferFeeConfig" };
const FIELD_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DefaultAccountState: { state: "accountState" },
  ConfidentialTransferAccount: { pendingBalanceLow: "pendingBalanceLo", pendingBalanceHigh: "pendingBalanceHi" },
  ConfidentialTransferFee: { elgamalPubkey: "withdrawWithheldAuthorityElgamalPubkey" },
};

/** Returns the name that nodes give to an extension of the program's client. */
export const extensionName = (kind: string): string =>
  EXTENSION_NAMES[kind] ?? kind.charAt(0).toLowerCase() + kind.slice(1);

function extension({ __kind: kind, ...fields }: Extension): WireObject {
  const name = extensionName(kind);
  const state = Object.entries(fields).map(([key, value]) => [
    FIELD_NAMES[kind]?.[key] ?? key,
    kind === "DefaultAccountState" ? STATES[value as AccountState] : extensionValue(key, value),
  ]);
  return state.length === 0 ? { extension: name } : { extension: name, state: Object.fromEntries(state) };
}

const ZERO_ADDRESS = SYSTEM_PROGRAM_ADDRESS;

/** Options and zero addresses become null, bytes base64, maps pairs, multipliers text. */
function extensionValue(key: string, value: unknown): Wire {
  if (isOption(value)) return extensionValue(key, unwrapOption(value));
  if (value === ZERO_ADDRESS) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Map) return [...value].map((pair) => pair as [string, string]);
  if (key === "multiplier" || key === "newMultiplier") return String(value);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, extensionValue(name, part)]));
  }
  return value as Wire;
}

function parseStake({ data }: Account): ParsedState | undefined {
  const { state } = getStakeStateAccountDecoder().decode(data);
  if (state.__kind === "Uninitialized") return { type: "uninitialized", info: null };
  if (state.__kind === "RewardsPool") return { type: "rewardsPool", info: null };
  const [meta, stake] = state.fields;
  const info = {
    meta: {
      rentExemptReserve: meta.rentExemptReserve.toString(),
      authorized: { ...meta.authorized },
      lockup: { unixTimestamp: meta.lockup.unixTimestamp, epoch: meta.lockup.epoch, custodian: meta.lockup.custodian },
    },
  };
  if (stake === undefined) return { type: "initialized", info: { ...info, stake: null } };
  const { voterPubkey, stake: amount, activationEpoch, deactivationEpoch } = stake.delegation;
  return {
    type: "delegated",
    info: {
      ...info,
      stake: {
        delegation: {
          voter: voterPubkey,
          stake: amount.toString(),
          activationEpoch: activationEpoch.toString(),
          deactivationEpoch: deactivationEpoch.toString(),
          warmupCooldownRate: 0.25,
        },
        creditsObserved: stake.creditsObserved,
      },
    },
  };
}

function parseLookupTable({ data }: Account): ParsedState | undefined {
  if (data[0] === 0) return { type: "uninitialized", info: null };
  const table = getAddressLookupTableDecoder().decode(data);
  const authority = unwrapOption(table.authority);
  return {
    type: "lookupTable",
    info: {
      deactivationSlot: table.deactivationSlot.toString(),
      lastExtendedSlot: table.lastExtendedSlot.toString(),
      lastExtendedSlotStartIndex: table.lastExtendedSlotStartIndex,
      ...(authority !== null && { authority }),
      addresses: table.addresses,
    },
  };
}

/** The upgradeable loader's accounts: a buffer, a program, or the data of a program. */
function parseLoader({ data }: Account): ParsedState | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const key = (offset: number) => getAddressDecoder().decode(data, offset);
  const optionalKey = (offset: number) => (data[offset] === 1 ? key(offset + 1) : null);
  const elf = (offset: number) => [Buffer.from(data.subarray(offset)).toString("base64"), "base64"];
  switch (view.getUint32(0, true)) {
    case 0:
      return { type: "uninitialized", info: null };
    case 1:
      return { type: "buffer", info: { authority: optionalKey(4), data: elf(37) } };
    case 2:
      return { type: "program", info: { programData: key(4) } };
    case 3:
      return {
        type: "programData",
        info: { slot: view.getBigUint64(4, true), authority: optionalKey(12), data: elf(45) },
      };
    default:
      return undefined;
  }
}

/** Returns bytes as base58 text. */
export const base58 = (bytes: Uint8Array): string => getBase58Decoder().decode(bytes);
