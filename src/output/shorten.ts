/** Short forms of identifiers. Look-alike addresses stay apart: a form grows until no other identifier shares it. */

/** Characters kept at each end, at least. */
const ENDS = 4;
/** Identifiers remembered; beyond it only those nearby are compared, so that memory does not grow with the list. */
const MEMORY = 20_000;

/** Shortens identifiers that are shown together. */
export interface Shortener {
  /** Makes identifiers known, before any of them is shortened. */
  add(ids: readonly string[]): void;
  /** The short form: it differs from that of every other identifier known. */
  short(id: string): string;
}

/** A shortener that knows nothing yet. */
export function createShortener(): Shortener {
  const groups = new Map<string, Set<string>>();
  let known = 0;
  const group = (id: string): Set<string> => {
    const key = ends(id, ENDS);
    const members = groups.get(key) ?? new Set();
    groups.set(key, members);
    return members;
  };
  const add = (id: string) => {
    if (known >= MEMORY) {
      groups.clear();
      known = 0;
    }
    const members = group(id);
    if (!members.has(id)) known += 1;
    members.add(id);
  };
  return {
    add: (ids) => ids.forEach(add),
    short: (id) => {
      add(id);
      let size = ENDS;
      for (const other of group(id)) while (other !== id && ends(other, size) === ends(id, size)) size += 1;
      return ends(id, size);
    },
  };
}

/** Both ends of an identifier with `…` between, or the whole where that is no shorter. */
function ends(id: string, size: number): string {
  return id.length <= 2 * size + 1 ? id : `${id.slice(0, size)}…${id.slice(-size)}`;
}
