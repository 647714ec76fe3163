/**
 * How far a Solana node answers the endpoints: which JSON-RPC methods an answer takes, and which fields only the service
 * knows. Endpoints without an entry cannot be answered by a node.
 */
import { type Hints, NODE_CHOICE, tellAll } from "../base/index.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ValueType } from "./param.ts";

/**
 * `full`: every field. `partial`: without the {@link NodeSupport.missing} fields. `per-transaction`: from the signatures of an
 * account, newest first, one call for each transaction. `none`: not at all.
 */
export const NODE_SUPPORT_LEVELS = ["full", "partial", "per-transaction", "none"] as const;

/** How far a node answers an endpoint. */
export type NodeSupportLevel = (typeof NODE_SUPPORT_LEVELS)[number];

/** How a node answers an endpoint. */
export interface NodeSupport {
  readonly level: NodeSupportLevel;
  /** The JSON-RPC methods that an answer takes. */
  readonly methods: readonly string[];
  /** Those of them that it cannot do without; in place of the others it takes another one, or notes what is missing. */
  readonly required: readonly string[];
  /** Paths of fields that a node does not know: they are absent. */
  readonly missing?: readonly string[];
  /** Parameters that a node cannot apply; requests with them are refused. */
  readonly refused?: readonly string[];
  /** What else differs from the service, as sentences. */
  readonly notes?: readonly string[];
}

/** A row of the table: lists are separated by spaces. */
interface SupportRow {
  /** A question mark follows those that an answer can do without. */
  readonly methods: string;
  readonly missing?: string;
  readonly refused?: string;
  readonly notes?: readonly string[];
  /** Whether the answer is a walk along signatures; else it takes a few calls. */
  readonly isWalk?: true;
}

/** The last three show whether the history of a node is complete. */
const SIGNATURES = "getSignaturesForAddress getTransaction getFirstAvailableBlock? minimumLedgerSlot? getBlockTime?";

const ACCOUNT_WALK = { methods: SIGNATURES, isWalk: true } as const;
const TOKEN_WALK = { methods: `${SIGNATURES} getTokenAccountsByOwner`, isWalk: true } as const;

/** Either method returns accounts: each takes the place of the other. */
const ACCOUNTS = "getMultipleAccounts? getAccountInfo?";
/** Walks whose rows have names of tokens. */
const NAMED_WALK = { methods: `${TOKEN_WALK.methods} ${ACCOUNTS}`, isWalk: true } as const;

const LATEST_BLOCKS = "getSlot getBlocks getBlock";
/** The last one shows that the block is that of its slot. */
const BLOCK = "getSlot getBlock getBlocks?";

const TOKEN_MARKET =
  "icon price volume_24h market_cap market_cap_rank price_change_24h holder metadata creator create_tx created_time first_mint_tx first_mint_time total_dex_vol_24h dex_vol_change_24h";

const OFF_CHAIN_LABELS = "account_icon account_tags account_type account_domain funded_by active_age token_icon";

const HOLDER_NOTES = [
  "Beyond the largest 20 accounts, and with amount filters, every account of the token is read; public nodes refuse that.",
  "The total is missing when only the largest accounts are known.",
];

const NAME_NOTES = ["Names are those that the token published on the chain; anybody can use any name."];

const WALK_NOTES = [
  "Reads each transaction of the account and of its token accounts, newest first: --limit, --from-time and --token-account reduce the cost.",
  "Token accounts that were closed are found where a transaction of the account names them; of those closed after the end of a time range, transfers that do not name the account can be missing.",
];

const ACTIVITY_NOTES = [
  "Reads each transaction of the account, newest first: --limit and --from-time reduce the cost.",
  "Contains the exchanges whose instructions are decoded, where the balances confirm them.",
];

const NO_WALK_TOTAL = "The total is missing: only a walk to the oldest transaction would show it.";

const NAMED_ONLY =
  "Finds transactions that name the mint: checked transfers, mints and burns. Plain transfers of all accounts are missing.";

