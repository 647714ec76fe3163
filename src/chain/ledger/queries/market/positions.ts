/**
 * Positions of liquidity providers. Pools with a liquidity token have a position for each account that holds it; in
 * other pools a deposit is a position, from which withdrawals take, the oldest first. The shares of a pool's positions
 * add up to the whole pool.
 */
import { encodeBase58, type JsonObject, sha256, toNumeric } from "../../../../base/index.ts";
import { DEFI_ACTIVITIES } from "../../../../catalogue/index.ts";
import { type LedgerReader, mapRows } from "../../store/reader.ts";
import {
  firstRow,
  isInTransactionSql,
  ROWS_PER_TRANSACTION,
  slotSql,
  transactionIdSql,
  transactionOfRow,
} from "../../store/schema.ts";
import { notFoundError, type Query } from "../query.ts";
import { idOrUnknown, joinBlock, pageLimits, sortDirection, toUnixTime } from "../sql.ts";

/** A position in a pool. */
export interface Position {
  readonly id: string;
  /** The mint that represents it. */
  readonly mint: string;
  /** The id of the owner. */
  readonly owner: number;
  /** Unix seconds of the caller. */
  readonly created: number;
  /** The part of the pool, from 0 to 1. */
  readonly share: number;
  readonly type: "clmm" | "spot";
  /** The price range, as the price of the first token in units of the second one. */
  readonly lower: number;
  readonly upper: number;
  readonly isInRange: boolean;
  /** Value in dollars. */
  readonly value: number;
  readonly pool: PoolState;
}

interface PoolState {
  readonly id: number;
  readonly program: number;
  readonly lp: number | undefined;
  readonly tokens: readonly [number, number];
  readonly vaults: readonly [number, number];
  /** Base units. */
  readonly reserves: readonly [number, number];
  /** Base units per whole unit. */
  readonly units: readonly [number, number];
  /** Dollars. */
  readonly tvl: number;
  /** The first token in units of the second one. */
  readonly price: number;
}

/** The price range of a position in all prices; the end is the highest price that exchanges represent. */
const ALL_PRICES = [0, 2 ** 64] as const;

/** Widths of price ranges around the price of the deposit; undefined: all prices. */
const WIDTHS: readonly (number | undefined)[] = [1.05, 1.1, 1.2, 1.5, 2, 4, undefined, undefined];

const reserveSql = (n: 1 | 2) =>
  `CAST(ifnull((SELECT amount FROM balances WHERE account_id = p.vault${n}_id AND token_id = p.token${n}_id), 0) AS REAL) AS reserve${n}`;

function readPool(db: LedgerReader, pool: number): PoolState | undefined {
  const row = db.get(
    `SELECT p.*, s.tvl, t.decimals AS decimals1, u.decimals AS decimals2, ${reserveSql(1)}, ${reserveSql(2)}
    FROM pools p CROSS JOIN pool_stats s ON s.pool_id = p.account_id
    CROSS JOIN tokens t ON t.id = p.token1_id CROSS JOIN tokens u ON u.id = p.token2_id WHERE p.account_id = ?`,
    pool,
  );
  if (!row) return undefined;
  // Positions of a chain are in the data of their programs' accounts, which the ledger does not have.
  if (!db.facts.isGenerated) return undefined;
  const units = [Number(`1e${row.decimals1}`), Number(`1e${row.decimals2}`)] as const;
  const reserves = [Number(row.reserve1), Number(row.reserve2)] as const;
  return {
    id: pool,
    program: Number(row.program_id),
    lp: row.lp_id === null ? undefined : Number(row.lp_id),
    tokens: [Number(row.token1_id), Number(row.token2_id)],
    vaults: [Number(row.vault1_id), Number(row.vault2_id)],
    reserves,
    units,
    tvl: Number(row.tvl),
    price: reserves[0] === 0 ? 0 : reserves[1] / units[1] / (reserves[0] / units[0]),
  };
}

function readPositions(db: LedgerReader, pool: PoolState): readonly Position[] {
  return pool.lp === undefined ? readDeposits(db, pool) : readHoldings(db, pool, pool.lp);
}

