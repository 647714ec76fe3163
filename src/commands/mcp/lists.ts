/** Lists in parts. Pages have the maximum size, because each request costs the same; a cursor has the rest of one. */
import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isObject, type Json, type JsonObject, omitUndefined, toSentence } from "../../base/index.ts";
import {
  type Coverage,
  type Endpoint,
  findParamByRole,
  loadEntities,
  MAX_EXPORT_ROWS,
  UNKNOWN_SHAPE,
} from "../../catalogue/index.ts";
import { deriveShape } from "../../catalogue/schemas.ts";
import { type Page, totalRows } from "../../client/index.ts";
import { formatJson, selectFields } from "../../output/index.ts";
import { aboutArgument } from "./arguments.ts";
import {
  abridge,
  createResult,
  cutNotes,
  mergeMetadata,
  metadataFor,
  metadataOf,
  mostRows,
  sizeAdvice,
} from "./results.ts";
import {
  type CallContext,
  type Continuation,
  type ListPosition,
  type Session,
  sendOptions,
  unitsOf,
} from "./session.ts";

/**
 * Returns the selected fields of values, or all. Throws UsageError for a field that no value has.
 * @param isKnown whether the fields were found in earlier values
 */
async function selectValues(
  values: readonly Json[],
  { fields, endpoint }: { readonly fields: readonly string[] | undefined; readonly endpoint?: Endpoint | undefined },
  isKnown = false,
): Promise<readonly Json[]> {
  if (fields === undefined) return values;
  const shape = endpoint ? deriveShape((await loadEntities())[endpoint.returns.entity]) : UNKNOWN_SHAPE;
  const selected = fields.map((path) => ({ path }));
  const selection = await selectFields({ fields: selected }, shape, values, { isKnown }).catch(aboutArgument("fields"));
  return selection ? values.map((value) => selection.pick(value)) : values;
}

interface ListRead {
  readonly rows: readonly Json[];
  readonly state: JsonObject | undefined;
  readonly more: Continuation;
  readonly units: number;
  readonly isList: boolean;
  readonly total?: number | undefined;
  /** Data beside the rows of the first answer, or that answer itself if it is no list. */
  readonly around?: Json | undefined;
  readonly metadata: JsonObject | undefined;
  /** Age in seconds of the oldest cached answer. */
  readonly age?: number | undefined;
  readonly coverage?: Coverage | undefined;
  /** Maximum number of rows that the API returns, if there may be more. */
  readonly rowLimit?: number | undefined;
  /** The error that ended the reading after these rows. */
  readonly problem?: Error;
}

/** Returns the next rows of a list as the result of a tool. */
export async function listResult(
  session: Session,
  place: ListPosition,
  requested: number,
  calling: CallContext,
  notes: readonly string[] = [],
): Promise<CallToolResult> {
  const read = await readRows(session, place, requested, calling);
  const { endpoint, fields } = place;
  const picked = await selectValues(read.rows.slice(0, requested), place, place.returned > 0);
  const rows = picked.map((row) => abridge(row, { isSelected: fields !== undefined }));
  const { state, more } = read;
  const createList = (count: number, cursor: string | undefined) => {
    const visible = rows.slice(0, count);
    const values = visible.map(({ value }) => value);
    const omissions = new Set(visible.flatMap((row) => row.notes));
    const cuts = cutNotes(visible.flatMap((row) => row.cuts));
    return omitUndefined({
      endpoint: endpoint.command,
      range: count === 0 ? undefined : `${place.returned + 1}-${place.returned + count}`,
      total: read.total,
      more: count < read.rows.length ? "yes" : cursor === undefined ? "no" : more,
      cursor,
      units: read.units,
      age_seconds: read.age,
      coverage: read.coverage as Json | undefined,
      notes: orUndefined([...notes, ...cuts, ...omissions, ...readNotes(read, place, { count, requested })]),
      around: read.around,
      metadata: metadataFor(read.metadata, values),
      rows: values,
    });
  };
  const isWhole = (count: number) => state === undefined && count === read.rows.length;
  const saveRest = (count: number) => {
    const unread = read.rows.slice(count);
    const metadata = unread.length > 0 ? read.metadata : undefined;
    const size = Buffer.byteLength(formatJson([unread, state ?? null]));
    return session.cursors.save({ ...place, unread, state, returned: place.returned + count, more, metadata }, size);
  };
  const count = mostRows(rows.length, (most) => {
    const list = createList(most, isWhole(most) ? undefined : SAMPLE_CURSOR);
    return Buffer.byteLength(formatJson(list)) <= session.store.bytes;
  });
  return createResult(createList(count, isWhole(count) ? undefined : saveRest(count)), session.store);
}

/** As long as any cursor. */
const SAMPLE_CURSOR = "c0000000-000000";

