/** The legacy list of changes of a token's balances. */
import type { Reader } from "../../ledger/reader.ts";
import { SOL } from "../../ledger/schema.ts";
import type { Query } from "../query.ts";
import { exact, idOrUnknown, inOrder, isTokenAccount, joinBlock, sliceOf, Where } from "../sql.ts";
import { needToken } from "../token/rows.ts";
import { legacyChangeOf } from "./account-transfers.ts";

/** Changes of a token that is not SOL, of all or of a wallet or token account: an index has each in the order of the chain. */
function changesOf(db: Reader, token: number, address: string | undefined): Where {
  const where = new Where().add("token_id = ?", token);
  if (address === undefined) return where.add(`token_id <> ${SOL}`);
  const id = idOrUnknown(db, address);
  return where.add(isTokenAccount(db, id) ? "account_id = ?" : "owner_id = ?", id);
}

const pageOf = (where: Where) => `SELECT c.id, c.account_id, c.owner_id, c.token_id,
  ${exact("c.pre")} AS pre, ${exact("c.post")} AS post, ${exact("abs(c.post - c.pre)")} AS amount, c.post >= c.pre AS grows,
  x.slot, x.signature, x.fee, b.time, n.decimals, n.symbol
FROM (SELECT id FROM balance_changes ${where.sql} ORDER BY id DESC LIMIT ? OFFSET ?) p
  CROSS JOIN balance_changes c ON c.id = p.id ${joinBlock("c.id")} CROSS JOIN tokens n ON n.id = c.token_id`;

/**
 * `/token/transfer`: changes of all balances of a token, or of those of a wallet or token account, newest first. SOL has
 * none: it is no token of the token program.
 */
export const legacyTransfer: Query = ({ db, params }) => {
  const token = needToken(db, params.need("tokenAddress"));
  if (token === SOL) return { data: { total: 0, data: [] } };
  const where = changesOf(db, token, params.text("address"));
  const counted = db.get(`SELECT count(*) AS total FROM balance_changes ${where.sql}`, ...where.values);
  const rows = inOrder(db.all(pageOf(where), ...where.values, ...sliceOf(params)), "DESC");
  return { data: { total: Number(counted?.total), data: rows.map((row) => legacyChangeOf(db, row)) } };
};
