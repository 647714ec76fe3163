/** Walks the transactions of an account along its signatures: which endpoints do, and their rows, batch by batch. */
import { createHash } from "node:crypto";
import {
  DAY_SECONDS,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  PermissionError,
  stringifyJson,
  throwIfAborted,
  toNumber,
  UsageError,
} from "../../../base/index.ts";
import { NATIVE_SOL, type QueryParams } from "../../../catalogue/index.ts";
import type { ChainTransaction } from "../../../chain/solana/index.ts";
import type { AnswerContext, ReadContext, WalkProgress } from "../answer.ts";
import { listTokenAccounts } from "../calls/accounts.ts";
import { BalanceChain } from "../calls/balances.ts";
import type { SignatureRow } from "../calls/signatures.ts";
import { type NodeTransaction, readListed } from "../calls/transactions.ts";
import { answerFromTransactions } from "../history/ledger.ts";
import { type FeedState, mustRead, SignatureFeed, type WalkDirection, type WalkWindow } from "./signatures.ts";

interface WalkPlan {
  readonly addresses: readonly string[];
  /** The wallet whose token accounts join the walk where it meets them: those that were closed are found in no other way. */
  readonly owner?: string | undefined;
  /** Only its accounts of these tokens; all by default. */
  readonly mints?: readonly string[];
  readonly direction: WalkDirection;
  readonly window: WalkWindow;
  /** Whether failed transactions are left out, without reading them, except for those at the ends of lists. */
  readonly skipFailed: boolean;
}

interface WalkBatch {
  /** In the order of the walk. */
  readonly transactions: readonly NodeTransaction[];
  /** Where a walk continues before and after this batch. */
  readonly start: FeedState;
  readonly end: FeedState;
}

/** Transactions of the first and of later batches: the first ones appear soon. */
const BATCH_SIZES = [20, 50, 100] as const;

/** Signatures that are counted for the estimate of a long walk. */
const MAX_COUNTED = 20_000;

interface WalkRun {
  readonly resume: FeedState | undefined;
  /** Signatures that are counted before the first transaction is read, up to a maximum. */
  readonly count: number;
  readonly rows: () => number;
}

async function* walkTransactions(
  context: ReadContext,
  plan: WalkPlan,
  { resume, count, rows }: WalkRun,
): AsyncGenerator<WalkBatch, void> {
  const feed = new SignatureFeed(context, { ...plan, resume });
  const balances = new BalanceChain(context, { isNewestFirst: plan.direction === "newest" });
  await balances.continueAfter(resume?.lists ?? {});
  let done = 0;
  const progress = (): WalkProgress => {
    const { known: signatures, unread: calls, complete } = feed.count(plan);
    return { type: "walk", signatures, complete, done, calls, rows: rows() };
  };
  if (count > 0) {
    await feed.preload(Math.min(count, MAX_COUNTED));
    context.report?.(progress());
    await context.beforeWalk?.({ ...progress(), mayGrow: plan.owner !== undefined && plan.addresses.length > 1 });
  }
  for (let batch = 0; ; batch++) {
    throwIfAborted(context.sending.signal);
    const size = BATCH_SIZES[Math.min(batch, BATCH_SIZES.length - 1)] ?? 1;
    const { signatures, transactions } = await readBatch(context, plan, feed, size);
    if (signatures.length === 0) {
      const isWhole = plan.window[0] === undefined && (plan.direction === "newest" || resume === undefined);
      if (isWhole) await balances.end();
      return;
    }
    const read = new Map(transactions.map(({ transaction }) => [transaction.signatures[0], transaction]));
    for (const row of signatures) {
      const transaction = read.get(row.signature);
      if (transaction) {
        balances.add(transaction, (account) => feed.has(account));
        feed.checkTime(row, transaction);
      } else balances.skipFailed([row.address, ...(row.others ?? [])]);
    }
    const start = feed.stateBefore(signatures);
    feed.drop(signatures);
    done += signatures.length;
    yield { transactions, start, end: feed.state() };
    context.report?.(progress());
  }
}

/**
 * Reads the next transactions. A token account that one of them reveals adds its list, whose transactions may belong
 * between those that were read: the batch is then composed again.
 */
