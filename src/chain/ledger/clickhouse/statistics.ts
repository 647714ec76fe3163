/**
 * The statistics of a ledger in ClickHouse, which SQLite brings up to date with every block. Here, sums change by the
 * rows of slots that are new, and lists of balances are read of tokens that these rows name. What is about a window of
 * time is computed from its rows. The statements are ClickHouse's.
 */
import { DAY_SECONDS } from "../../../base/index.ts";
import { WRAPPED_SOL } from "../../../catalogue/index.ts";
import { CHANGES_SUPPLY, firstRowOfSlot, MINT, PROGRAM_DAYS, SOL, TRADE_SUMS, transactionAt } from "../store/schema.ts";
import { LISTED, SOLD, UNLISTED } from "../store/settle.ts";
import { DAY_SPAN, SPANS, TOPS } from "../store/token-statistics.ts";
import { FIRST_ROWS, keyOf, MANY_ROWS } from "./keys.ts";
import { isInSlots, knownAt, mergeSlots, type SlotRange } from "./slots.ts";

/** What has changed since a table of statistics was computed. */
export interface StatisticsChange {
  /** The table as it is; one without rows when it is computed anew. */
  readonly known: string;
  readonly isAnew: boolean;
  /** The slots that the table is about. */
  readonly before: readonly SlotRange[];
  readonly added: readonly SlotRange[];
  /** Slots that are no longer in the window. */
  readonly removed: readonly SlotRange[];
  /** The slot before which the opening supplies were; 0 without any. */
  readonly openingSlot: number;
}

/** A table of statistics, or parts of one, and the rows that replace it. */
export interface Statistic {
  readonly table: string;
  /** The parts; by default, the rows are the table. */
  readonly partitions?: readonly number[];
  /** The seconds before the newest block that its sums are about; all by default. */
  readonly seconds?: number;
  readonly sql: (change: StatisticsChange) => string;
}

/** Returns the SQL for the first slot after a time, in seconds before the newest block. */
export const slotAfter = (seconds: number): string =>
  `ifNull((SELECT min((assumeNotNull(time), slot)).2 FROM blocks
     WHERE time > (SELECT max(time) FROM blocks) - ${seconds}), 0)`;
const rowAfter = (seconds: number): string => `${slotAfter(seconds)} * ${firstRowOfSlot(1)}`;
const transactionAfter = (seconds: number): string => `${slotAfter(seconds)} * ${transactionAt(1)}`;

const WRAPPED = `toUInt256('${keyOf(WRAPPED_SOL)}')`;

const [ROW, USE] = [{ name: "id", type: "row" } as const, { name: "transaction_id", type: "transaction" } as const];

const isChanged = ({ added, removed }: StatisticsChange, position: typeof ROW | typeof USE = ROW): string =>
  isInSlots(position, [...added, ...removed]);

/** Returns the SQL for how often a row counts. */
const signOf = ({ removed }: StatisticsChange, position: typeof ROW | typeof USE = ROW): string =>
  `if(${isInSlots(position, removed)}, -1, 1)`;

/** Returns the SQL for whether a row counts for the supply of a token: an opening supply has what was before it. */
function isNewToSupply({ added, removed, openingSlot }: StatisticsChange, token: string): string {
  if ([...added, ...removed].every(({ from }) => from >= openingSlot)) return "true";
  return `(id >= ${firstRowOfSlot(openingSlot)} OR ${token} NOT IN (SELECT token_id FROM opening_supplies_known))`;
}

/** Tokens whose balances have changed. */
const changedTokens = (change: StatisticsChange): string =>
  `SELECT DISTINCT token_id FROM balance_changes WHERE ${isChanged(change)}
   UNION DISTINCT SELECT DISTINCT token_id FROM holdings WHERE ${isChanged(change)}
   ${change.isAnew ? "UNION DISTINCT SELECT token_id FROM opening_balances" : ""}`;

/** The slot before that at which a balance was known. */
const KNOWN = { name: `${knownAt("balances")} - 1`, type: "integer" } as const;

/** One of so many holders of a token that has many whose balance is looked at. */
const SAMPLE = 16;

