/** The page of a block. */
import { textLine } from "../../navigation/theme/text-line.ts";
import { endpointAt } from "../../widgets/cells.ts";
import { entityRecord } from "../entity/record.ts";
import { blockFacts } from "./summary.ts";

/** The block. */
export const BLOCK_DETAIL = endpointAt("/block/detail");
/** Its transactions. */
export const TRANSACTIONS = endpointAt("/block/transactions");

/** The page of a block. */
export const BLOCK = entityRecord({
  requests: { detail: { endpoint: BLOCK_DETAIL } },
  notes: ({ id, states: { detail } }) =>
    detail.problem?.exit === "notFound" && !detail.answer
      ? [textLine(`Slot ${id} has no block: it was skipped or does not exist yet.`, "warning")]
      : [],
  facts: ({ id, answers, clock, width }) => blockFacts(id, answers.detail, clock, width),
  tabs: [
    { name: "transactions", endpoint: TRANSACTIONS },
    { name: "programs", endpoint: endpointAt("/node/block/programs", "node") },
    { name: "accounts", endpoint: endpointAt("/node/block/accounts", "node") },
    { name: "rewards", endpoint: endpointAt("/node/block/rewards", "node") },
    { name: "raw", endpoint: BLOCK_DETAIL },
    { name: "distribution", endpoint: TRANSACTIONS },
  ],
  hasNeighbours: true,
});
