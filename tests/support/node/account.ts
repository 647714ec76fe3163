/** Accounts of the test chain, and what the layouts of token accounts and mints say. */
import { type Address, address, getAddressDecoder } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@solana-program/token-2022";

/** An account; one without lamports does not exist. */
export interface Account {
  readonly address: Address;
  readonly lamports: bigint;
  readonly owner: Address;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

/** The state of accounts at one slot. */
export interface AccountView {
  readonly slot: number;
  get(address: string): Account | undefined;
  /** Returns the accounts that a program owns, by address. */
  ownedBy(program: string): readonly Account[];
}

/** The Token and the Token-2022 program. */
export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS];
export const NATIVE_MINT = address("So11111111111111111111111111111111111111112");

/** Returns an account that a wallet has. */
export const walletAccount = (key: Address, lamports: bigint): Account => ({
  address: key,
  lamports,
  owner: SYSTEM_PROGRAM_ADDRESS,
  executable: false,
  data: new Uint8Array(),
});

/** The fields of a token account that every layout has at the same place. */
export interface TokenAccountFields {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegate: Address | undefined;
}

const view = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);
const addressAt = (data: Uint8Array, offset: number) => getAddressDecoder().decode(data.subarray(offset, offset + 32));

/** The bytes of a token account without extensions. */
const TOKEN_ACCOUNT_SIZE = 165;
const MINT_SIZE = 82;
/** Where Token-2022 accounts with extensions say what they are: 1 is a mint, 2 a token account. */
const TYPE_OFFSET = TOKEN_ACCOUNT_SIZE;
const MULTISIG_SIZE = 355;

const extendedType = (data: Uint8Array) =>
  data.length > TYPE_OFFSET && data.length !== MULTISIG_SIZE ? data[TYPE_OFFSET] : undefined;
const isTokenOwned = (account: Account) => TOKEN_PROGRAMS.includes(account.owner);

/** Returns the fields of an initialised token account; undefined for everything else. */
export function tokenAccountFields(account: Account | undefined): TokenAccountFields | undefined {
  if (account === undefined || !isTokenOwned(account)) return undefined;
  const { data } = account;
  if (data.length !== TOKEN_ACCOUNT_SIZE && extendedType(data) !== 2) return undefined;
  if (data[108] === 0) return undefined;
  return {
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount: view(data).getBigUint64(64, true),
    delegate: view(data).getUint32(72, true) === 1 ? addressAt(data, 76) : undefined,
  };
}

/** Returns decimals and supply of an initialised mint; undefined for everything else. */
export function mintFields(
  account: Account | undefined,
): { readonly decimals: number; readonly supply: bigint } | undefined {
  if (account === undefined || !isTokenOwned(account)) return undefined;
  const { data } = account;
  if ((data.length !== MINT_SIZE && extendedType(data) !== 1) || data[45] !== 1) return undefined;
  return { decimals: data[44] ?? 0, supply: view(data).getBigUint64(36, true) };
}

/** Returns the type numbers and bytes of the extensions of a Token-2022 account or mint. */
export function extensionsOf(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const extensions = new Map<number, Uint8Array>();
  if (extendedType(data) === undefined) return extensions;
  for (let at = TYPE_OFFSET + 1; at + 4 <= data.length; ) {
    const [type, length] = [view(data).getUint16(at, true), view(data).getUint16(at + 2, true)];
    if (type === 0) break;
    extensions.set(type, data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return extensions;
}
