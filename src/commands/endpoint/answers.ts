/** Shared by commands that send requests: what is asked, how answers are displayed, and the file that they are written to. */
import { forgetText, isObject, type Json, SolxError, UsageError } from "../../base/index.ts";
import {
  type Endpoint,
  endpointByPath,
  type Family,
  integer,
  loadEntities,
  loadEntityShape,
  loadFields,
  type ParameterValues,
  recordOf,
  returnsList,
  VALIDATION_CODE,
  validateParameter,
} from "../../catalogue/index.ts";
import type { Answer, Page, SendOptions } from "../../client/index.ts";
import { type FieldSpec, isTable, parseFields, parsePath } from "../../output/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { ExportRequest } from "../file/open-output.ts";
import type { OutputFile } from "../file/output-file.ts";
import type { DisplayOptions, RunContext } from "../run/context.ts";
import type { DerivedFields } from "./derived-fields.ts";

/** The rows that `--limit` and `--all` request; without them, one page. */
export interface RequestedRows {
  readonly limit?: number;
  readonly all?: true;
  /** Rows before the first one. */
  readonly skip?: number;
}

/** What a command asks of an endpoint. */
export interface Query {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly requestedRows: RequestedRows;
}

/**
 * Returns the rows that `--limit` and `--all` request.
 * @throws UsageError for both, an invalid number or range, or an endpoint without rows
 */
export function parseRequestedRows({ globals: { limit, all } }: RunContext, endpoint: Endpoint): RequestedRows {
  if (limit === undefined && all === undefined) return {};
  if (limit !== undefined && all) throw new UsageError("--limit and --all cannot be used together");
  if (!returnsList(endpoint)) {
    throw new UsageError(
      `${all ? "--all" : "--limit"} cannot be used with ${endpoint.command}, which returns one ${endpoint.returns.shape}`,
    );
  }
  return limit === undefined ? { all: true } : parseLimit(limit);
}

/** Parses a number of rows, or the first and the last one, of which the last may be left out: `101..200`, `101..`. */
function parseLimit(text: string): RequestedRows {
  const [first = "", last = "", ...others] = text.split("..");
  if (!text.includes("..") || others.length > 0) return { limit: parseCount(text) };
  const skip = parseCount(first) - 1;
  const rows = last === "" ? { all: true as const } : { limit: parseCount(last, skip + 1) - skip };
  return skip === 0 ? rows : { ...rows, skip };
}

function parseCount(text: string, min = 1): number {
  const problem = validateParameter("limit", integer("", { min }), text);
  if (problem !== undefined) throw new UsageError(problem.message, { code: VALIDATION_CODE, invalid: problem.invalid });
  return Number(text);
}

/** Returns rows of a list as `--limit` takes them. */
export const limitText = (skip: number, limit: number): string =>
  skip === 0 ? String(limit) : `${skip + 1}..${skip + limit}`;

/** Returns the endpoint of a path that a command is built on. */
export function endpointAt(path: string, family: Family = "v2"): Endpoint {
  const endpoint = endpointByPath(family, path);
  if (!endpoint) throw new SolxError("unexpected", `no endpoint in the catalogue: ${path}`);
  return endpoint;
}

/** Returns the endpoint that reports the compute units of a key. */
export const usageEndpoint = (): Endpoint => endpointAt("/monitor/usage");

/** Requests the usage of the key of a client. */
export const fetchUsage = (client: ConnectedClient, options: SendOptions): Promise<Answer> =>
  client.fetch(usageEndpoint(), {}, options);

/** Returns how the answers of an endpoint are displayed. */
export function displayFor(endpoint: Endpoint): DisplayOptions {
  return {
    endpoint,
    entity: async () => {
      const shape = await loadEntityShape(endpoint.returns.entity);
      const [field] = shape.fields;
      // The only field of the entity describes a bare number.
      return endpoint.returns.shape === "number" && field !== undefined ? shape.field(field) : shape;
    },
    columns: endpoint.columns,
    identifier: endpoint.subject ?? endpoint.identity?.[0] ?? endpoint.echo,
  };
}

/**
 * Returns the fields that `--with` adds to rows; undefined without the option.
 * @throws UsageError for fields that the rows of the endpoint have no data for
 */
export async function deriveFields(context: RunContext, endpoint: Endpoint): Promise<DerivedFields | undefined> {
  if (context.globals.with === undefined) return undefined;
  return (await import("./derived-fields.ts")).openDerivedFields(context, endpoint);
}

/**
 * Runs work that prints, with the file of `--out` if given. When the work ends, the file is complete; when it fails, the
 * written part is saved for `--resume`, and the error says how to continue.
 * @throws UsageError before the work starts when the file cannot be written or belongs to another run
 */
