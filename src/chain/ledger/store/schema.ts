/**
 * The tables of the ledger. Accounts have consecutive ids; transactions have ids in chain order. A row that belongs to
 * a transaction has the id `transaction × 4096 + n`: rows of a transaction and time windows are ranges of ids, and
 * "newest first" means descending ids in every table.
 *
 * Amounts are base units in unsigned 64-bit integers (see amounts.ts), values are millionths of a US dollar, prices are
 * doubles (US dollars). Times are Unix seconds of the ledger's own time; {@link LedgerClock} shifts them. NULL is what
 * the source does not say: of a simulated chain it follows from other rows, of a real one it is unknown.
 */
import { TRANSFER_ACTIVITIES } from "../../../catalogue/index.ts";
import { TOKEN_STATISTICS_INDEXES, TOKEN_STATISTICS_TABLES } from "./token-statistics.ts";

/** Increases when tables or their meaning change: ledgers of another version are recreated. */
export const LEDGER_VERSION = 8;

/** Number of row ids per transaction in each table. */
export const ROWS_PER_TRANSACTION = 4096;

/** Returns the first row id of a transaction. */
export const firstRow = (transaction: number): number => transaction * ROWS_PER_TRANSACTION;
/** Returns the row ids of a transaction as the two values of `id >= ? AND id < ?`. */
export const rowRange = (transaction: number): readonly [from: number, to: number] => [
  firstRow(transaction),
  firstRow(transaction + 1),
];
/** Returns the id of the transaction that a row belongs to. */
export const transactionOfRow = (row: number): number => Math.floor(row / ROWS_PER_TRANSACTION);

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

