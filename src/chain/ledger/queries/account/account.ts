/** The account endpoints. */

import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import { rowRange, SOL, transactionOfRow } from "../../store/schema.ts";
import { findTransactionId, placeOf } from "../../store/votes.ts";
import { defiRecords, defiRows, defiSubject } from "../defi.ts";
import { notFoundError, type QueriesByRoute, type Query, type QueryContext } from "../query.ts";
import {
  amountOf,
  asText,
  columnNumber,
  columnText,
  exactDollars,
  idOrUnknown,
  pageLimits,
  sortDirection,
  unixTimeOf,
  volumeOf,
} from "../sql.ts";
import { uiAmountOf } from "../transaction/arguments.ts";
import {
  failureField,
  readSigners,
  readSummaryRow,
  statusOf,
  summarizeInstructions,
  transactionRows,
} from "../transaction/head.ts";
import { transferRecords, transferRows, transferSubject, transferTotal } from "../transfers.ts";
import { balanceChange, exportTransactions, solTransfers, splTransfers } from "./changes.ts";
import { dataDecoded } from "./data.ts";
import { transactionsEnhanced } from "./enhanced.ts";
import { portfolio, tokenAccounts } from "./holdings.ts";
import { readRewards, readStakes, rewardExport, rewardRecords, stake, stakeReward } from "./stakes.ts";
import { fundedBy, metadata, metadataMulti, RENT_EPOCH, ROUNDED_RENT_EPOCH, readState } from "./state.ts";

