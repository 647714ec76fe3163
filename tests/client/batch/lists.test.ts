import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InterruptedError, NotFoundError, QuotaError } from "../../../src/base/errors.ts";
import { type ListPart, type ListSource, type ListsOptions, readLists } from "../../../src/client/batch/lists.ts";
import type { Page } from "../../../src/client/index.ts";
import { failure } from "../servers.ts";

/** Lists in memory: the number of pages of each, or the failure after its first page. */
function sourceOf(
  pagesOf: (input: string) => number | Error,
  wait: () => Promise<void> = async () => {},
  body: () => string = () => "",
) {
  const state = { begun: 0, closed: 0, requests: [] as string[] };
  const source: ListSource = {
    async *open(input) {
      state.begun += 1;
      const pages = pagesOf(input);
      try {
        for (let page = 0; page < (typeof pages === "number" ? pages : 2); page += 1) {
          state.requests.push(`${input}/${page}`);
          await wait();
          if (page > 0 && typeof pages !== "number") throw pages;
          yield { rows: [`${input}/${page}`], answer: { body: body() } } as unknown as Page;
        }
      } finally {
        state.closed += 1;
      }
    },
  };
  return { source, state };
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `list ${at}`);
const rowOf = (part: ListPart) => part.page?.rows[0] ?? part.error?.exit ?? "end";

async function all(source: ListSource, inputs: Iterable<string>, options?: ListsOptions) {
  const parts: unknown[] = [];
  for await (const part of readLists(source, inputs, options)) parts.push(rowOf(part));
  return parts;
}

describe("lists", () => {
  it("are opened a few at a time, and only the first page of those that wait is requested", async () => {
    const { source, state } = sourceOf(() => 5);
    const reading = readLists(source, names(100));
    for (let page = 0; page < 5; page += 1) {
      expect(rowOf((await reading.next()).value as ListPart)).toBe(`list 0/${page}`);
    }
    for (let tick = 0; tick < 20; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(state.begun).toBe(8);
    expect(state.requests.filter((page) => !page.startsWith("list 0/"))).toEqual(
      names(8)
        .slice(1)
        .map((name) => `${name}/0`),
    );
    await reading.return();
    for (let tick = 0; tick < 5; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(state.closed).toBe(8);
  });

  it.each([
    [5, 1],
    [3, 2],
    [1, 8],
  ])("with pages of %i MB are opened %i at a time", async (megabytes, count) => {
    const body = "x".repeat(megabytes * 1_000_000);
    const { source, state } = sourceOf(
      () => 2,
      async () => {},
      () => body,
    );
    // Two are opened before the size of a page is known.
    for await (const { number } of readLists(source, names(20))) {
      expect(state.begun - number).toBeLessThanOrEqual(Math.max(2, count));
    }
    expect(state.begun).toBe(20);
  });

  it("have the rows, the order and the failures of reading one after the other", async () => {
    const fates = fc.array(fc.oneof(fc.nat(3), fc.constant(new NotFoundError("Unknown."))), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fates, fc.boolean(), fc.scheduler(), async (lengths, unordered, scheduler) => {
        const { source } = sourceOf(
          (input) => lengths[Number(input.slice(5))] ?? 0,
          () => scheduler.schedule(Promise.resolve()),
        );
        const run = all(source, names(lengths.length), { unordered });
        await scheduler.waitFor(run);
        const expected = lengths.flatMap((fate, at) =>
          typeof fate === "number"
            ? [...Array.from({ length: fate }, (_, page) => `list ${at}/${page}`), "end"]
            : [`list ${at}/0`, "notFound"],
        );
        const parts = await run;
        expect(unordered ? parts.toSorted() : parts).toEqual(unordered ? expected.toSorted() : expected);
      }),
      { numRuns: 60 },
    );
  });

  it("end with a failure that concerns all of them, after the parts before it", async () => {
    const { source, state } = sourceOf((input) => (input === "list 2" ? new QuotaError("Spent.") : 1));
    const parts: unknown[] = [];
    const run = async () => {
      for await (const part of readLists(source, names(500))) parts.push(rowOf(part));
    };
    expect((await failure(run())).exitCode).toBe(7);
    expect(parts).toEqual(["list 0/0", "end", "list 1/0", "end", "list 2/0"]);
    expect(state.begun).toBeLessThan(20);
  });

  it("end with the first failure with failFast", async () => {
    const { source, state } = sourceOf((input) => (input === "list 9" ? new NotFoundError("Unknown.") : 1));
    const error = await failure(all(source, names(500), { failFast: true }));
    expect(error).toMatchObject({ exitCode: 5, message: "list 9: Unknown." });
    expect(state.begun).toBeLessThan(30);
  });

  it("end when the signal fires, even if nothing arrives", async () => {
    const stop = new AbortController();
    const { source } = sourceOf(
      () => 1,
      () => new Promise(() => {}),
    );
    const ending = failure(all({ ...source, signal: stop.signal }, names(3)));
    stop.abort();
    expect(await ending).toBeInstanceOf(InterruptedError);
  });
});
