/**
 * The bonding curves of Pump.fun: a new token is sold by its curve, against lamports in the curve's account. When a fixed
 * share of the supply is sold, the rest and the lamports become a pool on PumpSwap.
 */

import { pickTip } from "../actors/traders.ts";
import { lamports, SOL } from "../actors/wallets.ts";
import type { Actor, WorldContext } from "../context.ts";
import { communityUri, createMemeName, ipfsUri } from "../data/names.ts";
import type { Account, Holding, Token, TokenSpec } from "../economy/accounts.ts";
import type { SendOptions } from "../economy/draft.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Roles } from "../economy/roles.ts";
import type { Transaction } from "../economy/transaction.ts";
import { createPool, poolRent } from "./market.ts";

/** Supply of each token, and how much of it the curve sells. */
const SUPPLY = 1_000_000_000_000_000n;
const FOR_SALE = 793_100_000_000_000n;
/** Virtual reserves of a new curve: their product is constant. */
const FIRST_LAMPORTS = 30_000_000_000n;
const FIRST_TOKENS = 1_073_000_000_000_000n;
const FEE_BPS = 100n;
const CURVE_RENT = poolRent("pump");
/** Lamports that the migration retains. */
const MIGRATION_FEE = 15_000_000n;
/** Codes of the program's errors for a price beyond the limit of a buyer and of a seller. */
const BUY_ERROR = 6002;
const SELL_ERROR = 6003;

/** Well-known accounts of the program on mainnet. */
const FEE_RECIPIENT = "CebN5WGQ4jvEPvsVU4EoHEpgzq1VV7AbicfhtW4xC9iM";
const MIGRATION = "39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg";

interface BondingCurve {
  readonly token: Token;
  readonly account: Account;
  readonly vault: Holding;
  /** Accounts that have bought and not sold everything. */
  readonly holders: Set<Account>;
  /** All accounts that have traded. */
  readonly traders: Set<Account>;
  /** Virtual reserves. */
  lamports: bigint;
  tokens: bigint;
}

interface CurveTrade {
  readonly curve: BondingCurve;
  readonly trader: Account;
  /** Lamports for the curve if positive, otherwise tokens to sell. */
  readonly lamports?: bigint;
  readonly tokens?: bigint;
  readonly sendOptions?: SendOptions;
  readonly fails?: boolean;
  readonly tip?: bigint | undefined;
}

