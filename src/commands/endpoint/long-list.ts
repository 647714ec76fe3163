/** Reads many rows of one list: chooses the method and reports the cost before the first row is written. */

import { type JsonObject, pluralize } from "../../base/index.ts";
import { type Endpoint, pagedSourceOf } from "../../catalogue/index.ts";
import {
  type Effort,
  type ExportEstimate,
  findMissingColumns,
  type Page,
  type SendOptions,
} from "../../client/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import { isUnlimited } from "../run/client-options.ts";
import type { RunContext } from "../run/context.ts";
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

/** Yields the pages of a list, or of an export. */
export async function* readLongList(context: RunContext, list: LongList): AsyncGenerator<Page, void> {
  const { client, endpoint, params, requestedRows, resume, beforeWalk } = list;
  const onEstimate = (estimate: ExportEstimate) => reportEstimate(context, endpoint, estimate);
  const { signal } = context.io;
  const options = { ...requestedRows, signal, resume, onEstimate, beforeWalk };
  const pages = client.pages(endpoint, params, options);
  const { limit } = requestedRows;
  yield* confirmListCost(context, { client, endpoint, params, limit, isResumed: resume !== undefined }, pages);
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
  const paged = pages && pagedSourceOf(endpoint);
  const missing = paged ? await findMissingColumns(endpoint) : [];
  const without = missing.length > 0 ? `, without ${missing.join(", ")}` : "";
  const other = paged ? ` By pages (solx ${paged.command}): ${text(pages)}${without}.` : "";
  await context.reporter.note(`About ${pluralize(rows, "row")}. By export: ${text(exports)}.${other}`);
  await confirmCost(context, { label: endpoint.command, rows, isEstimate: true, ...exports });
}

function formatEffort({ requests, units, seconds }: Effort, isTimed: boolean): string {
  const time = isTimed ? `, ${formatMinutes(seconds)}` : "";
  return `${pluralize(requests, "request")}, ${pluralize(units, "unit")}${time}`;
}
