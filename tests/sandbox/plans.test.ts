import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/catalogue/index.ts";
import { createLimits, requestUnits, SlidingWindow } from "../../src/sandbox/service/limits.ts";
import { folder, OTHER, testService, USDC, WALLET } from "./api.ts";

const META = `/v2.0/token/meta?address=${USDC}`;
const MULTI = `/v2.0/token/meta/multi?address[]=${USDC}&address[]=${WALLET}&address[]=${OTHER}`;
const EXPORT = `/v2.0/account/transfer/export?address=${WALLET}`;
const USAGE = "/v2.0/monitor/usage";
const TOO_MANY = { success: false, errors: { code: 429, message: "Too many requests, please try again later." } };

describe("rate", () => {
  test("a window never admits more events than allowed, and rejects none unnecessarily", () => {
    const gaps = fc.array(fc.nat(4000), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }), gaps, (events, seconds, pauses) => {
        const window = new SlidingWindow(events, seconds);
        const admitted: number[] = [];
        let now = 1_700_000_000_000;
        for (const pause of pauses) {
          now += pause;
          const inside = admitted.filter((time) => time > now - seconds * 1000);
          const wait = window.wait(now);
          expect(wait === 0).toBe(inside.length < events);
          if (wait > 0) {
            expect(window.wait(now + wait)).toBe(0);
            expect(window.wait(now + wait - 1)).toBeGreaterThan(0);
            continue;
          }
          window.add(now);
          admitted.push(now);
        }
      }),
    );
  });

  test("a window of zero events admits none", () => {
    const window = new SlidingWindow(0, 10);
    window.add(5);
    expect(window.wait(1)).toBe(10_000);
  });

  test("lite admits 1000 requests in 60 seconds", async () => {
    const service = testService({ limit: { plan: "lite" } });
    for (let n = 0; n < 1000; n++) expect((await service.get(META)).status).toBe(200);
    const { status, body, headers } = await service.get(META);
    expect([status, body]).toEqual([429, TOO_MANY]);
    expect(headers["retry-after"]).toBeUndefined();
    expect(headers["x-solx-hint"]).toBe("Rate limit reached. Retry in 60 s.");
    service.advance(59_999);
    expect((await service.get(META)).status).toBe(429);
    service.advance(1);
    expect((await service.get(META)).status).toBe(200);
  });

  test("a rate overrides the plan, also without a plan", async () => {
    const service = testService({ limit: { rate: { requests: 2, seconds: 10 } } });
    const statuses = async (count: number) => {
      const all: number[] = [];
      for (let n = 0; n < count; n++) all.push((await service.get(META)).status);
      return all;
    };
    expect(await statuses(4)).toEqual([200, 200, 429, 429]);
    service.advance(10_000);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  test("invalid requests count, requests without the key do not", async () => {
    const service = testService({ limit: { rate: { requests: 2, seconds: 10 } } });
    for (let n = 0; n < 5; n++) await service.get(META, {});
    expect((await service.get("/v2.0/token/meta")).status).toBe(400);
    expect((await service.get(META)).status).toBe(200);
    expect((await service.get(META)).status).toBe(429);
  });

  test("chain info answers 403 (specification §8)", async () => {
    const service = testService({ limit: { rate: { requests: 0, seconds: 1 } } });
    const { status, body } = await service.get("/chaininfo");
    expect([status, body.errors]).toEqual([403, { code: 403, message: TOO_MANY.errors.message }]);
  });

  test("without a plan requests are unlimited", async () => {
    const service = testService();
    for (let n = 0; n < 5000; n++) expect((await service.get(EXPORT)).status).toBe(200);
  });

  test("a file preserves the window, the export and the units for the next process", async () => {
    const options = {
      path: join(folder(), "usage.db"),
      limit: { plan: "lite", rate: { requests: 3, seconds: 60 } },
    } as const;
    const first = testService(options);
    expect((await first.get(EXPORT)).status).toBe(200);
    expect((await first.get(META)).status).toBe(200);
    first.usage.close();
    const second = testService(options);
    expect((await second.get(EXPORT)).status).toBe(429);
    expect((await second.get(META)).status).toBe(429);
    second.advance(60_000);
    expect((await second.get(EXPORT)).status).toBe(200);
    expect((await second.get(USAGE)).body.data.usage_cus).toBe(300);
  });
});

