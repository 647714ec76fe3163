/**
 * The law of lists for recordings: of pages that were recorded in one reading or in several, with other rows at the top
 * by then, of which files are lost, copied or renamed, each row is read once and in order down to the last one, or the
 * reading says what was not recorded.
 */
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import type { HttpRequest } from "../../src/sources/api/index.ts";
import { createClient } from "../../src/sources/index.ts";
import { endpointOf as listEndpoint, rowOf } from "../client/list-server.ts";
import { WALLET } from "../client/servers.ts";
import { CASES_EACH, checkReading, identify, readAll, UNLIMITED } from "./readings.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-law-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = 1_720_000_000;
/** Seconds between two readings. */
const PAUSE = 600;
const [COUNT, MOST_NEW] = [64, 12];

/** A reading that is recorded: how many rows have arrived before it, and how many it reads. */
interface RecordedReading {
  readonly arrived: number;
  readonly limit: number | undefined;
}

/** What happens to files of the recordings. Numbers select files, whatever their number. */
interface Damage {
  readonly kind: "lose" | "copy" | "swap";
  readonly file: number;
}

const readings: fc.Arbitrary<readonly RecordedReading[]> = fc
  .array(
    fc.record({
      arrived: fc.nat({ max: MOST_NEW }),
      limit: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) => all.toSorted((a, b) => a.arrived - b.arrived));
const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({ kind: fc.constantFrom("lose", "lose", "copy", "swap"), file: fc.nat({ max: 40 }) }),
  { maxLength: 3 },
);

/** Returns the answers of a server to the requests of an endpoint, whose list is newest first. */
function serverOf(endpoint: Endpoint, rows: readonly JsonObject[], now: number) {
  return (url: URL): string => {
    const query = url.searchParams;
    const limit = Number(query.get("page_size") ?? query.get("limit") ?? 10);
    const to = Number(query.get("to_time") ?? query.get("toTime") ?? now);
    const visible = rows.filter(({ block_time = 0 }) => Number(block_time) <= to);
    const before = query.get("before");
    const cursor = before === null ? 0 : visible.findIndex((row) => row.tx_hash === before) + 1;
    const start = cursor + Number(query.get("offset") ?? 0) + (Number(query.get("page") ?? 1) - 1) * limit;
    const items = visible.slice(start, start + limit);
    const { at, total } = endpoint.returns;
    return JSON.stringify({ success: true, data: at ? { [at]: items, [total ?? ""]: visible.length } : items });
  };
}

let cases = 0;

/** Records readings into a new folder. */
async function record(
  endpoint: Endpoint,
  all: readonly JsonObject[],
  params: JsonObject,
  runs: readonly RecordedReading[],
) {
  const recordings = join(folder, String(++cases));
  for (const [run, { arrived, limit }] of runs.entries()) {
    const now = START + run * PAUSE;
    const answer = serverOf(endpoint, all.slice(MOST_NEW - arrived), now);
    const headers = { "content-type": "application/json", date: new Date(now * 1000).toUTCString() };
    const client = createClient({
      key: "k",
      rateLimiter: UNLIMITED,
      now: () => now * 1000,
      record: { folder: recordings },
      transport: {
        send: async ({ url }: HttpRequest) => ({ url, status: 200, headers, body: answer(url) }),
        close: async () => {},
      },
    });
    const options = limit === undefined ? { all: true } : { limit };
    for await (const _ of client.pages(endpoint, params, options));
    await client.close();
  }
  return recordings;
}

function damage(recordings: string, { kind, file }: Damage): void {
  const files = readdirSync(recordings).sort();
  const [one, other] = [files[file % files.length], files[(file + 1) % files.length]];
  if (one === undefined || other === undefined || files.length < 2) return;
  const path = (name: string) => join(recordings, name);
  if (kind === "lose") rmSync(path(one));
  else if (kind === "copy") copyFileSync(path(one), path(one.replace(/-\d+\.json$/, `-${20 + file}.json`)));
  else {
    renameSync(path(one), path("swapped"));
    renameSync(path(other), path(one));
    renameSync(path("swapped"), path(other));
  }
}

async function replay(endpoint: Endpoint, params: JsonObject, recordings: string) {
  const doubts: string[] = [];
  const client = createClient({
    ...{ replay: recordings, rateLimiter: UNLIMITED, sleep: async () => {} },
    onEvent: (event) => event.type === "coverage" && doubts.push(event.text),
  });
  const reading = await readAll(client, endpoint, params);
  await client.close();
  rmSync(recordings, { recursive: true });
  return { reading, doubts };
}

/** A whole reading and the newest rows of a later one, without one of the files. */
const LOST = Array.from({ length: 8 }, (_, file): [readonly RecordedReading[], readonly Damage[]] => [
  [
    { arrived: 0, limit: undefined },
    { arrived: MOST_NEW, limit: 10 },
  ],
  [{ kind: "lose", file }],
]);

describe("recordings", () => {
  test.each([
    ["/token/holders", "v2", { address: WALLET, page_size: 10 }],
    ["/account/transfer", "v2", { address: WALLET, page_size: 10 }],
    ["/account/transactions", "v2", { address: WALLET, limit: 10 }],
    ["/account/splTransfers", "legacy", { account: WALLET, limit: 10 }],
  ] as const)("%s", async (path, family, params) => {
    const endpoint = listEndpoint(path, family);
    const hasTime = "from_time" in endpoint.query || "fromTime" in endpoint.query || endpoint.paging === "cursor";
    // Rows that arrive between two readings are as old as that.
    const secondOf = (at: number) => START - 10 + (at < MOST_NEW ? (MOST_NEW - at) * 10 : -at * 20);
    const rows = Array.from({ length: COUNT }, (_, at) => ({
      ...rowOf(endpoint, at, hasTime ? secondOf(at) : undefined),
      ...(endpoint.paging === "cursor" && { slot: 1_000_000 - at }),
    }));
    const all = rows.map(identify);
    const run = async (runs: readonly RecordedReading[], what: readonly Damage[]) => {
      const recordings = await record(endpoint, rows, params, runs);
      for (const one of what) damage(recordings, one);
      if (readdirSync(recordings).length === 0) return;
      const { reading, doubts } = await replay(endpoint, params, recordings);
      const steady = all.slice(Math.max(0, all.indexOf(reading.ids[0] ?? all[MOST_NEW] ?? "")));
      checkReading(reading, { all, steady, isDoubtful: doubts.length > 0 });
      if (runs.length === 1 && runs[0]?.limit === undefined && what.length === 0)
        expect([reading.error, doubts]).toEqual([undefined, []]);
    };
    await run([{ arrived: 0, limit: undefined }], []);
    await fc.assert(fc.asyncProperty(readings, damages, run), { numRuns: LOST.length + CASES_EACH, examples: LOST });
  });
});