async function readBatch(
  context: ReadContext,
  { owner, mints = [], direction, skipFailed }: WalkPlan,
  feed: SignatureFeed,
  size: number,
): Promise<{ readonly signatures: readonly SignatureRow[]; readonly transactions: readonly NodeTransaction[] }> {
  const read = new Map<string, NodeTransaction>();
  for (;;) {
    const signatures = await feed.peek(size);
    const needed = signatures.filter((row) => mustRead(row, skipFailed));
    const missing = needed.filter(({ signature }) => !read.has(signature));
    const results = await readListed(context, missing);
    for (const [at, result] of results.entries()) read.set(missing[at]?.signature ?? "", result);
    const transactions = needed.flatMap(({ signature }) => read.get(signature) ?? []);
    const revealed =
      owner === undefined
        ? []
        : transactions.flatMap((one) => unknownAccounts(one.transaction, { owner, mints }, feed));
    if (revealed.length === 0) return { signatures, transactions };
    // Lists are read newest first: a cursor would leave out what a walk from the oldest has not reached.
    for (const { account, before } of revealed) feed.add(account, direction === "newest" ? before : undefined);
  }
}

/** Returns the token accounts of an owner in a transaction whose lists the feed does not have. */
function unknownAccounts(
  { tokenBalances, signatures }: ChainTransaction,
  { owner, mints }: { readonly owner: string; readonly mints: readonly string[] },
  feed: SignatureFeed,
) {
  return tokenBalances
    .filter(({ mint }) => mints.length === 0 || mints.includes(mint))
    .filter((balance) => balance.owner === owner || balance.ownerBefore === owner)
    .filter(({ account }) => !feed.has(account))
    .map(({ account }) => ({ account, before: signatures[0] }));
}