/** Returns functions that create the curves of a world and trade with them. */
function createBondingCurves({ economy, market, wallets }: WorldContext) {
  const { sol } = economy;
  const { pump, token2022, associatedToken } = economy.programs;
  const rolesOf = ({ token, account, vault }: Pick<BondingCurve, "token" | "account" | "vault">): Roles => ({
    ...{ mint: token.account, bondingCurve: account, associatedBondingCurve: vault.account, creator: token.creator },
  });

  /**
   * Adds the instruction of a purchase for lamports, or a sale of tokens, with the fee. Changes the reserves and the price,
   * until a rollback.
   */
  const addTrade = (tx: Transaction, { curve, trader, lamports, tokens = 0n }: CurveTrade): number => {
    const { token, account, vault } = curve;
    const isBuy = lamports !== undefined;
    const type = isBuy ? "buy" : "sell";
    const instruction = tx.call(pump, type, `pumpfun:${type}`, {
      ...rolesOf(curve),
      ...{
        feeRecipient: economy.wallet(FEE_RECIPIENT),
        user: trader,
        associatedUser: tx.holding(trader, token).account,
      },
    });
    const [paid, moved] = isBuy
      ? computePurchase(curve, lamports)
      : [(curve.lamports * tokens) / (curve.tokens + tokens), tokens];
    tx.transferToken(isBuy ? vault : trader, isBuy ? trader : vault, token, moved, instruction);
    tx.transferSol(isBuy ? trader : account, isBuy ? account : trader, paid, instruction);
    const fee = (paid * FEE_BPS) / 10_000n;
    if (fee > 0n) tx.transferSol(trader, economy.wallet(FEE_RECIPIENT), fee, instruction);
    const [before, price] = [{ lamports: curve.lamports, tokens: curve.tokens }, token.price];
    curve.lamports += isBuy ? paid : -paid;
    curve.tokens += isBuy ? -moved : moved;
    token.price = priceOf(curve, sol);
    tx.onRollback(() => {
      Object.assign(curve, before);
      token.price = price;
    });
    const [money, goods] = [
      { token: sol, amount: paid },
      { token, amount: moved },
    ] as const;
    tx.activities.addVisit({
      ...{ instruction, type: "ACTIVITY_TOKEN_SWAP", user: trader, pool: account, program: pump, isTrade: true },
      ...(isBuy ? { in: money, out: goods } : { in: goods, out: money }),
      value: sol.value(paid),
      prices: [[token.address, token.price]],
    });
    return instruction;
  };
  return {
    /** Creates a token with its curve; the creator buys the first tokens in the same transaction. */
    create(spec: TokenSpec, creator: Account, lamports: bigint): BondingCurve | undefined {
      const mint = economy.account("mint", token2022.address, { suffix: "pump" });
      const account = economy.derive(pump, ["bonding-curve", mint], "pool");
      const authority = economy.derive(pump, ["mint-authority"]);
      const tx = economy.begin(creator, { priority: 50_000, usesLookupTable: true });
      const create = tx.call(
        pump,
        "createV2",
        "pumpfun:create",
        {
          ...{ mint, bondingCurve: account, user: creator },
          associatedBondingCurve: economy.derive(associatedToken, [account, token2022, mint]),
        },
        TOP_LEVEL,
        { name: spec.name, symbol: spec.symbol, uri: spec.metadataUri },
      );
      const token = tx.createMint({
        ...{ spec, creator, authority, account: mint, parent: create },
        ...{ program: token2022, containsMetadata: true },
      });
      tx.createAccount(creator, account, CURVE_RENT, create);
      const vault = tx.openTokenAccount(account, token, create);
      tx.mint(token, vault, SUPPLY, create);
      tx.setMintAuthority(token, undefined, create);
      tx.activities.addDefi({
        ...{ instruction: create, type: "ACTIVITY_SPL_INIT_MINT", from: creator, to: token.account, platform: pump },
        in: { token, amount: SUPPLY },
      });
      const holders = new Set<Account>();
      const traders = new Set<Account>([creator]);
      const curve = { token, account, vault, holders, traders, lamports: FIRST_LAMPORTS, tokens: FIRST_TOKENS };
      tx.openTokenAccount(creator, token);
      addTrade(tx, { curve, trader: creator, lamports });
      const { signature } = tx;
      if (!tx.commit()) return undefined;
      holders.add(creator);
      economy.facts.pools.push({
        ...{ address: account.address, program: pump.address, creator: creator.address, created: signature },
        ...{ token1: token.address, token2: sol.address, vault1: vault.account.address, vault2: account.address },
        feeBps: Number(FEE_BPS),
      });
      return curve;
    },
    trade(options: CurveTrade): void {
      const { curve, trader, lamports, sendOptions, fails = false, tip } = options;
      const tx = economy.begin(trader, { usesLookupTable: true, ...sendOptions });
      const isBuy = lamports !== undefined;
      if (isBuy) tx.openTokenAccount(trader, curve.token);
      const instruction = addTrade(tx, options);
      if (fails) {
        tx.failAt(instruction, isBuy ? BUY_ERROR : SELL_ERROR);
        return;
      }
      if (tip !== undefined) market.tip(tx, trader, tip);
      if (!tx.commit()) return;
      curve.traders.add(trader);
      if (isBuy) curve.holders.add(trader);
      else if (trader.holdings.get(curve.token)?.amount === 0n) curve.holders.delete(trader);
    },
    /** Forgets a curve and the token accounts of its traders, so that memory does not grow with the number of tokens. */
    abandon({ token, account, traders }: BondingCurve): void {
      token.abandoned = true;
      for (const owner of [account, ...traders]) owner.setHolding(token, undefined);
    },
    /** Moves what a complete curve holds to a pool on PumpSwap, and lists the token there. */
    migrate({ token, account, vault }: BondingCurve, volatility: number): void {
      const creator = wallets.ensureFunds(economy.wallet(MIGRATION), MIGRATION_FEE * 4n);
      const [quoteAmount, baseAmount] = [account.lamports - CURVE_RENT - MIGRATION_FEE, vault.amount];
      const sendOptions = { priority: 100_000 };
      const tx = economy.begin(creator, { ...sendOptions, usesLookupTable: true });
      tx.openTokenAccount(creator, token);
      const instruction = tx.call(pump, "migrate", "pumpfun:migrate", {
        ...rolesOf({ token, account, vault }),
        ...{ withdrawAuthority: creator, user: creator, poolAuthorityMintAccount: tx.holding(creator, token).account },
      });
      tx.transferToken(vault, creator, token, baseAmount, instruction);
      tx.transferSol(account, creator, quoteAmount + MIGRATION_FEE, instruction);
      if (!tx.commit()) return;
      market.registerSymbol(token);
      market.listToken(token, token.price, volatility);
      const sides = { base: token, quote: economy.wrapped, baseAmount, quoteAmount };
      createPool(market, { exchange: "pump", creator, ...sides, isMain: true, sendOptions });
    },
  };
}

