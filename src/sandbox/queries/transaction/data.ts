/** What instructions are given, decoded: their arguments by name, or what their own transfers say of them. */

import { decimalText, type JsonObject, parseDecimal, scaleDown } from "../../../base/index.ts";

import { NATIVE_SOL } from "../../../catalogue/index.ts";
import { amountOf } from "../sql.ts";
import type { Instruction, Transfer } from "./tree.ts";

/** An amount as a Solana node gives it: base units, and whole units as a number and as text. */
export function uiAmountOf(amount: string, decimals: number): JsonObject {
  const parsed = parseDecimal(amount);
  const text = parsed ? decimalText(scaleDown(parsed, decimals)) : amount;
  return { amount, decimals, uiAmount: Number(text), uiAmountString: text };
}

const lamports = ({ amount }: Transfer) => ({ lamports: amountOf(amount) });

type Form = (transfer: Transfer) => JsonObject;

const FORMS: Readonly<Record<string, Form>> = {
  ACTIVITY_SPL_MINT: (t) => ({ mint: t.token, mintAuthority: t.sourceOwner, account: t.destination, amount: t.amount }),
  ACTIVITY_SPL_BURN: (t) => ({ mint: t.token, authority: t.sourceOwner, account: t.source, amount: t.amount }),
  ACTIVITY_SPL_CREATE_ACCOUNT: (t) => ({ source: t.source, newAccount: t.destination, ...lamports(t) }),
  ACTIVITY_SPL_CLOSE_ACCOUNT: (t) => ({ account: t.source, destination: t.destination, owner: t.destinationOwner }),
  ACTIVITY_SPL_SET_OWNER_AUTHORITY: (t) => ({
    account: t.source,
    authority: t.sourceOwner,
    authorityType: "accountOwner",
    newAuthority: t.destinationOwner,
  }),
};

const plain: Form = (t) =>
  t.token === NATIVE_SOL
    ? { source: t.source, destination: t.destination, ...lamports(t) }
    : { source: t.source, destination: t.destination, authority: t.sourceOwner, amount: t.amount };

const checked: Form = (t) => ({
  source: t.source,
  destination: t.destination,
  authority: t.sourceOwner,
  mint: t.token,
  tokenAmount: uiAmountOf(t.amount, t.decimals),
});

/** The arguments of an instruction, as far as they are said or its own transfers say them. */
export function infoOf({ info, type, transfers }: Instruction): JsonObject {
  const [transfer] = transfers;
  const isSaid = info !== undefined && Object.keys(info).length > 0;
  if (isSaid || !transfer) return info ?? {};
  const form = type.endsWith("Checked") ? checked : plain;
  return (FORMS[transfer.type] ?? form)(transfer);
}
