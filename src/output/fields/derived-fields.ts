/** Fields that follow from the amounts of rows and are added to them: whole units, and values in US dollars. */
import {
  type Decimal,
  decimalText,
  isObject,
  type Json,
  type JsonObject,
  scaleDown,
  textOf,
  toDecimal,
  toNumeric,
} from "../../base/index.ts";
import { type FieldMeta, type Shape, UNKNOWN_SHAPE } from "../../catalogue/index.ts";
import { findDecimals } from "../values/cell.ts";

/** The fields by the words of `--with`. */
export const DERIVED_FIELDS = {
  value: { name: "value_usd", kind: "usd", label: "value now", description: "Value at the latest price of the token" },
  amount_ui: { name: "amount_ui", kind: "amount", description: "Amount in whole units" },
} as const satisfies Record<string, FieldMeta & { readonly name: string }>;

/** A word of `--with`. */
export type DerivedField = keyof typeof DERIVED_FIELDS;

/** Returns the value of whole units of a token in US dollars; undefined where its price is not known. */
export type Valuation = (mint: string, amount: Decimal) => Decimal | undefined;

/** Reads derived fields of the rows of one shape. */
export interface DerivedFieldReader {
  canRead(word: DerivedField): boolean;
  /** Returns the tokens whose prices the values of rows need. */
  pricedMints(rows: readonly Json[]): readonly string[];
  read(row: JsonObject, word: DerivedField, valuation: Valuation): Json;
  add(rows: readonly Json[], words: readonly DerivedField[], valuation: Valuation): readonly Json[];
}

/** Returns a reader for rows of a shape. */
export function createDerivedFieldReader({ fields, field }: Shape): DerivedFieldReader {
  const metaOf = (name: string) => field(name).meta;
  const isAmount = (name: string) => metaOf(name)?.kind === "tokenAmount" && metaOf(name)?.decimals !== undefined;
  const amount = fields.find((name) => /^amount$/i.test(name) && isAmount(name));
  const mint = (amount && metaOf(amount)?.token) ?? fields.find((name) => /^token_?address$/i.test(name));
  /** The value, where the API sends it. */
  const sent = fields.find((name) => /^value$/i.test(name) && metaOf(name)?.kind === "usd");
  const readMint = (row: JsonObject) => textOf(mint === undefined ? undefined : row[mint]);
  const readAmount = (row: JsonObject) => {
    const number = amount === undefined ? undefined : toDecimal(row[amount]);
    const decimals = amount === undefined ? undefined : findDecimals(metaOf(amount), row);
    return number && decimals !== undefined ? scaleDown(number, decimals) : undefined;
  };
  const read: DerivedFieldReader["read"] = (row, word, valuation) => {
    if (word === "value" && sent !== undefined) return row[sent] ?? null;
    const whole = readAmount(row);
    const number = whole && word === "value" ? valuation(readMint(row) ?? "", whole) : whole;
    return number ? toNumeric(decimalText(number)) : null;
  };
  return {
    canRead: (word) => amount !== undefined || (word === "value" && sent !== undefined),
    pricedMints: (rows) => (sent === undefined ? rows.filter(isObject).flatMap((row) => readMint(row) ?? []) : []),
    read,
    add: (rows, words, valuation) =>
      rows.map((row) => {
        if (!isObject(row)) return row;
        const added = words.map((word) => [DERIVED_FIELDS[word].name, read(row, word, valuation)]);
        return { ...row, ...Object.fromEntries(added) };
      }),
  };
}

/** Returns a shape with derived fields as its last ones. */
export function withDerivedFields(shape: Shape, words: readonly DerivedField[]): Shape {
  const added = words.map((word) => DERIVED_FIELDS[word]);
  return {
    ...shape,
    fields: [...shape.fields, ...added.map(({ name }) => name)],
    field(name) {
      const meta = added.find((one) => one.name === name);
      return meta ? { ...UNKNOWN_SHAPE, meta, open: false } : shape.field(name);
    },
  };
}
