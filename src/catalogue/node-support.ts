/**
 * How far a Solana node answers the endpoints: which JSON-RPC methods an answer takes, and which fields only the service
 * knows. Endpoints without an entry cannot be answered by a node.
 */
import type { Endpoint } from "./endpoint.ts";
import type { ValueType } from "./param.ts";

/**
 * `full`: every field. `partial`: without the {@link NodeSupport.missing} fields. `walk`: from the signatures of an
 * account, newest first, one call for each transaction. `none`: not at all.
 */
export const NODE_SUPPORT_LEVELS = ["full", "partial", "walk", "none"] as const;

/** How far a node answers an endpoint. */
export type NodeSupportLevel = (typeof NODE_SUPPORT_LEVELS)[number];

/** How a node answers an endpoint. */
export interface NodeSupport {
  readonly level: NodeSupportLevel;
  /** The JSON-RPC methods that an answer takes. */
  readonly methods: readonly string[];
  /** Paths of fields that a node does not know: they are absent. */
  readonly missing?: readonly string[];
  /** Parameters that a node cannot apply; requests with them are refused. */
  readonly refused?: readonly string[];
  /** What else differs from the service, as sentences. */
  readonly notes?: readonly string[];
}

const NONE: NodeSupport = { level: "none", methods: [] };

const SIGNATURES_AND_TRANSACTIONS = ["getSignaturesForAddress", "getTransaction"] as const;

const MARKET_OF_TOKEN = [
  ...["icon", "price", "volume_24h", "market_cap", "market_cap_rank", "price_change_24h", "holder", "metadata"],
  ...[
    "creator",
    "create_tx",
    "created_time",
    "first_mint_tx",
    "first_mint_time",
    "total_dex_vol_24h",
    "dex_vol_change_24h",
  ],
];

const OFF_CHAIN_LABELS = [
  ...["account_icon", "account_tags", "account_type", "account_domain"],
  ...["funded_by", "active_age", "token_icon"],
];

const HOLDER_NOTES = [
  "Beyond the largest 20 accounts, and with amount filters, every account of the token is read; public nodes refuse that.",
  "The total is missing when only the largest accounts are known.",
];

const NAME_NOTES = ["Names are those that the token published on the chain; anybody can use any name."];

const WALK = [...SIGNATURES_AND_TRANSACTIONS, "getTokenAccountsByOwner"] as const;

const WALK_NOTES = [
  "Reads each transaction of the account and of its token accounts, newest first: --limit, --from-time and --token-account reduce the cost.",
  "Token accounts that were closed are found where a transaction of the account names them; of those closed after the end of a time range, transfers that do not name the account can be missing.",
] as const;

const ACTIVITY_NOTES = [
  "Reads each transaction of the account, newest first: --limit and --from-time reduce the cost.",
  "Contains the exchanges whose instructions are decoded, where the balances confirm them.",
] as const;

const NO_WALK_TOTAL = "The total is missing: only a walk to the oldest transaction would show it.";

const NAMED_ONLY =
  "Finds transactions that name the mint: checked transfers, mints and burns. Plain transfers of all accounts are missing.";

const LATEST_NOTES = ["Searches the newest 64 blocks."] as const;

const FUNDING_NOTES = [
  "Searches from the oldest transaction, which takes a call for each 1000 transactions of the account, 100 at most.",
  "Accounts are omitted when the node lacks their oldest transactions.",
] as const;

/** Values in USD, and data that only the service adds. */
const DETAIL_VALUES = ["transfers.base_value", "parsed_instructions.transfers.base_value"] as const;

