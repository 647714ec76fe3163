/** Well-known programs of mainnet, with the names that explorers use. */
import type { ProgramFact } from "../../ledger/index.ts";

type Row = readonly [address: string, name: string, platform?: string];

const ROWS = {
  system: ["11111111111111111111111111111111", "system"],
  token: ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "spl-token"],
  token2022: ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "spl-token-2022"],
  associatedToken: ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "spl-associated-token-account"],
  computeBudget: ["ComputeBudget111111111111111111111111111111", "ComputeBudget"],
  vote: ["Vote111111111111111111111111111111111111111", "vote"],
  stake: ["Stake11111111111111111111111111111111111111", "stake"],
  config: ["Config1111111111111111111111111111111111111", "config"],
  loader: ["BPFLoaderUpgradeab1e11111111111111111111111", "bpf-upgradeable-loader"],
  memo: ["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "spl-memo"],
  lookupTable: ["AddressLookupTab1e1111111111111111111111111", "address-lookup-table"],
  nameService: ["namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX", "spl-name-service", "sns"],
  governance: ["GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw", "spl-governance", "realms"],
  metadata: ["metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "token_metadata", "metaplex"],
  candyMachine: ["CndyV3LdqHUfDLmE5naZjVN8rBZz4tqhdefbAnjHG3JR", "candy_machine", "metaplex"],
  jupiter: ["JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "jupiter_v6", "jupiter"],
  jupiterV4: ["JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB", "jupiter_v4", "jupiter"],
  jupiterVote: ["voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj", "jupiter_locked_voter", "jupiter"],
  jupiterDca: ["DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M", "jupiter_dca", "jupiterdca"],
  jupiterLimit: ["j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X", "jupiter_limit_order", "jupiter_limit_order"],
  raydiumAmm: ["675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", "raydium_amm", "raydium"],
  raydiumCpmm: ["CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C", "raydium_cp_swap", "raydium"],
  raydiumClmm: ["CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK", "raydium_amm_v3", "raydium"],
  raydiumLaunchlab: ["LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj", "raydium_launchlab", "raydium_launchlab"],
  whirlpool: ["whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", "whirlpool", "orca"],
  meteoraDlmm: ["LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo", "meteora_dlmm", "meteora"],
  meteoraDamm: ["Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB", "meteora_damm", "meteora"],
  meteoraDammV2: ["cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG", "meteora_damm_v2", "meteora"],
  phoenix: ["PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY", "phoenix", "phoenix"],
  openbook: ["opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb", "openbook_v2", "openbook"],
  pump: ["6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P", "pump", "pumpfun"],
  pumpSwap: ["pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA", "pump_amm", "pumpfun"],
  lifinity: ["2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c", "lifinity_amm_v2", "lifinity"],
  solfi: ["SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe", "solfi", "solfi"],
  zerofi: ["ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY", "zerofi", "zerofi"],
  stabble: ["swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ", "stabble_stable_swap", "stabble"],
  moonshot: ["MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG", "token_launchpad", "moonshot_launchpad"],
  sanctum: ["5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx", "s_controller", "sanctum"],
  marinade: ["MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD", "marinade_finance", "marinade"],
  stakePool: ["SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy", "spl-stake-pool", "jito"],
  kaminoLend: ["KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD", "kamino_lending", "kamino"],
  kaminoVault: ["KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd", "kamino_vault", "kamino"],
  marginfi: ["MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA", "marginfi", "marginfi"],
  solend: ["So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo", "save", "save"],
  drift: ["dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH", "drift", "drift"],
  squads: ["SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf", "squads_multisig_program", "squads"],
  magicEden: ["M2mx93ekt1fmXSVkTrUL9xVFHkmME8HTUi5Cyc5aF7K", "magic_eden_v2", "magiceden"],
  magicEdenAmm: ["mmm3XBJg5gk8XJxEKBvdgptZz6SgK4tXvn36sodowMc", "magic_eden_mmm", "magiceden"],
  tensor: ["TSWAPaqyCSx2KABk68Shruf4rp7CxcNi8hAsbdwmHbN", "tensor_swap", "tensor"],
  bubblegum: ["BGUMAP9Gq7iTEuizy4pqaXsTyUCBK68MDfK752saRPUY", "bubblegum", "metaplex"],
  compression: ["cmtDvXumGCrqC1Age74AVPhSWVJMd8PJS91L8KbNSCK", "spl_account_compression"],
  noop: ["noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV", "spl_noop"],
  jitoTips: ["T1pyyaTNZsKv2WcRAB8oVnk93mLJw2XzjCVYqCHaHqt", "jito_tip_payment", "jito"],
  wormhole: ["wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb", "wormhole_token_bridge", "wormhole"],
} as const satisfies Record<string, Row>;

/** Short name of a well-known program. */
export type ProgramName = keyof typeof ROWS;

/** The well-known programs by short name: `PROGRAMS.token.address`. Platforms are ids of platforms.ts. */
export const PROGRAMS = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([key, [address, name, platform]]) => [
    key,
    { address, name, ...(platform === undefined ? {} : { platform }) },
  ]),
) as Readonly<Record<ProgramName, ProgramFact>>;

