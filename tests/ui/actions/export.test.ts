/** Exports have the bytes that the shell writes for the same rows; the export form. */
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/base/json.ts";
import type { Endpoint } from "../../../src/catalogue/endpoint.ts";
import { endpointByRoute } from "../../../src/catalogue/index.ts";
import { USDC, WALLET } from "../../../src/catalogue/samples.ts";
import { EXPORT_FORMATS } from "../../../src/output/index.ts";
import { buildViewCommand } from "../../../src/ui/actions/current-view.ts";
import { type ExportRequest, exportScopes, startExport, suggestBaseName } from "../../../src/ui/actions/export.ts";
import { exportChoice, exportForm } from "../../../src/ui/actions/export-popup.tsx";
import type { Subject } from "../../../src/ui/navigation/context.ts";
import { runInProcess } from "../../support/in-process.ts";
import { SANDBOX_NOW, useSandbox } from "../../support/running-sandbox.ts";

const sandbox = useSandbox();

function routed(route: string): Endpoint {
  const endpoint = endpointByRoute(route);
  if (!endpoint) throw new Error(`no ${route}`);
  return endpoint;
}

async function textOf({
  units = "base",
  ...one
}: Omit<ExportRequest, "now" | "units"> & Partial<ExportRequest>): Promise<string> {
  let text = "";
  const { chunks, done } = startExport({ ...one, units, now: SANDBOX_NOW * 1000 });
  for await (const chunk of chunks) text += chunk;
  await done;
  return text;
}

/** Returns the output of the command of a view. */
async function shell(subject: Subject, format: string, isChosen = false): Promise<string> {
  const { args: words } = buildViewCommand({
    route: { kind: "page", page: "home" },
    subject,
    hasCustomColumns: isChosen,
  });
  return (await runInProcess([...words, "-o", format], { env: sandbox.env() })).stdout;
}

/** Returns the subject of a list. */
async function listed(route: string, params: Readonly<Record<string, unknown>>) {
  const request = { endpoint: routed(route), params };
  const answer = await sandbox.client.fetch(request.endpoint, params);
  return { answer, subject: { request, rows: answer.rows } as Subject };
}

describe("an export has the bytes of the program's output", () => {
  const lists = [
    ["v2-account-transfer", { address: WALLET, page_size: 20 }],
    ["v2-token-holders", { address: USDC, page_size: 10 }],
  ] as const;
  const cases = lists.flatMap(([route, params]) => EXPORT_FORMATS.map((format) => [format, route, params] as const));

  test.each(cases)("the whole answer as %s of %s", async (format, route, params) => {
    const { subject, answer } = await listed(route, params);
    const text = await textOf({ subject, answer, scope: "answer", format, visibleColumnsOnly: false });
    expect(text).toBe(await shell(subject, format));
  });

  test.each(EXPORT_FORMATS)("an object as %s", async (format) => {
    const { subject, answer } = await listed("v2-token-meta", { address: USDC });
    const seen = { ...subject, rows: undefined, row: answer.data };
    const text = await textOf({ subject: seen, answer, scope: "object", format, visibleColumnsOnly: false });
    expect(text).toBe(await shell(seen, format));
  });

  test.each(EXPORT_FORMATS)("chosen columns as %s", async (format) => {
    const { subject, answer } = await listed("v2-account-transfer", { address: WALLET, page_size: 10 });
    const seen = {
      ...subject,
      columns: [
        { head: "TX", path: "trans_id" },
        { head: "AMOUNT", path: "amount" },
      ],
    };
    const text = await textOf({ subject: seen, answer, scope: "view", format, visibleColumnsOnly: true });
    expect(text).toBe(await shell(seen, format, true));
  });
});

