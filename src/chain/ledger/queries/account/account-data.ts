/** What readers of the data of accounts share. */
import type { JsonObject } from "../../../../base/index.ts";
import { type AccountLayout, type AccountValues, describeLayout, writeLayout } from "../../../solana/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { isInTransactionSql, transactionIdSql } from "../../store/schema.ts";
import { accountsOf } from "../transaction/instruction-data.ts";
import { type Instruction, readTree } from "../transaction/tree.ts";
import type { AccountState } from "./state.ts";

/** What an account contains. */
export interface AccountData {
  readonly bytes: Uint8Array;
  /** Returns the field `data_decoded`; undefined for data without fields, such as code. */
  readonly decode?: () => JsonObject;
}

/** Reads what an account of a program contains; undefined for one that has no data. */
export type AccountDataReader = (db: LedgerReader, account: AccountState) => AccountData | undefined;

/** The transactions `x` that name an account `k`, their instructions `i` and the kinds `n` of these, as SQL. */
export const CALLS = `account_keys k CROSS JOIN transactions x ON x.id = ${transactionIdSql("k.id")}
  CROSS JOIN instructions i ON ${isInTransactionSql("i.id", "x.id")}
  CROSS JOIN instruction_kinds n ON n.id = i.kind_id`;

const FIRST_TRANSACTION = `SELECT x.id FROM account_keys k CROSS JOIN transactions x ON x.id = ${transactionIdSql("k.id")}
  WHERE k.account_id = ? AND x.error IS NULL ORDER BY k.id LIMIT 1`;

/** The instruction that created an account, and its accounts by name. */
interface Creation {
  readonly instruction: Instruction;
  readonly accounts: Readonly<Record<string, string>>;
}

/** Returns the first instruction of some types in the first transaction that names an account. */
export function readCreation(db: LedgerReader, { id, address }: AccountState, types: RegExp): Creation | undefined {
  const first = db.get(FIRST_TRANSACTION, id)?.id;
  const tree = first === undefined ? [] : readTree(db, Number(first));
  const instruction = tree.find(({ type, accounts }) => types.test(type) && accounts.includes(address));
  return instruction && { instruction, accounts: accountsOf(instruction) };
}

/** The first field of accounts of the Anchor framework. */
const DISCRIMINATOR = "#discriminator";

/** Returns the data of an account with a layout. */
export function dataOf(layout: AccountLayout, values: AccountValues): AccountData {
  const bytes = writeLayout(layout, values);
  return {
    bytes,
    decode: () => ({
      name: layout.name,
      data: describeLayout(layout, bytes),
      idl_source: "inner_parser",
      idl_standard: DISCRIMINATOR in layout.fields ? "anchorV30" : "shank",
    }),
  };
}
