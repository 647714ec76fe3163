/** The endpoints that are answered by a walk: which signatures they take, and how their rows are found in the answer. */
import { DAY_SECONDS } from "../../../base/index.ts";
import { NATIVE_SOL, type QueryParams } from "../../../catalogue/index.ts";
import type { AnswerContext } from "../answer.ts";
import type { WalkDirection, WalkWindow } from "./signature-list.ts";

/** How an endpoint is answered by a walk. */
export interface WalkRoute {
  /** Returns the account whose signatures are walked. */
  readonly subject: (params: QueryParams) => string;
  /** Returns the tokens of the token accounts that are part of the walk; all by default. */
  readonly mints?: (params: QueryParams) => readonly string[];
  /** The parameters that begin and end the time range. */
  readonly window: readonly [from: string, to: string];
  /** Whether transactions of the account's token accounts are part of the answer. */
  readonly tokenAccounts: (params: QueryParams) => boolean;
  /** Whether failed transactions have rows. */
  readonly failed: (params: QueryParams) => boolean;
  /** What every user of the answer should know. */
  readonly warning?: (params: QueryParams) => string | undefined;
}

const V2 = {
  subject: (params: QueryParams) => params.required("address"),
  mints: (params: QueryParams) => params.list("token").filter((token) => token !== NATIVE_SOL),
  window: ["from_time", "to_time"],
} as const;
const LEGACY = {
  subject: (params: QueryParams) => params.required("account"),
  window: ["fromTime", "toTime"],
} as const;
const always = () => true;
const never = () => false;

/** SOL is in the account itself: the token accounts' transactions add nothing. */
const hasOtherTokens = (params: QueryParams) => {
  const tokens = params.list("token");
  return tokens.length === 0 || tokens.some((token) => token !== NATIVE_SOL);
};
/** A failed transaction costs its fee in SOL. */
const hasSol = (params: QueryParams) => {
  const tokens = params.list("token");
  return (tokens.length === 0 || tokens.includes(NATIVE_SOL)) && params.text("flow") !== "in";
};

const TRANSFERS: WalkRoute = { ...V2, tokenAccounts: hasOtherTokens, failed: never };
const ACTIVITIES: WalkRoute = { ...V2, tokenAccounts: never, failed: never };

const NAMED_ONLY =
  "A node finds only the transactions that name the mint: checked transfers, mints and burns. Plain transfers are missing.";

const ROUTES: Readonly<Record<string, WalkRoute>> = {
  "v2-account-transfer": TRANSFERS,
  "v2-account-transfer-total": TRANSFERS,
  "v2-account-transfer-export": TRANSFERS,
  "v2-account-balance-change": { ...V2, tokenAccounts: hasOtherTokens, failed: hasSol },
  "v2-account-defi-activities": ACTIVITIES,
  "v2-account-defi-activities-export": ACTIVITIES,
  "v2-token-transfer": { ...V2, tokenAccounts: never, failed: never, warning: () => NAMED_ONLY },
  "token-transfer": {
    ...LEGACY,
    subject: (params) => params.text("address") ?? params.required("tokenAddress"),
    mints: (params) => [params.required("tokenAddress")],
    tokenAccounts: (params) => params.text("address") !== undefined,
    failed: never,
    warning: (params) => (params.text("address") === undefined ? NAMED_ONLY : undefined),
  },
  "account-spl-transfers": { ...LEGACY, tokenAccounts: always, failed: never },
  "account-sol-transfers": { ...LEGACY, tokenAccounts: never, failed: never },
  "account-export-transactions": {
    ...LEGACY,
    tokenAccounts: (params) => params.text("type") !== "soltransfer",
    failed: never,
  },
};

/** The routes that are answered by a walk. */
export const WALK_ROUTES: readonly string[] = Object.keys(ROUTES);

/** Returns how a request is answered by a walk; undefined for other endpoints. */
export const walkRouteOf = ({ endpoint }: Pick<AnswerContext, "endpoint">): WalkRoute | undefined =>
  ROUTES[endpoint.route];

/** Days that a total covers without a time range: three weeks. */
const TOTAL_DAYS = 21;

/** Returns the time range of a request. */
export function windowOf({ endpoint, node, params }: AnswerContext, { window }: WalkRoute): WalkWindow {
  const [first, second] = params.list("block_time");
  const [from, to] = window.map((name) => params.integer(name));
  const range = [from ?? numberOf(first), to ?? numberOf(second)] as const;
  if (endpoint.returns.shape !== "number" || range[0] !== undefined || range[1] !== undefined) return range;
  return [Math.floor(node.now() / 1000) - TOTAL_DAYS * DAY_SECONDS, undefined];
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** Returns whether rows are requested newest first. */
export const directionOf = (params: QueryParams): WalkDirection =>
  params.text("sort_order") === "asc" ? "oldest" : "newest";

const DEFAULT_SIZE = 10;

/** Returns the rows before the page that a request selects, and the size of the page. */
export function pageOf({ endpoint, params }: Pick<AnswerContext, "endpoint" | "params">): {
  readonly start: number;
  readonly size: number;
} {
  const isLegacy = endpoint.family === "legacy";
  const size = params.integer(isLegacy ? "limit" : "page_size") ?? DEFAULT_SIZE;
  const start = isLegacy ? (params.integer("offset") ?? 0) : ((params.integer("page") ?? 1) - 1) * size;
  return { start, size };
}
