/** Plans, and the compute units of requests (public price list). */
import type { Family } from "./constants.ts";

/** A rate limit: the number of requests in any period of so many seconds. */
export interface Rate {
  /** The number of requests. */
  readonly requests: number;
  /** The length of the period. */
  readonly seconds: number;
}

/** A plan of the API. */
export interface Plan {
  /** The name for people. */
  readonly title: string;
  /** Compute units per month. */
  readonly units: number;
  /** Requests in any 60 seconds. */
  readonly requestsPerMinute: number;
  /** Paths of the v2 family that the plan does not include (403). */
  readonly refuses?: readonly string[];
  /** Whether the plan does not include the endpoints whose path ends in `/multi`. */
  readonly refusesMulti?: boolean;
}

/** The plans by their names in settings. */
export const PLANS = {
  lite: {
    title: "Lite",
    units: 20_000_000,
    requestsPerMinute: 1000,
    refuses: ["/account/metadata", "/account/funded-by"],
    refusesMulti: true,
  },
  "level-2": { title: "Level 2", units: 150_000_000, requestsPerMinute: 1000 },
  "level-3": { title: "Level 3", units: 500_000_000, requestsPerMinute: 2000 },
  "level-4": { title: "Level 4", units: 1_500_000_000, requestsPerMinute: 3000 },
} as const satisfies Record<string, Plan>;

/** The name of a plan. */
export type PlanName = keyof typeof PLANS;

/** Returns the plan with this number of compute units per period; undefined without one. */
export const planWithUnits = (units: number): PlanName | undefined =>
  (Object.keys(PLANS) as PlanName[]).find((name) => PLANS[name].units === units);

/** Whether a plan does not include an endpoint. */
export function planExcludes(
  { refuses = [], refusesMulti = false }: Plan,
  { family, path }: { readonly family: Family; readonly path: string },
): boolean {
  return family === "v2" && (refuses.includes(path) || (refusesMulti && path.endsWith("/multi")));
}

/** The price of a request. */
export interface Cost {
  readonly units: number;
  /** `item` for multi endpoints: each identifier costs as much. */
  readonly per: "request" | "item";
}

const LEGACY_COSTS: readonly (readonly [RegExp, number])[] = [
  [/^\/(block\/|account\/stakeAccounts$|market\/token\/)/, 10],
  [/^\/account\/transactions$/, 100],
  [
    /^\/(transaction\/|account\/(tokens|splTransfers|solTransfers|exportTransactions)$|token\/(holders|meta|transfer)$)/,
    70,
  ],
];

/** Legacy paths that the price list does not name cost the highest legacy price. */
const LEGACY_DEFAULT = 100;
const V2_COST = 100;

/** Returns the price of a request; the public family and nodes are free. */
export function findCost(family: Family, path: string, multi: boolean): Cost {
  if (family === "public" || family === "node") return { units: 0, per: "request" };
  if (family === "v2") return { units: V2_COST, per: multi ? "item" : "request" };
  return { units: LEGACY_COSTS.find(([pattern]) => pattern.test(path))?.[1] ?? LEGACY_DEFAULT, per: "request" };
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9 };
/** Digits, with commas or underscores between thousands if any; then a fraction and a letter. */
const SYNTAX = /^(\d{1,3}(?:,\d{3})+|\d+(?:_\d{3})*)(\.\d+)? ?([kmgb]?)$/i;

/** The accepted forms, for messages. */
export const UNITS_SYNTAX = "500000, 500_000, 500k, 10M or 1.5G";

/** Parses a whole number of units: `500000`, `10_000_000`, `1,000,000`, `2.5k`, `10M`; undefined for other text. */
export function parseUnits(text: string): number | undefined {
  const [, whole, fraction = "", letter = ""] = SYNTAX.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const units = Number(`${whole.replace(/[_,]/g, "")}${fraction}`) * (FACTORS[letter.toLowerCase()] ?? Number.NaN);
  const rounded = Math.round(units);
  // Products of decimal fractions are not exact in binary.
  return Number.isSafeInteger(rounded) && Math.abs(units - rounded) < 1e-3 ? rounded : undefined;
}
