/**
 * The law of the command that `--envelope` names: following it, with any limits, prints each row once and in order. It
 * takes at most two requests a command more than reading the list at once. Where the list has a cursor or an end in time,
 * this holds while rows arrive.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { endpointOf as listEndpoint, rowOf } from "../client/list-server.ts";
import { WALLET } from "../client/servers.ts";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";
import { MisbehavingList, WELL_BEHAVED } from "./misbehaving-list.ts";
import { CASES_EACH, identify } from "./readings.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-law-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the next command", () => {
  test.each([
    ["/account/transfer", "v2", ["account", "transfer", WALLET]],
    ["/token/holders", "v2", ["token", "holders", WALLET]],
    ["/token/list", "v2", ["token", "list"]],
    ["/account/transactions", "v2", ["account", "transactions", WALLET]],
    ["/account/transactions/enhanced", "v2", ["account", "transactions-enhanced", WALLET]],
    ["/account/splTransfers", "legacy", ["legacy", "account", "spl-transfers", WALLET]],
    ["/block/last", "v2", ["block", "last"]],
  ] as const)("of %s (%s)", async (path, family, command) => {
    const endpoint = listEndpoint(path, family);
    const COUNT = endpoint.paging === "limit" ? 100 : 230;
    const to = Object.keys(endpoint.query).find((name) => endpoint.query[name]?.role === "to");
    const mayGrow = endpoint.paging === "cursor" || to !== undefined;
    /** Rows that arrive after the first page are later than it. */
    let arrivals = 0;
    const secondOf = (at: number) => (at < arrivals ? 4_000_000_000 : 1_720_000_000) - at;
    const rows = Array.from({ length: COUNT }, (_, at) => ({
      ...rowOf(endpoint, at, 0),
      tx_hash: rowOf(listEndpoint("/account/transactions"), at).tx_hash,
      slot: 1_000_000 - at,
    })) as readonly JsonObject[];
    const byId = new Map(rows.map((row, at) => [identify(row), { ...row, at } as JsonObject]));
    const timed = ({ at, ...row }: JsonObject): JsonObject => ({ ...row, block_time: secondOf(Number(at)) });
    let [list, ids]: [MisbehavingList<string>, readonly string[]] = [new MisbehavingList<string>([], WELL_BEHAVED), []];
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const cursor = query.get("before") ?? query.get("cursor");
      const items = list
        .page({
          limit: Number(query.get("page_size") ?? query.get("limit") ?? 10),
          page: Number(query.get("page") ?? 1) - 1,
          offset: Number(query.get("offset") ?? 0),
          matches: (id) =>
            secondOf(Number(byId.get(id)?.at)) <= Number(query.get(to ?? "") ?? Number.POSITIVE_INFINITY),
          after: cursor === null ? undefined : (id) => id === cursor || byId.get(id)?.tx_hash === cursor,
        })
        .map((id) => timed(byId.get(id) ?? {}));
      const { at, total } = endpoint.returns;
      const last = list.positionOf(identify(items.at(-1) ?? {}));
      const more = last >= 0 && last < ids.length - 1 ? { cursor: items.at(-1)?.tx_hash } : {};
      const data = at
        ? {
            [at]: items,
            ...(total && { [total]: list.length - (query.has(to ?? "") ? list.arrived : 0) }),
            ...(endpoint.cursorAt && more),
          }
        : items;
      sendJson(response, JSON.stringify({ success: true, data }));
    });
    const solx = async (args: readonly string[]) => {
      const before = list.requests;
      const env = { SOLX_BASE_URL: server.url, SOLX_RATE: "off", SOLX_CACHE: "off", SOLX_CONFIG_DIR: folder };
      const result = await runInProcess([...args, "-o", "json"], { env });
      return { ...result, requests: list.requests - before };
    };
    const run = async (size: number, limits: readonly number[], grows: readonly number[] = []) => {
      ids = [...byId.keys()].slice(0, size);
      list = new MisbehavingList(ids, WELL_BEHAVED);
      const whole = await solx([...command, "--limit", String(COUNT)]);
      // Of a list without rows, the first ones are those that arrive.
      const growing = mayGrow && grows.length < size ? grows : [];
      arrivals = growing.length;
      list = new MisbehavingList(ids, { ...WELL_BEHAVED, grows: growing });
      const printed: string[] = [];
      let [requests, commands, next]: [number, number, string | null] = [
        0,
        0,
        `solx ${command.join(" ")} --envelope --limit 1`,
      ];
      while (next !== null) {
        const limit = limits[commands % limits.length] ?? 1;
        commands += 1;
        const following = next.replace(/--limit (?:(\d+)\.\.)?\d+/, (_, first?: string) =>
          first === undefined ? `--limit ${limit}` : `--limit ${first}..${Number(first) + limit - 1}`,
        );
        const words: readonly string[] = following.replace(/ -o json/, "").split(" ");
        const { stdout, stderr, code, requests: sent } = await solx(words.slice(words.indexOf(command[0])));
        requests += sent;
        expect(code, stderr).toBe(0);
        const envelope = JSON.parse(stdout) as { data: JsonObject; next: string | null };
        const data = endpoint.returns.at ? envelope.data[endpoint.returns.at] : envelope.data;
        printed.push(...(data as unknown as JsonObject[]).map(identify));
        next = envelope.next;
      }
      expect(printed).toEqual(ids.slice(arrivals));
      expect(requests).toBeLessThanOrEqual(whole.requests + 2 * commands);
    };
    await run(COUNT, [1, 2, 20, 7, 100]);
    const sizes = fc.nat({ max: COUNT });
    const limits = fc.array(fc.integer({ min: 5, max: 130 }), { minLength: 1, maxLength: 4 });
    const growing = fc.uniqueArray(fc.integer({ min: 1, max: 15 }), { maxLength: 5 });
    await fc.assert(fc.asyncProperty(sizes, limits, growing, run), { numRuns: 2 * CASES_EACH });
    await server.close();
  });
});
