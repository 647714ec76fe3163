/** NFTs: minted, listed, sold, bid for. */

import { Rotation, type WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { Actor, WorldContext } from "../context.ts";
import type { Account, Token } from "../economy/accounts.ts";
import type { Random } from "../random.ts";
import { type Collection, createCollections, type Item, mintItems } from "./items.ts";
import { type Bid, type Marketplace, NftMarket, type Sale } from "./marketplaces.ts";

/** Part of all acts, in thousandths. */
const WEIGHT = 60;
/** Items of one mint at the opening. */
const BATCH = 4;
/** Part of what there is that is for sale at the opening. */
const OPENING_SALES = 0.12;
/** Items that are looked at before none is found. */
const LOOKS = 12;
/** Sales that somebody else was quicker for. */
const LATE = 0.04;
/** What sellers and bidders need beside prices. */
const POCKET = lamports(0.05);
/** Lamports are asked in steps of a thousandth of a SOL. */
const STEP = 1_000_000n;

/** Part of a collection that is there when the world begins: old ones mostly, the newest not at all. */
const openingPart = (index: number): number => (index < 12 ? 0.7 : index < 17 ? 0.3 : 0);

/** Everything about NFTs in one world. */
class Nfts {
  readonly #context: WorldContext;
  readonly #random: Random;
  readonly #market: NftMarket;
  readonly #places: readonly Marketplace[];
  #collections: readonly Collection[] = [];
  readonly #items: Item[] = [];
  /** How far prices of a collection have moved. */
  readonly #trends = new Map<Collection, number>();
  readonly #collector: Account;
  readonly rotation: Rotation;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("nfts");
    this.#market = new NftMarket(context.economy);
    const { magicEden, tensor, magicEdenAmm } = context.economy.programs;
    this.#places = [
      this.#place(magicEden, "magic_eden", false, 200n),
      this.#place(tensor, "tensor", true, 150n),
      this.#place(magicEdenAmm, "magic_eden_mmm", true, 150n),
    ];
    this.#collector = context.economy.wallet();
    this.rotation = new Rotation(this.#context.economy, this.#random, this.#habits());
  }

  #place(program: Account, label: string, escrowed: boolean, feeBps: bigint): Marketplace {
    const { economy } = this.#context;
    return {
      program,
      label,
      escrowed,
      feeBps,
      escrow: economy.programAccount("account", program),
      treasury: economy.wallet(),
    };
  }

  #habits(): readonly WeightedAction[] {
    const bidding = (use: (bid: Bid) => boolean) => (): boolean => {
      const bid = this.#openBid();
      return bid !== undefined && use(bid);
    };
    return [
      { weight: 16, act: () => this.#mint() },
      { weight: 28, act: () => this.#list("ACTIVITY_NFT_LISTING") },
      { weight: 22, act: () => this.#sell() },
      { weight: 8, act: () => this.#reprice() },
      { weight: 6, act: () => this.#cancel() },
      { weight: 10, act: () => this.#bid() !== undefined },
      { weight: 3, act: bidding((bid) => this.#market.endBid(bid)) },
      { weight: 3, act: bidding((bid) => this.#reject(bid)) },
      { weight: 3, act: bidding((bid) => this.#accept(bid)) },
      { weight: 3, act: () => this.#list("ACTIVITY_NFT_LIST_AUCTION") },
    ];
  }

  /** Labels, collections, and what was minted before. */
  open(): void {
    const { economy, wallets } = this.#context;
    this.#collections = createCollections(this.#context, this.#random);
    wallets.fund(this.#collector, lamports(6000));
    economy.label(this.#collector, { label: "NFT Collector", tags: ["nft_collector"], domain: "vitrine.sol" });
    for (const { program, label, treasury, escrow } of this.#places) {
      economy.label(treasury, { label: `${label}: Treasury`, tags: ["nft_marketplace"], type: "address" });
      economy.label(escrow, { label: `${label}: Escrow`, tags: ["nft_marketplace", "escrow"], type: "address" });
      economy.publishAccount(program);
    }
    for (const [index, collection] of this.#collections.entries()) {
      const part = collection.plan.texts ? 1 : openingPart(index);
      const target = Math.max(1, Math.round(collection.items * part));
      while (collection.minted < target) {
        if (!this.#mintSome(collection, Math.min(BATCH, target - collection.minted))) break;
      }
      const minted = this.#items.slice(-target);
      const sales = Math.ceil(target * OPENING_SALES);
      for (let count = 0; count < sales; count++) this.#list("ACTIVITY_NFT_LISTING", minted);
    }
  }

  #mintSome(collection: Collection, count: number): boolean {
    const { wallets } = this.#context;
    const price = BigInt(Math.floor(collection.plan.price * 0.3)) * STEP;
    const need = (price + POCKET) * BigInt(count);
    const minter = this.#random.chance(0.3) ? wallets.ensureFunds(this.#collector, need) : wallets.pickWithSol(need);
    const items = mintItems(this.#context, this.#random, { collection, minter, count, price });
    for (const item of items) {
      this.#items.push(item);
      this.#market.minted(item, minter);
    }
    return items.length > 0;
  }

  #mint(): boolean {
    const unfinished = this.#collections.filter(({ minted, items }) => minted < items);
    if (unfinished.length === 0) return false;
    const collection = this.#random.pick(unfinished);
    return this.#mintSome(collection, Math.min(this.#random.integer(1, 3), collection.items - collection.minted));
  }

  /** An item that is neither for sale nor bid for, if one is found. */
  #find(from: readonly Item[]): Item | undefined {
    const { sales, bids } = this.#market;
    for (let look = 0; look < LOOKS && from.length > 0; look++) {
      const item = this.#random.pick(from);
      if (this.#market.inPlace(item) && !sales.has(item) && !bids.has(item)) return item;
    }
    return undefined;
  }

  /** Lamports that people ask for an item of the collection now. */
  #asked(collection: Collection): bigint {
    const trend = this.#trends.get(collection) ?? 1;
    const thousandths = collection.plan.price * trend * this.#random.heavyTailed(0.85, 9);
    return BigInt(Math.max(1, Math.floor(thousandths))) * STEP;
  }

  #currency({ plan }: Collection): Token {
    const { economy, market } = this.#context;
    return plan.usdc ? market.usdc : economy.wrapped;
  }

  /** An asking price in the currency of the collection; dollars in whole cents. */
  #price(collection: Collection): bigint {
    const asked = this.#asked(collection);
    const { economy, market } = this.#context;
    if (!collection.plan.usdc) return asked;
    return ((economy.sol.value(asked) * BigInt(market.usdc.unitsPerToken)) / 1_000_000n / 10_000n) * 10_000n + 10_000n;
  }

  #list(type: "ACTIVITY_NFT_LISTING" | "ACTIVITY_NFT_LIST_AUCTION", from = this.#items): boolean {
    const item = this.#find(from);
    const seller = item && this.#market.owner(item);
    if (!item || !seller) return false;
    const { collection } = item;
    this.#context.wallets.ensureFunds(seller, POCKET);
    const marketplace = this.#random.pickEarly(this.#places);
    const currency = this.#currency(collection);
    return this.#market.list({ item, seller, marketplace, currency, price: this.#price(collection) }, type);
  }

  #openSale(): Sale | undefined {
    if (this.#market.sales.size <= this.#collections.length) this.#list("ACTIVITY_NFT_LISTING");
    if (this.#market.sales.size === 0) return undefined;
    const sale = this.#random.pick([...this.#market.sales.values()]);
    if (sale && this.#market.stands(sale)) return sale;
    if (sale) this.#market.sales.delete(sale.item);
    return undefined;
  }

  /** Sells what is for sale, cheap things rather than dear ones. */
  #sell(): boolean {
    const first = this.#openSale();
    if (!first) return false;
    const second = this.#openSale();
    const sale = second && second.currency === first.currency && second.price < first.price ? second : first;
    const buyer = this.#buyer(sale);
    const sold = buyer !== sale.seller && this.#market.buy(sale, buyer, this.#random.chance(LATE));
    if (sold) this.#move(sale.item.collection);
    return sold;
  }

  #buyer({ price, currency }: Sale): Account {
    const { wallets, economy, market } = this.#context;
    const need = currency === economy.wrapped ? price + POCKET : POCKET;
    const collects = this.#random.chance(0.3);
    const buyer = collects ? wallets.ensureFunds(this.#collector, need) : wallets.pickWithSol(need);
    if (currency === market.usdc && (buyer.holdings.get(currency)?.amount ?? 0n) < price) {
      const exchange = wallets.pickExchange();
      const tx = economy.begin(exchange);
      tx.transferToken(exchange, buyer, currency, (price * 5n) / 4n);
      tx.commit();
    }
    return buyer;
  }

  #move(collection: Collection): void {
    const trend = (this.#trends.get(collection) ?? 1) * (1 + this.#random.spread() * 0.06);
    this.#trends.set(collection, Math.min(4, Math.max(0.3, trend)));
  }

  #reprice(): boolean {
    const sale = this.#openSale();
    return sale !== undefined && this.#market.updatePrice(sale, this.#price(sale.item.collection));
  }

  #cancel(): boolean {
    const sale = this.#openSale();
    return sale !== undefined && this.#market.cancel(sale);
  }

  #bid(): Bid | undefined {
    const item = this.#find(this.#items);
    if (!item) return undefined;
    const price = ((this.#asked(item.collection) * 7n) / 10n / STEP) * STEP + STEP;
    const bidder = this.#context.wallets.pickWithSol(price + POCKET);
    if (bidder === this.#market.owner(item)) return undefined;
    const bid = { item, bidder, price, marketplace: this.#random.pickEarly(this.#places) };
    return this.#market.bid(bid) ? bid : undefined;
  }

  /** A bid that is open, of an item that is not for sale; somebody bids where there is none. */
  #openBid(): Bid | undefined {
    const bids = [...this.#market.bids.values()].filter(({ item }) => !this.#market.sales.has(item));
    return bids.length > 0 ? this.#random.pick(bids) : this.#bid();
  }

  #reject(bid: Bid): boolean {
    const owner = this.#market.owner(bid.item);
    return owner !== undefined && this.#market.endBid(bid, this.#context.wallets.ensureFunds(owner, POCKET));
  }

  #accept(bid: Bid): boolean {
    const owner = this.#market.owner(bid.item);
    if (owner === undefined || owner === bid.bidder || !this.#market.inPlace(bid.item)) return false;
    const accepted = this.#market.accept(bid, this.#context.wallets.ensureFunds(owner, POCKET));
    if (accepted) this.#move(bid.item.collection);
    return accepted;
  }
}

/** The makers, traders and collectors of NFTs. */
export function createNfts(context: WorldContext): Actor {
  const nfts = new Nfts(context);
  return { weight: WEIGHT, act: () => nfts.rotation.act(), open: () => nfts.open() };
}
