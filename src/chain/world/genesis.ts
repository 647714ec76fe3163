/** The genesis of a world: programs, firms, validators and their first lamports. */
import { NATIVE_SOL, PROGRAM, SYSVAR, TIP_ACCOUNTS, WALLET } from "../../catalogue/index.ts";
import { lamports } from "./actors/wallets.ts";
import type { WorldContext } from "./context.ts";
import { PLATFORM_FACTS } from "./data/platforms.ts";
import { EXCHANGES, MARKET_MAKERS, type WalletProfile } from "./data/profiles.ts";
import { describeProgram, PROGRAMS } from "./data/programs.ts";
import { KNOWN_TOKENS, type KnownToken } from "./data/tokens.ts";
import type { Account } from "./economy/accounts.ts";
import { MINT_RENT } from "./economy/mints.ts";

/** Initial SOL of the largest wallet of each kind; the others have less. */
const TOP_BALANCES = { cold: 212_604_118.402, hot: 9_418_226.731, maker: 7_312_904.117 };

/** Number of well-known tokens in a small world. */
const SMALL_WORLD_TOKENS = 20;

/** Publishes the profile of an account. */
export function labelAccount({ economy }: WorldContext, account: Account, profile: WalletProfile): void {
  economy.label(account, { ...profile, type: "address" });
}

/** Returns the authority of Raydium's pools, which owns their vaults. */
export const raydiumAuthority = ({ economy }: WorldContext): Account =>
  economy.programAccount("system_account", economy.programs.system, WALLET);

function publishPrograms({ economy }: WorldContext): void {
  economy.publishAccount(economy.sol.account);
  economy.publishAccount(economy.programs.system);
  for (const address of [PROGRAM.nativeLoader, SYSVAR.owner]) {
    economy.publishAccount(economy.account("program", PROGRAM.nativeLoader, { address }));
  }
  for (const platform of PLATFORM_FACTS) economy.facts.platforms.push(platform);
  for (const [name, account] of Object.entries(economy.programs)) {
    const fact = PROGRAMS[name as keyof typeof PROGRAMS];
    economy.publishAccount(account);
    economy.facts.programs.push(fact);
    economy.facts.labels.push({
      address: fact.address,
      label: describeProgram(fact),
      type: "program",
      tags: ["program"],
    });
  }
}

/** Creates exchanges and market makers and returns their initial lamports. */
function createFirms(context: WorldContext): (readonly [Account, bigint])[] {
  const { economy, wallets } = context;
  const balances: (readonly [Account, bigint])[] = [];
  for (const [index, profile] of EXCHANGES.entries()) {
    const account = economy.wallet();
    const cold = profile.tags.includes("cold_wallet");
    const kind = cold ? wallets.coldWallets : wallets.exchanges;
    kind.push(account);
    const sol = cold ? TOP_BALANCES.cold / (0.74 + 0.26 * kind.length) : TOP_BALANCES.hot / (index + 1);
    balances.push([account, lamports(sol)]);
    labelAccount(context, account, profile);
  }
  for (const [index, profile] of MARKET_MAKERS.entries()) {
    const account = economy.wallet();
    wallets.marketMakers.push(account);
    balances.push([account, lamports(TOP_BALANCES.maker / (1 + 0.37 * index))]);
    labelAccount(context, account, profile);
  }
  return balances;
}

/** Returns the well-known tokens of a world: all, or only the most important ones in a small world. */
export const knownTokens = (size: number): readonly KnownToken[] =>
  size < 0.2 ? KNOWN_TOKENS.slice(0, SMALL_WORLD_TOKENS) : KNOWN_TOKENS;

/** Publishes programs, SOL, firms and validators, and adds the first transaction, which creates their lamports. */
export function runGenesis(context: WorldContext): void {
  const { economy, validators } = context;
  publishPrograms(context);
  const { wrapped, sol } = economy;
  const known = KNOWN_TOKENS.find(({ address }) => address === wrapped.address);
  economy.publishAccount(wrapped.account);
  const details = known && { icon: known.icon, founded: known.founded };
  for (const token of [wrapped, sol]) token.published = true;
  economy.facts.tokens.push({ ...wrapped.fact, ...details }, { ...sol.fact, address: NATIVE_SOL, ...details });
  const balances = createFirms(context);
  for (const account of [...Object.values(economy.programs), ...Object.values(economy.sysvars)]) {
    balances.push([account, 1_141_440n]);
  }
  for (const { identity, vote, name, share } of validators) {
    economy.label(identity, { label: name, tags: ["validator"], type: "address" });
    economy.label(vote, { label: `${name}: Vote Account`, tags: ["vote_account"], type: "vote" });
    balances.push([identity, lamports(20 + share * 4)], [vote, lamports(0.1 + share / 10)]);
  }
  for (const { identity, vote } of context.smallVoters) {
    balances.push([identity, lamports(9.3)], [vote, lamports(0.03)]);
  }
  for (const [index, address] of TIP_ACCOUNTS.entries()) {
    const account = economy.programAccount("account", economy.programs.jitoTips, address);
    economy.label(account, { label: `Jitotip ${index + 1}`, tags: ["jito", "tip_account"], type: "address" });
    balances.push([account, lamports(3.1)]);
  }
  balances.push([economy.lookupTables.operator, lamports(400)]);
  const authority = raydiumAuthority(context);
  economy.label(authority, { label: "Raydium Authority V4", tags: ["raydium", "amm", "dex"], type: "address" });
  balances.push([authority, lamports(24.7)], [wrapped.account, lamports(402.6)]);
  for (const { address, program } of knownTokens(context.size)) {
    const mint = economy.account("mint", program, { address });
    if (mint !== wrapped.account) balances.push([mint, MINT_RENT]);
  }
  economy.createGenesis(balances);
}
