/** Files of recordings: bodies come back byte by byte, and equal requests are equal. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listRecordings, readRecording } from "../../../src/sources/recording/index.ts";
import { formatRecording, openRecordingWriter, parseRecording } from "../../../src/sources/recording/recording.ts";
import { normaliseRequest, requestKey } from "../../../src/sources/recording/request.ts";
import { createTempFolder } from "../../support/solx.ts";

const request = (path: string, query: string, method = "GET") =>
  normaliseRequest({ method, path, query: new URLSearchParams(query) });
const META = request("/v2.0/token/meta", "address=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

function roundTrip(body: Buffer) {
  const text = formatRecording({ time: 0, request: META, response: { status: 200, headers: {}, body } });
  return { text, body: parseRecording(text, "file").response?.body };
}

describe("bodies", () => {
  test.each([
    ['{"supply":18446744073709551615,"price":0.10,"neg":-0,"e":1e400}', '"supply": 18446744073709551615'],
    ['{\n  "data": [\n    1.0\n  ]\n}', '"indent": 2'],
    ['{"a":1, "b":2}', '"text"'],
    ['{"a":"\\u00e9\\/"}', '"text"'],
    ['{"a":1,"a":2}', '"text"'],
    ["Signature,Amount\n5vwF,24047160221000", '"text"'],
    ['"a,b\\n1,2"', '"json": "a,b\\n1,2"'],
    ['{"success":true,"data":[', '"text"'],
    ["", '"text": ""'],
    ["\uFEFF{}", '"text"'],
  ])("%j has the same bytes again", (body, form) => {
    const result = roundTrip(Buffer.from(body));
    expect(result.text).toContain(form);
    expect(result.body?.toString()).toBe(body);
  });

  test("of any bytes are the same again", () => {
    const value = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(value, (body) => {
        expect(roundTrip(body).body).toEqual(body);
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  ["{", /is not a recording/],
  ["{}", /has no request/],
  ['{"format":2,"time":"","request":{}}', /format is not 1/],
  ['{"format":1,"time":"2024-07-05T00:00:00Z","request":{"method":"GET","path":"/"}}', /neither a response/],
  ['{"format":1,"time":"x","request":{},"response":{}}', /time/],
])("%s is refused with the reason", (text, reason) => {
  expect(() => parseRecording(text, "a.json")).toThrow(reason);
});

const withResponse = (response: object) =>
  JSON.stringify({
    ...{ format: 1, time: "2024-07-05T00:00:00Z", request: { method: "GET", path: "/" } },
    response: { status: 200, text: "", ...response },
  });

test.each([
  [{ status: 99 }, /99 is not the status/],
  [{ status: 101 }, /101 is not the status/],
  [{ status: 200.5 }, /200.5 is not the status/],
  [{ headers: { a: "€" } }, /is not a recording/],
  [{ headers: { a: "x\r\ny: z" } }, /is not a recording/],
  [{ headers: { "": "x" } }, /is not a recording/],
])("a response that no server can send is refused: %j", (response, reason) => {
  expect(() => parseRecording(withResponse(response), "a.json")).toThrow(reason);
});

test("headers of the recorded connection are dropped", () => {
  const headers = { Trailer: "x", connection: "close", "Content-Type": "text/csv" };
  expect(parseRecording(withResponse({ headers }), "a.json").response?.headers).toEqual({ "content-type": "text/csv" });
});

describe("equal requests", () => {
  const PATH = "/v2.0/account/transfer";
  const [A, B] = ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "So11111111111111111111111111111111111111112"];
  test.each([
    ["the order of parameters", PATH, `address=${A}&page=2`, `page=2&address=${A}`],
    ["defaults", PATH, `address=${A}&page=1&page_size=10`, `address=${A}`],
    [
      "the order of a list",
      "/v2.0/token/price/multi",
      `address[]=${A}&address[]=${B}`,
      `address[]=${B}&address[]=${A}`,
    ],
    ["the order of a list with commas", PATH, `address=${A}&from=${A},${B}`, `address=${A}&from=${B},${A}`],
    ["parameters of an unknown path", "/v2.0/other", "b=2&a=1", "a=1&b=2"],
  ])("do not depend on %s", (_, path, left, right) => {
    expect(requestKey(request(path, left))).toBe(requestKey(request(path, right)));
  });

  test.each([
    ["values", PATH, `address=${A}&page=2`, `address=${A}&page=3`],
    ["the order of a range", PATH, `address=${A}&value[]=1&value[]=2`, `address=${A}&value[]=2&value[]=1`],
    ["repeated parameters of an unknown path", "/v2.0/other", "a=1&a=2", "a=2&a=1"],
  ])("depend on %s", (_, path, left, right) => {
    expect(requestKey(request(path, left))).not.toBe(requestKey(request(path, right)));
  });

  test("of a node do not depend on ids and the order of members", () => {
    const call = (body: string) => requestKey(normaliseRequest({ method: "POST", path: "/", query: [], body }));
    expect(call('{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"a":1,"b":2}]}')).toBe(
      call('{"method":"getSlot","params":[{"b":2,"a":1}],"id":"x","jsonrpc":"2.0"}'),
    );
    expect(call('{"id":1,"method":"getSlot"}')).not.toBe(call('{"id":1,"method":"getBlockHeight"}'));
  });
});

describe("folders", () => {
  const recording = (body: string) => ({
    time: 0,
    request: META,
    response: { status: 200, headers: {}, body: Buffer.from(body) },
  });

  test("lose no recording of several writers at the same time", async () => {
    const folder = join(createTempFolder(), "deep", "recordings");
    const writers = [openRecordingWriter(folder), openRecordingWriter(folder), openRecordingWriter(folder)];
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => writers[at % 3]?.write(recording(JSON.stringify({ number: at })))),
    );
    const names = await listRecordings(folder);
    expect(names).toEqual(Array.from({ length: 60 }, (_, at) => expect.stringMatching(new RegExp(`-${at + 1}.json$`))));
    const bodies = await Promise.all(names.map(async (name) => (await readRecording(folder, name)).response?.body));
    expect(new Set(bodies.map(String)).size).toBe(60);
    expect(readdirSync(folder)).toHaveLength(60);
  });

  test.skipIf(process.platform === "win32")("and files are readable for their owner alone", async () => {
    const folder = join(createTempFolder(), "recordings");
    const name = await openRecordingWriter(folder).write(recording("{}"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test("have names that follow from the request", async () => {
    const names = [createTempFolder(), createTempFolder()].map((folder) =>
      openRecordingWriter(folder).write(recording("{}")),
    );
    const [first, second] = await Promise.all(names);
    expect(first).toBe(second);
    expect(first).toMatch(/^v2-token-meta-[0-9a-f]{10}-1\.json$/);
  });
});
