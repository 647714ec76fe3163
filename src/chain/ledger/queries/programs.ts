/** Programs, platforms, and the days of a program. */
import { DAY_SECONDS, type JsonObject, omitMissing } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { countBlocks, simulatedChain } from "../store/blocks.ts";
import { type LedgerReader, mapRows } from "../store/reader.ts";
import { PROGRAM_DAYS, transactionOfRow } from "../store/schema.ts";
import { VOTE_TYPE } from "../store/votes.ts";
import { notFoundError, type QueriesByRoute, type Query } from "./query.ts";
import { asText, columnText, idOrUnknown, pageLimits, sortDirection, volumeOf } from "./sql.ts";
import { type CalendarDay, dayOf, daysBetween, percentChange } from "./token/prices.ts";

const LISTED_INSTRUCTIONS = 10;
const OTHERS = "Other Instructions";

/** Returns how often a program executed its instructions on a day: the most frequent ones in alphabetical order. */
function countInstructions(db: LedgerReader, program: number, { first, end }: CalendarDay): JsonObject {
  const rows = db.all(
    `SELECT name, number FROM (
      SELECT k.type AS name, sum((SELECT sum(u.instructions) FROM program_uses u
        WHERE u.kind_id = k.id AND u.transaction_id >= ? AND u.transaction_id < ?)) AS number
      FROM instruction_kinds k WHERE k.program_id = ? GROUP BY k.type)
    WHERE number > 0 ORDER BY 2 DESC, 1`,
    transactionOfRow(first),
    transactionOfRow(end),
    program,
  );
  const listed = rows.slice(0, LISTED_INSTRUCTIONS).map(({ name, number }) => [String(name), Number(number)] as const);
  const others = rows.slice(LISTED_INSTRUCTIONS).reduce((sum, { number }) => sum + Number(number), 0);
  const all = others === 0 ? listed : [...listed, [OTHERS, others] as const];
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the micro-dollars of the activities on a program. */
function activityVolume(db: LedgerReader, program: number, first: number, end: number): string {
  const row = db.get(
    `SELECT ${asText("ifnull(sum(value), 0)")} AS volume FROM defi WHERE platform_id = ? AND id >= ? AND id < ?`,
    program,
    first,
    end,
  );
  return String(row?.volume);
}

function countUses(db: LedgerReader, program: number, first: number, end: number) {
  const row = db.get(
    `SELECT count(*) AS transactions, ifnull(sum(failed), 0) AS failures, count(DISTINCT user_id) AS users
    FROM instruction_kinds k CROSS JOIN program_uses u ON u.kind_id = k.id
    WHERE k.program_id = ? AND u.transaction_id >= ? AND u.transaction_id < ? AND u.first`,
    program,
    transactionOfRow(first),
    transactionOfRow(end),
  );
  return { transactions: Number(row?.transactions), failures: Number(row?.failures), users: Number(row?.users) };
}

/** Returns the votes in a range of ledger times that are not stored, and the number of voters, which vote at any time. */
function unstoredVotes(db: LedgerReader, program: number, from: number, end: number) {
  const chain = program === db.idOf(PROGRAM.vote) ? simulatedChain(db) : undefined;
  return chain ? { votes: countBlocks(db, from, end).votes, voters: chain.voters.length } : { votes: 0, voters: 0 };
}

/** `/program/analytics`: complete days up to yesterday. */
const programAnalytics: Query = ({ db, params }) => {
  const address = params.required("address");
  const program = db.idOf(address);
  if (program === undefined || !db.get("SELECT program_id FROM program_stats WHERE program_id = ?", program)) {
    throw notFoundError("Program");
  }
  const range = params.integer("range") ?? 0;
  const { clock } = db;
  const yesterday = dayOf(clock, clock.end) - 1;
  const days = daysBetween(db, yesterday - range + 1, yesterday).map((day) => ({
    day,
    uses: countUses(db, program, day.first, day.end),
    ...unstoredVotes(db, program, day.time - clock.shift, day.time - clock.shift + DAY_SECONDS),
    volume: activityVolume(db, program, day.first, day.end),
  }));
  const transactions = days.reduce((sum, { uses, votes }) => sum + uses.transactions + votes, 0);
  const failures = days.reduce((sum, { uses }) => sum + uses.failures, 0);
  const [now, day, dayBefore] = [0, 1, 2].map((n) => db.firstRowAt(clock.end - n * DAY_SECONDS + 1)) as [
    number,
    number,
    number,
  ];
  // Voters are the only users of the Vote Program: those that withdraw vote as well.
  const { voters } = unstoredVotes(db, program, clock.end, clock.end);
  const users = voters || countUses(db, program, day, now).users;
  const change = percentChange(users, voters || countUses(db, program, dayBefore, day).users);
  const data = {
    program_id: address,
    days: range,
    data: days.map(({ day, uses, volume, votes, voters: dailyVoters }) => ({
      num_trans: uses.transactions + votes,
      num_trans_success: uses.transactions + votes - uses.failures,
      ...omitMissing({ interaction_volume: volumeOf(db, volume, uses.transactions) }),
      active_users: dailyVoters || uses.users,
      day: new Date(day.time * 1000).toISOString().slice(0, "YYYY-MM-DD".length),
      day_unix: day.time,
      insts: { ...countInstructions(db, program, day), ...(votes > 0 && { [VOTE_TYPE]: votes }) },
    })),
    num_trans: transactions,
    num_trans_success: transactions - failures,
    ...omitMissing({
      interaction_volume: volumeOf(
        db,
        days.reduce((sum, { volume }) => sum + BigInt(volume), 0n),
        transactions,
      ),
    }),
    last_24h_active_users: users,
    active_users_change_24: change.toFixed(2),
  };
  return { data, metadata: {} };
};

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  num_txs: "transactions",
  num_txs_success: "successes",
  interaction_volume: "volume",
  success_rate: "CAST(successes AS REAL) / transactions",
  active_users_24h: "users_24h",
};

