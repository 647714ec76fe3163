/** Decoded data of accounts with a known layout: token accounts, mints, stake accounts and pools. */
import { base58 } from "@scure/base";
import type { Json, JsonObject } from "../../../../base/index.ts";
import { WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { SOL, SYSTEM_PROGRAM } from "../../store/schema.ts";
import type { Query } from "../query.ts";
import { asText } from "../sql.ts";
import { type AccountState, readState } from "./state.ts";

/** A field of account data: its bytes, and its node in `data_decoded`. */
interface DataField {
  readonly bytes: readonly number[];
  readonly node: { readonly type: Json; readonly data: Json };
}

function littleEndian(value: bigint, width: number): readonly number[] {
  const raw = BigInt.asUintN(width * 8, value);
  return Array.from({ length: width }, (_, at) => Number((raw >> BigInt(at * 8)) & 0xffn));
}

/** Creates an integer type: 8-bit values are JSON numbers, wider ones text. */
const integer =
  (type: string, width: number) =>
  (value: bigint | number): DataField => ({
    bytes: littleEndian(BigInt(value), width),
    node: { type, data: width === 1 ? Number(value) : String(value) },
  });

const u8 = integer("u8", 1);
const u16 = integer("u16", 2);
const u32 = integer("u32", 4);
const u64 = integer("u64", 8);
const i64 = integer("i64", 8);

const bool = (value: boolean): DataField => ({ bytes: [value ? 1 : 0], node: { type: "bool", data: value } });

const f64 = (value: number): DataField => ({
  bytes: [...new Uint8Array(new Float64Array([value]).buffer)],
  node: { type: "f64", data: String(value) },
});

const pubkey = (address: string): DataField => ({
  bytes: [...base58.decode(address)],
  node: { type: "pubkey", data: address },
});

function padding(length: number): DataField {
  const bytes = Array.from({ length }, () => 0);
  return { bytes, node: { type: { array: ["u8", length] }, data: bytes } };
}

/** Encodes an optional value: a four-byte flag, followed by the value or an empty one of the same size. */
function option(make: (value: string) => DataField, empty: string, value: string | undefined): DataField {
  const inner = make(value ?? empty);
  return {
    bytes: [...littleEndian(value === undefined ? 0n : 1n, 4), ...inner.bytes],
    node: { type: { option: inner.node.type }, data: value === undefined ? null : inner.node.data },
  };
}

function struct(name: string, fields: Readonly<Record<string, DataField>>): DataField {
  return {
    bytes: Object.values(fields).flatMap((field) => field.bytes),
    node: { type: { defined: { name } }, data: nodesOf(fields) },
  };
}

const nodesOf = (fields: Readonly<Record<string, DataField>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, { node }]) => [name, node]));

interface AccountData {
  readonly name: string;
  readonly standard: string;
  readonly discriminator: readonly number[];
  readonly fields: Readonly<Record<string, DataField>>;
  /** Size of the account in bytes; the fields may be shorter. */
  readonly size: number;
}

function encodeBase64({ discriminator, fields, size }: AccountData): string {
  const bytes = new Uint8Array(size);
  bytes.set([...discriminator, ...Object.values(fields).flatMap((field) => field.bytes)]);
  return btoa(String.fromCharCode(...bytes));
}

const decodedJson = ({ name, standard, fields }: AccountData): JsonObject => ({
  name,
  data: nodesOf(fields),
  idl_source: "inner_parser",
  idl_standard: standard,
});

/** Rent reserve of a stake account in lamports. */
const STAKE_RENT = 2_282_880;
/** The value of an epoch that is not set. */
const NO_EPOCH = 2n ** 64n - 1n;
/** Share of all stake that may be activated or deactivated per epoch. */
const WARMUP_COOLDOWN_RATE = 0.25;
/** The first 8 bytes of the hash of `account:Pool`. */
const POOL_DISCRIMINATOR = [241, 154, 109, 4, 17, 177, 109, 188];

const optionalKey = (address: string | undefined) => option(pubkey, SYSTEM_PROGRAM, address);

function readBalance(db: LedgerReader, account: number, token: number): string {
  const row = db.get(
    `SELECT ${asText("amount")} AS amount FROM balances WHERE account_id = ? AND token_id = ?`,
    account,
    token,
  );
  return String(row?.amount ?? 0);
}

