/** What readers of the data of accounts share. */
import type { JsonObject } from "../../../../base/index.ts";
import { type AccountLayout, type AccountValues, describeLayout, writeLayout } from "../../../solana/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import type { AccountState } from "./state.ts";

/** What an account contains. */
export interface AccountData {
  readonly bytes: Uint8Array;
  /** Returns the field `data_decoded`; undefined for data without fields, such as code. */
  readonly decode?: () => JsonObject;
}

/** Reads what an account of a program contains; undefined for one that has no data. */
export type AccountDataReader = (db: LedgerReader, account: AccountState) => AccountData | undefined;

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