/** The tables that a source fills. Most indexes are created after the rows: see {@link INDEXES}. */
export const TABLES = `
-- Properties of the ledger: version, source, seed, size, end (time of the newest block), hostile.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- kind: system_account, token_account, mint, program, stake_account, vote_account, pool, account (data of a program),
-- unknown. on_curve: NULL where it follows from the address.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL,
  kind TEXT NOT NULL,
  owner_program_id INTEGER,
  executable INTEGER NOT NULL,
  on_curve INTEGER
) STRICT;
-- The writer reads ids by address.
CREATE UNIQUE INDEX accounts_address ON accounts (address);
-- tags: a JSON array. type: address, program, token, …
CREATE TABLE labels (account_id INTEGER PRIMARY KEY, label TEXT, icon TEXT, tags TEXT, type TEXT, domain TEXT) STRICT;
CREATE TABLE token_accounts (
  account_id INTEGER PRIMARY KEY,
  token_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  closed INTEGER NOT NULL
) STRICT;
-- The entries of address lookup tables: an account is in one table at most.
CREATE TABLE lookup_entries (account_id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL, position INTEGER NOT NULL) STRICT;
-- Epochs; deactivation_epoch is NULL while the stake is delegated.
-- voter_id: NULL for a stake that was never delegated; its activation_epoch means nothing.
CREATE TABLE stake_accounts (
  account_id INTEGER PRIMARY KEY,
  staker_id INTEGER NOT NULL,
  withdrawer_id INTEGER NOT NULL,
  voter_id INTEGER,
  delegated INTEGER NOT NULL,
  activation_epoch INTEGER NOT NULL,
  deactivation_epoch INTEGER
) STRICT;

-- transactions, votes: of the whole block; stored: transactions of the block that the ledger contains.
CREATE TABLE blocks (
  slot INTEGER PRIMARY KEY,
  height INTEGER,
  time INTEGER,
  hash TEXT NOT NULL,
  parent_slot INTEGER NOT NULL,
  parent_hash TEXT NOT NULL,
  leader_id INTEGER,
  fee_rewards INTEGER,
  first_transaction INTEGER NOT NULL,
  transactions INTEGER NOT NULL,
  votes INTEGER,
  stored INTEGER NOT NULL
) STRICT;
-- logs: lines, or NULL when they follow from the instructions. error: NULL for success. version: NULL for legacy transactions.
-- signature: NULL for compact votes, see votes.ts; these have no keys and instructions. position: in the block, where it
-- does not follow from the id. blockhash: the slot of the block with the recent blockhash, the hash itself where the
-- ledger does not contain the block, or NULL for that of the parent. lookups: a JSON array of [table id, positions of
-- writable keys, of others].
CREATE TABLE transactions (
  id INTEGER PRIMARY KEY,
  slot INTEGER NOT NULL,
  signature TEXT,
  fee INTEGER NOT NULL,
  priority_fee INTEGER NOT NULL,
  error TEXT,
  vote INTEGER NOT NULL,
  compute_units INTEGER,
  version INTEGER,
  logs TEXT,
  position INTEGER,
  blockhash ANY,
  lookups TEXT,
  other_signatures TEXT,
  cost_units INTEGER
) STRICT;
-- The vote account of the identity that pays for compact votes, and the kind of their instruction.
CREATE TABLE voters (
  identity_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  kind_id INTEGER NOT NULL
) STRICT;
-- In the order of the transaction's keys; the first pays the fee. lamports: of keys without a row in balance_changes.
CREATE TABLE account_keys (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  lamports ANY
) STRICT;
-- parsed_type is the explorer's label (raydium:swap), type the program's own name of the instruction (swapBaseIn).
CREATE TABLE instruction_kinds (
  id INTEGER PRIMARY KEY,
  program_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  parsed_type TEXT NOT NULL
) STRICT;
-- In the order of execution. parent: n of the calling instruction, -1 at the top; accounts: n of their keys, see account-positions.ts;
-- info: the other arguments as a JSON object, NULL where they follow from the instruction's transfers. first: 1 for the first
-- instruction of its program in the transaction. data: the bytes.
CREATE TABLE instructions (
  id INTEGER PRIMARY KEY,
  kind_id INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  accounts TEXT NOT NULL,
  info TEXT,
  first INTEGER NOT NULL,
  data BLOB
) STRICT;

-- type: index into the catalogue's list of transfer activities. instruction: n of the instruction that moves it.
-- Token accounts are NULL for SOL. A mint comes from the authority and a burn goes to the mint.
CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  instruction INTEGER NOT NULL,
  type INTEGER NOT NULL,
  from_id INTEGER NOT NULL,
  from_account_id INTEGER,
  to_id INTEGER NOT NULL,
  to_account_id INTEGER,
  token_id INTEGER NOT NULL,
  amount ANY NOT NULL,
  value INTEGER
) STRICT;
-- A change of a balance by a transaction, once for each account and token. For SOL (token 1) owner and
-- account are the same; for tokens the account is the token account.
CREATE TABLE balance_changes (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  token_id INTEGER NOT NULL,
  pre ANY NOT NULL,
  post ANY NOT NULL
) STRICT;
-- The balance of a token account that a transaction names and does not change.
CREATE TABLE holdings (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  token_id INTEGER NOT NULL,
  amount ANY NOT NULL
) STRICT;
-- Balances and supplies before the first block. complete: whether all balances of the token are there.
CREATE TABLE opening_balances (
  account_id INTEGER NOT NULL,
  token_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  amount ANY NOT NULL,
  PRIMARY KEY (account_id, token_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE opening_supplies (token_id INTEGER PRIMARY KEY, amount ANY NOT NULL, complete INTEGER NOT NULL) STRICT;
-- SOL that a block pays in addition to its transactions. The id follows those of the block's last transaction.
-- kind: fee (to the leader), staking, voting (commission of a validator), rent or unknown. Rent may be negative.
CREATE TABLE rewards (
  id INTEGER PRIMARY KEY,
  slot INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  post ANY NOT NULL,
  commission INTEGER
) STRICT;

-- type: index into the catalogue's list of DeFi activities. platform: the program it is attributed to.
CREATE TABLE defi (
  id INTEGER PRIMARY KEY,
  instruction INTEGER NOT NULL,
  type INTEGER NOT NULL,
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  platform_id INTEGER NOT NULL,
  token1_id INTEGER NOT NULL,
  amount1 ANY NOT NULL,
  token2_id INTEGER,
  amount2 ANY,
  value INTEGER
) STRICT;
-- The pools and venues of an activity. activity: n of the row in defi; parent: n of the route above, -1 for the first
-- level. A trade puts token1 into the pool and takes token2 out; other routes may lack token2.
CREATE TABLE routes (
  id INTEGER PRIMARY KEY,
  activity INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  pool_id INTEGER NOT NULL,
  program_id INTEGER NOT NULL,
  trader_id INTEGER NOT NULL,
  is_trade INTEGER NOT NULL,
  token1_id INTEGER NOT NULL,
  amount1 ANY NOT NULL,
  token2_id INTEGER,
  amount2 ANY,
  value INTEGER
) STRICT;
-- Price of one whole token after a trade; id is that of the trade's row in routes.
CREATE TABLE prices (
  token_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  price REAL NOT NULL,
  PRIMARY KEY (token_id, id)
) STRICT, WITHOUT ROWID;

-- The id is that of the mint's account. kind: fungible or nft. metadata, extensions: JSON or NULL. reputation: 0 to 100,
-- below 50 is spam. created, first_mint: transactions, NULL when older than the ledger; founded: the time it was created
-- then, where it is known.
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT,
  symbol TEXT,
  icon TEXT,
  decimals INTEGER,
  program_id INTEGER,
  creator_id INTEGER,
  created INTEGER,
  first_mint INTEGER,
  mint_authority_id INTEGER,
  freeze_authority_id INTEGER,
  metadata_uri TEXT,
  metadata TEXT,
  extensions TEXT,
  platform TEXT,
  reputation INTEGER,
  founded INTEGER
) STRICT;
CREATE TABLE pools (
  account_id INTEGER PRIMARY KEY,
  program_id INTEGER NOT NULL,
  token1_id INTEGER NOT NULL,
  token2_id INTEGER NOT NULL,
  vault1_id INTEGER NOT NULL,
  vault2_id INTEGER NOT NULL,
  creator_id INTEGER,
  created INTEGER,
  lp_id INTEGER,
  fee_bps INTEGER
) STRICT;
CREATE TABLE programs (account_id INTEGER PRIMARY KEY, name TEXT NOT NULL, platform TEXT) STRICT;
CREATE TABLE platforms (id TEXT PRIMARY KEY, name TEXT NOT NULL, website TEXT NOT NULL, description TEXT NOT NULL) STRICT;

-- hex: the explorer's identifier, 64 hexadecimal digits.
CREATE TABLE nft_collections (
  account_id INTEGER PRIMARY KEY,
  hex TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  symbol TEXT NOT NULL
) STRICT;
-- data: the metadata on the chain, meta: the published one, both JSON.
CREATE TABLE nfts (
  token_id INTEGER PRIMARY KEY,
  collection_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  data TEXT NOT NULL,
  meta TEXT NOT NULL,
  minted INTEGER NOT NULL
) STRICT;
-- type: index into the catalogue's list of NFT activities.
CREATE TABLE nft_activities (
  id INTEGER PRIMARY KEY,
  type INTEGER NOT NULL,
  nft_id INTEGER NOT NULL,
  collection_id INTEGER NOT NULL,
  from_id INTEGER,
  to_id INTEGER,
  marketplace_id INTEGER NOT NULL,
  price ANY NOT NULL,
  currency_id INTEGER NOT NULL
) STRICT;
`;