/** Returns the lamports and the tokens of a purchase for lamports: the last one takes what is left. */
function computePurchase(curve: BondingCurve, lamports: bigint): readonly [paid: bigint, tokens: bigint] {
  const remaining = curve.tokens - (FIRST_TOKENS - FOR_SALE);
  const output = (curve.tokens * lamports) / (curve.lamports + lamports);
  if (output < remaining) return [lamports, output];
  return [(curve.lamports * remaining) / (curve.tokens - remaining) + 1n, remaining];
}

/** Returns the dollars of one whole token. */
const priceOf = ({ lamports, tokens, token }: BondingCurve, sol: Token): number =>
  ((Number(lamports) / sol.unitsPerToken) * sol.price) / (Number(tokens) / token.unitsPerToken);

/** Number of curves that are traded at a time, of which the last ones are new. */
const ACTIVE_CURVES = 24;
/** Share of new tokens that become popular. The first one is, so that a world of any size has a migration. */
const POPULAR = 0.02;
/** Share of trades with the popular tokens. */
const POPULAR_TRADES = 0.75;
/** Lamports of the typical trade with a popular token, and with another one. */
const TYPICAL = { popular: lamports(1.2), other: lamports(0.05) };
/** Weight of the creators: large worlds have a longer tail of tokens. */
const FEWEST_CREATORS = 20;
const CREATORS_PER_SIZE = 33;
const FAILURE_RATE = 0.24;
const TIP_RATE = 0.35;

/** Returns the creators of tokens on Pump.fun, and their buyers. */
export function createCurveTraders(context: WorldContext): Actor[] {
  const { wallets, size } = context;
  const random = context.random.fork("curves");
  const curves = createBondingCurves(context);
  /** The newest curves last. */
  const others: BondingCurve[] = [];
  const popularCurves: BondingCurve[] = [];
  let created = 0;

  /** Creates a token; the oldest one that is not popular is given up. */
  const create = (): void => {
    const [name, symbol] = createMemeName(random);
    const image = ipfsUri(random);
    const community = random.chance(0.5) ? { twitter: communityUri(random) } : {};
    const first = lamports(random.heavyTailed(0.02, 3));
    const creator = wallets.pickWithSol(first + SOL / 10n);
    const site = { showName: true, createdOn: "https://pump.fun" };
    const spec = {
      kind: "fungible",
      name,
      symbol,
      icon: image,
      decimals: 6,
      metadata: { name, symbol, description: "", image, ...site, ...community },
      metadataUri: ipfsUri(random),
      reputation: random.integer(50, 60),
      platform: "pumpfun",
    } as const;
    const curve = curves.create(spec, creator, first);
    if (!curve) return;
    const isPopular = created++ === 0 || random.chance(POPULAR);
    (isPopular ? popularCurves : others).push(curve);
    const oldest = others.length > ACTIVE_CURVES ? others.shift() : undefined;
    if (oldest) curves.abandon(oldest);
  };
  /** Has a holder sell. Returns whether there was one with tokens. */
  const sell = (options: Omit<CurveTrade, "trader">): boolean => {
    const trader = random.pick([...options.curve.holders]);
    const balance = trader?.balance(options.curve.token) ?? 0n;
    if (!trader || balance === 0n) return false;
    curves.trade({ ...options, trader, tokens: random.chance(0.6) ? balance : balance / 2n });
    return true;
  };
  const trade = (): void => {
    const popular = popularCurves[0];
    const isPopular = popular !== undefined && random.chance(POPULAR_TRADES);
    const curve = isPopular ? popular : others[random.integer(0, others.length - 1)];
    if (!curve) return;
    const sendOptions = { priority: Math.floor(random.heavyTailed(5000, 3_000_000)) };
    const options = { curve, sendOptions, fails: random.chance(FAILURE_RATE), tip: pickTip(random, TIP_RATE) };
    if (random.chance(isPopular ? 0.25 : 0.45) && sell(options)) return;
    const typical = Number(isPopular ? TYPICAL.popular : TYPICAL.other);
    const spent = BigInt(Math.floor(random.heavyTailed(typical, typical * 12)));
    curves.trade({ ...options, trader: wallets.pickWithSol(spent * 2n + SOL / 10n), lamports: spent });
    if (FIRST_TOKENS - curve.tokens < FOR_SALE) return;
    const list = isPopular ? popularCurves : others;
    list.splice(list.indexOf(curve), 1);
    curves.migrate(curve, random.between(0.1, 0.4));
  };
  return [
    { weight: FEWEST_CREATORS + CREATORS_PER_SIZE * size, act: create },
    { weight: 130, act: trade },
  ];
}
