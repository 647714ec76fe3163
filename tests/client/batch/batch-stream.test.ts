import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InterruptedError, NotFoundError, PermissionError, QuotaError, UsageError } from "../../../src/base/errors.ts";
import type { Json } from "../../../src/base/json.ts";
import { endpointByPath } from "../../../src/catalogue/index.ts";
import { type BatchItem, type ManyOptions, readBatch } from "../../../src/client/batch/batch.ts";
import type { BatchSource } from "../../../src/client/batch/batch-requests.ts";
import type { Answer } from "../../../src/client/index.ts";
import { failure, NOW } from "../servers.ts";

const endpoint = (path: string) => {
  const match = endpointByPath("v2", path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};

const idOf = (at: number) =>
  base58.encode(
    new Uint8Array(32)
      .fill(7)
      .with(0, 1 + (at >> 16))
      .with(1, at >> 8)
      .with(2, at),
  );
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => idOf(at));

/** The answers of a simulated API to the identifiers of a request. */
type Api = (ids: readonly string[], isPack: boolean) => Promise<readonly (Json | undefined)[]>;

const known: Api = async (ids) => ids.map((address) => ({ address }));

/** A source over an API in memory that records the identifiers of each request; `body` is that of each answer. */
function sourceOf(
  api: Api = known,
  path = "/token/meta",
  { body = "", ...more }: Partial<BatchSource> & { readonly body?: string } = {},
) {
  const requests: (readonly string[])[] = [];
  const state = { running: 0, most: 0, notes: [] as string[] };
  const source: BatchSource = {
    endpoint: endpoint(path),
    params: {},
    now: NOW,
    onNote: (text) => state.notes.push(text),
    fetch: async (target, params) => {
      const input = params.address as string | readonly string[];
      const ids = typeof input === "string" ? [input] : input;
      requests.push(ids);
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      try {
        const isPack = target.path.endsWith("/multi");
        const rows = (await api(ids, isPack)).filter((row) => row !== undefined);
        if (!isPack && rows.length === 0) throw new NotFoundError("Unknown.");
        const data = isPack ? rows : (rows[0] as Json);
        return { data, rows: isPack ? rows : undefined, status: 200, body } as unknown as Answer;
      } finally {
        state.running -= 1;
      }
    },
    ...more,
  };
  return { source, requests, state };
}

async function all(source: BatchSource, inputs: Iterable<string> | AsyncIterable<string>, options?: ManyOptions) {
  const items: BatchItem[] = [];
  for await (const item of readBatch(source, inputs, options)) items.push(item);
  return items;
}

/** The items, and the error that ended them. */
async function until(source: BatchSource, inputs: Iterable<string>, options?: ManyOptions) {
  const items: BatchItem[] = [];
  const error = await failure(
    (async () => {
      for await (const item of readBatch(source, inputs, options)) items.push(item);
    })(),
  );
  return { items, error };
}