/** The tables derived from the ones above; `settle` fills them, for the whole ledger or for what new blocks affect. */
export const DERIVED_TABLES = `
-- The current balance of an account for a token: the last of its changes and rewards.
CREATE TABLE balances (
  account_id INTEGER NOT NULL,
  token_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  amount ANY NOT NULL,
  PRIMARY KEY (account_id, token_id)
) STRICT, WITHOUT ROWID;
-- Transfers by the owners on both sides; flow: 0 out, 1 in. A transfer to oneself has one row, as out.
CREATE TABLE account_transfers (
  account_id INTEGER NOT NULL,
  transfer_id INTEGER NOT NULL,
  flow INTEGER NOT NULL,
  PRIMARY KEY (account_id, transfer_id)
) STRICT, WITHOUT ROWID;
-- Activities by the tokens that go in and out.
CREATE TABLE defi_tokens (
  token_id INTEGER NOT NULL,
  defi_id INTEGER NOT NULL,
  PRIMARY KEY (token_id, defi_id)
) STRICT, WITHOUT ROWID;
-- Activities by their pools and the programs of these; those without a pool by their platform.
CREATE TABLE defi_sources (
  defi_id INTEGER NOT NULL,
  source_id INTEGER NOT NULL,
  PRIMARY KEY (defi_id, source_id)
) STRICT, WITHOUT ROWID;
-- The account that sent an account its first SOL, and the transfer.
CREATE TABLE funders (account_id INTEGER PRIMARY KEY, funder_id INTEGER NOT NULL, transfer_id INTEGER NOT NULL) STRICT;
-- supply: base units; it and holders are NULL for tokens older than the ledger without opening balances. price_prev: 24 hours before the end. Volumes: millionths of a dollar. market_cap: dollars.
CREATE TABLE token_stats (
  token_id INTEGER PRIMARY KEY,
  supply ANY,
  holders INTEGER,
  price REAL,
  price_prev REAL,
  market_cap REAL,
  volume_24h INTEGER NOT NULL,
  volume_prev_24h INTEGER NOT NULL,
  trades_24h INTEGER NOT NULL,
  traders_24h INTEGER NOT NULL
) STRICT;
-- tvl: dollars.
CREATE TABLE pool_stats (
  pool_id INTEGER PRIMARY KEY,
  trades_24h INTEGER NOT NULL,
  trades_prev_24h INTEGER NOT NULL,
  volume_24h INTEGER NOT NULL,
  volume_prev_24h INTEGER NOT NULL,
  traders_24h INTEGER NOT NULL,
  traders_prev_24h INTEGER NOT NULL,
  tvl REAL
) STRICT;
-- Transactions with any instruction of the program, in the last 90 days. volume: value of the activities on it.
CREATE TABLE program_stats (
  program_id INTEGER PRIMARY KEY,
  transactions INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  volume INTEGER NOT NULL,
  users_24h INTEGER NOT NULL
) STRICT;
-- The instructions of a kind in a transaction. first: 1 in one row of each program and transaction. user: the payer.
-- failed: whether the transaction failed.
CREATE TABLE program_uses (
  kind_id INTEGER NOT NULL,
  transaction_id INTEGER NOT NULL,
  instructions INTEGER NOT NULL,
  first INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (kind_id, transaction_id)
) STRICT, WITHOUT ROWID;
-- The transactions of the last day with a program, by the accounts that paid for them.
CREATE TABLE program_users (
  program_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  uses INTEGER NOT NULL,
  PRIMARY KEY (program_id, user_id)
) STRICT, WITHOUT ROWID;
-- Sums over the transactions of a block, in lamports and compute units. failures: failed transactions that are no votes.
CREATE TABLE block_stats (
  slot INTEGER PRIMARY KEY,
  base_fees INTEGER NOT NULL,
  priority_fees INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  compute_units INTEGER
) STRICT;
-- The stake that is active in an epoch, in lamports, as of its first block.
CREATE TABLE epoch_stakes (epoch INTEGER PRIMARY KEY, active INTEGER NOT NULL) STRICT;
-- Millionths of a dollar.
CREATE TABLE wealth (
  account_id INTEGER PRIMARY KEY,
  sol INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  stakes INTEGER NOT NULL,
  total INTEGER NOT NULL
) STRICT;
-- The last sale of an NFT and the listing that is open: rows of nft_activities.
CREATE TABLE nft_markets (
  nft_id INTEGER PRIMARY KEY,
  collection_id INTEGER NOT NULL,
  last_sale_id INTEGER,
  listing_id INTEGER,
  listing_price ANY
) STRICT;
${TOKEN_STATISTICS_TABLES}`;

/**
 * The indexes that lists are read by. Each index of a table with an id ends with that id, which SQLite adds, so that a
 * page is a range of one index.
 */
export const INDEXES = `
CREATE INDEX token_accounts_owner ON token_accounts (owner_id);
CREATE INDEX stake_accounts_staker ON stake_accounts (staker_id);
CREATE INDEX stake_accounts_withdrawer ON stake_accounts (withdrawer_id);
CREATE INDEX blocks_time ON blocks (time);
CREATE UNIQUE INDEX transactions_signature ON transactions (signature) WHERE signature IS NOT NULL;
CREATE INDEX voters_account ON voters (account_id);
CREATE INDEX account_keys_account ON account_keys (account_id);
CREATE INDEX instruction_kinds_program ON instruction_kinds (program_id);
CREATE INDEX transfers_token ON transfers (token_id);
CREATE INDEX balance_changes_owner ON balance_changes (owner_id);
CREATE INDEX balance_changes_token ON balance_changes (token_id) WHERE token_id <> 1;
CREATE INDEX balance_changes_account ON balance_changes (account_id, token_id);
CREATE INDEX rewards_account ON rewards (account_id);
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
${TOKEN_STATISTICS_INDEXES}`;
