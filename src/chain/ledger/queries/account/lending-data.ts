/** The data of reserves and vaults of lending programs. */
import { LENDING_LAYOUTS } from "../../../solana/index.ts";
import { SOL } from "../../store/schema.ts";
import { addressOf, asText } from "../sql.ts";
import { type AccountDataReader, dataOf } from "./account-data.ts";

/** Reads a reserve or a vault: its tokens, and the receipts that it mints for them. */
const readReserve: AccountDataReader = (db, { id, ownerProgram = "" }) => {
  const layout = LENDING_LAYOUTS[ownerProgram];
  const shares = db.get(
    `SELECT n.id, n.decimals, ${asText("s.supply")} AS supply FROM tokens n LEFT JOIN token_stats s ON s.token_id = n.id
    WHERE n.mint_authority_id = ?`,
    id,
  );
  if (layout === undefined || !shares) return undefined;
  const vaults = db.all(
    `SELECT t.account_id, t.token_id, n.decimals, n.program_id, ${asText("ifnull(b.amount, 0)")} AS amount
    FROM token_accounts t CROSS JOIN tokens n ON n.id = t.token_id
    LEFT JOIN balances b ON b.account_id = t.account_id AND b.token_id = t.token_id
    WHERE t.owner_id = ? AND t.token_id <> ${SOL} ORDER BY t.account_id`,
    id,
  );
  const tokens = vaults.find(({ token_id }) => token_id !== shares.id);
  const collateral = vaults.find(({ token_id }) => token_id === shares.id);
  return dataOf(layout, {
    tokenMint: addressOf(db, tokens?.token_id),
    tokenDecimals: Number(tokens?.decimals ?? 0),
    tokenVault: addressOf(db, tokens?.account_id),
    tokenProgram: addressOf(db, tokens?.program_id),
    tokenAvailable: String(tokens?.amount ?? 0),
    sharesMint: addressOf(db, shares.id),
    sharesDecimals: Number(shares.decimals),
    sharesVault: addressOf(db, collateral?.account_id),
    sharesIssued: String(shares.supply ?? 0),
  });
};

/** Readers of the accounts of lending programs, by the program. */
export const LENDING_READERS: Readonly<Record<string, AccountDataReader>> = Object.fromEntries(
  Object.keys(LENDING_LAYOUTS).map((program) => [program, readReserve]),
);
