/** The page of a transaction. */
import { countOf, fieldOf, type JsonObject } from "../../../base/index.ts";
import { endpointAt } from "../../widgets/cells.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { TRANSACTIONS } from "../block/record.ts";
import { type EntityView, entityRecord } from "../entity/record.ts";
import { accountRows, balanceRows } from "./balances.ts";
import { failureOf, logRows } from "./calls.ts";
import { costRows } from "./cost.ts";
import { createFormatter, type TransactionFormatter } from "./formatter.ts";
import { instructionRows } from "./instructions.ts";
import { storyRows } from "./story.ts";
import { failureLines, transactionFacts } from "./summary.ts";

const ACTIONS = endpointAt("/transaction/actions");
const DETAIL = endpointAt("/transaction/detail");

interface TransactionView extends EntityView<"detail"> {
  /** Knows the prices of its tokens; plain mode requests none. */
  readonly formatter?: TransactionFormatter;
}

function formatterOf({ formatter, states: { detail }, clock, nameOf }: TransactionView): TransactionFormatter {
  const metadata = fieldOf(detail.answer?.envelope, "metadata");
  return formatter ?? createFormatter(detail.answer?.data, metadata, clock, { nameOf });
}

/** The transactions of its block that its fee is compared with. */
const MAX_PAGE_SIZE = 100;

/** From this width on the summary has space for notes in parentheses. */
const MIN_NOTES_WIDTH = 72;

const rowsTab = <T extends string>(
  name: T,
  rowsOf: (detail: JsonObject | undefined, formatter: TransactionFormatter, unicode: boolean) => readonly TreeRow[],
) => ({
  name,
  endpoint: DETAIL,
  rows: (view: TransactionView) => rowsOf(view.answers.detail, formatterOf(view), view.unicode),
});

/** The page of a transaction. */
export const TRANSACTION = entityRecord({
  requests: { detail: { endpoint: DETAIL } },
  notes: (view: TransactionView) =>
    failureLines(failureOf(view.answers.detail, formatterOf(view)), view.width, view.unicode),
  facts: (view: TransactionView) =>
    transactionFacts(view.answers.detail, {
      formatter: formatterOf(view),
      now: view.clock.now,
      unicode: view.unicode,
      isBrief: view.width < MIN_NOTES_WIDTH,
    }),
  tabs: [
    {
      name: "overview",
      endpoint: ACTIONS,
      rows: (view: TransactionView, actions) => storyRows({ detail: view.answers.detail, actions }, formatterOf(view)),
    },
    rowsTab("instructions", instructionRows),
    rowsTab("balances", balanceRows),
    rowsTab("logs", logRows),
    rowsTab("accounts", accountRows),
    {
      name: "cost",
      endpoint: TRANSACTIONS,
      params: (_id, { detail }) => ({
        block: countOf(detail?.block_id) ?? 0,
        exclude_vote: true,
        page_size: MAX_PAGE_SIZE,
      }),
      rows: (view: TransactionView, block) =>
        costRows({ detail: view.answers.detail, block, unicode: view.unicode }, formatterOf(view)),
    },
    { name: "raw", endpoint: DETAIL },
  ],
  panes: [
    { tab: "overview", minimum: { width: 54, height: 15 }, weight: 5 },
    { tab: "instructions", minimum: { width: 54, height: 18 }, weight: 6 },
    { tab: "balances", minimum: { width: 62, height: 12 }, weight: 4 },
    { tab: "cost", minimum: { width: 54, height: 14 }, weight: 3 },
    { tab: "accounts", minimum: { width: 62, height: 12 }, weight: 4 },
  ],
});
