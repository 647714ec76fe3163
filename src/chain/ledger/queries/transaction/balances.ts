/** Balances before and after a transaction. */
import type { JsonObject } from "../../../../base/index.ts";
import { WRAPPED_SOL } from "../../../../catalogue/index.ts";
import { type LedgerReader, type LedgerRow, mapRows } from "../../store/reader.ts";
import { KEY_FLAGS, rowRange, SOL } from "../../store/schema.ts";
import { placeOf, voteKeyRows, voteLamports } from "../../store/votes.ts";
import { asText, columnNumber, columnText, decimalsOf, idOrUnknown } from "../sql.ts";

/** A balance before and after a transaction, in base units. */
export interface BalancePair {
  readonly pre: bigint;
  readonly post: bigint;
}

interface LookupPosition {
  /** Id of the table; the keys of a transaction are in the order of the ids. */
  readonly id: number;
  readonly table: string;
  readonly position: number;
}

/** An account that a transaction names, with its lamports where they are known. */
export interface AccountKey extends Partial<BalancePair> {
  readonly id: number;
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly lookedUp: boolean;
  readonly lookup: LookupPosition | undefined;
  readonly token: number | undefined;
}

/** Returns an account key as details and Solana nodes list it. */
export const keyJson = ({ address, signer, writable, lookedUp }: AccountKey): JsonObject => ({
  pubkey: address,
  signer,
  source: lookedUp ? "lookupTable" : "transaction",
  writable,
});

/** The keys that a transaction loads from a lookup table, by their positions in the table, as nodes list them. */
export type TableLookup = {
  readonly accountKey: string;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
};

/** Returns the lookups of the keys from lookup tables: the keys are all writable ones by table, then the others. */
export function lookupsOf(keys: readonly AccountKey[]): readonly TableLookup[] {
  const entries = keys.flatMap(({ lookup, writable }) => (lookup ? [{ ...lookup, writable }] : []));
  const indexes = (list: typeof entries, isWritable: boolean) =>
    list.filter(({ writable }) => writable === isWritable).map(({ position }) => position);
  const byTable = Map.groupBy(
    entries.toSorted((a, b) => a.id - b.id),
    ({ table }) => table,
  );
  return [...byTable].map(([accountKey, list]) => ({
    accountKey,
    writableIndexes: indexes(list, true),
    readonlyIndexes: indexes(list, false),
  }));
}

/** A token account whose balance a transaction changes. */
export interface TokenChange extends BalancePair {
  readonly account: number;
  readonly owner: number;
  readonly token: number;
  readonly decimals: number | undefined;
}

/** The balances before and after a transaction. */
export interface TransactionBalances {
  readonly keys: readonly AccountKey[];
  readonly tokens: readonly TokenChange[];
}

/** Returns the addresses that a transaction names, in the order of its message. */
export const addressesOf = ({ keys }: TransactionBalances): readonly string[] => keys.map(({ address }) => address);

/** An account key whose lamports are known. */
export type FundedKey = AccountKey & BalancePair;
/** Returns whether the lamports of a key are known. */
export const isFunded = (key: AccountKey): key is FundedKey => key.pre !== undefined;

/** The balance of an account for a token, and its owner. */
export interface TokenHolding {
  readonly amount: bigint;
  readonly owner: number;
  /** The row that says it. */
  readonly row: number;
}

/** Returns the balance of an account for a token before a row; undefined when it never had one, or it is unknown. */
export function holdingBefore(db: LedgerReader, account: number, token: number, row: number): TokenHolding | undefined {
  const opening = `SELECT 0 AS id, amount AS post, owner_id FROM opening_balances WHERE account_id = ? AND token_id = ?`;
  const latest = `SELECT id, post, owner_id FROM (SELECT id, post, owner_id FROM balance_changes
    WHERE account_id = ? AND token_id = ? AND id < ? ORDER BY id DESC LIMIT 1)`;
  const reward = `SELECT id, post, account_id FROM (SELECT id, post, account_id FROM rewards
    WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT 1)`;
  const rewards = token === SOL ? `UNION ALL ${reward}` : "";
  const from = `(${latest} ${rewards} UNION ALL ${opening}) ORDER BY id DESC LIMIT 1`;
  const latestRow = db.get(
    `SELECT id, ${asText("post")} AS post, owner_id FROM ${from}`,
    ...[account, token, row],
    ...(token === SOL ? [account, row] : []),
    ...[account, token],
  );
  return (
    latestRow && {
      amount: BigInt(String(latestRow.post)),
      owner: Number(latestRow.owner_id),
      row: Number(latestRow.id),
    }
  );
}

