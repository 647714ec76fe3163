/** What an endpoint's command does: checks, asks, prints. */
import { chunksOf } from "../base/chunks.ts";
import { CheckError, SolxError, UsageError } from "../base/errors.ts";
import { isObject, type Json } from "../base/json.ts";
import { commandLine } from "../catalogue/command-line.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { messages, VALIDATION_CODE } from "../catalogue/errors.ts";
import { positionalOf } from "../catalogue/index.ts";
import { integer, type Param } from "../catalogue/param.ts";
import { problemOf } from "../catalogue/validate.ts";
import type { Answer, Page } from "../client/index.ts";
import type { Content } from "../output/index.ts";
import { shownAs } from "./answers.ts";
import type { Frame, Shown } from "./frame.ts";
import { identifiers } from "./identifiers.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** How many rows are wanted, as the global options say. */
export interface Wanted {
  readonly limit?: number;
  readonly all?: true;
}

/** Runs the command of an endpoint with what was typed: identifiers and the texts of options. */
export async function runEndpoint(
  frame: Frame,
  endpoint: Endpoint,
  args: readonly string[],
  values: Parameters,
): Promise<void> {
  // What cannot be printed is refused before anything else.
  await frame.outputOptions();
  const [name, param] = positionalOf(endpoint) ?? [];
  const wanted = wantedRows(frame, endpoint);
  if (name === undefined || param === undefined) return runOne(frame, endpoint, values, wanted);
  const { [name]: fromOption = [], ...others } = values;
  const given = await identifiers(frame, [...args, ...(fromOption as string[])]);
  if (given.length === 0) throw missing(endpoint, name, param);
  const requests = requestsFor(endpoint, given, param);
  const [only] = requests;
  // A file or a pipe is a list, also on the day when it has one line.
  const isList = param.arity === "one" && args.some((arg) => arg === "-" || arg.startsWith("@"));
  if (requests.length === 1 && only && !isList) return runOne(frame, endpoint, { ...others, [name]: only }, wanted);
  if (frame.globals.dryRun || frame.globals.curl) {
    const { showMany } = await import("./show-requests.ts");
    return showMany(frame, endpoint, { name, requests, params: others, wanted });
  }
  const { runMany } = await import("./run-many.ts");
  return runMany(frame, { endpoint, name, ids: given, requests, params: others, wanted });
}

/** The identifiers of each request: all together where one request takes a list, else one by one. */
function requestsFor(endpoint: Endpoint, ids: readonly string[], param: Param): (string | string[])[] {
  if (param.arity === "one") return [...ids];
  const size = param.maxItems ?? 1;
  const unique = [...new Set(ids)];
  if (!endpoint.path.endsWith("/multi") || unique.length <= size) return [unique];
  return chunksOf(unique, size);
}

function missing(endpoint: Endpoint, name: string, param: Param): UsageError {
  const example = commandLine(endpoint, endpoint.examples[0]?.params ?? {});
  return new UsageError(messages.required(name), {
    code: VALIDATION_CODE,
    hint: `Give the ${param.description.toLowerCase()}, e.g. ${example}`,
  });
}

/** The rows that `--limit` and `--all` ask for. */
export function wantedRows({ globals: { limit, all } }: Frame, endpoint: Endpoint): Wanted {
  if (limit === undefined && all === undefined) return {};
  if (limit !== undefined && all)
    throw new UsageError("--limit and --all contradict each other.", { hint: "Give one of them." });
  if (endpoint.returns.shape === "object") {
    throw new UsageError(`${endpoint.command} gives one object: there are no rows for ${all ? "--all" : "--limit"}.`);
  }
  if (limit === undefined) return { all: true };
  const problem = problemOf("limit", integer("", { min: 1 }), limit);
  if (problem !== undefined) throw new UsageError(problem, { code: VALIDATION_CODE });
  return { limit: Number(limit) };
}

async function runOne(frame: Frame, endpoint: Endpoint, params: Parameters, wanted: Wanted): Promise<void> {
  const { dryRun, curl } = frame.globals;
  if (dryRun || curl) return (await import("./show-requests.ts")).showOne(frame, endpoint, { params, wanted });
  const client = await frame.client();
  const { signal } = frame.io;
  const pages = client.pages(endpoint, params, { ...wanted, signal });
  await printList(frame, endpoint, { pages, wanted, shown: shownAs(endpoint) });
}

/** A list on its way. */
export interface List {
  readonly pages: AsyncGenerator<Page, void>;
  /** What was asked for, to tell how to get more. */
  readonly wanted: Wanted;
  readonly shown: Shown;
}

/** Prints a list as its pages arrive; an answer that is no list is printed as it is. */
export async function printList(frame: Frame, endpoint: Endpoint, { pages, wanted, shown }: List): Promise<void> {
  const { value: first } = await pages.next();
  if (!first) return;
  const read = { page: first, rows: first.rows.length };
  const list = async function* () {
    yield first.rows;
    try {
      for await (const page of pages) {
        read.page = page;
        read.rows += page.rows.length;
        yield page.rows;
      }
    } catch (error) {
      throw error instanceof SolxError ? afterRows(error, read.rows) : error;
    }
  };
  const { rows } = await frame.print(contentOf(frame, first.answer, list()), shown);
  await frame.finish();
  if (first.answer.rows === undefined) return;
  await tellMore(frame, endpoint, read.page, { wanted, rows: read.rows });
  if (rows === 0 && frame.globals.failEmpty) throw new CheckError("There are no rows.", { code: "EMPTY" });
}

/** A failure in the middle of a list says how much of it was written. */
function afterRows(error: SolxError, count: number): SolxError {
  const { exit, code, status, retryable, retryAfter, hint, cause } = error;
  const details = { code, retryable, cause, ...(status === undefined ? {} : { status }), ...(hint ? { hint } : {}) };
  const told = `${error.message} ${count} rows were written before that.`;
  return new SolxError(exit, told, { ...details, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

/** The form in which an answer is printed: rows with what is around them, or one value. */
function contentOf(frame: Frame, answer: Answer, pages: AsyncIterable<readonly Json[]>): Content {
  const { envelope, data, rows, at } = answer;
  const whole = frame.globals.envelope && envelope !== undefined;
  if (rows === undefined) return { kind: "object", value: whole ? envelope : data };
  if (whole) return { kind: "rows", pages, frame: { value: envelope, at: at === undefined ? ["data"] : ["data", at] } };
  return { kind: "rows", pages, ...(at !== undefined && isObject(data) ? { frame: { value: data, at: [at] } } : {}) };
}

/** Tells a person that a list was cut, and how to get the rest. */
async function tellMore(
  frame: Frame,
  endpoint: Endpoint,
  page: Page,
  { wanted, rows }: { readonly wanted: Wanted; readonly rows: number },
): Promise<void> {
  if (wanted.limit !== undefined && rows < wanted.limit && endpoint.paging === "limit" && page.more !== false) {
    return frame.note(`${endpoint.command} gives at most ${rows} rows.`);
  }
  if (wanted.limit !== undefined || wanted.all || page.more === false || rows === 0) return;
  const more = endpoint.paging === "limit" ? "--limit 100" : "--limit 100, or everything with --all";
  await frame.hint(`${rows} rows; there may be more: add ${more}.`);
}