const TRANSACTION = `getTransaction ${ACCOUNTS}`;
const DETAIL = { methods: TRANSACTION, missing: "transfers.base_value parsed_instructions.transfers.base_value" };
const ACTIONS = { methods: TRANSACTION, missing: "transfers.base_value" };
const REWARDS = { methods: `getInflationReward getEpochInfo getBlockTime getEpochSchedule? getBlocks? ${ACCOUNTS}` };
const METADATA = { methods: ACCOUNTS, missing: OFF_CHAIN_LABELS };
const TOKEN_META = { methods: ACCOUNTS, missing: TOKEN_MARKET, notes: NAME_NOTES };
const HOLDERS = `getTokenLargestAccounts? getProgramAccounts? ${ACCOUNTS}`;
const TRANSFERS = { ...TOKEN_WALK, refused: "value", notes: WALK_NOTES };
const STAKES = `getProgramAccounts getEpochInfo ${ACCOUNTS}`;

const SUPPORT: Readonly<Record<string, SupportRow>> = {
  chaininfo: { methods: "getEpochInfo" },
  "v2-block-last": { methods: LATEST_BLOCKS },
  "v2-block-detail": { methods: BLOCK },
  "v2-block-transactions": { methods: BLOCK },
  "block-last": { methods: LATEST_BLOCKS },
  "block-detail": { methods: BLOCK },
  "block-transactions": { methods: BLOCK, missing: "meta.loadedAddresses" },
  "v2-transaction-last": { methods: LATEST_BLOCKS, notes: ["Searches the newest 64 blocks."] },
  "v2-transaction-detail": DETAIL,
  "v2-transaction-detail-multi": DETAIL,
  "v2-transaction-actions": ACTIONS,
  "v2-transaction-actions-multi": ACTIONS,
  "v2-transaction-fees": {
    methods: LATEST_BLOCKS,
    notes: ["The fees are those of the newest transactions: about 1000, from 21 blocks at most."],
  },
  "transaction-last": { methods: LATEST_BLOCKS, missing: "meta.loadedAddresses" },
  "transaction-detail": { methods: "getTransaction" },
  "v2-account-detail": { methods: ACCOUNTS },
  "v2-account-data-decoded": {
    methods: ACCOUNTS,
    notes: ["Other programs' accounts are decoded by the interface (IDL) that the program published on the chain."],
  },
  "v2-account-token-accounts": { methods: `getTokenAccountsByOwner ${ACCOUNTS}` },
  "v2-account-portfolio": {
    methods: `getTokenAccountsByOwner ${ACCOUNTS}`,
    missing:
      "total_value positions native_balance.token_address native_balance.token_price native_balance.token_icon native_balance.value tokens.token_price tokens.token_icon tokens.value",
    refused: "exclude_low_score_tokens",
    notes: ["Tokens are sorted by balance, because values are unknown."],
  },
  "v2-account-stake": { methods: STAKES, missing: "total_reward stake_type" },
  "v2-account-stake-reward": REWARDS,
  "v2-account-reward-export": REWARDS,
  "v2-account-metadata": METADATA,
  "v2-account-metadata-multi": METADATA,
  "v2-account-leaderboard": {
    methods: "getLargestAccounts",
    missing: "sol_values token_values stake_values total_values",
    refused: "sort_by sort_order",
    notes: ["Contains the 20 accounts with the most SOL: a node knows no more. Many public nodes refuse the method."],
  },
  "v2-account-transactions": { methods: SIGNATURES },
  "v2-account-transactions-enhanced": { methods: SIGNATURES },
  "v2-account-funded-by": {
    methods: SIGNATURES,
    notes: [
      "Searches from the oldest transaction, which takes a call for each 1000 transactions of the account, 100 at most.",
      "Accounts are omitted when the node lacks their oldest transactions.",
    ],
  },
  "v2-account-transfer": TRANSFERS,
  "v2-account-transfer-total": TRANSFERS,
  "v2-account-transfer-export": { ...TOKEN_WALK, missing: "Value", refused: "value", notes: WALK_NOTES },
  "v2-account-balance-change": { ...TOKEN_WALK, refused: "remove_spam", notes: WALK_NOTES },
  "v2-account-defi-activities": { ...ACCOUNT_WALK, missing: "value", refused: "value", notes: ACTIVITY_NOTES },
  "v2-account-defi-activities-export": { ...ACCOUNT_WALK, missing: "Value", refused: "value", notes: ACTIVITY_NOTES },
  "account-detail": { methods: ACCOUNTS, missing: "tokenInfo.price tokenInfo.volume" },
  "account-tokens": { methods: `getTokenAccountsByOwner ${ACCOUNTS}`, missing: "tokenIcon" },
  "account-stake-accounts": { methods: STAKES },
  "account-transactions": { methods: SIGNATURES },
  "account-spl-transfers": { ...NAMED_WALK, notes: [...WALK_NOTES, NO_WALK_TOTAL] },
  "account-sol-transfers": ACCOUNT_WALK,
  "account-export-transactions": { ...NAMED_WALK, notes: WALK_NOTES },
  "account-export-rewards": REWARDS,
  "v2-token-meta": TOKEN_META,
  "v2-token-meta-multi": TOKEN_META,
  "v2-token-holders": { methods: HOLDERS, missing: "value", refused: "from_value to_value", notes: HOLDER_NOTES },
  "v2-token-transfer": { ...ACCOUNT_WALK, refused: "value", notes: [NAMED_ONLY] },
  "token-meta": {
    methods: ACCOUNTS,
    missing: "icon website twitter coingeckoId price volume holder tag",
    notes: NAME_NOTES,
  },
  "token-holders": { methods: HOLDERS, notes: HOLDER_NOTES },
  "token-transfer": { ...NAMED_WALK, notes: [NAMED_ONLY, NO_WALK_TOTAL] },
  "v2-nft-collection-items": {
    methods: "getProgramAccounts",
    missing: "tradeInfo stats info.collection_id info.meta info.mint_tx info.created_time info.data.id",
    refused: "sort_by",
    notes: ["The collection is given by its address. Items are sorted by name."],
  },
  "node-status": {
    methods:
      "getEpochInfo getGenesisHash? getVersion? getRecentPerformanceSamples? getSupply? getVoteAccounts? getBlockTime? getFirstAvailableBlock?",
  },
  "node-performance": { methods: "getRecentPerformanceSamples" },
  "node-validators": { methods: "getVoteAccounts getClusterNodes? getProgramAccounts?" },
  "node-epoch": { methods: "getEpochSchedule getEpochInfo getBlocks? getBlockTime?" },
  "node-account": { methods: `${ACCOUNTS} getEpochInfo?` },
  "node-program": { methods: ACCOUNTS },
  "node-instructions": { methods: TRANSACTION },
  "node-block-rewards": { methods: BLOCK },
  "node-block-programs": { methods: BLOCK },
  "node-block-accounts": { methods: BLOCK },
};

/** Advice where a node has nothing for an identifier, by its type. */
export const NODE_LACKS = {
  signature: tellAll(
    NODE_CHOICE,
    (way) =>
      `The transaction may not be confirmed yet, or be older than the history of this node: try again, or use an archive node: ${way}`,
  ),
  slot: tellAll(
    NODE_CHOICE,
    (way) =>
      `The slot was skipped, is not confirmed yet, or is older than the history of this node: try a neighbouring slot, or an archive node: ${way}`,
  ),
} as const satisfies Partial<Record<ValueType, Hints>>;

/** Returns how a node answers an endpoint. */
export function nodeSupportOf({ route }: Pick<Endpoint, "route">): NodeSupport {
  const row = SUPPORT[route];
  if (row === undefined) return { level: "none", methods: [], required: [] };
  const { methods, missing, refused, notes, isWalk } = row;
  return {
    level: isWalk ? "per-transaction" : missing === undefined ? "full" : "partial",
    methods: methods.split(" ").map((name) => name.replace("?", "")),
    required: methods.split(" ").filter((name) => !name.endsWith("?")),
    ...(missing !== undefined && { missing: missing.split(" ") }),
    ...(refused !== undefined && { refused: refused.split(" ") }),
    ...(notes && { notes }),
  };
}