/** The layouts below are those of simulated accounts; of a chain, the ledger does not have the data. */
function tokenAccount(db: LedgerReader, { id, tokenId }: AccountState): AccountData | undefined {
  if (tokenId === undefined) return undefined;
  const row = db.get("SELECT owner_id FROM token_accounts WHERE account_id = ?", id);
  const mint = db.addressOf(tokenId);
  return {
    name: "TokenAccount",
    standard: "shank",
    discriminator: [],
    size: 165,
    fields: {
      mint: pubkey(mint),
      owner: pubkey(db.addressOf(Number(row?.owner_id))),
      amount: u64(BigInt(readBalance(db, id, tokenId))),
      delegate: optionalKey(undefined),
      state: u8(1),
      is_native: option((text) => u64(BigInt(text)), "0", mint === WRAPPED_SOL ? readBalance(db, id, SOL) : undefined),
      delegated_amount: u64(0),
      close_authority: optionalKey(undefined),
    },
  };
}

function mint(db: LedgerReader, { id }: AccountState): AccountData | undefined {
  const row = db.get(
    `SELECT n.decimals, n.mint_authority_id, n.freeze_authority_id, ${asText("s.supply")} AS supply
    FROM tokens n LEFT JOIN token_stats s ON s.token_id = n.id WHERE n.id = ?`,
    id,
  );
  if (!row) return undefined;
  const authority = (number: unknown) => optionalKey(number === null ? undefined : db.addressOf(Number(number)));
  return {
    name: "Mint",
    standard: "shank",
    discriminator: [],
    size: 82,
    fields: {
      mint_authority: authority(row.mint_authority_id),
      supply: u64(BigInt(row.supply ?? 0)),
      decimals: u8(Number(row.decimals)),
      is_initialized: bool(true),
      freeze_authority: authority(row.freeze_authority_id),
    },
  };
}

function stakeAccount(db: LedgerReader, { id }: AccountState): AccountData | undefined {
  const row = db.get(
    `SELECT staker_id, withdrawer_id, voter_id, ${asText("delegated")} AS delegated, activation_epoch, deactivation_epoch
    FROM stake_accounts WHERE account_id = ?`,
    id,
  );
  if (!row || row.voter_id === null) return undefined;
  const key = (number: unknown) => pubkey(db.addressOf(Number(number)));
  const ends = row.deactivation_epoch === null ? NO_EPOCH : BigInt(Number(row.deactivation_epoch));
  const delegation = struct("Delegation", {
    voter_pubkey: key(row.voter_id),
    stake: u64(BigInt(String(row.delegated))),
    activation_epoch: u64(Number(row.activation_epoch)),
    deactivation_epoch: u64(ends),
    warmup_cooldown_rate: f64(WARMUP_COOLDOWN_RATE),
  });
  const authorized = struct("Authorized", { staker: key(row.staker_id), withdrawer: key(row.withdrawer_id) });
  const lockup = struct("Lockup", { unix_timestamp: i64(0), epoch: u64(0), custodian: pubkey(SYSTEM_PROGRAM) });
  return {
    name: "StakeStateV2",
    standard: "shank",
    discriminator: [],
    size: 200,
    fields: {
      state: u32(2),
      meta: struct("Meta", { rent_exempt_reserve: u64(STAKE_RENT), authorized, lockup }),
      stake: struct("Stake", { delegation, credits_observed: u64(0) }),
      stake_flags: u8(0),
      _padding: padding(3),
    },
  };
}

function pool(db: LedgerReader, { id }: AccountState): AccountData | undefined {
  const row = db.get("SELECT * FROM pools WHERE account_id = ?", id);
  if (!row) return undefined;
  const key = (number: unknown) => pubkey(db.addressOf(Number(number)));
  const fields = {
    token_1_mint: key(row.token1_id),
    token_2_mint: key(row.token2_id),
    token_1_vault: key(row.vault1_id),
    token_2_vault: key(row.vault2_id),
    creator: key(row.creator_id),
    lp_mint: optionalKey(row.lp_id === null ? undefined : db.addressOf(Number(row.lp_id))),
    fee_basis_points: u16(Number(row.fee_bps)),
  };
  const size = POOL_DISCRIMINATOR.length + Object.values(fields).reduce((sum, { bytes }) => sum + bytes.length, 0);
  return { name: "Pool", standard: "anchorV30", discriminator: POOL_DISCRIMINATOR, size, fields };
}

/** `/account/data-decoded`: the fields and bytes of an account's data; empty for accounts without a known layout. */
export const dataDecoded: Query = ({ db, params }) => {
  const account = params.required("address");
  if (!db.facts.isGenerated) return { data: { account } };
  const state = readState(db, account);
  const data = tokenAccount(db, state) ?? mint(db, state) ?? stakeAccount(db, state) ?? pool(db, state);
  return {
    data: data
      ? { account, data_decoded: decodedJson(data), data_base64: encodeBase64(data) }
      : { account, data_base64: "" },
  };
};
