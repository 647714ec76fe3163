/** The activity log of a transaction: transfers, DeFi activities and NFT activities. */
import { DEFI_ACTIVITIES, NFT_ACTIVITIES } from "../../../catalogue/index.ts";
import type { DefiFact, NftActivityFact, RouteFact, TransferFact } from "../../ledger/index.ts";
import type { WorldRoute, WorldTransfer } from "../facts.ts";
import { type Account, type Token, WRITABLE } from "./accounts.ts";

/** Name of a DeFi activity. */
export type DefiActivityType = (typeof DEFI_ACTIVITIES)[number];
/** Name of an NFT activity. */
export type NftActivityType = (typeof NFT_ACTIVITIES)[number];

/** An amount of a token. */
export interface TokenAmount {
  readonly token: Token;
  readonly amount: bigint;
}

/** A pool or another venue that an activity goes through. */
export interface Venue {
  readonly pool: Account;
  readonly program: Account;
  /** Whether `in` goes into the pool and `out` comes out of it. */
  readonly isTrade: boolean;
  readonly in: TokenAmount;
  readonly out?: TokenAmount | undefined;
  /** Millionths of a dollar; by default the value of `in`. */
  readonly value?: bigint;
  readonly prices?: RouteFact["prices"] | undefined;
  readonly children?: readonly RouteFact[];
}

/** A DeFi activity. `in` is what the user pays (or what the activity is about), `out` what the user receives. */
export interface DefiActivity {
  readonly instruction: number;
  readonly type: DefiActivityType;
  readonly from: Account;
  /** The counterparty: a pool, market or program. */
  readonly to: Account;
  /** The program that the activity is attributed to. */
  readonly platform: Account;
  readonly in: TokenAmount;
  readonly out?: TokenAmount | undefined;
  /** Millionths of a dollar; by default the value of `in`. */
  readonly value?: bigint | undefined;
  readonly routes?: readonly RouteFact[];
}

/** A DeFi activity of a user at a single venue. */
interface Visit extends Venue {
  readonly instruction: number;
  readonly type: DefiActivityType;
  readonly user: Account;
}

/** An NFT activity; the price in base units of its currency, 0 when there is none. */
export interface NftActivity {
  readonly type: NftActivityType;
  readonly nft: Token;
  readonly collection: Account;
  readonly from?: Account | undefined;
  readonly to?: Account | undefined;
  /** The program of the marketplace. */
  readonly marketplace: Account;
  readonly price: bigint;
  readonly currency: Token;
}

/** The part of a transaction to which activities add accounts. */
interface KeyRecorder {
  key(account: Account, flags?: number, instruction?: number): void;
  publish(account: Account, flags?: number): void;
  findInstruction(program: Account): number;
}

/** What a transaction does, as explorers list it. */
export class ActivityLog {
  readonly transfers: WorldTransfer[] = [];
  readonly defi: DefiFact[] = [];
  readonly nfts: NftActivityFact[] = [];
  readonly #keys: KeyRecorder;

  constructor(keys: KeyRecorder) {
    this.#keys = keys;
  }

  /** Adds an account to an instruction; a program is only a key. */
  #addKey(account: Account, instruction: number): void {
    if (account.kind === "program") this.#keys.publish(account);
    else this.#keys.key(account, 0, instruction);
  }

  addTransfer(parties: Omit<TransferFact, "token" | "amount" | "value">, token: Token, amount: bigint): void {
    this.transfers.push({ ...parties, token: token.address, amount, value: token.value(amount) });
  }

  /** Returns a route for {@link addDefi} and adds its pool and program to the keys. */
  createRoute(venue: Venue): WorldRoute {
    this.#keys.publish(venue.pool, venue.pool.kind === "program" ? 0 : WRITABLE);
    this.#keys.publish(venue.program);
    return {
      pool: venue.pool.address,
      program: venue.program.address,
      isTrade: venue.isTrade,
      token1: venue.in.token.address,
      amount1: venue.in.amount,
      token2: venue.out?.token.address,
      amount2: venue.out?.amount,
      value: venue.value ?? venue.in.token.value(venue.in.amount),
      prices: venue.prices,
      children: venue.children,
    };
  }

  addDefi(activity: DefiActivity): void {
    const { in: input, out } = activity;
    for (const account of [activity.from, activity.to, activity.platform]) this.#addKey(account, activity.instruction);
    this.defi.push({
      instruction: activity.instruction,
      type: DEFI_ACTIVITIES.indexOf(activity.type),
      from: activity.from.address,
      to: activity.to.address,
      platform: activity.platform.address,
      token1: input.token.address,
      amount1: input.amount,
      token2: out?.token.address,
      amount2: out?.amount,
      value: activity.value ?? input.token.value(input.amount),
      routes: activity.routes ?? [],
    });
  }

  /** Adds a DeFi activity of a user at a single venue. */
  addVisit({ instruction, type, user, ...venue }: Visit): void {
    const { pool, program, in: input, out, value } = venue;
    const routes = [this.createRoute(venue)];
    this.addDefi({ instruction, type, from: user, to: pool, platform: program, in: input, out, value, routes });
  }

  addNft(activity: NftActivity): void {
    const { from, to } = activity;
    const instruction = this.#keys.findInstruction(activity.marketplace);
    for (const account of [from, to, activity.collection]) if (account) this.#addKey(account, instruction);
    this.nfts.push({
      type: NFT_ACTIVITIES.indexOf(activity.type),
      nft: activity.nft.address,
      collection: activity.collection.address,
      from: from?.address,
      to: to?.address,
      marketplace: activity.marketplace.address,
      price: activity.price,
      currency: activity.currency.address,
    });
  }
}
