/** What transactions mean beside what they move: DeFi and NFT activities. */
import { DEFI_ACTIVITIES, NFT_ACTIVITIES } from "../../../catalogue/constants.ts";
import type { RouteFact } from "../../source/source.ts";
import { type Account, type Token, WRITABLE } from "./accounts.ts";
import { Steps } from "./instructions.ts";

/** Name of a DeFi activity. */
export type DefiActivity = (typeof DEFI_ACTIVITIES)[number];
/** Name of an NFT activity. */
export type NftActivity = (typeof NFT_ACTIVITIES)[number];

/** An amount of a token. */
export interface Leg {
  readonly token: Token;
  readonly amount: bigint;
}

/** A pool or venue that an activity goes through; `trade` where `in` goes into the pool and `out` comes out of it. */
export interface Venue {
  readonly pool: Account;
  readonly program: Account;
  readonly trade: boolean;
  readonly in: Leg;
  readonly out?: Leg;
  /** Millionths of a dollar; that of `in` where it is not given. */
  readonly value?: bigint;
  readonly prices?: RouteFact["prices"];
  readonly children?: readonly RouteFact[];
}

/** A DeFi activity. `in` is what the person gives (or what it is about), `out` what comes back. */
export interface Activity {
  readonly instruction: number;
  readonly type: DefiActivity;
  readonly from: Account;
  /** The pool, market or program that it is done with. */
  readonly to: Account;
  /** The program that it is attributed to. */
  readonly platform: Account;
  readonly in: Leg;
  readonly out?: Leg;
  /** Millionths of a dollar; that of `in` where it is not given. */
  readonly value?: bigint;
  readonly routes?: readonly RouteFact[];
}

/** An NFT activity; the price in base units of its currency, 0 where there is none. */
export interface NftEvent {
  readonly type: NftActivity;
  readonly nft: Token;
  readonly collection: Account;
  readonly from?: Account;
  readonly to?: Account;
  /** The program of the marketplace. */
  readonly marketplace: Account;
  readonly price: bigint;
  readonly currency: Token;
}

/** A transaction with activities. */
export class Activities extends Steps {
  /** A route for {@link defi}; its pool and program become keys. */
  route(venue: Venue): RouteFact {
    this.key(venue.pool, WRITABLE);
    this.key(venue.program);
    return {
      pool: venue.pool.address,
      program: venue.program.address,
      isTrade: venue.trade,
      token1: venue.in.token.address,
      amount1: venue.in.amount,
      ...(venue.out && { token2: venue.out.token.address, amount2: venue.out.amount }),
      value: venue.value ?? venue.in.token.value(venue.in.amount),
      ...(venue.prices && { prices: venue.prices }),
      ...(venue.children && { children: venue.children }),
    };
  }

  /** Writes down a DeFi activity. */
  defi(activity: Activity): void {
    const { in: given, out } = activity;
    this.key(activity.from);
    this.key(activity.to);
    this.key(activity.platform);
    this.activities.push({
      instruction: activity.instruction,
      type: DEFI_ACTIVITIES.indexOf(activity.type),
      from: activity.from.address,
      to: activity.to.address,
      platform: activity.platform.address,
      token1: given.token.address,
      amount1: given.amount,
      ...(out && { token2: out.token.address, amount2: out.amount }),
      value: activity.value ?? given.token.value(given.amount),
      routes: activity.routes ?? [],
    });
  }

  /** Writes down an NFT activity. */
  nft(event: NftEvent): void {
    const { from, to } = event;
    this.key(event.marketplace);
    this.economy.introduce(event.collection);
    if (from) this.economy.introduce(from);
    if (to) this.economy.introduce(to);
    this.events.push({
      type: NFT_ACTIVITIES.indexOf(event.type),
      nft: event.nft.address,
      collection: event.collection.address,
      ...(from && { from: from.address }),
      ...(to && { to: to.address }),
      marketplace: event.marketplace.address,
      price: event.price,
      currency: event.currency.address,
    });
  }
}