export async function withOutputFile(
  context: RunContext,
  request: ExportRequest,
  work: (out: OutputFile | undefined) => Promise<void>,
): Promise<void> {
  const { out, resume, force, dryRun, curl } = context.globals;
  if (out === undefined && (resume || force)) {
    throw new UsageError(`${resume ? "--resume" : "--force"} needs --out.`, {
      hint: "Add --out FILE.",
    });
  }
  if (out === undefined || dryRun || curl) return work(undefined);
  const { openOutputFile } = await import("../file/open-output.ts");
  const file = await openOutputFile(context, out, request);
  if (!file) return;
  try {
    await work(file);
    await file.complete();
  } catch (error) {
    throw await file.fail(error);
  }
}

/**
 * Empties a page whose rows were written. Generators refer to the value that they yielded last while they wait for the
 * next one, so that a large page would stay in memory while another one is read.
 */
export function releasePage(page: Page): void {
  const { answer } = page;
  // Some rows are held longer, to find them on later pages.
  if (answer.rows) forgetText(answer.rows);
  Object.assign(answer, { body: "", data: null, rows: undefined, envelope: undefined } satisfies Partial<Answer>);
  Object.assign(page, { rows: [] } satisfies Partial<Page>);
}

interface BatchDisplay {
  /** Whether failures are printed as rows; then every row contains its identifier. */
  readonly printsFailures: boolean;
  /** Whether every row has its identifier as `input`, also one that contains it in another field. */
  readonly isLabelled: boolean;
  /** Whether each identifier returns one row. */
  readonly hasOneRowEach: boolean;
}

/**
 * Returns the fields of `--fields` with what a row is about: its identifier first, unless they name it, and with
 * `--batch inline` its error last.
 */
export async function identifiedFields(
  context: RunContext,
  { printsFailures, isLabelled }: Omit<BatchDisplay, "hasOneRowEach">,
) {
  const { fields, format } = await context.printer.options();
  if (fields === undefined) return {};
  const input = isLabelled && !namesField(fields, INPUT) ? [{ path: INPUT }] : [];
  const isShown = printsFailures && !namesField(fields, "error");
  const error = isShown ? [{ path: isTable(format) ? "error.message" : "error" }] : [];
  return { fields: [...input, ...fields, ...error] };
}

/** The field with the identifier of a row. */
const INPUT = "input";

/** Whether fields are a field of a row or in it. */
const namesField = (fields: readonly FieldSpec[], field: string) =>
  fields.some(({ path }) => parsePath(path)[0] === field);

/** Whether the selected fields need the identifier in every row, as `input`. */
export const selectsInput = ({ globals: { fields } }: RunContext, { echo }: Endpoint): boolean =>
  fields !== undefined && (echo === undefined || !namesField(parseFields(fields), echo));

/**
 * Adds the identifier to a row that does not contain it: as `input`, or as `identifier` if `input` is taken.
 * @param isLabelled whether a row that contains it in another field gets it, too
 */
export function labelRow(endpoint: Endpoint, value: Json, input: string, isLabelled: boolean): Json {
  const { echo } = endpoint;
  const row = recordOf(endpoint, value);
  if (!isObject(row)) return { input, data: row };
  if (echo !== undefined && row[echo] === input && !isLabelled) return row;
  return Object.hasOwn(row, "input") ? { identifier: input, ...row } : { input, ...row };
}

/**
 * Returns the display of an endpoint's rows for many identifiers: rows that do not contain their identifier start with
 * it. With `--batch inline`, all rows do, and there is a field for the error.
 */
export function displayWithInput(
  endpoint: Endpoint,
  { printsFailures, isLabelled, hasOneRowEach }: BatchDisplay,
): DisplayOptions {
  const display = displayFor(endpoint);
  if (endpoint.echo !== undefined && !isLabelled) return display;
  const error = printsFailures ? [{ path: "error.message", head: "error" }] : [];
  // The schema is fixed before the first row, so that all rows have the same fields.
  const entity = async () => {
    const [{ builders }, entities] = await Promise.all([loadFields(), loadEntities()]);
    const { shape } = entities[endpoint.returns.entity];
    const anyValue = builders.unknown().optional();
    const failure = builders.looseObject({ code: anyValue, message: anyValue, status: anyValue, retryable: anyValue });
    return builders.looseObject({
      input: builders.string(),
      ...shape,
      ...(printsFailures && { error: failure.optional() }),
    });
  };
  const identifier = hasOneRowEach ? "input" : display.identifier;
  return { columns: ["input", ...endpoint.columns, ...error], entity, identifier };
}
