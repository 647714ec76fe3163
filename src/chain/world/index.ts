/** The seeded world: its id, the source that generates it, and the economy that continues it. */
export type { Account, Holding, Token } from "./economy/accounts.ts";
export type { LedgerEconomy } from "./economy/ledger-economy.ts";
export type { Transaction } from "./economy/transaction.ts";
export { type WorldOptions, worldId } from "./world-id.ts";

/** Loads the generation of worlds. */
export const loadWorld = () => import("./world.ts");

/** Loads the economy that continues the last block of a ledger. */
export const loadLedgerEconomy = () => import("./economy/ledger-economy.ts");
