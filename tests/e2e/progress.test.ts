/** The progress line on a real terminal. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeWith } from "../support/programs.ts";
import { sendJson, serve } from "../support/server.ts";
import { createTempFolder } from "../support/solx.ts";
import { closeTerminals, Terminal } from "../support/terminal.ts";

const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const PAGE = 100;

/** A list of transfers whose third page is delayed until it is released with the given answer. */
async function heldBack(third: { readonly status: number; readonly rows: number }) {
  const release = Promise.withResolvers<void>();
  const { url } = await serve(async (request, response) => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
    if (page > 2) await release.promise;
    if (page > 2 && third.status !== 200) {
      sendJson(response, '{"success":false,"errors":{"code":1100,"message":"No more."}}', third.status);
      return;
    }
    const count = page > 3 ? 0 : page === 3 ? third.rows : PAGE;
    const data = Array.from({ length: count }, (_, at) => ({ trans_id: `${page}-${at}`, block_time: 1720000000 }));
    sendJson(response, JSON.stringify({ success: true, data }));
  });
  return { url, go: () => release.resolve() };
}

const lines = (screen: string) => screen.split("\n").filter((line) => line.trim() !== "");

describeWith("tmux")("progress", () => {
  afterAll(closeTerminals);

  test.each([40, 120])("one line on %i columns, which is removed; the file contains only rows", async (width) => {
    const { url, go } = await heldBack({ status: 200, rows: 7 });
    const stdout = join(createTempFolder(), "rows.ndjson");
    const args = ["account", "transfer", WALLET, `SOLX_BASE_URL=${url}`, "--all", "-o", "ndjson"];
    const terminal = new Terminal(args, { width, stdout });
    const during = lines(await terminal.waitFor(/200 rows/));
    expect(during).toHaveLength(1);
    expect(during[0]?.startsWith("200 rows")).toBe(true);
    if (width > 100) expect(during[0]).toMatch(/^200 rows, \d+ requests, [\d.]+ rows\/s/);
    go();
    expect(lines(await terminal.waitFor(/exit 0/))).toEqual(["exit 0"]);
    const written = readFileSync(stdout, "utf8").trimEnd().split("\n");
    expect(written.map((line) => JSON.parse(line).trans_id)).toHaveLength(207);
  });

  test("a failure is reported on separate lines", async () => {
    const { url, go } = await heldBack({ status: 400, rows: 0 });
    const args = ["account", "transfer", WALLET, `SOLX_BASE_URL=${url}`, "--all", "-o", "csv"];
    const terminal = new Terminal(args, { stdout: join(createTempFolder(), "rows.csv") });
    await terminal.waitFor(/200 rows/);
    go();
    const after = await terminal.waitFor(/exit 2/);
    expect(after).toContain("No more. 200 rows were written before that.");
    expect(after).not.toContain("rows/s");
  });

  test("Ctrl-C removes the line and ends with exit code 130", async () => {
    const { url } = await heldBack({ status: 200, rows: 7 });
    const args = ["account", "transfer", WALLET, `SOLX_BASE_URL=${url}`, "--all", "-o", "ndjson"];
    const terminal = new Terminal(args, { stdout: join(createTempFolder(), "rows.ndjson") });
    await terminal.waitFor(/200 rows/);
    terminal.type("C-c");
    const after = await terminal.waitFor(/exit 130/);
    expect(after).not.toContain("rows/s");
  });
});
