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
  test("the law of the window: never more than so many in any stretch, and none refused without need", () => {
    const gaps = fc.array(fc.nat(4000), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }), gaps, (events, seconds, pauses) => {
        const window = new SlidingWindow(events, seconds);
        const taken: number[] = [];
        let now = 1_700_000_000_000;
        for (const pause of pauses) {
          now += pause;
          const inside = taken.filter((time) => time > now - seconds * 1000);
          const wait = window.wait(now);
          expect(wait === 0).toBe(inside.length < events);
          if (wait > 0) {
            expect(window.wait(now + wait)).toBe(0);
            expect(window.wait(now + wait - 1)).toBeGreaterThan(0);
            continue;
          }
          window.add(now);
          taken.push(now);
        }
      }),
    );
  });

  test("a window for nothing lets nothing through", () => {
    const window = new SlidingWindow(0, 10);
    window.add(5);
    expect(window.wait(1)).toBe(10_000);
  });

  test("lite lets 1000 through in 60 seconds", async () => {
    const service = testService({ limit: { plan: "lite" } });
    for (let n = 0; n < 1000; n++) expect((await service.get(META)).status).toBe(200);
    const { status, body, headers } = await service.get(META);
    expect([status, body]).toEqual([429, TOO_MANY]);
    expect(headers["retry-after"]).toBeUndefined();
    expect(headers["x-solx-hint"]).toBe("There is room again in 60 s.");
    service.advance(59_999);
    expect((await service.get(META)).status).toBe(429);
    service.advance(1);
    expect((await service.get(META)).status).toBe(200);
  });

  test("the rate can be another than the plan's, also without a plan", async () => {
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

  test("requests that are wrong count, requests without the key do not", async () => {
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

  test("without a plan nobody trips", async () => {
    const service = testService();
    for (let n = 0; n < 5000; n++) expect((await service.get(EXPORT)).status).toBe(200);
  });

  test("a file carries the window, the export and the units on to the next process", async () => {
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
  test("one a minute; wrong ones do not count", async () => {
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
  test("lite refuses multi endpoints and what else it leaves out; others do not", async () => {
    const metadata = `/v2.0/account/metadata?address=${WALLET}`;
    const any = { queryOf: () => () => ({ data: [] }) };
    const statuses = async (plan: "lite" | "level-2" | undefined) => {
      const service = testService({ limit: { plan }, ...any });
      return Promise.all([MULTI, metadata, META].map(async (url) => (await service.get(url)).status));
    };
    expect(await statuses("lite")).toEqual([403, 403, 200]);
    expect(await statuses("level-2")).toEqual([200, 200, 200]);
    expect(await statuses(undefined)).toEqual([200, 200, 200]);
  });

  test("every multi endpoint is refused by lite", () => {
    const { excludes: refuses } = createLimits({ plan: "lite" });
    const refused = endpoints.filter(refuses).map(({ path }) => path);
    expect(refused.sort()).toEqual(
      [...endpoints.filter(({ path }) => path.endsWith("/multi")).map(({ path }) => path), "/account/metadata"].sort(),
    );
  });
});

describe("compute units", () => {
  test("every endpoint costs what the catalogue says; multi endpoints for each identifier", () => {
    for (const endpoint of endpoints) {
      const list = Object.entries(endpoint.query).find(([, param]) => param.positional)?.[0] ?? "";
      const values = new Map([[list, ["a", "b", "c"]]]);
      expect(requestUnits(endpoint, values)).toBe(endpoint.cost.units * (endpoint.cost.per === "item" ? 3 : 1));
    }
  });

  test("spent units are 429 with words of their own, and come back with the month", async () => {
    const service = testService({ limit: { units: 400 } });
    expect((await service.get(MULTI)).status).toBe(200);
    expect((await service.get(MULTI)).status).toBe(429);
    expect((await service.get(META)).status).toBe(200);
    const { status, body, headers } = await service.get(META);
    expect([status, body.errors]).toEqual([429, { code: 429, message: "Compute units limit reached" }]);
    expect(headers["x-solx-hint"]).toBe("Units come back at 2024-08-01T00:00:00.000Z.");
    expect((await service.get("/chaininfo")).status).toBe(200);
    service.advance(27 * 24 * 3_600_000);
    expect((await service.get(USAGE)).body.data).toMatchObject({ usage_cus: 0, remaining_cus: 400 });
    expect((await service.get(META)).status).toBe(200);
  });

  test("usage set by hand counts", async () => {
    const service = testService({ limit: { plan: "lite" } });
    service.usage.setPeriodUnits(20_000_000 - 200, Date.UTC(2024, 6, 5));
    expect((await service.get(USAGE)).body.data).toMatchObject({ usage_cus: 19_999_800, remaining_cus: 200 });
    expect((await service.get(META)).status).toBe(200);
    expect((await service.get(META)).status).toBe(429);
  });
});
