/** A service over hand-written queries with a fixed clock. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { QueriesByRoute } from "../../src/chain/ledger/queries/query.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { createFaults } from "../../src/sandbox/service/faults.ts";
import { createLimits, type LimitOptions } from "../../src/sandbox/service/limits.ts";
import { createService, type Service, type ServiceOptions } from "../../src/sandbox/service/service.ts";
import { UsageStore } from "../../src/sandbox/service/usage.ts";

export const KEY = "sandbox-key-tests";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const OTHER = "ob2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk";
export const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";

/** Noon of 5 July 2024. */
export const NOW = Date.UTC(2024, 6, 5, 12);

/** Creates a folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "solx-sandbox-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Queries that return the parameters they received. */
const echo: QueriesByRoute = {
  "v2-token-meta": ({ params }) => ({ data: { address: params.required("address"), supply: 1 }, metadata: {} }),
  "v2-token-meta-multi": ({ params }) => ({ data: params.list("address").map((address) => ({ address })) }),
  "v2-account-transfer": ({ params }) => ({
    data: {
      from: params.list("from"),
      types: params.list("activity_type"),
      amount: params.list("amount"),
      zero: params.flag("exclude_amount_zero"),
      page: params.integer("page") ?? null,
      size: params.integer("page_size") ?? null,
    },
  }),
  "v2-account-transfer-export": () => ({
    csv: [
      ["A", "B"],
      ['say "hi", you', 1],
      ["two\nlines", 2],
    ],
  }),
  "v2-monitor-usage": ({ caller }) => ({ data: caller.usage() }),
  "account-detail": ({ params }) => ({ data: { account: params.required("account") } }),
  chaininfo: () => ({ data: { blockHeight: 1 } }),
};

export interface TestService extends Service {
  /** Advances the clock. */
  advance(milliseconds: number): void;
  get(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{
    status: number;
    body: ReturnType<typeof JSON.parse>;
    text: string;
    headers: Readonly<Record<string, string>>;
  }>;
}

export function testService(
  options: Partial<ServiceOptions> & {
    limit?: LimitOptions;
    fault?: readonly string[];
    seed?: string;
    path?: string;
    onNote?: (note: string) => void;
  } = {},
): TestService {
  let clock = NOW;
  const { limit = {}, fault = [], seed = "tests", path, onNote, ...rest } = options;
  const service = createService({
    reader: {
      atomically: <T>(query: () => T) => query(),
      get: () => undefined,
      facts: { isComplete: true },
    } as unknown as LedgerReader,
    key: KEY,
    limits: createLimits(limit),
    usage: new UsageStore({ path, name: "tests", onNote }),
    faults: createFaults(fault, seed),
    now: () => clock,
    findQuery: (route) => echo[route],
    ...rest,
  });
  return Object.assign(service, {
    advance: (milliseconds: number) => {
      clock += milliseconds;
    },
    async get(url: string, headers: Record<string, string> = { token: KEY }) {
      const { status, body, headers: answerHeaders } = await service.handle({ method: "GET", url, headers });
      const isJson = answerHeaders["content-type"]?.startsWith("application/json") && body !== "";
      return { status, text: body, body: isJson ? JSON.parse(body) : undefined, headers: answerHeaders };
    },
  });
}