interface ObjectOptions {
  readonly fields: readonly string[] | undefined;
  readonly endpoint?: Endpoint;
  /** Maximum number of rows of lists inside the object. */
  readonly rows?: number | undefined;
  /** Whether nothing is omitted. */
  readonly isFull?: boolean;
}

/** Returns an object as the result of a tool. */
export async function objectResult(
  session: Session,
  { metadata, ...about }: Readonly<Record<string, Json | undefined>>,
  data: Json,
  { fields, endpoint, rows, isFull = false }: ObjectOptions,
): Promise<CallToolResult> {
  const [picked = null] = await selectValues([data], { fields, endpoint });
  const {
    value,
    notes: omissions,
    cuts,
  } = abridge(picked, {
    isSelected: fields !== undefined,
    hasImages: fields !== undefined || isFull,
    rows,
  });
  const before = Array.isArray(about.notes) ? (about.notes as readonly string[]) : [];
  const notes = orUndefined([...before, ...cutNotes(cuts), ...omissions]);
  const extraSizes = metadataFor(isObject(metadata) ? metadata : undefined, value);
  const result = omitUndefined({ ...about, notes, metadata: extraSizes, data: value });
  return createResult(result, session.store, () => sizeAdvice(value));
}

const orUndefined = (notes: readonly string[]) => (notes.length === 0 ? undefined : notes);

/** Reads pages until there are enough rows. An error after the first rows is returned with them. */
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
  // Rows that do not fit into the result are not requested.
  const isFull = async () => {
    const picked = rows.length === 0 ? rows : await selectValues(rows, place, place.returned > 0);
    return Buffer.byteLength(formatJson(picked)) > session.store.bytes;
  };
  let hasRequested = false;
  // After a partial page no rows are likely to follow: the next page is only requested by a call for it alone.
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
    calling.progress.advance(
      Math.min(rows.length, requested),
      requested,
      `${rows.length} rows of ${place.endpoint.command}`,
    );
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
    units: read.units + unitsOf(answer),
    isList: answer.rows !== undefined,
    total: totalRows(answer) ?? read.total,
    around: isFirst ? aroundRows(page) : read.around,
    metadata: mergeMetadata(read.metadata, metadataOf(answer)),
    age: age === undefined ? read.age : Math.max(age, read.age ?? 0),
    coverage: answer.coverage && { ...read.coverage, ...answer.coverage },
    rowLimit: page.next === undefined && page.hasMore === undefined ? page.rows.length : undefined,
  };
}

/** Requests one page, without prefetching. */
async function nextPage(
  session: Session,
  { endpoint, params }: ListPosition,
  resume: JsonObject | undefined,
  call: CallContext,
): Promise<Page> {
  const all = endpoint.returns.shape !== "csv";
  const request = (await session.client()).prepare(endpoint, params);
  let page: Page | undefined;
  await session.spend(request, async (client) => {
    const pages = client.pages(endpoint, params, { ...sendOptions(call), all, resume, ahead: false });
    page = (await pages.next()).value ?? undefined;
    await pages.return();
    return page?.answer ?? {};
  });
  // A reader with a state always has a page.
  if (!page) throw new Error(`no page of ${endpoint.command}`);
  // The cursor continues with older rows, as in other lists.
  return endpoint.oldestFirst ? { ...page, rows: page.rows.toReversed() } : page;
}

function moreAfter({ hasMore, next, answer }: Page): Continuation {
  if (hasMore === true) return "yes";
  if (hasMore === false || next === undefined || answer.rows?.length === 0) return "no";
  const [name] = (answer.request.endpoint && findParamByRole(answer.request.endpoint, "size")) ?? [];
  const size = Number(new Map(answer.request.query).get(name ?? ""));
  return (answer.rows?.length ?? 0) < size ? "unlikely" : "likely";
}

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

function readNotes(
  read: ListRead,
  { endpoint, returned, fields }: ListPosition,
  visible: { readonly count: number; readonly requested: number },
) {
  const notes: string[] = [];
  const isExport = endpoint.returns.shape === "csv";
  if (!read.isList) notes.push("The API did not return a list: see around.");
  if (isExport && returned === 0 && read.rows.length >= MAX_EXPORT_ROWS) {
    notes.push(`Exports are limited to ${MAX_EXPORT_ROWS} rows: use shorter time ranges for more.`);
  }
  if (read.rowLimit !== undefined && read.rowLimit > 0 && !isExport) {
    notes.push(`${endpoint.command} returns at most ${read.rowLimit} rows; there may be more.`);
  }
  if (read.problem) notes.push(`Stopped by an error: ${toSentence(read.problem)} The cursor retries.`);
  if (visible.count < Math.min(visible.requested, read.rows.length)) {
    const advice = fields ? "" : "; select fields to get more rows per result";
    notes.push(`The result has fewer rows than requested because of its size limit${advice}.`);
  }
  return notes;
}
