/** The v2 account endpoints. */
import { omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { firstRow, transactionOfRow } from "../../store/schema.ts";
import { defiRecords, defiRows, defiSubject } from "../defi.ts";
import { notFoundError, type QueriesByRoute, type Query } from "../query.ts";
import { amountOf, asText, exactDollars, idOrUnknown, pageLimits, sortDirection } from "../sql.ts";
import { transactionRows } from "../transaction/summaries.ts";
import { transactionIdOf, votesOf } from "../transaction/votes.ts";
import { transferRecords, transferRows, transferSubject, transferTotal } from "../transfers.ts";
import { balanceChange } from "./changes.ts";
import { dataDecoded } from "./data.ts";
import { transactionsEnhanced } from "./enhanced.ts";
import { portfolio, tokenAccounts } from "./holdings.ts";
import { fundedBy, metadata, metadataMulti } from "./metadata.ts";
import { rewardExport, stakeReward } from "./rewards.ts";
import { stake } from "./stakes.ts";
import { ROUNDED_RENT_EPOCH, stateOf } from "./state.ts";

/** `/account/detail`; an unknown account is an empty wallet in a simulated chain. */
const detail: Query = ({ db, params }) => {
  const account = params.required("address");
  const state = stateOf(db, account);
  return {
    data: omitMissing({
      account,
      lamports: state.lamports === undefined ? undefined : amountOf(state.lamports),
      type: state.kind,
      executable: state.kind === undefined ? undefined : state.executable,
      owner_program: state.ownerProgram,
      rent_epoch: db.facts.assume(ROUNDED_RENT_EPOCH),
      is_oncurve: state.onCurve,
    }),
  };
};

/**
 * Returns the ids of the transactions that name an account, newest first.
 * @param before only transactions before this signature, which need not name the account
 * @throws UnknownSubjectError when the ledger does not contain `before`
 */
export function transactionsOf(
  db: LedgerReader,
  address: string,
  before: string | undefined,
  limit: number,
): readonly number[] {
  const cursor = before === undefined ? undefined : transactionIdOf(db, before);
  if (before !== undefined && cursor === undefined) throw notFoundError("Transaction");
  const [account, end] = [idOrUnknown(db, address), cursor === undefined ? Number.MAX_SAFE_INTEGER : firstRow(cursor)];
  const ids = db
    .all("SELECT id FROM account_keys WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?", account, end, limit)
    .map((row) => transactionOfRow(Number(row.id)));
  const votes = votesOf(db, account, end, limit);
  return votes.length === 0 ? ids : [...ids, ...votes].sort((a, b) => b - a).slice(0, limit);
}

const transactions: Query = ({ db, params }) => {
  const limit = params.integer("limit") ?? 10;
  return {
    data: transactionRows(db, transactionsOf(db, params.required("address"), params.text("before"), limit)),
  };
};

/** Columns of the table `wealth` by sort key. */
const WEALTH: Readonly<Record<string, string>> = {
  sol_values: "sol",
  stake_values: "stakes",
  token_values: "tokens",
  total_values: "total",
};

/** Without prices, accounts are listed by their SOL, and values are unknown. */
const leaderboardByLamports: Query = ({ db, params }) => {
  const direction = sortDirection(params);
  const holders =
    "balances b CROSS JOIN accounts a ON a.id = b.account_id WHERE b.token_id = 1 AND b.amount > 0 AND a.kind IN ('system_account', 'unknown')";
  const rows = db.all(
    `SELECT b.account_id FROM ${holders} ORDER BY b.amount ${direction}, b.account_id ${direction} LIMIT ? OFFSET ?`,
    ...pageLimits(params),
  );
  return {
    data: {
      data: rows.map((row) => ({ account: db.addressOf(Number(row.account_id)) })),
      total: Number(db.get(`SELECT count(*) AS total FROM ${holders}`)?.total),
    },
  };
};

const leaderboard: Query = (context) => {
  const { db, params } = context;
  if (!db.facts.hasPrices && !db.get("SELECT 1 FROM prices LIMIT 1")) return leaderboardByLamports(context);
  const column = WEALTH[params.required("sort_by")] ?? "total";
  const direction = sortDirection(params);
  const rows = db.all(
    `SELECT account_id, ${asText("sol")} AS sol, ${asText("tokens")} AS tokens, ${asText("stakes")} AS stakes,
      ${asText("total")} AS total
    FROM wealth w ORDER BY w.${column} ${direction}, w.account_id ${direction} LIMIT ? OFFSET ?`,
    ...pageLimits(params),
  );
  return {
    data: {
      data: rows.map((row) => ({
        account: db.addressOf(Number(row.account_id)),
        sol_values: exactDollars(row.sol),
        token_values: exactDollars(row.tokens),
        stake_values: exactDollars(row.stakes),
        total_values: exactDollars(row.total),
      })),
      total: Number(db.get("SELECT count(*) AS total FROM wealth")?.total),
    },
  };
};

/** Queries of the v2 account endpoints. */
export const accountQueries: QueriesByRoute = {
  "v2-account-detail": detail,
  "v2-account-data-decoded": dataDecoded,
  "v2-account-transfer": (context) => ({
    data: transferRows(context, transferSubject(context.db, context.params.required("address"))),
  }),
  "v2-account-defi-activities": (context) => ({
    data: defiRows(context, defiSubject(context.db, context.params.required("address"))),
  }),
  "v2-account-balance-change": balanceChange,
  "v2-account-transactions": transactions,
  "v2-account-transactions-enhanced": transactionsEnhanced,
  "v2-account-portfolio": portfolio,
  "v2-account-token-accounts": tokenAccounts,
  "v2-account-stake": stake,
  "v2-account-reward-export": rewardExport,
  "v2-account-transfer-export": (context) => ({
    csv: transferRecords(context, transferSubject(context.db, context.params.required("address"))),
  }),
  "v2-account-defi-activities-export": (context) => ({
    csv: defiRecords(context, defiSubject(context.db, context.params.required("address"))),
  }),
  "v2-account-stake-reward": stakeReward,
  "v2-account-transfer-total": (context) => ({
    data: transferTotal(context, transferSubject(context.db, context.params.required("address"))),
    metadata: {},
  }),
  "v2-account-funded-by": fundedBy,
  "v2-account-metadata": metadata,
  "v2-account-metadata-multi": metadataMulti,
  "v2-account-leaderboard": leaderboard,
};
