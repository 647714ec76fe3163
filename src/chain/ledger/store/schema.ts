/**
 * The tables of the ledger. Accounts have consecutive ids. The id of a transaction is its position on the chain, `slot ×
 * 8192 + index`, and a row that belongs to it has the id `transaction × 1024 + n`: whoever writes a block gives it the
 * same ids. Rows of a transaction, of a block and of a time window are ranges of ids, and "newest first" means
 * descending ids in every table.
 *
 * Amounts are base units in unsigned 64-bit integers (see amounts.ts), values are millionths of a US dollar, prices are
 * doubles (US dollars). Times are Unix seconds of the ledger's own time; {@link LedgerClock} shifts them. NULL is what
 * the source does not say: of a simulated chain it follows from other rows, of a real one it is unknown.
 */
import { TRANSFER_ACTIVITIES } from "../../../catalogue/index.ts";

/** Increases when tables or their meaning change: ledgers of another version are recreated. */
export const LEDGER_VERSION = 16;

/** Number of row ids per transaction in each table. */
export const ROWS_PER_TRANSACTION = 1024;
/** Number of transaction ids per slot. */
export const TRANSACTIONS_PER_SLOT = 8192;
/** Number of row ids per slot. */
const ROWS_PER_SLOT = TRANSACTIONS_PER_SLOT * ROWS_PER_TRANSACTION;
/** The first slot whose rows have no ids: all others are integers of a double. */
export const SLOT_END = 2 ** 53 / ROWS_PER_SLOT;
/** The rewards of a block have the ids of so many transactions at the end of its slot. */
const REWARD_TRANSACTIONS = 8;
/** The first index in a block that no transaction can have. */
export const INDEX_END = TRANSACTIONS_PER_SLOT - REWARD_TRANSACTIONS;

/** Returns the id of a transaction by its slot and its index in the block. */
export const transactionAt = (slot: number, index = 0): number => slot * TRANSACTIONS_PER_SLOT + index;
/** Returns the slot of a transaction. */
export const slotOfTransaction = (transaction: number): number => Math.floor(transaction / TRANSACTIONS_PER_SLOT);
/** Returns the first row id of a slot. */
export const firstRowOfSlot = (slot: number): number => slot * ROWS_PER_SLOT;
/** Returns the first row id of a transaction. */
export const firstRow = (transaction: number): number => transaction * ROWS_PER_TRANSACTION;
/** Returns the row ids of a transaction as the two values of `id >= ? AND id < ?`. */
export const rowRange = (transaction: number): readonly [from: number, to: number] => [
  firstRow(transaction),
  firstRow(transaction + 1),
];
/** Returns the id of the transaction that a row belongs to. */
export const transactionOfRow = (row: number): number => Math.floor(row / ROWS_PER_TRANSACTION);

/** Returns the SQL for the id of the transaction that a row belongs to. */
export const transactionIdSql = (row: string): string => `${row} / ${ROWS_PER_TRANSACTION}`;

/** Returns the SQL for the first row of a transaction. */
export const firstRowSql = (transaction: string): string => `${transaction} * ${ROWS_PER_TRANSACTION}`;

/** Returns the SQL condition that a row belongs to a transaction, as a range of ids. */
export const isInTransactionSql = (row: string, transaction: string): string =>
  `${row} >= ${transaction} * ${ROWS_PER_TRANSACTION} AND ${row} < (${transaction} + 1) * ${ROWS_PER_TRANSACTION}`;

/** Returns the SQL for the slot of a transaction. */
export const slotSql = (transaction: string): string => `${transaction} / ${TRANSACTIONS_PER_SLOT}`;

/** Days covered by the statistics of programs. */
export const PROGRAM_DAYS = 90;

/** Slots per epoch. */
export const SLOTS_PER_EPOCH = 432_000;

/** The id of native SOL, as a token and as an account. */
export const SOL = 1;
/** The System Program, which owns wallets: the account with the id 2. */
export const SYSTEM_PROGRAM = "11111111111111111111111111111111";

/** The type of transfers that mint; with burns, they change the supply of a token. */
export const MINT = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_MINT");
const BURN = TRANSFER_ACTIVITIES.indexOf("ACTIVITY_SPL_BURN");
/** SQL condition for these transfers, in the form of their index. */
export const CHANGES_SUPPLY = `type IN (${BURN}, ${MINT})`;

/** SQL condition for balance changes that add or remove a holder, in the form of their index. */
export const CHANGES_HOLDERS = "(pre = 0) <> (post = 0)";

/** The bits of `account_keys.flags`. */
export const KEY_FLAGS = { signer: 1, writable: 2, lookupTable: 4 } as const;

