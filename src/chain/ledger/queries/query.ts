/** The input and the result of queries. */
import type { JsonObject } from "../../../base/index.ts";
import {
  type CsvRecord,
  type Endpoint,
  emptyData,
  type QueryParams,
  type QueryResult,
} from "../../../catalogue/index.ts";
import { type LedgerReader, mapRows } from "../store/reader.ts";

/** Thrown by a query when the ledger does not contain what was requested; see {@link answerQuery}. */
export class UnknownSubjectError extends Error {}

/** Thrown by a query that the blocks of a chain cannot answer: an empty answer would say that there is nothing. */
export class UnknownFactError extends Error {}

/** Creates the error for something that does not exist. */
export const notFoundError = (subject: string): UnknownSubjectError => new UnknownSubjectError(`${subject} not found`);

/** The API key of a request. */
export interface ApiCaller {
  /** Returns the data of `/monitor/usage` for the key. */
  usage(): JsonObject;
}

/** The input of a query. */
export interface QueryContext {
  readonly db: LedgerReader;
  readonly params: QueryParams;
  readonly caller: ApiCaller;
}

/** The columns of an export: their titles, and the cells of a row. */
export type CsvColumns<Row> = readonly (readonly [title: string, cell: (row: Row) => string | number])[];

/** Returns the records of an export, the header first. */
export const csvRecords = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): readonly CsvRecord[] => [
  columns.map(([title]) => title),
  ...mapRows(rows, (row) => columns.map(([, cell]) => cell(row))),
];

/**
 * Answers a request. What does not exist is no error: the API answers an empty object, or an empty list where the
 * endpoint returns rows. It documents this for some endpoints (a statistic, candles, staking rewards, the tokens of a
 * multi request); the others are assumed to do the same.
 */
export function answerQuery(query: Query, { returns }: Pick<Endpoint, "returns">, context: QueryContext): QueryResult {
  try {
    return context.db.atomically(() => query(context));
  } catch (error) {
    if (error instanceof UnknownSubjectError) return { data: emptyData(returns) };
    throw error;
  }
}

/** Answers one endpoint. */
export type Query = (context: QueryContext) => QueryResult;

/** Queries by the catalogue's route. */
export type QueriesByRoute = Readonly<Record<string, Query>>;
