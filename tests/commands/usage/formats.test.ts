import parsePrometheus from "parse-prometheus-text-format";
import { describe, expect, it, onTestFinished } from "vitest";
import { NetworkError } from "../../../src/base/errors.ts";
import { type JsonObject, stringifyJson } from "../../../src/base/json.ts";
import { forecastUsage } from "../../../src/client/usage/forecast.ts";
import { usageResult } from "../../../src/commands/usage/derived.ts";
import { checkLimits, joinPhrases, parseThresholds } from "../../../src/commands/usage/limits.ts";
import { nagiosResult, prometheusText } from "../../../src/commands/usage/monitoring.ts";
import type { UsageSnapshot } from "../../../src/commands/usage/snapshot.ts";
import { usageText } from "../../../src/commands/usage/text.ts";
import { createPainter } from "../../../src/output/index.ts";
import { runInProcess } from "../../support/in-process.ts";
import { sendJson, serve } from "../../support/server.ts";
import { createTempFolder } from "../../support/solx.ts";

const NOW = Date.UTC(2026, 5, 21);
const usage = (more: object = {}): JsonObject => ({
  email: "a@b.c",
  renew_date: "2026-06-01T00:00:00.000Z",
  end_date: "2026-07-01T00:00:00.000Z",
  last_cu_reset_date: "2026-06-01T00:00:00.000Z",
  remaining_cus: 5_000_000,
  usage_cus: 15_000_000,
  total_requests_24h: 8000,
  success_rate_24h: 99.25,
  total_cu_24h: 800_000,
  ...more,
});
const snapshot = (more: object = {}, rest: Partial<UsageSnapshot> = {}): UsageSnapshot => {
  const object = usage(more);
  const [now, at] = [rest.now ?? NOW, rest.at ?? NOW];
  return {
    now,
    at,
    usage: object,
    error: undefined,
    forecast: forecastUsage(object, at, [], now),
    profile: "default",
    plan: "lite",
    busiest: [
      { endpoint: "account transfer", requests: 12, failed: 2, units: 1000 },
      { endpoint: "other", requests: 1, failed: 0, units: 100 },
    ],
    users: [{ profile: "default", machine: "here", command: "account transfer", requests: 13, units: 1100 }],
    ...rest,
  };
};
const NONE = parseThresholds({});
const down = { now: NOW + 7_200_000, error: new NetworkError("The API does not answer.") };

describe("Prometheus output", () => {
  const parsed = (text: string) =>
    Object.fromEntries(parsePrometheus(text).map(({ name, ...family }) => [name, family]));

  it("is parsed with names, types, labels and numbers", () => {
    const families = parsed(prometheusText("default", snapshot()));
    const value = (name: string) => families[`solx_${name}`]?.metrics;
    expect(Object.values(families).every(({ type, help }) => type === "GAUGE" && help !== "")).toBe(true);
    expect(value("usage_up")).toEqual([{ value: "1", labels: { profile: "default" } }]);
    expect(value("compute_units_used")?.[0]?.value).toBe("15000000");
    expect(value("compute_units_used_ratio")?.[0]?.value).toBe("0.75");
    expect(value("requests_success_ratio_24h")?.[0]?.value).toBe("0.9925");
    expect(value("period_end_timestamp_seconds")?.[0]?.value).toBe(String(Date.UTC(2026, 6, 1) / 1000));
    expect(value("compute_units_state")?.filter((one) => one.value === "1")).toEqual([
      { value: "1", labels: { profile: "default", state: "short" } },
    ]);
    expect(value("local_requests_failed_24h")).toContainEqual({
      value: "2",
      labels: { profile: "default", endpoint: "account transfer" },
    });
  });

  it("escapes labels", () => {
    const [up] = parsePrometheus(prometheusText('a"b\\c', snapshot()));
    expect(up?.metrics[0]?.labels?.profile).toBe('a"b\\c');
    expect(prometheusText("a\nb", undefined).trimEnd().split("\n")).toHaveLength(3);
  });

  it("marks the last known numbers as stale, and omits unknown numbers", () => {
    const families = parsed(prometheusText("default", snapshot({ remaining_cus: null }, down)));
    expect(families.solx_usage_up?.metrics[0]?.value).toBe("0");
    expect(families.solx_usage_sample_timestamp_seconds?.metrics[0]?.value).toBe(String(NOW / 1000));
    expect(Object.keys(families)).not.toContain("solx_compute_units_remaining");
    expect(Object.keys(parsed(prometheusText("default", undefined)))).toEqual(["solx_usage_up"]);
    const refused = parsed(prometheusText("default", undefined, NOW));
    expect(refused.solx_usage_sample_timestamp_seconds?.metrics[0]?.value).toBe(String(NOW / 1000));
  });
});