/** Labels of programs that differ from their names. */
const TITLES: Readonly<Record<string, string>> = {
  system: "System Program",
  "spl-token": "Token Program",
  "spl-token-2022": "Token 2022 Program",
  "spl-associated-token-account": "Associated Token Account Program",
  ComputeBudget: "Compute Budget",
  vote: "Vote Program",
  stake: "Stake Program",
  "spl-memo": "Memo Program v2",
  token_metadata: "Metaplex Token Metadata",
  candy_machine: "Metaplex Candy Machine",
  jupiter_v6: "Jupiter Aggregator v6",
  jupiter_v4: "Jupiter Aggregator v4",
  jupiter_locked_voter: "Jupiter Vote",
  jupiter_dca: "Jupiter DCA",
  jupiter_limit_order: "Jupiter Limit Order",
  raydium_amm: "Raydium Liquidity Pool V4",
  raydium_cp_swap: "Raydium CPMM",
  raydium_amm_v3: "Raydium Concentrated Liquidity",
  raydium_launchlab: "Raydium LaunchLab",
  whirlpool: "Orca Whirlpools",
  meteora_dlmm: "Meteora DLMM",
  meteora_damm: "Meteora DAMM",
  meteora_damm_v2: "Meteora DAMM v2",
  phoenix: "Phoenix",
  openbook_v2: "OpenBook V2",
  pump: "Pump.fun",
  pump_amm: "Pump.fun AMM",
  "spl-stake-pool": "Stake Pool Program",
  marinade_finance: "Marinade Finance",
  kamino_lending: "Kamino Lend",
  kamino_vault: "Kamino Vaults",
  marginfi: "marginfi v2",
  save: "Save",
  drift: "Drift",
  squads_multisig_program: "Squads Multisig v4",
  bubblegum: "Metaplex Bubblegum",
  spl_account_compression: "State Compression Program",
  spl_noop: "Noop Program",
  jito_tip_payment: "Jito Tip Payment",
  magic_eden_v2: "Magic Eden v2",
  magic_eden_mmm: "Magic Eden AMM",
  tensor_swap: "Tensor Swap",
  wormhole_token_bridge: "Wormhole Token Bridge",
};

/** Returns the label of a program. */
export const titleOf = (name: string): string => TITLES[name] ?? name;

/** Native programs: their accounts belong to the native loader. */
export const NATIVE_PROGRAMS: readonly ProgramName[] = [
  "system",
  "computeBudget",
  "vote",
  "stake",
  "config",
  "loader",
  "lookupTable",
];

/** Owner of the accounts of native programs. */
export const NATIVE_LOADER = "NativeLoader1111111111111111111111111111111";
