/** Metadata of accounts: labels, tags, funding and token. */

import { DAY_SECONDS, type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { transactionOfRow } from "../../store/schema.ts";
import type { Query } from "../query.ts";
import { idOrUnknown, toUnixTime, unixTimeOf } from "../sql.ts";

/** Returns the first funding of an account from its row of `funders`. */
function fundingJson(db: LedgerReader, funder: unknown, transfer: unknown): JsonObject {
  const row = db.get(
    "SELECT x.signature, b.time FROM transactions x CROSS JOIN blocks b ON b.slot = x.slot WHERE x.id = ?",
    transactionOfRow(Number(transfer)),
  );
  return omitMissing({
    funded_by: db.addressOf(Number(funder)),
    tx_hash: String(row?.signature),
    block_time: unixTimeOf(db, row?.time),
  });
}

function ageFields(db: LedgerReader, funder: unknown, transfer: unknown): JsonObject {
  if (funder === null) return {};
  const funding = fundingJson(db, funder, transfer);
  const now = toUnixTime(db.clock, db.clock.end);
  const { block_time: time } = funding;
  const age = time === undefined ? undefined : Math.floor((now - Number(time)) / DAY_SECONDS);
  return omitMissing({ funded_by: funding, active_age: age });
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
    ...omitMissing({ account_label: row.label, account_icon: row.icon }),
    ...(row.tags === null ? {} : { account_tags: JSON.parse(String(row.tags)) as string[] }),
    ...omitMissing({ account_type: row.type, account_domain: row.domain }),
    ...ageFields(db, row.funder_id ?? null, row.transfer_id),
    ...omitMissing({
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

/** `/account/funded-by`: distinct accounts in the order of the request; those without a funder are omitted. */
export const fundedBy: Query = ({ db, params }) => ({
  data: [...new Set(params.list("address"))].flatMap((address) => {
    const row = db.get("SELECT funder_id, transfer_id FROM funders WHERE account_id = ?", idOrUnknown(db, address));
    return row ? [{ address, ...fundingJson(db, row.funder_id, row.transfer_id) }] : [];
  }),
});
