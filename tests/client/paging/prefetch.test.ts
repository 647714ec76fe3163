import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerError } from "../../../src/base/errors.ts";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import type { Answer } from "../../../src/client/answer/answer.ts";
import { MAX_PAGES } from "../../../src/client/paging/prefetch.ts";
import { dice, endpointOf, ListServer, rowOf, withoutChecks } from "../list-server.ts";
import { failure } from "../servers.ts";

const TRANSFERS = endpointOf("/account/transfer");
const HOLDERS = endpointOf("/token/holders");
const TOKENS = endpointOf("/token/list");
const TRANSACTIONS = endpointOf("/account/transactions");
const LEGACY_HOLDERS = endpointOf("/token/holders", "legacy");
const LEGACY_TOKENS = endpointOf("/token/list", "legacy");
const LEGACY_TRANSACTIONS = endpointOf("/account/transactions", "legacy");
const BLOCK = endpointOf("/block/transactions", "legacy");
const WITHOUT_IDENTITY = endpointOf("/market/token/{tokenAddress}", "legacy");

const serverOf = (endpoint: Endpoint, count: number) =>
  new ListServer(
    endpoint,
    Array.from({ length: count }, (_, at) => rowOf(endpoint, at)),
  );
const sizeOf = (endpoint: Endpoint) =>
  Math.max(
    ...Object.values(endpoint.query)
      .filter(({ role }) => role === "size")
      .map(({ values, max }) => Number(values?.at(-1) ?? max)),
  );

describe("prefetching", () => {
  const kinds = [TRANSFERS, HOLDERS, TOKENS, TRANSACTIONS, LEGACY_HOLDERS, LEGACY_TRANSACTIONS, BLOCK];

  it("returns every row in order, whatever the order of the answers, with limited pages in flight", async () => {
    const arbitraries = [fc.constantFrom(...kinds), fc.integer({ min: 0, max: 2500 }), fc.nat()] as const;
    await fc.assert(
      fc.asyncProperty(...arbitraries, async (endpoint, count, seed) => {
        // A list that ends after exactly 50 full pages may be one that the API limits, which is an error.
        fc.pre(count !== 50 * sizeOf(endpoint));
        const server = serverOf(endpoint, count);
        const roll = dice(seed);
        server.delay = () => roll(6);
        expect(await server.rowsOf()).toEqual(server.rows);
        expect(server.most).toBeLessThanOrEqual(MAX_PAGES);
      }),
      { numRuns: 40 },
    );
  });

  it.each([TRANSFERS, HOLDERS, LEGACY_HOLDERS])(
    "has the maximum of pages in flight on a long list ($command)",
    async (endpoint) => {
      const server = serverOf(endpoint, sizeOf(endpoint) * 60);
      server.delay = () => 3;
      await server.rowsOf();
      expect(server.most).toBe(MAX_PAGES);
    },
  );

  it.each([5, 20, 47, 100])("requests at most a quarter of %i pages beyond the end", async (pages) => {
    const server = serverOf(TRANSFERS, sizeOf(TRANSFERS) * pages - 1);
    await server.rowsOf();
    // One page is requested as a probe in any case.
    expect(server.requests.length).toBeLessThanOrEqual(Math.ceil(pages * 1.25) + 1);
    expect(server.requests.length).toBeGreaterThan(pages);
  });

  it.each([TRANSACTIONS, LEGACY_TRANSACTIONS, WITHOUT_IDENTITY])(
    "requests one page after the other where pages or rows cannot be identified ($command)",
    async (endpoint) => {
      const server = serverOf(endpoint, sizeOf(endpoint) * 20);
      if (endpoint === WITHOUT_IDENTITY) server.rows = server.rows.map((_, at) => ({ price: at }));
      server.delay = () => 3;
      expect(await server.rowsOf()).toEqual(server.rows);
      expect(server.most).toBe(1);
    },
  );

  it.each(kinds)("requests no page that is not read when it is switched off ($command)", async (endpoint) => {
    const server = serverOf(endpoint, sizeOf(endpoint) * 5 + 1);
    const rows: Json[] = [];
    let state: JsonObject | undefined;
    for (let count = 1; ; count += 1) {
      const pages = server.read({ all: true, ahead: false, ...(state && { resume: state }) });
      const page = (await pages.next()).value;
      await pages.return();
      if (!page) break;
      rows.push(...page.rows);
      expect(withoutChecks(server.requests.map(({ params }) => params))).toHaveLength(count);
      if (page.next === undefined) break;
      state = page.state();
    }
    expect(rows).toEqual(server.rows);
  });

  it("wastes no request where a total or a limit shows the number of pages, and requests a probe after a full last page", async () => {
    for (const [endpoint, count] of [
      [HOLDERS, 1010],
      [LEGACY_HOLDERS, 1000],
      [LEGACY_TOKENS, 49],
    ] as const) {
      const server = serverOf(endpoint, count);
      server.delay = () => 2;
      await server.rowsOf();
      expect(server.requests).toHaveLength(Math.floor(count / sizeOf(endpoint)) + 1);
    }
    const server = serverOf(TRANSFERS, 9000);
    server.delay = () => 2;
    expect(await server.rowsOf({ limit: 4321 })).toHaveLength(4321);
    expect(withoutChecks(server.requests.map(({ params }) => params))).toHaveLength(44);
  });

  it.each([
    [3_000_000, 2],
    [9_000_000, 1],
  ])("has few pages of %i characters in memory", async (length, most) => {
    const server = serverOf(TRANSFERS, 3000);
    server.delay = () => 2;
    const body = "x".repeat(length);
    server.change = (answer) => ({ ...answer, body });
    expect(await server.rowsOf()).toEqual(server.rows);
    expect(server.most).toBe(most);
  });

  it("requests no more pages beyond the end than arrived, and one after a page that is not full", async () => {
    for (const full of [1, 2, 3, 7, 40]) {
      const server = serverOf(TRANSFERS, full * 100 + 50);
      server.delay = () => 2;
      await server.rowsOf();
      expect(server.requests.length).toBeLessThanOrEqual(full + 2 + Math.min(full, MAX_PAGES));
      expect(server.requests.filter(({ sending }) => sending.signal.aborted).length).toBeLessThanOrEqual(full);
    }
    const single = serverOf(TRANSFERS, 99);
    await single.rowsOf();
    expect(single.requests).toHaveLength(2);
  });

  it("has a limited number of pages in memory for a slow reader", async () => {
    const server = serverOf(HOLDERS, 4000);
    let read = 0;
    for await (const _ of server.read()) {
      read += 1;
      for (let tick = 0; tick < 5; tick += 1) await new Promise(setImmediate);
      expect(server.requests.length - read).toBeLessThanOrEqual(MAX_PAGES);
    }
    expect(read).toBe(101);
  });

  it("requests several pages in the background, and a single one interactively", async () => {
    const server = serverOf(TRANSFERS, 400);
    await server.rowsOf({ limit: 101 });
    expect(new Set(server.requests.map(({ sending }) => sending.priority))).toEqual(new Set(["background"]));
    for (const options of [{}, { limit: 100 }]) {
      const one = serverOf(TRANSFERS, 400);
      await one.rowsOf(options);
      expect(one.requests.map(({ sending }) => sending.priority)).toEqual(["interactive"]);
    }
  });
});

