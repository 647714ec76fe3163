/** Names, tags and domains of users, firms, bots and validators. The wallets of the firms are fictional. */

/** Off-chain information about a wallet. */
export interface WalletProfile {
  readonly label: string;
  readonly tags: readonly string[];
  readonly icon?: string | undefined;
  readonly domain?: string | undefined;
}

type Row = readonly [label: string, tags: string, icon?: string | undefined, domain?: string];

const STATIC = "https://statics.solscan.io/ex-img";

const createProfiles = (rows: readonly Row[]): readonly WalletProfile[] =>
  rows.map(([label, tags, icon, domain]) => ({
    label,
    tags: tags.split(" "),
    icon: icon === undefined ? undefined : `${STATIC}/${icon}.png`,
    domain,
  }));

/** Exchanges: hot wallets first, the largest exchange first. */
export const EXCHANGES: readonly WalletProfile[] = createProfiles([
  ["Binance Hot Wallet 3", "exchange_wallet", "binance"],
  ["Coinbase Hot Wallet 2", "exchange_wallet", "coinbase"],
  ["Kraken Hot Wallet", "exchange_wallet", "kraken"],
  ["OKX Hot Wallet", "exchange_wallet", "okx"],
  ["Bybit Hot Wallet", "exchange_wallet", "bybit"],
  ["KuCoin Hot Wallet", "exchange_wallet", "kucoin"],
  ["Gate.io Hot Wallet", "exchange_wallet", "gate"],
  ["Crypto.com Hot Wallet 1", "exchange_wallet", "cryptocom"],
  ["MEXC Hot Wallet", "exchange_wallet", "mexc"],
  ["Binance Cold Wallet", "exchange_wallet cold_wallet", "binance"],
  ["Coinbase Cold Wallet", "exchange_wallet cold_wallet", "coinbase"],
]);

/** Treasuries of organisations. */
export const TREASURIES: readonly WalletProfile[] = createProfiles([
  ["Lantern DAO: Treasury", "dao multisig", "realms", "lanterndao.sol"],
  ["Monolith Guild: Grants", "dao multisig", "realms"],
  ["Saltwater Collective: Treasury", "dao multisig", "squads"],
  ["Open Harbor Foundation", "foundation multisig", "squads", "openharbor.sol"],
]);

/** Market makers and funds. */
export const MARKET_MAKERS: readonly WalletProfile[] = createProfiles([
  ["Kestrel Markets", "market_maker"],
  ["Bluewater Trading: Solana 1", "market_maker"],
  ["Northgate Quant", "market_maker fund"],
  ["Ridgeline Capital", "fund", undefined, "ridgeline.sol"],
]);

/** Bots. */
export const BOTS: readonly WalletProfile[] = createProfiles([
  ["Arbitrage Bot", "arbitrage_bot"],
  ["Sandwich Bot 7", "mev_bot sandwich_bot"],
  ["Liquidator Bot", "liquidator"],
  ["Sniper Bot", "sniper_bot"],
  ["Copy Trading Bot", "trading_bot"],
]);

/** Well-known large wallets. */
export const WHALES: readonly WalletProfile[] = createProfiles([
  ["Whale: first of many", "whale", undefined, "leviathan.sol"],
  ["Early Staker", "whale staker", undefined, "patience.sol"],
]);

/** The wallet with the most stake accounts. */
export const STAKING_WHALE: WalletProfile = {
  label: "Glacier Staking Treasury",
  tags: ["whale", "staker"],
  domain: "glacier.sol",
};

/** Creators of the first fictional collections. */
export const CREATORS: readonly WalletProfile[] = createProfiles([
  ["Paper Lantern Studio", "nft_creator", undefined, "paperlantern.sol"],
  ["Glitch Garden", "nft_creator", undefined, "glitchgarden.sol"],
  ["Ueno Pixel Works", "nft_creator"],
  ["Maison Corbeau", "nft_creator", undefined, "corbeau.sol"],
]);

/** Validators: name, share of the stake in thousandths, commission in percent. */
export const VALIDATORS: readonly (readonly [name: string, share: number, commission: number])[] = [
  ["Lighthouse Staking", 190, 5],
  ["Meridian Validators", 150, 7],
  ["Copper Canyon", 120, 0],
  ["Polar Node", 110, 5],
  ["Saffron Stake", 90, 8],
  ["Ironwood Infra", 80, 5],
  ["Tidepool", 70, 0],
  ["Stone Bridge Nodes", 60, 10],
  ["Kumo Validator", 50, 3],
  ["Little Fox", 40, 0],
  ["Orbit 9", 25, 100],
  ["Basement Rack", 15, 2],
];

/** Domains of users. */
export const USER_DOMAINS: readonly string[] = (
  "alba anders bao bluejay cedar chidi daria ebele elif farid finch greta hana hiro ines jonas kofi lark lena lupin " +
  "maren mateo mika nadia noor olive oskar pilar priya quill ravi rosa sefa soren tariq thea uma vito wren xochi yara zeno"
)
  .split(" ")
  .map((name) => `${name}.sol`);
