/** The end of a printed list: whether it is complete, and the command that continues it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { OTHER_WALLET, USDC, WALLET } from "../../src/catalogue/samples.ts";
import { runInProcess } from "../support/in-process.ts";
import { useSandbox } from "../support/running-sandbox.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder } from "../support/solx.ts";

const sandbox = useSandbox();
/** A folder with the program, so that printed commands start with its name. */
const programs = createTempFolder();
writeFileSync(join(programs, "solx"), "#!/bin/sh\n", { mode: 0o755 });
const envOf = () => ({ ...sandbox.env(), PATH: programs });
const solx = (...args: readonly string[]) => runInProcess(args, { env: envOf() });
const TRANSFERS = ["account", "transfer", WALLET, "--page-size", "10"] as const;

/** Returns the arguments of a printed command; no word of these tests is quoted. */
const argumentsOf = (command: string) => command.replace(/^solx /, "").split(" ");
/** Lists of events end at the time of the first page. */
const untimed = (text: string) => text.replace(/ --to-time \d+/g, "");

describe("--envelope", () => {
  it("has the command of the next page, whose last one is complete", async () => {
    const pages: unknown[][] = [];
    let next: string | null = ["solx", ...TRANSFERS, "--from-time", "1720137600", "--envelope"].join(" ");
    for (let page = 1; next !== null; page += 1) {
      const { stdout, code } = await solx(...argumentsOf(next), "-o", "json");
      const envelope = JSON.parse(stdout);
      expect(code).toBe(0);
      pages.push(envelope.data);
      if (envelope.next !== null) expect(argumentsOf(envelope.next).slice(-2)).toEqual(["--page", `${page + 1}`]);
      next = envelope.next?.replace(" -o json", "") ?? null;
      if (next === null) expect(envelope.complete).toBe(true);
    }
    const all = await solx(...TRANSFERS, "--from-time", "1720137600", "--all", "-o", "json");
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual(JSON.parse(all.stdout));
  });

  test.each([
    ["json", (text: string): unknown => JSON.parse(text)],
    ["yaml", (text: string): unknown => parse(text)],
  ])("says so in %s and after --jq", async (format, read) => {
    const args = [...TRANSFERS, "--envelope"];
    const end = { complete: null, next: `solx ${args.join(" ")} -o ${format} --page 2` };
    expect(read(untimed((await solx(...args, "-o", format)).stdout))).toMatchObject(end);
    const { stdout } = await solx(...args, "--jq", "[.complete, .next]");
    expect(JSON.parse(untimed(stdout))).toEqual([null, `solx ${args.join(" ")} --jq '[.complete, .next]' --page 2`]);
  });

  test.each([
    ["account", "transfer", WALLET],
    ["account", "transfer", WALLET, "--page", "2"],
    ["token", "list", "--page-size", "20"],
    ["legacy", "account", "spl-transfers", WALLET],
    ["block", "last"],
  ])("names the rows after any --limit: %s %s %s %s %s", async (...words) => {
    const list = words.filter((word) => word !== undefined);
    const all = JSON.parse((await solx(...list, "--limit", "60", "-o", "json")).stdout);
    const rowsOf = (data: unknown) => (Array.isArray(data) ? data : Object.values(data as object)[0]) as unknown[];
    for (const limit of [1, 10, 25]) {
      const envelope = JSON.parse((await solx(...list, "--limit", String(limit), "--envelope")).stdout);
      const rest = `solx ${list.join(" ")} --envelope --limit`;
      expect(untimed(envelope.next)).toBe(`${rest} ${limit + 1}..${2 * limit}`);
      const following = JSON.parse((await solx(...argumentsOf(envelope.next))).stdout);
      expect(rowsOf(following.data)).toEqual(rowsOf(all).slice(limit, 2 * limit));
      expect(untimed(following.next)).toBe(`${rest} ${2 * limit + 1}..${3 * limit}`);
    }
  });

  it("reports rows whose place is not proved, because the server has pages of another size", async () => {
    const server = await serve((request, response) => {
      const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
      const data = Array.from({ length: page > 9 ? 0 : 7 }, (_, at) => ({ trans_id: `${page}-${at}` }));
      sendJson(response, JSON.stringify({ success: true, data }));
    });
    onTestFinished(server.close);
    const env = { SOLX_BASE_URL: server.url, SOLX_RATE: "off" };
    const result = await runInProcess([...TRANSFERS.slice(0, 3), "--limit", "61..65"], { env });
    expect(result).toMatchObject({ code: 10, stderr: expect.stringContaining("fewer rows than its size") });
  });

  it("prints all rows from one on", async () => {
    const list = ["token", "markets", USDC, "--all", "-o", "json"];
    const all = JSON.parse((await solx(...list)).stdout);
    const rest = JSON.parse((await solx(...list.slice(0, 3), "--limit", "14..", "-o", "json")).stdout);
    expect(rest).toEqual(all.slice(13));
  });

  test.each([
    [["--limit", "5..4"], "limit"],
    [["--limit", "0..4"], "limit"],
    [["--limit", "1..2..3"], "limit"],
    [["--limit", "5..9", "--follow"], "--follow takes a number of rows as --limit"],
  ])("refuses %j", async (args, message) => {
    expect(await solx(...TRANSFERS, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test.each(["7", "40"])("continues a list with a cursor after its last row: --limit %s", async (limit) => {
    const list = ["account", "transactions", WALLET];
    const envelope = JSON.parse((await solx(...list, "--limit", limit, "--envelope")).stdout);
    const following = JSON.parse((await solx(...argumentsOf(envelope.next))).stdout).data;
    const all = JSON.parse((await solx(...list, "--limit", String(2 * Number(limit)), "-o", "json")).stdout);
    expect([...envelope.data, ...following]).toEqual(all);
  });

  it("says that all rows are complete", async () => {
    const all = JSON.parse((await solx("token", "markets", USDC, "--all", "--envelope")).stdout);
    expect(all).toMatchObject({ success: true, complete: true, next: null });
  });

  it("is the same in a file that was interrupted", async () => {
    let failures = 1;
    const server = await serve((request, response) => {
      const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
      if (page === 2 && failures-- > 0) return sendJson(response, "{}", 500);
      const data = Array.from({ length: 100 }, (_, at) => ({ trans_id: `${page}-${at}`, block_time: 1000 - page }));
      sendJson(response, JSON.stringify({ success: true, data, metadata: { a: 1 } }));
    });
    onTestFinished(server.close);
    const file = join(createTempFolder(), "a.json");
    const run = (...args: readonly string[]) =>
      runInProcess([...TRANSFERS.slice(0, 3), "--limit", "230", "--envelope", "--out", file, ...args], {
        env: { SOLX_BASE_URL: server.url, SOLX_RATE: "off", PATH: programs },
      });
    expect(await run()).toMatchObject({ code: 8 });
    expect(await run("--resume")).toMatchObject({ code: 0 });
    const resumed = readFileSync(file, "utf8");
    expect(await run("--force")).toMatchObject({ code: 0 });
    expect(untimed(resumed)).toBe(untimed(readFileSync(file, "utf8")));
    expect(JSON.parse(resumed)).toMatchObject({ success: true, metadata: { a: 1 }, complete: false });
  });
});

describe("a page that is not the last one", () => {
  it("is noted for programs in one line of JSON", async () => {
    const { stderr, code } = await solx(...TRANSFERS, "-o", "ndjson");
    const lines = stderr.trimEnd().split("\n");
    expect([code, lines.length]).toEqual([0, 1]);
    const next = `solx ${TRANSFERS.join(" ")} -o ndjson --page 2`;
    expect(JSON.parse(untimed(lines[0] ?? ""))).toEqual({
      note: `10 rows shown; there may be more. Add --limit 100 or --all. Next page: ${next}`,
      complete: null,
      next,
    });
  });

  it("is noted for people as a sentence, and not with --quiet, a limit, or all rows", async () => {
    const { stderr } = await runInProcess([...TRANSFERS], { env: envOf(), terminal: 120, isStderrTTY: true });
    expect(untimed(stderr)).toContain(`Next page: solx ${TRANSFERS.join(" ")} --page 2`);
    for (const more of ["--quiet", "--limit=20", "--all"]) {
      expect((await solx(...TRANSFERS, more, "--yes")).stderr).not.toContain("more");
    }
  });

  it.each([
    ["a page", [], 10],
    ["a limit", ["--limit", "20"], 10],
    ["several lists", [OTHER_WALLET], 10],
    ["all rows", ["--from-time", "1d", "--all"], 0],
  ])("fails with --fail-on incomplete, after its rows are printed: %s", async (_name, args, expected) => {
    const { code, stdout, stderr } = await solx(...TRANSFERS, ...args, "--fail-on", "incomplete", "-o", "ndjson");
    expect(code, stderr).toBe(expected);
    expect(stdout).not.toBe("");
    if (expected === 10) expect(JSON.parse(stderr).errors).toMatchObject({ code: "MORE_ROWS", retryable: false });
  });
});
