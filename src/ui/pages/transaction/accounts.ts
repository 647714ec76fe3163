/** The accounts that a transaction names, and what they allow. */
import type { Json } from "../../../base/json.ts";
import { pad, textWidth } from "../../../output/text/width.ts";
import { SOL_DECIMALS } from "../../../output/values/number.ts";
import { span } from "../../app/theme/text-line.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { fieldOf, listOf, textOf } from "../entity/json-fields.ts";
import { solChanges } from "./balances.ts";
import { type Pieces, signedText } from "./spans.ts";

const GAP = "  ";
const WHOLE = 44;

/** The rows of the accounts, in the order of the transaction. */
export function accountRows(detail: Json | undefined, pieces: Pieces): readonly TreeRow[] {
  const keys = listOf(fieldOf(detail, "account_keys"));
  // Older answers list no keys; their balances are in the same order.
  const rows = keys.length > 0 ? keys : listOf(fieldOf(detail, "sol_bal_change"));
  if (rows.length === 0) return [{ key: "none", line: [span("The answer names no accounts.", "note")] }];
  const changes = solChanges(detail);
  const signers = new Set(listOf(fieldOf(detail, "signer")).map(textOf));
  const programs = new Set(listOf(fieldOf(detail, "programs_involved")).map(textOf));
  const all = rows.map((row, at) => {
    const id = textOf(fieldOf(row, "pubkey")) ?? textOf(fieldOf(row, "address"));
    const by = changes.get(id ?? "");
    return {
      id,
      row,
      index: `${at}`,
      marks: marksOf(row, { signs: signers.has(id), pays: at === 0, runs: programs.has(id) }),
      change: by === undefined ? "" : `${signedText(by, SOL_DECIMALS)} SOL`,
      isLoss: by?.negative === true,
    };
  });
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const sizes = {
    index: widest(all.map(({ index }) => index)),
    short: widest(all.map(({ id }) => pieces.address(id, "pubkey").text)),
    change: widest(all.map(({ change }) => change)),
    marks: widest(all.map(({ marks }) => marks)),
  };
  const lineOf = (one: (typeof all)[number]) => (width: number) => {
    const whole = width >= sizes.index + WHOLE + sizes.change + sizes.marks + 3 * GAP.length;
    const address = pieces.address(one.id, "pubkey", { whole });
    const size = whole ? WHOLE : sizes.short;
    return [
      span(pad(one.index, sizes.index, "right"), "key"),
      span(GAP),
      address,
      span(" ".repeat(Math.max(0, size - textWidth(address.text))) + GAP),
      span(pad(one.change, sizes.change, "right"), one.isLoss ? "bad" : "good"),
      span(GAP),
      span(one.marks, "note"),
    ];
  };
  return all.map((one) => ({ key: one.index, line: lineOf(one), row: one.row }));
}

interface Marks {
  readonly signs: boolean;
  readonly pays: boolean;
  readonly runs: boolean;
}

/** What an account is to the transaction, in words. */
function marksOf(row: Json, { signs, pays, runs }: Marks): string {
  const writable = fieldOf(row, "writable");
  const words = [
    fieldOf(row, "signer") === true || signs ? (pays ? "signer, fee payer" : "signer") : undefined,
    runs ? "program" : undefined,
    writable === undefined || runs ? undefined : writable === true ? "writable" : "read only",
    fieldOf(row, "source") === "lookupTable" ? "looked up" : undefined,
  ];
  return words.filter((word) => word !== undefined).join(", ");
}
