/** Many rows of one list: the way to them, and what they cost, said before the first one is written. */

import { UsageError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { pluralize } from "../../base/text.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { findMissingColumns, pagedSibling, requirePagedSibling } from "../../client/export/paged-export.ts";
import type { Client, Effort, ExportEstimate, Page } from "../../client/index.ts";
import type { RunContext } from "../run/context.ts";
import { isUnlimited } from "../run/rate-limit-options.ts";
import { confirmCost, confirmListCost, formatMinutes } from "./cost.ts";
import type { RequestedRows } from "./run-endpoint.ts";

/** A list of which more is wanted than a page. */
export interface LongList {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly wanted: RequestedRows;
  /** Where an earlier run stopped. */
  readonly resume: JsonObject | undefined;
}

/** The pages of a list, or of an export by the way that `--via` says. */
export async function* readLongList(context: RunContext, list: LongList): AsyncGenerator<Page, void> {
  const { client, endpoint, params, wanted, resume } = list;
  const via = parseVia(context, endpoint, params);
  if (via === "pages") await reportMissingColumns(context, endpoint);
  const onEstimate = (estimate: ExportEstimate) => reportEstimate(context, endpoint, estimate);
  const { signal } = context.io;
  const pages = client.pages(endpoint, params, { ...wanted, signal, resume, via, onEstimate });
  const queried = via === "pages" ? requirePagedSibling(endpoint) : endpoint;
  const { limit } = wanted;
  yield* confirmListCost(context, { client, endpoint: queried, params, limit, isBegun: resume !== undefined }, pages);
}

/**
 * What `--via` says.
 * @throws UsageError where it is no way, or there is no such way to the rows
 */
export function parseVia(
  { globals: { via, all, limit } }: RunContext,
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>> = {},
): "pages" | "export" | undefined {
  if (via === undefined) return undefined;
  if (via !== "pages" && via !== "export") throw new UsageError(`--via must be export or pages, not ${via}.`);
  if (endpoint.returns.shape !== "csv") {
    throw new UsageError(`--via is for exports: ${endpoint.command} comes in pages anyway.`, {
      hint: "Leave it away.",
    });
  }
  if (all === undefined && limit === undefined) {
    throw new UsageError("--via says how many rows are read: it needs --all or --limit.", { hint: "Add --all." });
  }
  if (via === "pages") requirePagedSibling(endpoint, params);
  return via;
}

/** Says which columns will be empty. */
async function reportMissingColumns(context: RunContext, endpoint: Endpoint): Promise<void> {
  const missing = await findMissingColumns(endpoint);
  if (missing.length === 0) return;
  const command = requirePagedSibling(endpoint).command;
  await context.reporter.note(`${missing.join(", ")} will be empty: only the export has it, ${command} does not.`);
}

/** Says what an export takes that one answer does not hold, beside the other way to its rows. */
async function reportEstimate(context: RunContext, endpoint: Endpoint, estimate: ExportEstimate): Promise<void> {
  const { rows, exports, pages } = estimate;
  if (rows === undefined || exports === undefined) {
    return context.reporter.note("One export does not hold all rows: more follow, one a minute.");
  }
  const settings = await context.settings();
  const isTimed = !isUnlimited(settings);
  const text = (effort: Effort) => formatEffort(effort, isTimed);
  const missing = pagedSibling(endpoint) && pages ? await findMissingColumns(endpoint) : [];
  const without = missing.length > 0 ? `, without ${missing.join(", ")}` : "";
  const choice = pages ? ` By pages (--via pages): ${text(pages)}${without}.` : "";
  const cheaper = pages && context.globals.via === undefined ? " The export is taken, which costs less." : "";
  await context.reporter.note(`About ${pluralize(rows, "row")}. By export: ${text(exports)}.${choice}${cheaper}`);
  await confirmCost(context, { what: endpoint.command, rows, isEstimate: true, ...exports });
}

function formatEffort({ requests, units, seconds }: Effort, isTimed: boolean): string {
  const time = isTimed ? `, ${formatMinutes(seconds)}` : "";
  return `${pluralize(requests, "request")}, ${pluralize(units, "unit")}${time}`;
}