describe("exports", () => {
  test("one a minute; invalid ones do not count", async () => {
    const service = testService({ limit: { plan: "level-4" } });
    expect((await service.get("/v2.0/account/transfer/export")).status).toBe(400);
    expect((await service.get(EXPORT)).status).toBe(200);
    expect((await service.get(EXPORT)).body).toEqual(TOO_MANY);
    service.advance(59_999);
    expect((await service.get(EXPORT)).status).toBe(429);
    service.advance(1);
    expect((await service.get(EXPORT)).status).toBe(200);
    expect((await service.get(META)).status).toBe(200);
  });
});

describe("plans", () => {
  test("lite rejects multi endpoints and other excluded ones; higher plans do not", async () => {
    const metadata = `/v2.0/account/metadata?address=${WALLET}`;
    const any = { findQuery: () => () => ({ data: [] }) };
    const statuses = async (plan: "lite" | "level-2" | undefined) => {
      const service = testService({ limit: { plan }, ...any });
      return Promise.all([MULTI, metadata, META].map(async (url) => (await service.get(url)).status));
    };
    expect(await statuses("lite")).toEqual([403, 403, 200]);
    expect(await statuses("level-2")).toEqual([200, 200, 200]);
    expect(await statuses(undefined)).toEqual([200, 200, 200]);
  });

  test("lite excludes every multi endpoint", () => {
    const { excludes } = createLimits({ plan: "lite" });
    const excluded = endpoints.filter(excludes).map(({ path }) => path);
    expect(excluded.sort()).toEqual(
      [
        ...endpoints.filter(({ path }) => path.endsWith("/multi")).map(({ path }) => path),
        "/account/metadata",
        "/account/funded-by",
      ].sort(),
    );
  });
});

describe("compute units", () => {
  test("every endpoint costs the units of the catalogue; multi endpoints per identifier", () => {
    for (const endpoint of endpoints) {
      const list = Object.entries(endpoint.query).find(([, param]) => param.positional)?.[0] ?? "";
      const values = new Map([[list, ["a", "b", "c"]]]);
      expect(requestUnits(endpoint, values)).toBe(endpoint.cost.units * (endpoint.cost.per === "item" ? 3 : 1));
    }
  });

  test("spent units are 429 with a separate message, and are renewed each month", async () => {
    const service = testService({ limit: { units: 400 } });
    expect((await service.get(MULTI)).status).toBe(200);
    expect((await service.get(MULTI)).status).toBe(429);
    expect((await service.get(META)).status).toBe(200);
    const { status, body, headers } = await service.get(META);
    expect([status, body.errors]).toEqual([429, { code: 429, message: "Compute units limit reached" }]);
    expect(headers["x-solx-hint"]).toBe("Units are renewed at 2024-08-01T00:00:00.000Z.");
    expect((await service.get("/chaininfo")).status).toBe(200);
    service.advance(27 * 24 * 3_600_000);
    expect((await service.get(USAGE)).body.data).toMatchObject({ usage_cus: 0, remaining_cus: 400 });
    expect((await service.get(META)).status).toBe(200);
  });

  test("usage that was set counts", async () => {
    const service = testService({ limit: { plan: "lite" } });
    service.usage.setPeriodUnits(20_000_000 - 200, Date.UTC(2024, 6, 5));
    expect((await service.get(USAGE)).body.data).toMatchObject({ usage_cus: 19_999_800, remaining_cus: 200 });
    expect((await service.get(META)).status).toBe(200);
    expect((await service.get(META)).status).toBe(429);
  });
});
