/**
 * Well-known programs, accounts and tokens of mainnet. A program has a name, which the API and labels of instructions use
 * (`spl-token:transfer`), and a title for people. Indexes are created on first use: most commands need none.
 */
import { BONK, JUP, NATIVE_SOL, USDC, WRAPPED_SOL } from "./samples.ts";

/** Programs that are part of Solana or of its program library. */
export const PROGRAM = {
  system: "11111111111111111111111111111111",
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  stake: "Stake11111111111111111111111111111111111111",
  vote: "Vote111111111111111111111111111111111111111",
  config: "Config1111111111111111111111111111111111111",
  computeBudget: "ComputeBudget111111111111111111111111111111",
  lookupTable: "AddressLookupTab1e1111111111111111111111111",
  memoV4: "Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH",
  memo: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  memoV1: "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
  upgradeableLoader: "BPFLoaderUpgradeab1e11111111111111111111111",
  loaderV1: "BPFLoader1111111111111111111111111111111111",
  loaderV2: "BPFLoader2111111111111111111111111111111111",
  loaderV4: "LoaderV411111111111111111111111111111111111",
  nativeLoader: "NativeLoader1111111111111111111111111111111",
  ed25519: "Ed25519SigVerify111111111111111111111111111",
  secp256k1: "KeccakSecp256k11111111111111111111111111111",
  secp256r1: "Secp256r1SigVerify1111111111111111111111111",
  zkElGamalProof: "ZkE1Gama1Proof11111111111111111111111111111",
  feature: "Feature111111111111111111111111111111111111",
  tokenMetadata: "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s",
  mplCore: "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d",
} as const;

/** Accounts that the cluster itself maintains. */
export const SYSVAR = {
  owner: "Sysvar1111111111111111111111111111111111111",
  clock: "SysvarC1ock11111111111111111111111111111111",
  epochRewards: "SysvarEpochRewards1111111111111111111111111",
  epochSchedule: "SysvarEpochSchedu1e111111111111111111111111",
  fees: "SysvarFees111111111111111111111111111111111",
  instructions: "Sysvar1nstructions1111111111111111111111111",
  lastRestartSlot: "SysvarLastRestartS1ot1111111111111111111111",
  recentBlockhashes: "SysvarRecentB1ockHashes11111111111111111111",
  rent: "SysvarRent111111111111111111111111111111111",
  rewards: "SysvarRewards111111111111111111111111111111",
  slotHashes: "SysvarS1otHashes111111111111111111111111111",
  slotHistory: "SysvarS1otHistory11111111111111111111111111",
  stakeHistory: "SysvarStakeHistory1111111111111111111111111",
  stakeConfig: "StakeConfig11111111111111111111111111111111",
} as const;

/** A title that takes much of a column has a shorter form. */
type Row = readonly [address: string, name: string, title: string, shortTitle?: string];

/** Programs that are part of Solana, and those of its program library. */
const SOLANA_PROGRAMS: readonly Row[] = [
  [PROGRAM.system, "system", "System Program"],
  [PROGRAM.token, "spl-token", "Token Program"],
  [PROGRAM.token2022, "spl-token-2022", "Token 2022 Program"],
  [
    PROGRAM.associatedToken,
    "spl-associated-token-account",
    "Associated Token Account Program",
    "Associated Token Program",
  ],
  [PROGRAM.computeBudget, "ComputeBudget", "Compute Budget"],
  [PROGRAM.vote, "vote", "Vote Program"],
  [PROGRAM.stake, "stake", "Stake Program"],
  [PROGRAM.config, "config", "Config Program"],
  [PROGRAM.nativeLoader, "native-loader", "Native Loader"],
  [PROGRAM.loaderV1, "bpf-loader-deprecated", "BPF Loader"],
  [PROGRAM.loaderV2, "bpf-loader", "BPF Loader 2"],
  [PROGRAM.upgradeableLoader, "bpf-upgradeable-loader", "BPF Upgradeable Loader", "Upgradeable Loader"],
  [PROGRAM.loaderV4, "loader-v4", "Loader v4"],
  [PROGRAM.memoV1, "spl-memo", "Memo Program v1"],
  [PROGRAM.memo, "spl-memo", "Memo Program v2"],
  [PROGRAM.memoV4, "spl-memo", "Memo Program v4"],
  [PROGRAM.lookupTable, "address-lookup-table", "Address Lookup Table Program", "Address Lookup Table"],
  [PROGRAM.ed25519, "ed25519", "Ed25519 Program"],
  [PROGRAM.secp256k1, "secp256k1", "Secp256k1 Program"],
  [PROGRAM.secp256r1, "secp256r1", "Secp256r1 Program"],
  [PROGRAM.zkElGamalProof, "zk-elgamal-proof", "ZK ElGamal Proof Program"],
  [PROGRAM.feature, "feature", "Feature Program"],
  ["namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX", "spl-name-service", "Name Service Program"],
  ["GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw", "spl-governance", "Governance Program"],
  ["SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy", "spl-stake-pool", "Stake Pool Program"],
  [
    "SVSPxpvHdN29nkVg9rPapPNDddN5DipNLRUFhyjFThE",
    "spl-single-pool",
    "Single Validator Stake Pool Program",
    "Single Validator Pool",
  ],
  ["SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8", "spl-token-swap", "Token Swap Program"],
  ["LendZqTs7gn5CTSJU1jWKhKuVpjJGom45nnwPb2AMTi", "spl-token-lending", "Token Lending Program"],
  [
    "cmtDvXumGCrqC1Age74AVPhSWVJMd8PJS91L8KbNSCK",
    "spl_account_compression",
    "State Compression Program",
    "State Compression",
  ],
  ["noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV", "spl_noop", "Noop Program"],
  ["ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S", "program_metadata", "Program Metadata"],
];

