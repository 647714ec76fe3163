import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/base/json.ts";
import { UsageSamples } from "../../../src/client/usage/usage-file.ts";
import { createTempFolder } from "../../support/solx.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

function opened(folder: string | undefined = createTempFolder(), account = "a") {
  const clock = { now: START };
  const notes: string[] = [];
  const options = { folder, account, now: () => clock.now, onNote: (text: string) => void notes.push(text) };
  return { clock, notes, options, samples: new UsageSamples(options) };
}

describe("usage samples", () => {
  it("are available to the next process, with every digit, without the owner's address, for their account only", () => {
    const folder = createTempFolder();
    const { samples, options } = opened(folder);
    const usage = parseJson('{"email":"a@b.c","usage_cus":18446744073709551615,"success_rate_24h":0.10}') as never;
    samples.add({ at: START, usage });
    samples.close();
    const next = new UsageSamples(options);
    expect(JSON.stringify(next.latest())).toBe(
      `{"at":${START},"usage":{"usage_cus":18446744073709551615,"success_rate_24h":0.10}}`,
    );
    expect(opened(folder, "b").samples.latest()).toBeUndefined();
    expect(readFileSync(join(folder, "usage.sqlite")).includes("a@b.c")).toBe(false);
  });

  it("are thinned out with age, and end after 13 months", () => {
    const { samples, clock } = opened();
    const add = (usage_cus: number) => samples.add({ at: clock.now, usage: { usage_cus } });
    add(0);
    for (let i = 1; i <= 500; i += 1) {
      clock.now += HOUR / 4;
      add(i);
    }
    // The last hour completely; a day of at most one in ten minutes; the rest hourly.
    expect(samples.since(START).length).toBeLessThan(24 * 6 + 105);
    expect(samples.since(clock.now - HOUR).map(({ usage }) => usage.usage_cus)).toEqual([496, 497, 498, 499, 500]);
    expect(samples.since(START).map(({ at }) => at)).toEqual(
      samples
        .since(START)
        .map(({ at }) => at)
        .sort((a, b) => a - b),
    );
    clock.now += 40 * 24 * HOUR;
    add(501);
    expect(samples.since(START).length).toBeLessThan(12);
    expect(samples.latest()?.usage.usage_cus).toBe(501);
    clock.now += 396 * 24 * HOUR;
    add(502);
    expect(samples.since(0).map(({ usage }) => usage.usage_cus)).toEqual([502]);
  });

  it("are stored in memory where there is no file, which is reported", () => {
    const file = join(createTempFolder(), "file");
    writeFileSync(file, "");
    const { samples, notes } = opened(join(file, "state"));
    samples.add({ at: START, usage: { usage_cus: 1 } });
    expect(samples.latest()?.usage).toEqual({ usage_cus: 1 });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain("not stored");
  });

  it("start again where the file is damaged", () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "usage.sqlite"), "this is no database, whatever its name says ".repeat(40));
    const { samples, options, notes } = opened(folder);
    samples.add({ at: START, usage: { usage_cus: 1 } });
    samples.close();
    expect(notes).toEqual([]);
    expect(new UsageSamples(options).latest()?.at).toBe(START);
  });

  it("of a future time are ignored, as after a clock was set back", () => {
    const { samples, clock } = opened();
    samples.add({ at: START, usage: { usage_cus: 1 } });
    clock.now = START - HOUR;
    expect(samples.latest()).toBeUndefined();
    expect(samples.since(0)).toEqual([]);
  });
});
