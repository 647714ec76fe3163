/**
 * Recorded answers served by a real server, to the built program and to the source in this process: every format contains
 * the recorded data, and failures end with their exit codes. New recordings must pass, too.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parse as parseCsv } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import {
  fieldAt,
  isArray,
  isObject,
  isRawNumber,
  type Json,
  type JsonObject,
  numericText,
  parseJson,
  stringifyJson,
} from "../../src/base/json.ts";
import type { Endpoint, Family } from "../../src/catalogue/endpoint.ts";
import { endpointByPath, positionalOf } from "../../src/catalogue/index.ts";
import { optionName, type Param } from "../../src/catalogue/param.ts";
import { findRows } from "../../src/client/answer/decode.ts";
import { runInProcess } from "../support/in-process.ts";
import { serve, type TestServer } from "../support/server.ts";
import { type RunResult, solx } from "../support/solx.ts";

const FOLDER = new URL("../../../shared/recorded/", import.meta.url);
/** A cell of an export is no answer. */
const isAnswer = (name: string) => !readFileSync(new URL(name, FOLDER), "utf8").includes('"of": "one CSV cell');
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json") && isAnswer(name)) : [];
const SAMPLES: Partial<Record<Param["type"], string>> = {
  address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  signature: "4AU5ShM99Db1yXr72jukaUNSJTnJtp76zt6CdL9ghatA3N4HYU9jaHre2HsHqWcKipKCD3MenvdShPsRrAU6CC4f",
  slot: "385804412",
  enum: "token",
  time: "1720000000",
};
const EXITS: Readonly<Record<number, number>> = { 400: 2, 401: 3, 403: 4, 404: 5, 429: 6, 500: 8 };

interface Recording {
  readonly path: string;
  readonly family: Family;
  readonly query: readonly (readonly [string, string])[];
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The `data` of the answer; undefined for failures and CSV. */
  readonly data: Json | undefined;
}

function load(file: string): Recording {
  const recording = parseJson(readFileSync(new URL(file, FOLDER), "utf8")) as JsonObject;
  const csv = typeof recording.body_text === "string" ? recording.body_text : undefined;
  const body = recording.body ?? { success: true, data: recording.fragment ?? null };
  const text = csv ?? stringifyJson(body);
  const failed =
    isObject(body) && body.success !== true && (body.errors !== undefined || body.error_message !== undefined);
  return {
    path: recording.endpoint === "*" ? "/chaininfo" : String(recording.endpoint),
    family: recording.family as Family,
    query: recording.query as unknown as Recording["query"],
    status: Number(recording.status),
    type: csv === undefined ? "application/json" : "text/csv",
    text,
    data:
      csv !== undefined || typeof body === "string" || failed
        ? undefined
        : isObject(body) && "data" in body
          ? body.data
          : body,
  };
}

/** Returns the command of the endpoint if the catalogue allows the recorded request, or else `solx api`. */
function command({ path, family, query, data }: Recording): string[] {
  const endpoint = endpointByPath(family, path);
  const command = endpoint && endpointCommand(endpoint, query, subjectsOf(endpoint, data));
  return (
    command ?? ["api", path, "--family", family, ...query.flatMap(([name, value]) => ["--query", `${name}=${value}`])]
  );
}

/** Returns what an answer says that it is about: examples of the documentation are not of the request beside them. */
function subjectsOf({ echo, returns }: Endpoint, data: Json = null): readonly string[] {
  const things = findRows(data, returns.at, returns.shape === "rows")?.rows ?? [data];
  const named = echo === undefined ? [] : things.map((thing) => fieldAt(thing, echo.split(".")));
  return [...new Set(named.filter((id) => id !== undefined).map(String))];
}

