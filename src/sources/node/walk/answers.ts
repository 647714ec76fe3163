/** The endpoints that are answered by walking the signatures of an account. */
import type { Json } from "../../../base/index.ts";
import { MAX_EXPORT_ROWS } from "../../../catalogue/index.ts";
import type { CsvRecord, QueryResult } from "../../../chain/ledger/index.ts";
import type { AnswerContext, NodeAnswer, NodeAnswersByRoute } from "../answer.ts";
import { answerFrom, withTransactions } from "../history/ledger.ts";
import { readRows } from "./pages.ts";
import { pageOf, WALK_ROUTES, walkRouteOf } from "./routes.ts";
import { walkRows } from "./rows.ts";

/** A page of rows, in the object that the endpoint wraps them in; without a total, which only a whole walk would show. */
const page: NodeAnswer = async (context) => {
  const { start, size } = pageOf(context);
  const rows = await readRows(context, start, start + size);
  const { at } = context.endpoint.returns;
  return { data: at === undefined ? rows : { [at]: rows } };
};

/** Maximum number of transfers that are counted, as the API counts them. */
const MAX_TOTAL = 10_000_000;

/** The number of rows. */
const total: NodeAnswer = async (context) => {
  let count = 0;
  for await (const { rows } of allRows(context, MAX_TOTAL)) {
    count += rows.length;
    if (count >= MAX_TOTAL) break;
  }
  return { data: Math.min(count, MAX_TOTAL), metadata: {} };
};

/** The records of an export, up to the row limit of exports. */
const records: NodeAnswer = async (context) => {
  let head: readonly Json[] | undefined;
  const all: Json[] = [];
  for await (const { rows, header } of allRows(context, MAX_EXPORT_ROWS)) {
    head ??= header;
    all.push(...rows.slice(0, MAX_EXPORT_ROWS - all.length));
    if (all.length >= MAX_EXPORT_ROWS) break;
  }
  if (!head) return emptyRecords(context);
  return { csv: [head, ...all] as unknown as readonly CsvRecord[] };
};

/** The header alone, by the same query. */
const emptyRecords = (context: AnswerContext): Promise<QueryResult> =>
  withTransactions(context, [], (ledger) => answerFrom(ledger, context));

/** Reads the rows of a walk; as many signatures are counted before. */
function allRows(context: AnswerContext, count: number) {
  const route = walkRouteOf(context);
  if (!route) throw new TypeError(`${context.endpoint.route} is not answered by a walk.`);
  return walkRows(context, route, { count });
}

const answer: NodeAnswer = (context) => {
  const { shape } = context.endpoint.returns;
  if (shape === "csv") return records(context);
  return shape === "number" ? total(context) : page(context);
};

/** Answers by walking signatures. */
export const walkAnswers: NodeAnswersByRoute = Object.fromEntries(WALK_ROUTES.map((route) => [route, answer]));