describe("Nagios output", () => {
  it("has state, text and performance data with the limits as ranges", () => {
    const { line, exitCode } = nagiosResult(
      snapshot(),
      parseThresholds({ warnOver: "70%", failOver: "90", failUnderUnits: "1M" }),
    );
    expect(exitCode).toBe(1);
    expect(line).toBe(
      "WARNING - 75% of the units are used, more than 70%. | used=75%;70;90;0;100 units_left=5000000;;1000000:;0;20000000 " +
        "units_used=15000000;;;0;20000000 units_per_day=800000;;;0 requests_24h=8000;;;0 success_24h=99.25%;;;0;100\n",
    );
  });

  it.each([
    ["OK", 0, { total_cu_24h: 1, usage_cus: 100 }, {}],
    ["WARNING", 1, {}, {}],
    ["OK", 0, {}, { failOver: "90%" }],
    ["CRITICAL", 2, {}, { failBeforeRenewal: true }],
    ["CRITICAL", 2, {}, { failUnderUnits: "10_000_000", warnOver: "1" }],
    ["CRITICAL", 2, { remaining_cus: 0 }, { failOver: "100%" }],
  ] as const)("is %s, exit %i, for %j with %j", (status, code, more, options) => {
    const { line, exitCode } = nagiosResult(snapshot(more), parseThresholds(options));
    expect([line.split(" - ")[0], exitCode]).toEqual([status, code]);
    expect(line.match(/\n/g)).toHaveLength(1);
    expect(line.match(/\|/g)).toHaveLength(1);
  });

  it("cannot be evaluated with numbers of a period that has ended", () => {
    const over = snapshot({ remaining_cus: 0 }, { now: NOW + 11 * 86_400_000, at: NOW });
    expect(() => nagiosResult(over, parseThresholds({ failOver: "10%" }))).toThrow("cannot evaluate");
    expect(() => nagiosResult(over, NONE)).toThrow("of the period that ended");
  });

  it.each([{ remaining_cus: null }, { remaining_cus: null, usage_cus: null }, { end_date: null }])(
    "cannot be evaluated if required numbers are unknown: %j",
    (more) => expect(() => nagiosResult(snapshot(more), NONE)).toThrow("cannot evaluate"),
  );

  it("is critical for an exceeded limit even if other numbers are unknown", () => {
    const { line, exitCode } = nagiosResult(
      snapshot({ usage_cus: null }),
      parseThresholds({ warnOver: "1%", failUnderUnits: "9M" }),
    );
    expect([exitCode, line.split(" |")[0]]).toEqual([2, "CRITICAL - 5,000,000 units are left, fewer than 9,000,000."]);
  });
});

/** Runs the command with an API that answers a number of requests, and then reports that no units are left. */
async function overApi({ answers = 1 } = {}) {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const data = usage({ renew_date: day(-10), end_date: day(10) });
  const server = await serve((_, response, count) => {
    if (count <= answers) sendJson(response, stringifyJson({ success: true, data }));
    else sendJson(response, '{"success":false,"errors":{"code":429,"message":"Compute units limit reached"}}', 429);
  });
  onTestFinished(server.close);
  const env = { SOLX_HOME: createTempFolder(), SOLX_BASE_URL: server.url, SOLX_RETRIES: "0" };
  return (...args: string[]) => runInProcess(["usage", ...args], { env });
}

