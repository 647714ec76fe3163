/** The fields that people read in a terminal, and their order: without those whose text a sibling has, and addresses of icons. */
import type { Json } from "../../base/index.ts";
import type { Kind, Shape } from "../../catalogue/index.ts";
import { formatValue, MISSING } from "../values/cell.ts";
import type { Clock } from "../values/time.ts";
import { valueAt } from "./paths.ts";

/** Kinds that take much width and say little: links, and nested values. */
const LATE_KINDS: ReadonlySet<string | undefined> = new Set(["url", "json"]);

/**
 * Returns the fields in the order of their importance: a narrow table drops the last ones. First come those that the
 * catalogue names; decimals (amounts are scaled by them), links and nested values are last. The exact text of a number
 * that is there too (`amount_str`) is left out.
 */
export function orderFields(names: readonly string[], shape: Shape): string[] {
  const distinct = names.filter((name) => !(name.endsWith("_str") && names.includes(name.slice(0, -"_str".length))));
  const isLate = (name: string) => /(^|_)decimals$/.test(name) || LATE_KINDS.has(shape.field(name).meta?.kind);
  const first = Object.keys(shape.meta?.first ?? {}).filter((name) => distinct.includes(name));
  return [...new Set([...first, ...distinct.filter((name) => !isLate(name)), ...distinct.filter(isLate)])];
}

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
