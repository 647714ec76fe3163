import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { endpointByPath } from "../../../src/catalogue/index.ts";
import type { Answer } from "../../../src/client/answer/answer.ts";
import type { Page, PagingOptions } from "../../../src/client/paging/page.ts";
import { readPages } from "../../../src/client/paging/read-pages.ts";
import { withoutChecks } from "../list-server.ts";
import { failure, json, NOW, serve, success, testClient, WALLET } from "../servers.ts";

const endpoint = (path: string, family: Endpoint["family"] = "v2"): Endpoint => {
  const match = endpointByPath(family, path);
  if (!match) throw new Error(`No ${path}.`);
  return match;
};
const TRANSFERS = endpoint("/account/transfer");
const HOLDERS = endpoint("/token/holders");
const TOKENS = endpoint("/token/list");
const TRANSACTIONS = endpoint("/account/transactions");
const LEGACY_HOLDERS = endpoint("/token/holders", "legacy");
const SPL_TRANSFERS = endpoint("/account/splTransfers", "legacy");
const LAST_BLOCKS = endpoint("/block/last");
const TOP = endpoint("/token/top");
const META = endpoint("/token/meta");

type Params = Readonly<Record<string, unknown>>;

/** The signature of the row with a number. */
const SIGNATURES = Array.from({ length: 1000 }, (_, at) =>
  base58.encode(
    new Uint8Array(64)
      .fill(1)
      .with(0, 1 + (at % 250))
      .with(1, 1 + Math.floor(at / 250)),
  ),
);

/** A server of one list: its answers to page, offset and cursor parameters, and the requests it received. */
class Model {
  readonly requests: Params[] = [];
  readonly endpoint: Endpoint;
  rows: Json[];
  /** Called between two requests. */
  between: () => void = () => {};

  constructor(endpoint: Endpoint, count: number) {
    this.endpoint = endpoint;
    this.rows = Array.from({ length: count }, (_, at) => this.row(at));
  }

  row(at: number): Json {
    const value = (name: string) => (name === "tx_hash" ? (SIGNATURES[at] ?? "") : `${name} ${at}`);
    return Object.fromEntries((this.endpoint.identity ?? []).map((name) => [name, value(name)]));
  }

  readonly fetch = async (params: Params): Promise<Answer> => {
    if (this.requests.length > 0) this.between();
    this.requests.push(params);
    const size = Number(params.page_size ?? params.limit ?? 10);
    const after =
      params.before === undefined
        ? -1
        : this.rows.findIndex((row) => (row as { tx_hash?: string }).tx_hash === params.before);
    const start = Number(params.offset ?? (params.page === undefined ? after + 1 : (Number(params.page) - 1) * size));
    const rows = this.rows.slice(start, start + size);
    const { at, total } = this.endpoint.returns;
    const data = at === undefined ? rows : { [at]: rows, ...(total && { [total]: this.rows.length }) };
    return this.answer(rows, data);
  };

  answer(rows: readonly Json[], data: Json): Answer {
    const request = { endpoint: this.endpoint, family: this.endpoint.family, path: "", query: [], cost: 1, notes: [] };
    return {
      request,
      status: 200,
      headers: {},
      body: "",
      envelope: undefined,
      data,
      rows,
      at: this.endpoint.returns.at,
    };
  }

  read(options: PagingOptions = {}, params: Params = {}): AsyncGenerator<Page, void> {
    return readPages({ endpoint: this.endpoint, params, fetch: this.fetch, now: NOW }, options);
  }

  async rowsOf(options: PagingOptions = {}, params: Params = {}): Promise<Json[]> {
    const rows: Json[] = [];
    for await (const page of this.read(options, params)) rows.push(...page.rows);
    return rows;
  }

  async pagesOf(options: PagingOptions = {}, params: Params = {}): Promise<Page[]> {
    const pages: Page[] = [];
    for await (const page of this.read(options, params)) pages.push(page);
    return pages;
  }
}

const PAGED = [TRANSFERS, HOLDERS, TOKENS, TRANSACTIONS, LEGACY_HOLDERS] as const;