/** Endpoints by the catalogue's route. */
const SUPPORT: Readonly<Record<string, NodeSupport>> = {
  chaininfo: { level: "full", methods: ["getEpochInfo"] },
  "v2-block-last": { level: "full", methods: ["getSlot", "getBlocks", "getBlock"] },
  "v2-block-detail": { level: "full", methods: ["getSlot", "getBlock"] },
  "v2-block-transactions": { level: "full", methods: ["getSlot", "getBlock"] },
  "block-last": { level: "full", methods: ["getSlot", "getBlocks", "getBlock"] },
  "block-detail": { level: "full", methods: ["getSlot", "getBlock"] },
  "block-transactions": { level: "partial", methods: ["getSlot", "getBlock"], missing: ["meta.loadedAddresses"] },
  "v2-transaction-last": { level: "full", methods: ["getSlot", "getBlocks", "getBlock"], notes: LATEST_NOTES },
  "v2-transaction-detail": {
    level: "partial",
    methods: ["getTransaction", "getMultipleAccounts"],
    missing: DETAIL_VALUES,
  },
  "v2-transaction-detail-multi": {
    level: "partial",
    methods: ["getTransaction", "getMultipleAccounts"],
    missing: DETAIL_VALUES,
  },
  "v2-transaction-actions": {
    level: "partial",
    methods: ["getTransaction", "getMultipleAccounts"],
    missing: ["transfers.base_value"],
  },
  "v2-transaction-actions-multi": {
    level: "partial",
    methods: ["getTransaction", "getMultipleAccounts"],
    missing: ["transfers.base_value"],
  },
  "v2-transaction-fees": {
    level: "full",
    methods: ["getSlot", "getBlocks", "getBlock"],
    notes: ["The fees are those of the newest transactions: about 1000, from 21 blocks at most."],
  },
  "transaction-last": {
    level: "partial",
    methods: ["getSlot", "getBlocks", "getBlock"],
    missing: ["meta.loadedAddresses"],
  },
  "transaction-detail": { level: "full", methods: ["getTransaction"] },
  "v2-account-detail": { level: "full", methods: ["getMultipleAccounts"] },
  "v2-account-data-decoded": {
    level: "full",
    methods: ["getAccountInfo"],
    notes: ["Other programs' accounts are decoded by the interface (IDL) that the program published on the chain."],
  },
  "v2-account-token-accounts": { level: "full", methods: ["getTokenAccountsByOwner"] },
  "v2-account-portfolio": {
    level: "partial",
    methods: ["getTokenAccountsByOwner", "getMultipleAccounts"],
    missing: [
      ...["total_value", "positions", "native_balance.token_address", "native_balance.token_price"],
      ...[
        "native_balance.token_icon",
        "native_balance.value",
        "tokens.token_price",
        "tokens.token_icon",
        "tokens.value",
      ],
    ],
    refused: ["exclude_low_score_tokens"],
    notes: ["Tokens are sorted by balance, because values are unknown."],
  },
  "v2-account-stake": {
    level: "partial",
    methods: ["getProgramAccounts", "getEpochInfo"],
    missing: ["total_reward", "stake_type"],
  },
  "v2-account-stake-reward": { level: "full", methods: ["getInflationReward"] },
  "v2-account-reward-export": { level: "full", methods: ["getInflationReward"] },
  "v2-account-metadata": { level: "partial", methods: ["getMultipleAccounts"], missing: OFF_CHAIN_LABELS },
  "v2-account-metadata-multi": { level: "partial", methods: ["getMultipleAccounts"], missing: OFF_CHAIN_LABELS },
  "v2-account-transactions": { level: "full", methods: [...SIGNATURES_AND_TRANSACTIONS] },
  "v2-account-transactions-enhanced": { level: "full", methods: [...SIGNATURES_AND_TRANSACTIONS] },
  "v2-account-funded-by": { level: "full", methods: [...SIGNATURES_AND_TRANSACTIONS], notes: FUNDING_NOTES },
  "v2-account-transfer": { level: "walk", methods: WALK, refused: ["value"], notes: WALK_NOTES },
  "v2-account-transfer-total": { level: "walk", methods: WALK, refused: ["value"], notes: WALK_NOTES },
  "v2-account-transfer-export": {
    level: "walk",
    methods: WALK,
    missing: ["Value"],
    refused: ["value"],
    notes: WALK_NOTES,
  },
  "v2-account-balance-change": { level: "walk", methods: WALK, refused: ["remove_spam"], notes: WALK_NOTES },
  "v2-account-defi-activities": {
    level: "walk",
    methods: [...SIGNATURES_AND_TRANSACTIONS],
    missing: ["value"],
    refused: ["value"],
    notes: ACTIVITY_NOTES,
  },
  "v2-account-defi-activities-export": {
    level: "walk",
    methods: [...SIGNATURES_AND_TRANSACTIONS],
    missing: ["Value"],
    refused: ["value"],
    notes: ACTIVITY_NOTES,
  },
  "account-detail": {
    level: "partial",
    methods: ["getMultipleAccounts"],
    missing: ["tokenInfo.price", "tokenInfo.volume"],
  },
  "account-tokens": { level: "partial", methods: ["getTokenAccountsByOwner"], missing: ["tokenIcon"] },
  "account-stake-accounts": { level: "full", methods: ["getProgramAccounts", "getEpochInfo"] },
  "account-transactions": { level: "full", methods: [...SIGNATURES_AND_TRANSACTIONS] },
  "account-spl-transfers": { level: "walk", methods: WALK, notes: [...WALK_NOTES, NO_WALK_TOTAL] },
  "account-sol-transfers": { level: "walk", methods: [...SIGNATURES_AND_TRANSACTIONS] },
  "account-export-transactions": { level: "walk", methods: WALK, notes: WALK_NOTES },
  "account-export-rewards": { level: "full", methods: ["getInflationReward"] },
  "v2-token-meta": { level: "partial", methods: ["getMultipleAccounts"], missing: MARKET_OF_TOKEN, notes: NAME_NOTES },
  "v2-token-meta-multi": {
    level: "partial",
    methods: ["getMultipleAccounts"],
    missing: MARKET_OF_TOKEN,
    notes: NAME_NOTES,
  },
  "v2-token-holders": {
    level: "partial",
    methods: ["getTokenLargestAccounts", "getMultipleAccounts"],
    missing: ["value"],
    refused: ["from_value", "to_value"],
    notes: HOLDER_NOTES,
  },
  "v2-token-transfer": {
    level: "walk",
    methods: [...SIGNATURES_AND_TRANSACTIONS],
    refused: ["value"],
    notes: [NAMED_ONLY],
  },
  "token-meta": {
    level: "partial",
    methods: ["getMultipleAccounts"],
    missing: ["icon", "website", "twitter", "coingeckoId", "price", "volume", "holder", "tag"],
    notes: NAME_NOTES,
  },
  "token-holders": { level: "full", methods: ["getTokenLargestAccounts", "getMultipleAccounts"], notes: HOLDER_NOTES },
  "token-transfer": { level: "walk", methods: WALK, notes: [NAMED_ONLY, NO_WALK_TOTAL] },
  "v2-nft-collection-items": {
    level: "partial",
    methods: ["getProgramAccounts"],
    missing: [
      ...["tradeInfo", "stats", "info.collection_id", "info.meta", "info.mint_tx", "info.created_time", "info.data.id"],
    ],
    refused: ["sort_by"],
    notes: ["The collection is given by its address. Items are sorted by name."],
  },
  "node-status": {
    level: "full",
    methods: [
      "getEpochInfo",
      "getGenesisHash",
      "getVersion",
      "getRecentPerformanceSamples",
      "getSupply",
      "getVoteAccounts",
      "getFirstAvailableBlock",
    ],
  },
  "node-performance": { level: "full", methods: ["getRecentPerformanceSamples"] },
  "node-validators": { level: "full", methods: ["getVoteAccounts", "getClusterNodes", "getProgramAccounts"] },
  "node-epoch": { level: "full", methods: ["getEpochSchedule", "getEpochInfo", "getBlocks", "getBlockTime"] },
  "node-account": { level: "full", methods: ["getAccountInfo"] },
  "node-program": { level: "full", methods: ["getMultipleAccounts"] },
  "node-instructions": { level: "full", methods: ["getTransaction"] },
  "node-block-rewards": { level: "full", methods: ["getBlock"] },
  "node-block-programs": { level: "full", methods: ["getBlock"] },
  "node-block-accounts": { level: "full", methods: ["getBlock"] },
};

/** Advice where a node has nothing for an identifier, by its type. */
export const NODE_LACKS = {
  signature:
    "The transaction may not be confirmed yet, or be older than the history of this node: try again, or use an archive node: --rpc <url>",
  slot: "The slot was skipped, is not confirmed yet, or is older than the history of this node: try a neighbouring slot, or an archive node: --rpc <url>",
} as const satisfies Partial<Record<ValueType, string>>;

/** Returns how a node answers an endpoint. */
export const nodeSupportOf = ({ route }: Pick<Endpoint, "route">): NodeSupport => SUPPORT[route] ?? NONE;
