/** What the answers of an index cover: the blocks that it has, and why rows of a list or a total may be missing. */
import {
  DAY_SECONDS,
  groupThousands,
  isObject,
  type Json,
  type JsonObject,
  pluralize,
  toNumber,
} from "../../../base/index.ts";
import {
  type Coverage,
  type CsvRecord,
  coverageHeader,
  type Endpoint,
  findParamByRole,
  GENESIS_SLOT,
  historyText,
  MAX_EXPORT_ROWS,
  missingFields,
  positionalOf,
  type QueryParams,
  type QueryResult,
  recordOf,
  type Shape,
} from "../../../catalogue/index.ts";
import type { LedgerReader } from "../store/reader.ts";

/** The request and the result that a coverage is of. */
interface CoveredAnswer {
  readonly endpoint: Endpoint;
  readonly params: QueryParams;
  readonly result: QueryResult;
  /** The shape of a row or object. */
  readonly shape: Shape;
}

/** Lists of what happened, beside those with a time range or a cursor. */
const EVENTS = /^(?:v2-)?(?:token-(?:transfer|latest)|nft-|block-last|transaction-last|account-funded-by)$/;

/** Returns what an answer covers, which was read before, as headers; none of a ledger that has everything. */
export const coverageHeaders = (db: LedgerReader, answer: CoveredAnswer): Readonly<Record<string, string>> =>
  db.facts.isComplete ? {} : coverageHeader(describeCoverage(db, answer));

function describeCoverage(db: LedgerReader, answer: CoveredAnswer): Coverage {
  const [first, last] = ["MIN", "MAX"].map((bound) => slotOf(db, `SELECT ${bound}(slot) AS slot FROM blocks`));
  const gaps = indexedGaps(db).filter(({ to }) => to > (first ?? 0));
  const isCut = first === undefined || first > GENESIS_SLOT;
  const doubts = isHistory(answer.endpoint)
    ? findDoubts(db, answer, { first, gaps, isCut })
    : findStateDoubts(db, gaps);
  const commitment = metaOf(db, "commitment");
  return {
    ...(commitment !== undefined && { commitment: commitment as "confirmed" }),
    ...(isCut && { firstSlot: first ?? null }),
    ...(last !== undefined && { lastSlot: last }),
    ...(gaps.length > 0 && { gaps }),
    ...(db.removals > 0 && { rollbacks: db.removals }),
    missing: missingFromRows(answer),
    ...doubts,
  };
}

/** Returns the fields that no block says: those that rows lack. */
function missingFromRows({ endpoint, result, shape }: CoveredAnswer): readonly string[] {
  const isNothing = (value: Json) => isObject(value) && Object.keys(value).length === 0;
  const values = "csv" in result ? csvRows(result.csv) : dataRows(endpoint, result);
  return [...new Set(values.flatMap((value) => (isNothing(value) ? [] : missingFields(shape, value))))];
}

/** Returns the rows of an answer, or its object. */
const dataRows = (endpoint: Endpoint, result: Exclude<QueryResult, { readonly csv: unknown }>): readonly Json[] =>
  endpoint.returns.shape === "rows" ? rowsOf(result) : [recordOf(endpoint, result.data)];

/** Returns why balances may be others than those of the chain. */
function findStateDoubts(db: LedgerReader, gaps: IndexedSlots["gaps"]): Pick<Coverage, "incomplete"> | undefined {
  const latest = gaps.at(-1);
  const partial = findPartialBlocks(db);
  const texts = [
    ...(latest ? [gapText(gaps.length, latest, "balances, holders and supplies may be older")] : []),
    ...(partial ? [partialText(partial)] : []),
  ];
  return texts.length === 0 ? undefined : { incomplete: texts.join(" ") };
}

/** Returns the time after which nothing lacks, of a slot that may lack something; undefined for -1. */
const completeAfter = (db: LedgerReader, doubted: number): number | undefined =>
  doubted < 0 ? undefined : (timeBeside(db, ">", doubted) ?? db.clock.end) + 1;

interface PartialBlocks {
  readonly count: number;
  readonly lastSlot: number;
}

/** Returns the blocks of a time range of whose transactions the node did not record all effects. */
function findPartialBlocks(
  db: LedgerReader,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): PartialBlocks | undefined {
  const sql = `SELECT count(*) AS count, max(slot) AS slot FROM blocks
    WHERE partial AND (time IS NULL OR time BETWEEN ? AND ?)`;
  const { count, slot } = db.get(sql, from, to) ?? {};
  return slot == null ? undefined : { count: Number(count), lastSlot: Number(slot) };
}

const partialText = ({ count, lastSlot }: PartialBlocks): string =>
  `The index lacks inner instructions or token balances of ${pluralize(count, "block")}, the last at slot ${groupThousands(String(lastSlot))}: what they did is missing.`;

interface IndexedSlots {
  readonly first: number | undefined;
  readonly gaps: NonNullable<Coverage["gaps"]>;
  /** Whether there are blocks before the first one. */
  readonly isCut: boolean;
}

