/** The legacy account endpoints. */
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { rowRange, SOL } from "../../store/schema.ts";
import { transactionsOf } from "../account/account.ts";
import { readRewards, rewardRecords } from "../account/rewards.ts";
import { stakesOf } from "../account/stakes.ts";
import { RENT_EPOCH, stateOf } from "../account/state.ts";
import type { QueriesByRoute, Query } from "../query.ts";
import { amountOf, asText, columnNumber, columnText, idOrUnknown, unixTimeOf, volumeOf } from "../sql.ts";
import { uiAmountOf } from "../transaction/arguments.ts";
import { readSummaryRow, signersOf, statusOf, summarizeInstructions } from "../transaction/summaries.ts";
import { exportTransactions, solTransfers, splTransfers } from "./account-transfers.ts";

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
    data: rows.map((row) =>
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

/** Returns the lamports moved by the transfers of a transaction. */
function lamportsMoved(db: LedgerReader, transaction: number): unknown {
  const row = db.get(
    "SELECT CAST(ifnull(sum(amount), 0) AS TEXT) AS moved FROM transfers WHERE id >= ? AND id < ? AND token_id = ?",
    ...rowRange(transaction),
    SOL,
  );
  return row?.moved;
}

function transactionOfAccount(db: LedgerReader, id: number): JsonObject {
  const head = readSummaryRow(db, id);
  return {
    ...omitMissing({ blockTime: unixTimeOf(db, head?.time) }),
    slot: Number(head?.slot),
    txHash: String(head?.signature),
    fee: amountOf(head?.fee),
    status: statusOf(head?.error),
    lamport: amountOf(lamportsMoved(db, id)),
    signer: signersOf(db, id),
    parsedInstruction: summarizeInstructions(db, id).summaries.map(({ program_id, type, ...program }) => ({
      programId: program_id,
      type,
      ...program,
    })),
  };
}

const transactions: Query = ({ db, params }) => {
  const limit = params.integer("limit") ?? 10;
  const ids = transactionsOf(db, params.required("account"), params.text("beforeHash"), limit);
  return { data: ids.map((id) => transactionOfAccount(db, id)) };
};

const stakeAccounts: Query = ({ db, params }) => ({
  data: stakesOf(db, params.required("account")).map((stake) => ({
    ...omitMissing({ voter: stake.voter }),
    amount: String(stake.delegated),
    type: stake.status,
    stakeAccount: db.addressOf(stake.id),
    staker: stake.staker,
    role: stake.roles,
  })),
});

/** Returns the token fields of mints and token accounts. */
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

const detail: Query = ({ db, params }) => {
  const account = params.required("account");
  const state = stateOf(db, account);
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

/** Queries of the legacy account endpoints. */
export const legacyAccountQueries: QueriesByRoute = {
  "account-tokens": tokens,
  "account-transactions": transactions,
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
  "account-detail": detail,
};
