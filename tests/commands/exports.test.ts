/** Export commands: resumed files, and seconds with more rows than an export returns. */
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { WALLET } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { serve } from "../support/server.ts";
import { createTempFolder } from "../support/solx.ts";

// Shortens the minute between two exports to a millisecond, in modules of this file only.
vi.hoisted(() => vi.resetModules());
vi.mock("../../src/catalogue/constants.ts", async (original) => ({
  ...(await original<object>()),
  EXPORT_INTERVAL_SECONDS: 0.001,
}));
afterAll(() => {
  vi.doUnmock("../../src/catalogue/constants.ts");
  vi.resetModules();
});

const HEADER = "Signature,Block Time,Human Time,Action,From,To,Amount,Flow,Value,Decimals,Token Address";
const MAX_ROWS = 5000;
const END = 1_720_180_800;
const folder = createTempFolder();

/**
 * A server of transfers with the given number of rows at each time; `fails` are the numbers of failing requests, `change`
 * changes answers by number.
 */
async function serveTransfers(
  rowsByTime: ReadonlyMap<number, number>,
  fails: readonly number[] = [],
  change: (csv: string, count: number) => string = (csv) => csv,
) {
  const rows = [...rowsByTime]
    .toSorted(([a], [b]) => b - a)
    .flatMap(([time, count]) =>
      Array.from({ length: count }, (_, at) => {
        const iso = new Date(time * 1000).toISOString();
        return [time, `s${time}-${at},${time},${iso},TRANSFER,a,b,${at},in,1.5,6,m`] as const;
      }),
    );
  const answer = (response: ServerResponse, url: URL, count: number) => {
    const [from, to] = ["from_time", "to_time"].map((name) => Number(url.searchParams.get(name)));
    const matching = rows.filter(([time]) => time >= (from ?? 0) && time <= (to ?? 0)).slice(0, MAX_ROWS);
    response.writeHead(200, { "content-type": "text/csv" });
    response.end(change([HEADER, ...matching.map(([, line]) => line)].join("\n"), count));
  };
  const server = await serve((request, response, count) => {
    const url = new URL(request.url ?? "", "http://x");
    if (!fails.includes(count) && url.pathname.endsWith("/export")) return answer(response, url, count);
    response.writeHead(500, { "content-type": "application/json" });
    response.end('{"success":false,"errors":{"code":500,"message":"Internal Server Error"}}');
  });
  onTestFinished(server.close);
  const run = (...args: string[]) =>
    runInProcess(["account", "transfer-export", WALLET, "--to-time", String(END), "--all", ...args], {
      env: {
        SOLX_BASE_URL: server.url,
        SOLX_RETRIES: "0",
        SOLX_SANDBOX: "off",
        SOLX_BUDGET: "process",
        SOLX_RATE: "off",
      },
    });
  return { run, lines: rows.map(([, line]) => line) };
}

/** About 9,000 rows, in bursts. */
const BURSTS = new Map(
  Array.from({ length: 42 }, (_, at) => [END - at * 7919, at % 7 === 0 ? 900 : 100 + at] as const),
);

describe("a long export into a file", () => {
  test.each(["csv", "ndjson", "json", "tsv"])(
    "as %s is the same when it is interrupted and resumed",
    async (format) => {
      const whole = await serveTransfers(BURSTS);
      const first = join(folder, `whole.${format}`);
      expect((await whole.run("-o", format, "--out", first)).code).toBe(0);
      const bytes = readFileSync(first, "utf8");
      if (format === "csv") expect(bytes.trimEnd().split("\n").length).toBe(1 + whole.lines.length);
      const interrupted = await serveTransfers(BURSTS, [4, 6]);
      const file = join(folder, `resumed.${format}`);
      const args = ["-o", format, "--out", file];
      const stopped = await interrupted.run(...args);
      expect(stopped.code).toBe(8);
      expect(stopped.stderr).toContain("--resume");
      const codes = [
        (await interrupted.run(...args, "--resume")).code,
        (await interrupted.run(...args, "--resume")).code,
      ];
      expect(codes).toContain(0);
      expect(readFileSync(file, "utf8")).toBe(bytes);
    },
  );

  test("keeps what was written when the columns change, and continues when they are back", async () => {
    let isChanged = true;
    const rename = (csv: string, count: number) => (isChanged && count > 3 ? csv.replace("Flow", "Direction") : csv);
    const { run, lines } = await serveTransfers(BURSTS, [], rename);
    const file = join(folder, "columns.csv");
    const stopped = await run("--out", file);
    expect(stopped.code).toBe(8);
    expect(stopped.stderr).toContain("The columns of the export changed");
    expect(stopped.stderr).toMatch(/[\d,]+ rows saved/);
    expect(readFileSync(`${file}.partial`, "utf8").split("\n").length).toBeGreaterThan(100);
    isChanged = false;
    expect((await run("--out", file, "--resume")).code).toBe(0);
    const written = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(written).toHaveLength(1 + lines.length);
    expect(written.filter((line) => /^,+$/.test(line))).toEqual([]);
  });

  test("has each row once where every answer has its header several times", async () => {
    const concatenate = (csv: string) =>
      csv
        .split("\n")
        .map((line, at) => (at % 50 === 49 ? `${line}\n${HEADER}` : line))
        .join("\n");
    const { run, lines } = await serveTransfers(BURSTS, [], concatenate);
    const file = join(folder, "headers.csv");
    expect((await run("--out", file)).code).toBe(0);
    expect(readFileSync(file, "utf8").trimEnd().split("\n").toSorted()).toEqual([HEADER, ...lines].toSorted());
  });

  test("exits 10 when a second has more rows than an export returns, and contains all others", async () => {
    const second = END - 1000;
    const { run, lines } = await serveTransfers(new Map([...BURSTS, [second, MAX_ROWS + 600]]));
    const file = join(folder, "gap.csv");
    const { code, stderr } = await run("-o", "csv", "--out", file);
    expect(code).toBe(10);
    expect(stderr).toContain(`(${second})`);
    expect(stderr).toContain(`--from-time ${second} --to-time ${second} --all`);
    const written = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(written.length).toBe(1 + lines.length - 600);
    expect(new Set(written).size).toBe(written.length);
  });
});
