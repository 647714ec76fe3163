/** Numbers are exact in every format. */
import { describe, expect, test } from "vitest";
import { sendJson, serve } from "../support/server.ts";
import { solx } from "../support/solx.ts";

const NUMBERS = [
  "18446744073709551615",
  "18446744073709552000",
  "9007199254740993",
  "0.00000001164",
  "1e-19",
  "8.018845e-8",
  "-0",
  "1.10",
  "1234567890123456789012345678.901234567890",
  "0.1000000000000000055511151231257827021181",
];
const list = NUMBERS.map((number, at) => `{"address":"a${at}","n":${number},"in":{"deep":[${number}]}}`);

const server = () =>
  serve((request, response) =>
    sendJson(
      response,
      request.url?.includes("trending") ? `{"success":true,"data":[${list}]}` : `{"success":true,"data":${list[0]}}`,
    ),
  );

describe.concurrent.each(["json", "ndjson", "yaml", "csv", "tsv"])("-o %s", (format) => {
  test("preserves every digit, also in nested values", async () => {
    const { url } = await server();
    const { code, stdout } = await solx(["token", "trending", "-o", format, `SOLX_BASE_URL=${url}`]);
    expect(code).toBe(0);
    const rows = stdout.split(/(?=a\d)/).slice(1);
    expect(rows).toHaveLength(NUMBERS.length);
    for (const [at, number] of NUMBERS.entries()) {
      const matches = rows[at]?.match(/-?\d+(\.\d+)?([eE][+-]?\d+)?/g)?.filter((text) => text === number) ?? [];
      expect(matches, `${number} in ${rows[at]}`).toHaveLength(2);
    }
  });
});

test("--jq preserves every digit of values that it passes through", async () => {
  const { url } = await server();
  const { stdout } = await solx(["token", "trending", "--jq", ".[].n", `SOLX_BASE_URL=${url}`]);
  expect(stdout.trimEnd().split("\n")).toEqual(NUMBERS);
});

test("--fields and --envelope preserve every digit", async () => {
  const { url } = await server();
  const { stdout } = await solx(["token", "trending", "--fields", "n", "--envelope", `SOLX_BASE_URL=${url}`]);
  for (const number of NUMBERS) expect(stdout).toContain(`"n":${number}`);
});