function readHoldings(db: LedgerReader, pool: PoolState, lp: number): readonly Position[] {
  const rows = db.all(
    `SELECT b.account_id, b.owner_id, CAST(b.amount AS REAL) / s.supply AS share, k.time
    FROM balances b CROSS JOIN token_stats s ON s.token_id = b.token_id
    CROSS JOIN transactions x ON x.id = (
      SELECT ${transactionIdSql("min(c.id)")} FROM balance_changes c
      WHERE c.account_id = b.account_id AND c.token_id = b.token_id
    ) CROSS JOIN blocks k ON k.slot = ${slotSql("x.id")}
    WHERE b.token_id = ? AND b.amount > 0 AND s.supply > 0`,
    lp,
  );
  return mapRows(rows, (row) => ({
    id: db.addressOf(Number(row.account_id)),
    mint: db.addressOf(lp),
    owner: Number(row.owner_id),
    created: toUnixTime(db.clock, row.time),
    share: Number(row.share),
    type: "spot",
    lower: ALL_PRICES[0],
    upper: ALL_PRICES[1],
    isInRange: true,
    value: pool.tvl * Number(row.share),
    pool,
  }));
}

/** A deposit, while the history of its pool is followed. */
interface Deposit {
  readonly owner: number;
  readonly signature: string;
  readonly row: number;
  readonly created: number;
  readonly isFirst: boolean;
  readonly price: number;
  /** Liquidity, in a unit of the pool. */
  readonly liquidity: number;
  remaining: number;
}

const REMOVAL = DEFI_ACTIVITIES.indexOf("ACTIVITY_TOKEN_REMOVE_LIQ");

/** Liquidity that remains after a withdrawal of all, because amounts are whole base units. */
const ROUNDING = 1e-5;

/** Returns the additions and removals of liquidity in a pool, oldest first, with the reserve of token 2 before. */
const readHistory = (db: LedgerReader, { id, vaults: [, vault], tokens: [, token] }: PoolState) =>
  db.all(
    `SELECT d.id, d.type, d.from_id, d.token1_id, CAST(d.amount1 AS REAL) AS amount1, CAST(d.amount2 AS REAL) AS amount2,
      x.signature, b.time, CAST(ifnull((
        SELECT c.pre FROM balance_changes c WHERE c.account_id = ? AND c.token_id = ?
        AND ${isInTransactionSql("c.id", "x.id")} ORDER BY c.id LIMIT 1
      ), 0) AS REAL) AS reserve
    FROM routes r CROSS JOIN defi d ON d.id = ${transactionIdSql("r.id")} * ${ROWS_PER_TRANSACTION} + r.activity
    ${joinBlock("r.id")}
    WHERE r.pool_id = ? AND NOT r.is_trade AND d.type IN (2, 3, 4) ORDER BY r.id`,
    vault,
    token,
    id,
  );

function readDeposits(db: LedgerReader, pool: PoolState): readonly Position[] {
  const deposits: Deposit[] = [];
  let total = 0;
  for (const row of readHistory(db, pool)) {
    const isReversed = row.token1_id !== pool.tokens[0];
    const [amount1, amount2] = (isReversed ? [row.amount2, row.amount1] : [row.amount1, row.amount2]).map(Number) as [
      number,
      number,
    ];
    const isFirst = total === 0 || row.reserve === 0;
    const liquidity = isFirst ? Math.sqrt(amount1 * amount2) : (total * amount2) / Number(row.reserve);
    const owner = Number(row.from_id);
    if (row.type === REMOVAL) {
      total -= liquidity;
      withdraw(deposits, owner, liquidity);
      continue;
    }
    total += liquidity;
    deposits.push({
      owner,
      signature: String(row.signature),
      row: Number(row.id),
      created: toUnixTime(db.clock, row.time),
      isFirst,
      price: amount1 === 0 ? pool.price : amount2 / pool.units[1] / (amount1 / pool.units[0]),
      liquidity,
      remaining: liquidity,
    });
  }
  const open = deposits.filter(({ remaining, liquidity }) => remaining > liquidity * ROUNDING);
  const sum = open.reduce((liquidity, { remaining }) => liquidity + remaining, 0);
  return open.map((deposit) => depositPosition(pool, deposit, deposit.remaining / sum));
}

/** Takes liquidity from the deposits of an owner, the oldest first. */
function withdraw(deposits: readonly Deposit[], owner: number, liquidity: number): void {
  let left = liquidity;
  for (const deposit of deposits) {
    if (deposit.owner !== owner || left <= 0) continue;
    const taken = Math.min(deposit.remaining, left);
    deposit.remaining -= taken;
    left -= taken;
  }
}