describe("an API that reports no remaining units", () => {
  it.each([0, 1])("has the state none in every format, after %i answers", async (answers) => {
    const run = await overApi({ answers });
    if (answers > 0) await run();
    const nagios = await run("-o", "nagios");
    expect([nagios.code, nagios.stdout.slice(0, 30)]).toEqual([2, "CRITICAL - No units are left: "]);
    const metrics = (await run("-o", "prometheus")).stdout;
    expect(metrics).toContain('state="none"} 1');
    expect(metrics).toMatch(/^solx_compute_units_remaining\S+ 0$/m);
    const { code, stdout, stderr } = await run();
    expect(JSON.parse(stdout)).toMatchObject({ remaining_cus: 0, derived: { state: "none", stale: false } });
    expect(code).toBe(7);
    expect(stderr).toContain("another key has its own");
    expect((await run("-o", "table")).stdout).toContain("NONE LEFT: No units are left");
  });

  it.each([[["--fail-over", "80%"]], [["--fail-under-units", "1"]], [["--fail-before-renewal"]]])(
    "fails %j",
    async (check) => {
      const run = await overApi({ answers: 0 });
      expect(await run("-q", ...check)).toMatchObject({ code: 11, stdout: "" });
    },
  );

  it("gives a snapshot in a watch", async () => {
    const run = await overApi();
    await run();
    const { code, stdout } = await run("--watch", "-o", "ndjson", "--fail-over", "80%");
    expect(code).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject({ usage_cus: 20_000_000, derived: { used_percent: 100, state: "none" } });
  });
});

it("a warning is printed with -q, too", async () => {
  const run = await overApi();
  const { code, stdout, stderr } = await run("-q", "-o", "table", "--warn-under-units", "10M");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toBe("solx: Warning: 5,000,000 units are left, fewer than 10,000,000.\n");
});

describe("limits", () => {
  it.each([
    ["80%", 80],
    ["80", 80],
    ["99.5 %", 99.5],
    ["0.8%", 0.8],
    ["0", 0],
  ])("parse %s as a percentage", (text, over) => expect(parseThresholds({ failOver: text }).fail.over).toBe(over));

  it.each([
    ["10M", 10_000_000],
    ["1_000_000", 1_000_000],
    ["1,000,000", 1_000_000],
    ["2.5k", 2500],
    ["1B", 1_000_000_000],
    ["7", 7],
  ])("parse %s as units", (text, under) => expect(parseThresholds({ warnUnderUnits: text }).warn.under).toBe(under));

  it.each([
    [{ failOver: "101%" }, "--fail-over"],
    [{ warnOver: "-1" }, "--warn-over"],
    [{ failOver: "" }, "--fail-over"],
    [{ failUnderUnits: "ten" }, "--fail-under-units"],
    [{ warnUnderUnits: "1e9" }, "--warn-under-units"],
    [{ failUnderUnits: "10MM" }, "--fail-under-units"],
    [{ failUnderUnits: "10,5M" }, "--fail-under-units"],
    [{ failUnderUnits: "1,5" }, "--fail-under-units"],
    [{ failUnderUnits: "1.5" }, "--fail-under-units"],
    [{ failOver: "0.8" }, "--fail-over"],
    [{ failOver: "70%", warnOver: "80%" }, "--warn-over"],
    [{ failUnderUnits: "2M", warnUnderUnits: "1M" }, "--warn-under-units"],
  ])("reject %j and name %s", (options, name) => expect(() => parseThresholds(options)).toThrow(name));

  it("all exceeded limits are in one sentence, and no others", () => {
    const { fail } = parseThresholds({ failOver: "74.9%", failUnderUnits: "5_000_001", failBeforeRenewal: true });
    expect(joinPhrases(checkLimits(snapshot(), fail))).toBe(
      "75% of the units are used, more than 74.9%; 5,000,000 units are left, fewer than 5,000,001; " +
        "at this pace the units end on 2026-06-27, 4 days before the period ends.",
    );
    expect(checkLimits(snapshot(), parseThresholds({ failOver: "75%", failUnderUnits: "5M" }).fail)).toEqual([]);
    expect(checkLimits(snapshot(), NONE.fail)).toEqual([]);
  });

  it("cannot be evaluated without numbers of the API", () => {
    expect(() => checkLimits(snapshot({ remaining_cus: null }), parseThresholds({ failUnderUnits: "1" }).fail)).toThrow(
      "does not report the remaining units",
    );
    const { fail } = parseThresholds({ failUnderUnits: "9M", failOver: "50" });
    expect(joinPhrases(checkLimits(snapshot({ usage_cus: null }), fail))).toBe(
      "5,000,000 units are left, fewer than 9,000,000; the API does not report the used units.",
    );
    expect(checkLimits(snapshot({ usage_cus: 0, remaining_cus: 0 }), fail)).toContain("no units are left");
  });
});

