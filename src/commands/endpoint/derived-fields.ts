/** Fields that `--with` adds to rows: amounts in whole units, and values in US dollars, from exact numbers. */
import {
  decimalText,
  isObject,
  type Json,
  type JsonObject,
  scaleDown,
  textOf,
  toDecimal,
  toNumeric,
  UsageError,
} from "../../base/index.ts";
import {
  type Endpoint,
  type FieldMeta,
  loadEntityShape,
  returnsList,
  type Shape,
  UNKNOWN_SHAPE,
} from "../../catalogue/index.ts";
import { deriveShape } from "../../catalogue/schemas.ts";
import { TokenPrices } from "../../client/index.ts";
import { findDecimals } from "../../output/index.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";

/** The fields that can be added, by the words of `--with`. */
const FIELDS = {
  value: { name: "value_usd", kind: "usd", description: "Value at the latest price of the token" },
  amount_ui: { name: "amount_ui", kind: "amount", description: "Amount in whole units" },
} as const satisfies Record<string, FieldMeta & { readonly name: string }>;

type Word = keyof typeof FIELDS;

/** The fields that are added to the rows of one run. */
export interface DerivedFields {
  add(rows: readonly Json[]): Promise<readonly Json[]>;
  addToPages(pages: AsyncIterable<readonly Json[]>): AsyncGenerator<readonly Json[], void>;
  /** Returns a display with the fields as its last columns. */
  extend(display: DisplayOptions): DisplayOptions;
  extendShape(shape: Shape): Shape;
}

/**
 * Returns the fields of `--with`.
 * @throws UsageError for an unknown field, or one that the rows of the endpoint have no data for
 */
export async function openDerivedFields(context: RunContext, endpoint: Endpoint): Promise<DerivedFields> {
  const words = parseWith(context.globals.with ?? "");
  const shape = await loadEntityShape(endpoint.returns.entity);
  const source = findSource(shape);
  for (const word of words) {
    if (
      !returnsList(endpoint) ||
      (source.amount === undefined && (word === "amount_ui" || source.value === undefined))
    ) {
      throw new UsageError(`--with ${word} cannot be used with ${endpoint.command}, which has no rows with an amount.`);
    }
  }
  const prices = new TokenPrices(() => context.session.client(), context.io.signal);
  const read = createReader(prices, shape, source);
  const names = words.map((word) => FIELDS[word].name);
  const extendShape = (inner: Shape): Shape => ({
    ...inner,
    fields: [...inner.fields, ...names],
    field: (name) => {
      const field = words.map((word) => FIELDS[word]).find((each) => each.name === name);
      return field ? { ...UNKNOWN_SHAPE, meta: field, open: false } : inner.field(name);
    },
  });
  return {
    add: (rows) => read(rows, words),
    async *addToPages(pages) {
      for await (const rows of pages) yield await read(rows, words);
    },
    extendShape,
    extend: (display) => ({
      ...display,
      columns: [...(display.columns ?? []), ...names],
      entity: async () => {
        const entity = (await display.entity?.()) ?? UNKNOWN_SHAPE;
        return extendShape("field" in entity ? entity : deriveShape(entity));
      },
    }),
  };
}

/** @throws UsageError for unknown words */
function parseWith(text: string): readonly Word[] {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !Object.hasOwn(FIELDS, word));
  if (unknown === undefined) return [...new Set(words)] as readonly Word[];
  throw new UsageError(`invalid value "${unknown}" for --with: expected ${Object.keys(FIELDS).join(" or ")}`);
}

interface Source {
  /** The amount in base units; undefined for rows without. */
  readonly amount: string | undefined;
  /** The mint of the amount. */
  readonly mint: string | undefined;
  /** The value in US dollars, where the API sends it. */
  readonly value: string | undefined;
}

function findSource({ fields, field }: Shape): Source {
  const metaOf = (name: string) => field(name).meta;
  const isAmount = (name: string) => metaOf(name)?.kind === "tokenAmount" && metaOf(name)?.decimals !== undefined;
  const amount = fields.find((name) => /^amount$/i.test(name) && isAmount(name));
  const mint = (amount && metaOf(amount)?.token) ?? fields.find((name) => /^token_?address$/i.test(name));
  const value = fields.find((name) => /^value$/i.test(name) && metaOf(name)?.kind === "usd");
  return { amount, mint, value };
}

function createReader(prices: TokenPrices, shape: Shape, { amount, mint, value }: Source) {
  const readAmount = (row: JsonObject) => {
    const number = amount === undefined ? undefined : toDecimal(row[amount]);
    const decimals = amount === undefined ? undefined : findDecimals(shape.field(amount).meta, row);
    return number && decimals !== undefined ? scaleDown(number, decimals) : undefined;
  };
  const readMint = (row: JsonObject) => textOf(mint === undefined ? undefined : row[mint]);
  const readValue = (row: JsonObject): Json => {
    if (value !== undefined) return row[value] ?? null;
    const whole = readAmount(row);
    const worth = whole && prices.valueOf(readMint(row) ?? "", whole);
    return worth ? toNumeric(decimalText(worth)) : null;
  };
  const readers: Readonly<Record<Word, (row: JsonObject) => Json>> = {
    value: readValue,
    amount_ui: (row) => {
      const whole = readAmount(row);
      return whole ? toNumeric(decimalText(whole)) : null;
    },
  };
  return async (rows: readonly Json[], words: readonly Word[]): Promise<readonly Json[]> => {
    if (words.includes("value") && value === undefined)
      await prices.load(rows.filter(isObject).flatMap((row) => readMint(row) ?? []));
    return rows.map((row) => {
      if (!isObject(row)) return row;
      return { ...row, ...Object.fromEntries(words.map((word) => [FIELDS[word].name, readers[word](row)])) };
    });
  };
}
