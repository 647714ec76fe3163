/** Creators of tokens on Pump.fun and their buyers: most tokens are dead within hours, a few complete their curve. */
import type { Actor, WorldContext } from "../context.ts";
import { createMemeName } from "../data/names.ts";
import { communityUri, ipfsUri } from "../data/uris.ts";
import { type BondingCurve, BondingCurves, type CurveTrade, isComplete } from "../markets/bonding-curves.ts";
import { pickTip } from "./traders.ts";
import { lamports, SOL } from "./wallets.ts";

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
  const curves = new BondingCurves(context);
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
    if (!isComplete(curve)) return;
    const list = isPopular ? popularCurves : others;
    list.splice(list.indexOf(curve), 1);
    curves.migrate(curve, random.between(0.1, 0.4));
  };
  return [
    { weight: FEWEST_CREATORS + CREATORS_PER_SIZE * size, act: create },
    { weight: 130, act: trade },
  ];
}