interface WalkRoute {
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

/** Days that a total covers without a time range: three weeks. */
const TOTAL_DAYS = 21;

function windowOf({ endpoint, node, params }: AnswerContext, { window }: WalkRoute): WalkWindow {
  const [first, second] = params.list("block_time");
  const [from, to] = window.map((name) => params.integer(name));
  const range = [from ?? numberOf(first), to ?? numberOf(second)] as const;
  if (endpoint.returns.shape !== "number" || range[0] !== undefined || range[1] !== undefined) return range;
  return [Math.floor(node.now() / 1000) - TOTAL_DAYS * DAY_SECONDS, undefined];
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const directionOf = (params: QueryParams): WalkDirection => (params.text("sort_order") === "asc" ? "oldest" : "newest");

/** Where a walk continues: plain JSON, valid in another process for the same request. */
export interface WalkState {
  readonly kind: "walk";
  /** Where its next transactions are. */
  readonly feed: FeedState;
  /** Rows of these that were used already. */
  readonly skip: number;
  /** The time range, which a resumed walk does not count back from another time. */
  readonly window: readonly [from: number | null, to: number | null];
  /** Rows that are left of a limit. */
  readonly left?: number;
}

/** Rows of a batch, in the order of the answer. */
export interface WalkPart {
  readonly rows: readonly Json[];
  readonly header?: readonly Json[] | undefined;
  /** Returns the state after a number of these rows. */
  readonly stateAfter: (rows: number) => WalkState;
}

interface RowRun {
  readonly resume?: WalkState | undefined;
  /** Signatures that are counted before the first transaction is read, for an estimate; none by default. */
  readonly count?: number;
  /** Rows to leave out at the beginning of a walk that is not resumed; none by default. */
  readonly skip?: number;
}

/** Checks the state of a walk. @throws UsageError when it is not one */
export function parseWalkState(state: JsonObject | undefined): WalkState | undefined {
  if (state === undefined) return undefined;
  const { kind, feed, skip, window } = state;
  const isFeed = isObject(feed) && isObject(feed.lists);
  if (kind === "walk" && isFeed && typeof skip === "number" && isArray(window)) return state as unknown as WalkState;
  throw new UsageError("This is not the state of a list of transactions.", {
    code: "BAD_STATE",
    hint: "Start again without it.",
  });
}

/** Yields the rows that a request selects, without regard to its page. Parts can be empty. */
export async function* walkRows(
  request: AnswerContext,
  { resume, count = 0, skip: omitted = 0 }: RowRun = {},
): AsyncGenerator<WalkPart, void> {
  const route = ROUTES[request.endpoint.route];
  if (!route) throw new TypeError(`${request.endpoint.route} is not answered by a walk.`);
  const window = resume?.window.map((time) => time ?? undefined) ?? windowOf(request, route);
  // The getters of the request remain: a walk over several pages sends as the current page does.
  const params = withWindow(request.params, route, window);
  const context = Object.create(request, { params: { value: params, enumerable: true } }) as AnswerContext;
  const plan = await planWalk(context, route, resume === undefined);
  let skip = resume?.skip ?? omitted;
  let total = 0;
  const run = { resume: resume?.feed, count, rows: () => total };
  for await (const batch of walkTransactions(context, { ...plan, window: [window[0], window[1]] }, run)) {
    const { rows: all, header } = await readRows(context, batch);
    const skipped = Math.min(skip, all.length);
    skip -= skipped;
    const rows = all.slice(skipped);
    total += rows.length;
    const saved = { kind: "walk", window: [window[0] ?? null, window[1] ?? null] } as const;
    // Rows that a resumed walk still skips are in later batches.
    const after = { ...saved, feed: batch.end, skip };
    const stateAfter = (taken: number): WalkState =>
      taken >= rows.length ? after : { ...saved, feed: batch.start, skip: skipped + taken };
    yield { rows, header, stateAfter };
  }
}

/** Puts the time range into the parameters of the endpoint. */
function withWindow(params: QueryParams, { window }: WalkRoute, range: readonly (number | undefined)[]): QueryParams {
  const values = window.map((name, at) => [name, range[at] === undefined ? undefined : [String(range[at])]]);
  return params.with({ ...Object.fromEntries(values), block_time: undefined });
}

/** Plans the walk of a request. A resumed one has the lists of the original. */
async function planWalk(context: AnswerContext, route: WalkRoute, isNew: boolean): Promise<Omit<WalkPlan, "window">> {
  const { params, node } = context;
  const warning = route.warning?.(params);
  if (warning !== undefined && isNew) context.report?.({ type: "warning", text: warning });
  const subject = route.subject(params);
  if (subject === NATIVE_SOL) throw notWalkable(node.name);
  const range = { direction: directionOf(params), skipFailed: !route.failed(params) };
  const through = params.text("token_account");
  if (through !== undefined) return { ...range, addresses: [through] };
  if (!route.tokenAccounts(params)) return { ...range, addresses: [subject] };
  const mints = route.mints?.(params) ?? [];
  const accounts = isNew ? await listTokenAccounts(context, subject, mints) : [];
  return { ...range, addresses: [subject, ...accounts], owner: subject, mints };
}

/** No transaction names native SOL. */
const notWalkable = (node: string) =>
  new PermissionError(`${node} cannot list the transfers of SOL of all accounts.`, {
    code: "NODE_UNSUPPORTED",
    hint: {
      command: "List those of an account: solx account transfer <address>. The API has them all: omit --rpc.",
      program:
        "List those of an account: client.account.transfer({ address }). The API has them all: a client without rpc.",
      tool: "List those of an account with the endpoint account transfer. The API has them all.",
    },
  });

/** Selects all rows of a batch as one page. */
const WHOLE = { legacy: { limit: ["1000000000"], offset: ["0"] }, v2: { page_size: ["1000000000"], page: ["1"] } };

/** Returns the rows of a batch, by the query of the endpoint with all its filters. */
async function readRows(
  context: AnswerContext,
  { transactions }: WalkBatch,
): Promise<{ readonly rows: readonly Json[]; readonly header?: readonly Json[] | undefined }> {
  if (transactions.length === 0) return { rows: [] };
  const chain = transactions.map(({ transaction }) => transaction);
  const { endpoint, params } = context;
  if (directionOf(params) === "newest") chain.reverse();
  const paging = endpoint.family === "legacy" ? WHOLE.legacy : WHOLE.v2;
  const result = await answerFromTransactions(context, chain, paging);
  if ("csv" in result) {
    const [header = [], ...records] = result.csv;
    return { rows: records, header };
  }
  const { data } = result;
  // A number counts rows: there are none to return.
  if (isNumeric(data)) return { rows: Array.from({ length: toNumber(data) ?? 0 }, () => null) };
  const { at } = endpoint.returns;
  const rows = at !== undefined && isObject(data) ? data[at] : data;
  return { rows: withIdentifiers(isArray(rows) ? rows : []) };
}

/** Digits of the identifiers that rows of the legacy family have. */
const IDENTIFIER_DIGITS = 24;

/**
 * Replaces the identifiers of rows, which are positions in a ledger: those of two batches would be equal. They follow
 * from the content of the row and its number among equal rows, so that they are the same in every answer.
 */
function withIdentifiers(rows: readonly Json[]): readonly Json[] {
  const [first] = rows;
  if (!isObject(first) || first._id === undefined) return rows;
  const seen = new Map<string, number>();
  return rows.map((row) => {
    if (!isObject(row)) return row;
    const { _id, ...rest } = row;
    const text = stringifyJson(rest);
    const number = seen.get(text) ?? 0;
    seen.set(text, number + 1);
    const digest = createHash("sha256").update(`${number} ${text}`).digest("hex");
    return { _id: digest.slice(0, IDENTIFIER_DIGITS), ...rest };
  });
}
