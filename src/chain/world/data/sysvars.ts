/** Accounts by which the runtime informs programs, and their owner. */
export const SYSVARS = {
  clock: "SysvarC1ock11111111111111111111111111111111",
  rent: "SysvarRent111111111111111111111111111111111",
  stakeHistory: "SysvarStakeHistory1111111111111111111111111",
  stakeConfig: "StakeConfig11111111111111111111111111111111",
} as const;

/** Short name of a sysvar. */
export type SysvarName = keyof typeof SYSVARS;

/** The owner of sysvars. */
export const SYSVAR_OWNER = "Sysvar1111111111111111111111111111111111111";
