/** Token amounts in the form of the wire. */
import { type Account, extensionsOf, mintFields, tokenAccountFields } from "./account.ts";
import type { TokenBalance } from "./transaction.ts";
import { decimalText, type WireObject } from "./wire.ts";

/** The extensions that change what users see, by their number in the account's data. */
const INTEREST_BEARING = 10;
const SCALED_UI_AMOUNT = 25;
const SECONDS_PER_YEAR = 31_556_736;

/** Returns an amount of a mint at a time in Unix seconds. */
export function uiTokenAmount(amount: bigint, mint: Account | undefined, time: number): WireObject {
  const decimals = mintFields(mint)?.decimals ?? 0;
  const factor = mint && uiFactor(mint.data, time);
  const text =
    factor === undefined
      ? decimalText(amount, decimals)
      : trimZeros(((Number(amount) * factor) / 10 ** decimals).toFixed(decimals));
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}

const trimZeros = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Returns the factor by which a mint changes displayed amounts; undefined for ordinary mints. */
function uiFactor(mint: Uint8Array, time: number): number | undefined {
  const extensions = extensionsOf(mint);
  const scaled = extensions.get(SCALED_UI_AMOUNT);
  if (scaled !== undefined) {
    const view = new DataView(scaled.buffer, scaled.byteOffset, scaled.byteLength);
    return BigInt(time) >= view.getBigInt64(40, true) ? view.getFloat64(48, true) : view.getFloat64(32, true);
  }
  const interest = extensions.get(INTEREST_BEARING);
  if (interest === undefined) return undefined;
  const view = new DataView(interest.buffer, interest.byteOffset, interest.byteLength);
  const [start, updated] = [Number(view.getBigInt64(32, true)), Number(view.getBigInt64(42, true))];
  const growth = (rate: number, seconds: number) => Math.exp((rate / 10_000) * (seconds / SECONDS_PER_YEAR));
  return growth(view.getInt16(40, true), updated - start) * growth(view.getInt16(50, true), time - updated);
}

/** Returns the token balances of the keys of a transaction; in transactions `uiAmount` is null for zero. */
export function tokenBalances(
  accounts: readonly (Account | undefined)[],
  get: (address: string) => Account | undefined,
  time: number,
): readonly TokenBalance[] {
  return accounts.flatMap((account, accountIndex) => {
    const token = tokenAccountFields(account);
    if (account === undefined || token === undefined) return [];
    const amount = uiTokenAmount(token.amount, get(token.mint), time);
    const displayed = token.amount === 0n ? { ...amount, uiAmount: null } : amount;
    return [{ accountIndex, mint: token.mint, owner: token.owner, programId: account.owner, uiTokenAmount: displayed }];
  });
}