/** The seconds of the longest window of those that are computed together: short ones are read from few rows. */
const WINDOW_GROUPS = [3600, DAY_SECONDS, Number.MAX_SAFE_INTEGER];

/** A window of a group, as the bit of its number in the group, and the window before it, as the bit after all of those. */
interface WindowBits {
  readonly span: number;
  readonly seconds: number;
  readonly bit: number;
  readonly bitBefore: number;
}

/**
 * The trades of windows by the tokens on both sides: a trade puts token1 into the pool, the trader sells it. Windows are
 * bits, which are joined for each trader of a token, so that who is counted in which follows from one pass.
 */
function tradesByToken(windows: readonly WindowBits[]): string {
  const bits = windows.flatMap(({ seconds, bit, bitBefore }) => {
    const [from, before] = [rowAfter(seconds), rowAfter(2 * seconds)];
    return [`bitShiftLeft(id >= ${from}, ${bit})`, `bitShiftLeft(id >= ${before} AND id < ${from}, ${bitBefore})`];
  });
  const sides = `SELECT side.1 AS token_id, trader_id, value, if(side.2, bits, 0) AS buy, if(side.2, 0, bits) AS sell
    FROM (SELECT *, toUInt64(${bits.join(" + ")}) AS bits FROM routes
      WHERE is_trade AND id >= ${rowAfter(2 * Math.max(...windows.map(({ seconds }) => seconds)))})
    ARRAY JOIN [(token1_id, 0), (ifNull(token2_id, token1_id), 1)] AS side WHERE NOT side.2 OR side.1 <> token1_id`;
  return `SELECT token_id, buy, sell, count() AS trades, sum(ifNull(value, 0)) AS value, 0 AS traders
      FROM (${sides}) GROUP BY token_id, buy, sell
    UNION ALL SELECT token_id, buy, sell, 0, 0, count()
      FROM (SELECT token_id, groupBitOr(buy) AS buy, groupBitOr(sell) AS sell FROM (${sides}) GROUP BY token_id, trader_id)
      GROUP BY token_id, buy, sell`;
}

/** The sums over the trades of a window. */
function windowSums(prefix: string, bit: string): string {
  const [isBuy, isSell] = [`bitTest(buy, ${bit})`, `bitTest(sell, ${bit})`];
  const sums: Readonly<Record<(typeof TRADE_SUMS)[number], string>> = {
    buys: `sumIf(trades, ${isBuy})`,
    sells: `sumIf(trades, ${isSell})`,
    bought: `sumIf(value, ${isBuy})`,
    sold: `sumIf(value, ${isSell})`,
    traders: `sumIf(traders, ${isBuy} OR ${isSell})`,
    buyers: `sumIf(traders, ${isBuy})`,
    sellers: `sumIf(traders, ${isSell})`,
  };
  return TRADE_SUMS.map((name) => `${sums[name]} AS ${prefix}${name}`).join(", ");
}

const windowGroups: readonly (readonly WindowBits[])[] = [
  ...Map.groupBy(SPANS.entries(), ([, seconds]) => WINDOW_GROUPS.find((longest) => seconds <= longest)).values(),
].map((group) => group.map(([span, seconds], bit) => ({ span, seconds, bit, bitBefore: group.length + bit })));

const tokenWindows = (windows: readonly WindowBits[]): Statistic => ({
  table: "token_windows",
  partitions: windows.map(({ span }) => span),
  sql: () =>
    `SELECT w.1 AS span, token_id, ${windowSums("", "w.2")}, ${windowSums("prev_", "w.3")}, NULL AS price_prev
     FROM (${tradesByToken(windows)})
     ARRAY JOIN [${windows.map(({ span, bit, bitBefore }) => `(${span}, ${bit}, ${bitBefore})`).join(", ")}] AS w
     WHERE bitTest(bitOr(buy, sell), w.2) OR bitTest(bitOr(buy, sell), w.3) GROUP BY span, token_id`,
});

const shareOf = (top: number): string => `100.0 * sumIf(share, holders - rank + 1 <= ${top}) AS top_${top}`;

