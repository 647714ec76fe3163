/** Collections and NFTs whose texts attack their readers. */
import type { CollectionPlan, ItemText } from "../data/collections.ts";
import { HOSTILE_COLLECTIONS, HOSTILE_META, HOSTILE_TEXTS } from "../data/hostile.ts";

/** Items of a hostile collection at size 1: one for each text, at least. */
const ITEMS = Object.keys(HOSTILE_TEXTS).length;

/** Every hostile text as the name of an item, with metadata to match. */
const texts: readonly ItemText[] = Object.values(HOSTILE_TEXTS).map((text, index) => ({
  name: text,
  symbol: text,
  uri: text,
  meta: HOSTILE_META[index % HOSTILE_META.length] ?? {},
}));

/** What `hostile` adds to the collections. */
export function hostileCollections(): readonly CollectionPlan[] {
  return HOSTILE_COLLECTIONS.map(([name, symbol], index) => ({
    name,
    symbol,
    item: name,
    description: name,
    website: "javascript:alert(1)",
    items: ITEMS,
    royalties: 10_000,
    price: 20,
    texts: [...texts.slice(index * 20), ...texts.slice(0, index * 20)],
  }));
}
