/**
 * The law of lists for the files of commands, in each kind of format: whatever a server does with pages, a file has each
 * row once and in order, or the command exits 10. A total that the rows contradict is no reason to leave out rows.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { endpointOf as listEndpoint, rowOf } from "../client/list-server.ts";
import { WALLET } from "../client/servers.ts";
import { runInProcess } from "../support/in-process.ts";
import { sendJson, serve } from "../support/server.ts";
import { MisbehavingList, type Misbehaviour, misbehaviours, ofTransactions, WELL_BEHAVED } from "./misbehaving-list.ts";
import { CASES_EACH, checkReading, ENDLESS, identify } from "./readings.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-law-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COUNT = 330;
/** Rows that arrive later have a time after that of the first answer. */
const secondOf = (at: number, arrivals: number) => (at < arrivals ? 4_000_000_000 - at : 1_720_000_000 - at);

/** Returns the rows of a file. */
async function readRows(path: string, format: string): Promise<readonly JsonObject[]> {
  const bytes = readFileSync(path);
  if (format === "parquet") {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return (await parquetReadObjects({ file })) as unknown as readonly JsonObject[];
  }
  const text = bytes.toString();
  if (format === "json") return JSON.parse(text);
  const lines = text.split("\n").filter((line) => line !== "");
  if (format === "ndjson") return lines.map((line) => JSON.parse(line));
  // No cell of these rows is quoted.
  const [head = [], ...rows] = lines.map((line) => line.split(","));
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""])));
}

describe("files of lists", () => {
  test.each([
    ["csv", "/account/transfer", ["account", "transfer", WALLET, "--fields", "trans_id"]],
    ["ndjson", "/account/transfer", ["account", "transfer", WALLET]],
    ["parquet", "/token/holders", ["token", "holders", WALLET, "--fields", "owner,address"]],
    ["json", "/token/holders", ["token", "holders", WALLET]],
  ] as const)("%s of %s", async (format, path, command) => {
    const endpoint = listEndpoint(path);
    const isTimed = "to_time" in endpoint.query;
    const ids = Array.from({ length: COUNT }, (_, at) => identify(rowOf(endpoint, at)));
    const positions = new Map(ids.map((id, at) => [id, at]));
    let list: MisbehavingList<string>;
    let arrivals = 0;
    const timeOf = (id: string) => secondOf(positions.get(id) ?? 0, arrivals);
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const to = Number(query.get("to_time") ?? Number.POSITIVE_INFINITY);
      const page = { limit: Number(query.get("page_size") ?? 10), page: Number(query.get("page") ?? 1) - 1 };
      const found =
        list.requests > ENDLESS ? [] : list.page({ ...page, matches: (id) => !isTimed || timeOf(id) <= to });
      const items = found.map((id) => rowOf(endpoint, positions.get(id) ?? 0, isTimed ? timeOf(id) : undefined));
      const { at, total = "" } = endpoint.returns;
      sendJson(response, JSON.stringify({ success: true, data: at ? { [at]: items, [total]: list.length } : items }));
    });
    let files = 0;
    const run = async (size: number, anything: Misbehaviour) => {
      arrivals = anything.grows.length;
      // What only a total can show is left out where there is none, and so is an order that the server decides.
      const what: Misbehaviour = isTimed
        ? { ...ofTransactions(anything), cuts: [], countsAsked: false }
        : { ...anything, order: "right" };
      list = new MisbehavingList(ids.slice(0, size), what);
      const file = join(folder, `${++files}.${format}`);
      const env = { SOLX_BASE_URL: server.url, SOLX_RATE: "off", SOLX_RETRIES: "0", SOLX_CACHE: "off" };
      const { code, stderr } = await runInProcess([...command, "--all", "--yes", "--out", file], { env });
      expect(list.requests).toBeLessThan(ENDLESS);
      if (code === 10) return void expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).toHaveProperty("errors");
      expect(code, stderr).toBe(0);
      const read = (await readRows(file, format)).map(identify);
      if (what.order !== "right" && isTimed) expect(read.toSorted()).toEqual([...new Set(read)].toSorted());
      else checkReading({ ids: read, error: undefined }, { all: ids, steady: list.steady, isDoubtful: false });
    };
    await run(COUNT, WELL_BEHAVED);
    await fc.assert(fc.asyncProperty(fc.nat({ max: COUNT }), misbehaviours, run), {
      numRuns: 3 * CASES_EACH,
      examples: [
        // The next page follows from the rows that were found in the previous one.
        [22, { ...WELL_BEHAVED, cap: 11, repeated: [1], shrinks: [2] }],
        // A page that was short has rows of the next one, too.
        [3, { ...WELL_BEHAVED, cuts: [0.66, 0.33, 0], isDeaf: true }],
      ],
    });
    await server.close();
  });
});