const lookupPosition = (db: LedgerReader, { table_id: id, position }: LedgerRow): LookupPosition | undefined =>
  typeof id === "number" ? { id, table: db.addressOf(id), position: Number(position) } : undefined;

/** The keys of a simulated transaction with what its balances and lookups follow from; other ledgers store these. */
const GENERATED_KEYS = `, t.token_id, l.table_id, l.position FROM account_keys k
  LEFT JOIN token_accounts t ON t.account_id = k.account_id
  LEFT JOIN lookup_entries l ON l.account_id = k.account_id AND k.flags & ${KEY_FLAGS.lookupTable}`;

/** Returns the balances of all accounts that a transaction names, and the changes of token balances. */
export function readBalances(db: LedgerReader, transaction: number): TransactionBalances {
  const rows = rowRange(transaction);
  const changes = db.all(
    `SELECT c.account_id, c.owner_id, c.token_id, ${asText("c.pre")} AS pre, ${asText("c.post")} AS post
    FROM balance_changes c WHERE c.id >= ? AND c.id < ? ORDER BY c.id`,
    ...rows,
  );
  const changed = new Map(changes.map((row) => [`${row.account_id} ${row.token_id}`, balancePair(row)]));
  const place = placeOf(transaction);
  const around = (account: number, token: number, stored?: string): BalancePair | undefined => {
    const change = changed.get(`${account} ${token}`);
    if (change) return change;
    const before = stored === undefined ? holdingBefore(db, account, token, place) : undefined;
    const moved = before && token === SOL ? voteLamports(db, account, before.row, transaction) : 0n;
    const known = stored === undefined ? (before?.amount ?? db.facts.assume(0n)) : BigInt(stored);
    const amount = known === undefined ? undefined : known + moved;
    return amount === undefined ? undefined : { pre: amount, post: amount };
  };
  const wrapped = db.facts.isGenerated ? idOrUnknown(db, WRAPPED_SOL) : undefined;
  const stored = db.all(
    `SELECT k.account_id, k.flags, ${asText("k.lamports")} AS lamports${db.facts.isGenerated ? GENERATED_KEYS : " FROM account_keys k"}
    WHERE k.id >= ? AND k.id < ? ORDER BY k.id`,
    ...rows,
  );
  const keys = stored.length > 0 ? stored : voteKeyRows(db, transaction);
  return {
    keys: mapRows(keys, (row) => {
      const [id, flags] = [Number(row.account_id), Number(row.flags)];
      const token = columnNumber(row.token_id);
      const known = around(id, SOL, columnText(row.lamports));
      const solBalance = row.fee && known ? { ...known, post: known.post - BigInt(row.fee) } : known;
      const wrappedBalance = wrapped !== undefined && token === wrapped ? around(id, wrapped) : undefined;
      return {
        id,
        address: db.addressOf(id),
        signer: (flags & KEY_FLAGS.signer) !== 0,
        writable: (flags & KEY_FLAGS.writable) !== 0,
        lookedUp: (flags & KEY_FLAGS.lookupTable) !== 0,
        lookup: lookupPosition(db, row),
        token,
        // In a simulated chain, the lamports of a token account of wrapped SOL are its rent plus the wrapped amount.
        ...(solBalance && wrappedBalance ? sumPairs(solBalance, wrappedBalance) : solBalance),
      };
    }),
    tokens: mapRows(
      changes.filter((row) => row.token_id !== SOL),
      (row) => changeOf(db, row),
    ),
  };
}

const sumPairs = (a: BalancePair, b: BalancePair): BalancePair => ({ pre: a.pre + b.pre, post: a.post + b.post });

const balancePair = (row: LedgerRow): BalancePair => ({ pre: BigInt(String(row.pre)), post: BigInt(String(row.post)) });

const changeOf = (db: LedgerReader, row: LedgerRow): TokenChange => ({
  ...balancePair(row),
  account: Number(row.account_id),
  owner: Number(row.owner_id),
  token: Number(row.token_id),
  decimals: decimalsOf(db, row.token_id),
});
