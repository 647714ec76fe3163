import { expect, onTestFinished, test } from "vitest";
import { here } from "../support/in-process.ts";
import { serve } from "../support/server.ts";

/** A list of tokens that so many newer ones push on after its first page was read. */
async function tokens(newer: number) {
  const server = await serve((request, response, count) => {
    const page = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("page") ?? 1);
    const start = (page - 1) * 100 - (count > 1 ? newer : 0);
    const data = Array.from({ length: page < 3 ? 100 : page === 3 ? 20 + newer : 0 }, (_, at) => ({
      address: `token ${start + at}`,
    }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ success: true, data }));
  });
  onTestFinished(() => server.close());
  return server.url;
}

test.each([
  [0, undefined],
  [1, "1 row came twice while the list moved; it was left out."],
  [12, "12 rows came twice while the list moved; they were left out."],
])("%i rows that came twice are told once, at the end", async (newer, note) => {
  const url = await tokens(newer);
  const argv = ["token", "list", "--all", "-o", "ndjson", "--base-url", url];
  const { code, stdout, stderr } = await here(argv, { env: { SOLX_API_KEY: "some-key-of-a-test" } });
  expect(code).toBe(0);
  const names = stdout.trim().split("\n");
  expect(names).toHaveLength(220);
  expect(new Set(names).size).toBe(220);
  const notes = stderr.split("\n").filter((line) => line.includes("came twice"));
  expect(notes.map((line) => (JSON.parse(line) as { note: string }).note)).toEqual(note === undefined ? [] : [note]);
});