/** `/program/list`: programs with transactions in 90 days. Ties are broken by id; rates are sorted unrounded. */
const list: Query = ({ db, params }) => {
  const direction = sortDirection(params);
  const program = idOrUnknown(db, PROGRAM.vote);
  const { votes, voters } = unstoredVotes(db, program, db.clock.end - PROGRAM_DAYS * DAY_SECONDS + 1, db.clock.end + 1);
  const rows = db.all(
    `SELECT program_id, transactions, successes, ${asText("volume")} AS value, users_24h FROM (
      SELECT program_id, transactions + votes AS transactions, successes + votes AS successes, volume, max(users_24h, voters) AS users_24h
      FROM (SELECT s.*, iif(program_id = ?, ?, 0) AS votes, iif(program_id = ?, ?, 0) AS voters FROM program_stats s))
    WHERE transactions > 0 ORDER BY ${SORT_COLUMNS[params.required("sort_by")]} ${direction}, program_id ${direction} LIMIT ? OFFSET ?`,
    ...[program, votes, program, voters],
    ...pageLimits(params),
  );
  const data = rows.map((row) => ({
    program: db.addressOf(Number(row.program_id)),
    number_transactions: Number(row.transactions),
    number_transactions_success: Number(row.successes),
    ...omitMissing({ number_interaction_volume: volumeOf(db, row.value, row.transactions) }),
    success_rate: Math.round((Number(row.successes) * 10_000) / Number(row.transactions)) / 100,
    last_24h_active_users: Number(row.users_24h),
  }));
  const sql = "SELECT count(*) AS total FROM program_stats WHERE transactions > 0 OR program_id = ? AND ? > 0";
  const counted = db.get(sql, program, votes);
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
  const data = mapRows(rows, (row) => {
    const ids = programs.get(String(row.id));
    if (!ids) return [];
    return [
      {
        platform_id: String(row.id),
        platform_name: String(row.name),
        program_ids: ids,
        // A chain says neither.
        ...omitMissing({
          website: columnText(row.website) || undefined,
          description: columnText(row.description) || undefined,
        }),
      },
    ];
  }).flat();
  return { data };
};

/** Queries of `/program/…`. */
export const programQueries: QueriesByRoute = {
  "v2-program-list": list,
  "v2-program-popular-platforms": platforms,
  "v2-program-analytics": programAnalytics,
};