/** `/account/detail`; an unknown account is an empty wallet in a simulated chain. */
const detail: Query = ({ db, params }) => {
  const account = params.required("address");
  const state = readState(db, account);
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
function readTransactions(db: LedgerReader, address: string, before: string | undefined, limit: number) {
  const cursor = before === undefined ? undefined : findTransactionId(db, before);
  if (before !== undefined && cursor === undefined) throw notFoundError("Transaction");
  const end = cursor === undefined ? Number.MAX_SAFE_INTEGER : placeOf(cursor);
  const sql = "SELECT id FROM account_keys WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?";
  return db.all(sql, idOrUnknown(db, address), end, limit).map((row) => transactionOfRow(Number(row.id)));
}

const transactions: Query = ({ db, params }) => {
  const limit = params.integer("limit") ?? 10;
  return {
    data: transactionRows(db, readTransactions(db, params.required("address"), params.text("before"), limit)),
  };
};

/** Columns of the table `wealth` by sort key. */
const WEALTH: Readonly<Record<string, string>> = {
  sol_values: "sol",
  stake_values: "stakes",
  token_values: "tokens",
  total_values: "total",
};

const leaderboard: Query = ({ db, params }) => {
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
      data: mapRows(rows, (row) => ({
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

const tokens: Query = ({ db, params }) => {
  const rows = db.all(
    `SELECT a.account_id, a.token_id, n.name, n.symbol, n.icon, n.decimals, ${asText("ifnull(b.amount, 0)")} AS amount,
      ${asText("l.amount")} AS lamports
    FROM token_accounts a CROSS JOIN tokens n ON n.id = a.token_id
    LEFT JOIN balances b ON b.account_id = a.account_id AND b.token_id = a.token_id
    LEFT JOIN balances l ON l.account_id = a.account_id AND l.token_id = ${SOL}
    WHERE a.owner_id = ? AND a.closed = 0 ORDER BY a.account_id`,
    idOrUnknown(db, params.required("account")),
  );
  return {
    data: mapRows(rows, (row) =>
      omitMissing({
        tokenAddress: db.addressOf(Number(row.token_id)),
        tokenAmount: uiAmountOf(String(row.amount), columnNumber(row.decimals)),
        tokenAccount: db.addressOf(Number(row.account_id)),
        tokenName: columnText(row.name),
        tokenSymbol: columnText(row.symbol),
        tokenIcon: columnText(row.icon) ?? db.facts.assume(""),
        rentEpoch: db.facts.assume(RENT_EPOCH),
        lamports: row.lamports === null ? db.facts.assume(amountOf(0)) : amountOf(row.lamports),
      }),
    ),
  };
};

function lamportsMoved(db: LedgerReader, transaction: number): bigint {
  const rows = db.all(
    `SELECT ${asText("amount")} AS amount FROM transfers WHERE id >= ? AND id < ? AND token_id = ${SOL}`,
    ...rowRange(transaction),
  );
  return rows.reduce((sum, { amount }) => sum + BigInt(String(amount)), 0n);
}

function transactionOfAccount(db: LedgerReader, id: number): JsonObject {
  const head = readSummaryRow(db, id);
  const { summaries, topPrograms } = summarizeInstructions(db, id);
  return {
    ...omitMissing({ blockTime: unixTimeOf(db, head?.time) }),
    slot: Number(head?.slot),
    txHash: String(head?.signature),
    fee: amountOf(head?.fee),
    status: statusOf(head?.error),
    ...failureField(db, { id, error: head?.error }, topPrograms),
    lamport: amountOf(lamportsMoved(db, id)),
    signer: readSigners(db, id),
    parsedInstruction: summaries.map(({ program_id, type, ...program }) => ({
      programId: program_id,
      type,
      ...program,
    })),
  };
}

const legacyTransactions: Query = ({ db, params }) => {
  const limit = params.integer("limit") ?? 10;
  const ids = readTransactions(db, params.required("account"), params.text("beforeHash"), limit);
  return { data: mapRows(ids, (id) => transactionOfAccount(db, id)) };
};

const stakeAccounts: Query = ({ db, params }) => ({
  data: readStakes(db, params.required("account")).map((stake) => ({
    ...omitMissing({ voter: stake.voter }),
    amount: String(stake.delegated),
    type: stake.status,
    stakeAccount: db.addressOf(stake.id),
    staker: stake.staker,
    role: stake.roles,
  })),
});

function tokenInfo(db: LedgerReader, token: number): JsonObject {
  const row = db.get(
    `SELECT n.name, n.symbol, n.decimals, n.kind, n.mint_authority_id, s.price, s.trades_24h AS trades,
      ${asText("s.volume_24h")} AS volume, ${asText("s.supply")} AS supply
    FROM tokens n LEFT JOIN token_stats s ON s.token_id = n.id WHERE n.id = ?`,
    token,
  );
  if (!row) return {};
  return {
    tokenInfo: {
      ...omitMissing({
        name: columnText(row.name),
        symbol: columnText(row.symbol),
        price: columnNumber(row.price),
        volume: volumeOf(db, row.volume, row.trades),
        decimals: columnNumber(row.decimals),
      }),
      tokenAuthority: row.mint_authority_id === null ? null : db.addressOf(Number(row.mint_authority_id)),
      ...omitMissing({ supply: columnText(row.supply ?? db.facts.assume(0)) }),
      type: row.kind === "nft" ? "nft" : "token_address",
    },
  };
}

const legacyDetail: Query = ({ db, params }) => {
  const account = params.required("account");
  const state = readState(db, account);
  return {
    data: {
      ...omitMissing({
        account,
        lamports: state.lamports === undefined ? undefined : amountOf(state.lamports),
        ownerProgram: state.ownerProgram,
        type: state.kind,
        rentEpoch: db.facts.assume(RENT_EPOCH),
        executable: state.kind === undefined ? undefined : state.executable,
      }),
      ...tokenInfo(db, state.tokenId ?? state.id),
    },
  };
};

const transfersOf = ({ db, params }: QueryContext) => transferSubject(db, params.required("address"));
const activitiesOf = ({ db, params }: QueryContext) => defiSubject(db, params.required("address"));

/** The account endpoints. */
export const accountQueries: QueriesByRoute = {
  "v2-account-detail": detail,
  "v2-account-data-decoded": dataDecoded,
  "v2-account-transfer": (context) => ({ data: transferRows(context, transfersOf(context)) }),
  "v2-account-defi-activities": (context) => ({ data: defiRows(context, activitiesOf(context)) }),
  "v2-account-balance-change": balanceChange,
  "v2-account-transactions": transactions,
  "v2-account-transactions-enhanced": transactionsEnhanced,
  "v2-account-portfolio": portfolio,
  "v2-account-token-accounts": tokenAccounts,
  "v2-account-stake": stake,
  "v2-account-reward-export": rewardExport,
  "v2-account-transfer-export": (context) => ({ csv: transferRecords(context, transfersOf(context)) }),
  "v2-account-defi-activities-export": (context) => ({ csv: defiRecords(context, activitiesOf(context)) }),
  "v2-account-stake-reward": stakeReward,
  "v2-account-transfer-total": (context) => ({
    data: transferTotal(context, transfersOf(context)),
    metadata: {},
  }),
  "v2-account-funded-by": fundedBy,
  "v2-account-metadata": metadata,
  "v2-account-metadata-multi": metadataMulti,
  "v2-account-leaderboard": leaderboard,
  "account-tokens": tokens,
  "account-transactions": legacyTransactions,
  "account-stake-accounts": stakeAccounts,
  "account-spl-transfers": splTransfers,
  "account-sol-transfers": solTransfers,
  "account-export-transactions": exportTransactions,
  "account-export-rewards": ({ db, params }) => ({
    csv: rewardRecords(
      readRewards(db, {
        address: params.required("account"),
        from: params.integer("fromTime"),
        to: params.integer("toTime"),
      }),
    ),
  }),
  "account-detail": legacyDetail,
};