describe("properties of lists", () => {
  it("limit returns exactly the first rows, all returns every row, in order and once", async () => {
    const size = fc.integer({ min: 0, max: 250 });
    const limit = fc.option(fc.integer({ min: 1, max: 260 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PAGED), size, limit, async (kind, count, limit) => {
        const model = new Model(kind, count);
        const rows = await model.rowsOf(limit === undefined ? { all: true } : { limit });
        expect(rows).toEqual(model.rows.slice(0, limit ?? count));
      }),
    );
  });

  it("only valid sizes are requested, and no more pages than necessary", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PAGED), fc.integer({ min: 1, max: 400 }), async (kind, limit) => {
        const model = new Model(kind, 1000);
        await model.rowsOf({ limit });
        const [name, param] = Object.entries(kind.query).find(([, { role }]) => role === "size") ?? [];
        const maxSize = param?.values ? Math.max(...param.values.map(Number)) : (param?.max ?? 0);
        for (const { [name ?? ""]: size = param?.default } of model.requests) {
          if (param?.values) expect(param.values).toContain(Number(size));
          expect(Number(size)).toBeLessThanOrEqual(maxSize);
        }
        expect(withoutChecks(model.requests)).toHaveLength(Math.ceil(limit / maxSize));
      }),
    );
  });

  it("no row is repeated or lost when rows arrive at the head of a list of objects", async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(arrivals, async (news) => {
        const model = new Model(TOKENS, 230);
        const before = [...model.rows];
        let fresh = 10_000;
        model.between = () => {
          for (let remaining = news.shift() ?? 0; remaining > 0; remaining -= 1) {
            fresh += 1;
            model.rows.unshift(model.row(fresh));
          }
        };
        expect(await model.rowsOf({ all: true })).toEqual(before);
      }),
    );
  });
});

/** Events of transactions, newest first; some events of a transaction are equal, like two equal payments. */
const events = (minRows: number) =>
  fc.array(fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 5 }), { minLength: minRows, maxLength: 30 });
const rowsOfEvents = (transactions: readonly (readonly string[])[], name: string): JsonObject[] =>
  transactions.flatMap((amounts, at) => amounts.map((amount) => ({ trans_id: `${name} ${at}`, amount })));

