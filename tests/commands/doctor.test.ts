/** What the findings of `solx doctor` say, for faults that cannot be had on every machine. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { InterruptedError, NetworkError, NotFoundError, ServerError, UsageError } from "../../src/base/errors.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { COMPARED_ENDPOINTS, DRIFT_UNITS, driftOutcome } from "../../src/commands/doctor/checks-drift.ts";
import { FILE_CHECKS } from "../../src/commands/doctor/checks-files.ts";
import { usageOutcomes } from "../../src/commands/doctor/checks-key.ts";
import { clipboardOutcome, unitsOutcome } from "../../src/commands/doctor/checks-machine.ts";
import {
  clockOutcome,
  formatSteps,
  measureSkew,
  serverOutcome,
  trustOutcomes,
} from "../../src/commands/doctor/checks-network.ts";
import type { CheckContext } from "../../src/commands/doctor/context.ts";
import type { Check, Finding } from "../../src/commands/doctor/finding.ts";
import type { Probe } from "../../src/commands/doctor/probe.ts";
import { collectMasks, formatReport, maskText } from "../../src/commands/doctor/report.ts";
import { runChecks } from "../../src/commands/doctor/run-checks.ts";
import { sectionText, summaryOf } from "../../src/commands/doctor/text.ts";
import type { Settings } from "../../src/config/index.ts";
import { textWidth } from "../../src/output/text/width.ts";

const contextOf = (signal: AbortSignal, seconds = 1) =>
  ({ seconds, settings: { sandbox: false }, context: { io: { signal } } }) as unknown as CheckContext;

const check = (name: string, run: Check["run"]): Check => ({ area: "parts", name, run });
const never = new AbortController().signal;

describe("running", () => {
  const fine = check("fine", async () => ({ level: "ok", message: "works" }));

  test("a check that fails is a finding, and hides no other", async () => {
    const wrong = check("wrong", async () => {
      throw new UsageError("This is wrong", { hint: "Mend it." });
    });
    const broken = check("broken", async () => JSON.parse("{"));
    const running = runChecks([wrong, broken, fine], contextOf(never));
    const [[one], [two], [three]] = (await Promise.all(running.values())) as [Finding[], Finding[], Finding[]];
    expect(one).toMatchObject({ level: "problem", message: "This is wrong.", hint: "Mend it." });
    expect(two).toMatchObject({ level: "warning", hint: expect.stringMatching(/--report/) });
    expect(three).toMatchObject({ area: "parts", check: "fine", level: "ok", value: null, hint: null });
  });

  test("a check that never ends is given up", async () => {
    let isTold = false;
    const hangs = check("hangs", (_, signal) => {
      signal.addEventListener("abort", () => (isTold = true));
      return new Promise(() => {});
    });
    const [findings] = await Promise.all(runChecks([hangs], contextOf(never, 0.001)).values());
    expect(findings?.[0]).toMatchObject({ level: "warning", hint: expect.stringMatching(/--timeout/) });
    expect(isTold).toBe(true);
  });

  test("stopping ends all of them", async () => {
    const stop = new AbortController();
    const hangs = check("hangs", () => new Promise(() => {}));
    const running = runChecks([hangs], contextOf(stop.signal));
    stop.abort(new InterruptedError());
    await expect(Promise.all(running.values())).rejects.toBeInstanceOf(InterruptedError);
  });
});

describe("the clock", () => {
  const at = Date.parse("2026-01-01T12:00:00Z");
  const skew = (sent: number, received: number, headers: Record<string, string>) =>
    measureSkew({ sent, received, reply: { headers } } as unknown as Probe);
  const date = new Date(at).toUTCString();

  test.each([
    ["agrees within the second that a date is cut to", at, at + 900, { date }, 0],
    ["agrees within a slow exchange", at - 4000, at + 9000, { date }, 0],
    ["is ahead", at + 61_000, at + 61_000, { date }, 60],
    ["is behind", at - 60_000, at - 60_000, { date }, -60],
    ["is compared with an answer that was kept on the way", at + 100_000, at + 100_000, { date, age: "100" }, 0],
  ])("%s", (_, sent, received, headers, expected) => {
    expect(skew(sent, received, headers as Record<string, string>)).toBe(expected);
  });

  test("is not compared where no time is told", () => {
    expect(skew(at, at, {})).toBeUndefined();
    expect(skew(at, at, { date: "yesterday" })).toBeUndefined();
  });

  test("matters the more the further it is off", () => {
    expect([4, -4, 60, -60, 900].map((size) => clockOutcome(size, "api.example").level)).toEqual([
      "ok",
      "ok",
      "warning",
      "warning",
      "problem",
    ]);
    expect(clockOutcome(-120, "api.example").message).toBe("This clock is 2 minutes behind api.example.");
  });

  test.each([
    [45.4, "45 seconds"],
    [700, "12 minutes"],
    [3599, "1 hour"],
    [5399.4, "1 hour 30 minutes"],
    [7199.4, "2 hours"],
    [86_000, "24 hours"],
    [900_000, "10 days"],
  ])("that is %d s off is off by %s", (size, words) => {
    expect(clockOutcome(size, "api.example").message).toBe(`This clock is ${words} ahead of api.example.`);
  });
});

describe("servers", () => {
  const probe = (more: object) =>
    ({ url: new URL("https://api.example/v2.0/x"), milliseconds: 80, steps: {}, ...more }) as unknown as Probe;
  const settings = { sandbox: false } as CheckContext["settings"];
  const outcome = (more: object) => serverOutcome(probe(more), { settings, seconds: 10 });
  const reply = { status: 200, headers: {}, body: "{}" };

  test("say where the time goes", () => {
    expect(formatSteps({ name: 5, connection: 70, answer: 20 })).toBe(" (name 5 ms, connection 70 ms, answer 20 ms)");
    expect(outcome({ reply, proxy: "http://proxy:1" }).message).toBe(
      "api.example through http://proxy:1 answers within 80 ms",
    );
    expect(outcome({ reply, milliseconds: 9000 })).toMatchObject({ level: "warning", hint: expect.any(String) });
  });

  test("that fail, do not know the path, or cannot be reached are problems with something to do", () => {
    const errors = [
      new NotFoundError("There is no such path", { status: 404 }),
      new ServerError("The API failed", { status: 502, hint: "Try again later." }),
      new NetworkError("api.example refuses connections.", { code: "REFUSED", hint: "Check the port." }),
    ];
    for (const error of errors) {
      const found = outcome({ error, reply: error instanceof NetworkError ? undefined : reply });
      expect(found).toMatchObject({ level: "problem", hint: expect.any(String) });
    }
    expect(outcome({ error: errors[0], reply }).hint).toMatch(/base URL/);
  });
});

describe("the key", () => {
  const settings = (plan?: string) => ({ settings: { sandbox: false, get: () => plan } }) as unknown as CheckContext;
  const usage = (left: number, used: number) => ({
    remaining_cus: left,
    usage_cus: used,
    end_date: "2030-05-01T00:00Z",
  });

  test("is told with what is left", () => {
    expect(usageOutcomes(usage(15_000_000, 5_000_000), settings("lite"))[0]).toMatchObject({
      level: "ok",
      message: "The API accepts the key: 15,000,000 compute units left until 2030-05-01 (75 %).",
    });
    expect(usageOutcomes(usage(1_000_000, 19_000_000), settings("lite"))[0]?.level).toBe("warning");
    expect(usageOutcomes(usage(0, 20_000_000), settings("lite"))[0]?.level).toBe("problem");
    expect(usageOutcomes({}, settings())).toHaveLength(1);
  });

  test("of another plan than the setting says is noticed by its units", () => {
    const [, plan] = usageOutcomes(usage(500_000_000, 0), settings("lite"));
    expect(plan).toMatchObject({ level: "warning", hint: expect.stringContaining("plan level-3") });
    expect(usageOutcomes(usage(500_000_000, 0), settings("level-3"))[1]?.level).toBe("ok");
    expect(usageOutcomes(usage(7, 7), settings())[1]).toMatchObject({ check: "plan", level: "note" });
  });
});

test("certificates that nobody checks are told", () => {
  expect(trustOutcomes({})).toEqual([]);
  expect(trustOutcomes({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toMatchObject([{ level: "warning" }]);
  expect(trustOutcomes({ NODE_TLS_REJECT_UNAUTHORIZED: "1", NODE_EXTRA_CA_CERTS: "/ca.pem" })).toMatchObject([
    { level: "ok", value: "/ca.pem" },
  ]);
});

test("units of a day are a problem once they are spent", () => {
  expect(unitsOutcome(10, undefined).level).toBe("ok");
  expect(unitsOutcome(10, 100)).toMatchObject({ level: "ok", value: { spent: 10, most: 100 } });
  expect(unitsOutcome(100, 100)).toMatchObject({ level: "problem", hint: expect.stringContaining("units-per-day") });
});

test("the ways to the clipboard follow from the terminal", () => {
  expect(clipboardOutcome({ TERM: "dumb" }, "linux").level).toBe("note");
  expect(clipboardOutcome({ TERM: "xterm", TMUX: "/tmp/x,1,0", SSH_TTY: "/dev/pts/1" }, "linux")).toMatchObject({
    level: "ok",
    value: { ssh: true, browser: null },
    message: "copies through tmux, then the terminal itself (OSC 52) over SSH",
  });
});

test("folders are measured while others make and remove their own in them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "solx-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "file");
  writeFileSync(file, "12345");
  const looked = (state: string) => {
    const context = { settings: { paths: { state } } } as unknown as CheckContext;
    return Promise.all(FILE_CHECKS.filter(({ name }) => name === "state").map((one) => one.run(context, never)));
  };
  let isOver = false;
  const others = Array.from({ length: 4 }, async () => {
    while (!isOver) await rmdir(await mkdtemp(join(folder, "other-")));
  });
  try {
    for (let times = 0; times < 50; times += 1) {
      expect(await looked(folder)).toMatchObject([{ level: "ok", value: { files: 1, bytes: 5 } }]);
    }
  } finally {
    isOver = true;
    await Promise.all(others);
  }
  expect(await looked(file)).toMatchObject([{ level: "warning", message: `${file} is a file, not a folder` }]);
});

describe("comparing answers", () => {
  test("asks each group once, for little", () => {
    const groups = new Set(endpoints.filter(({ family }) => family === "v2").map(({ group }) => group));
    expect(new Set(COMPARED_ENDPOINTS.filter(({ family }) => family === "v2").map(({ group }) => group))).toEqual(
      groups,
    );
    expect(COMPARED_ENDPOINTS.length).toBeLessThanOrEqual(12);
    expect(DRIFT_UNITS).toBeLessThanOrEqual(1200);
  });

  test("tells a few differences and counts the rest", () => {
    const [endpoint] = COMPARED_ENDPOINTS;
    if (!endpoint) throw new Error("nothing is compared");
    expect(driftOutcome(endpoint, []).level).toBe("ok");
    const found = driftOutcome(endpoint, ["a: 1", "b: 2", "c: 3", "d: 4", "e: 5"]);
    expect(found).toMatchObject({ level: "warning", message: "not as documented: a: 1; b: 2; c: 3; and 2 more" });
    expect(found.value).toHaveLength(5);
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

describe("in words", () => {
  const findings = [
    finding({}),
    finding({ check: "a-name-that-is-longer-than-most", level: "ok", hint: null, message: "価格 ".repeat(30) }),
    finding({ check: "proxy", level: "note", hint: "one\ntwo", message: "x".repeat(200) }),
  ];

  test("no line is wider than the window, and the level is a word", () => {
    for (const width of [20, 37, 59, 60, 61, 80, 140]) {
      const text = sectionText("network", findings, { width, color: false, unicode: true });
      for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(Math.max(width, 45));
      for (const word of ["✗ problem", "✓ ok", "· note", "→ Check"]) expect(text).toContain(word);
    }
  });

  test("a terminal without Unicode gets signs in ASCII, and nothing that it would obey", () => {
    const evil = finding({ message: "name \u001b[2J\u001b]0;x\u0007 here", check: "a\u202Eb" });
    const looks = { width: 80, color: false, unicode: false };
    const text = sectionText("network", [evil], looks);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e✗→]/);
    expect(text).toContain("x problem");
    expect(sectionText("network", [], looks)).toBe("");
  });

  test("the summary counts what matters", () => {
    expect(summaryOf([finding({ level: "ok" }), finding({ level: "note" })])).toBeUndefined();
    expect(summaryOf([finding({}), finding({}), finding({ level: "warning" })])).toBe("2 problems, 1 warning");
  });
});

describe("a report", () => {
  const masks = [
    ["/home/alice/solx", "<home>/solx"],
    ["/home/alice", "~"],
    ["secret-key", "<key>"],
    ["alice", "<user>"],
  ] as const;

  test("names are hidden where they are words, the key everywhere", () => {
    expect(maskText("/home/alice/solx/config.json of alice", masks)).toBe("<home>/solx/config.json of <user>");
    expect(maskText("malice is no alice; xsecret-keyx", masks)).toBe("malice is no <user>; x<key>x");
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(maskText(`${before}secret-key${after}`, masks)).not.toContain("secret-key");
      }),
    );
  });

  test("holds no address of others, whole or in parts, and no part of the key; words of settings stay", () => {
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
    const own = collectMasks(settings, { HTTPS_PROXY: "proxy.corp.example:3128" }, "a-key-that-ends-with-3456", "root");
    const masked = (text: string) => maskText(text, own);
    expect(masked("base-url https://gw.corp.example:8443/secret, ****3456")).toBe("base-url <server>, <key>");
    expect(masked("gw.corp.example:8443 does not know /secret/v2.0/x")).toBe("<server> does not know <path>/v2.0/x");
    expect(masked('"ftp://else.example/x" through proxy.corp.example:3128')).toBe('"<server>" through <server>');
    expect(masked("http://127.0.0.1:9/tenant")).toBe("http://127.0.0.1:9<path>");
    const innocent = "that this machine is online, https://pro-api.solscan.io/v1.0, such as https://host";
    expect(masked(innocent)).toBe(innocent);
  });

  test("is Markdown in which nothing of a server's is markup", () => {
    const text = formatReport([finding({ message: "<img src=x> *bold* [a](b)" })], masks);
    expect(text).toContain("&lt;img src=x&gt; \\*bold\\* \\[a\\](b)");
    expect(text).toContain("<summary>Report: 1 problem</summary>");
  });
});
