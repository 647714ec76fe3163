/** The data of accounts in simulated chains: their bytes follow from the rows of the ledger. */
import { Buffer } from "node:buffer";
import { PROGRAM, SYSVAR } from "../../../../catalogue/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import type { Query } from "../query.ts";
import type { AccountData, AccountDataReader } from "./account-data.ts";
import { readTipAccount, readTree, readTreeConfig } from "./compression-data.ts";
import { LENDING_READERS } from "./lending-data.ts";
import { readMetadata } from "./metadata-data.ts";
import {
  readConfig,
  readLookupTable,
  readNativeProgram,
  readNonce,
  readProgram,
  readStake,
  readSysvar,
  readVote,
} from "./native-data.ts";
import { readPool } from "./pool-data.ts";
import { type AccountState, readState } from "./state.ts";
import { readTokenData } from "./token-data.ts";

/** By the program that owns the account. */
const READERS: Readonly<Record<string, AccountDataReader>> = {
  [PROGRAM.system]: readNonce,
  [PROGRAM.token]: readTokenData,
  [PROGRAM.token2022]: readTokenData,
  [PROGRAM.stake]: readStake,
  [PROGRAM.vote]: readVote,
  [PROGRAM.lookupTable]: readLookupTable,
  [PROGRAM.upgradeableLoader]: readProgram,
  [PROGRAM.nativeLoader]: readNativeProgram,
  [PROGRAM.config]: readConfig,
  [SYSVAR.owner]: readSysvar,
  [PROGRAM.tokenMetadata]: readMetadata,
  cmtDvXumGCrqC1Age74AVPhSWVJMd8PJS91L8KbNSCK: readTree,
  BGUMAP9Gq7iTEuizy4pqaXsTyUCBK68MDfK752saRPUY: readTreeConfig,
  ...LENDING_READERS,
  T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjCVYqCHaHqt: readTipAccount,
};

/** Returns what an account contains; undefined for accounts without data, and where the rows do not say it. */
export function readAccountData(db: LedgerReader, state: AccountState): AccountData | undefined {
  return db.facts.isGenerated ? (READERS[state.ownerProgram ?? ""] ?? readPool)(db, state) : undefined;
}

/** `/account/data-decoded`: the bytes of an account's data and the fields in them. */
export const dataDecoded: Query = ({ db, params }) => {
  const account = params.required("address");
  if (!db.facts.isGenerated) return { data: { account } };
  const data = readAccountData(db, readState(db, account));
  const decoded = data?.decode?.();
  return {
    data: {
      account,
      ...(decoded && { data_decoded: decoded }),
      data_base64: Buffer.from(data?.bytes ?? []).toString("base64"),
    },
  };
};
