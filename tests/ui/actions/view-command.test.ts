/** The command of a view: its arguments, the request it sends, and the rows it prints. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson, stringifyJson } from "../../../src/base/json.ts";
import { commandArguments, quoteForShell } from "../../../src/catalogue/command-line.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { endpointByRoute, endpoints, loadEntityShape, type ParameterValues } from "../../../src/catalogue/index.ts";
import type { FieldMeta } from "../../../src/catalogue/kinds.ts";
import { NFT_COLLECTION, POOL, USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { wrapCommand } from "../../../src/ui/actions/command-popup.tsx";
import { buildViewCommand, fieldPaths } from "../../../src/ui/actions/current-view.ts";
import type { Subject } from "../../../src/ui/navigation/context.ts";
import { HOME, type Route } from "../../../src/ui/navigation/route.ts";
import { sortOrder } from "../../../src/ui/widgets/list/rows.ts";
import { runInProcess } from "../../support/in-process.ts";
import { SANDBOX_NOW, useSandbox } from "../../support/running-sandbox.ts";

const sandbox = useSandbox();

function routed(route: string): Endpoint {
  const endpoint = endpointByRoute(route);
  if (!endpoint) throw new Error(`no ${route}`);
  return endpoint;
}

const AMOUNT: FieldMeta = { kind: "tokenAmount", description: "", decimals: "decimals" };

const placeOf = ({ route }: Endpoint, params: ParameterValues): Route => ({
  kind: "endpoint",
  endpointRoute: route,
  params,
});

/** Returns the arguments of a request. */
function wordsOf(endpoint: Endpoint, params: ParameterValues, more: Partial<Subject> = {}) {
  const subject: Subject = { request: { endpoint, params }, ...more };
  return buildViewCommand({ route: placeOf(endpoint, params), subject, hasCustomColumns: more.columns !== undefined })
    .args;
}

const examples = endpoints.flatMap((endpoint) =>
  endpoint.examples.map(({ about, params }) => [`${endpoint.command}: ${about}`, endpoint, params] as const),
);

describe("the command of a request", () => {
  test.each(examples)("%s: the program sends the same request", async (_name, endpoint, params) => {
    const url = sandbox.client.url(sandbox.client.prepare(endpoint, params)).href;
    const { stdout, stderr } = await runInProcess([...wordsOf(endpoint, params), "--dry-run", "-o", "json"], {
      env: sandbox.env(),
    });
    expect(stdout, stderr).not.toBe("");
    expect(JSON.parse(stdout).url).toBe(url);
  });

  const transfers = "v2-account-transfer";
  test.each([
    ["a page further down", transfers, { address: WALLET, page: 2, page_size: 20 }],
    ["filters", transfers, { address: WALLET, flow: "in", exclude_amount_zero: true, sort_order: "asc" }],
    [
      "lists and ranges",
      transfers,
      { address: WALLET, activity_type: ["ACTIVITY_SPL_TRANSFER"], token: USDC, amount: [0, 1_000_000] },
    ],
    ["a flag that is off", transfers, { address: WALLET, exclude_amount_zero: false }],
    ["an object", "v2-token-meta", { address: USDC }],
    ["rows inside an object", "v2-token-holders", { address: USDC, page_size: 10, page: 2 }],
    ["many identifiers", "v2-token-price-multi", { address: [USDC, POOL] }],
    ["the last few", "v2-block-last", { limit: 20 }],
    ["a collection", "v2-nft-collection-items", { collection: NFT_COLLECTION }],
    ["a window of time", transfers, { address: WALLET, from_time: SANDBOX_NOW - 86_400, to_time: SANDBOX_NOW }],
  ])("%s: the shell shows the rows of the view", async (_name, route, params) => {
    const endpoint = routed(route);
    const answer = await sandbox.client.fetch(endpoint, params);
    const { stdout, stderr, code } = await runInProcess([...wordsOf(endpoint, params), "-o", "json"], {
      env: sandbox.env(),
    });
    expect(code, stderr).toBe(0);
    expect(stringifyJson(parseJson(stdout))).toBe(stringifyJson(answer.rows ?? answer.data));
  });

  test("chosen columns become the fields of the command", async () => {
    const endpoint = routed(transfers);
    const params = { address: WALLET, page_size: 10 };
    const { rows = [] } = await sandbox.client.fetch(endpoint, params);
    const columns = [
      { head: "TX", path: "trans_id" },
      { head: "AMOUNT", path: "amount" },
    ];
    const words = wordsOf(endpoint, params, { rows, columns });
    const { stdout } = await runInProcess([...words, "-o", "ndjson"], { env: sandbox.env() });
    const expected = rows.map((row) => {
      const { trans_id, amount } = row as Record<string, Json>;
      return stringifyJson({ trans_id: trans_id ?? null, amount: amount ?? null });
    });
    expect(stdout.trim().split("\n")).toEqual(expected);
  });

  test.each([
    ["lowest", 1],
    ["highest", -1],
  ])("an order of the screen is a part of the command: %s first", async (way, sign) => {
    const endpoint = routed("v2-token-holders");
    const params = { address: USDC, page_size: 10 };
    const { rows = [] } = await sandbox.client.fetch(endpoint, params);
    const subject: Subject = {
      request: { endpoint, params },
      rows,
      columns: [{ head: "AMOUNT", path: "amount" }],
      sort: { sources: [{ path: ["amount"], meta: AMOUNT }], isDescending: way === "highest" },
    };
    const { args: words } = buildViewCommand({ route: placeOf(endpoint, params), subject, hasCustomColumns: false });
    const { stdout, stderr } = await runInProcess([...words, "-o", "json"], { env: sandbox.env() });
    const amounts = (JSON.parse(stdout || stderr) as { amount: number }[]).map(({ amount }) => amount);
    const expected = rows.map((row) => (row as { amount: number }).amount).toSorted((a, b) => sign * (a - b));
    expect(amounts).toEqual(expected);
  });

  test("amounts of several tokens are ordered like the screen, also where more than a page is loaded", async () => {
    const endpoint = routed("v2-account-transfer");
    const params = { address: WALLET };
    const { stdout: all } = await runInProcess([...wordsOf(endpoint, params), "--limit", "25", "-o", "json"], {
      env: sandbox.env(),
    });
    const rows = parseJson(all) as Json[];
    const { field } = await loadEntityShape(endpoint.returns.entity);
    const sources = [{ path: ["amount"], meta: field("amount").meta }];
    const order = sortOrder(rows, { key: "amount", head: "", sources }, true);
    expect(new Set(rows.map((row) => (row as { token_decimals: number }).token_decimals)).size).toBeGreaterThan(1);
    const subject: Subject = {
      request: { endpoint, params },
      rows: order.map((at) => rows[at] ?? null),
      loaded: { rows, isComplete: false },
      sort: { sources, isDescending: true },
    };
    const { args } = buildViewCommand({ route: placeOf(endpoint, params), subject, hasCustomColumns: false });
    const { stdout } = await runInProcess([...args, "-o", "json"], { env: sandbox.env() });
    expect(parseJson(stdout)).toEqual(subject.rows);
  });

  test("a filter of displayed text is listed", () => {
    const endpoint = routed("v2-token-holders");
    const request = { endpoint, params: { address: USDC } };
    const subject: Subject = { request, rows: [], columns: [], local: ["filter usdc"] };
    const { local } = buildViewCommand({ route: placeOf(endpoint, request.params), subject, hasCustomColumns: false });
    expect(local).toEqual(["filter usdc"]);
  });
});