describe("the text of an export", () => {
  const rows = [
    { name: "=cmd|calc", amount: parseJson("18446744073709551615") },
    { name: "b", amount: 2 },
  ];
  const subject: Subject = { rows, marked: rows.slice(0, 1), columns: [{ head: "NAME", path: "name" }] };

  test("every digit of a number, and no formula of a spreadsheet", async () => {
    const text = await textOf({ subject, answer: undefined, scope: "view", format: "csv", visibleColumnsOnly: false });
    expect(text).toBe("name,amount\n'=cmd|calc,18446744073709551615\nb,2\n");
  });

  test("only marked rows, only visible columns", async () => {
    const text = await textOf({
      subject,
      answer: undefined,
      scope: "marked",
      format: "ndjson",
      visibleColumnsOnly: true,
    });
    expect(text).toBe('{"name":"=cmd|calc"}\n');
  });

  test("rows derived from an object have their own fields", async () => {
    const request = { endpoint: routed("v2-account-portfolio"), params: { address: WALLET } };
    const seen = { request, rows: [{ token_symbol: "USDC", amount: 1 }] };
    const text = await textOf({
      subject: seen,
      answer: undefined,
      scope: "view",
      format: "csv",
      visibleColumnsOnly: false,
    });
    expect(text).toBe("token_symbol,amount\nUSDC,1\n");
  });

  test("amounts in whole units with all digits, and ISO times", async () => {
    const request = { endpoint: routed("v2-account-transactions"), params: { address: WALLET } };
    const transaction = { block_time: 1_720_171_655, status: "Fail", fee: 5001, tx_hash: "a" };
    const columns = [
      { head: "time", path: "block_time" },
      { head: "fee", path: "fee" },
    ];
    const one = { subject: { request, rows: [transaction], columns }, answer: undefined, scope: "view" } as const;
    const whole = { ...one, units: "whole", visibleColumnsOnly: true } as const;
    expect(await textOf({ ...whole, format: "csv" })).toBe("block_time,fee\n2024-07-05T09:27:35Z,0.000005001\n");
    expect(await textOf({ ...whole, format: "ndjson" })).toBe('{"block_time":1720171655,"fee":0.000005001}\n');
    const transfer = { amount: parseJson("123456789012345678901"), token_decimals: 6, token_address: USDC };
    const transfers = { request: { endpoint: routed("v2-account-transfer"), params: {} }, rows: [transfer] };
    const text = await textOf({ ...whole, subject: transfers, visibleColumnsOnly: false, format: "ndjson" });
    expect(text).toContain('"amount":123456789012345.678901,"token_decimals":6');
  });

  test("all rows are read page by page, and a failure ends the file", async () => {
    const request = { endpoint: routed("v2-account-transfer"), params: { address: WALLET } };
    const pages = async function* () {
      yield [{ trans_id: "a" }];
      yield [{ trans_id: "b" }];
    };
    const one = { subject: { request, rows: [] }, answer: undefined, scope: "all", format: "ndjson" } as const;
    const text = await textOf({ ...one, visibleColumnsOnly: false, pages });
    expect(text).toBe('{"trans_id":"a"}\n{"trans_id":"b"}\n');
    const broken = async function* () {
      yield* pages();
      throw new Error("the connection is closed");
    };
    await expect(textOf({ ...one, visibleColumnsOnly: false, pages: broken })).rejects.toThrow("connection is closed");
  });

  test("a failing consumer ends the export", async () => {
    const many = { rows: Array.from({ length: 2000 }, (_, index) => ({ index, text: "x".repeat(100) })) };
    const { chunks, done } = startExport({
      subject: many,
      answer: undefined,
      scope: "view",
      format: "csv",
      units: "base",
      visibleColumnsOnly: false,
      now: 0,
    });
    for await (const _chunk of chunks) break;
    await expect(done).rejects.toThrow();
  });
});

describe("export scopes", () => {
  const request = { endpoint: routed("v2-account-transfer"), params: { address: WALLET } };
  const scopes = (subject: Subject) => exportScopes(subject, undefined).map(({ scope }) => scope);

  test("marked rows come first, if any; all rows are offered only for lists", () => {
    expect(scopes({ request, rows: [1, 2], marked: [1] })).toEqual(["marked", "view", "all"]);
    expect(scopes({ request: { ...request, endpoint: routed("v2-token-price") }, rows: [1] })).toEqual(["view"]);
    expect(scopes({ row: { a: 1 } })).toEqual(["object"]);
    expect(scopes({})).toEqual([]);
  });

  test("rows that are loaded need no further request", () => {
    const rows = [1, 2, 3];
    expect(scopes({ request, rows, loaded: { rows, isComplete: true }, total: 3 })).toEqual(["view"]);
    expect(scopes({ request, rows: [1], loaded: { rows, isComplete: true }, local: ["filter a"] })).toEqual([
      "view",
      "loaded",
    ]);
    expect(scopes({ request, rows, loaded: { rows, isComplete: false }, total: 9 })).toEqual(["view", "loaded", "all"]);
    const [, all] = exportScopes({ request, rows, total: 12_345, local: ["filter a"] }, undefined);
    expect(all?.label).toBe("all rows of the list (12,345), unfiltered and unsorted");
  });

  test("the file is named after the route and the time", () => {
    const name = suggestBaseName({ kind: "page", page: "home" }, { request }, Date.UTC(2026, 10, 21, 18, 5, 9));
    expect(name).toBe("account-transfer-5Q54e4j1-20261121-180509");
  });
});

describe("the form", () => {
  const { fields, params } = exportForm(
    [
      { scope: "view", label: "these rows (2)" },
      { scope: "answer", label: "whole response (5 rows)" },
    ],
    { baseName: "rows", columns: true },
  );

  test("lists default to csv with the visible columns, objects to json", () => {
    expect(fields.map(({ name }) => name)).toEqual(["what", "columns", "format", "units", "file"]);
    expect(exportChoice(params)).toMatchObject({
      scope: "view",
      format: "csv",
      visibleColumnsOnly: true,
      file: "rows.csv",
    });
    const object = exportForm([{ scope: "object", label: "the object" }], { baseName: "it", columns: false });
    expect(exportChoice(object.params)).toMatchObject({ scope: "object", format: "json", file: "it.json" });
  });

  test("spreadsheets get whole units, programs those of the API, unless chosen otherwise", () => {
    const units = (more: object) => exportChoice({ ...params, ...more }).units;
    expect([units({}), units({ format: "json" })]).toEqual(["whole", "base"]);
    expect([units({ units: "base" }), units({ format: "json", units: "whole" })]).toEqual(["base", "whole"]);
  });

  test("the file has the ending of its format, unless one was typed", () => {
    expect(exportChoice({ ...params, format: "tsv" }).file).toBe("rows.tsv");
    expect(exportChoice({ ...params, format: "tsv", file: "mine.csv" }).file).toBe("mine.csv");
  });
});
