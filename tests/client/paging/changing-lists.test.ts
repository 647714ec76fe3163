/** Lists that shrink, or that a server limits, while they are read: no row is lost silently. */
import { describe, expect, test } from "vitest";
import { IncompleteError, type SolxError } from "../../../src/base/errors.ts";
import type { Json, JsonObject } from "../../../src/base/json.ts";
import type { PagingOptions } from "../../../src/client/paging/page.ts";
import { endpointOf, ListServer, rowOf } from "../list-server.ts";
import { NOW } from "../servers.ts";

const TRANSFERS = endpointOf("/account/transfer");
const HOLDERS = endpointOf("/token/holders");
const TOKENS = endpointOf("/token/list");

const START = NOW / 1000;
const eventsOf = (count: number) => Array.from({ length: count }, (_, at) => rowOf(TRANSFERS, at, START - at));
const objectsOf = (endpoint: typeof TOKENS, count: number) =>
  Array.from({ length: count }, (_, at) => rowOf(endpoint, at));

async function readAll(server: ListServer, options: PagingOptions = { all: true }) {
  const rows: Json[] = [];
  try {
    for await (const page of server.read(options)) rows.push(...page.rows);
    return { rows, error: undefined };
  } catch (error) {
    return { rows, error: error as SolxError };
  }
}

/** Returns a server that answers pages beyond a number with nothing. */
function limited(server: ListServer, pages: number): ListServer {
  const answer = server.answer.bind(server);
  server.answer = (params) =>
    Number(params.page ?? 1) > pages ? { ...answer(params), rows: [], data: [] } : answer(params);
  return server;
}

describe("rows that disappear at the start", () => {
  test("of a list of events are reported after the rows", async () => {
    for (const options of [{ all: true }, { limit: 900 }]) {
      const server = new ListServer(TRANSFERS, eventsOf(1000));
      server.onRead = (number) => {
        if (number === 4) server.rows = server.rows.slice(32);
      };
      const { rows, error } = await readAll(server, options);
      expect(error).toBeInstanceOf(IncompleteError);
      expect(error).toMatchObject({ code: "LIST_SHRANK", exitCode: 10 });
      expect(error?.message).toContain("32 rows");
      expect(rows.length).toBeGreaterThan(800);
    }
  });

  test("are reported too when reading resumes", async () => {
    const server = new ListServer(TRANSFERS, eventsOf(1000));
    const states: JsonObject[] = [];
    for await (const page of server.read()) {
      states.push(JSON.parse(JSON.stringify(page.state())) as JsonObject);
      if (states.length === 4) break;
    }
    server.rows = server.rows.slice(5);
    const { error } = await readAll(server, { all: true, resume: states.at(-1) });
    expect(error).toMatchObject({ code: "LIST_SHRANK" });
  });

  test("of a list with a total are read from the page to which the others moved", async () => {
    const server = new ListServer(HOLDERS, objectsOf(HOLDERS, 300));
    const all = server.rows;
    server.onRead = (number) => {
      if (number === 4) server.rows = server.rows.slice(20);
    };
    const { rows, error } = await readAll(server, { all: true, ahead: false });
    expect(error).toBeUndefined();
    expect(rows).toEqual(all);
  });

  test("are no failure where rows only arrived", async () => {
    const server = new ListServer(TRANSFERS, eventsOf(1000));
    const all = server.rows;
    server.onRead = (number) => {
      if (number > 1) server.rows = [rowOf(TRANSFERS, 5000 + number, START), ...server.rows];
    };
    const { rows, error } = await readAll(server);
    expect(error).toBeUndefined();
    expect(rows.slice(-all.length)).toEqual(all);
  });
});

describe("a server that is empty beyond some page", () => {
  test("is read to the end of a list of events by time", async () => {
    const server = limited(new ListServer(TRANSFERS, eventsOf(12_000)), 50);
    const { rows, error } = await readAll(server);
    expect(error).toBeUndefined();
    expect(rows).toEqual(server.rows);
  });

  test("is reported for other lists", async () => {
    const server = limited(new ListServer(TOKENS, objectsOf(TOKENS, 12_000)), 50);
    const { rows, error } = await readAll(server);
    expect(error).toBeInstanceOf(IncompleteError);
    expect(error).toMatchObject({ code: "INCOMPLETE_LIST", exitCode: 10 });
    expect(error?.message).toContain("after 50 full pages (5000 rows)");
    expect(rows).toHaveLength(5000);
  });

  test.each([100, 700, 5000])("is no failure where a list of events ends there (%d rows)", async (count) => {
    const server = new ListServer(TRANSFERS, eventsOf(count));
    const { rows, error } = await readAll(server);
    expect(error).toBeUndefined();
    expect(rows).toEqual(server.rows);
  });
});

test("a total that falls to 0 is no end", async () => {
  const server = new ListServer(HOLDERS, objectsOf(HOLDERS, 300));
  server.onRead = (number) => {
    if (number === 4) server.rows = [];
  };
  const { rows, error } = await readAll(server, { all: true, ahead: false });
  expect(rows).toHaveLength(120);
  expect(error).toMatchObject({
    code: "INCOMPLETE_LIST",
    exitCode: 10,
    message: "The API reports 300 rows and returned 120.",
  });
});
