/**
 * Keeps memory flat while much is read. Left alone, V8 lets the space for new objects grow to 64 MB, and looks for dead
 * objects among those that it takes for long-lived only when there are twice as many. Some of each page are among them,
 * with the buffers that they hold: a long list would take half as much again as a short one.
 */

/** Bytes that the space for new objects may take. */
const NEW_SPACE = 16 * 1024 * 1024;
/** The greatest factor by which it grows at once. */
const MAX_GROWTH = 4;
/** Bytes of dead long-lived objects, and of what they hold, that may come together. */
const GARBAGE = 4 * 1024 * 1024;
/** After clearing, nothing is cleared for so many times as long as it took: it never takes much of the time. */
const REST = 10;
/** Pages after which it is looked at how many there are. */
const SOME_PAGES = 16;
/**
 * Looks of which the least counts: what was held between two collections of new objects says little of what will be
 * left by the next.
 */
const SAMPLES = 4;
/** The last Node whose V8 is known to know these flags: others would complain on standard error. */
const LAST_KNOWN = 26;

/** What is to be called after each page of a long reading. */
export async function tuneHeap(): Promise<() => void> {
  if (Number.parseInt(process.versions.node, 10) > LAST_KNOWN) return () => {};
  const [v8, { runInNewContext }] = await Promise.all([import("node:v8"), import("node:vm")]);
  // What is made at the same place for every page is not for long, however often some of it was found alive.
  v8.setFlagsFromString("--no-allocation-site-pretenuring");
  // Only a context that is made after the flag has the function.
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  v8.setFlagsFromString("--no-expose-gc");

  const space = (name: string) => v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === name);
  const usedBytes = () => (space("old_space")?.space_used_size ?? 0) + v8.getHeapStatistics().external_memory;
  let pages = 0;
  let grows = true;
  let low = Number.POSITIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  let restsUntil = 0;
  return () => {
    pages += 1;
    if (grows) {
      // A short list gets there as well, so that a long one takes no more.
      const factor = Math.round(NEW_SPACE / (space("new_space")?.space_size ?? NEW_SPACE));
      grows = factor > 1;
      v8.setFlagsFromString(`--semi-space-growth-factor=${Math.max(1, Math.min(MAX_GROWTH, factor))}`);
    }
    if (pages % SOME_PAGES !== 0) return;
    low = Math.min(low, usedBytes());
    if (pages % (SOME_PAGES * SAMPLES) !== 0) return;
    lowest = Math.min(lowest, low);
    const isMuch = low >= lowest + GARBAGE;
    low = Number.POSITIVE_INFINITY;
    const started = performance.now();
    if (!isMuch || started < restsUntil) return;
    collect();
    lowest = usedBytes();
    const ended = performance.now();
    restsUntil = ended + REST * (ended - started);
  };
}
