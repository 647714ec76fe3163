/** Every command in every format, with the sandbox: parsed by third-party parsers, all formats contain the same. */
import { rmSync } from "node:fs";
import stringWidth from "string-width";
import { beforeAll, describe, expect, test } from "vitest";
import { isObject, type Json, parseJson } from "../../src/base/json.ts";
import type { Endpoint } from "../../src/catalogue/endpoint.ts";
import { endpoints, returnsList } from "../../src/catalogue/index.ts";
import { STAKE_ACCOUNT } from "../../src/catalogue/samples.ts";
import { FORMAT_NAMES, type Format } from "../../src/output/index.ts";
import { exampleArguments, type InProcessOptions, runInProcess } from "../support/in-process.ts";
import { worldsFolder } from "../support/ledger.ts";
import {
  cellsOf,
  linesOf,
  type ParsedValue,
  plainRecord,
  type Records,
  readCsv,
  readNdjson,
  readTsv,
  readYaml,
  rowsOfOutput,
} from "../support/parse-output.ts";
import { sandboxEnv } from "../support/sandbox.ts";
import { solx } from "../support/solx.ts";

const WORLD = { SOLX_SANDBOX: "on", SOLX_SANDBOX_NOW: "2024-07-05T12:00:00Z" };
const env = { ...sandboxEnv(WORLD), SOLX_HOME: `${worldsFolder()}/home` };
const WIDTH = 80;

