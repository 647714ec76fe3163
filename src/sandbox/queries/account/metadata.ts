/** Metadata of accounts: labels, tags, funding and token. */

import { DAY_SECONDS, type JsonObject } from "../../../base/index.ts";
import type { LedgerReader } from "../../ledger/reader.ts";
import { transactionOfRow } from "../../ledger/schema.ts";
import type { Query } from "../query.ts";
import { toUnixTime } from "../sql.ts";

/** Returns the fields that have a value. */
const presentFields = (fields: Readonly<Record<string, number | string | null | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, value]])));

function fundingJson(db: LedgerReader, funder: unknown, transfer: unknown): JsonObject {
  if (funder === null) return {};
  const row = db.get(
    "SELECT x.signature, b.time FROM transactions x CROSS JOIN blocks b ON b.slot = x.slot WHERE x.id = ?",
    transactionOfRow(Number(transfer)),
  );
  return {
    funded_by: {
      funded_by: db.addressOf(Number(funder)),
      tx_hash: String(row?.signature),
      block_time: toUnixTime(db.clock, row?.time),
    },
    active_age: Math.floor((db.clock.end - Number(row?.time)) / DAY_SECONDS),
  };
}

/** Returns an account as the entity `AccountMetadata`, without unknown fields. */
function metadataOf(db: LedgerReader, address: string): JsonObject {
  const row = db.get(
    `SELECT l.label, l.icon, l.tags, l.type, l.domain, f.funder_id, f.transfer_id,
      n.name, n.symbol, n.icon AS token_icon, n.decimals
    FROM accounts a LEFT JOIN labels l ON l.account_id = a.id LEFT JOIN funders f ON f.account_id = a.id
    LEFT JOIN token_accounts t ON t.account_id = a.id LEFT JOIN tokens n ON n.id = t.token_id
    WHERE a.address = ?`,
    address,
  );
  if (!row) return { account_address: address };
  return {
    account_address: address,
    ...presentFields({ account_label: row.label, account_icon: row.icon }),
    ...(row.tags === null ? {} : { account_tags: JSON.parse(String(row.tags)) as string[] }),
    ...presentFields({ account_type: row.type, account_domain: row.domain }),
    ...fundingJson(db, row.funder_id ?? null, row.transfer_id),
    ...presentFields({
      token_name: row.name,
      token_symbol: row.symbol,
      token_icon: row.token_icon,
      token_decimals: row.decimals,
    }),
  };
}

/** `/account/metadata`. */
export const metadata: Query = ({ db, params }) => ({ data: metadataOf(db, params.required("address")) });

/** `/account/metadata/multi`: distinct accounts in the order of the request. */
export const metadataMulti: Query = ({ db, params }) => ({
  data: [...new Set(params.list("address"))].map((address) => metadataOf(db, address)),
});
