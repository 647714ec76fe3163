/** What arrives at once is handled at once. */

/**
 * The items in runs: the first alone, then as many as are there without waiting, `most` at the most. So what the first
 * run holds does not depend on how quickly items come. Who stops reading must end the source, which nobody waits for.
 */
export async function* batchArrivals<T>(items: AsyncIterable<T>, most: number): AsyncGenerator<T[], void> {
  const iterator = items[Symbol.asyncIterator]();
  const ask = () => {
    const coming = iterator.next();
    // A failure is met when its turn comes; until then it must not count as unhandled.
    coming.catch(() => {});
    return coming;
  };
  try {
    let coming = ask();
    for (let size = 1; ; size = most) {
      const first = await coming;
      if (first.done) return;
      const run = [first.value];
      coming = ask();
      // What needs no waiting has come before the event loop takes its next turn.
      const soon = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
      while (run.length < size) {
        const next = await Promise.race([coming.catch(() => undefined), soon]);
        if (!next || next.done) break;
        run.push(next.value);
        coming = ask();
      }
      yield run;
    }
  } finally {
    iterator.return?.().catch(() => {});
  }
}
