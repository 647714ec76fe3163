/**
 * Lists, some rows at a time. A page is read whole, in the greatest size, since its price is that of a request; rows that
 * were not shown are kept for the cursor, which reads on exactly where the page ended.
 */
import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isObject, type Json, type JsonObject, toSentence } from "../../base/index.ts";

import { type Endpoint, loadEntities, MAX_EXPORT_ROWS } from "../../catalogue/index.ts";

import { findParamByRole, type Page, totalRows } from "../../client/index.ts";
import { formatJson, selectFields, shapeOf, UNKNOWN_SHAPE } from "../../output/index.ts";
import { type Abridged, limitRows, omitImages, sizeAdvice } from "./abridge.ts";
import { mergeMetadata, metadataFor, metadataOf, metadataSizes } from "./metadata.ts";
import { createResult, rowsThatFit } from "./results.ts";
import type { CallContext, Continuation, ListPosition, Session } from "./session.ts";
import { compact, cutNotes, shortenTexts } from "./values.ts";

/** What fields are chosen of. */
export interface FieldSelection {
  readonly fields: readonly string[] | undefined;
  /** What the values are answers of, where the catalogue knows it. */
  readonly endpoint?: Endpoint;
  /** Whether the fields were found in earlier values. */
  readonly isKnown?: boolean;
}

/**
 * The chosen fields of values; all of them where none are chosen.
 * @throws UsageError for a field that neither the catalogue nor the answer knows
 */
export async function selectValues(
  values: readonly Json[],
  { fields, endpoint, isKnown }: FieldSelection,
): Promise<readonly Json[]> {
  if (fields === undefined) return values;
  const entities = endpoint && (await loadEntities());
  const shape = endpoint && entities ? shapeOf(entities[endpoint.returns.entity]) : UNKNOWN_SHAPE;
  const selection = await selectFields({ fields: [...fields] }, shape, values, { isKnown: isKnown === true });
  return selection ? values.map((value) => selection.pick(value)) : values;
}

/** What one call read of a list. */
interface ListRead {
  readonly rows: readonly Json[];
  readonly state: JsonObject | undefined;
  readonly more: Continuation;
  readonly units: number;
  readonly isList: boolean;
  readonly total?: number | undefined;
  /** What is around the rows in the first answer, or the first answer where it is no list. */
  readonly around?: Json | undefined;
  /** What is told beside the data that the rows came with. */
  readonly metadata: JsonObject | undefined;
  /** Seconds since the oldest answer came that was kept from earlier. */
  readonly age?: number | undefined;
  /** Rows beyond which the API gives none, where it may have more. */
  readonly rowLimit?: number | undefined;
  /** Why reading stopped after these rows. */
  readonly problem?: Error;
}

/** The next rows of a list, as the result of a tool. */
export async function listResult(
  session: Session,
  place: ListPosition,
  requested: number,
  calling: CallContext,
  notes: readonly string[] = [],
): Promise<CallToolResult> {
  const read = await readRows(session, place, requested, calling);
  const { endpoint, fields } = place;
  const picked = await selectValues(read.rows.slice(0, requested), { fields, endpoint, isKnown: place.returned > 0 });
  const brief = picked.map((row) => (fields ? { value: row, notes: [] } : omitImages(row)));
  const rows = brief.map(({ value }) => (fields ? { value, cuts: [] } : shortenTexts(value)));
  const extraSizes = metadataSizes(
    read.metadata,
    rows.map(({ value }) => value),
  );
  const sizes = rows.map(({ value }, at) => Buffer.byteLength(formatJson(value)) + (extraSizes[at] ?? 0));
  const count = rowsThatFit(sizes, session.store);
  const visible = rows.slice(0, count);
  const cuts = cutNotes(visible.flatMap((row) => row.cuts));
  const returned = place.returned + count;
  const unread = read.rows.slice(count);
  const isComplete = unread.length === 0 && read.state === undefined;
  const metadata = unread.length > 0 ? read.metadata : undefined;
  const rest: ListPosition = { ...place, unread, state: read.state, returned, more: read.more, metadata };
  const cursor = isComplete ? undefined : session.cursors.save(rest, sizeInBytes(rest));
  const values = visible.map(({ value }) => value);
  const omissions = new Set(brief.slice(0, count).flatMap(({ notes }) => notes));
  const result = compact({
    endpoint: endpoint.command,
    range: count === 0 ? undefined : `${place.returned + 1}-${returned}`,
    total: read.total,
    more: unread.length > 0 ? "yes" : isComplete ? "no" : read.more,
    cursor,
    units: read.units,
    age_seconds: read.age,
    notes: orUndefined([...notes, ...cuts, ...omissions, ...readNotes(read, place, { count, requested })]),
    around: read.around,
    metadata: metadataFor(read.metadata, values),
    rows: values,
  });
  return createResult(result, session.store);
}

