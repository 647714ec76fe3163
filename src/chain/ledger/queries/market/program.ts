/** Queries about programs and platforms. */
import { omitMissing } from "../../../../base/index.ts";
import type { QueriesByRoute, Query } from "../query.ts";
import { asText, pageLimits, sortDirection, volumeOf } from "../sql.ts";
import { programAnalytics } from "./program-analytics.ts";

/** Sort columns by sort key. */
const SORT_COLUMNS: Readonly<Record<string, string>> = {
  num_txs: "transactions",
  num_txs_success: "successes",
  interaction_volume: "volume",
  success_rate: "CAST(successes AS REAL) / transactions",
  active_users_24h: "users_24h",
};

/** Returns a percentage rounded to two decimals. */
const rate = (part: number, whole: number): number => Math.round((part * 10_000) / whole) / 100;

/**
 * `/program/list`: programs with transactions in the last 90 days. Ties are broken by id; rates are sorted before
 * rounding.
 */
const list: Query = ({ db, params }) => {
  const direction = sortDirection(params);
  const rows = db.all(
    `SELECT program_id, transactions, successes, ${asText("volume")} AS value, users_24h FROM program_stats
    WHERE transactions > 0 ORDER BY ${SORT_COLUMNS[params.required("sort_by")]} ${direction}, program_id ${direction} LIMIT ? OFFSET ?`,
    ...pageLimits(params),
  );
  const data = rows.map((row) => ({
    program: db.addressOf(Number(row.program_id)),
    number_transactions: Number(row.transactions),
    number_transactions_success: Number(row.successes),
    ...omitMissing({ number_interaction_volume: volumeOf(db, row.value, row.transactions) }),
    success_rate: rate(Number(row.successes), Number(row.transactions)),
    last_24h_active_users: Number(row.users_24h),
  }));
  const counted = db.get("SELECT count(*) AS total FROM program_stats WHERE transactions > 0");
  return { data: { data, total: Number(counted?.total) } };
};

/** `/program/popular/platforms`: platforms that have programs, by name. */
const platforms: Query = ({ db }) => {
  const programs = new Map<string, string[]>();
  for (const row of db.all(
    "SELECT account_id, platform FROM programs WHERE platform IS NOT NULL ORDER BY account_id",
  )) {
    const platform = String(row.platform);
    programs.set(platform, [...(programs.get(platform) ?? []), db.addressOf(Number(row.account_id))]);
  }
  const rows = db.all("SELECT id, name, website, description FROM platforms ORDER BY name, id");
  const data = rows.flatMap((row) => {
    const ids = programs.get(String(row.id));
    if (!ids) return [];
    return [
      {
        platform_id: String(row.id),
        platform_name: String(row.name),
        program_ids: ids,
        website: String(row.website),
        description: String(row.description),
      },
    ];
  });
  return { data };
};

/** Queries of `/program/…`. */
export const programQueries: QueriesByRoute = {
  "v2-program-list": list,
  "v2-program-popular-platforms": platforms,
  "v2-program-analytics": programAnalytics,
};