/** The position of a deposit. Its addresses and its price range follow from the transaction. */
function depositPosition(pool: PoolState, deposit: Deposit, share: number): Position {
  const place = `${deposit.signature} ${deposit.row - firstRow(transactionOfRow(deposit.row))}`;
  const bytesOf = (what: string) => Buffer.from(sha256(`${what} ${place}`), "hex");
  const width = deposit.isFirst ? undefined : WIDTHS[(bytesOf("range")[0] ?? 0) % WIDTHS.length];
  const [lower, upper] = width === undefined ? ALL_PRICES : [deposit.price / width, deposit.price * width];
  return {
    id: encodeBase58(bytesOf("position")),
    mint: encodeBase58(bytesOf("mint")),
    owner: deposit.owner,
    created: deposit.created,
    share,
    type: "clmm",
    lower,
    upper,
    isInRange: pool.price >= lower && pool.price <= upper,
    value: pool.tvl * share,
    pool,
  };
}

/** Returns the base units of both tokens: out of range, a position consists of one of them. */
function amountsOf({ share, lower, upper, pool: { price, reserves } }: Position): readonly [number, number] {
  if (price < lower) return [2 * share * reserves[0], 0];
  if (price > upper) return [0, 2 * share * reserves[1]];
  return [share * reserves[0], share * reserves[1]];
}

const wholeNumber = (value: number) => toNumeric(BigInt(Math.round(value)).toString());

function positionJson(db: LedgerReader, position: Position): JsonObject {
  const { pool } = position;
  const [amount1, amount2] = amountsOf(position);
  return {
    position_id: position.id,
    created_time: position.created,
    pool_id: db.addressOf(pool.id),
    token_address: position.mint,
    position_owner: db.addressOf(position.owner),
    position_value: position.value,
    token_info: {
      amount_1: wholeNumber(amount1),
      amount_2: wholeNumber(amount2),
      token_1: db.addressOf(pool.tokens[0]),
      token_2: db.addressOf(pool.tokens[1]),
    },
    program: db.addressOf(pool.program),
    price_info: {
      current_price: pool.price,
      lower_price: position.lower,
      updated_time: toUnixTime(db.clock, db.clock.end),
      upper_price: position.upper,
      value: position.value,
      is_in_range: position.isInRange,
    },
    position_type: position.type,
    is_pos_in_range: position.isInRange,
  };
}

/** `/market/positions`. Ties are broken by the address of the position. */
export const positions: Query = ({ db, params }) => {
  const pool = readPool(db, idOrUnknown(db, params.required("address")));
  if (!pool) throw notFoundError("Pool");
  const filter = params.text("in_range");
  const key = params.text("sort_by") === "created_time" ? "created" : "value";
  const sign = sortDirection(params) === "ASC" ? 1 : -1;
  const [limit, offset] = pageLimits(params);
  const data = readPositions(db, pool)
    .filter(({ isInRange }) => filter === undefined || isInRange === (filter === "true"))
    .toSorted((a, b) => sign * (a[key] - b[key] || (a.id < b.id ? -1 : 1)))
    .slice(offset, offset + limit)
    .map((position) => positionJson(db, position));
  return { data };
};

/** Returns the positions of an owner, as portfolios list them. */
export function portfolioPositions(db: LedgerReader, account: number): readonly JsonObject[] {
  const rows = db.all(
    `SELECT p.account_id AS pool FROM pools p
      WHERE p.lp_id IN (SELECT b.token_id FROM balances b WHERE b.owner_id = ? AND b.amount > 0)
    UNION ALL SELECT r.pool_id FROM defi d CROSS JOIN routes r ON ${isInTransactionSql("r.id", transactionIdSql("d.id"))}
      AND r.activity = d.id % ${ROWS_PER_TRANSACTION}
    WHERE d.from_id = ? AND d.type IN (2, 3, 4)`,
    account,
    account,
  );
  return [...new Set(rows.map(({ pool }) => Number(pool)))]
    .sort((a, b) => a - b)
    .flatMap((pool) => readPool(db, pool) ?? [])
    .flatMap((pool) => readPositions(db, pool))
    .filter((position) => position.owner === account)
    .map((position) => ({
      position_id: position.id,
      created_time: position.created,
      token_address: position.mint,
      position_owner: db.addressOf(position.owner),
      position_value: position.value,
      pool_id: db.addressOf(position.pool.id),
      program: db.addressOf(position.pool.program),
      position_type: position.type,
      is_position_in_range: position.isInRange,
    }));
}
