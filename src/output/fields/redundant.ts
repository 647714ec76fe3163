/** Fields that are redundant for people, since a sibling has the same text. */
import type { Json } from "../../base/index.ts";
import type { Kind } from "../../catalogue/index.ts";
import { formatValue, MISSING } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import { valueAt } from "./path.ts";
import type { Shape } from "./shape.ts";

/** Kinds in which the API repeats a quantity, and the kind of the field that has it, too. */
const REDUNDANT_KINDS: Partial<Record<Kind, Kind>> = { tokenAmount: "amount", isoTime: "unixTime" };

/**
 * Returns the fields without those that repeat a sibling: an amount in base units beside the same in whole units, a time
 * as text beside the same as a number. A field that differs in any of the rows stays.
 */
export function omitRedundant(names: readonly string[], shape: Shape, rows: readonly Json[], clock: Clock): string[] {
  const kindOf = (name: string) => shape.field(name).meta?.kind;
  const read = (name: string) =>
    rows.map((row) => formatValue(valueAt(row, [name]), shape.field(name).meta, row, clock).text);
  return names.filter((name) => {
    const kind = kindOf(name);
    const repeated = kind && REDUNDANT_KINDS[kind];
    if (repeated === undefined) return true;
    const texts = read(name);
    if (texts.every((text) => text === MISSING.text)) return true;
    return !names.some((other) => kindOf(other) === repeated && read(other).join("\n") === texts.join("\n"));
  });
}
