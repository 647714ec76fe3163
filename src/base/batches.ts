/** Batches of items. */

/** Splits items into batches of at most `size`. */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** How arriving items are batched. */
export interface BatchingOptions<T> {
  /** Items of a batch at most. */
  readonly maxSize: number;
  /** Items of the first batch, which waits for them (default 1). */
  readonly firstSize?: number;
  /** Returns the weight of an item, and the weight at which a batch ends (default: none has any). */
  readonly weigh?: (item: T) => number;
  readonly maxWeight?: number;
}

/**
 * Yields items in batches: the first `firstSize`, or all before the end or a failure, then at most `maxSize` of those that
 * arrive without waiting. The first batch therefore does not depend on how quickly items arrive. A caller that stops
 * early has to end the source itself: its `return()` is called but not awaited.
 */
export async function* batchArrivals<T>(
  items: AsyncIterable<T>,
  { maxSize, firstSize = 1, weigh = () => 0, maxWeight = Number.POSITIVE_INFINITY }: BatchingOptions<T>,
): AsyncGenerator<T[], void> {
  const iterator = items[Symbol.asyncIterator]();
  const requestNext = () => {
    const next = iterator.next();
    // The failure is handled when the item is awaited; until then it must not count as unhandled.
    next.catch(() => {});
    return next;
  };
  try {
    let pending = requestNext();
    for (let isFirst = true; ; isFirst = false) {
      const first = await pending;
      if (first.done) return;
      const batch = [first.value];
      let weight = weigh(first.value);
      pending = requestNext();
      // Items that need no waiting arrive before the next iteration of the event loop.
      const nextIteration = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
      const size = isFirst ? firstSize : maxSize;
      while (batch.length < size && weight < maxWeight) {
        const arrival = pending.catch(() => undefined);
        const next = await (isFirst ? arrival : Promise.race([arrival, nextIteration]));
        if (!next || next.done) break;
        batch.push(next.value);
        weight += weigh(next.value);
        pending = requestNext();
      }
      yield batch;
    }
  } finally {
    iterator.return?.().catch(() => {});
  }
}
