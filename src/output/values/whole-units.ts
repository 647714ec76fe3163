/** Rows with their amounts in whole units, for spreadsheets and other readers that know nothing of decimals. */
import {
  type Decimal,
  decimalText,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  scaleDown,
  toDecimal,
  toNumeric,
} from "../../base/index.ts";
import type { FieldMeta, Shape } from "../../catalogue/index.ts";
import { findDecimals } from "./cell.ts";
import { SOL_DECIMALS } from "./number.ts";

/**
 * Returns a function that converts rows of a shape: amounts in base units to whole units, lamports to SOL. Every digit
 * stays; amounts without known decimals stay as they are.
 */
export function createUnitConverter(shape: Shape): (value: Json) => Json {
  const fields = new Map<string, FieldConverter>();
  const fieldOf = (name: string): FieldConverter => {
    const known = fields.get(name);
    if (known) return known;
    const inner = shape.field(name);
    const field = { meta: inner.meta, convert: lazily(() => createUnitConverter(inner)) };
    fields.set(name, field);
    return field;
  };
  const convertObject = (value: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const { meta, convert } = fieldOf(name);
        return [name, typeof inner === "object" && !isNumeric(inner) ? convert(inner) : wholeUnits(inner, meta, value)];
      }),
    );
  const convert = (value: Json): Json => {
    if (isArray(value)) return value.map(convert);
    return isObject(value) ? convertObject(value) : value;
  };
  return convert;
}

interface FieldConverter {
  readonly meta: FieldMeta | undefined;
  readonly convert: (value: Json) => Json;
}

/** Creates the converter of a field when it is first needed, since schemas may be recursive. */
function lazily(create: () => (value: Json) => Json): (value: Json) => Json {
  let convert: ((value: Json) => Json) | undefined;
  return (value) => {
    convert ??= create();
    return convert(value);
  };
}

/** Returns an amount in whole units, as a number or a text like before; anything else as it is. */
function wholeUnits(value: Json, meta: FieldMeta | undefined, parent: JsonObject): Json {
  const decimals =
    meta?.kind === "lamports" ? SOL_DECIMALS : meta?.kind === "tokenAmount" ? findDecimals(meta, parent) : undefined;
  const amount: Decimal | undefined = decimals === undefined ? undefined : toDecimal(value);
  if (!amount || decimals === undefined) return value;
  const text = decimalText(scaleDown(amount, decimals));
  return typeof value === "string" ? text : toNumeric(text);
}
