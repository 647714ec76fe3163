/** Short forms of identifiers. Look-alike addresses stay apart: a form grows until no other identifier shares it. */

/** Characters kept at each end, at least. */
const ENDS = 4;
/** Identifiers remembered; beyond it only those nearby are compared, so that memory does not grow with the list. */
const MEMORY = 20_000;

/** Gives the short form of an identifier: it differs from that of every other identifier shortened so far. */
export type Shorten = (id: string) => string;

/**
 * A shortener that knows nothing yet. Ask it for all identifiers of a page before showing one: then two that look
 * alike both have a longer form.
 */
export function createShortener(): Shorten {
  const groups = new Map<string, Set<string>>();
  let known = 0;
  return (id) => {
    if (known >= MEMORY) {
      groups.clear();
      known = 0;
    }
    const key = ends(id, ENDS);
    const group = groups.get(key) ?? new Set();
    groups.set(key, group);
    if (!group.has(id)) known += 1;
    group.add(id);
    let size = ENDS;
    for (const other of group) while (other !== id && ends(other, size) === ends(id, size)) size += 1;
    return ends(id, size);
  };
}

/** Both ends of an identifier with `…` between, or the whole where that is no shorter. */
function ends(id: string, size: number): string {
  return id.length <= 2 * size + 1 ? id : `${id.slice(0, size)}…${id.slice(-size)}`;
}