/** Tables that others are computed from come first. */
export const STATISTICS: readonly Statistic[] = [
  ...windowGroups.map(tokenWindows),
  {
    // What minting and burning, and of SOL transactions and rewards, have added.
    table: "token_sums",
    sql: (change) => `SELECT token_id, sum(added) FROM (
      SELECT token_id, added FROM ${change.known}
      UNION ALL SELECT token_id, sum(${signOf(change)} * if(type = ${MINT}, amount, -amount)) FROM transfers
        WHERE ${CHANGES_SUPPLY} AND ${isChanged(change)} AND ${isNewToSupply(change, "token_id")} GROUP BY token_id
      UNION ALL SELECT token_id, sum(${signOf(change)} * (post - pre)) FROM balance_changes
        WHERE token_id = ${SOL} AND ${isChanged(change)} AND ${isNewToSupply(change, "token_id")} GROUP BY token_id
      UNION ALL SELECT ${SOL}, ifNull(sum(${signOf(change)} * amount), 0) FROM rewards
        WHERE ${isChanged(change)} AND ${isNewToSupply(change, `toUInt256(${SOL})`)})
      GROUP BY token_id`,
  },
  {
    // Accounts that have any, as far as they are known: of those with new balances, what was known before counts less.
    table: "token_holders",
    sql: ({ known, before, added }) => `SELECT token_id, sum(number) FROM (
      SELECT token_id, holders AS number FROM ${known}
      UNION ALL SELECT token_id, countIf(later > 0) - countIf(earlier > 0) FROM (
        SELECT token_id, account_id, argMaxIf(amount, known_at, ${isInSlots(KNOWN, before)}) AS earlier,
          argMaxIf(amount, known_at, ${isInSlots(KNOWN, mergeSlots([...before, ...added]))}) AS later
        FROM balances_known WHERE (token_id, account_id) IN (
          SELECT token_id, account_id FROM balances_known WHERE ${isInSlots(KNOWN, added)}) GROUP BY token_id, account_id)
        GROUP BY token_id)
      GROUP BY token_id`,
  },
  {
    // About as many holders have as much as a page is looked for among: see long-lists.ts.
    table: "large_amounts",
    sql: () => `SELECT token_id, amount FROM (SELECT token_id, argMax(amount, known_at) AS amount FROM balances_known
        WHERE token_id IN (SELECT token_id FROM token_holders WHERE holders > ${MANY_ROWS}) AND cityHash64(account_id) % ${SAMPLE} = 0
        GROUP BY token_id, account_id)
      ORDER BY token_id, amount DESC LIMIT ${Math.floor(FIRST_ROWS / SAMPLE)}, 1 BY token_id`,
  },
  {
    // Of tokens older than the index, supply and holders are unknown without an opening.
    table: "token_stats",
    sql: () => `SELECT t.id AS token_id,
      multiIf(o.amount IS NOT NULL, o.amount + ifNull(s.added, 0),
        t.created IS NOT NULL AND t.id NOT IN (${SOL}, ${WRAPPED}), ifNull(s.added, 0), t.created IS NOT NULL, 0, NULL) AS supply,
      if(ifNull(o.complete, t.created IS NOT NULL), known_holders, NULL) AS holders, ifNull(h.holders, 0) AS known_holders,
      NULL AS price, NULL AS price_prev, NULL AS market_cap,
      ifNull(w.bought + w.sold, 0) AS volume_24h, ifNull(w.prev_bought + w.prev_sold, 0) AS volume_prev_24h,
      ifNull(w.buys + w.sells, 0) AS trades_24h, ifNull(w.traders, 0) AS traders_24h
    FROM tokens t LEFT JOIN opening_supplies o ON o.token_id = t.id LEFT JOIN token_sums s ON s.token_id = t.id
      LEFT JOIN token_holders h ON h.token_id = t.id
      LEFT JOIN token_windows w ON w.token_id = t.id AND w.span = ${DAY_SPAN}`,
  },
  {
    // Its metadata may show later that a token is an NFT.
    table: "token_holdings",
    sql: (change) => `WITH fungible AS (SELECT id FROM tokens WHERE kind = 'fungible' AND id <> ${SOL})
      SELECT * FROM ${change.known} WHERE token_id IN (fungible) AND token_id NOT IN (${changedTokens(change)})
      UNION ALL SELECT token_id, greatest(0.0, 2.0 * sum(rank * share) / any(holders) - (any(holders) + 1.0) / any(holders)) AS gini,
        sum(share * share) AS hhi, ${TOPS.map(shareOf).join(", ")}
      FROM (SELECT token_id, toFloat64(amount) / sum(toFloat64(amount)) OVER (PARTITION BY token_id) AS share,
          row_number() OVER (PARTITION BY token_id ORDER BY amount, account_id) AS rank,
          count() OVER (PARTITION BY token_id) AS holders
        FROM (SELECT token_id, account_id, amount FROM balances
          WHERE token_id IN (${changedTokens(change)}) AND token_id IN (fungible) AND amount > 0))
      GROUP BY token_id`,
  },
  {
    table: "pool_stats",
    sql: () => `SELECT p.account_id AS pool_id, countIf(r.id >= day) AS trades_24h, countIf(r.id < day) AS trades_prev_24h,
      ifNull(sumIf(r.value, r.id >= day), 0) AS volume_24h, ifNull(sumIf(r.value, r.id < day), 0) AS volume_prev_24h,
      uniqExactIf(r.trader_id, r.id >= day) AS traders_24h, uniqExactIf(r.trader_id, r.id < day) AS traders_prev_24h, NULL AS tvl
    FROM pools p LEFT JOIN (SELECT id, pool_id, trader_id, value, ${rowAfter(DAY_SECONDS)} AS day FROM routes
      WHERE is_trade AND id >= ${rowAfter(2 * DAY_SECONDS)}) r ON r.pool_id = p.account_id
    GROUP BY p.account_id`,
  },
  {
    table: "program_stats",
    seconds: PROGRAM_DAYS * DAY_SECONDS,
    sql: (change) => `SELECT program_id, sum(transactions), sum(successes), sum(volume), sum(users) FROM (
      SELECT account_id AS program_id, 0 AS transactions, 0 AS successes, 0 AS volume, 0 AS users FROM programs
      UNION ALL SELECT program_id, 0, 0, 0, 0 FROM instruction_kinds
      UNION ALL SELECT program_id, transactions, successes, volume, 0 FROM ${change.known}
      UNION ALL SELECT k.program_id, sum(${signOf(change, USE)}), sum(${signOf(change, USE)} * NOT u.failed), 0, 0
        FROM program_uses u INNER JOIN instruction_kinds k ON k.id = u.kind_id
        WHERE u.first AND ${isChanged(change, USE)} GROUP BY k.program_id
      UNION ALL SELECT k.program_id, 0, 0, 0, uniqExact(u.user_id)
        FROM program_uses u INNER JOIN instruction_kinds k ON k.id = u.kind_id
        WHERE u.first AND u.transaction_id >= ${transactionAfter(DAY_SECONDS)} GROUP BY k.program_id
      UNION ALL SELECT platform_id, 0, 0, sum(${signOf(change)} * ifNull(value, 0)), 0 FROM defi
        WHERE ${isChanged(change)} GROUP BY platform_id)
      GROUP BY program_id`,
  },
  {
    table: "nft_markets",
    sql: (change) => `WITH changed AS (SELECT DISTINCT nft_id FROM nft_activities WHERE ${isChanged(change)})
      SELECT n.token_id AS nft_id, n.collection_id, a.sale, if(a.is_listed, a.last, NULL), if(a.is_listed, a.price, NULL)
      FROM nfts n LEFT JOIN (
        SELECT nft_id, last_sale_id AS sale, listing_id AS last, isNotNull(listing_id) AS is_listed, listing_price AS price
          FROM ${change.known} WHERE nft_id NOT IN (changed)
        UNION ALL SELECT nft_id, maxOrNullIf(id, type IN (${SOLD})) AS sale, maxIf(id, is_market) AS last,
          argMaxOrNullIf(type, id, is_market) IN (${LISTED}) AS is_listed, argMaxIf(price, id, is_market) AS price
          FROM (SELECT *, type IN (${LISTED}, ${UNLISTED}) AS is_market FROM nft_activities WHERE nft_id IN (changed))
          GROUP BY nft_id) a ON a.nft_id = n.token_id`,
  },
];
