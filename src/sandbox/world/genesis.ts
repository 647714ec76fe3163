/** How the world begins: who there is and who has the first lamports. */
import { NATIVE_SOL, WALLET } from "../../catalogue/index.ts";
import { lamports } from "./actors/wallets.ts";
import type { WorldContext } from "./context.ts";
import { type Character, EXCHANGES, MARKET_MAKERS } from "./data/people.ts";
import { PLATFORM_FACTS } from "./data/platforms.ts";
import { NATIVE_LOADER, PROGRAMS, titleOf } from "./data/programs.ts";
import { KNOWN_TOKENS, type KnownToken } from "./data/tokens.ts";
import type { Account } from "./economy/accounts.ts";
import { MINT_RENT } from "./economy/mints.ts";

/** SOL that the greatest of each kind has in the beginning; the next ones have less. */
const RICHEST = { cold: 212_604_118.402, hot: 9_418_226.731, maker: 7_312_904.117 };

/** Well-known tokens of a small world. */
const FEW_TOKENS = 20;

/** Tells of somebody by name. */
export function nameAccount({ economy }: WorldContext, account: Account, character: Character): void {
  economy.label(account, { ...character, type: "address" });
}

/** The authority of Raydium's pools, which owns their vaults. */
export const raydiumAuthority = ({ economy }: WorldContext): Account =>
  economy.derived("system_account", economy.programs.system, WALLET);

function tellPrograms({ economy }: WorldContext): void {
  economy.introduce(economy.sol.account);
  economy.introduce(economy.programs.system);
  economy.introduce(economy.account("program", NATIVE_LOADER, { address: NATIVE_LOADER, onCurve: false }));
  for (const platform of PLATFORM_FACTS) economy.facts.platforms.push(platform);
  for (const [name, account] of Object.entries(economy.programs)) {
    const fact = PROGRAMS[name as keyof typeof PROGRAMS];
    economy.introduce(account);
    economy.facts.programs.push(fact);
    economy.facts.labels.push({ address: fact.address, label: titleOf(fact.name), type: "program", tags: ["program"] });
  }
}

/** Exchanges and market makers. */
function found(context: WorldContext): (readonly [Account, bigint])[] {
  const { economy, people } = context;
  const first: (readonly [Account, bigint])[] = [];
  for (const [index, character] of EXCHANGES.entries()) {
    const account = economy.wallet();
    const cold = character.tags.includes("cold_wallet");
    const kind = cold ? people.vaults : people.exchanges;
    kind.push(account);
    const sol = cold ? RICHEST.cold / (0.74 + 0.26 * kind.length) : RICHEST.hot / (index + 1);
    first.push([account, lamports(sol)]);
    nameAccount(context, account, character);
  }
  for (const [index, character] of MARKET_MAKERS.entries()) {
    const account = economy.wallet();
    people.makers.push(account);
    first.push([account, lamports(RICHEST.maker / (1 + 0.37 * index))]);
    nameAccount(context, account, character);
  }
  return first;
}

/** The well-known tokens of a world: all of them, or, in a small one, those that matter most. */
export const knownTokens = (size: number): readonly KnownToken[] =>
  size < 0.2 ? KNOWN_TOKENS.slice(0, FEW_TOKENS) : KNOWN_TOKENS;

/** The first transaction: everybody who was there before has their SOL. */
export function begin(context: WorldContext): void {
  const { economy, validators } = context;
  tellPrograms(context);
  const { wrapped, sol } = economy;
  const listed = KNOWN_TOKENS.find(({ address }) => address === wrapped.address);
  economy.introduce(wrapped.account);
  const about = listed && { icon: listed.icon, founded: listed.founded };
  economy.facts.tokens.push({ ...wrapped.fact, ...about }, { ...sol.fact, address: NATIVE_SOL, ...about });
  const first = found(context);
  for (const program of Object.values(economy.programs)) first.push([program, 1_141_440n]);
  for (const { identity, vote, name, share } of validators) {
    economy.label(identity, { label: name, tags: ["validator"], type: "address" });
    economy.label(vote, { label: `${name}: Vote Account`, tags: ["vote_account"], type: "vote" });
    first.push([identity, lamports(20 + share * 4)], [vote, lamports(0.1 + share / 10)]);
  }
  const authority = raydiumAuthority(context);
  economy.label(authority, { label: "Raydium Authority V4", tags: ["raydium", "amm", "dex"], type: "address" });
  first.push([authority, lamports(24.7)], [wrapped.account, lamports(402.6)]);
  for (const { address, program } of knownTokens(context.size)) {
    const mint = economy.account("mint", program, { address, onCurve: false });
    if (mint !== wrapped.account) first.push([mint, MINT_RENT]);
  }
  economy.genesis(first);
}
