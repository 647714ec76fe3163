/** Short forms of identifiers. Similar addresses stay distinct: a form grows until no other identifier shares it. */

/** The minimum number of characters at each end. */
const MIN_END = 4;
/** Identifiers that are remembered; after that the memory starts over, so that it does not grow with the list. */
const MAX_REMEMBERED = 20_000;

/** Returns the short form of an identifier, distinct from those of all identifiers shortened so far. */
export type Shorten = (id: string) => string;

/**
 * Returns a shortener without memory. Shorten all identifiers of a page first, so that two similar ones both get a longer
 * form.
 */
export function createShortener(): Shorten {
  const groups = new Map<string, Set<string>>();
  let remembered = 0;
  return (id) => {
    if (remembered >= MAX_REMEMBERED) {
      groups.clear();
      remembered = 0;
    }
    const key = keepEnds(id, MIN_END);
    const group = groups.get(key) ?? new Set();
    groups.set(key, group);
    if (!group.has(id)) remembered += 1;
    group.add(id);
    let size = MIN_END;
    for (const other of group) while (other !== id && keepEnds(other, size) === keepEnds(id, size)) size += 1;
    return keepEnds(id, size);
  };
}

/** Returns both ends of an identifier with `…` between, or the whole where that is not longer. */
function keepEnds(id: string, size: number): string {
  return id.length <= 2 * size + 1 ? id : `${id.slice(0, size)}…${id.slice(-size)}`;
}
