/** Reads an export: window by window, or through the pages of the corresponding paged endpoint. */

import { toNumber } from "../../base/index.ts";
import { type Endpoint, MAX_EXPORT_ROWS, type ParameterValues } from "../../catalogue/index.ts";
import type { ReadOptions } from "../call.ts";
import type { ClientSettings } from "../options.ts";
import type { Page } from "../paging/page.ts";
import { prepare } from "../request/prepare.ts";
import type { Send, SendOptions, SourceFacts } from "../source.ts";
import { requirePagedSibling, toExportPages } from "./paged-export.ts";
import { readExportWindows } from "./read-windows.ts";

type Options = SendOptions & ReadOptions;

/** An export and the client that reads it. */
export interface ExportCall {
  readonly endpoint: Endpoint;
  readonly params: ParameterValues;
  readonly settings: ClientSettings;
  readonly rate: SourceFacts["rate"];
  readonly send: Send;
  /** Reads a paged list. */
  readonly pages: (endpoint: Endpoint, params: ParameterValues, options: Options) => AsyncGenerator<Page, void>;
}

/** Whether more rows are requested than one export contains. */
export function isLongExport({ returns }: Endpoint, { all, limit = 0, via }: ReadOptions): boolean {
  return returns.shape === "csv" && (all === true || limit > MAX_EXPORT_ROWS || via === "pages");
}

/**
 * Reads an export.
 * @throws UsageError when pages are requested and there are none
 */
export async function* readExport(call: ExportCall, options: Options): AsyncGenerator<Page, void> {
  const { endpoint, params, settings, rate } = call;
  const { via, limit, all, resume, onEstimate, ...sending } = options;
  if (via === "pages") {
    const paged = call.pages(requirePagedSibling(endpoint, params), params, { ...sending, limit, all, resume });
    return yield* toExportPages(endpoint, paged);
  }
  const start = toNumber(resume?.start) ?? settings.now();
  // A long export waits for its next minute however long that takes.
  const waitOptions = settings.wait ? { maxWaitMs: Number.POSITIVE_INFINITY } : {};
  const { signal } = sending;
  yield* readExportWindows(
    {
      endpoint,
      params,
      now: start,
      rate,
      onEvent: settings.onEvent,
      sleep: settings.wait ? (milliseconds) => settings.sleep(milliseconds, signal) : undefined,
      fetch: (requested, pageParams) =>
        call.send(prepare(requested, pageParams, { now: () => start }), {
          priority: "background",
          ...waitOptions,
          ...sending,
        }),
    },
    { limit, resume, onEstimate },
  );
}
