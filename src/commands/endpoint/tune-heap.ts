/**
 * Keeps memory flat while a long list is read. By default V8 grows the space for new objects to 64 MB, and collects the
 * old space only when it has doubled. Some objects of each page get there, with their buffers: a long list would take
 * half as much memory again as a short one. Measured with 300,000 rows on Node 26: 111 MiB as NDJSON and 107 MiB as CSV,
 * 136 and 163 MiB without this module, which takes a tenth of the CPU time.
 */

/** Bytes of new objects between two collections, about: the capacity grows by whole factors. */
const NEW_OBJECTS = 6 * 1024 * 1024;
/** Maximum factor by which it grows at once. */
const MAX_GROWTH = 4;
/** Bytes of garbage in the old space, and of the buffers it holds, that may accumulate. */
const GARBAGE = 2 * 1024 * 1024;
/** Characters of a page from which on it counts as large: what large pages leave is collected soon. */
const LARGE_PAGE = 1_048_576;
/** Characters of large pages after which they are collected. */
const MAX_LARGE = 4_194_304;
/** Percent by which the heap may then grow between two collections. */
const LARGE_GROWTH = 20;
/** After a collection, none runs for this many times its duration, so that collecting stays a small part of the time. */
const PAUSE_FACTOR = 10;
/** The same for large pages, which take as long to read as to collect. */
const LARGE_PAUSE_FACTOR = 2;
/** Pages between two samples of the memory in use. */
const SAMPLE_PAGES = 16;
/**
 * Samples whose minimum counts: the memory in use between two collections of new objects says little about what the
 * next one leaves.
 */
const SAMPLES = 4;
/** Flags that can be changed while the program runs; others end it (`--no-parallel-marking`). */
const FLAGS = [
  // Objects allocated at the same place for every page are short-lived, even if some survived a collection.
  "--no-allocation-site-pretenuring",
  // The memory of finished compilations is otherwise held by the threads that compile, until the next one.
  "--no-maglev-destroy-on-background",
  // Smaller compilations hold less memory; what runs for long is compiled again by TurboFan, which inlines.
  "--no-maglev-inlining",
];
/** The latest Node that accepts these flags; others could complain on stderr. Bun and Deno have no such flags. */
const LATEST_NODE = 26;

const canTune = (): boolean =>
  Number.parseInt(process.versions.node, 10) <= LATEST_NODE && !("Bun" in globalThis) && !("Deno" in globalThis);

/**
 * Keeps the space for new objects at its present size, where most of what is made each second is garbage in the next one.
 * Measured with the dashboard of 500 wallets on Node 26: a peak of 128 MiB in two minutes, 141 MiB without.
 */
export async function keepNewSpace(): Promise<void> {
  if (canTune()) (await import("node:v8")).setFlagsFromString("--semi-space-growth-factor=1");
}

/** Returns a function to call after each page of a long list, with the size of the page. */
export async function tuneHeap(): Promise<(characters: number) => void> {
  if (!canTune()) return () => {};
  const [v8, { runInNewContext }] = await Promise.all([import("node:v8"), import("node:vm")]);
  for (const flag of FLAGS) v8.setFlagsFromString(flag);
  // Only a context created after the flag is set has the function.
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  v8.setFlagsFromString("--no-expose-gc");

  const space = (name: string) => v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === name);
  const newCapacity = () => {
    const { space_used_size = 0, space_available_size = NEW_OBJECTS } = space("new_space") ?? {};
    return space_used_size + space_available_size;
  };
  const usedBytes = () => (space("old_space")?.space_used_size ?? 0) + v8.getHeapStatistics().external_memory;
  let pages = 0;
  let grows = true;
  let low = Number.POSITIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  let large = 0;
  let pausedUntil = 0;
  const collectUnlessPaused = (pauseFactor: number) => {
    const started = performance.now();
    if (started < pausedUntil) return;
    collect();
    lowest = usedBytes();
    const ended = performance.now();
    pausedUntil = ended + pauseFactor * (ended - started);
    large = 0;
  };
  return (characters) => {
    pages += 1;
    if (grows) {
      // A short list reaches the capacity too, so that a long one takes no more memory.
      const factor = Math.round(NEW_OBJECTS / newCapacity());
      grows = factor > 1;
      v8.setFlagsFromString(`--semi-space-growth-factor=${Math.max(1, Math.min(MAX_GROWTH, factor))}`);
    }
    if (characters >= LARGE_PAGE) {
      if (large === 0) v8.setFlagsFromString(`--heap-growing-percent=${LARGE_GROWTH}`);
      large += characters;
      if (large >= MAX_LARGE) collectUnlessPaused(LARGE_PAUSE_FACTOR);
    }
    if (pages % SAMPLE_PAGES !== 0) return;
    low = Math.min(low, usedBytes());
    if (pages % (SAMPLE_PAGES * SAMPLES) !== 0) return;
    lowest = Math.min(lowest, low);
    const isWorthwhile = low >= lowest + GARBAGE;
    low = Number.POSITIVE_INFINITY;
    if (isWorthwhile) collectUnlessPaused(PAUSE_FACTOR);
  };
}
