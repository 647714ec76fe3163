import { expect, onTestFinished, test } from "vitest";
import { runInProcess } from "../support/in-process.ts";
import { serve } from "../support/server.ts";

/** Serves a list of tokens that newer ones shift after its first page was read. */
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
  [1, "The list changed while it was read: 1 duplicate row skipped."],
  [12, "The list changed while it was read: 12 duplicate rows skipped."],
])("%i duplicate rows are skipped and noted once, at the end", async (newer, note) => {
  const url = await tokens(newer);
  const argv = ["token", "list", "--all", "-o", "ndjson", `SOLX_BASE_URL=${url}`];
  const { code, stdout, stderr } = await runInProcess(argv, { env: { SOLX_API_KEY: "some-key-of-a-test" } });
  expect(code).toBe(0);
  const names = stdout.trim().split("\n");
  expect(names).toHaveLength(220);
  expect(new Set(names).size).toBe(220);
  const notes = stderr.split("\n").filter((line) => line.includes("duplicate row"));
  expect(notes.map((line) => (JSON.parse(line) as { note: string }).note)).toEqual(note === undefined ? [] : [note]);
});