/** What is summed over the trades of a time window: numbers and values of trades, and numbers of traders. */
export const TRADE_SUMS = ["buys", "sells", "bought", "sold", "traders", "buyers", "sellers"] as const;

/**
 * The columns of tables: `*` marks the key. A column is an integer unless a type follows, and is never NULL without `?`;
 * `=0` is its default. Types: text, real, any for amounts, blob, flag (0 or 1); and the ids: key of an account, transaction, row, and kind
 * of an instruction.
 */
type Columns = string;

/** A type of a column. */
type ColumnType = "integer" | "flag" | "text" | "real" | "any" | "blob" | "key" | "transaction" | "row" | "kind";

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly isKey: boolean;
  readonly isOptional: boolean;
  /** Its value where a row does not say one. */
  readonly initial: string | undefined;
}

/** The tables that a source fills. Most indexes are created after the rows: see {@link INDEXES}. */
const SOURCE_TABLES = {
  // kind: system_account, token_account, mint, program, stake_account, vote_account, pool, account (data of a program),
  // unknown. on_curve: NULL where it follows from the address. subject_id: the account that this one describes.
  accounts: "*id:key address:text kind:text owner_program_id:key? executable:flag on_curve:flag? subject_id:key?",
  // tags: a JSON array. type: address, program, token, …
  labels: "*account_id:key label:text? icon:text? tags:text? type:text? domain:text?",
  // withheld: fees that are not part of the balance.
  token_accounts: "*account_id:key token_id:key owner_id:key closed:flag withheld:any?",
  // The entries of address lookup tables: an account is in one table at most.
  lookup_entries: "*account_id:key table_id:key position",
  // Epochs; deactivation_epoch is NULL while the stake is delegated.
  // voter_id: NULL for a stake that was never delegated; its activation_epoch means nothing.
  stake_accounts:
    "*account_id:key staker_id:key withdrawer_id:key voter_id:key? delegated activation_epoch deactivation_epoch?",

  // transactions, votes: of the whole block; stored: transactions of the block that the ledger contains. Of a simulated
  // chain, blocks and transactions are those with anything but votes, see blocks.ts and votes.ts. partial: whether
  // effects of its transactions are unknown.
  blocks:
    "*slot height? time? hash:text parent_slot parent_hash:text leader_id:key? fee_rewards? transactions votes? stored partial:flag",
  // logs: lines, or NULL when they follow from the instructions. error: NULL for success. version: NULL for legacy
  // transactions. The recent blockhash is that of the block of blockhash_slot, or blockhash where the ledger does
  // not contain the block; without either that of the parent. lookups: a JSON array of [table, positions of writable
  // keys, of others].
  transactions:
    "*id:transaction signature:text fee priority_fee error:text? vote:flag compute_units? version? logs:text? blockhash_slot? blockhash:text? lookups:text? other_signatures:text? cost_units?",
  // The voters of a simulated chain: the identity, which pays for votes, the vote account, and the turns as a leader.
  voters: "*n identity_id:key account_id:key share",
  // In the order of the transaction's keys; the first pays the fee. lamports: of keys without a row in balance_changes.
  account_keys: "*id:row account_id:key flags lamports:any?",
  // parsed_type is the explorer's label (raydium:swap), type the program's own name of the instruction (swapBaseIn).
  instruction_kinds: "*id:kind program_id:key type:text parsed_type:text",
  // In the order of execution. parent: n of the calling instruction, -1 at the top; accounts: n of their keys, see
  // source.ts; info: the other arguments as a JSON object, NULL where they follow from the instruction's transfers.
  // first: 1 for the first instruction of its program in the transaction. data: the bytes.
  instructions: "*id:row kind_id:kind parent accounts:text info:text? first:flag data:blob?",

  // type: index into the catalogue's list of transfer activities. instruction: n of the instruction that moves it.
  // Token accounts are NULL for SOL. A mint comes from the authority and a burn goes to the mint.
  transfers:
    "*id:row instruction type from_id:key from_account_id:key? to_id:key to_account_id:key? token_id:key amount:any value?",
  // A change of a balance by a transaction, once for each account and token. For SOL (token 1) owner and account are the
  // same; for tokens the account is the token account.
  balance_changes: "*id:row account_id:key owner_id:key token_id:key pre:any post:any",
  // The balance of a token account that a transaction names and does not change.
  holdings: "*id:row account_id:key owner_id:key token_id:key amount:any",
  // Balances and supplies before the first block. complete: whether all balances of the token are there.
  opening_balances: "*account_id:key *token_id:key owner_id:key amount:any",
  opening_supplies: "*token_id:key amount:any complete:flag",
  // SOL that a block pays in addition to its transactions. The ids are the last ones of the slot.
  // kind: fee (to the leader), staking, voting (commission of a validator), rent or unknown. Rent may be negative.
  rewards: "*id:row account_id:key kind:text epoch amount post:any commission?",

  // type: index into the catalogue's list of DeFi activities. platform: the program it is attributed to.
  defi: "*id:row instruction type from_id:key to_id:key platform_id:key token1_id:key amount1:any token2_id:key? amount2:any? value?",
  // The pools and venues of an activity. activity: n of the row in defi; parent: n of the route above, -1 for the first
  // level. A trade puts token1 into the pool and takes token2 out; other routes may lack token2.
  routes:
    "*id:row activity parent pool_id:key program_id:key trader_id:key is_trade:flag token1_id:key amount1:any token2_id:key? amount2:any? value?",
  // Price of one whole token after a trade; id is that of the trade's row in routes.
  prices: "*token_id:key *id:row price:real",

  // The id is that of the mint's account. kind: fungible or nft. metadata, extensions: JSON or NULL. reputation: 0 to
  // 100, below 50 is spam. created, first_mint: transactions, NULL when older than the ledger; founded: the time it was
  // created then, where it is known.
  tokens:
    "*id:key kind:text name:text? symbol:text? icon:text? decimals? program_id:key? creator_id:key? created:transaction? first_mint:transaction? mint_authority_id:key? freeze_authority_id:key? metadata_uri:text? metadata:text? extensions:text? platform:text? reputation? founded?",
  pools:
    "*account_id:key program_id:key token1_id:key token2_id:key vault1_id:key vault2_id:key creator_id:key? created:transaction? lp_id:key? fee_bps?",
  programs: "*account_id:key name:text platform:text?",
  platforms: "*id:text name:text website:text description:text",

  // hex: the explorer's identifier, 64 hexadecimal digits.
  nft_collections: "*account_id:key hex:text name:text symbol:text",
  // data: the metadata on the chain, meta: the published one, both JSON. minted: NULL when older than the ledger.
  nfts: "*token_id:key collection_id:key number data:text meta:text? minted:transaction?",
  // type: index into the catalogue's list of NFT activities.
  nft_activities:
    "*id:row type nft_id:key collection_id:key from_id:key? to_id:key? marketplace_id:key price:any currency_id:key",
} as const satisfies Readonly<Record<string, Columns>>;

