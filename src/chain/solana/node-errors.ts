/** What the errors of a node mean to its callers. The code of an error is the node's, or the HTTP status. */
import { SolxError } from "../../base/index.ts";

/** JSON-RPC error codes of a node that callers distinguish. */
export const NODE_ERROR = {
  cleanedUp: -32001,
  notYetAvailable: -32004,
  skipped: -32007,
  skippedOrMissing: -32009,
  excluded: -32010,
  historyUnavailable: -32011,
  unsupportedVersion: -32015,
  noSlotHistory: -32021,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

const REFUSED: ReadonlySet<number | string> = new Set([NODE_ERROR.excluded, NODE_ERROR.unknownMethod, 403, 410]);
const SKIPPED: ReadonlySet<number | string> = new Set([NODE_ERROR.skipped, NODE_ERROR.skippedOrMissing]);
const PRUNED: ReadonlySet<number | string> = new Set([
  ...[NODE_ERROR.cleanedUp, NODE_ERROR.historyUnavailable, NODE_ERROR.noSlotHistory],
]);

const hasCode = (error: unknown, codes: ReadonlySet<number | string>) =>
  error instanceof SolxError && codes.has(error.code);

/** Whether the node does not serve a method, or not for these keys, so that another method may help. */
export const isMethodRefused = (error: unknown): error is SolxError => hasCode(error, REFUSED);

/** Whether there is no block in a slot: it was skipped, or it is missing in the node's history. */
export const isSkippedSlot = (error: unknown): error is SolxError => hasCode(error, SKIPPED);

/** Whether the node does not have history as old as requested. */
export const isHistoryPruned = (error: unknown): error is SolxError => hasCode(error, PRUNED);
