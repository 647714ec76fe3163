/** Creators of tokens on Pump.fun and their buyers: most tokens are dead within hours, a few complete their curve. */
import type { Actor, WorldContext } from "../context.ts";
import { createMemeName } from "../data/names.ts";
import { communityUri, ipfsUri } from "../data/uris.ts";
import { type BondingCurve, BondingCurves, isComplete } from "../markets/bonding-curves.ts";
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

class CurveTraders {
  readonly #context: WorldContext;
  readonly #random;
  readonly #curves: BondingCurves;
  /** The newest curves last. */
  readonly #others: BondingCurve[] = [];
  readonly #popular: BondingCurve[] = [];
  #created = 0;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("curves");
    this.#curves = new BondingCurves(context);
  }

  /** Creates a token; the oldest one that is not popular is given up. */
  create(): void {
    const random = this.#random;
    const [name, symbol] = createMemeName(random);
    const icon = ipfsUri(random);
    const community = random.chance(0.5) ? { twitter: communityUri(random) } : {};
    const first = lamports(random.heavyTailed(0.02, 3));
    const creator = this.#context.wallets.pickWithSol(first + SOL / 10n);
    const spec = {
      kind: "fungible",
      name,
      symbol,
      icon,
      decimals: 6,
      metadata: {
        name,
        symbol,
        description: "",
        image: icon,
        showName: true,
        createdOn: "https://pump.fun",
        ...community,
      },
      metadataUri: ipfsUri(random),
      reputation: random.integer(50, 60),
      platform: "pumpfun",
    } as const;
    const curve = this.#curves.create(spec, creator, first);
    if (!curve) return;
    const isPopular = this.#created++ === 0 || random.chance(POPULAR);
    (isPopular ? this.#popular : this.#others).push(curve);
    const oldest = this.#others.length > ACTIVE_CURVES ? this.#others.shift() : undefined;
    if (oldest) this.#curves.abandon(oldest);
  }

  trade(): void {
    const random = this.#random;
    const popular = this.#popular[0];
    const isPopular = popular !== undefined && random.chance(POPULAR_TRADES);
    const curve = isPopular ? popular : this.#others[random.integer(0, this.#others.length - 1)];
    if (!curve) return;
    const sendOptions = { priority: Math.floor(random.heavyTailed(5000, 3_000_000)) };
    const options = { curve, sendOptions, fails: random.chance(FAILURE_RATE), tip: pickTip(random, TIP_RATE) };
    const seller = random.chance(isPopular ? 0.25 : 0.45) ? random.pick([...curve.holders]) : undefined;
    const balance = seller?.holdings.get(curve.token)?.amount ?? 0n;
    if (seller && balance > 0n) {
      this.#curves.trade({ ...options, trader: seller, tokens: random.chance(0.6) ? balance : balance / 2n });
      return;
    }
    const typical = Number(isPopular ? TYPICAL.popular : TYPICAL.other);
    const spent = BigInt(Math.floor(random.heavyTailed(typical, typical * 12)));
    const trader = this.#context.wallets.pickWithSol(spent * 2n + SOL / 10n);
    this.#curves.trade({ ...options, trader, lamports: spent });
    if (!isComplete(curve)) return;
    const list = isPopular ? this.#popular : this.#others;
    list.splice(list.indexOf(curve), 1);
    this.#curves.migrate(curve, random.between(0.1, 0.4));
  }
}

/** Returns the creators of tokens on Pump.fun, and their buyers. */
export function createCurveTraders(context: WorldContext): Actor[] {
  const traders = new CurveTraders(context);
  return [
    { weight: FEWEST_CREATORS + CREATORS_PER_SIZE * context.size, act: () => traders.create() },
    { weight: 130, act: () => traders.trade() },
  ];
}