/** The tables derived from the ones above; `settle` fills them, for the whole ledger or for what new blocks affect. */
const DERIVED_TABLES: Readonly<Record<string, Columns>> = {
  // Properties of the ledger: version, source, seed, size, end (time of the newest block), hostile.
  meta: "*name:text value:text",
  // The current balance of an account for a token: the last of its changes and rewards.
  balances: "*account_id:key *token_id:key owner_id:key amount:any",
  // Transfers by the owners on both sides; flow: 0 out, 1 in. A transfer to oneself has one row, as out.
  account_transfers: "*account_id:key *transfer_id:row flow",
  // Activities by the tokens that go in and out.
  defi_tokens: "*token_id:key *defi_id:row",
  // Activities by their pools and the programs of these; those without a pool by their platform.
  defi_sources: "*defi_id:row *source_id:key",
  // The account that sent an account its first SOL, and the transfer.
  funders: "*account_id:key funder_id:key transfer_id:row",
  // supply: base units; it and holders are NULL for tokens older than the ledger without opening balances. known_holders:
  // those that the ledger knows. price_prev: 24 hours before the end. Volumes: millionths of a dollar. market_cap: dollars.
  token_stats:
    "*token_id:key supply:any? holders? known_holders price:real? price_prev:real? market_cap:real? volume_24h volume_prev_24h trades_24h traders_24h",
  // tvl: dollars.
  pool_stats:
    "*pool_id:key trades_24h trades_prev_24h volume_24h volume_prev_24h traders_24h traders_prev_24h tvl:real?",
  // Transactions with any instruction of the program, in the last 90 days. volume: value of the activities on it.
  program_stats: "*program_id:key transactions successes volume users_24h",
  // The instructions of a kind in a transaction. first: 1 in one row of each program and transaction. user: the payer.
  // failed: whether the transaction failed.
  program_uses: "*kind_id:kind *transaction_id:transaction instructions first:flag failed:flag user_id:key",
  // The transactions of the last day with a program, by the accounts that paid for them.
  program_users: "*program_id:key *user_id:key uses",
  // Sums over the transactions of a block, in lamports and compute units. failures: failed transactions that are no votes.
  block_stats: "*slot base_fees priority_fees failures compute_units?",
  // The stake that is active in an epoch, in lamports, as of its first block.
  epoch_stakes: "*epoch active",
  // Millionths of a dollar.
  wealth: "*account_id:key sol tokens stakes total",
  // The last sale of an NFT and the listing that is open: rows of nft_activities.
  nft_markets: "*nft_id:key collection_id:key last_sale_id:row? listing_id:row? listing_price:any?",
  // Trades by the tokens on both sides; id: row in routes. Amounts are base units, values millionths of a dollar. price:
  // of one whole token after the trade; NULL before the first price.
  token_trades: "*token_id:key *id:row time? trader_id:key is_buy:flag amount:any value? price:real?",
  // Trades of a token in a time window of the catalogue (span is its number) and, as prev_…, in the window before.
  // Tokens without any have no row. price_prev: at the beginning of the window.
  token_windows: `*span *token_id:key ${["", "prev_"]
    .flatMap((prefix) => TRADE_SUMS.map((name) => `${prefix}${name}=0`))
    .join(" ")} price_prev:real?`,
  // Concentration of the volume of 24 hours on traders. Shares are percent.
  token_traders: "*token_id:key hhi:real top_1:real top_5:real top_20:real top_100:real",
  // Tokens with other balances than at the last update of token_holdings.
  stale_holdings: "*token_id:key",
  // Concentration of the balances on token accounts. Shares are percent.
  token_holdings: "*token_id:key gini:real hhi:real top_1:real top_5:real top_20:real top_100:real",
};