/** Returns why rows may be missing. */
function findDoubts(
  db: LedgerReader,
  answer: CoveredAnswer,
  { first, gaps, isCut }: IndexedSlots,
): Pick<Coverage, "incomplete" | "completeSince"> | undefined {
  const { endpoint, params, result } = answer;
  const isNewestFirst = isByTime(answer);
  const isEnd = !isNewestFirst || reachesEnd(answer);
  const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = timeRange(db, endpoint, params);
  const oldest = isEnd ? Number.NEGATIVE_INFINITY : (oldestTime(result) ?? Number.NEGATIVE_INFINITY);
  const start = timeBeside(db, ">=", first ?? 0) ?? Number.POSITIVE_INFINITY;
  const open = gaps.filter((gap) => {
    const [before, after] = [timeBeside(db, "<", gap.from), timeBeside(db, ">", gap.to)];
    return (after ?? from) >= Math.max(from, oldest) && (before ?? to) <= to;
  });
  const latest = open.at(-1);
  const subject = params.text(positionalOf(endpoint)?.[0] ?? "");
  const partial = findPartialBlocks(db, Math.max(from, oldest), to);
  const filter = metaOf(db, "filter") ?? "";
  const isFiltered = filter !== "" && (subject === undefined || !filter.includes(subject));
  const texts = [
    ...(isCut && isEnd && from <= start ? [historyText("the index", first ?? null)] : []),
    ...(latest ? [gapText(open.length, latest)] : []),
    ...(partial ? [partialText(partial)] : []),
    ...(isFiltered ? ["The index has selected transactions only: rows may be missing."] : []),
  ];
  if (texts.length === 0) return undefined;
  const doubted = Math.max(...[latest?.to, partial?.lastSlot].map((slot) => slot ?? -1));
  const completeSince = completeAfter(db, doubted) ?? start;
  return { incomplete: texts.join(" "), ...(isNewestFirst && !isFiltered && { completeSince }) };
}

function gapText(
  count: number,
  { from, to }: NonNullable<Coverage["gaps"]>[number],
  consequence = "rows may be missing",
): string {
  const [start, end] = [from, to].map((slot) => groupThousands(String(slot)));
  const ranges = count === 1 ? "" : ` and ${count - 1} more ranges`;
  return `The index lacks the slots from ${start} to ${end}${ranges}: ${consequence}.`;
}

/** Whether an endpoint answers from what happened in blocks, rather than from the state that they led to. */
const isHistory = (endpoint: Endpoint): boolean =>
  endpoint.paging === "cursor" ||
  EVENTS.test(endpoint.route) ||
  findParamByRole(endpoint, "from") !== undefined ||
  findParamByRole(endpoint, "days") !== undefined;

/** Whether rows have an order of time, with the newest first. */
const isByTime = ({ endpoint, params }: CoveredAnswer): boolean =>
  (params.text("sort_by") ?? "block_time") === "block_time" &&
  params.text("sort_order") !== "asc" &&
  endpoint.oldestFirst === undefined;

/** Whether an answer has the oldest rows that the index has for a request. */
function reachesEnd({ endpoint, params, result }: CoveredAnswer): boolean {
  if ("csv" in result) return result.csv.length <= MAX_EXPORT_ROWS;
  const { at, shape, total } = endpoint.returns;
  const size = params.integer(findParamByRole(endpoint, "size")?.[0] ?? "");
  if (shape !== "rows" || size === undefined) return true;
  const rows = rowsOf(result);
  const count = at !== undefined && isObject(result.data) ? result.data[total ?? ""] : undefined;
  const read = (params.integer("offset") ?? ((params.integer("page") ?? 1) - 1) * size) + rows.length;
  return rows.length < size || read >= (toNumber(count) ?? Number.POSITIVE_INFINITY);
}

function rowsOf(result: QueryResult): readonly Json[] {
  if ("csv" in result) return [];
  const { data } = result;
  const lists = isObject(data) ? Object.values(data) : [data];
  return lists.find((list) => Array.isArray(list)) ?? [];
}

/** Returns the records of a CSV text without their empty cells. */
function csvRows([header = [], ...records]: readonly CsvRecord[]): readonly JsonObject[] {
  return records.map((record) =>
    Object.fromEntries(record.flatMap((cell, at) => (cell === "" ? [] : [[String(header[at]), cell]]))),
  );
}

/** Returns the time of the last row, which is the oldest one, in Unix seconds; undefined where it has none. */
function oldestTime(result: QueryResult): number | undefined {
  const row = rowsOf(result).at(-1);
  return isObject(row) ? toNumber(row.block_time ?? row.blockTime) : undefined;
}

/** Returns the requested time in Unix seconds. */
function timeRange(db: LedgerReader, endpoint: Endpoint, params: QueryParams) {
  const days = params.integer(findParamByRole(endpoint, "days")?.[0] ?? "");
  if (days !== undefined) return [db.clock.end - days * DAY_SECONDS, undefined] as const;
  const list = params.list("block_time").map(Number);
  return (["from", "to"] as const).map((role, at) => {
    const [name = "", param] = findParamByRole(endpoint, role) ?? [];
    return (param?.type === "time" ? params.integer(name) : undefined) ?? list[at];
  });
}

const metaOf = (db: LedgerReader, name: string): string | undefined => {
  const value = db.get("SELECT value FROM meta WHERE name = ?", name)?.value;
  return value == null ? undefined : String(value);
};

const slotOf = (db: LedgerReader, sql: string): number | undefined => {
  const slot = db.get(sql)?.slot;
  return slot == null ? undefined : Number(slot);
};

/** Returns the time of the nearest block before or after a slot. */
function timeBeside(db: LedgerReader, side: "<" | ">" | ">=", slot: number): number | undefined {
  const order = side === "<" ? "DESC" : "ASC";
  const sql = `SELECT time FROM blocks WHERE slot ${side} ? AND time IS NOT NULL ORDER BY slot ${order} LIMIT 1`;
  const time = db.get(sql, slot)?.time;
  return time == null ? undefined : Number(time);
}

/** Returns the ranges of slots that the indexer could not read. */
export const indexedGaps = (db: LedgerReader): IndexedSlots["gaps"] => JSON.parse(metaOf(db, "gaps") ?? "[]");