function endpointCommand(
  endpoint: Endpoint,
  query: Recording["query"],
  subjects: readonly string[],
): string[] | undefined {
  const values = new Map<string, string[]>();
  for (const [key, value] of query) {
    const name = key.replace(/\[\]$/, "");
    const param = endpoint.query[name];
    if (!param || (param.values && ![...param.values, ...(param.newer ?? [])].map(String).includes(value)))
      return undefined;
    if (value.includes("YOUR_") || param.deprecated) return undefined;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const positional = positionalOf(endpoint)?.[0];
  if (positional !== undefined && subjects.length > 0) values.set(positional, [...subjects]);
  for (const [name, param] of Object.entries(endpoint.query)) {
    if (param.required && param.default === undefined && !values.has(name)) {
      values.set(name, [String(param.values?.[0] ?? SAMPLES[param.type])]);
    }
  }
  return [
    ...endpoint.command.split(" "),
    ...[...values].flatMap(([name, values]) =>
      name === positional
        ? values
        : endpoint.query[name]?.arity === "range"
          ? [`--${optionName(name)}`, values.join("..")]
          : endpoint.query[name]?.type === "boolean"
            ? [values[0] === "true" ? `--${optionName(name)}` : `--no-${optionName(name)}`]
            : values.flatMap((value) => [`--${optionName(name)}`, value]),
    ),
  ];
}

/** Returns what is printed of an answer: the rows of a list, wherever they are in its `data`; with `solx api` all of it. */
function printedData(recording: Recording): Json {
  const { family, path, data } = recording;
  const isRaw = command(recording)[0] === "api";
  const { shape, at } = (isRaw ? undefined : endpointByPath(family, path))?.returns ?? {};
  const rows = shape === "rows" && at !== undefined && isObject(data) ? data[at] : undefined;
  return rows ?? data ?? null;
}

/** Returns all numbers of a value as text. */
function digits(value: Json): string[] {
  if (typeof value === "number" || isRawNumber(value)) return [numericText(value)];
  if (isArray(value)) return value.flatMap(digits);
  return isObject(value) ? Object.values(value).flatMap(digits) : [];
}

/** Answers that the built program reads, one of each status and group: the source in this process reads the others. */
const BUILT: ReadonlySet<string> = new Set(
  new Map(
    FILES.map((file) => {
      const { status, path, family } = load(file);
      return [`${status} ${endpointByPath(family, path)?.group}`, file];
    }),
  ).values(),
);

const HOLES = /undefined|\bnull\b|NaN|\[object Object\]/;

describe.skipIf(FILES.length === 0)("recorded answers", () => {
  let server: TestServer;
  const bodies = new Map<string, Recording>();
  beforeAll(async () => {
    server = await serve((request, response) => {
      const [, file = ""] = /^\/([^/]+)\//.exec(request.url ?? "") ?? [];
      const { status, type, text } = bodies.get(file) as Recording;
      response.writeHead(status, { "content-type": type }).end(text);
    });
  });
  afterAll(() => server.close());

  const play = (
    file: string,
    recording: Recording,
    args: readonly string[],
    program: typeof runInProcess | typeof solx = runInProcess,
  ): Promise<RunResult> => {
    bodies.set(file, recording);
    // Each run has its own rate limit, so that exports need not be a minute apart.
    const env = { SOLX_BUDGET: "process" };
    return program([...command(recording), `SOLX_BASE_URL=${server.url}/${file}`, "SOLX_RETRIES=0", ...args], { env });
  };

  describe.concurrent.each(FILES)("%s", (file) => {
    const recording = load(file);
    const { status, data, text } = recording;
    const program = BUILT.has(file) ? solx : runInProcess;

    if (status !== 200) {
      test("ends with its exit code", async () => {
        const { code, stdout, stderr } = await play(file, recording, [], program);
        expect(stdout).toBe("");
        expect(code).toBe(recording.path === "/chaininfo" && status === 403 ? 6 : EXITS[status]);
        const message = /"(?:message|error_message)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? "";
        expect(stderr).toContain(message);
      });
      return;
    }

    if (data !== undefined && stringifyJson(data) === "{}") {
      test("is no data about the one thing that was requested", async () => {
        const { code, stdout, stderr } = await play(file, recording, [], program);
        expect([code, stdout]).toEqual([5, ""]);
        expect(stderr).toContain("The API has no data for");
      });
      return;
    }

    test("json, ndjson and yaml preserve every digit", async () => {
      const asJson = await play(file, recording, ["-o", "json", "--quiet"], program);
      expect(asJson).toMatchObject({ code: 0, stderr: "" });
      if (data !== undefined)
        expect(stringifyJson(parseJson(asJson.stdout))).toBe(stringifyJson(printedData(recording)));
      const result = parseJson(asJson.stdout);
      const whole = await play(file, recording, ["-o", "json", "--envelope"]);
      const { complete: _, next: __, coverage: ___, ...answer } = parseJson(whole.stdout) as JsonObject;
      // A list without an envelope gets one.
      const asReceived = text.startsWith("[") ? (answer.data ?? null) : answer;
      if (data !== undefined) expect(stringifyJson(asReceived)).toBe(text);
      const yaml = await play(file, recording, ["-o", "yaml"]);
      expect(yaml.code).toBe(0);
      for (const number of digits(result)) expect(yaml.stdout).toContain(number);
      expect(parseYaml(yaml.stdout)).toEqual(JSON.parse(asJson.stdout));
      const lines = (await play(file, recording, ["-o", "ndjson"])).stdout.trimEnd().split("\n").filter(Boolean);
      const parsed = lines.map(parseJson);
      const printed = stringifyJson(result);
      for (const line of parsed) expect(printed).toContain(stringifyJson(line));
    });

    test("csv, tsv and tables have no missing cells", async () => {
      const csv = await play(file, recording, ["-o", "csv"]);
      expect(csv.code).toBe(0);
      const [header = [], ...records] = parseCsv(csv.stdout, { relax_column_count: false }) as string[][];
      expect(header.length).toBeGreaterThan(0);
      for (const cell of records.flat()) {
        if (!/^[[{]/.test(cell)) expect(cell).not.toMatch(HOLES);
        else expect(() => JSON.parse(cell)).not.toThrow();
      }
      const tsv = await play(file, recording, ["-o", "tsv"]);
      expect(tsv.code).toBe(0);
      const widths = new Set(
        tsv.stdout
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => line.split("\t").length),
      );
      expect([...widths]).toEqual([header.length]);
      const table = await play(file, recording, ["-o", "table"]);
      expect(table.code).toBe(0);
      expect(table.stdout).not.toMatch(HOLES);
      for (const line of table.stdout.split("\n")) expect(line).not.toMatch(/\u001b/);
    });
  });
});
