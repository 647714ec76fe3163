/** The fields that `--with` adds to rows. */
import { type Json, UsageError } from "../../base/index.ts";
import { type Endpoint, loadEntityShape, returnsList, type Shape, UNKNOWN_SHAPE } from "../../catalogue/index.ts";
import { deriveShape } from "../../catalogue/schemas.ts";
import { TokenPrices } from "../../client/index.ts";
import { createDerivedFieldReader, DERIVED_FIELDS, type DerivedField, withDerivedFields } from "../../output/index.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";

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
  const reader = createDerivedFieldReader(shape);
  for (const word of words) {
    if (!returnsList(endpoint) || !reader.canRead(word))
      throw new UsageError(`--with ${word} cannot be used with ${endpoint.command}, which has no rows with an amount.`);
  }
  const prices = new TokenPrices(() => context.session.client(), context.io.signal);
  const add = async (rows: readonly Json[]) => {
    if (words.includes("value")) await prices.load(reader.pricedMints(rows));
    return reader.add(rows, words, prices.valueOf);
  };
  const extendShape = (inner: Shape) => withDerivedFields(inner, words);
  return {
    add,
    async *addToPages(pages) {
      for await (const rows of pages) yield await add(rows);
    },
    extendShape,
    extend: (display) => ({
      ...display,
      columns: [...(display.columns ?? []), ...words.map((word) => DERIVED_FIELDS[word].name)],
      entity: async () => {
        const entity = (await display.entity?.()) ?? UNKNOWN_SHAPE;
        return extendShape("field" in entity ? entity : deriveShape(entity));
      },
    }),
  };
}

/** @throws UsageError for unknown words */
function parseWith(text: string): readonly DerivedField[] {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !Object.hasOwn(DERIVED_FIELDS, word));
  if (unknown === undefined) return [...new Set(words)] as readonly DerivedField[];
  throw new UsageError(`invalid value "${unknown}" for --with: expected ${Object.keys(DERIVED_FIELDS).join(" or ")}`);
}
