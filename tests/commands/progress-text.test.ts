import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatProgress, type ProgressState, progressParts } from "../../src/commands/run/progress.ts";
import { Reporter } from "../../src/commands/run/reporter.ts";
import { availableColumns, getStatusLine } from "../../src/commands/run/status-line.ts";
import { textWidth } from "../../src/output/text/width.ts";

const NOTHING: ProgressState = { rows: 0, requests: 0, units: 0, elapsed: 0 };
const WIDE = 500;

describe("the text of progress", () => {
  test("rows, requests, speed, rate limit and units", () => {
    const state = { rows: 12_400, requests: 124, units: 12_400, elapsed: 40, left: { requests: 876, of: 1000 } };
    expect(formatProgress(state, WIDE)).toBe(
      "12,400 rows, 124 requests, 310 rows/s, 876 of 1,000 requests free, 12,400 units",
    );
  });

  test("the remaining time, once the total is known", () => {
    const state = { ...NOTHING, rows: 1000, total: 50_000, requests: 10, elapsed: 10 };
    expect(formatProgress(state, WIDE)).toBe("1,000 of 50,000 rows, 8 min 10 s left, 10 requests, 100 rows/s");
  });

  test("rows of an earlier run count as done, but not for the speed", () => {
    const state = { ...NOTHING, rows: 1000, before: 9000, total: 20_000, requests: 10, elapsed: 10 };
    expect(formatProgress(state, WIDE)).toBe("10,000 of 20,000 rows, 1 min 40 s left, 10 requests, 100 rows/s");
  });

  test("the reason and duration of a pause", () => {
    expect(progressParts({ ...NOTHING, pause: { reason: "rate", seconds: 41.3 } })).toContain(
      "waiting 42 s for the rate limit",
    );
    expect(progressParts({ ...NOTHING, pause: { reason: "rate" } })).toContain("waiting for the rate limit");
    expect(progressParts({ ...NOTHING, pause: { reason: "export", seconds: 59 } })).toContain(
      "waiting 59 s for the next export",
    );
    expect(progressParts({ ...NOTHING, pause: { reason: "retry", seconds: 3 } })).toContain("retrying in 3 s");
  });

  test("a count of one is singular, and a slow speed has a fraction", () => {
    expect(formatProgress({ rows: 1, requests: 1, units: 1, elapsed: 4 }, WIDE)).toBe(
      "1 row, 1 request, 0.3 rows/s, 1 unit",
    );
  });

  test("without a rate limit none is displayed", () => {
    const left = { requests: Number.POSITIVE_INFINITY, of: Number.POSITIVE_INFINITY };
    expect(formatProgress({ ...NOTHING, left }, WIDE)).toBe("0 rows");
  });

  test("a narrow window leaves out the least important parts", () => {
    const state = { ...NOTHING, title: "transfers", rows: 2000, requests: 20, elapsed: 10, units: 2000 };
    const whole = formatProgress(state, WIDE);
    expect(formatProgress(state, 37)).toBe("transfers: 2,000 rows, 20 requests");
    for (let columns = 30; columns < whole.length; columns++)
      expect(whole.startsWith(formatProgress(state, columns))).toBe(true);
  });
});

describe("the status line of a terminal", () => {
  const states = fc.record(
    {
      title: fc.string(),
      rows: fc.nat(),
      total: fc.nat(),
      requests: fc.nat(),
      units: fc.nat(),
      elapsed: fc.double({ min: 0, max: 1e9, noNaN: true }),
      left: fc.record({ requests: fc.nat(5000), of: fc.nat(5000) }),
      pause: fc.record({ reason: fc.constantFrom("rate", "export", "retry"), seconds: fc.nat() }),
      part: fc.string({ unit: "grapheme" }),
    },
    { requiredKeys: ["rows", "requests", "units", "elapsed"] },
  ) as fc.Arbitrary<ProgressState>;

  test("is narrower than the window", () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 2, max: 200 }), (state, columns) => {
        const { screenState, stream } = screen(columns);
        const entry = getStatusLine({
          reporter: new Reporter({ stderr: stream, env: {} }),
          io: { stderr: stream } as never,
        }).open();
        entry.show(formatProgress(state, availableColumns(columns)));
        expect(textWidth(screenState().line)).toBeLessThan(columns);
      }),
    );
  });

  test("other text has its own lines", () => {
    const { screenState, stream } = screen(80);
    const reporter = new Reporter({ stderr: stream, env: {} });
    const entry = getStatusLine({ reporter, io: { stderr: stream } as never }).open();
    entry.show("1 row");
    reporter.write("an error\n");
    expect(screenState()).toEqual({ above: ["an error"], line: "" });
    entry.show("1 row");
    expect(screenState().line).toBe("1 row");
    entry.close();
    expect(screenState()).toEqual({ above: ["an error"], line: "" });
  });

  test("displays the newest entry with text", () => {
    const { screenState, stream } = screen(80);
    const line = getStatusLine({
      reporter: new Reporter({ stderr: stream, env: {} }),
      io: { stderr: stream } as never,
    });
    const [outer, inner] = [line.open(), line.open()];
    outer.show("outer");
    inner.show("inner");
    outer.show("outer again");
    expect(screenState().line).toBe("inner");
    inner.close();
    expect(screenState().line).toBe("outer again");
  });

  test("a slow terminal gets no more text, but the line is erased", () => {
    const { screenState, stream } = screen(80);
    const entry = getStatusLine({
      reporter: new Reporter({ stderr: stream, env: {} }),
      io: { stderr: stream } as never,
    }).open();
    entry.show("1 row");
    Object.assign(stream, { writableNeedDrain: true });
    entry.show("2 rows");
    expect(screenState().line).toBe("1 row");
    entry.close();
    expect(screenState().line).toBe("");
  });
});

/** A terminal that interprets line feeds and erasing. */
function screen(columns: number) {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
    return true;
  };
  const stream = { columns, isTTY: true, write } as unknown as NodeJS.WriteStream;
  return {
    stream,
    screenState() {
      const lines = text.split("\n").map((line) => line.split("\r\u001b[2K").at(-1) ?? "");
      return { above: lines.slice(0, -1), line: lines.at(-1) ?? "" };
    },
  };
}