describe("text output", () => {
  const layout = { width: 80, paint: createPainter(undefined), unicode: true, time: undefined };

  it("has the state in words", () => {
    const text = usageText(snapshot(), layout);
    expect(text).toContain("Lite, 20,000,000 units per period");
    expect(text).toMatch(/█{30}░{10} 75%/);
    expect(usageText(snapshot({ usage_cus: 480, remaining_cus: 19_999_520 }), layout)).toMatch(/ ▏░{39} 0.0024%/);
    expect(text).toContain("SHORT: At this pace the units end on 2026-06-27");
    expect(text).toContain("8,000 requests, 99.25% succeeded");
    expect(usageText(snapshot({ success_rate_24h: 60 }), layout)).toContain("60% succeeded (low)");
    const idle = snapshot({ total_requests_24h: 0, success_rate_24h: 0, remaining_cus: -5000 });
    expect(usageText(idle, layout)).toMatch(/over 100%[\s\S]*24 hours +0 requests$/m);
    expect(prometheusText("default", idle)).not.toContain("success_ratio");
  });

  it("marks stale numbers with their age, and does not print unknown units as 0", () => {
    const text = usageText(snapshot({ remaining_cus: null }, down), layout);
    expect(text).toMatch(/^STALE: no newer numbers available\. These are 2 hours old/);
    expect(text).toContain("- left");
    expect(text).not.toMatch(/\b0 left/);
  });

  it.each([20, 30, 43, 44, 60, 200])("fits into %i cells", (width) => {
    for (const one of [snapshot(), snapshot({}, down)]) {
      for (const line of usageText(one, { ...layout, width, unicode: false }).split("\n")) {
        expect(line.length).toBeLessThanOrEqual(width);
        expect(line).toMatch(/^[ -~]*$/);
      }
    }
  });

  it("has the daily limit of this machine, if there is one", () => {
    expect(usageText(snapshot(), layout)).not.toContain("daily limit");
    const text = usageText(snapshot({}, { limit: { spent: 500_000, limit: 500_000 } }), layout);
    expect(text).toContain("500,000 of 500,000 units spent here (daily limit): REACHED");
  });

  it("formats times in the selected style", () => {
    expect(usageText(snapshot(), { ...layout, time: "unix" })).toContain(`${Date.UTC(2026, 6, 1) / 1000}`);
    expect(usageText(snapshot(), { ...layout, time: "iso" })).toContain("2026-07-01T00:00:00Z");
  });
});

describe("JSON output", () => {
  it("has the fields of the API unchanged, and derived values in one object", () => {
    const { derived, ...api } = usageResult(snapshot());
    expect(api).toEqual(usage());
    expect(derived).toMatchObject({
      stale: false,
      state: "short",
      units_total: 20_000_000,
      used_percent: 75,
      runs_out_before_renewal: true,
      renews_at: "2026-07-01T00:00:00.000Z",
      local_requests_24h: 13,
      local_units_24h: 1100,
    });
    expect(usageResult(snapshot({}, down)).derived).toMatchObject({ stale: true, age_seconds: 7200 });
  });
});
