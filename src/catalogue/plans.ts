/** Plans and the compute units that calls cost (public price list). */
import type { Family } from "./constants.ts";

/** So many requests in so many seconds, whenever these seconds begin. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** A plan of the API. */
export interface Plan {
  readonly title: string;
  /** Compute units a month. */
  readonly units: number;
  /** Requests in any 60 seconds. */
  readonly requestsPerMinute: number;
  /** Paths of the v2 family that the plan answers with 403, beside every multi endpoint. */
  readonly refuses?: readonly string[];
  readonly refusesMulti?: boolean;
}

/** The plans, by the names that settings use. */
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

/** What a call costs. */
export interface Cost {
  /** Compute units. */
  readonly units: number;
  /** For multi endpoints each item costs, else the request does. */
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

/** Legacy calls that the price list does not name are counted at the dearest legacy rate. */
const LEGACY_DEFAULT = 100;
const V2_COST = 100;

/** The cost of a call; the public family is free. */
export function costOf(family: Family, path: string): Cost {
  if (family === "public") return { units: 0, per: "request" };
  if (family === "v2") return { units: V2_COST, per: path.endsWith("/multi") ? "item" : "request" };
  return { units: LEGACY_COSTS.find(([pattern]) => pattern.test(path))?.[1] ?? LEGACY_DEFAULT, per: "request" };
}
