/** Rows are rows: every list endpoint prints an array in JSON, whatever the API sends around the rows. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { afterAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { isArray, isObject, type Json, type JsonObject, parseJson } from "../../src/base/json.ts";
import { endpoints, returnsList } from "../../src/catalogue/index.ts";
import { exampleArguments, runInProcess } from "../support/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "solx-rows-"));
afterAll(() => rmSync(folder, { recursive: true }));

// Else the values of the day grow between two commands.
const TIME = "SOLX_SANDBOX_NOW=2024-07-05T12:00:00Z";

async function print(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess([TIME, ...args, "--sandbox", "--quiet"]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const lists = endpoints.filter((endpoint) => returnsList(endpoint) && endpoint.family !== "node");

describe.each(lists.map((endpoint) => [endpoint.command, endpoint] as const))("%s", (_, endpoint) => {
  const example = endpoint.examples[0] as (typeof endpoint.examples)[number];
  const args = exampleArguments(endpoint, example);

  it("prints the same rows in every format, and all that the API sends with --envelope", async () => {
    const rows = parseJson(await print([...args, "-o", "json"])) as readonly Json[];
    expect(isArray(rows)).toBe(true);
    expect(rows.every(isObject)).toBe(true);
    const lines = (await print([...args, "-o", "ndjson"])).split("\n").filter((line) => line !== "");
    expect(lines.map(parseJson)).toEqual(rows);
    expect(parseYaml(await print([...args, "-o", "yaml"]), { intAsBigInt: false })).toHaveLength(rows.length);
    expect(parseCsv(await print([...args, "-o", "csv"]), { columns: true })).toHaveLength(rows.length);
    expect(await print([...args, "--jq", "length"])).toBe(`${rows.length}\n`);
    const file = join(folder, `${endpoint.route}.json`);
    await print([...args, "--out", file]);
    expect(parseJson(readFileSync(file, "utf8"))).toEqual(rows);

    const { at } = endpoint.returns;
    const whole = parseJson(await print([...args, "-o", "json", "--envelope"])) as JsonObject;
    const data = isObject(whole.data) ? whole.data : whole;
    expect(at === undefined || isArray(whole.data) ? whole.data : data[at]).toEqual(rows);
    if (endpoint.returns.total !== undefined && isObject(whole.data)) {
      expect(whole.data).toHaveProperty(endpoint.returns.total);
    }
  });
});

it("prints the rows of several pages as one array", async () => {
  const holders = ["token", "holders", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"];
  expect(JSON.parse(await print([...holders, "-o", "json", "--limit", "25"]))).toHaveLength(25);
  expect(await print([...holders, "--limit", "25", "--jq", ".[].owner"])).toMatch(/^(\w{32,44}\n){25}$/);
});
