/** The lamports that accounts hold for the rent of their bytes. */
import { type AccountLayout, writeLayout } from "./accounts/layout.ts";

/** Bytes that accounts have in addition to their data, and lamports of a byte. */
const OVERHEAD = 128;
const LAMPORTS_PER_BYTE = 6960;

/** Returns the lamports of an account with a number of bytes. */
export const rentOf = (bytes: number | bigint): bigint =>
  (BigInt(bytes) + BigInt(OVERHEAD)) * BigInt(LAMPORTS_PER_BYTE);

/** Returns the lamports of an account with a layout, without items in its lists. */
export const rentOfLayout = (layout: AccountLayout): bigint => rentOf(writeLayout(layout, {}).length);

/** Returns the bytes of an account that holds lamports for its rent only. */
export const bytesForRent = (lamports: string | undefined): number =>
  Math.max(0, Math.floor(Number(lamports ?? 0) / LAMPORTS_PER_BYTE) - OVERHEAD);
