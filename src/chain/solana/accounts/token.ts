/** Mints, token accounts and multisig accounts of both token programs, with the extensions of Token-2022. */
import type { Json } from "../../../base/index.ts";
import type { ByteReader } from "../bytes.ts";
import { address, bool, byteOf, NO_ADDRESS, paddedOption, readFields, u8, u64Text, uiTokenAmount } from "../values.ts";
import { readExtensions } from "./extensions.ts";
import type { AccountParser, ParsedAccount } from "./parser.ts";

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
/** Where accounts with extensions say what they are. */
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

const MAX_SIGNERS = 11;
const SOL_DECIMALS = 9;
const WRAPPED_SOL = ["So11111111111111111111111111111111111111112", "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9"];

/** Accounts of the token programs: their size says what they are, or a byte after the size of a token account. */
export const parseToken: AccountParser = (reader) => {
  const size = reader.remaining;
  if (size === MINT_BYTES) return readMint(reader);
  if (size === ACCOUNT_BYTES) return readAccount(reader);
  if (size === MULTISIG_BYTES) return readMultisig(reader);
  const kind = reader.bytes[ACCOUNT_BYTES];
  if (kind !== KIND_MINT && kind !== KIND_ACCOUNT) return undefined;
  const base = kind === KIND_MINT ? readMint(reader) : readAccount(reader);
  reader.offset = ACCOUNT_BYTES + 1;
  const extensions = readExtensions(reader);
  return base && (extensions.length === 0 ? base : { ...base, info: { ...base.info, extensions } });
};

function readMint(reader: ByteReader): ParsedAccount | undefined {
  const info = readFields(reader, {
    mintAuthority: paddedOption(address),
    supply: u64Text,
    decimals: u8,
    isInitialized: bool,
    freezeAuthority: paddedOption(address),
  });
  return info.isInitialized === true ? { type: "mint", info } : undefined;
}

function readAccount(reader: ByteReader): ParsedAccount | undefined {
  const account = readFields(reader, {
    mint: address,
    owner: address,
    amount: u64Text,
    delegate: paddedOption(address),
    state: byteOf(["uninitialized", "initialized", "frozen"]),
    reserve: paddedOption(u64Text),
    delegatedAmount: u64Text,
    closeAuthority: paddedOption(address),
  });
  if (account.state === "uninitialized") return undefined;
  const { amount, reserve, delegate, delegatedAmount, closeAuthority, ...info } = account as Record<string, Json>;
  const isNative = WRAPPED_SOL.includes(info.mint as string);
  const amountOf = (value: Json | undefined): Json =>
    isNative ? uiTokenAmount(BigInt(value as string), SOL_DECIMALS) : (value as Json);
  return {
    type: "account",
    info: {
      ...info,
      isNative: reserve !== null,
      ...(isNative ? { tokenAmount: amountOf(amount) } : { amount: amount as Json }),
      ...(reserve === null ? {} : { rentExemptReserve: amountOf(reserve) }),
      ...(delegate === null ? {} : { delegate: delegate as Json, delegatedAmount: amountOf(delegatedAmount) }),
      ...(closeAuthority === null ? {} : { closeAuthority: closeAuthority as Json }),
    },
  };
}

function readMultisig(reader: ByteReader): ParsedAccount | undefined {
  const info = readFields(reader, { numRequiredSigners: u8, numValidSigners: u8, isInitialized: bool });
  if (info.isInitialized !== true) return undefined;
  const signers = Array.from({ length: MAX_SIGNERS }, () => reader.address()).filter((key) => key !== NO_ADDRESS);
  return { type: "multisig", info: { ...info, signers } };
}
