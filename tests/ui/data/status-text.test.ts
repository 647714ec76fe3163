import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AuthError,
  type ExitName,
  InterruptedError,
  NetworkError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  SolxError,
  UsageError,
} from "../../../src/base/errors.ts";
import { ageText, spinnerAt, statusLine, statusLines } from "../../../src/ui/data/status-text.ts";
import { IDLE_QUERY, type QueryState } from "../../../src/ui/navigation/data-store.ts";
import { DEFAULT_KEY_LABELS } from "../../../src/ui/navigation/keys/bindings.ts";
import { lineWidth, type TextLine } from "../../../src/ui/navigation/theme/text-line.ts";
import { NOW } from "../../client/servers.ts";

const ANSWER = { data: [{ a: 1 }], rows: [{ a: 1 }], body: "[]" } as unknown as NonNullable<QueryState["answer"]>;
const textOf = (line: TextLine | undefined) => line?.map(({ text }) => text).join("");
const status = (entry: Partial<QueryState>, now = NOW) =>
  textOf(statusLine({ ...IDLE_QUERY, ...entry }, { now, unicode: true, timeZone: "UTC", keyOf: DEFAULT_KEY_LABELS }));
const whole = (entry: Partial<QueryState>, width = 76) =>
  statusLines(
    { ...IDLE_QUERY, ...entry },
    { now: NOW, unicode: true, timeZone: "UTC", keyOf: DEFAULT_KEY_LABELS },
    width,
  )
    .map(textOf)
    .join("\n");

describe("the status line", () => {
  it("is undefined for a loaded answer", () => {
    expect(status({ answer: ANSWER, at: NOW })).toBeUndefined();
  });

  it("shows loading and the key that cancels; the spinner changes at most ten times a second", () => {
    expect(status({ isLoading: true })).toMatch(/^\S Loading… · Esc cancel$/);
    expect(status({ isLoading: true, answer: ANSWER })).toMatch(/^\S Refreshing… · Esc cancel$/);
    const signs = Array.from({ length: 1000 }, (_, at) => spinnerAt(NOW + at, true));
    expect(signs.filter((sign, at) => at > 0 && sign !== signs[at - 1]).length).toBeLessThanOrEqual(10);
    expect(spinnerAt(NOW, false)).toMatch(/^[ -~]$/);
  });

  it("counts down during a rate limit, with the time of day", () => {
    const limited = { problem: new RateLimitError("Too many requests."), retryAt: Date.UTC(2024, 6, 5, 14, 3, 20) };
    expect(status(limited, Date.UTC(2024, 6, 5, 14, 3, 8))).toBe(
      "Rate limited: waiting 12 s, until 14:03:20 · r try now",
    );
    expect(status(limited, Date.UTC(2024, 6, 5, 14, 3, 19, 500))).toContain("waiting 1 s");
    expect(status({ ...limited, isLoading: true }, Date.UTC(2024, 6, 5, 14, 3, 8))).toMatch(
      /^\S Rate limited: waiting 12 s, until 14:03:20 · Esc cancel$/,
    );
  });

  it("does not ask for an API key when ClickHouse refuses a password", () => {
    const problem = new AuthError("ClickHouse refused the password.", { code: "STORE_PASSWORD", hint: "Set it." });
    expect(status({ problem })).toBe("ClickHouse refuses access · r retry · ClickHouse refused the password.");
    expect(whole({ problem })).toContain("Set it.");
  });

  it("says why a refresh failed; the header shows the age of what stays", () => {
    const stale = { answer: ANSWER, at: NOW - 200_000, problem: new NetworkError("connect ECONNREFUSED") };
    expect(status(stale)).toBe("Refresh failed: The API cannot be reached · r retry · connect ECONNREFUSED.");
    const wait = { ...stale, problem: new RateLimitError("slow down"), retryAt: NOW + 5000 };
    expect(status(wait)).toBe("Rate limited: waiting 5 s, until 12:00:05 · r try now");
  });

  it("says why an attempt failed while it is repeated, and when the next one follows", () => {
    const repeated = { isLoading: true, problem: new ServerError("The answer is HTML."), retryAt: NOW + 3000 };
    expect(status(repeated)).toMatch(/^\S API error: retrying in 3 s · Esc cancel$/);
    expect(status({ ...repeated, retryAt: NOW })).toMatch(/^\S Retrying… · Esc cancel$/);
    const text = whole(repeated);
    expect(text).toMatch(/API error\n.*The answer is HTML\.\n[\s\S]*\S Retrying in 3 s · Esc cancel/);
    expect(text).not.toContain("Loading");
  });

  it("counts down in the region while requests of other parts wait for the rate limit", () => {
    expect(whole({ isLoading: true, retryAt: NOW + 9000 })).toMatch(
      /^Too many requests\nThe rate limit of the key is reached\.\n\n\S Rate limited: waiting 9 s, until/,
    );
  });

  it("has a text for every kind of failure, each with a key or a command", () => {
    const problems = [
      new UsageError("bad"),
      new AuthError("no key"),
      new PermissionError("no"),
      new NotFoundError("none"),
      new RateLimitError("slow"),
      new QuotaError("spent"),
      new ServerError("broken"),
      new NetworkError("offline"),
      new InterruptedError("Stopped."),
      new SolxError("unexpected", "oops"),
    ];
    const lines = problems.map((problem) => status({ problem }) ?? "");
    const titles = lines.map((line) => line.split(" · ")[0]);
    expect(new Set(titles).size).toBe(problems.length);
    for (const line of lines) expect(line).toMatch(/· ([rFU]|Esc) \w+/);
  });
});