describe("the command of a route without a request", () => {
  const isKnown = async (place: Route) => {
    const { args: words } = buildViewCommand({ route: place, subject: undefined, hasCustomColumns: false });
    return runInProcess([...words, "-o", "json"], { env: sandbox.env() });
  };
  test.each<[string, Route]>([
    ["home", HOME],
    ["the leaderboard", { kind: "page", page: "leaderboard" }],
    ["usage", { kind: "page", page: "usage" }],
    ["an account", { kind: "entity", entity: "account", id: WALLET }],
    ["a token", { kind: "entity", entity: "token", id: USDC }],
    ["a market", { kind: "entity", entity: "market", id: POOL }],
    ["a collection", { kind: "entity", entity: "collection", id: NFT_COLLECTION }],
  ])("%s: it works", async (_name, place) => {
    const { code, stderr, stdout } = await isKnown(place);
    expect(code, stderr).toBe(0);
    expect(stdout.length).toBeGreaterThan(2);
  });
});

describe("paths of columns", () => {
  test("of alternatives, the one that the rows have is used, each once", () => {
    const columns = [
      { head: "A", path: "a.b|c" },
      { head: "C", path: "c" },
      { head: "D", path: "x|y" },
    ];
    expect(fieldPaths(columns, [{ c: 1 }])).toEqual(["c", "x"]);
    expect(fieldPaths(columns, [{ a: { b: 1 } }])).toEqual(["a.b", "c", "x"]);
  });
});

describe("a command on several lines", () => {
  /** Joins lines that end in a backslash, as a POSIX shell does. */
  const joined = (lines: readonly string[]) => lines.map((line) => line.replace(/\\$/, "")).join("");

  test("is the same command to a shell, and no line is too wide", () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9 _.'$:,-]{1,60}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, fc.integer({ min: 8, max: 120 }), (list, width) => {
        const command = ["solx", ...list.map(quoteForShell)].join(" ");
        const lines = wrapCommand(command, width);
        expect(joined(lines)).toBe(command);
        expect(lines.every((line) => line.length <= width)).toBe(true);
        expect(lines.slice(0, -1).every((line) => line.endsWith("\\"))).toBe(true);
      }),
    );
  });
});

test("arguments of a command are not quoted", () => {
  expect(commandArguments(routed("v2-token-list"), {})).toEqual(["token", "list"]);
});
