/** Reads many rows of one list: chooses the method and reports the cost before the first row is written. */

import { type JsonObject, pluralize, UsageError } from "../../base/index.ts";
import { type Endpoint, pagedSourceOf } from "../../catalogue/index.ts";
import {
  type Effort,
  type ExportEstimate,
  findMissingColumns,
  type Page,
  requirePagedSibling,
  type SendOptions,
} from "../../client/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";
import { isUnlimited } from "../run/rate-limit-options.ts";
import { confirmCost, confirmListCost, formatMinutes } from "./cost.ts";
import type { RequestedRows } from "./requested-rows.ts";

/** A list of which more than one page is requested. */
export interface LongList {
  readonly client: ConnectedClient;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly requestedRows: RequestedRows;
  /** The state in which an earlier run stopped. */
  readonly resume: JsonObject | undefined;
  /** Confirms the cost of a walk. */
  readonly beforeWalk?: SendOptions["beforeWalk"];
}

/** Yields the pages of a list, or of an export by the method of `--via`. */
export async function* readLongList(context: RunContext, list: LongList): AsyncGenerator<Page, void> {
  const { client, endpoint, params, requestedRows, resume, beforeWalk } = list;
  const via = parseVia(context, endpoint, params);
  if (via === "pages") await reportMissingColumns(context, endpoint);
  const onEstimate = (estimate: ExportEstimate) => reportEstimate(context, endpoint, estimate);
  const { signal } = context.io;
  const options = { ...requestedRows, signal, resume, via, onEstimate, beforeWalk };
  const pages = client.pages(endpoint, params, options);
  const queried = via === "pages" ? requirePagedSibling(endpoint) : endpoint;
  const { limit } = requestedRows;
  yield* confirmListCost(context, { client, endpoint: queried, params, limit, isResumed: resume !== undefined }, pages);
}

/**
 * Returns the value of `--via`.
 * @throws UsageError when it is invalid or the endpoint does not support the method
 */
export function parseVia(
  { globals: { via, all, limit } }: RunContext,
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>> = {},
): "pages" | "export" | undefined {
  if (via === undefined) return undefined;
  if (via !== "pages" && via !== "export")
    throw new UsageError(`invalid value "${via}" for --via: expected export or pages`);
  if (endpoint.returns.shape !== "csv") {
    throw new UsageError(`--via only applies to exports: ${endpoint.command} is always read in pages.`, {
      hint: "Omit --via.",
    });
  }
  if (all === undefined && limit === undefined) {
    throw new UsageError("--via needs --all or --limit.", { hint: "Add --all." });
  }
  if (via === "pages") requirePagedSibling(endpoint, params);
  return via;
}

/** Reports which columns will be empty. */
async function reportMissingColumns(context: RunContext, endpoint: Endpoint): Promise<void> {
  const missing = await findMissingColumns(endpoint);
  if (missing.length === 0) return;
  const command = requirePagedSibling(endpoint).command;
  await context.reporter.note(`${missing.join(", ")} will be empty: only the export contains it, ${command} does not.`);
}

/** Reports the cost of an export that exceeds one answer, and of the alternative by pages. */
async function reportEstimate(context: RunContext, endpoint: Endpoint, estimate: ExportEstimate): Promise<void> {
  const { rows, exports, pages } = estimate;
  if (rows === undefined || exports === undefined) {
    return context.reporter.note("One export does not contain all rows: more follow, one per minute.");
  }
  const settings = await context.session.settings();
  const isTimed = !isUnlimited(settings);
  const text = (effort: Effort) => formatEffort(effort, isTimed);
  const missing = pagedSourceOf(endpoint) && pages ? await findMissingColumns(endpoint) : [];
  const without = missing.length > 0 ? `, without ${missing.join(", ")}` : "";
  const choice = pages ? ` By pages (--via pages): ${text(pages)}${without}.` : "";
  const cheaper = pages && context.globals.via === undefined ? " Using the export, which costs less." : "";
  await context.reporter.note(`About ${pluralize(rows, "row")}. By export: ${text(exports)}.${choice}${cheaper}`);
  await confirmCost(context, { label: endpoint.command, rows, isEstimate: true, ...exports });
}

function formatEffort({ requests, units, seconds }: Effort, isTimed: boolean): string {
  const time = isTimed ? `, ${formatMinutes(seconds)}` : "";
  return `${pluralize(requests, "request")}, ${pluralize(units, "unit")}${time}`;
}
