/** Fields that people have no use for in a terminal: those whose text a sibling has, and addresses of icons. */
import type { Json } from "../../base/index.ts";
import type { Kind } from "../../catalogue/index.ts";
import { formatValue, MISSING } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import { type Shape, valueAt } from "./shape.ts";

/** Kinds in which the API repeats a quantity, and the kind of the field that has it, too. */
const REDUNDANT_KINDS: Partial<Record<Kind, Kind>> = { tokenAmount: "amount", isoTime: "unixTime" };

const ICON = /(?:^|_)(?:icon|logo|image)$/i;

/** Returns the part that is the same in all spellings of a name: `total_trades_24h` and `total_trade_24h`. */
const removePlurals = (name: string) => name.replace(/s(?=_|$)/g, "");

/**
 * Returns the fields without icons and without those that repeat a sibling: an amount in base units beside the same in
 * whole units, a time as text beside the same as a number, a value beside the same in another spelling of its name. A
 * field that differs in any of the rows stays.
 */
export function omitRedundant(names: readonly string[], shape: Shape, rows: readonly Json[], clock: Clock): string[] {
  const kindOf = (name: string) => shape.field(name).meta?.kind;
  const read = (name: string) =>
    rows.map((row) => formatValue(valueAt(row, [name]), shape.field(name).meta, row, clock).text);
  /** Returns the siblings that may repeat a field; the first spelling of a name stays. */
  const siblingsOf = (name: string, at: number) => {
    const kind = kindOf(name);
    const repeated = kind && REDUNDANT_KINDS[kind];
    return names.filter(
      (other, index) =>
        (repeated !== undefined && kindOf(other) === repeated) ||
        (index < at && removePlurals(other) === removePlurals(name)),
    );
  };
  return names.filter((name, at) => {
    if (kindOf(name) === "url" && ICON.test(name)) return false;
    const siblings = siblingsOf(name, at);
    if (siblings.length === 0) return true;
    const texts = read(name);
    if (texts.every((text) => text === MISSING.text)) return true;
    return !siblings.some((other) => read(other).join("\n") === texts.join("\n"));
  });
}
