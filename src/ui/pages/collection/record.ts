/** The page of an NFT collection. */
import { isObject, type JsonObject } from "../../../base/index.ts";
import { type QueryState, rowsOf } from "../../navigation/data-store.ts";
import { textLine } from "../../navigation/theme/text-line.ts";
import { endpointAt, titleLine } from "../../widgets/cells.ts";
import { entityRecord } from "../entity/record.ts";
import { collectionFacts, collectionName, withCurrency } from "./summary.ts";

const LISTS = endpointAt("/nft/collection/lists");
const ITEMS = endpointAt("/nft/collection/items");
const ACTIVITIES = endpointAt("/nft/activities");

/** What is said about an identifier that the API does not list. */
export const UNKNOWN_COLLECTION = "The API lists no collection with this identifier.";

/** Returns the collection: the answer is a list of one. */
export function readCollection(lists: QueryState): JsonObject | undefined {
  return rowsOf(lists)?.find(isObject);
}

/** The page of an NFT collection. */
export const COLLECTION = entityRecord({
  requests: { lists: { endpoint: LISTS, params: (collection, range) => ({ collection, range }) } },
  title: ({ states, id, clock, width }) => titleLine(collectionName(readCollection(states.lists), clock), id, width),
  notes: ({ states: { lists } }) =>
    rowsOf(lists) !== undefined && !readCollection(lists) ? [textLine(UNKNOWN_COLLECTION, "note")] : [],
  facts: ({ states, days, clock, unicode }) => collectionFacts(readCollection(states.lists), days, { clock, unicode }),
  tabs: [
    {
      name: "items",
      endpoint: ITEMS,
      params: (collection) => ({ collection }),
      columns: withCurrency(ITEMS.columns),
      addressEntity: "token",
    },
    {
      name: "activity",
      endpoint: ACTIVITIES,
      params: (collection) => ({ collection }),
      columns: withCurrency(ACTIVITIES.columns),
      addressEntity: "token",
    },
    { name: "about", endpoint: LISTS, params: (collection) => ({ collection }) },
  ],
});
