/** The rows of a walk: each batch of transactions is a ledger in memory, which the endpoint's query reads. */
import { createHash } from "node:crypto";
import {
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  PermissionError,
  stringifyJson,
  toNumber,
  UsageError,
} from "../../../base/index.ts";
import { NATIVE_SOL, type QueryParams } from "../../../catalogue/index.ts";
import type { AnswerContext } from "../answer.ts";
import { listTokenAccounts } from "../calls/token-accounts.ts";
import { answerFrom, withTransactions } from "../history/ledger.ts";
import { directionOf, type WalkRoute, windowOf } from "./routes.ts";
import type { FeedState } from "./signature-feed.ts";
import { type WalkBatch, type WalkPlan, walkTransactions } from "./walk.ts";

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
  /** The header of CSV records. */
  readonly header?: readonly Json[] | undefined;
  /** Returns the state after a number of these rows. */
  readonly stateAfter: (rows: number) => WalkState;
}

/** How rows are read. */
export interface RowRun {
  readonly resume?: WalkState | undefined;
  /** Signatures that are counted before the first transaction is read, for an estimate; none by default. */
  readonly count?: number;
  /** Rows to leave out at the beginning of a walk that is not resumed; none by default. */
  readonly skip?: number;
}

/**
 * Checks the state of a walk.
 * @throws UsageError when it is not one
 */
export function parseWalkState(state: JsonObject | undefined): WalkState | undefined {
  if (state === undefined) return undefined;
  const { kind, feed, skip, window } = state;
  const isFeed = isObject(feed) && isObject(feed.lists);
  if (kind === "walk" && isFeed && typeof skip === "number" && isArray(window)) return state as unknown as WalkState;
  throw new UsageError("This is not the state of a walk.", { code: "BAD_STATE", hint: "Start again without it." });
}

/** Yields the rows that a request selects, without regard to its page. Parts can be empty. */
export async function* walkRows(
  request: AnswerContext,
  route: WalkRoute,
  { resume, count = 0, skip: omitted = 0 }: RowRun = {},
): AsyncGenerator<WalkPart, void> {
  const window = resume?.window.map((time) => time ?? undefined) ?? windowOf(request, route);
  // The getters of the request remain: a walk over several pages sends as the current page does.
  const params = withWindow(request.params, route, window);
  const context = Object.create(request, { params: { value: params, enumerable: true } }) as AnswerContext;
  const plan = await planWalk(context, route, resume === undefined);
  let skip = resume?.skip ?? omitted;
  let total = 0;
  const run = { resume: resume?.feed, count, rows: () => total };
  for await (const batch of walkTransactions(context, { ...plan, window: [window[0], window[1]] }, run)) {
    const { rows: all, header } = await rowsOf(context, batch);
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

/** Returns a request with its time range in the parameters of the endpoint. */
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
    hint: "List those of an account: solx account transfer <address>. The API has them all: omit --rpc.",
  });

/** The size of a page that has all rows of a batch. */
const ALL_ROWS = ["1000000000"];
const FIRST = ["1"];
const NO_OFFSET = ["0"];

/** Returns the rows of a batch, by the query of the endpoint with all its filters. */
async function rowsOf(
  context: AnswerContext,
  { transactions }: WalkBatch,
): Promise<{ readonly rows: readonly Json[]; readonly header?: readonly Json[] | undefined }> {
  if (transactions.length === 0) return { rows: [] };
  const chain = transactions.map(({ transaction }) => transaction);
  const { endpoint, params } = context;
  if (directionOf(params) === "newest") chain.reverse();
  const paging =
    endpoint.family === "legacy" ? { limit: ALL_ROWS, offset: NO_OFFSET } : { page_size: ALL_ROWS, page: FIRST };
  const result = await withTransactions(context, chain, (ledger) => answerFrom(ledger, context, paging));
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
