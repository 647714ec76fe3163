/** Fields of answers as values of facts. */
import type { JsonObject } from "../../../base/index.ts";
import { type Clock, compactNumber } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, type EntitySchema, formatField } from "../../widgets/cells.ts";

/** Returns a large number with three digits, anything else as it is. */
export const shortNumber = (text: string): string => compactNumber(text) ?? text;

interface FieldValues {
  readonly text: (field: string) => string;
  readonly line: (field: string) => TextLine;
  /** Returns a field without its role, large numbers with three digits. */
  readonly short: (field: string) => TextLine;
}

/** Returns the functions that format the fields of an object. */
export function fieldValues(entity: EntitySchema, object: JsonObject | undefined, clock: Clock): FieldValues {
  const known = (field: string) => {
    const cell = formatField(entity, object, field, clock);
    return cell.role === "missing" ? undefined : cell;
  };
  return {
    text: (field) => known(field)?.text ?? "",
    line(field) {
      const cell = known(field);
      return cell ? [cellSpan(cell)] : [];
    },
    short(field) {
      const cell = known(field);
      return cell ? [span(shortNumber(cell.text))] : [];
    },
  };
}

/** Returns a value with a note behind it; nothing without a value. */
export function withNote(value: TextLine, note: string): TextLine {
  return value.length === 0 || note === "" ? value : [...value, span(` ${note}`, "note")];
}
