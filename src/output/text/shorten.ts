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
  /** The only identifier with a form; null when several share it, which all have longer ones. */
  const owners = new Map<string, string | null>();
  let remembered = 0;
  return (id) => {
    if (remembered >= MAX_REMEMBERED) {
      owners.clear();
      remembered = 0;
    }
    for (let size = MIN_END; ; size += 1) {
      const form = keepEnds(id, size);
      const owner = owners.get(form);
      if (owner === id) return form;
      if (owner === undefined) {
        owners.set(form, id);
        remembered += 1;
        return form;
      }
      if (owner === null) continue;
      owners.set(form, null);
      owners.set(keepEnds(owner, size + 1), owner);
    }
  };
}

/** Returns both ends of an identifier with `…` between, or the whole where that is not longer. */
function keepEnds(id: string, size: number): string {
  return id.length <= 2 * size + 1 ? id : `${id.slice(0, size)}…${id.slice(-size)}`;
}
