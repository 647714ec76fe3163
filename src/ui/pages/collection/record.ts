/** The page of an NFT collection. */
import { isObject, type JsonObject, listOf, pluralize, toDecimal } from "../../../base/index.ts";
import type { Column } from "../../../catalogue/index.ts";
import { NftCollection } from "../../../catalogue/schemas.ts";
import { textWidth } from "../../../output/index.ts";
import { type QueryState, rowsOf } from "../../navigation/data-store.ts";
import { span, textLine } from "../../navigation/theme/text-line.ts";
import { changeSpan, endpointAt, titleLine } from "../../widgets/cells.ts";
import { fieldValues, withNote } from "../entity/fields.ts";
import { entityRecord } from "../entity/record.ts";

const LISTS = endpointAt("/nft/collection/lists");
const ITEMS = endpointAt("/nft/collection/items");
const ACTIVITIES = endpointAt("/nft/activities");

/** What is said about an identifier that the API does not list. */
export const UNKNOWN_COLLECTION = "The API lists no collection with this identifier.";

/** Returns the collection: the answer is a list of one. */
export function readCollection(lists: QueryState): JsonObject | undefined {
  return rowsOf(lists)?.find(isObject);
}

/** Adds the currency beside each price column: a number alone is no price. */
function withCurrency(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) => {
    const path = typeof column === "string" ? column : column.path;
    if (!/(^|\.)price(\||$)/.test(path)) return [column];
    return [column, { path: path.replaceAll(/\bprice\b/g, "currency_token"), head: "in" }];
  });
}

/** The page of an NFT collection. */
export const COLLECTION = entityRecord({
  requests: { lists: { endpoint: LISTS, params: (collection, range) => ({ collection, range }) } },
  title: ({ states, id, clock, width }) => {
    const name = fieldValues(NftCollection, readCollection(states.lists), clock).line("name");
    return titleLine(
      name.filter(({ text }) => textWidth(text) > 0).map((one) => ({ ...one, role: one.role ?? "nft" })),
      id,
      width,
    );
  },
  notes: ({ states: { lists } }) =>
    rowsOf(lists) !== undefined && !readCollection(lists) ? [textLine(UNKNOWN_COLLECTION, "note")] : [],
  facts: ({ states, days, clock, unicode }) => {
    const collection = readCollection(states.lists);
    if (!collection) return [];
    const { line } = fieldValues(NftCollection, collection, clock);
    const change = toDecimal(collection.volumes_change_24h);
    return [
      { label: "floor", value: line("floor_price") },
      { label: "volume", value: withNote(line("volumes"), `in ${pluralize(days, "day")}`) },
      { label: "change 24h", value: change ? [changeSpan(change, unicode)] : [] },
      { label: "items", value: line("items") },
      { label: "symbol", value: line("symbol") },
      {
        label: "traded on",
        value: !collection.marketplaces ? [] : [span(pluralize(listOf(collection.marketplaces).length, "marketplace"))],
      },
    ];
  },
  tabs: [
    ...(
      [
        ["items", ITEMS],
        ["activity", ACTIVITIES],
      ] as const
    ).map(([name, endpoint]) => ({
      name,
      endpoint,
      params: (collection: string) => ({ collection }),
      columns: withCurrency(endpoint.columns),
    })),
    { name: "about", endpoint: LISTS, params: (collection) => ({ collection }) },
  ],
  panes: [
    { tab: "items", minimum: { width: 64, height: 12 }, weight: 4 },
    { tab: "activity", minimum: { width: 58, height: 12 }, weight: 4 },
    { tab: "about", minimum: { width: 48, height: 9 }, weight: 1 },
  ],
});
