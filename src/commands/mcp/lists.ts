/**
 * Lists, some rows at a time. A page is read whole, in the greatest size, since its price is that of a request; rows that
 * were not shown are kept for the cursor, which reads on exactly where the page ended.
 */
import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { toSentence } from "../../base/errors.ts";
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import { MAX_EXPORT_ROWS } from "../../catalogue/constants.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { findParamByRole, type Page, totalRows } from "../../client/index.ts";
import { shapeOf } from "../../output/fields/schema.ts";
import { selectFields } from "../../output/fields/selection.ts";
import { UNKNOWN_SHAPE } from "../../output/fields/shape.ts";
import { formatJson } from "../../output/formats/json.ts";
import { type Brief, sizeAdvice, withFewRows, withoutPictures } from "./abridge.ts";
import { joined, metadataFor, metadataOf, metadataSizes } from "./metadata.ts";
import { resultOf, rowsThatFit } from "./results.ts";
import type { Calling, ListPlace, More, Session } from "./session.ts";
import { compact, cutNotes, shortened } from "./values.ts";

/** What fields are chosen of. */
export interface Chosen {
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
export async function chosen(values: readonly Json[], { fields, endpoint, isKnown }: Chosen): Promise<readonly Json[]> {
  if (fields === undefined) return values;
  const entities = endpoint && (await import("../../catalogue/entities/index.ts"));
  const shape = endpoint && entities ? shapeOf(entities[endpoint.returns.entity]) : UNKNOWN_SHAPE;
  const selection = await selectFields({ fields: [...fields] }, shape, values, { isKnown: isKnown === true });
  return selection ? values.map((value) => selection.pick(value)) : values;
}

/** What one call read of a list. */
interface Read {
  readonly rows: readonly Json[];
  readonly state: JsonObject | undefined;
  readonly more: More;
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
  readonly most?: number | undefined;
  /** Why reading stopped after these rows. */
  readonly problem?: Error;
}

/** The next rows of a list, as the result of a tool. */
export async function listResult(
  session: Session,
  place: ListPlace,
  wanted: number,
  calling: Calling,
  notes: readonly string[] = [],
): Promise<CallToolResult> {
  const read = await readRows(session, place, wanted, calling);
  const { endpoint, fields } = place;
  const picked = await chosen(read.rows.slice(0, wanted), { fields, endpoint, isKnown: place.shown > 0 });
  const brief = picked.map((row) => (fields ? { value: row, notes: [] } : withoutPictures(row)));
  const rows = brief.map(({ value }) => (fields ? { value, cuts: [] } : shortened(value)));
  const beside = metadataSizes(
    read.metadata,
    rows.map(({ value }) => value),
  );
  const sizes = rows.map(({ value }, at) => Buffer.byteLength(formatJson(value)) + (beside[at] ?? 0));
  const count = rowsThatFit(sizes, session.room);
  const here = rows.slice(0, count);
  const cuts = cutNotes(here.flatMap((row) => row.cuts));
  const shown = place.shown + count;
  const kept = read.rows.slice(count);
  const isOver = kept.length === 0 && read.state === undefined;
  const metadata = kept.length > 0 ? read.metadata : undefined;
  const rest: ListPlace = { ...place, kept, state: read.state, shown, more: read.more, metadata };
  const cursor = isOver ? undefined : session.cursors.keep(rest, weight(rest));
  const values = here.map(({ value }) => value);
  const left = new Set(brief.slice(0, count).flatMap(({ notes }) => notes));
  const result = compact({
    endpoint: endpoint.command,
    range: count === 0 ? undefined : `${place.shown + 1}-${shown}`,
    total: read.total,
    more: kept.length > 0 ? "yes" : isOver ? "no" : read.more,
    cursor,
    units: read.units,
    age_seconds: read.age,
    notes: listed([...notes, ...cuts, ...left, ...told(read, place, { count, wanted })]),
    around: read.around,
    metadata: metadataFor(read.metadata, values),
    rows: values,
  });
  return resultOf(result, session.room);
}

/** What of an object is wanted. */
interface WantedOf {
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
  { fields, endpoint, rows, isFull = false }: WantedOf,
): Promise<CallToolResult> {
  const [picked = null] = await chosen([data], { fields, ...(endpoint ? { endpoint } : {}) });
  const few: Brief = rows === undefined ? { value: picked, notes: [] } : withFewRows(picked, rows);
  const brief = fields || isFull ? { value: few.value, notes: [] } : withoutPictures(few.value);
  const { value, cuts } = fields ? { value: brief.value, cuts: [] } : shortened(brief.value);
  const before = Array.isArray(about.notes) ? (about.notes as readonly string[]) : [];
  const notes = listed([...before, ...cutNotes(cuts), ...few.notes, ...brief.notes]);
  const beside = metadataFor(isObject(metadata) ? metadata : undefined, value);
  const result = compact({ ...about, notes, metadata: beside, data: value });
  return resultOf(result, session.room, () => sizeAdvice(value));
}

const listed = (notes: readonly string[]) => (notes.length === 0 ? undefined : notes);

/** Reads pages until there are as many rows as wanted; a failure after rows came is told with them. */
async function readRows(session: Session, place: ListPlace, wanted: number, calling: Calling): Promise<Read> {
  const rows = [...place.kept];
  const { state, more, metadata } = place;
  let read: Omit<Read, "rows"> = { state: state ?? undefined, more, units: 0, isList: true, metadata };
  let isFirst = place.state === null;
  // What does not fit into the result is not paid for.
  const isFull = async () => {
    const { endpoint, fields } = place;
    const picked = rows.length === 0 ? rows : await chosen(rows, { fields, endpoint, isKnown: place.shown > 0 });
    return Buffer.byteLength(formatJson(picked)) > session.room.bytes;
  };
  let hasAsked = false;
  // After a page that is not full nothing is likely to follow: that is paid for where somebody asks for it alone.
  const goesOn = () => read.state !== undefined && (read.more !== "unlikely" || (!hasAsked && rows.length === 0));
  while ((isFirst || goesOn()) && rows.length < wanted && !(await isFull())) {
    const page = await nextPage(session, place, read.state, calling).catch((error: unknown) => {
      if (rows.length === 0 || (calling.signal.aborted && !calling.isLate())) throw error;
      return error instanceof Error ? error : new Error(String(error));
    });
    if (page instanceof Error) return { ...read, rows, problem: page };
    rows.push(...page.rows);
    read = afterPage(read, page, isFirst);
    isFirst = false;
    hasAsked = true;
    calling.progress(Math.min(rows.length, wanted), wanted, `${rows.length} rows of ${place.endpoint.command}`);
  }
  return { ...read, rows };
}

function afterPage(read: Omit<Read, "rows">, page: Page, isFirst: boolean): Omit<Read, "rows"> {
  const { answer } = page;
  const { age } = answer;
  const isOver = page.next === undefined || answer.rows?.length === 0;
  return {
    state: isOver ? undefined : page.state(),
    more: moreAfter(page),
    units: read.units + (age === undefined ? answer.request.cost : 0),
    isList: answer.rows !== undefined,
    total: totalRows(answer) ?? read.total,
    around: isFirst ? aroundRows(page) : read.around,
    metadata: joined(read.metadata, metadataOf(answer)),
    age: age === undefined ? read.age : Math.max(age, read.age ?? 0),
    most: page.next === undefined && page.more === undefined ? page.rows.length : undefined,
  };
}

/** One page, and none ahead of its turn. */
async function nextPage(
  session: Session,
  { endpoint, params }: ListPlace,
  resume: JsonObject | undefined,
  { signal }: Calling,
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

function moreAfter({ more, next, answer }: Page): More {
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
function told(
  read: Read,
  { endpoint, shown, fields }: ListPlace,
  here: { readonly count: number; readonly wanted: number },
) {
  const notes: string[] = [];
  const isExport = endpoint.returns.shape === "csv";
  if (!read.isList) notes.push("The API answered with something that is no list: see around.");
  if (isExport && shown === 0 && read.rows.length >= MAX_EXPORT_ROWS) {
    notes.push(`An export is cut at ${MAX_EXPORT_ROWS} rows: for more, ask for shorter spans of time.`);
  }
  if (read.most !== undefined && read.most > 0 && !isExport) {
    notes.push(`${endpoint.command} gives at most ${read.most} rows, though there may be more.`);
  }
  if (read.problem) notes.push(`Reading stopped here: ${toSentence(read.problem)} The cursor tries again.`);
  if (here.count < Math.min(here.wanted, read.rows.length)) {
    const advice = fields ? "" : "; name fields to see more rows at a time";
    notes.push(`Fewer rows than asked for fit into one result${advice}.`);
  }
  return notes;
}

/** About how many bytes a place takes. */
function weight({ kept, state }: ListPlace): number {
  return Buffer.byteLength(formatJson([kept, state ?? null]));
}