describe("properties of lists of events", () => {
  const SIZE = { page_size: 10 };

  it("all returns every row, equal ones too, and requests again only where equal ones meet", async () => {
    await fc.assert(
      fc.asyncProperty(events(0), async (transactions) => {
        const model = new Model(TRANSFERS, 0);
        model.rows = rowsOfEvents(transactions, "old");
        expect(await model.rowsOf({ all: true }, SIZE)).toEqual(model.rows);
        const borders = model.rows.filter(
          (row, at) => at % 10 === 9 && JSON.stringify(model.rows.slice(at + 1, at + 10)).includes(JSON.stringify(row)),
        );
        const pages = Math.floor(model.rows.length / 10) + 2;
        const ahead = Math.min(pages - 1, 16);
        expect(model.requests.length).toBeLessThanOrEqual(pages + ahead + borders.length);
      }),
    );
  });

  it("no row is repeated or lost when rows arrive, whatever is equal", async () => {
    const amounts = fc.constantFrom(["a"], ["b"], ["a", "a"], ["a", "b"]);
    const arrivals = fc.uniqueArray(fc.tuple(fc.nat({ max: 16 }), amounts), { selector: ([at]) => at, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(events(8), arrivals, async (transactions, news) => {
        const model = new Model(TRANSFERS, 0);
        model.rows = rowsOfEvents(transactions, "old");
        const before = [...model.rows];
        model.between = () => {
          const [, fresh] = news.find(([at]) => at === model.requests.length) ?? [];
          if (fresh) model.rows.unshift(...rowsOfEvents([fresh], `new ${model.requests.length}`));
        };
        expect(await model.rowsOf({ all: true }, SIZE)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  it("reading continues in a list that changes constantly", async () => {
    const model = new Model(TRANSFERS, 0);
    model.rows = rowsOfEvents([["a"], ["b"], [..."aaaaaaaaaaa"], ["c"]], "old");
    const before = [...model.rows];
    let count = 0;
    model.between = () => {
      count += 1;
      if (count < 100) model.rows.unshift({ trans_id: `new ${count}`, amount: "a" });
    };
    const texts = (await model.rowsOf({ all: true }, SIZE)).map((row) => JSON.stringify(row));
    const known = before.map((row) => JSON.stringify(row));
    expect(texts.filter((text) => !known.includes(text))).toEqual([]);
    expect(new Set(texts)).toEqual(new Set(known));
    expect(model.requests.length).toBeLessThan(20);
  });
});

describe("sizes", () => {
  it.each([
    [1, [undefined]],
    [10, [undefined]],
    [25, [30]],
    [60, [60]],
    [61, [100]],
    [150, [100, 100]],
  ])("for %i rows are %j", async (limit, sizes) => {
    const model = new Model(TRANSFERS, 500);
    await model.rowsOf({ limit });
    expect(model.requests.map(({ page_size }) => page_size)).toEqual(sizes);
  });

  it("of the caller are respected, and so is its start", async () => {
    const model = new Model(TRANSFERS, 500);
    const rows = await model.rowsOf({ limit: 45 }, { page_size: "20", page: "3" });
    expect(rows).toEqual(model.rows.slice(40, 85));
    expect(withoutChecks(model.requests)).toMatchObject([{ page: "3" }, { page: 4 }, { page: 5 }]);
    const legacy = new Model(LEGACY_HOLDERS, 500);
    expect(await legacy.rowsOf({ limit: 60 }, { offset: 100 })).toEqual(legacy.rows.slice(100, 160));
    const cursor = new Model(TRANSACTIONS, 500);
    expect(await cursor.rowsOf({ limit: 50 }, { before: SIGNATURES[9] })).toEqual(cursor.rows.slice(10, 60));
  });

  it("are the maximum where there is a single request", async () => {
    const model = new Model(LAST_BLOCKS, 500);
    const pages = await model.pagesOf({ limit: 300 });
    expect(model.requests).toEqual([{ limit: 100 }]);
    expect(pages).toMatchObject([{ hasMore: undefined, isCut: false }]);
    expect(await new Model(LAST_BLOCKS, 500).rowsOf({ limit: 7 })).toHaveLength(7);
  });

  it.each([0, -1, 1.5, Number.NaN])("of %d rows are refused before any request", async (limit) => {
    const model = new Model(TRANSFERS, 5);
    const error = await failure(model.rowsOf({ limit }));
    expect(error).toMatchObject({
      exitCode: 2,
      message: 'Validation Error: "limit" must be greater than or equal to 1',
    });
    expect(model.requests).toEqual([]);
  });
});

describe("a page", () => {
  it("without limit is the requested one, and says whether and how the list continues", async () => {
    const full = new Model(TRANSFERS, 30);
    expect(await full.pagesOf({}, { page: 2 })).toMatchObject([
      { hasMore: undefined, isCut: false, next: { page: 3 } },
    ]);
    const last = new Model(TRANSFERS, 15);
    expect(await last.pagesOf({}, { page: 2 })).toMatchObject([{ hasMore: false, next: undefined }]);
    const counted = new Model(HOLDERS, 30);
    expect(await counted.pagesOf({}, { page: 3 })).toMatchObject([{ hasMore: false }]);
    expect(await counted.pagesOf({}, { page: 2 })).toMatchObject([{ hasMore: true, next: { page: 3 } }]);
    const cursor = new Model(TRANSACTIONS, 30);
    expect(await cursor.pagesOf()).toMatchObject([{ hasMore: undefined, next: { before: SIGNATURES[9] } }]);
    const offset = new Model(LEGACY_HOLDERS, 30);
    expect(await offset.pagesOf()).toMatchObject([{ hasMore: true, next: { offset: 10 } }]);
  });

  it("says when rows were left out", async () => {
    expect(await new Model(TRANSFERS, 30).pagesOf({ limit: 7 })).toMatchObject([{ isCut: true, hasMore: true }]);
    expect(await new Model(TOP, 30).pagesOf({ limit: 5 })).toMatchObject([{ isCut: true, hasMore: true }]);
    expect(await new Model(TOP, 8).pagesOf()).toMatchObject([{ isCut: false, hasMore: false }]);
  });

  it("is the object itself where there is no list", async () => {
    const model = new Model(META, 0);
    const fetch = async () => ({ ...model.answer([], { symbol: "USDC" }), rows: undefined });
    const read = readPages({ endpoint: META, params: {}, fetch, now: NOW }, { all: true });
    expect(await read.next()).toMatchObject({ value: { rows: [{ symbol: "USDC" }], hasMore: false } });
  });
});

describe("lists that change or are inconsistent", () => {
  it("of events are pinned where the caller did not", async () => {
    const pinned = new Model(TRANSFERS, 250);
    await pinned.rowsOf({ all: true }, { from_time: "7d" });
    const [first, ...others] = pinned.requests.map(({ to_time }) => to_time);
    expect(first).toBeUndefined();
    expect(new Set(others)).toEqual(new Set([NOW / 1000]));
    const oldestFirst = new Model(TRANSFERS, 250);
    await oldestFirst.rowsOf({ all: true }, { sort_order: "asc" });
    expect(oldestFirst.requests[1]).toHaveProperty("to_time", NOW / 1000);
    for (const params of [{ to_time: "1d" }, { block_time: ["2d", "1d"] }]) {
      const free = new Model(TRANSFERS, 250);
      await free.rowsOf({ all: true }, params);
      for (const request of free.requests) expect(request).not.toHaveProperty("to_time", NOW / 1000);
    }
    const single = new Model(TRANSFERS, 250);
    await single.rowsOf({ limit: 20 });
    expect(single.requests[0]).not.toHaveProperty("to_time");
  });

  it("of events drop the head that repeats the previous tail, and only that", async () => {
    const model = new Model(TRANSFERS, 250);
    const before = [...model.rows];
    model.between = () => model.rows.unshift(model.row(900), model.row(901), model.row(902));
    const pages = await model.pagesOf({ all: true });
    expect(pages.flatMap(({ rows }) => rows)).toEqual(before);
    expect(pages.map(({ dropped }) => dropped)).toEqual([0, 3, 3, 0, 0]);
  });

  it("of events are read again from where they moved, with the prefetched pages", async () => {
    const model = new Model(TRANSFERS, 850);
    const before = [...model.rows];
    let requestCount = 0;
    model.between = () => {
      requestCount += 1;
      if (requestCount >= 6)
        model.rows.unshift(model.row(900 + requestCount), model.row(800 + requestCount), model.row(700 + requestCount));
    };
    const pages = await model.pagesOf({ all: true });
    expect(pages.flatMap(({ rows }) => rows)).toEqual(before);
    // A page that was prefetched when the previous one showed that the list moved was requested again.
    expect(pages.map(({ dropped }) => dropped)).toContain(6);
  });

  it("whose rows have no identity are distinguished by their whole content", async () => {
    const model = new Model(SPL_TRANSFERS, 0);
    model.rows = Array.from({ length: 120 }, (_, at) => ({ amount: at }));
    expect(await model.rowsOf({ all: true })).toEqual(model.rows);
  });

  /** Reads a list whose answers are changed on the way, with the error that ended it. */
  async function readChanged(
    model: Model,
    change: (answer: Answer, params: Params, count: number) => Answer,
    options: PagingOptions = { all: true },
  ) {
    const rows: Json[] = [];
    let count = 0;
    const fetch = async (params: Params) => {
      count += 1;
      const number = count;
      return change(await model.fetch(params), params, number);
    };
    const read = readPages({ endpoint: model.endpoint, params: {}, fetch, now: NOW }, options);
    const all = async () => {
      for await (const page of read) rows.push(...page.rows);
    };
    const error = await all().catch((thrown: unknown) => thrown);
    return { rows, error, count };
  }
  const withTotal = (answer: Answer, total: Json): Answer => ({
    ...answer,
    data: { ...(answer.data as JsonObject), total },
  });

  it("that end before their total are incomplete, after their rows", async () => {
    const model = new Model(HOLDERS, 40);
    const { rows, error } = await readChanged(model, (answer) => withTotal(answer, 200));
    expect(rows).toEqual(model.rows);
    expect(error).toMatchObject({
      name: "IncompleteError",
      exitCode: 10,
      code: "INCOMPLETE_LIST",
      message: "The API reports 200 rows and returned 40.",
    });
    const limited = await readChanged(new Model(HOLDERS, 40), (answer) => withTotal(answer, 200), { limit: 50 });
    expect(limited.rows).toHaveLength(40);
    expect(limited.error).toMatchObject({ code: "INCOMPLETE_LIST" });
    const enough = await readChanged(new Model(HOLDERS, 40), (answer) => withTotal(answer, 200), { limit: 40 });
    expect(enough).toMatchObject({ error: undefined, count: 1 });
  });

  it.each([10, 0, -1])("are read to their end when the total is %d", async (total) => {
    const model = new Model(HOLDERS, 130);
    expect(await readChanged(model, (answer) => withTotal(answer, total))).toMatchObject({
      rows: model.rows,
      error: undefined,
    });
  });

  it("may have a short page in the middle when they have a total", async () => {
    const model = new Model(HOLDERS, 100);
    const { rows, error, count } = await readChanged(model, (answer, { page }) =>
      page === 2 ? { ...answer, rows: (answer.rows ?? []).slice(0, 30) } : answer,
    );
    expect(rows).toHaveLength(90);
    // The short page is requested again, and the last one.
    expect(count).toBe(6);
    expect(error).toMatchObject({ message: "The API reports 100 rows and returned 90." });
  });

  it("are read completely from servers that ignore the page size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PAGED), fc.integer({ min: 0, max: 95 }), async (kind, count) => {
        const model = new Model(kind, count);
        const fetch = ({ page_size: _, limit: __, ...params }: Params) => model.fetch(params);
        const rows: Json[] = [];
        for await (const page of readPages({ endpoint: kind, params: {}, fetch, now: NOW }, { all: true }))
          rows.push(...page.rows);
        expect(rows).toEqual(model.rows);
      }),
    );
  });

  it.each([null, { note: "gone" }])(
    "with a later page that is %j end with an error, and never with a row",
    async (data) => {
      for (const kind of [TRANSFERS, HOLDERS]) {
        const { rows, error } = await readChanged(new Model(kind, 250), (answer, _params, count) =>
          count === 2 ? { ...answer, data, rows: data === null ? [] : undefined } : answer,
        );
        expect(rows.length).toBeGreaterThan(0);
        expect(rows).not.toContain(data);
        expect(error).toMatchObject({ name: "ServerError", code: "MALFORMED", exitCode: 8 });
      }
    },
  );

  it("are incomplete when repeated rows reach the total", async () => {
    const model = new Model(HOLDERS, 80);
    const first = model.rows.slice(0, 40);
    const { rows, error } = await readChanged(model, (answer) => ({ ...withTotal(answer, 80), rows: first }));
    expect(rows).toEqual(first);
    expect(error).toMatchObject({ name: "IncompleteError", code: "STUCK" });
  });

  it("end with an error when pages alternate, however many there are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(TRANSFERS, TOKENS), fc.integer({ min: 1, max: 40 }), async (kind, period) => {
        const model = new Model(kind, 100 * period);
        const { rows, error, count } = await readChanged(model, (answer, _params, number) => {
          const at = ((number - 1) % period) * 100;
          const rows = model.rows.slice(at, at + 100);
          return { ...answer, rows, data: rows };
        });
        expect(rows).toEqual(model.rows);
        expect(error).toMatchObject({ name: "IncompleteError", exitCode: 10, code: "STUCK" });
        expect(count).toBeLessThanOrEqual(period + 3 + 16);
      }),
      { numRuns: 20 },
    );
  });

  it("end with an error when the API returns a cursor that it would refuse", async () => {
    const model = new Model(TRANSACTIONS, 40);
    model.rows[39] = { tx_hash: "not a signature" };
    expect(await failure(model.rowsOf({ all: true }))).toMatchObject({
      name: "IncompleteError",
      message: "Reading cannot continue: the API returned not a signature as the last row's tx_hash.",
    });
    expect(await model.rowsOf({ limit: 40 })).toHaveLength(40);
  });

  it("end with an error when the cursor is repeated or missing", async () => {
    const model = new Model(TRANSACTIONS, 100);
    for (const row of [model.row(0), {}]) {
      const fetch = async () => model.answer(new Array(40).fill(row), new Array(40).fill(row));
      const read = readPages({ endpoint: TRANSACTIONS, params: {}, fetch, now: NOW }, { all: true });
      const rows: Json[] = [];
      const all = async () => {
        for await (const page of read) rows.push(...page.rows);
      };
      expect(await failure(all())).toMatchObject({ name: "IncompleteError", exitCode: 10 });
      expect(rows).toEqual([row]);
    }
  });

  it("end with an error when every page is the same", async () => {
    for (const kind of [TOKENS, TRANSFERS]) {
      const model = new Model(kind, 100);
      const fetch = () => model.fetch({ page_size: 100 });
      const all = async () => {
        for await (const _ of readPages({ endpoint: kind, params: {}, fetch, now: NOW }, { all: true }));
      };
      expect(await failure(all())).toMatchObject({ name: "IncompleteError", exitCode: 10 });
      expect(model.requests.length).toBeLessThan(6);
    }
  });
});

describe("through the client", () => {
  it("resolves relative times once for all pages", async () => {
    const server = await serve((_request, response, count) =>
      json(
        response,
        success(count < 3 ? Array.from({ length: 100 }, (_, at) => ({ trans_id: `${count} ${at}` })) : []),
      ),
    );
    const client = testClient(server, { now: Date.now });
    const rows = [];
    for await (const row of client.account.transfer({ address: WALLET, from_time: "7d" }).rows()) rows.push(row);
    expect(rows).toHaveLength(200);
    const froms = server.requests.map(({ url }) => new URL(url ?? "", server.url).searchParams.get("from_time"));
    expect(new Set(froms).size).toBe(1);
    expect(froms[0]).toMatch(/^\d{10}$/);
  });

  it("stops requesting when the reader stops reading", async () => {
    const server = await serve((_request, response) => json(response, success(new Array(100).fill({ trans_id: "x" }))));
    for await (const page of testClient(server).account.transfer({ address: WALLET }).pages()) {
      expect(page.rows).toHaveLength(100);
      break;
    }
    expect(server.requests).toHaveLength(1);
  });
});
