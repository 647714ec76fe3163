import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.ts";
import { endpoints } from "../../src/catalogue/index.ts";
import { FAULT_FORMS, FAULT_HELP, FAULT_SELECTORS } from "../../src/sandbox/service/fault-help.ts";
import { createFaults } from "../../src/sandbox/service/faults.ts";
import { KEY, NOW, testService, USDC, WALLET } from "./api.ts";

const META = `/v2.0/token/meta?address=${USDC}`;
const meta = endpoints.find(({ route }) => route === "v2-token-meta") as (typeof endpoints)[number];
const transfer = endpoints.find(({ route }) => route === "v2-account-transfer") as (typeof endpoints)[number];

/** Returns the numbers of the calls that a fault applies to. */
function affectedCalls(text: string, calls: number, seed = "seed", endpoint = meta): number[] {
  const faults = createFaults([text], seed);
  return Array.from({ length: calls }, (_, at) => at + 1).filter(() => faults.next(endpoint).effect !== undefined);
}

describe("syntax", () => {
  test.each([...FAULT_FORMS, ...FAULT_SELECTORS])("%s, an example of the help, is valid", (text) => {
    expect(createFaults([text], "seed").list).toEqual([text]);
    expect(FAULT_HELP).toContain(text);
  });

  test.each([
    ["500#", 'expected a number after "#"'],
    ["500@", 'expected a route or path after "@"'],
    ["#3", "the effect is missing"],
    ["oops", 'unknown effect "oops"'],
    ["500@client=", 'after "@client="'],
    ["500@client=a b#1", 'after "@client="'],
    ["500@client@/account/*", "in this order"],
  ])("%s is rejected with the reason and the list of faults", (text, reason) => {
    const create = () => createFaults([text], "seed");
    expect(create).toThrow(reason);
    expect(create).toThrow(expect.objectContaining({ code: "BAD_FAULT", hint: FAULT_HELP }));
  });
});

describe("affected calls", () => {
  test.each([
    ["500", [1, 2, 3, 4, 5, 6]],
    ["500#3", [3]],
    ["500#2-4", [2, 3, 4]],
    ["500#every3", [3, 6]],
    ["500:0%", []],
    ["500:100%", [1, 2, 3, 4, 5, 6]],
  ])("%s applies to calls %j", (text, calls) => {
    expect(affectedCalls(text, 6)).toEqual(calls);
  });

  test("a share is accurate, and reproducible for the same seed only", () => {
    const calls = affectedCalls("500:10%", 20_000);
    expect(calls.length / 20_000).toBeCloseTo(0.1, 2);
    expect(affectedCalls("500:10%", 20_000)).toEqual(calls);
    expect(affectedCalls("500:10%", 20_000, "other")).not.toEqual(calls);
    expect(affectedCalls("503:10%", 20_000)).not.toEqual(calls);
  });

  test("first calls of different requests have different outcomes", () => {
    const first = (request: string) => createFaults(["500:50%"], "seed").next(meta, request).effect !== undefined;
    const outcomes = Array.from({ length: 1000 }, (_, at) => first(`/v2.0/token/meta?page=${at}`));
    expect(outcomes.filter(Boolean).length / 1000).toBeCloseTo(0.5, 1);
    expect(first("/v2.0/token/meta?page=1")).toBe(outcomes[1]);
  });

  test("shares are reproducible for any seed; 0% and 100% are exact", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 100 }), (seed, percent) => {
        const affected = affectedCalls(`500:${percent}%`, 50, seed);
        expect(affected).toEqual(affectedCalls(`500:${percent}%`, 50, seed));
        if (percent === 0) expect(affected).toEqual([]);
        if (percent === 100) expect(affected).toHaveLength(50);
      }),
    );
  });

  test.each([
    ["500@v2-token-meta", true, false],
    ["500@/token/*", true, false],
    ["500@/v2.0/*", true, true],
    ["500@/account/transfer", false, true],
    ["500@/v1.0/*", false, false],
    ["500@/*", true, true],
  ])("%s", (text, onMeta, onTransfer) => {
    expect(affectedCalls(text, 1, "seed", meta)).toHaveLength(onMeta ? 1 : 0);
    expect(affectedCalls(text, 1, "seed", transfer)).toHaveLength(onTransfer ? 1 : 0);
  });

  test("calls of other routes are not counted", () => {
    const faults = createFaults(["500@v2-token-meta#2"], "seed");
    const hits = [meta, transfer, transfer, meta].map((endpoint) => faults.next(endpoint).effect?.kind);
    expect(hits).toEqual([undefined, undefined, undefined, "status"]);
  });

  test("the first matching fault applies, latencies add up", () => {
    const faults = createFaults(["latency=100ms", "503#2", "html", "latency=1s..3s"], "seed");
    const first = faults.next(meta);
    expect(first.effect).toEqual({ kind: "html", status: 502 });
    expect(first.delay).toBeGreaterThanOrEqual(1100);
    expect(first.delay).toBeLessThanOrEqual(3100);
    expect(faults.next(meta)).toMatchObject({ effect: { kind: "status", status: 503 } });
    const again = createFaults(["latency=100ms", "503#2", "html", "latency=1s..3s"], "seed");
    expect(again.next(meta).delay).toBe(first.delay);
  });

  test("@client counts the calls of each client, @client=<name> those of one", () => {
    const order = ["ann", "bob", "ann", "", "bob", "ann", "bob", ""];
    const affected = (text: string) => {
      const faults = createFaults([text], "seed");
      return order.map((client) => (faults.next(meta, "", client).effect ? client || "none" : ""));
    };
    expect(affected("500@client#2")).toEqual(["", "", "ann", "", "bob", "", "", "none"]);
    expect(affected("500@v2-token-meta@client=bob#2-3")).toEqual(["", "", "", "", "bob", "", "bob", ""]);
    expect(affected("500@client=ann")).toEqual(["ann", "", "ann", "", "", "ann", "", ""]);
    expect(affected("500#2")).toEqual(["", "bob", "", "", "", "", "", ""]);
  });

  test("setting faults resets the call numbers; an invalid one changes nothing", () => {
    const faults = createFaults(["500#1"], "seed");
    faults.next(meta);
    expect(() => faults.set(["500", "oops"])).toThrow(UsageError);
    expect(faults.list).toEqual(["500#1"]);
    expect(faults.next(meta).effect).toBeUndefined();
    faults.set(["500#1"]);
    expect(faults.next(meta).effect).toBeDefined();
  });
});

