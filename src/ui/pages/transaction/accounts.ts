/** The accounts of a transaction and their roles. */
import { fieldOf, type Json, listOf, textOf } from "../../../base/index.ts";
import { pad, SOL_DECIMALS, textWidth } from "../../../output/index.ts";
import { span } from "../../navigation/theme/text-line.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { solChanges } from "./balances.ts";
import { signedText, type TransactionFormatter } from "./formatter.ts";

const GAP = "  ";

/** Returns the rows of the accounts, in the order of the transaction. */
export function accountRows(detail: Json | undefined, formatter: TransactionFormatter): readonly TreeRow[] {
  const keys = listOf(fieldOf(detail, "account_keys"));
  // Older answers have no keys; their balances are in the same order.
  const rows = keys.length > 0 ? keys : listOf(fieldOf(detail, "sol_bal_change"));
  if (rows.length === 0) return [{ key: "none", line: [span("No accounts.", "note")] }];
  const changes = solChanges(detail);
  const signers = new Set(listOf(fieldOf(detail, "signer")).map(textOf));
  const programs = new Set(listOf(fieldOf(detail, "programs_involved")).map(textOf));
  const all = rows.map((row, at) => {
    const id = textOf(fieldOf(row, "pubkey")) ?? textOf(fieldOf(row, "address"));
    const change = changes.get(id ?? "");
    return {
      id,
      row,
      index: `${at}`,
      roles: describeRoles(row, { isSigner: signers.has(id), isFeePayer: at === 0, isProgram: programs.has(id) }),
      change: change === undefined ? "" : `${signedText(change, SOL_DECIMALS)} SOL`,
      isLoss: change?.negative === true,
    };
  });
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const widths = {
    index: widest(all.map(({ index }) => index)),
    short: widest(all.map(({ id }) => formatter.address(id, "pubkey").text)),
    whole: widest(all.map(({ id }) => formatter.address(id, "pubkey", { whole: true }).text)),
    change: widest(all.map(({ change }) => change)),
    roles: widest(all.map(({ roles }) => roles)),
  };
  const lineOf = (one: (typeof all)[number]) => (width: number) => {
    const isWhole = width >= widths.index + widths.whole + widths.change + widths.roles + 3 * GAP.length;
    const address = formatter.address(one.id, "pubkey", { whole: isWhole });
    const size = isWhole ? widths.whole : widths.short;
    return [
      span(pad(one.index, widths.index, "right"), "key"),
      span(GAP),
      address,
      span(" ".repeat(Math.max(0, size - textWidth(address.text))) + GAP),
      span(pad(one.change, widths.change, "right"), one.isLoss ? "bad" : "good"),
      span(GAP),
      span(one.roles, "note"),
    ];
  };
  return all.map((one) => ({ key: one.index, line: lineOf(one), row: one.row }));
}

interface AccountRoles {
  readonly isSigner: boolean;
  readonly isFeePayer: boolean;
  readonly isProgram: boolean;
}

/** Describes the roles of an account in the transaction. */
function describeRoles(row: Json, { isSigner, isFeePayer, isProgram }: AccountRoles): string {
  const writable = fieldOf(row, "writable");
  const roles = [
    fieldOf(row, "signer") === true || isSigner ? (isFeePayer ? "signer, fee payer" : "signer") : undefined,
    isProgram ? "program" : undefined,
    writable === undefined || isProgram ? undefined : writable === true ? "writable" : "read only",
    fieldOf(row, "source") === "lookupTable" ? "lookup table" : undefined,
  ];
  return roles.filter((word) => word !== undefined).join(", ");
}
