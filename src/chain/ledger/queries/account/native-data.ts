/** The data of accounts of Solana's own programs. */
import { Buffer } from "node:buffer";
import { isObject, type Json, listOf, parseJson } from "../../../../base/index.ts";
import { programName, SYSVAR } from "../../../../catalogue/index.ts";
import { bytesForRent, durableNonce, NATIVE_LAYOUTS, programDataAddress, rentOfLayout } from "../../../solana/index.ts";
import { blockAt, latestBlocks } from "../../store/blocks.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { firstRowSql, SLOTS_PER_EPOCH, slotSql } from "../../store/schema.ts";
import { latestVotes } from "../../store/votes.ts";
import { addressOf, asText } from "../sql.ts";
import { type AccountDataReader, CALLS, dataOf, readCreation } from "./account-data.ts";

/** The value of an epoch or a slot that is not set. */
const NEVER = String(2n ** 64n - 1n);
const NO_LOCKUP = { unixTimestamp: 0, epoch: 0 };

/** Reads a stake account. */
export const readStake: AccountDataReader = (db, { id }) => {
  const row = db.get(
    `SELECT staker_id, withdrawer_id, voter_id, ${asText("delegated")} AS delegated, activation_epoch, deactivation_epoch
    FROM stake_accounts WHERE account_id = ?`,
    id,
  );
  if (!row) return undefined;
  const authorized = {
    staker: db.addressOf(Number(row.staker_id)),
    withdrawer: db.addressOf(Number(row.withdrawer_id)),
  };
  const meta = { rentExemptReserve: STAKE_RENT, authorized, lockup: NO_LOCKUP };
  const voter = addressOf(db, row.voter_id ?? null);
  if (voter === undefined) return dataOf(NATIVE_LAYOUTS.initializedStake, { meta });
  const delegation = {
    voter,
    stake: String(row.delegated),
    activationEpoch: String(row.activation_epoch),
    deactivationEpoch: row.deactivation_epoch === null ? NEVER : String(row.deactivation_epoch),
  };
  return dataOf(NATIVE_LAYOUTS.delegatedStake, { meta, stake: { delegation, creditsObserved: 0 } });
};

/** Lamports of a stake account for its rent. */
const STAKE_RENT = String(rentOfLayout(NATIVE_LAYOUTS.delegatedStake));

/** Lamports of a signature, as text. */
const SIGNATURE_FEE = "5000";

/** Reads a nonce account, which the last transaction that used it has advanced; wallets have no data. */
export const readNonce: AccountDataReader = (db, state) => {
  const created = state.id < 0 ? undefined : readCreation(db, state, /^initializeNonce$/);
  if (!created) return undefined;
  const last = db.get(
    `SELECT ${slotSql("x.id")} AS slot FROM ${CALLS}
    WHERE k.account_id = ? AND n.type IN ('advanceNonce', 'initializeNonce') ORDER BY k.id DESC LIMIT 1`,
    state.id,
  );
  return dataOf(NATIVE_LAYOUTS.nonce, {
    authority: created.accounts.nonceAuthority,
    blockhash: durableNonce(String(blockAt(db, Number(last?.slot))?.parent_hash)),
    feeCalculator: { lamportsPerSignature: SIGNATURE_FEE },
  });
};

/** Votes that a vote account keeps. */
const TOWER = 31;
/** Credits of a vote that was not late, and the epochs that a vote account keeps them for. */
const CREDITS = 16;
const CREDIT_EPOCHS = 64;

/** Reads a vote account: the latest votes of the validator. */
export const readVote: AccountDataReader = (db, { id }) => {
  const votes = latestVotes(db, id, TOWER + 1);
  if (!votes) return undefined;
  const { identity, slots } = votes;
  const slot = slots[0] ?? 0;
  const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
  const first = Math.max(0, epoch - CREDIT_EPOCHS + 1);
  const epochCredits = Array.from({ length: epoch - first + 1 }, (_, n) => ({
    epoch: first + n,
    credits: String(CREDITS * Math.min(slot, (first + n + 1) * SLOTS_PER_EPOCH)),
    previousCredits: String(CREDITS * (first + n) * SLOTS_PER_EPOCH),
  }));
  const commission = db.get(
    "SELECT commission FROM rewards WHERE account_id = ? AND commission IS NOT NULL ORDER BY id DESC LIMIT 1",
    id,
  )?.commission;
  return dataOf(NATIVE_LAYOUTS.vote, {
    nodePubkey: identity,
    authorizedWithdrawer: identity,
    commission: Number(commission ?? 0),
    votes: slots
      .slice(0, TOWER)
      .map((each, n) => ({ slot: each, confirmationCount: n + 1 }))
      .reverse(),
    rootSlot: slots[TOWER] ?? null,
    authorizedVoters: [{ epoch, authorizedVoter: identity }],
    epochCredits,
    lastTimestamp: { slot, timestamp: Number(blockAt(db, slot)?.time) },
  });
};