describe("the status instead of an answer", () => {
  it("say what to do without a key", () => {
    const text = whole({ problem: new AuthError("There is no API key.", { hint: "long\nlist" }) });
    expect(text).toContain("K enter a key");
    expect(text).toContain("solx explore --sandbox");
    expect(text).toContain("r retry");
  });

  it("truncate a body that is not an answer of the API", () => {
    const text = whole({ problem: new ServerError(`<html>${"x".repeat(100_000)}`) });
    expect(text.length).toBeLessThan(700);
    expect(text).toContain("r retry");
  });

  it("report a missing plan and spent units", () => {
    expect(whole({ problem: new PermissionError("Forbidden") })).toContain(
      "the plan of the key does not include this endpoint",
    );
    expect(whole({ problem: new QuotaError("Compute units limit reached") })).toContain("U show usage");
  });

  it("show the hint of the error unless there is a better text", () => {
    const problem = new UsageError('"page_size" must be one of [10, 20]', { hint: "Did you mean 20?" });
    expect(whole({ problem })).toContain("Did you mean 20?");
  });

  it("make server messages safe", () => {
    const text = whole({ problem: new ServerError("evil \u001b[2J\u202e text") });
    expect(text).not.toMatch(/[\u001b\u202e]/u);
  });

  it("distinguish an empty answer from everything else", () => {
    const lines = statusLines(
      { ...IDLE_QUERY, answer: ANSWER },
      { now: NOW, unicode: true, keyOf: DEFAULT_KEY_LABELS },
      76,
      "It holds no tokens.",
    );
    expect(lines.map(textOf)).toEqual(["It holds no tokens.", "", "r refresh"]);
  });

  it("are never wider than their region", () => {
    const exits: ExitName[] = ["usage", "auth", "permission", "notFound", "rateLimited", "quota", "server", "network"];
    fc.assert(
      fc.property(
        fc.constantFrom(...exits),
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 56, max: 200 }),
        fc.option(fc.integer({ min: NOW, max: NOW + 1e7 }), { nil: undefined }),
        (exit, message, width, retryAt) => {
          const problem = new SolxError(exit, message, { hint: message });
          const lines = statusLines(
            { ...IDLE_QUERY, problem, retryAt },
            { now: NOW, unicode: true, keyOf: DEFAULT_KEY_LABELS },
            width,
          );
          for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("an age", () => {
  it.each([
    [0, "0s"],
    [59_999, "59s"],
    [60_000, "1m"],
    [7_199_000, "1h"],
    [172_799_000, "47h"],
    [172_800_000, "2d"],
    [-5, "0s"],
  ])("of %d ms is %s", (milliseconds, text) => {
    expect(ageText(milliseconds)).toBe(text);
  });
});