describe("invalid faults", () => {
  test.each([
    "",
    "oops",
    "200",
    "600",
    "500:110%",
    "500:x%",
    "500:retry-after=soon",
    "500:retry-after=2:other",
    "html:retry-after=2",
    "html=100",
    "hang=3",
    "latency",
    "latency=5",
    "latency=1h",
    "latency=999999999s",
    "drip=fast",
    "refused=x",
    "500@no-such-route",
    "500@/no/such/path",
    "500#0",
    "500#every0",
    "500#x",
    "constructor",
  ])("%j is rejected with the list of effects", (text) => {
    try {
      createFaults([text], "seed");
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).message).toMatch(new RegExp(`^Invalid fault "${text.replace(/[?*+]/g, "\\$&")}": `));
      for (const kind of ["429", "html", "empty", "refused", "bad-json", "wrong-type", "bad-gzip", "truncate"]) {
        expect((error as UsageError).hint).toContain(kind);
      }
      for (const kind of ["drip", "hang", "reset", "latency"]) expect((error as UsageError).hint).toContain(kind);
      return;
    }
    expect.unreachable();
  });
});

describe("in process", () => {
  const get = (fault: string, url = META) => testService({ fault: [fault] }).get(url);

  test.each([
    ["500", 500, "Internal Server Error"],
    ["429", 429, "Too many requests, please try again later."],
    ["401", 401, "Authentication failed"],
    ["503", 503, "Service Unavailable"],
    ["418", 418, "Bad Request"],
  ])("%s", async (fault, status, message) => {
    const answer = await get(fault);
    expect([answer.status, answer.body]).toEqual([status, { success: false, errors: { code: status, message } }]);
    expect(answer.headers["retry-after"]).toBeUndefined();
  });

  test("Retry-After in both forms", async () => {
    expect((await get("429:retry-after=2")).headers["retry-after"]).toBe("2");
    const date = (await get("503:retry-after-date=5")).headers["retry-after"] ?? "";
    expect(Date.parse(date)).toBe(NOW + 5000);
  });

  test("bodies", async () => {
    const whole = await testService().get(META);
    expect(await get("html")).toMatchObject({ status: 502, headers: { "content-type": "text/html; charset=utf-8" } });
    expect((await get("html=200")).text).toMatch(/^<!DOCTYPE html>/);
    expect(await get("empty")).toMatchObject({ status: 200, text: "" });
    expect((await get("refused")).body).toEqual({
      success: false,
      errors: { code: 500, message: "Internal Server Error" },
    });
    expect((await get("refused=1100")).body.errors.code).toBe(1100);
    const broken = await testService({ fault: ["bad-json"] }).handle({
      method: "GET",
      url: META,
      headers: { token: KEY },
    });
    expect(() => JSON.parse(broken.body)).toThrow(SyntaxError);
    expect(broken.headers["content-length"]).toBe(String(broken.body.length));
    expect(await get("wrong-type")).toMatchObject({
      status: 200,
      text: whole.text,
      headers: { "content-type": expect.stringMatching(/html/) },
    });
    expect((await get("html=200")).text).toContain("200 OK");
  });

  test("broken connections are typed errors", async () => {
    await expect(get("reset")).rejects.toMatchObject({ name: "NetworkError", code: "RESET", retryable: true });
    await expect(get("truncate")).rejects.toMatchObject({ name: "ServerError", code: "TRUNCATED", retryable: true });
    await expect(get("bad-gzip")).rejects.toMatchObject({ name: "ServerError", code: "ENCODING", retryable: false });
  });

  test.each(["hang", "drip=10s", "latency=1m"])("%s ends when the signal fires", async (fault) => {
    const service = testService({ fault: [fault] });
    const stop = new AbortController();
    const answer = service.handle({ method: "GET", url: META, headers: { token: KEY }, signal: stop.signal });
    setImmediate(() => stop.abort());
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    const before = service.handle({ method: "GET", url: META, headers: { token: KEY }, signal: stop.signal });
    await expect(before).rejects.toMatchObject({ name: "AbortError" });
  });

  test("answers of faults cost no units and are logged", async () => {
    const service = testService({ fault: ["500#1", "latency=1ms#1"] });
    await service.get(META);
    await service.get(META);
    expect(service.log.list()).toMatchObject([
      { status: 500, units: 0, faults: ["500#1", "latency=1ms#1"] },
      { status: 200, units: 100 },
    ]);
    expect((await service.get("/v2.0/monitor/usage")).body.data).toMatchObject({
      total_requests_24h: 2,
      success_rate_24h: 50,
      usage_cus: 100,
    });
  });

  test("they apply to known routes, even if the request is invalid", async () => {
    expect((await testService({ fault: ["503"] }).get("/nothing")).status).toBe(404);
    expect((await testService({ fault: ["503"] }).get(`/v2.0/account/transfer?address=${WALLET}`, {})).status).toBe(
      503,
    );
  });
});