/** What of an object is wanted. */
interface ObjectOptions {
  readonly fields: readonly string[] | undefined;
  readonly endpoint?: Endpoint;
  /** Rows of the lists inside, at most. */
  readonly rows?: number | undefined;
  /** Whether nothing is to be left out. */
  readonly isFull?: boolean;
}

/** An answer that is one object, as the result of a tool. */
export async function objectResult(
  session: Session,
  { metadata, ...about }: Readonly<Record<string, Json | undefined>>,
  data: Json,
  { fields, endpoint, rows, isFull = false }: ObjectOptions,
): Promise<CallToolResult> {
  const [picked = null] = await selectValues([data], { fields, ...(endpoint ? { endpoint } : {}) });
  const limited: Abridged = rows === undefined ? { value: picked, notes: [] } : limitRows(picked, rows);
  const brief = fields || isFull ? { value: limited.value, notes: [] } : omitImages(limited.value);
  const { value, cuts } = fields ? { value: brief.value, cuts: [] } : shortenTexts(brief.value);
  const before = Array.isArray(about.notes) ? (about.notes as readonly string[]) : [];
  const notes = orUndefined([...before, ...cutNotes(cuts), ...limited.notes, ...brief.notes]);
  const extraSizes = metadataFor(isObject(metadata) ? metadata : undefined, value);
  const result = compact({ ...about, notes, metadata: extraSizes, data: value });
  return createResult(result, session.store, () => sizeAdvice(value));
}

const orUndefined = (notes: readonly string[]) => (notes.length === 0 ? undefined : notes);

/** Reads pages until there are as many rows as wanted; a failure after rows came is told with them. */
async function readRows(
  session: Session,
  place: ListPosition,
  requested: number,
  calling: CallContext,
): Promise<ListRead> {
  const rows = [...place.unread];
  const { state, more, metadata } = place;
  let read: Omit<ListRead, "rows"> = { state: state ?? undefined, more, units: 0, isList: true, metadata };
  let isFirst = place.state === null;
  // What does not fit into the result is not paid for.
  const isFull = async () => {
    const { endpoint, fields } = place;
    const picked =
      rows.length === 0 ? rows : await selectValues(rows, { fields, endpoint, isKnown: place.returned > 0 });
    return Buffer.byteLength(formatJson(picked)) > session.store.bytes;
  };
  let hasRequested = false;
  // After a page that is not full nothing is likely to follow: that is paid for where somebody asks for it alone.
  const continues = () =>
    read.state !== undefined && (read.more !== "unlikely" || (!hasRequested && rows.length === 0));
  while ((isFirst || continues()) && rows.length < requested && !(await isFull())) {
    const page = await nextPage(session, place, read.state, calling).catch((error: unknown) => {
      if (rows.length === 0 || (calling.signal.aborted && !calling.isTimedOut())) throw error;
      return error instanceof Error ? error : new Error(String(error));
    });
    if (page instanceof Error) return { ...read, rows, problem: page };
    rows.push(...page.rows);
    read = afterPage(read, page, isFirst);
    isFirst = false;
    hasRequested = true;
    calling.progress(Math.min(rows.length, requested), requested, `${rows.length} rows of ${place.endpoint.command}`);
  }
  return { ...read, rows };
}

