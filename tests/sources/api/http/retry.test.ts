import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NetworkError, RateLimitError, ServerError, UsageError } from "../../../../src/base/errors.ts";
import { retryAfterSeconds } from "../../../../src/client/index.ts";
import { type RetryPolicy, retryDelay, withRetries } from "../../../../src/sources/api/http/retry.ts";
import { failure, json, NOW, refusal, serve, success, testClient } from "../../../client/servers.ts";

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    [" 120 ", 120],
    ["1.5", 1.5],
    ["-5", 0],
    ["86400", 86_400],
    ["Fri, 05 Jul 2024 12:00:30 GMT", 30],
    ["Friday, 05-Jul-24 12:00:30 GMT", 30],
    ["Fri Jul  5 12:00:30 2024", 30],
    ["Fri, 05 Jul 2024 11:00:00 GMT", 0],
    ["", undefined],
    [undefined, undefined],
    ["soon", undefined],
    ["7 seconds", undefined],
    ["Fri, 99 Jul 2024 12:00:30 GMT", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
  ])("%s is %s s", (header, seconds) => {
    expect(retryAfterSeconds(header === undefined ? {} : { "retry-after": header }, NOW)).toBe(seconds);
  });

  it.each([
    ["Fri, 05 Jul 2024 12:00:00 GMT", 30],
    ["Mon, 05 Jul 2027 12:00:00 GMT", 0],
    ["yesterday", 3_600_030],
  ])("is read against the Date of the response, %s, whatever the local clock says", (date, seconds) => {
    const headers = { "retry-after": "Fri, 05 Jul 2024 12:00:30 GMT", date };
    expect(retryAfterSeconds(headers, NOW - 3_600_000_000)).toBe(seconds);
  });

  it("is never negative and never NaN, whatever the header", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = retryAfterSeconds({ "retry-after": header }, NOW);
        if (seconds !== undefined) expect(seconds).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("the delay before a retry", () => {
  it("is what the server requests, without jitter", () => {
    expect(retryDelay(1, 7, 0)).toBe(7000);
    expect(retryDelay(3, 86_400, 0.3)).toBe(86_400_000);
  });

  it("has a minimum that grows when the server requests too little", () => {
    expect([1, 2, 3, 4].map((failed) => retryDelay(failed, 0, 0))).toEqual([1000, 2000, 4000, 8000]);
  });

  it("backs off with jitter up to a maximum when the server requests nothing", () => {
    expect([1, 2, 3, 9].map((failed) => retryDelay(failed, undefined, 1))).toEqual([1000, 2000, 4000, 30_000]);
    expect([1, 2, 3, 9].map((failed) => retryDelay(failed, undefined, 0))).toEqual([500, 1000, 2000, 15_000]);
  });
});

describe("the loop", () => {
  const busy = (retryAfter?: number) =>
    new RateLimitError("Busy.", { status: 429, ...(retryAfter !== undefined && { retryAfter }) });

  async function run(failures: readonly unknown[], policy: Partial<RetryPolicy> = {}) {
    const slept: number[] = [];
    let tries = 0;
    const outcome = withRetries<string>(
      {
        attempt: async () => {
          const failed = failures[tries];
          tries += 1;
          if (failed) throw failed;
          return "done";
        },
        onRetry: () => {},
      },
      {
        retries: 3,
        maxWait: 60_000,
        wait: true,
        now: () => NOW,
        random: () => 1,
        sleep: async (milliseconds) => {
          slept.push(milliseconds);
        },
        ...policy,
      },
    );
    const result = await outcome.catch((error: unknown) => error);
    return { result, slept, tries };
  }

  it("retries transient failures", async () => {
    const failures = [
      busy(),
      new ServerError("Bad gateway.", { status: 502 }),
      new NetworkError("Reset.", { code: "RESET" }),
    ];
    expect(await run(failures)).toEqual({ result: "done", slept: [1000, 2000, 4000], tries: 4 });
  });

  it.each([
    new UsageError("No."),
    new ServerError("Broken.", { status: 500, retryable: true }),
    new NetworkError("Refused.", { code: "REFUSED" }),
    new NetworkError("Silent.", { code: "IDLE_TIMEOUT" }),
    new TypeError("A bug."),
  ])("does not retry permanent failures: %s", async (error) => {
    expect(await run([error])).toEqual({ result: error, slept: [], tries: 1 });
  });

  it("ends with the failure of the answer, not with the limit that the next attempt meets", async () => {
    const transient = fc.constantFrom(
      () => busy(),
      () => new ServerError("Cut.", { code: "TRUNCATED", retryable: true }),
      () => new NetworkError("Reset.", { code: "RESET", retryable: true }),
    );
    const limit = fc.constantFrom("EXPORT_INTERVAL", "RATE");
    await fc.assert(
      fc.asyncProperty(fc.array(transient, { maxLength: 3 }), limit, async (failures, code) => {
        const refused = new RateLimitError("Wait.", { code, retryAfter: 46 });
        const errors = failures.map((create) => create());
        const { result, tries } = await run([...errors, refused]);
        expect(result).toBe(errors.at(-1) ?? refused);
        expect(tries).toBe(errors.length + 1);
      }),
    );
  });

  it("reports the number of attempts", async () => {
    const { result, tries } = await run(
      Array.from({ length: 9 }, () => new ServerError("Bad gateway.", { status: 502 })),
    );
    expect(tries).toBe(4);
    expect(result).toMatchObject({ message: "Bad gateway (tried 4 times)." });
  });

  it("does not wait forever, and says when to come back", async () => {
    const { result, slept } = await run([busy(86_400)]);
    expect(slept).toEqual([]);
    expect(result).toMatchObject({ name: "RateLimitError", exitCode: 6, retryAfter: 86_400, status: 429 });
    expect((result as Error).message).toBe(
      "Busy. The server requests a wait of 86400 s, until 2024-07-06T12:00:00Z; at most 60 s are allowed.",
    );
    expect((result as RateLimitError).hint).toContain("--max-wait");
  });

  it("counts all waits of a request together", async () => {
    expect(await run([busy(25), busy(25), busy(25)])).toMatchObject({ slept: [25_000, 25_000], tries: 3 });
    expect(await run([busy(20), busy(20), busy(20)])).toMatchObject({
      result: "done",
      slept: [20_000, 20_000, 20_000],
    });
  });

  it("does not wait at all when no wait is allowed", async () => {
    expect(await run([busy(1)], { maxWait: 0 })).toMatchObject({ slept: [], tries: 1 });
    expect(await run([new NetworkError("Reset.", { code: "RESET" })], { maxWait: 0 })).toMatchObject({
      slept: [],
      tries: 1,
    });
  });

  it.each([busy(1), busy(86_400), new ServerError("Bad gateway.", { status: 502 })])(
    "without waiting, the first failure is final: %s",
    async (error) => {
      expect(await run([error], { wait: false })).toEqual({ result: error, slept: [], tries: 1 });
    },
  );

  it("handles waits beyond any calendar", async () => {
    expect((await run([busy(1e300)])).result).toBeInstanceOf(RateLimitError);
  });

  it("respects its limits, whatever the server requests", async () => {
    const waits = fc.array(fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(waits, fc.nat(5), fc.nat(120), async (waits, retries, seconds) => {
        const { slept, tries } = await run(waits.map(busy), { retries, maxWait: seconds * 1000 });
        expect(tries).toBeLessThanOrEqual(retries + 1);
        expect(slept.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(seconds * 1000);
        expect(slept.every((wait) => wait > 0)).toBe(true);
      }),
    );
  });
});

describe("a busy server", () => {
  const slowDown = refusal(429, "Too many requests, please try again later.");

  it("is requested again when it says", async () => {
    const server = await serve((_request, response, count) =>
      count === 1
        ? json(response, slowDown, 429, { "retry-after": "7" })
        : json(response, success({ currentEpoch: 1 })),
    );
    const client = testClient(server);
    expect(await client.chaininfo()).toEqual({ currentEpoch: 1 });
    expect(client.slept).toEqual([7000]);
    expect(server.requests).toHaveLength(2);
  });

  it("pauses all requests, and each attempt needs a permit", async () => {
    const server = await serve((_request, response, count) =>
      count < 3 ? json(response, slowDown, 429, { "retry-after": "20" }) : json(response, success([])),
    );
    const client = testClient(server);
    await client.token.list();
    expect(client.paused).toEqual([20_000, 20_000]);
    expect(client.taken).toEqual([100, 100, 100]);
  });

  it("is given up when it stays busy", async () => {
    const server = await serve((_request, response) => json(response, slowDown, 429));
    const error = await failure(testClient(server).chaininfo());
    expect(error).toMatchObject({ exitCode: 6, code: 429, status: 429 });
    expect(error.message).toBe("Too many requests, please try again later (tried 4 times).");
    expect(server.requests).toHaveLength(4);
  });

  it("behind a gateway is retried for errors of the gateway, but not for its own", async () => {
    for (const [status, requests] of [
      [502, 4],
      [503, 4],
      [504, 4],
      [500, 1],
      [501, 1],
    ] as const) {
      const server = await serve((_request, response) => json(response, "<html>", status));
      expect((await failure(testClient(server).chaininfo())).exitCode).toBe(8);
      expect(server.requests).toHaveLength(requests);
    }
  });

  it("is not retried for the page of a firewall, also where its status is that of a rate limit", async () => {
    for (const [status, title] of [
      [403, "Attention Required! | Cloudflare"],
      [429, "Just a moment..."],
      [503, "Just a moment..."],
    ] as const) {
      const page = `<html><head><title>${title}</title></head></html>`;
      const server = await serve((_request, response) => json(response, page, status));
      const error = await failure(testClient(server).chaininfo());
      expect(error).toMatchObject({ exitCode: 4, status });
      expect(error.message).toContain(title);
      expect(server.requests).toHaveLength(1);
    }
  });

  it("is not retried for an invalid key, a small plan or spent units", async () => {
    for (const [status, message, exitCode] of [
      [401, "Token is invalid", 3],
      [403, "Forbidden for this plan", 4],
      [429, "Monthly compute units exceeded", 7],
    ] as const) {
      const server = await serve((_request, response) => json(response, refusal(status, message), status));
      expect((await failure(testClient(server).token.list())).exitCode).toBe(exitCode);
      expect(server.requests).toHaveLength(1);
    }
  });
});
