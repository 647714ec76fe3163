/** Short forms of identifiers. Look-alike addresses stay apart: a form grows until no other identifier shares it. */

/** Characters kept at each end, at least. */
const MIN_END = 4;
/** Identifiers remembered; beyond it only those nearby are compared, so that memory does not grow with the list. */
const MAX_REMEMBERED = 20_000;

/** Gives the short form of an identifier: it differs from that of every other identifier shortened so far. */
export type Shorten = (id: string) => string;

/**
 * A shortener that knows nothing yet. Ask it for all identifiers of a page before showing one: then two that look
 * alike both have a longer form.
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

/** Both ends of an identifier with `…` between, or the whole where that is no shorter. */
function keepEnds(id: string, size: number): string {
  return id.length <= 2 * size + 1 ? id : `${id.slice(0, size)}…${id.slice(-size)}`;
}
