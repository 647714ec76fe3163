/** What monitoring asks a running index: `/metrics` for Prometheus, `/health` for supervisors. */
import type { IndexEvent, IndexProgress } from "../../chain/indexer/index.ts";
import type { HealthReport } from "../health-server.ts";
import { formatMetrics, type Metric } from "../usage/monitoring.ts";

/** Collects what an index reports. */
export class IndexHealth {
  readonly #index: string;
  #progress: IndexProgress | undefined;
  #isWaiting = false;
  #retries = 0;
  #failovers = 0;
  #rollbacks = 0;

  constructor(index: string) {
    this.#index = index;
  }

  readonly onEvent = (event: IndexEvent): void => {
    if (event.kind === "progress") this.#progress = event.progress;
    else if (event.kind === "waiting" || event.kind === "recovered") this.#isWaiting = event.kind === "waiting";
    else if (event.kind === "failover") this.#failovers += 1;
    else if (event.kind === "rollback") this.#rollbacks += 1;
  };

  readonly onRetry = (): void => {
    this.#retries += 1;
  };

  /** Returns the metrics in Prometheus's text format. Unknown values are omitted. */
  metrics(): string {
    const { slot, tip, lag, blocks, transactions, rows, rowsPerSecond, bytes, gaps, missingSlots } =
      this.#progress ?? {};
    const isKnown = blocks !== undefined && blocks > 0;
    const metrics: readonly Metric[] = [
      ["index_up", "Whether a node answers.", [this.#isWaiting ? 0 : 1]],
      ["index_slot", "The last slot of the index, of the blocks of this run.", [isKnown ? slot : undefined]],
      ["index_tip_slot", "The latest slot of the node.", [tip]],
      ["index_lag_slots", "Slots between the two.", [isKnown ? lag : undefined]],
      ["index_rows_per_second", "Rows written per second since the start.", [rowsPerSecond]],
      ["index_blocks_total", "Blocks written since the start.", [blocks]],
      ["index_transactions_total", "Transactions written since the start.", [transactions]],
      ["index_rows_total", "Rows written since the start.", [rows]],
      [
        "index_gaps",
        "Ranges of slots whose blocks no node has returned yet, or not in a form that can be stored.",
        [gaps],
      ],
      ["index_missing_slots", "Slots in these ranges.", [missingSlots]],
      ["index_retries_total", "Calls that were repeated.", [this.#retries]],
      ["index_failovers_total", "Times that another node took over.", [this.#failovers]],
      ["index_rollbacks_total", "Times that the cluster dropped blocks.", [this.#rollbacks]],
      ["index_bytes", "Size of the file.", [bytes]],
    ];
    return formatMetrics(metrics, { index: this.#index });
  }

  /** Returns what monitoring is told. */
  report(): HealthReport {
    const { slot = null, lag = null, gaps = null } = this.#progress ?? {};
    const status = { status: this.#isWaiting ? "waiting" : "ok", slot, lag, gaps };
    return { isHealthy: !this.#isWaiting, status, metrics: this.metrics() };
  }
}
