/** `solx api --all` with paths that the catalogue does not know, against a server of each style of paging. */
import { afterAll, describe, expect, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve, type TestServer } from "../support/server.ts";

type Query = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>> | readonly unknown[];

const ROWS = Array.from({ length: 45 }, (_, n) => ({ n, name: `row ${n}` }));
const slice = (start: number, size: number) => ROWS.slice(start, start + size);
const ok = (data: unknown, beside: object = {}) => ({ success: true, data, ...beside });
const byPage = ({ page = "1", page_size = "10" }: Query) => slice((+page - 1) * +page_size, +page_size);
const byOffset = ({ offset = "0", limit = "10" }: Query) => slice(+offset, +limit);
/** Returns a page of 10 rows and the cursor after it, which is missing on the last page. */
const byCursor = (cursor = "c0"): readonly [rows: typeof ROWS, next: string | null] => {
  const start = Number(cursor.slice(1));
  return [slice(start, 10), start + 10 < ROWS.length ? `c${start + 10}` : null];
};
const withCursor = (place: (rows: typeof ROWS, next: string | null) => Json) => (query: Query) =>
  place(...byCursor(query.cursor));

/** Answers by path; a refusal has a status. */
const STYLES: Readonly<Record<string, (query: Query) => Json>> = {
  "/page": (query) => ok(byPage(query)),
  "/page/total": (query) => ok({ items: byPage(query), total: ROWS.length }),
  "/offset": (query) => ok(byOffset(query)),
  "/offset/echoed": (query) => ok({ items: byOffset(query), offset: Number(query.offset ?? 0), limit: 10 }),
  "/cursor/data": withCursor((items, cursor) => ok({ items, cursor })),
  "/cursor/metadata": withCursor((items, next_cursor) => ok(items, { metadata: { next_cursor } })),
  "/cursor/top": withCursor((items, nextCursor) => ok(items, nextCursor === null ? {} : { nextCursor })),
  "/cursor/same": () => ok({ items: slice(0, 10), cursor: "c10" }),
  "/ignores": () => ok(slice(0, 10)),
  "/refuses": ({ page }) =>
    page === undefined
      ? ok(slice(0, 10))
      : { success: false, errors: { code: 1100, message: "Validation Error: page" } },
  "/empty": () => ok([]),
  "/object": () => ok({ price: 1 }),
};

const server: TestServer = await serve((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const answer = STYLES[pathname.replace("/v2.0", "")]?.(Object.fromEntries(searchParams)) ?? {};
  sendJson(response, JSON.stringify(answer), "success" in answer && answer.success === false ? 400 : 200);
});
afterAll(() => server.close());

/** Runs `solx api`; returns what it printed, and the queries that it sent. */
async function api(path: string, ...args: readonly string[]) {
  const before = server.requests.length;
  const { code, stdout, stderr } = await runInProcess(
    ["api", path, ...args, `SOLX_BASE_URL=${server.url}`, "SOLX_RATE=off", "--cache", "off", "-o", "ndjson"],
    { env: { SOLX_API_KEY: "test-key-0123456789" } },
  );
  const rows = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
  return { code, rows, stderr, queries: server.requests.slice(before).map(({ url }) => url.split("?")[1] ?? "") };
}

describe("a path that the catalogue does not know", () => {
  test.each([
    ["/page", ["--query", "page_size=20"], ["page_size=20", "page_size=20&page=2", "page_size=20&page=3"]],
    ["/offset", ["--query", "limit=20"], ["limit=20", "limit=20&offset=20", "limit=20&offset=40"]],
    ["/offset", ["--query", "offset=0"], ["offset=0", "offset=10", "offset=20", "offset=30", "offset=40"]],
    ["/offset/echoed", [], ["", "offset=10", "offset=20", "offset=30", "offset=40"]],
    ["/cursor/data", [], ["", "cursor=c10", "cursor=c20", "cursor=c30", "cursor=c40"]],
    ["/cursor/metadata", [], ["", "cursor=c10", "cursor=c20", "cursor=c30", "cursor=c40"]],
    ["/cursor/top", [], ["", "cursor=c10", "cursor=c20", "cursor=c30", "cursor=c40"]],
  ])("%s %j is read to its end as its first answer shows", async (path, args, queries) => {
    const all = await api(path, ...args, "--all");
    expect(all).toMatchObject({ code: 0, rows: ROWS });
    expect(all.queries.slice(0, queries.length)).toEqual(queries);
    // A page that is not full is the end only if no row follows.
    expect(all.queries.length).toBeLessThanOrEqual(queries.length + 1);
    expect((await api(path, ...args, "--limit", "23")).rows).toEqual(ROWS.slice(0, 23));
  });

  test("sends one request when the first page has the rows of --limit", async () => {
    for (const path of ["/page", "/cursor/data", "/ignores", "/refuses"]) {
      const { code, rows, queries } = await api(path, "--limit", "7");
      expect({ code, rows, queries }).toEqual({ code: 0, rows: ROWS.slice(0, 7), queries: [""] });
    }
  });

  test("ends where the total is reached, without another request", async () => {
    const { rows, queries } = await api("/page/total", "--query", "page_size=20", "--all");
    expect(rows).toEqual(ROWS);
    expect(queries).toHaveLength(3);
  });

  test.each(["/ignores", "/cursor/same"])("%s returns one page again and again: it is printed once", async (path) => {
    const { code, rows, stderr, queries } = await api(path, "--all");
    expect({ code, rows }).toEqual({ code: 0, rows: slice(0, 10) });
    expect(queries).toHaveLength(2);
    expect(stderr).toContain("The API returned the same page again");
  });

  test("that has no rows takes one request", async () => {
    expect(await api("/empty", "--all")).toMatchObject({ code: 0, rows: [], queries: [""] });
  });

  test("that is not a list is a usage error, before anything is printed", async () => {
    const { code, rows, stderr } = await api("/object", "--all");
    expect({ code, rows }).toEqual({ code: 2, rows: [] });
    expect(stderr).toContain("/object cannot be read page by page: the answer is not a list.");
    expect(stderr).toContain("Omit --all and --limit");
  });

  test("that refuses a second page is a usage error after the first", async () => {
    const { code, rows, stderr } = await api("/refuses", "--all");
    expect({ code, rows }).toEqual({ code: 2, rows: slice(0, 10) });
    expect(stderr).toContain("/refuses cannot be read page by page: the API refuses a page.");
  });
});

test("a path of the catalogue is paged as the catalogue says", async () => {
  const { queries } = await api(
    "/account/transfer",
    "--query",
    "address=So11111111111111111111111111111111111111112",
    "--limit",
    "5",
  );
  expect(queries[0]).toContain("address=So1111");
});
