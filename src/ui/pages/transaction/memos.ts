/** What the signers wrote into a transaction, in their own words. */
import type { Json } from "../../../base/json.ts";
import { safeText } from "../../../output/text/safe.ts";
import { span } from "../../app/theme/text-line.ts";
import type { LinkRow } from "../../widgets/tree/rows.ts";
import { fieldOf, listOf, textOf } from "../entity/json-fields.ts";

/** Characters of a memo that one line shows. */
const LONGEST = 2000;

/** The memos of a transaction, wherever in the tree of its calls they were written. */
export function memosOf(detail: Json | undefined): readonly string[] {
  const found: string[] = [];
  const open = [...listOf(fieldOf(detail, "parsed_instructions"))].reverse();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    open.push(...[...listOf(fieldOf(one, "inner_instructions"))].reverse());
    if (!/memo/i.test(textOf(fieldOf(one, "program")) ?? "")) continue;
    const raw = fieldOf(one, "data_raw");
    const info = fieldOf(raw, "info");
    const memo = textOf(fieldOf(info, "memo")) ?? textOf(info) ?? textOf(raw);
    if (memo !== undefined) found.push(memo);
  }
  return found;
}

/** The memos as rows: anybody's text, made harmless. */
export function memoRows(detail: Json | undefined): readonly LinkRow[] {
  return memosOf(detail).map((memo, at) => ({
    key: `memo ${at}`,
    line: () => [span(`“${safeText(memo.slice(0, LONGEST))}${memo.length > LONGEST ? "…" : ""}”`)],
    cell: { field: "memo", value: memo, kind: "text" },
  }));
}
