/**
 * Requests pages before they are due. Requests are sent and answers are taken in the order of the pages. Pages that
 * turn out not to be needed are aborted, and so are all when reading stops.
 *
 * p-queue is not used here: not the number of concurrent requests is limited but that of pages beyond the current one,
 * it changes with every page, and waiting requests would have to be replaced when the list moves.
 */
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../answer/answer.ts";

/** Pages that may be in flight or in memory at a time. */
export const MAX_PAGES = 16;

/** Prefetches pages. */
export interface Prefetch {
  /**
   * Returns the answer for a page: the prefetched one if it is next in order, else a new one.
   * @throws what sending throws
   */
  take(at: ParameterValues): Promise<Answer>;
  /** Requests a page now, besides those in flight, unless it was prepared. @throws what sending throws */
  refetch(at: ParameterValues): Promise<Answer>;
  /** Requests a page that will be refetched after the next page was taken. */
  prepare(at: ParameterValues): void;
  /**
   * Prefetches the next pages.
   * @param count how many, at most {@link MAX_PAGES}
   * @param pageAt returns the parameters of the page after a number of others
   * @param isLast whether an answer shows that no page follows
   */
  request(count: number, pageAt: (pages: number) => ParameterValues, isLast: (answer: Answer) => boolean): void;
  /** Aborts prefetched pages, except for a number of the next ones. */
  cancel(remainingCount?: number): void;
  /** Aborts all requests for good. */
  close(): void;
}

interface PrefetchedPage {
  readonly at: string;
  readonly controller: AbortController;
  readonly promise: Promise<Answer>;
  answer?: Answer;
  hasFailed?: true;
}

/**
 * Creates a prefetch.
 * @param signal stops all requests, with its reason
 */
export function createPrefetch(
  send: (at: ParameterValues, signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal | undefined,
): Prefetch {
  const queue: PrefetchedPage[] = [];
  let prepared: PrefetchedPage | undefined;
  const running = new Set<AbortController>();
  const stop = () => {
    for (const controller of running) controller.abort(signal?.reason);
  };
  signal?.addEventListener("abort", stop);

  const start = (at: ParameterValues): PrefetchedPage => {
    const controller = new AbortController();
    running.add(controller);
    if (signal?.aborted) controller.abort(signal.reason);
    const promise = send(at, controller.signal).finally(() => running.delete(controller));
    const page: PrefetchedPage = { at: JSON.stringify(at), controller, promise };
    promise.then(
      (answer) => {
        page.answer = answer;
      },
      // A failure is reported when the page is taken, if ever; before that it must not be an unhandled rejection.
      () => {
        page.hasFailed = true;
      },
    );
    return page;
  };
  const cancel = (remainingCount = 0) => {
    for (const { controller } of queue.splice(remainingCount)) controller.abort();
    prepared?.controller.abort();
    prepared = undefined;
  };
  const isNext = (at: ParameterValues) => queue[0]?.at === JSON.stringify(at);

  return {
    take(at) {
      if (!isNext(at)) cancel();
      return (queue.shift() ?? start(at)).promise;
    },
    refetch(at) {
      const page = prepared?.at === JSON.stringify(at) ? prepared : start(at);
      prepared = undefined;
      return page.promise;
    },
    prepare(at) {
      prepared ??= start(at);
    },
    request(count, pageAt, isLast) {
      if (!isNext(pageAt(0))) cancel();
      const isOver = ({ answer, hasFailed }: PrefetchedPage) => hasFailed || (answer !== undefined && isLast(answer));
      if (queue.some(isOver)) return;
      while (queue.length < Math.min(count, MAX_PAGES)) queue.push(start(pageAt(queue.length)));
    },
    cancel,
    close() {
      signal?.removeEventListener("abort", stop);
      for (const controller of running) controller.abort();
      queue.length = 0;
    },
  };
}