function afterPage(read: Omit<ListRead, "rows">, page: Page, isFirst: boolean): Omit<ListRead, "rows"> {
  const { answer } = page;
  const { age } = answer;
  const isComplete = page.next === undefined || answer.rows?.length === 0;
  return {
    state: isComplete ? undefined : page.state(),
    more: moreAfter(page),
    units: read.units + (age === undefined ? answer.request.cost : 0),
    isList: answer.rows !== undefined,
    total: totalRows(answer) ?? read.total,
    around: isFirst ? aroundRows(page) : read.around,
    metadata: mergeMetadata(read.metadata, metadataOf(answer)),
    age: age === undefined ? read.age : Math.max(age, read.age ?? 0),
    rowLimit: page.next === undefined && page.more === undefined ? page.rows.length : undefined,
  };
}

/** One page, and none ahead of its turn. */
async function nextPage(
  session: Session,
  { endpoint, params }: ListPosition,
  resume: JsonObject | undefined,
  { signal }: CallContext,
): Promise<Page> {
  const all = endpoint.returns.shape !== "csv";
  const request = (await session.client()).prepare(endpoint, params);
  let page: Page | undefined;
  await session.spend(request, async (client) => {
    const pages = client.pages(endpoint, params, { all, resume, ahead: false, priority: "interactive", signal });
    page = (await pages.next()).value ?? undefined;
    await pages.return();
    return page?.answer ?? {};
  });
  // A reading that has a state has a page.
  if (!page) throw new Error(`No page came of ${endpoint.command}.`);
  return page;
}

function moreAfter({ more, next, answer }: Page): Continuation {
  if (more === true) return "yes";
  if (more === false || next === undefined || answer.rows?.length === 0) return "no";
  const [name] = (answer.request.endpoint && findParamByRole(answer.request.endpoint, "size")) ?? [];
  const size = Number(new Map(answer.request.query).get(name ?? ""));
  return (answer.rows?.length ?? 0) < size ? "unlikely" : "likely";
}

/** What the API tells beside the rows; an answer that is no list, as a whole. */
function aroundRows({ answer }: Page): Json | undefined {
  const { data, rows, at, request } = answer;
  if (rows === undefined) return data;
  const {
    [at ?? ""]: _,
    [request.endpoint?.returns.total ?? ""]: total,
    ...around
  } = at !== undefined && isObject(data) ? data : {};
  return Object.keys(around).length === 0 ? undefined : around;
}

/** What is to be known about rows that were read. */
function readNotes(
  read: ListRead,
  { endpoint, returned, fields }: ListPosition,
  visible: { readonly count: number; readonly requested: number },
) {
  const notes: string[] = [];
  const isExport = endpoint.returns.shape === "csv";
  if (!read.isList) notes.push("The API answered with something that is no list: see around.");
  if (isExport && returned === 0 && read.rows.length >= MAX_EXPORT_ROWS) {
    notes.push(`An export is cut at ${MAX_EXPORT_ROWS} rows: for more, ask for shorter spans of time.`);
  }
  if (read.rowLimit !== undefined && read.rowLimit > 0 && !isExport) {
    notes.push(`${endpoint.command} gives at most ${read.rowLimit} rows, though there may be more.`);
  }
  if (read.problem) notes.push(`Reading stopped here: ${toSentence(read.problem)} The cursor tries again.`);
  if (visible.count < Math.min(visible.requested, read.rows.length)) {
    const advice = fields ? "" : "; name fields to see more rows at a time";
    notes.push(`Fewer rows than asked for fit into one result${advice}.`);
  }
  return notes;
}

/** About how many bytes a place takes. */
function sizeInBytes({ unread, state }: ListPosition): number {
  return Buffer.byteLength(formatJson([unread, state ?? null]));
}