describe("prefetched requests are aborted", () => {
  it("when the reader stops", async () => {
    const server = serverOf(HOLDERS, 4000);
    server.delay = (number) => (number < 3 ? 0 : Number.POSITIVE_INFINITY);
    server.onRead = () => {};
    const signals: AbortSignal[] = [];
    let read = 0;
    for await (const _ of server.read()) {
      read += 1;
      if (read === 2) break;
    }
    for (const { sending } of server.requests.slice(2)) signals.push(sending.signal);
    expect(signals).toHaveLength(MAX_PAGES);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it("when the user stops, with the user's reason", async () => {
    const server = serverOf(HOLDERS, 4000);
    const stop = new AbortController();
    const read = server.read({ all: true }, {}, stop.signal);
    await read.next();
    server.delay = () => 5;
    const next = read.next();
    const reason = new Error("enough");
    stop.abort(reason);
    expect(await failure(next)).toMatchObject({ exitCode: 130 });
    expect(server.requests.slice(1).map(({ sending }) => sending.signal.reason)).toEqual(
      new Array(MAX_PAGES).fill(reason),
    );
  });

  it("when a page fails, after the rows before it", async () => {
    for (const endpoint of [HOLDERS, TOKENS, LEGACY_HOLDERS]) {
      const server = serverOf(endpoint, 5000);
      const size = sizeOf(endpoint);
      const fails = (answer: Answer) => answer.rows?.includes(server.rows[size * 9] as Json);
      server.delay = (number) => (number > 8 ? 1 : 4);
      server.change = (answer) => {
        if (fails(answer)) throw new ServerError("Broken.");
        return answer;
      };
      const rows: Json[] = [];
      const all = async () => {
        for await (const page of server.read()) rows.push(...page.rows);
      };
      expect(await failure(all())).toMatchObject({ message: "Broken." });
      expect(rows).toEqual(server.rows.slice(0, size * 9));
      for (let tick = 0; tick < 10; tick += 1) await new Promise(setImmediate);
      expect(server.running).toBe(0);
    }
  });

  it("when they are beyond the page that shows the end, whose failures do not matter", async () => {
    const server = serverOf(TOKENS, 1250);
    server.delay = () => 2;
    server.change = (answer, { page }) => {
      if (Number(page) > 14) throw new ServerError("No such page.");
      return answer;
    };
    expect(await server.rowsOf()).toEqual(server.rows);
    expect(server.requests.length).toBeGreaterThan(14);
  });
});

describe("lists that change while they are prefetched", () => {
  it("lose no row and repeat none, in whatever order the pages are read", async () => {
    const arrivals = fc.uniqueArray(fc.tuple(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([at]) => at,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(TOKENS, HOLDERS, TRANSFERS, LEGACY_HOLDERS),
        arrivals,
        fc.nat(),
        async (endpoint, news, seed) => {
          const server = serverOf(endpoint, sizeOf(endpoint) * 30 + 7);
          const before = server.rows;
          const roll = dice(seed);
          server.delay = () => roll(8);
          let [reads, fresh] = [0, 100_000];
          server.onRead = () => {
            reads += 1;
            const [, count = 0] = news.find(([at]) => at === reads) ?? [];
            const arrived = Array.from({ length: count }, () => rowOf(endpoint, fresh++));
            server.rows = [...arrived, ...server.rows];
          };
          expect(await server.rowsOf()).toEqual(before);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("are requested about twice at most when they change constantly", async () => {
    const server = serverOf(TOKENS, 3000);
    let fresh = 100_000;
    server.delay = () => 3;
    server.onRead = () => {
      server.rows = [rowOf(TOKENS, fresh++), ...server.rows];
    };
    await server.rowsOf();
    expect(server.requests.length).toBeLessThanOrEqual(2 * 32);
  });

  it("report how many rows were repeated", async () => {
    const server = serverOf(TOKENS, 500);
    server.onRead = (number) => {
      if (number === 2) server.rows = [rowOf(TOKENS, 9000), rowOf(TOKENS, 9001), ...server.rows];
    };
    const dropped: number[] = [];
    for await (const page of server.read()) dropped.push(page.dropped);
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it("with an offset continue after a short page where it ended", async () => {
    const server = serverOf(LEGACY_HOLDERS, 1000);
    server.delay = () => 2;
    server.change = (answer, { offset }) => (offset === 200 ? { ...answer, rows: answer.rows?.slice(0, 30) } : answer);
    expect(await server.rowsOf()).toEqual(server.rows);
    expect(server.requests.map(({ params }) => params.offset)).toContain(230);
  });

  it("with a total end at an empty page before it, and report it", async () => {
    const server = serverOf(HOLDERS, 1000);
    server.delay = () => 2;
    server.change = (answer, { page }) => (page === 5 ? { ...answer, rows: [] } : answer);
    const rows: Json[] = [];
    const all = async () => {
      for await (const page of server.read()) rows.push(...page.rows);
    };
    expect(await failure(all())).toMatchObject({ exitCode: 10, code: "INCOMPLETE_LIST" });
    expect(rows).toEqual(server.rows.slice(0, 160));
  });

  it("with a total that grows or shrinks are read to their end", async () => {
    // None is a number of full pages: a reached total is credible.
    const totals = fc.array(fc.constantFrom(-40, -28, -26, -9, 0, 1, 22, 24, 40), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(totals, async (errors) => {
        const server = serverOf(LEGACY_HOLDERS, 777);
        let count = 0;
        server.change = (answer) => {
          count += 1;
          // It is right towards the end: a list that reports more rows than it has would be incomplete.
          const error = (answer.rows?.length ?? 0) < 50 ? 0 : (errors[count % errors.length] ?? 0);
          return { ...answer, data: { ...(answer.data as object), total: 777 + error } };
        };
        expect(await server.rowsOf()).toEqual(server.rows);
      }),
      { numRuns: 40 },
    );
  });
});

describe("cyclic lists", () => {
  const circle = (endpoint: Endpoint, pageCount: number) => {
    const size = sizeOf(endpoint);
    const server = serverOf(endpoint, size * pageCount);
    const { answer } = ListServer.prototype;
    server.answer = (params) => {
      if (params.before !== undefined) {
        const original = answer.call(server, params);
        return original.rows?.length === 0 ? answer.call(server, { ...params, before: undefined }) : original;
      }
      return answer.call(server, { ...params, page: ((Number(params.page ?? 1) - 1) % pageCount) + 1 });
    };
    return server;
  };

  it.each([
    [TRANSACTIONS, 1],
    [TRANSACTIONS, 5],
    [TRANSACTIONS, 140],
    [TOKENS, 5],
    [TOKENS, 140],
    [TRANSFERS, 90],
  ])("are given up, however long the cycle is ($command)", async (endpoint, pageCount) => {
    const server = circle(endpoint, pageCount);
    expect(await failure(server.rowsOf({ all: true }))).toMatchObject({ exitCode: 10, code: "STUCK" });
    expect(server.requests.length).toBeLessThan(4 * pageCount + 80);
  });
});
