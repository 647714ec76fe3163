/** The genesis of a world (programs, firms, validators and their first lamports) and its opening: well-known tokens and pools. */
import type { JsonObject } from "../../base/index.ts";
import {
  DLMM_POOL,
  NATIVE_SOL,
  POOL,
  PROGRAM,
  SYSVAR,
  TIP_ACCOUNTS,
  USDC,
  WALLET,
  WRAPPED_SOL,
} from "../../catalogue/index.ts";
import { NATIVE_LAYOUTS, rentOf, rentOfLayout } from "../solana/index.ts";
import { lamports } from "./actors/wallets.ts";
import type { WorldContext } from "./context.ts";
import { EXCHANGES, MARKET_MAKERS, type WalletProfile } from "./data/profiles.ts";
import { describeProgram, PLATFORM_FACTS, PROGRAMS } from "./data/programs.ts";
import { KNOWN_TOKENS, type KnownToken } from "./data/tokens.ts";
import { type Account, mintSize, type Token } from "./economy/accounts.ts";
import type { ExchangeName } from "./markets/exchanges.ts";
import { createPool, type Listing } from "./markets/market.ts";

/** Initial SOL of the largest wallet of each kind; the others have less. */
const TOP_BALANCES = { cold: 212_604_118.402, hot: 9_418_226.731, maker: 7_312_904.117 };

/** SOL of each voter, which pays for votes of five years. */
const VOTE_FUNDS = 2000;

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
const knownTokens = (size: number): readonly KnownToken[] =>
  size < 0.2 ? KNOWN_TOKENS.slice(0, SMALL_WORLD_TOKENS) : KNOWN_TOKENS;

/** The size of the smallest and the largest code in bytes. */
const CODE_SIZES = [40_000, 260_000] as const;

/** Creates the accounts with the code of programs and returns their lamports. */
function createCode({ economy, random }: WorldContext): readonly (readonly [Account, bigint])[] {
  const { loader } = economy.programs;
  return Object.values(economy.programs).flatMap((program) => {
    if (program.ownerProgram !== loader.address) return [];
    const account = economy.derive(loader, [program]);
    account.subject = program;
    return [[account, rentOf(random.fork(`code of ${program.address}`).integer(...CODE_SIZES))] as const];
  });
}

/** Publishes programs, SOL, firms and validators with the lamports that they have before the first block. */
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
  for (const program of Object.values(economy.programs)) balances.push([program, rentOfLayout(NATIVE_LAYOUTS.program)]);
  for (const account of Object.values(economy.sysvars)) {
    const layout = NATIVE_LAYOUTS.sysvar(account.address) ?? NATIVE_LAYOUTS.stakeConfig;
    balances.push([account, rentOfLayout(layout)]);
  }
  balances.push(...createCode(context));
  for (const { identity, vote, name, share } of validators) {
    economy.label(identity, { label: name, tags: ["validator"], type: "address" });
    economy.label(vote, { label: `${name}: Vote Account`, tags: ["vote_account"], type: "vote" });
    balances.push([identity, lamports(VOTE_FUNDS + share * 4)], [vote, lamports(0.1 + share / 10)]);
  }
  for (const { identity, vote } of context.voters.slice(validators.length)) {
    balances.push([identity, lamports(VOTE_FUNDS)], [vote, lamports(0.03)]);
  }
  economy.facts.voters.push(
    ...context.voters.map(({ identity, vote, share }) => ({
      identity: identity.address,
      account: vote.address,
      share,
    })),
  );
  for (const [index, address] of TIP_ACCOUNTS.entries()) {
    const account = economy.programAccount("account", economy.programs.jitoTips, address);
    economy.label(account, { label: `Jitotip ${index + 1}`, tags: ["jito", "tip_account"], type: "address" });
    balances.push([account, lamports(3.1)]);
  }
  balances.push([economy.lookupTables.operator, lamports(400)]);
  const authority = raydiumAuthority(context);
  economy.label(authority, { label: "Raydium Authority V4", tags: ["raydium", "amm", "dex"], type: "address" });
  balances.push([wrapped.account, lamports(402.6)]);
  for (const { address, program, extensions } of knownTokens(context.size)) {
    const mint = economy.account("mint", program, { address });
    if (mint !== wrapped.account) balances.push([mint, rentOf(mintSize(extensions as readonly JsonObject[]))]);
  }
  economy.createGenesis(balances);
}

/** Maximum supply of a token in base units: sums of transfers stay below 2^63. */
const MAX_SUPPLY = 2_000_000_000_000_000_000n;
/** Approximate shares of a supply in thousandths, of market makers and exchanges, largest first. */
const MAKER_SHARES = [300, 60, 40];
const EXCHANGE_SHARES = [300, 150, 80, 40, 30];

/** Share of the SOL of cold wallets that is wrapped, in thousandths. */
const WRAPPED_SHARE = 237n;

/** Returns how the price of a well-known token moves: hardly (stablecoins), with the price of SOL, or independently. */
function priceBehavior(
  { market, economy }: WorldContext,
  { symbol, price }: KnownToken,
): readonly [volatility: number, follows?: Listing | undefined] {
  if (price > 0.97 && price < 1.2) return [0.0004];
  if (symbol.endsWith("SOL") || symbol === "INF") return [0, market.listing(economy.wrapped)];
  return [symbol === "wBTC" || symbol === "wETH" ? 0.025 : 0.05];
}