/** Identifiers that arrive when they are pushed. */
function channel() {
  const waiting: string[] = [];
  const state = { isOver: false, read: 0 };
  let wake = () => {};
  async function* read() {
    for (;;) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        state.read += 1;
        yield next;
      }
      if (state.isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const push = (...ids: string[]) => {
    waiting.push(...ids);
    wake();
  };
  const end = () => {
    state.isOver = true;
    wake();
  };
  return { read, push, end };
}

/** An API that answers when it is released. */
function heldApi() {
  const waiting = new Map<string, () => void>();
  let changed = () => {};
  const api: Api = async (ids) => {
    await new Promise<void>((resolve) => {
      waiting.set(ids.join(), resolve);
      changed();
    });
    return known(ids, false);
  };
  const release = async (...ids: string[]) => {
    while (!waiting.has(ids.join())) {
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
    waiting.get(ids.join())?.();
  };
  return { api, release };
}

describe("identifiers from a stream", () => {
  it("are packed to the limit, however many there are", async () => {
    const { source, requests } = sourceOf();
    const ids = idsOf(10_000);
    async function* slowly() {
      for (const [at, id] of ids.entries()) {
        // Read like a file: in parts, with turns of the event loop in between.
        if (at % 1471 === 0) await new Promise((resolve) => setImmediate(resolve));
        yield id;
      }
    }
    const items = await all(source, slowly());
    expect(items.map(({ input }) => input)).toEqual(ids);
    expect(items.every(({ input, data }) => (data as { address: string }).address === input)).toBe(true);
    expect(requests.length).toBe(500);
  });

  it("are answered before the input ends", async () => {
    const { source, requests } = sourceOf();
    const input = channel();
    const items = readBatch(source, input.read());
    input.push(idOf(1), idOf(2), "nonsense");
    expect((await items.next()).value).toMatchObject({ input: idOf(1), data: { address: idOf(1) } });
    expect((await items.next()).value).toMatchObject({ input: idOf(2) });
    expect((await items.next()).value).toMatchObject({ input: "nonsense", error: { name: "UsageError" } });
    expect(requests).toEqual([[idOf(1), idOf(2)]]);
    const next = items.next();
    input.push(idOf(3));
    expect((await next).value).toMatchObject({ input: idOf(3) });
    input.end();
    expect((await items.next()).done).toBe(true);
  });

  it("are read only while few items are pending", async () => {
    const { source } = sourceOf();
    const state = { read: 0 };
    function* endless() {
      for (;;) yield idOf(state.read++);
    }
    const items = readBatch(source, endless());
    for (let count = 0; count < 3000; count += 1) {
      expect((await items.next()).value).toMatchObject({ input: idOf(count) });
      expect(state.read - count).toBeLessThan(1500);
    }
    await items.return();
  });

  it("do not deadlock when more of them are equal than may be pending", async () => {
    const { source, requests } = sourceOf();
    const ids = [...Array.from({ length: 2500 }, () => idOf(1)), idOf(2)];
    async function* identifiers() {
      yield* ids;
    }
    expect((await all(source, identifiers())).map(({ input }) => input)).toEqual(ids);
    expect(requests.length).toBeLessThan(10);
  });

  it("end with the error of the input, after the items before it", async () => {
    const { source } = sourceOf();
    async function* broken() {
      yield* idsOf(30);
      throw new UsageError("The file is gone.");
    }
    const items: BatchItem[] = [];
    const run = async () => {
      for await (const item of readBatch(source, broken())) items.push(item);
    };
    expect((await failure(run())).message).toBe("The file is gone.");
    expect(items.map(({ input }) => input)).toEqual(idsOf(30));
  });

  it("are released at once when the consumer stops or the signal fires", async () => {
    const stop = new AbortController();
    const { source } = sourceOf(known, "/token/meta", { signal: stop.signal });
    let isReturned = false;
    const silent = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<string>>(() => {}),
        return: async () => {
          isReturned = true;
          return { value: undefined, done: true } as const;
        },
      }),
    };
    const waiting = failure(all(source, silent));
    stop.abort();
    expect(await waiting).toBeInstanceOf(InterruptedError);
    expect(isReturned).toBe(true);
  });
});

