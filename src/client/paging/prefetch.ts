/**
 * Pages that were asked for before their turn. Requests are sent in the order of the pages; answers are taken in that
 * order too. What turns out not to be needed is aborted, and so is everything when reading stops.
 */
import type { ParameterValues } from "../../catalogue/index.ts";
import type { Answer } from "../http/decode.ts";

/** Pages that are under way or held at a time. */
export const MAX_PAGES = 16;

/** Sends requests ahead. */
export interface Prefetch {
  /**
   * The answer for a place in the list: the one that is under way where it was asked for next, else a new one.
   * @throws what sending throws
   */
  take(at: ParameterValues): Promise<Answer>;
  /** Asks for a page now, beside those that are under way. @throws what sending throws */
  refetch(at: ParameterValues): Promise<Answer>;
  /**
   * Sees to it that the next pages are under way.
   * @param count how many, of which no more than {@link MAX_PAGES}
   * @param place where the page is that comes after so many others
   * @param isLast whether an answer that came shows that no page follows
   */
  request(count: number, place: (pages: number) => ParameterValues, isLast: (answer: Answer) => boolean): void;
  /** Gives up what is under way, but for so many of the next pages. */
  cancel(keepCount?: number): void;
  /** Gives up what is under way, for good. */
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
 * Makes a prefetch.
 * @param signal stops everything, with its reason
 */
export function createPrefetch(
  send: (at: ParameterValues, signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal | undefined,
): Prefetch {
  const queue: PrefetchedPage[] = [];
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
    const entry: PrefetchedPage = { at: JSON.stringify(at), controller, promise };
    promise.then(
      (answer) => {
        entry.answer = answer;
      },
      // A failure is met when the page's turn comes, or never; until then it must not count as unhandled.
      () => {
        entry.hasFailed = true;
      },
    );
    return entry;
  };
  const drop = (keepCount = 0) => {
    for (const { controller } of queue.splice(keepCount)) controller.abort();
  };
  const isNext = (at: ParameterValues) => queue[0]?.at === JSON.stringify(at);

  return {
    take(at) {
      if (!isNext(at)) drop();
      return (queue.shift() ?? start(at)).promise;
    },
    refetch: (at) => start(at).promise,
    request(count, place, isLast) {
      if (!isNext(place(0))) drop();
      const isOver = ({ answer, hasFailed }: PrefetchedPage) => hasFailed || (answer !== undefined && isLast(answer));
      if (queue.some(isOver)) return;
      while (queue.length < Math.min(count, MAX_PAGES)) queue.push(start(place(queue.length)));
    },
    cancel: drop,
    close() {
      signal?.removeEventListener("abort", stop);
      for (const controller of running) controller.abort();
      queue.length = 0;
    },
  };
}
