/** The page of a transaction. */
import { fieldOf, type Json, type JsonObject } from "../../../base/index.ts";
import { endpointAt } from "../../widgets/cells.ts";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import { type EntityView, entityRecord } from "../entity/record.ts";
import { accountRows } from "./accounts.ts";
import { balanceRows } from "./balances.ts";
import { costRows } from "./cost.ts";
import { failureOf } from "./failure.ts";
import { createFormatter, type TransactionFormatter } from "./formatter.ts";
import { instructionRows } from "./instructions.ts";
import { logRows } from "./logs.ts";
import { storyRows } from "./story.ts";
import { failureLines, transactionFacts } from "./summary.ts";

/** The actions: what a transaction did, in steps. */
export const ACTIONS = endpointAt("/transaction/actions");
/** The current fees. */
export const FEES = endpointAt("/transaction/fees");
const DETAIL = endpointAt("/transaction/detail");

type TransactionView = EntityView<"detail">;

/** Returns the rows of a tab from the details of a transaction, and from what the endpoint of the tab answered. */
export type TransactionRows = (
  detail: Json | undefined,
  formatter: TransactionFormatter,
  options: { readonly own: JsonObject | undefined; readonly unicode: boolean },
) => readonly TreeRow[];

/** The rows of tabs. */
export const TRANSACTION_ROWS = {
  overview: (detail, formatter, { own }) =>
    storyRows({ detail, actions: own, failure: failureOf(detail, formatter) }, formatter),
  instructions: (detail, formatter, { unicode }) => instructionRows(detail, formatter, unicode),
  balances: balanceRows,
  logs: logRows,
  accounts: accountRows,
  cost: (detail, formatter, { own, unicode }) => costRows({ detail, fees: own, unicode }, formatter),
} as const satisfies Readonly<Record<string, TransactionRows>>;

/** Returns the formatter of a transaction without prices, which are requested separately. */
function plainFormatter({ states: { detail }, clock, nameOf }: TransactionView): TransactionFormatter {
  return createFormatter(detail.answer?.data, fieldOf(detail.answer?.envelope, "metadata"), clock, { nameOf });
}

const rowsOf =
  (name: keyof typeof TRANSACTION_ROWS) =>
  (view: TransactionView, own: JsonObject | undefined): readonly TreeRow[] =>
    TRANSACTION_ROWS[name](view.answers.detail, plainFormatter(view), { own, unicode: view.unicode });

/** The page of a transaction. */
export const TRANSACTION = entityRecord({
  requests: { detail: { endpoint: DETAIL } },
  notes: (view) => {
    const failure = failureOf(view.answers.detail, plainFormatter(view));
    return failureLines(failure, view.width, view.unicode);
  },
  facts: (view) => {
    const formatter = plainFormatter(view);
    const { detail } = view.answers;
    const failure = failureOf(detail, formatter);
    return transactionFacts(detail, { failure, formatter, now: view.clock.now, unicode: view.unicode });
  },
  tabs: [
    { name: "overview", endpoint: ACTIONS, rows: rowsOf("overview") },
    { name: "instructions", endpoint: DETAIL, rows: rowsOf("instructions") },
    { name: "balances", endpoint: DETAIL, rows: rowsOf("balances") },
    { name: "logs", endpoint: DETAIL, rows: rowsOf("logs") },
    { name: "accounts", endpoint: DETAIL, rows: rowsOf("accounts") },
    { name: "cost", endpoint: FEES, params: () => ({}), rows: rowsOf("cost") },
    { name: "raw", endpoint: DETAIL },
  ],
});