/** A table that a source fills. */
export type SourceTable = keyof typeof SOURCE_TABLES;

/** The names of these tables. */
export const SOURCE_TABLE_NAMES = Object.keys(SOURCE_TABLES) as readonly SourceTable[];

function parseColumns(columns: Columns): readonly Column[] {
  return columns.split(" ").map((column) => {
    const [, key, name = "", type = "integer", optional, initial] =
      /^(\*?)(\w+)(?::(\w+))?(\?)?(?:=(\d+))?$/.exec(column) ?? [];
    return { name, type: type as ColumnType, isKey: key === "*", isOptional: optional === "?", initial };
  });
}

/** Returns the columns of a table that a source fills, in order. */
export const sourceColumns = (table: SourceTable): readonly Column[] => parseColumns(SOURCE_TABLES[table]);

/** All tables with their columns, in order. */
export const ALL_TABLES: ReadonlyMap<string, readonly Column[]> = new Map(
  Object.entries({ ...SOURCE_TABLES, ...DERIVED_TABLES }).map(([name, columns]) => [name, parseColumns(columns)]),
);

/** Returns their names. */
export const columnNames = (table: SourceTable): readonly string[] => sourceColumns(table).map(({ name }) => name);

/** Types that SQLite has. All others are integers. */
const STORED_TYPES: ReadonlySet<ColumnType> = new Set(["text", "real", "any", "blob"]);

/** Returns the first value of a column that is a position on the chain, in a slot: of rows, of transactions, or the slot. */
export const firstPosition = ({ type }: Pick<Column, "type">, slot: number): number =>
  type === "row" ? firstRowOfSlot(slot) : type === "transaction" ? transactionAt(slot) : slot;

/** Whether a column is the position on the chain that a table is keyed by. */
export const isPosition = ({ name, type, isKey }: Column): boolean =>
  isKey && (type === "row" || type === "transaction" || name === "slot");

/** Returns the statement that creates a table. Tables whose key is no single integer have no other row ids. */
function tableSql(name: string, text: Columns): string {
  const columns = parseColumns(text);
  const keys = columns.filter(({ isKey }) => isKey);
  const isRowId = keys.length === 1 && keys.every(({ type }) => !STORED_TYPES.has(type));
  const body = columns.map(({ name: column, type, isKey, isOptional, initial }) => {
    if (isRowId && isKey) return `${column} INTEGER PRIMARY KEY`;
    const suffix = `${isOptional ? "" : " NOT NULL"}${initial === undefined ? "" : ` DEFAULT ${initial}`}`;
    return `${column} ${STORED_TYPES.has(type) ? type.toUpperCase() : "INTEGER"}${suffix}`;
  });
  return isRowId
    ? `CREATE TABLE ${name} (${body.join()}) STRICT;`
    : `CREATE TABLE ${name} (${body.join()}, PRIMARY KEY (${keys.map((key) => key.name).join()})) STRICT, WITHOUT ROWID;`;
}

