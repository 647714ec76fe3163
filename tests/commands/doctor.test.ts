/** Findings of `solx doctor` for faults that cannot be reproduced on every machine. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { InterruptedError, NetworkError, NotFoundError, ServerError, UsageError } from "../../src/base/errors.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { measureSkew } from "../../src/client/answer/answer.ts";
import { type Check, type Finding, runCheck } from "../../src/commands/doctor/checks.ts";
import type { CheckContext } from "../../src/commands/doctor/context.ts";
import { collectMasks, formatReport, maskText, sectionText, summarize } from "../../src/commands/doctor/findings.ts";
import { clipboardOutcome, MACHINE_CHECKS, unitsOutcome } from "../../src/commands/doctor/machine-checks.ts";
import type { Probe } from "../../src/commands/doctor/probe.ts";
import {
  COMPARED_ENDPOINTS,
  clockOutcome,
  DRIFT_UNITS,
  driftOutcome,
  formatSteps,
  SERVER_CHECKS,
  serverOutcome,
  trustOutcomes,
  usageOutcomes,
} from "../../src/commands/doctor/server-checks.ts";
import { noKeyError, type Settings } from "../../src/config/index.ts";
import { createPainter } from "../../src/output/index.ts";
import { textWidth } from "../../src/output/text/width.ts";

const contextOf = (signal: AbortSignal, seconds = 1) =>
  ({ seconds, facts: { isSimulated: false }, context: { io: { signal } } }) as unknown as CheckContext;

const check = (name: string, run: Check["run"]): Check => ({ area: "parts", name, run });
const never = new AbortController().signal;

describe("running checks", () => {
  const fine = check("fine", async () => ({ level: "ok", message: "works" }));

  test("a failed check is a finding and does not hide others", async () => {
    const wrong = check("wrong", async () => {
      throw new UsageError("This is wrong", { hint: "Correct it." });
    });
    const broken = check("broken", async () => JSON.parse("{"));
    const context = contextOf(never);
    const [[one], [two], [three]] = await Promise.all([
      runCheck(wrong, context),
      runCheck(broken, context),
      runCheck(fine, context),
    ]);
    expect(one).toMatchObject({ level: "problem", message: "This is wrong.", hint: "Correct it." });
    expect(two).toMatchObject({ level: "warning", hint: expect.stringMatching(/--report/) });
    expect(three).toMatchObject({ area: "parts", check: "fine", level: "ok", value: null, hint: null });
  });

  test("a check that never settles times out", async () => {
    let isAborted = false;
    const hangs = check("hangs", (_, signal) => {
      signal.addEventListener("abort", () => (isAborted = true));
      return new Promise(() => {});
    });
    const findings = await runCheck(hangs, contextOf(never, 0.001));
    expect(findings[0]).toMatchObject({ level: "warning", hint: expect.stringMatching(/--timeout/) });
    expect(isAborted).toBe(true);
  });

  test("a stop signal ends all checks", async () => {
    const stop = new AbortController();
    const hangs = check("hangs", () => new Promise(() => {}));
    const running = runCheck(hangs, contextOf(stop.signal));
    stop.abort(new InterruptedError());
    await expect(running).rejects.toBeInstanceOf(InterruptedError);
  });
});

describe("clock difference", () => {
  const at = Date.parse("2026-01-01T12:00:00Z");
  const skew = (sent: number, received: number, headers: Record<string, string>) =>
    measureSkew({ sent, received, headers });
  const date = new Date(at).toUTCString();

  test.each([
    ["none within the second that a date is truncated to", at, at + 900, { date }, 0],
    ["none within a slow exchange", at - 4000, at + 9000, { date }, 0],
    ["ahead", at + 61_000, at + 61_000, { date }, 60],
    ["behind", at - 60_000, at - 60_000, { date }, -60],
    ["none for a response from an HTTP cache", at + 100_000, at + 100_000, { date, age: "100" }, 0],
  ])("%s", (_, sent, received, headers, expected) => {
    expect(skew(sent, received, headers as Record<string, string>)).toBe(expected);
  });

  test("undefined without a valid date", () => {
    expect(skew(at, at, {})).toBeUndefined();
    expect(skew(at, at, { date: "yesterday" })).toBeUndefined();
  });

  test("the level grows with the difference", () => {
    expect([4, -4, 60, -60, 900].map((size) => clockOutcome(size, "api.example").level)).toEqual([
      "ok",
      "ok",
      "warning",
      "warning",
      "problem",
    ]);
    expect(clockOutcome(-120, "api.example").message).toBe("2 min behind api.example");
  });

  test.each([
    [45.4, "46 s"],
    [700, "11 min 40 s"],
    [3600, "1 h"],
    [5399.4, "1 h 30 min"],
    [7199.4, "2 h"],
    [86_000, "23 h 53 min"],
    [900_000, "10 d 10 h"],
  ])("%d s is printed as %s", (size, text) => {
    expect(clockOutcome(size, "api.example").message).toBe(`${text} ahead of api.example`);
  });
});

describe("servers", () => {
  const probe = (more: object) =>
    ({ url: new URL("https://api.example/v2.0/x"), milliseconds: 80, steps: {}, ...more }) as unknown as Probe;
  const facts = { isSimulated: false } as CheckContext["facts"];
  const outcome = (more: object) => serverOutcome(probe(more), { facts, seconds: 10 });
  const reply = { status: 200, headers: {}, body: "{}" };

  test("the duration of each step is printed", () => {
    expect(formatSteps({ name: 5, connection: 70, answer: 20 })).toBe(" (DNS 5 ms, connection 70 ms, answer 20 ms)");
    expect(outcome({ reply, proxy: "http://proxy:1" }).message).toBe(
      "api.example through http://proxy:1 responds within 80 ms",
    );
    expect(outcome({ reply, milliseconds: 9000 })).toMatchObject({ level: "warning", hint: expect.any(String) });
  });

  test("server errors, unknown paths and unreachable servers are problems with a hint", () => {
    const errors = [
      new NotFoundError("There is no such path", { status: 404 }),
      new ServerError("The API failed", { status: 502, hint: "Try again later." }),
      new NetworkError("api.example refuses connections.", { code: "REFUSED", hint: "Check the port." }),
    ];
    for (const error of errors) {
      const result = outcome({ error, reply: error instanceof NetworkError ? undefined : reply });
      expect(result).toMatchObject({ level: "problem", hint: expect.any(String) });
    }
    expect(outcome({ error: errors[0], reply }).hint).toMatch(/base URL/);
  });
});

describe("API key", () => {
  const settings = (plan?: string) =>
    ({ facts: { isSimulated: false }, settings: { get: () => plan } }) as unknown as CheckContext;
  const usage = (left: number, used: number) => ({
    remaining_cus: left,
    usage_cus: used,
    end_date: "2030-05-01T00:00Z",
  });

  test("without a key, each way to do without one is named once", async () => {
    const context = { key: async () => undefined, settings: { profile: "default", get: () => "https://api.example" } };
    const outcome = await SERVER_CHECKS.find(({ name }) => name === "found")?.run(
      context as unknown as CheckContext,
      never,
    );
    expect(outcome).toMatchObject({ level: "problem", hint: noKeyError("default").hint });
  });

  test("the remaining units are reported", () => {
    expect(usageOutcomes(usage(15_000_000, 5_000_000), settings("lite"))[0]).toMatchObject({
      level: "ok",
      message: "valid; 15,000,000 compute units left until 2030-05-01 (75%)",
    });
    expect(usageOutcomes(usage(1_000_000, 19_000_000), settings("lite"))[0]?.level).toBe("warning");
    expect(usageOutcomes(usage(0, 20_000_000), settings("lite"))[0]?.level).toBe("problem");
    expect(usageOutcomes({}, settings())).toHaveLength(1);
  });

  test("a plan that differs from the setting is detected by its units", () => {
    const [, plan] = usageOutcomes(usage(500_000_000, 0), settings("lite"));
    expect(plan).toMatchObject({ level: "warning", hint: expect.stringContaining("plan level-3") });
    expect(usageOutcomes(usage(500_000_000, 0), settings("level-3"))[1]?.level).toBe("ok");
    expect(usageOutcomes(usage(7, 7), settings())[1]).toMatchObject({ check: "plan", level: "note" });
  });
});

test("disabled certificate verification is a warning", () => {
  expect(trustOutcomes({})).toEqual([]);
  expect(trustOutcomes({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toMatchObject([{ level: "warning" }]);
  expect(trustOutcomes({ NODE_TLS_REJECT_UNAUTHORIZED: "1", NODE_EXTRA_CA_CERTS: "/ca.pem" })).toMatchObject([
    { level: "ok", value: "/ca.pem" },
  ]);
});

test("an exhausted daily limit is a problem", () => {
  expect(unitsOutcome(10, undefined).level).toBe("ok");
  expect(unitsOutcome(10, 100)).toMatchObject({ level: "ok", value: { spent: 10, most: 100 } });
  expect(unitsOutcome(100, 100)).toMatchObject({ level: "problem", hint: expect.stringContaining("units day=") });
});

test("clipboard methods depend on the terminal", () => {
  expect(clipboardOutcome({ TERM: "dumb" }, "linux").level).toBe("note");
  expect(clipboardOutcome({ TERM: "xterm", TMUX: "/tmp/x,1,0", SSH_TTY: "/dev/pts/1" }, "linux")).toMatchObject({
    level: "ok",
    value: { ssh: true, browser: null },
    message: "copies through tmux, then the terminal (OSC 52) over SSH",
  });
});

test("folders are measured while other processes create and remove subfolders", async () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "file");
  writeFileSync(file, "12345");
  const checkFolder = (state: string) => {
    const context = { settings: { paths: { state } } } as unknown as CheckContext;
    return Promise.all(MACHINE_CHECKS.filter(({ name }) => name === "state").map((one) => one.run(context, never)));
  };
  let isOver = false;
  const others = Array.from({ length: 4 }, async () => {
    while (!isOver) await rmdir(await mkdtemp(join(folder, "other-")));
  });
  try {
    for (let times = 0; times < 50; times += 1) {
      expect(await checkFolder(folder)).toMatchObject([{ level: "ok", value: { files: 1, bytes: 5 } }]);
    }
  } finally {
    isOver = true;
    await Promise.all(others);
  }
  expect(await checkFolder(file)).toMatchObject([{ level: "warning", message: `${file} is a file, not a folder` }]);
});

describe("comparison with the documentation", () => {
  test("one cheap request for each group", () => {
    const groups = new Set(endpoints.filter(({ family }) => family === "v2").map(({ group }) => group));
    expect(new Set(COMPARED_ENDPOINTS.filter(({ family }) => family === "v2").map(({ group }) => group))).toEqual(
      groups,
    );
    expect(COMPARED_ENDPOINTS.length).toBeLessThanOrEqual(12);
    expect(DRIFT_UNITS).toBeLessThanOrEqual(1200);
  });

  test("lists a few differences and counts the rest", () => {
    const [endpoint] = COMPARED_ENDPOINTS;
    if (!endpoint) throw new Error("no endpoint is compared");
    expect(driftOutcome(endpoint, []).level).toBe("ok");
    const outcome = driftOutcome(endpoint, ["a: 1", "b: 2", "c: 3", "d: 4", "e: 5"]);
    expect(outcome).toMatchObject({
      level: "warning",
      message: "differs from the documentation: a: 1; b: 2; c: 3; and 2 more",
    });
    expect(outcome.value).toHaveLength(5);
  });
});

const finding = (more: Partial<Finding>): Finding => ({
  area: "network",
  check: "v2",
  level: "problem",
  value: null,
  message: "The host api.example refuses connections.",
  hint: "Check that it runs.",
  ...more,
});

describe("text", () => {
  const findings = [
    finding({}),
    finding({ check: "a-name-that-is-longer-than-most", level: "ok", hint: null, message: "価格 ".repeat(30) }),
    finding({ check: "proxy", level: "note", hint: "one\ntwo", message: "x".repeat(200) }),
  ];

  test("no line is wider than the window, and levels are words", () => {
    for (const width of [20, 37, 59, 60, 61, 80, 140]) {
      const text = sectionText("network", findings, { width, paint: createPainter(undefined), unicode: true });
      for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(Math.max(width, 45));
      for (const part of ["✗ problem", "✓ ok", "· note", "→ Check"]) expect(text).toContain(part);
    }
  });

  test("ASCII symbols without Unicode, and no control characters", () => {
    const evil = finding({ message: "name \u001b[2J\u001b]0;x\u0007 here", check: "a\u202Eb" });
    const layout = { width: 80, paint: createPainter(undefined), unicode: false };
    const text = sectionText("network", [evil], layout);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e✗→]/);
    expect(text).toContain("x problem");
    expect(sectionText("network", [], layout)).toBe("");
  });

  test("the summary counts problems and warnings", () => {
    expect(summarize([finding({ level: "ok" }), finding({ level: "note" })])).toBeUndefined();
    expect(summarize([finding({}), finding({}), finding({ level: "warning" })])).toBe("2 problems, 1 warning");
  });
});

describe("report", () => {
  const masks = [
    ["/home/alice/solx", "<home>/solx"],
    ["/home/alice", "~"],
    ["secret-key", "<key>"],
    ["alice", "<user>"],
  ] as const;

  test("names are masked as whole words, the key everywhere", () => {
    expect(maskText("/home/alice/solx/config.json of alice", masks)).toBe("<home>/solx/config.json of <user>");
    expect(maskText("malice is no alice; xsecret-keyx", masks)).toBe("malice is no <user>; x<key>x");
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(maskText(`${before}secret-key${after}`, masks)).not.toContain("secret-key");
      }),
    );
  });

  test("masks private addresses and their parts and the end of the key, but no setting names", () => {
    const settings = {
      baseUrls: () => ({
        v2: "https://gw.corp.example:8443/secret/v2.0",
        legacy: "https://pro-api.solscan.io/v1.0",
        public: "http://127.0.0.1:9/tenant",
      }),
      file: { profiles: new Map() },
      paths: {},
      profile: "default",
      get: () => "machine",
    } as unknown as Settings;
    const settingsMasks = collectMasks(
      settings,
      { HTTPS_PROXY: "proxy.corp.example:3128" },
      "a-key-that-ends-with-3456",
      "root",
    );
    const masked = (text: string) => maskText(text, settingsMasks);
    expect(masked("base-url https://gw.corp.example:8443/secret, ****3456")).toBe("base-url <server>, <key>");
    expect(masked("gw.corp.example:8443 does not serve /secret/v2.0/x")).toBe("<server> does not serve <path>/v2.0/x");
    expect(masked('"ftp://else.example/x" through proxy.corp.example:3128')).toBe('"<server>" through <server>');
    expect(masked("http://127.0.0.1:9/tenant")).toBe("http://127.0.0.1:9<path>");
    const innocent = "that this machine is online, https://pro-api.solscan.io/v1.0, such as https://host";
    expect(masked(innocent)).toBe(innocent);
  });

  test("text from servers is escaped in Markdown", () => {
    const text = formatReport([finding({ message: "<img src=x> *bold* [a](b)" })], masks);
    expect(text).toContain("&lt;img src=x&gt; \\*bold\\* \\[a\\](b)");
    expect(text).toContain("<summary>Report: 1 problem</summary>");
  });
});