describe("the requests of a batch", () => {
  it("are sixteen at a time once answers arrive, and not far ahead of the consumer", async () => {
    const { source, requests, state } = sourceOf(async (ids) => {
      await new Promise((resolve) => setImmediate(resolve));
      return known(ids, false);
    }, "/account/detail");
    const items = readBatch(source, idsOf(500));
    await items.next();
    for (let tick = 0; tick < 200; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(requests.length).toBeLessThanOrEqual(33);
    for await (const _ of items);
    expect(requests.length).toBe(500);
    expect(state.most).toBe(16);
  });

  it("are few until the first answers show that the key is valid", async () => {
    const { source, requests } = sourceOf(async () => {
      throw new QuotaError("Spent.");
    }, "/account/detail");
    const { items, error } = await until(source, idsOf(10_000));
    expect(error.exitCode).toBe(7);
    expect(items).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  it("continue one by one, concurrently, when the plan refuses packs, with one attempt and one note", async () => {
    const { source, requests, state } = sourceOf(async (ids, isPack) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (isPack) throw new PermissionError("Not in your plan.");
      return known(ids, false);
    });
    const items = await all(source, idsOf(300));
    expect(items.map(({ input, data }) => [input, data])).toEqual(idsOf(300).map((address) => [address, { address }]));
    expect(requests.filter((ids) => ids.length > 1).length).toBeLessThanOrEqual(4);
    expect(state.most).toBe(16);
    expect(state.notes).toEqual(["The API key has no access to token meta-multi: sending one request per identifier."]);
  });

  it("continue with packs when one of them was refused as invalid", async () => {
    const { source, requests } = sourceOf(async (ids, isPack) => {
      if (isPack && ids.includes(idOf(25))) throw new UsageError("Bad address.");
      return known(ids, isPack);
    });
    expect((await all(source, idsOf(100))).every(({ data }) => data !== undefined)).toBe(true);
    expect(requests.filter((ids) => ids.length === 20).length).toBe(5);
    expect(requests.filter((ids) => ids.length === 1).length).toBe(20);
  });
});

describe("items", () => {
  it("arrive as they are answered in unordered mode", async () => {
    const { api, release } = heldApi();
    const { source } = sourceOf(api, "/account/detail");
    const items = readBatch(source, [idOf(1), idOf(2), idOf(2)], { unordered: true });
    const first = items.next();
    await release(idOf(2));
    expect((await first).value).toMatchObject({ input: idOf(2) });
    expect((await items.next()).value).toMatchObject({ input: idOf(2) });
    const last = items.next();
    await release(idOf(1));
    expect((await last).value).toMatchObject({ input: idOf(1) });
    expect((await items.next()).done).toBe(true);
  });

  it.each([{}, { unordered: true }])("end with the first failure with failFast: %j", async (order) => {
    const api: Api = async (ids) => ids.map((address) => (address === idOf(45) ? undefined : { address }));
    const { source, requests } = sourceOf(api);
    const { items, error } = await until(source, idsOf(10_000), { ...order, failFast: true });
    expect(error).toMatchObject({ exitCode: 5, message: expect.stringContaining(idOf(45)) });
    expect(items.every((item) => item.error === undefined)).toBe(true);
    if (!("unordered" in order)) expect(items.map(({ input }) => input)).toEqual(idsOf(45));
    expect(requests.length).toBeLessThan(12);
    const wrong = await until(source, [idOf(1), "nonsense", idOf(2)], { ...order, failFast: true });
    expect(wrong.error).toMatchObject({ exitCode: 2, message: expect.stringContaining("nonsense") });
  });

  it.each([
    [28, 2],
    [3, 2],
    [1, 8],
  ])("of %i MB are requested %i at a time until they are read", async (megabytes, count) => {
    const { source, requests } = sourceOf(known, "/account/detail", { body: "x".repeat(megabytes * 1_000_000) });
    let read = 0;
    for await (const _ of readBatch(source, idsOf(60))) {
      // Everything that can happen before the next item is read happens.
      for (let tick = 0; tick < 10; tick += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(requests.length - read).toBeLessThanOrEqual(count + 1);
      read += 1;
    }
    expect(read).toBe(60);
  });

  it("before a fatal failure are those of the input, without gaps", async () => {
    const { source } = sourceOf(async (ids) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (ids[0] === idOf(50)) throw new QuotaError("Spent.");
      return known(ids, false);
    }, "/account/detail");
    const { items, error } = await until(source, idsOf(1000));
    expect(error.exitCode).toBe(7);
    expect(items.map(({ input }) => input)).toEqual(idsOf(50));
  });

  it("are the same as those of single requests", async () => {
    const input = fc.oneof(fc.integer({ min: 0, max: 60 }).map(idOf), fc.constantFrom("nonsense", "", "0x1"));
    const fate = fc.constantFrom("known", "unknown", "refused", "broken");
    const model = (inputs: readonly string[], fates: readonly string[]) =>
      inputs.map((identifier) => {
        const at = idsOf(61).indexOf(identifier);
        return [identifier, at < 0 ? "usage" : fates[at] === "unknown" ? "notFound" : "data"];
      });
    await fc.assert(
      fc.asyncProperty(
        fc.array(input, { maxLength: 150 }),
        fc.array(fate, { minLength: 61, maxLength: 61 }),
        fc.boolean(),
        fc.scheduler(),
        async (inputs, fates, unordered, scheduler) => {
          const api: Api = async (ids, isPack) => {
            await scheduler.schedule(Promise.resolve());
            const fatesOf = ids.map((id) => fates[idsOf(61).indexOf(id)]);
            if (isPack && fatesOf.includes("refused")) throw new UsageError("No.");
            return ids.map((address, at) => (fatesOf[at] === "unknown" ? undefined : { address }));
          };
          const { source } = sourceOf(api);
          const run = all(source, inputs, { unordered });
          await scheduler.waitFor(run);
          const items = (await run).map(({ input: identifier, error }) => [identifier, error?.exit ?? "data"]);
          const expected = model(inputs, fates);
          expect(unordered ? items.toSorted() : items).toEqual(unordered ? expected.toSorted() : expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});