/** Exchanges, and programs that route trades to them. */
const EXCHANGES: readonly Row[] = [
  ["JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "jupiter_v6", "Jupiter Aggregator v6", "Jupiter v6"],
  ["JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB", "jupiter_v4", "Jupiter Aggregator v4", "Jupiter v4"],
  ["JUP3c2Uh3WA4Ng34tw6kPd2G4C5BB21Xo36Je1s32Ph", "jupiter_v3", "Jupiter Aggregator v3", "Jupiter v3"],
  ["JUP2jxvXaqu7NQY1GmNF4m1vodw12LVXYxbFL2uJvfo", "jupiter_v2", "Jupiter Aggregator v2", "Jupiter v2"],
  ["DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M", "jupiter_dca", "Jupiter DCA"],
  ["j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X", "jupiter_limit_order", "Jupiter Limit Order"],
  ["jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu", "jupiter_limit_order_v1", "Jupiter Limit Order v1"],
  ["PERPHjGBqRHArX4DySjwM6UJHiR3sWAatqfdBS2qQJu", "jupiter_perpetuals", "Jupiter Perpetuals"],
  ["voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj", "jupiter_locked_voter", "Jupiter Vote"],
  ["675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", "raydium_amm", "Raydium Liquidity Pool V4", "Raydium AMM"],
  ["CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C", "raydium_cp_swap", "Raydium CPMM"],
  ["CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK", "raydium_amm_v3", "Raydium Concentrated Liquidity", "Raydium CLMM"],
  ["LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj", "raydium_launchlab", "Raydium LaunchLab"],
  ["routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS", "raydium_route", "Raydium Routing"],
  ["5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h", "raydium_stable", "Raydium Stable Swap"],
  ["whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", "whirlpool", "Orca Whirlpools"],
  ["9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP", "orca_swap_v2", "Orca Token Swap V2"],
  ["DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1", "orca_swap_v1", "Orca Token Swap"],
  ["LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo", "meteora_dlmm", "Meteora DLMM"],
  ["Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB", "meteora_damm", "Meteora DAMM"],
  ["cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG", "meteora_damm_v2", "Meteora DAMM v2"],
  ["dbcij3LWUppWqq96dh6gJWwBifmcGFLSB5D4DuSMaqN", "dynamic_bonding_curve", "Meteora Dynamic Bonding Curve"],
  ["PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY", "phoenix", "Phoenix"],
  ["opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb", "openbook_v2", "OpenBook V2"],
  ["srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX", "openbook_v1", "OpenBook"],
  ["9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", "serum_v3", "Serum Dex v3"],
  ["6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P", "pump", "Pump.fun"],
  ["pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA", "pump_amm", "Pump.fun AMM"],
  ["MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG", "token_launchpad", "Moonshot"],
  ["2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c", "lifinity_amm_v2", "Lifinity Swap V2"],
  ["SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe", "solfi", "SolFi"],
  ["ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY", "zerofi", "ZeroFi"],
  ["obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y", "obric_v2", "Obric V2"],
  ["swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ", "stabble_stable_swap", "Stabble Stable Swap"],
  ["SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ", "saber", "Saber Stable Swap"],
  ["MERLuDFBMmsHnsBPZw2sDQZHvXFMwp8EdjudcU2HKky", "mercurial", "Mercurial Stable Swap"],
  ["5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx", "s_controller", "Sanctum Infinity"],
  ["dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH", "drift", "Drift"],
  ["ZETAxsqBRek56DhiGXrn75yj2NHU3aYUnxvHXpkf3aD", "zeta", "Zeta Markets"],
];

/** Lending, staking, oracles, multisig wallets, bridges. */
const SERVICES: readonly Row[] = [
  ["MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD", "marinade_finance", "Marinade Finance"],
  [
    "SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY",
    "sanctum_single_stake_pool",
    "Sanctum Single-Validator Stake Pool",
    "Sanctum Single Pool",
  ],
  [
    "SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn",
    "sanctum_multi_stake_pool",
    "Sanctum Multi-Validator Stake Pool",
    "Sanctum Multi Pool",
  ],
  ["T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjCVYqCHaHqt", "jito_tip_payment", "Jito Tip Payment"],
  ["KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD", "kamino_lending", "Kamino Lend"],
  ["KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd", "kamino_vault", "Kamino Vaults"],
  ["MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA", "marginfi", "marginfi v2"],
  ["So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo", "save", "Save"],
  ["FsJ3A3u2vn5cTVofAjvy6y5kwABJAqYWpe4975bi2epH", "pyth", "Pyth Oracle"],
  ["rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ", "pyth_solana_receiver", "Pyth Solana Receiver"],
  ["pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT", "pyth_push_oracle", "Pyth Push Oracle"],
  ["SW1TCH7qEPTdLsDHRgPuMQjbQxKdH2aBStViMFnt64f", "switchboard_v2", "Switchboard V2"],
  ["SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv", "switchboard_on_demand", "Switchboard On-Demand"],
  ["SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf", "squads_multisig_program", "Squads Multisig v4"],
  ["SMPLecH534NA9acpos4G6x7uf3LWbCAwZQE9e8ZekMu", "squads_mpl", "Squads Multisig v3"],
  ["wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb", "wormhole_token_bridge", "Wormhole Token Bridge"],
  ["worm2ZoG2kUd4vFXhvjh93UUH596ayRfgQ2MgjNMTth", "wormhole_core", "Wormhole Core Bridge"],
  ["L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95", "lighthouse", "Lighthouse"],
  ["SySTEM1eSU2p4BGQfQpimFEWWSC1XDFeun3Nqzz3rT7", "light_system_program", "Light System Program"],
  ["compr6CUsB5m2jS4Y3831ztGSTnDpnKJTKS95d64XVq", "light_account_compression", "Light Account Compression"],
];

/** NFTs and their marketplaces. */
const NFT_PROGRAMS: readonly Row[] = [
  [PROGRAM.tokenMetadata, "token_metadata", "Metaplex Token Metadata", "Token Metadata"],
  [PROGRAM.mplCore, "mpl_core", "Metaplex Core"],
  ["BGUMAP9Gq7iTEuizy4pqaXsTyUCBK68MDfK752saRPUY", "bubblegum", "Metaplex Bubblegum"],
  ["CndyV3LdqHUfDLmE5naZjVN8rBZz4tqhdefbAnjHG3JR", "candy_machine", "Metaplex Candy Machine"],
  ["Guard1JwRhJkVH6XZhzoYxeBVQe872VH6QggF4BWmS9g", "candy_guard", "Metaplex Candy Guard"],
  ["hausS13jsjafwWwGqZTUQRmWyvyxn9EQpqMwV1PBBmk", "auction_house", "Metaplex Auction House"],
  ["auth9SigNpDKz4sJJ1DfCTuZrZNSAgh9sFD3rboVmgg", "token_auth_rules", "Metaplex Token Auth Rules"],
  ["M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K", "magic_eden_v2", "Magic Eden v2"],
  ["mmm3XBJg5gk8XJxEKBvdgptZz6SgK4tXvn36sodowMc", "magic_eden_mmm", "Magic Eden AMM"],
  ["TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN", "tensor_swap", "Tensor Swap"],
];

function programRows(): readonly Row[] {
  return [...SOLANA_PROGRAMS, ...EXCHANGES, ...SERVICES, ...NFT_PROGRAMS];
}

/** The accounts that receive the tips of Jito bundles. */
export const TIP_ACCOUNTS: readonly string[] = [
  "96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5",
  "HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe",
  "Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY",
  "ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49",
  "DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh",
  "ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt",
  "DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL",
  "3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT",
];

/** Returns the words of a name as a title, each after a space: `slotHashes` as ` Slot Hashes`. */
const titleWords = (name: string): string => name.replace(/^[a-z]|[A-Z]/g, (letter) => ` ${letter.toUpperCase()}`);

/** Of an address that occurs twice, the later title counts. */
const ACCOUNTS: readonly (readonly [address: string, title: string])[] = [
  ...Object.entries(SYSVAR).map(([name, address]) => [address, `Sysvar:${titleWords(name)}`] as const),
  [SYSVAR.owner, "Sysvar Owner"],
  [SYSVAR.stakeConfig, "Stake Config"],
  ["1nc1nerator11111111111111111111111111111111", "Incinerator"],
  ["Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb", "Jito Stake Pool"],
  ["8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC", "Marinade Stake Pool"],
  ["stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi", "BlazeStake Stake Pool"],
  ["CtMyWsrUtAwXWiGr9WjHT5fC3p3fgV8cyGpLTo2LJzG1", "JPool Stake Pool"],
  ...TIP_ACCOUNTS.map((address) => [address, "Jito Tip Account"] as const),
];

/** Wallets of exchanges. Their owners do not publish them all: a label in an answer precedes these. */
const EXCHANGE_WALLETS: readonly (readonly [address: string, title: string])[] = [
  ["2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S", "Binance 1"],
  ["5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9", "Binance 2"],
  ["9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "Binance 3"],
  ["H8sMJSCQxfKiFTCfDR3DUMLPwcRbM61LGFJ8N4dK3WjS", "Coinbase 1"],
  ["2AQdpHJ2JpcEgPiATUXjQxA8QmafFegfQwSLWSprPicm", "Coinbase 2"],
  ["GJRs4FwHtemZ5ZE9x3FNvJ8TMwitKTh21yxdRPqn7npE", "Coinbase Hot Wallet"],
  ["FWznbcNXWQuHTawe9RxvQ2LdCENssh12dsznf4RiouN5", "Kraken"],
  ["AC5RDfQFmDS1deWZos921JfqscXdByf8BKHs5ACWjtW2", "Bybit Hot Wallet"],
  ["5VCwKtCXgCJ6kit5FybXjvriW3xELsFDhYrPSqtJNmcD", "OKX"],
  ["BmFdpraQhkiDQE6SnfG5omcA1VwzqfXrwtNYBwWTymy6", "KuCoin"],
  ["ASTyfSima4LLAdDgoFGkgqoKowG1LZFDr9fAQrg7iaJZ", "MEXC"],
  ["u6PJ8DtQuPFnfmwHbGFULQ4u4EgjDiyYKjVEsynXq2w", "Gate.io"],
];

/** Vote accounts and identities of validators. Validators name themselves: a name in an answer precedes these. */
const VALIDATORS: readonly (readonly [address: string, title: string])[] = [
  ["he1iusunGwqrNtafDtLdhsUQDFvo13z9sUa36PauBtk", "Helius"],
  ["HEL1USMZKAL2odpNBj2oCjffnFGaYwmbGmyewGv1e2TU", "Helius"],
  ["26pV97Ce83ZQ6Kz9XT4td8tdoUFPTng8Fb8gPyc53dJx", "Ledger by Figment"],
  ["9QU2QSxhb24FUX3Tu2FpczXjpK3VYrvRudywSZaM29mF", "Everstake"],
];

/** A well-known address. */
export interface KnownAddress {
  readonly title: string;
  /** The title where there is little space. */
  readonly shortTitle?: string | undefined;
  readonly kind: "program" | "account" | "validator";
  /** The name of a program in the API and in labels of instructions. */
  readonly name?: string;
  /** Whether a label in an answer precedes the title. */
  readonly yields?: true;
}

function createIndex(): ReadonlyMap<string, KnownAddress> {
  return new Map<string, KnownAddress>([
    ...EXCHANGE_WALLETS.map(([address, title]) => [address, { title, kind: "account", yields: true }] as const),
    ...VALIDATORS.map(([address, title]) => [address, { title, kind: "validator", yields: true }] as const),
    ...ACCOUNTS.map(([address, title]) => [address, { title, kind: "account" }] as const),
    ...programRows().map(
      ([address, name, title, shortTitle]) => [address, { title, shortTitle, kind: "program", name }] as const,
    ),
  ]);
}

let index: ReadonlyMap<string, KnownAddress> | undefined;

/** Returns what is known of an address; undefined for unknown ones. */
export function knownAddress(address: string): KnownAddress | undefined {
  index ??= createIndex();
  return index.get(address);
}

/** Returns all well-known addresses. */
export function knownAddresses(): Iterable<string> {
  index ??= createIndex();
  return index.keys();
}

/** Returns the name of a program, as the API and labels of instructions use it; undefined for unknown programs. */
export function programName(address: string): string | undefined {
  return knownAddress(address)?.name;
}

/** Returns the title of a program, or of an account with a fixed role; undefined for all other addresses. */
export function addressTitle(address: string): string | undefined {
  const known = knownAddress(address);
  return known?.yields ? undefined : known?.title;
}

/** Whether a wallet is known to be that of an exchange. */
export function isExchangeWallet(address: string): boolean {
  return EXCHANGE_WALLETS.some(([wallet]) => wallet === address);
}

/** Whether an address receives tips for blocks built by Jito. */
export function isTipAccount(address: string): boolean {
  return TIP_ACCOUNTS.includes(address);
}

/** Returns the addresses of the well-known programs. */
export function knownPrograms(): readonly string[] {
  return programRows().map(([address]) => address);
}

/** A token that is known by its symbol. */
interface WellKnownToken {
  readonly symbol: string;
  readonly mint: string;
  readonly decimals: number;
}

/** SOL appears twice: SOL itself, and its wrapped token. */
const TOKENS: readonly (readonly [symbol: string, decimals: number, mint: string])[] = [
  ["SOL", 9, NATIVE_SOL],
  ["wSOL", 9, WRAPPED_SOL],
  ["USDC", 6, USDC],
  ["USDT", 6, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"],
  ["PYUSD", 6, "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"],
  ["EURC", 6, "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr"],
  ["USDS", 6, "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"],
  ["mSOL", 9, "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So"],
  ["JitoSOL", 9, "J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn"],
  ["bSOL", 9, "bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1"],
  ["JupSOL", 9, "jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v"],
  ["INF", 9, "5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm"],
  ["JUP", 6, JUP],
  ["BONK", 5, BONK],
  ["RAY", 6, "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"],
  ["ORCA", 6, "orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE"],
  ["PYTH", 6, "HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3"],
  ["JTO", 9, "jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL"],
  ["W", 6, "85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ"],
  ["DRIFT", 6, "DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7"],
  ["KMNO", 6, "KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS"],
  ["CLOUD", 9, "CLoUDKc4Ane7HeQcPpE3YHnznRxhMimJ4MyaUqyHFzAu"],
  ["MNDE", 9, "MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey"],
  ["TNSR", 9, "TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6"],
  ["HNT", 8, "hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux"],
  ["MOBILE", 6, "mb1eu7TzEc71KxDpsmsKoucSSuuoGLv1drys1oP2jh6"],
  ["RENDER", 8, "rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof"],
  ["GRASS", 9, "Grass7B4RdKfBCjTKgSqnXkqjwiGvQyFbuSCUJr3XXjs"],
  ["wETH", 8, "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs"],
  ["wBTC", 8, "3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh"],
  ["WIF", 6, "EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm"],
  ["POPCAT", 9, "7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr"],
  ["MEW", 5, "MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5"],
  ["BOME", 6, "ukHH6c7mMyiWCf1b9pnWe25TSpkDDt3H5pQZgZ74J82"],
  ["PENGU", 6, "2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv"],
  ["TRUMP", 6, "6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN"],
  ["FARTCOIN", 6, "9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump"],
  ["PUMP", 6, "pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn"],
  ["GMT", 9, "7i5KKsX2weiTkry7jA4ZwSuXGhs5eJBEjY8vVxR4pfRx"],
];

/** Well-known tokens, by mint. */
export const WELL_KNOWN_TOKENS: ReadonlyMap<string, WellKnownToken> = new Map(
  TOKENS.map(([symbol, decimals, mint]) => [mint, { symbol, decimals, mint }]),
);

/** Returns the mint of wrapped SOL for SOL, which has the same price, and other mints as they are. */
export const wrapSol = (mint: string): string => (mint === NATIVE_SOL ? WRAPPED_SOL : mint);

/**
 * Returns the well-known token with a symbol, ignoring case and a `$` before it; undefined when there is none.
 * @param accepts what SOL stands for: native SOL for an `asset`, by default the mint of wrapped SOL
 */
export function wellKnownToken(symbol: string, accepts: "mint" | "asset" = "mint"): WellKnownToken | undefined {
  const name = symbol.trim().replace(/^\$/, "").toUpperCase();
  const token = [...WELL_KNOWN_TOKENS.values()].find((known) => known.symbol.toUpperCase() === name);
  return token?.mint === NATIVE_SOL && accepts === "mint" ? { ...token, mint: WRAPPED_SOL } : token;
}