/** Splits a supply among market makers and exchanges, with shares that differ from token to token. */
function splitSupply({ wallets, random }: WorldContext, symbol: string, supply: bigint) {
  const stream = random.fork(`holders of ${symbol}`);
  const weigh = (list: readonly Account[], parts: readonly number[]) =>
    parts.map((part, n) => [list[n] as Account, BigInt(Math.round(part * stream.between(400, 1600)))] as const);
  const weights = [...weigh(wallets.marketMakers, MAKER_SHARES), ...weigh(wallets.exchanges, EXCHANGE_SHARES)];
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0n);
  let remaining = supply;
  return weights.map(([holder, weight], n) => {
    const amount = n === weights.length - 1 ? remaining : (supply * weight) / total;
    remaining -= amount;
    return [holder, amount] as const;
  });
}

function wrapColdWalletSol({ economy, wallets }: WorldContext): void {
  for (const vault of wallets.coldWallets) {
    economy.send(vault, (tx) => tx.wrap(vault, (vault.lamports * WRAPPED_SHARE) / 1000n));
  }
}

/** Creates a well-known token, mints its supply to firms and lists it on the market. */
function issueToken(context: WorldContext, known: KnownToken, issuer: Account): Token {
  const { economy, market } = context;
  const { address, price, program, mintAuthority, ...rest } = known;
  let { supply, ...spec } = rest;
  const token = economy.createToken(address, spec, economy.account("program", "", { address: program }), issuer);
  if (known.freezeAuthority !== undefined) economy.publishAccount(economy.wallet(known.freezeAuthority));
  while (supply > MAX_SUPPLY) supply /= 5n;
  const tx = economy.begin(issuer, { usesLookupTable: true });
  token.created = undefined;
  for (const [holder, amount] of splitSupply(context, known.symbol, supply)) tx.mint(token, holder, amount);
  tx.setMintAuthority(token, mintAuthority === undefined ? undefined : economy.wallet(mintAuthority));
  tx.commit();
  if (address === USDC) {
    market.usdc = token;
    token.price = 1;
  }
  market.registerSymbol(token);
  const [volatility, follows] = priceBehavior(context, known);
  market.listToken(token, price, volatility, follows);
  return token;
}

interface PoolPlan {
  readonly exchange: ExchangeName;
  /** Maximum dollars on each side. */
  readonly depth: number;
  readonly inSol?: boolean;
  readonly address?: string;
  readonly label?: string;
}

const SOL_POOLS: readonly PoolPlan[] = [
  { exchange: "raydium", depth: 18_000_000 },
  { exchange: "orca", depth: 12_000_000 },
  { exchange: "meteora", depth: 6_000_000, address: DLMM_POOL, label: "Meteora: SOL-USDC DLMM" },
  { exchange: "pump", depth: 2_500_000, address: POOL, label: "PumpSwap: SOL-USDC Pool" },
  { exchange: "clmm", depth: 5_000_000 },
];

/** Returns the pools of a token by its rank: a main pool, and up to two on other exchanges for important tokens. */
function poolPlans(rank: number): readonly PoolPlan[] {
  const depth = 6_000_000 / (1 + rank);
  const names: readonly ExchangeName[] = ["raydium", "orca", "meteora", "clmm"];
  const at = (step: number): ExchangeName => names[(rank + step) % names.length] as ExchangeName;
  const main = { exchange: at(0), depth, inSol: rank > 8 };
  if (rank > 24) return [main];
  const second = { exchange: at(1), depth: depth / 2, inSol: rank <= 8 || rank % 2 === 0 };
  return rank > 12 ? [main, second] : [main, second, { exchange: at(2), depth: depth / 3, inSol: rank % 3 === 0 }];
}

function openPool(context: WorldContext, token: Token, plan: PoolPlan, isMain: boolean): void {
  const { economy, market, wallets } = context;
  const creator = wallets.marketMakers[0] as Account;
  const quote = plan.inSol ? economy.wrapped : market.usdc;
  const reference = market.listing(token)?.referencePrice ?? 1;
  const part = (Number(token.supply) / token.unitsPerToken) * reference * 0.04;
  const depth = token !== economy.wrapped && part < plan.depth ? part : plan.depth;
  const pool = createPool(market, {
    exchange: plan.exchange,
    creator,
    base: token,
    quote,
    baseAmount: token.toBaseUnits(depth / reference),
    quoteAmount: quote.amountWorth(depth),
    isMain: isMain,
    sendOptions: { priority: 5000 },
    address: plan.address,
    authority: plan.exchange === "raydium" ? raydiumAuthority(context) : undefined,
  });
  if (pool && plan.label !== undefined) {
    economy.label(pool.account, { label: plan.label, tags: ["pool", "dex"], type: "pool" });
  }
}

/** Returns the steps of the opening; each adds a few transactions. */
export function openingSteps(context: WorldContext): (() => void)[] {
  const { economy, market, wallets, size } = context;
  const issuer = economy.wallet();
  const tokens = knownTokens(size);
  const solana = tokens.find(({ address }) => address === WRAPPED_SOL) as KnownToken;
  const usdc = tokens.find(({ address }) => address === USDC) as KnownToken;
  const others = tokens.filter((known) => known !== solana && known !== usdc);
  return [
    () => {
      wallets.fund(issuer, lamports(500));
      wallets.fund(raydiumAuthority(context), lamports(24.7));
      issueToken(context, usdc, issuer);
      market.listToken(economy.wrapped, solana.price, 0.03);
      for (const [index, plan] of SOL_POOLS.entries()) openPool(context, economy.wrapped, plan, index === 0);
      wrapColdWalletSol(context);
    },
    ...others.map((known, rank) => () => {
      const token = issueToken(context, known, issuer);
      for (const [index, plan] of poolPlans(rank).entries()) openPool(context, token, plan, index === 0);
    }),
  ];
}