/** Expected notes: on lookalike names, on late fields, and on the next page. */
const NOTE = /^\{"note":|^solx: (⚠ |\d+ rows? shown;)/;
/** Formulas of spreadsheets. */
const FORMULA = /^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
/** Characters that some programs treat as line ends. */
const LINE_BREAK = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
/** Characters that no output may contain. */
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
const SLIPS = /\bNaN\b|\bundefined\b|\[object |Invalid Date/;

async function ask(words: readonly string[], options: InProcessOptions = {}): Promise<string> {
  // Counters that increase with each run would differ between formats.
  if (words[0] === "monitor") rmSync(`${env.SOLX_HOME}/cache/sandbox/usage.sqlite`, { force: true });
  const { code, stdout, stderr } = await runInProcess(words, { ...options, env: { ...env, ...options.env } });
  const complaints = linesOf(stderr).filter((line) => !NOTE.test(line));
  expect({ code, complaints }, words.join(" ")).toEqual({ code: 0, complaints: [] });
  expect(stderr).not.toMatch(CONTROLS);
  return stdout;
}

/** Commands whose answers have no identifiers, which `-o name` would print. */
const NAMELESS = [
  "account portfolio",
  "account transfer-total",
  "legacy market token-detail",
  "monitor usage",
  "transaction fees",
];

/** Runs a command in each format that it supports; returns the texts. */
async function askAll(words: readonly string[], options?: InProcessOptions): Promise<Readonly<Record<Format, string>>> {
  const texts: Partial<Record<Format, string>> = {};
  const isNameless = NAMELESS.some((command) => words.join(" ").startsWith(command));
  for (const format of FORMAT_NAMES) {
    if (format === "name" && isNameless) await expectNoNames(words, options);
    else if (format !== "parquet") texts[format] = await ask([...words, "-o", format], options);
    else expect(await ask([...words, "-o", format])).toMatch(/^PAR1.*PAR1$/s);
  }
  return texts as Record<Format, string>;
}

async function expectNoNames(words: readonly string[], options: InProcessOptions = {}): Promise<void> {
  const run = await runInProcess([...words, "-o", "name"], { ...options, env: { ...env, ...options.env } });
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toContain("-o name prints identifiers");
}

// The first run creates the ledger for all others.
beforeAll(async () => void (await ask(["chaininfo"])));

const CASES = endpoints.map((endpoint) => {
  const [example = { about: "", params: {} }] = endpoint.examples;
  return { name: endpoint.command, endpoint, words: exampleArguments(endpoint, example) };
});

/** Returns everything that the API sends as data, with what is around rows. */
async function askWhole(
  endpoint: Endpoint,
  words: readonly string[],
  options?: InProcessOptions,
): Promise<ParsedValue> {
  const printed = JSON.parse(await ask([...words, "-o", "json", "--envelope"], options)) as ParsedValue;
  const { complete: _, next: __, ...whole } = printed;
  // Legacy answers have no envelope, unless they are the rows themselves.
  const isBare = endpoint.family === "legacy" && (!returnsList(endpoint) || endpoint.returns.at !== undefined);
  return isBare ? whole : (whole.data ?? whole);
}

/** Returns a row with the control characters of its texts as `‹U+001B›`. */
function revealControls(row: Json): Json {
  if (!isObject(row)) return row;
  const reveal = (one: string) => `‹U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`;
  const fields = Object.entries(row).map(([name, value = null]): [string, Json] => [
    name,
    typeof value === "string" ? value.replace(/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/g, reveal) : value,
  ]);
  return Object.fromEntries(fields);
}

/** Checks that records contain the same as rows, with exact numbers. */
function expectRecords(records: Records, rows: readonly Json[]): void {
  expect(records).toHaveLength(rows.length);
  const actual = records.map((record, at) => plainRecord(record, rows[at] ?? null));
  expect(actual).toEqual(rows.map(cellsOf));
}

/** The rows of a table: a series of prices has a row for each of its days. */
const tableRows = (rows: readonly ParsedValue[]): readonly unknown[] =>
  rows.flatMap((row): readonly unknown[] => {
    const prices = typeof row === "object" && row !== null && "prices" in row ? row.prices : undefined;
    return Array.isArray(prices) ? prices : [row];
  });

/** Lines of a table other than rows: the header and the fields around the rows. */
function expectTable(endpoint: Endpoint, text: string, value: ParsedValue, rows: readonly ParsedValue[]): void {
  const lines = linesOf(text);
  const isTold = !Array.isArray(value) && Object.values(value).some((part) => typeof part !== "object");
  if (!returnsList(endpoint)) expect(lines.length).toBeGreaterThan(0);
  else expect(lines).toHaveLength(1 + tableRows(rows).length + (isTold ? 1 : 0));
}

describe.each(CASES)("$name", ({ endpoint, words }) => {
  test("prints the same in every format", async () => {
    const texts = await askAll(words);
    const value = JSON.parse(texts.json) as ParsedValue;
    const rows = rowsOfOutput(endpoint, value);
    const exact = rowsOfOutput(endpoint, parseJson(texts.json));
    expect(readNdjson(texts.ndjson)).toEqual(rows);
    expect(readYaml(texts.yaml)).toEqual(value);
    expectRecords(readCsv(texts.csv), exact);
    expectRecords(readTsv(texts.tsv), exact);
    const around = await askWhole(endpoint, words);
    expectTable(endpoint, texts.table, around, rows);
    expectTable(endpoint, texts.wide, around, rows);
    for (const text of Object.values(texts)) {
      expect(text).not.toMatch(CONTROLS);
      expect(text).not.toMatch(SLIPS);
    }
  });

  test("fits a terminal, and prints the whole answer or selected fields", async () => {
    const table = await ask([...words, "-o", "table", "SOLX_COLOR=never"], { terminal: WIDTH });
    expect(Math.max(...linesOf(table).map((line) => stringWidth(line)))).toBeLessThanOrEqual(WIDTH);
    expect(table).not.toMatch(CONTROLS);
    expect(table).not.toMatch(SLIPS);
    const value = JSON.parse(await ask([...words, "-o", "json"])) as ParsedValue;
    expect(rowsOfOutput(endpoint, await askWhole(endpoint, words))).toEqual(rowsOfOutput(endpoint, value));
    const [first] = rowsOfOutput(endpoint, value);
    const [field = ""] = Object.keys(first ?? {});
    if (field === "") return;
    const parts = readNdjson(await ask([...words, "-o", "ndjson", "--fields", field]));
    expect(parts).toEqual(rowsOfOutput(endpoint, value).map((row) => ({ [field]: row[field] })));
  });
});

test("every example succeeds", async () => {
  for (const endpoint of endpoints) {
    for (const example of endpoint.examples) await ask([...exampleArguments(endpoint, example), "-o", "ndjson"]);
  }
});

test.each<readonly [what: string, line: string, program: string, expected: (value: ParsedValue) => unknown[]]>([
  ["an object", "token meta EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "{supply}", ({ supply }) => [{ supply }]],
  ["a list", "token trending", "[.[].address]", (rows) => [rows.map(({ address }: ParsedValue) => address)]],
  [
    "the rows of a list with a total",
    "token top",
    ".[] | {price}",
    (top) => top.map(({ price }: ParsedValue) => ({ price })),
  ],
  ["CSV", `account reward-export ${STAKE_ACCOUNT}`, ".[-1]", (rows) => [rows.at(-1)]],
])("--jq works on %s", async (_what, line, program, expected) => {
  const words = line.split(" ");
  const value = JSON.parse(await ask([...words, "-o", "json"])) as ParsedValue;
  expect(readNdjson(await ask([...words, "--jq", program]))).toEqual(expected(value));
});

describe.each([
  "token list --limit 100",
  "token top",
  "nft news --limit 100",
  "nft collection-lists --limit 100",
  "account portfolio ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk",
  "legacy token list --sort-by volume --direction desc --limit 100",
  "transaction detail F16MuS9H67iSTdHqtfRXF4e6DaVVdQSnuBYRzGcFYXrJhgFS3zxmKeRpGNFjYrewT2738u59NA6wXfp2t7KwDSd",
])("a hostile chain: %s", (line) => {
  const words = line.split(" ");
  const endpoint = endpoints.find(({ command }) => line.startsWith(command)) as Endpoint;
  const hostile = { env: { SOLX_SANDBOX_HOSTILE: "on" } };

  test("prints nothing harmful to a terminal", async () => {
    const texts = await askAll([...words, "SOLX_COLOR=never"], { ...hostile, terminal: WIDTH });
    for (const text of Object.values(texts)) expect(text).not.toMatch(CONTROLS);
    expect(Math.max(...linesOf(texts.table).map((row) => stringWidth(row)))).toBeLessThanOrEqual(WIDTH);
  });

  test("separates records, preserves texts, and escapes formulas", async () => {
    const texts = await askAll(words, hostile);
    const value = JSON.parse(texts.json) as ParsedValue;
    const rows = rowsOfOutput(endpoint, value);
    const exact = rowsOfOutput(endpoint, parseJson(texts.json));
    for (const format of ["table", "json", "ndjson", "yaml"] as const) expect(texts[format]).not.toMatch(CONTROLS);
    expect(texts.ndjson.trimEnd().split(LINE_BREAK)).toHaveLength(rows.length);
    expect(readNdjson(texts.ndjson)).toEqual(rows);
    expect(readYaml(texts.yaml)).toEqual(value);
    expectTable(endpoint, texts.table, await askWhole(endpoint, words, hostile), rows);
    // CSV has no escapes: control characters are written by their names.
    for (const [records, expected] of [
      [readCsv(texts.csv), exact.map(revealControls)],
      [readTsv(texts.tsv), exact],
    ] as const) {
      expectRecords(records, expected);
      const cells = records.flatMap((record) => Object.values(record)).filter((cell) => Number.isNaN(Number(cell)));
      expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
    }
  });
});

describe.concurrent.each([
  "chaininfo",
  "token top",
  "account transfer 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1 --limit 150",
  "legacy account tokens 5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
])("the built program: %s", (line) => {
  test.each(FORMAT_NAMES)("prints the same as %s", async (format) => {
    const words = [...line.split(" "), "-o", format, "--quiet"];
    const { code, stdout, stderr } = await solx(words, { env: sandboxEnv(WORLD) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(await ask(words));
  });
});

test("the output of jq does not count as rows", async () => {
  const { code, stdout, stderr } = await runInProcess(["transaction", "last", "--limit", "20", "--jq", "length"], {
    env,
  });
  expect([code, stdout, stderr]).toEqual([0, "20\n", ""]);
});