/** Reads a lookup table; the transaction that extended it last says by whom and when. */
export const readLookupTable: AccountDataReader = (db, { id }) => {
  const addresses = db
    .all("SELECT account_id FROM lookup_entries WHERE table_id = ? ORDER BY position", id)
    .map(({ account_id }) => db.addressOf(Number(account_id)));
  const last = db.get(
    `SELECT ${slotSql("x.id")} AS slot, i.info, p.account_id AS payer_id FROM ${CALLS}
    CROSS JOIN account_keys p ON p.id = ${firstRowSql("x.id")}
    WHERE k.account_id = ? AND x.error IS NULL AND n.type = 'extendLookupTable' ORDER BY k.id DESC LIMIT 1`,
    id,
  );
  const info = typeof last?.info === "string" ? parseJson(last.info) : undefined;
  const added = isObject(info) ? listOf(info.newAddresses).length : 0;
  return dataOf(NATIVE_LAYOUTS.lookupTable, {
    deactivationSlot: NEVER,
    lastExtendedSlot: String(last?.slot ?? 0),
    lastExtendedSlotStartIndex: addresses.length - added,
    authority: addressOf(db, last?.payer_id ?? null) ?? null,
    addresses,
  });
};

/** The first bytes of a program: a file in the format ELF, for Solana's machine. */
const ELF_HEADER = Buffer.from("7f454c460201010000000000000000000300070101000000", "hex");

/** Returns bytes that stand for the code of a program. */
function createCode(program: string, size: number): Uint8Array {
  const code = new Uint32Array(Math.ceil(size / 4));
  let word = Buffer.from(program).readUInt32LE();
  for (let at = 0; at < code.length; at++) {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    code[at] = word;
  }
  const bytes = new Uint8Array(code.buffer, 0, size);
  bytes.set(ELF_HEADER.subarray(0, size));
  return bytes;
}

/** Reads a program of the upgradeable loader, or the account with its code. */
export const readProgram: AccountDataReader = (_, { address, executable, subject, lamports }) => {
  if (executable) return dataOf(NATIVE_LAYOUTS.program, { programData: programDataAddress(address) });
  if (subject === undefined) return undefined;
  const { bytes, ...header } = dataOf(NATIVE_LAYOUTS.programData, { slot: 0, authority: null });
  return { ...header, bytes: Buffer.concat([bytes, createCode(subject, bytesForRent(lamports) - bytes.length)]) };
};

/** Reads a program that is part of the validator: its data is its name. */
export const readNativeProgram: AccountDataReader = (_, { address, executable }) =>
  executable
    ? { bytes: Buffer.from(`${programName(address) ?? "program"}`.toLowerCase().replaceAll(" ", "_")) }
    : undefined;

/** Reads the configuration of stakes. */
export const readConfig: AccountDataReader = () =>
  dataOf(NATIVE_LAYOUTS.stakeConfig, { warmupCooldownRate: 0.25, slashPenalty: 12 });

/** Numbers of blocks whose hashes programs can read, and of slots. */
const BLOCKHASHES = 150;
const SLOT_HASHES = 512;

/** Epochs in the history of stakes. */
const HISTORY = 512;

/** The values of accounts by which the runtime informs programs. */
const SYSVAR_VALUES: Readonly<Record<string, (db: LedgerReader) => Readonly<Record<string, Json>>>> = {
  [SYSVAR.clock](db) {
    const last = db.get("SELECT slot, time FROM blocks ORDER BY slot DESC LIMIT 1");
    const epoch = Math.floor(Number(last?.slot ?? 0) / SLOTS_PER_EPOCH);
    const first = db.get("SELECT time FROM blocks WHERE slot >= ? ORDER BY slot LIMIT 1", epoch * SLOTS_PER_EPOCH);
    return {
      slot: Number(last?.slot ?? 0),
      epochStartTimestamp: Number(first?.time ?? 0),
      epoch,
      leaderScheduleEpoch: epoch + 1,
      unixTimestamp: Number(last?.time ?? 0),
    };
  },
  [SYSVAR.recentBlockhashes]: (db) => ({
    entries: [...latestBlocks(db, BLOCKHASHES)].map(({ hash }) => ({
      blockhash: String(hash),
      feeCalculator: { lamportsPerSignature: SIGNATURE_FEE },
    })),
  }),
  [SYSVAR.slotHashes]: (db) => ({
    entries: [...latestBlocks(db, SLOT_HASHES)].map(({ slot, hash }) => ({ slot: Number(slot), hash: String(hash) })),
  }),
  [SYSVAR.rent]: () => ({ lamportsPerByteYear: "3480", exemptionThreshold: 2, burnPercent: 50 }),
  [SYSVAR.stakeHistory](db) {
    const rows = db.all(
      `SELECT epoch, ${asText("active")} AS active FROM epoch_stakes ORDER BY epoch DESC LIMIT ?`,
      HISTORY,
    );
    return {
      entries: rows.map(({ epoch, active }) => ({
        epoch: Number(epoch),
        stakeHistory: { effective: String(active), activating: "0", deactivating: "0" },
      })),
    };
  },
};

/** Reads an account by which the runtime informs programs. */
export const readSysvar: AccountDataReader = (db, { address }) => {
  const layout = NATIVE_LAYOUTS.sysvar(address);
  return layout && dataOf(layout, SYSVAR_VALUES[address]?.(db) ?? {});
};
