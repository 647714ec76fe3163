/** Decoded data of accounts with a known layout: token accounts, mints, stake accounts and pools. */

import { WRAPPED_SOL } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { SOL, SYSTEM_PROGRAM } from "../../store/schema.ts";
import type { Query } from "../query.ts";
import { asText } from "../sql.ts";
import {
  type AccountData,
  bool,
  decodedJson,
  encodeBase64,
  f64,
  i64,
  option,
  padding,
  pubkey,
  struct,
  u8,
  u16,
  u32,
  u64,
} from "./layouts.ts";
import { type AccountState, stateOf } from "./state.ts";

/** Rent reserve of a stake account in lamports. */
const STAKE_RENT = 2_282_880;
/** The value of an epoch that is not set. */
const NO_EPOCH = 2n ** 64n - 1n;
/** Share of all stake that may be activated or deactivated per epoch. */
const WARMUP_COOLDOWN_RATE = 0.25;
/** The first 8 bytes of the hash of `account:Pool`. */
const POOL_DISCRIMINATOR = [241, 154, 109, 4, 17, 177, 109, 188];

const optionalKey = (address: string | undefined) => option(pubkey, SYSTEM_PROGRAM, address);

function balanceOf(db: LedgerReader, account: number, token: number): string {
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
      amount: u64(BigInt(balanceOf(db, id, tokenId))),
      delegate: optionalKey(undefined),
      state: u8(1),
      is_native: option((text) => u64(BigInt(text)), "0", mint === WRAPPED_SOL ? balanceOf(db, id, SOL) : undefined),
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
  const state = stateOf(db, account);
  const data = tokenAccount(db, state) ?? mint(db, state) ?? stakeAccount(db, state) ?? pool(db, state);
  return {
    data: data
      ? { account, data_decoded: decodedJson(data), data_base64: encodeBase64(data) }
      : { account, data_base64: "" },
  };
};