/** The statements that create all tables, and the index by which the writer reads ids. */
export const TABLES = `${Object.entries({ ...SOURCE_TABLES, ...DERIVED_TABLES })
  .map(([name, columns]) => tableSql(name, columns))
  .join("")}
CREATE UNIQUE INDEX accounts_address ON accounts (address);
CREATE UNIQUE INDEX nft_collections_hex ON nft_collections (hex);`;

/** The indexes that a writer reads by, beside those of keys. */
export const WRITER_INDEXES = `
CREATE INDEX blocks_time ON blocks (time);
CREATE INDEX balance_changes_account ON balance_changes (account_id, token_id);
CREATE INDEX rewards_account ON rewards (account_id);
`;

/**
 * The indexes that lists are read by, with these. Each index of a table with an id ends with that id, which SQLite adds,
 * so that a page is a range of one index.
 */
export const INDEXES = `${WRITER_INDEXES}CREATE INDEX token_accounts_owner ON token_accounts (owner_id);
CREATE INDEX stake_accounts_staker ON stake_accounts (staker_id);
CREATE INDEX stake_accounts_withdrawer ON stake_accounts (withdrawer_id);
CREATE INDEX blocks_partial ON blocks (slot) WHERE partial;
CREATE UNIQUE INDEX transactions_signature ON transactions (signature);
CREATE INDEX account_keys_account ON account_keys (account_id);
CREATE INDEX instruction_kinds_program ON instruction_kinds (program_id);
CREATE INDEX transfers_token ON transfers (token_id);
CREATE INDEX balance_changes_owner ON balance_changes (owner_id);
CREATE INDEX balance_changes_token ON balance_changes (token_id) WHERE token_id <> 1;
CREATE INDEX defi_from ON defi (from_id);
CREATE INDEX defi_platform ON defi (platform_id, id, value);
-- Liquidity that is added or removed, and pools that are created.
CREATE INDEX defi_liquidity ON defi (from_id) WHERE type IN (2, 3, 4);
CREATE INDEX routes_pool ON routes (pool_id, id, is_trade, value);
CREATE INDEX tokens_created ON tokens (created, founded) WHERE kind = 'fungible';
CREATE INDEX tokens_platform ON tokens (platform, created) WHERE kind = 'fungible';
CREATE INDEX tokens_name ON tokens (name COLLATE NOCASE) WHERE kind = 'fungible';
CREATE INDEX tokens_symbol ON tokens (symbol COLLATE NOCASE) WHERE kind = 'fungible';
CREATE INDEX pools_created ON pools (created);
CREATE INDEX pools_token1 ON pools (token1_id);
CREATE INDEX pools_token2 ON pools (token2_id);
CREATE INDEX balances_token ON balances (token_id, amount, account_id);
CREATE INDEX balances_owner ON balances (owner_id, token_id);
CREATE INDEX token_stats_market_cap ON token_stats (market_cap) WHERE market_cap IS NOT NULL;
CREATE INDEX token_stats_holders ON token_stats (holders) WHERE market_cap IS NOT NULL;
CREATE INDEX token_stats_traders ON token_stats (traders_24h, volume_24h) WHERE market_cap IS NOT NULL;
CREATE INDEX pool_stats_volume ON pool_stats (volume_24h);
CREATE INDEX pool_stats_trades ON pool_stats (trades_24h);
CREATE INDEX nfts_collection ON nfts (collection_id);
CREATE INDEX nfts_minted ON nfts (minted, token_id);
CREATE INDEX nft_activities_collection ON nft_activities (collection_id);
CREATE INDEX nft_activities_nft ON nft_activities (nft_id);
CREATE INDEX nft_activities_type ON nft_activities (type);
CREATE INDEX nft_activities_marketplace ON nft_activities (collection_id, marketplace_id);
CREATE INDEX nft_markets_sales ON nft_markets (collection_id, last_sale_id);
CREATE INDEX nft_markets_listings ON nft_markets (collection_id, listing_id);
CREATE INDEX wealth_total ON wealth (total);
CREATE INDEX wealth_sol ON wealth (sol);
CREATE INDEX wealth_tokens ON wealth (tokens);
CREATE INDEX wealth_stakes ON wealth (stakes);
CREATE INDEX transfers_supply ON transfers (token_id, id, type, amount) WHERE ${CHANGES_SUPPLY};
CREATE INDEX balance_changes_holders ON balance_changes (token_id, id, post) WHERE ${CHANGES_HOLDERS};
CREATE INDEX token_trades_trader ON token_trades (token_id, trader_id, is_buy, id);
`;
