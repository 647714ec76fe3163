/** Addresses of programs and sysvars that solx refers to. */

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
