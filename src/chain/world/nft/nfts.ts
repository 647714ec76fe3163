/** Minters, traders and collectors of NFTs. */
import { Rotation, type WeightedAction } from "../actors/rotation.ts";
import { lamports } from "../actors/wallets.ts";
import type { Actor, WorldContext } from "../context.ts";
import type { Account, Token } from "../economy/accounts.ts";
import type { Random } from "../random.ts";
import { type Collection, createCollections, mintItems, type NftItem } from "./items.ts";
import { type Bid, type Marketplace, NftMarket, type Sale } from "./marketplaces.ts";

/** Share of all calls of actors, in thousandths. */
const WEIGHT = 60;
/** Number of items that one transaction of the opening mints. */
const BATCH = 4;
/** Share of the initial items that are for sale. */
const OPENING_SALES = 0.12;
/** Number of random items that are checked for one that is free. */
const PICK_ATTEMPTS = 12;
/** Share of purchases that fail because another buyer was faster. */
const LATE_BUYERS = 0.04;
/** Lamports that sellers and bidders need in addition to prices. */
const FEE_RESERVE = lamports(0.05);
/** Step of prices: a thousandth of a SOL, in lamports. */
const STEP = 1_000_000n;

/** Returns the share of a collection that is minted in the opening: most of old ones, nothing of the newest. */
const openingPart = (index: number): number => (index < 12 ? 0.3 : index < 17 ? 0.15 : 0);

/** The users of NFTs in a world. */
class NftUsers {
  readonly #context: WorldContext;
  readonly #random: Random;
  readonly #market: NftMarket;
  readonly #marketplaces: readonly Marketplace[];
  #collections: readonly Collection[] = [];
  readonly #items: NftItem[] = [];
  /** Price changes of collections, as factors. */
  readonly #trends = new Map<Collection, number>();
  readonly #collector: Account;
  readonly rotation: Rotation;

  constructor(context: WorldContext) {
    this.#context = context;
    this.#random = context.random.fork("nfts");
    this.#market = new NftMarket(context.economy);
    const { magicEden, tensor, magicEdenAmm } = context.economy.programs;
    this.#marketplaces = [
      this.#createMarketplace(magicEden, "magic_eden", false, 200n),
      this.#createMarketplace(tensor, "tensor", true, 150n),
      this.#createMarketplace(magicEdenAmm, "magic_eden_mmm", true, 150n),
    ];
    this.#collector = context.economy.wallet();
    this.rotation = new Rotation(this.#context.economy, this.#random, this.#actions());
  }

  #createMarketplace(program: Account, label: string, escrowed: boolean, feeBps: bigint): Marketplace {
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

  #actions(): readonly WeightedAction[] {
    const bidding = (use: (bid: Bid) => boolean) => (): boolean => {
      const bid = this.#pickBid();
      return bid !== undefined && use(bid);
    };
    return [
      { weight: 16, act: () => this.#mint() },
      { weight: 28, act: () => this.#list("ACTIVITY_NFT_LISTING") },
      { weight: 22, act: () => this.#sellItem() },
      { weight: 8, act: () => this.#reprice() },
      { weight: 6, act: () => this.#cancel() },
      { weight: 10, act: () => this.#bid() !== undefined },
      { weight: 3, act: bidding((bid) => this.#market.endBid(bid)) },
      { weight: 3, act: bidding((bid) => this.#reject(bid)) },
      { weight: 3, act: bidding((bid) => this.#accept(bid)) },
      { weight: 3, act: () => this.#list("ACTIVITY_NFT_LIST_AUCTION") },
    ];
  }

  /** Publishes labels and collections, and mints and lists the initial items. */
  open(): void {
    const { economy, wallets } = this.#context;
    this.#collections = createCollections(this.#context, this.#random);
    wallets.fund(this.#collector, lamports(6000));
    economy.label(this.#collector, { label: "NFT Collector", tags: ["nft_collector"], domain: "vitrine.sol" });
    for (const { program, label, treasury, escrow } of this.#marketplaces) {
      economy.label(treasury, { label: `${label}: Treasury`, tags: ["nft_marketplace"], type: "address" });
      economy.label(escrow, { label: `${label}: Escrow`, tags: ["nft_marketplace", "escrow"], type: "address" });
      economy.publishAccount(program);
    }
    for (const [index, collection] of this.#collections.entries()) {
      const part = collection.plan.texts ? 1 : openingPart(index);
      const target = Math.max(1, Math.round(collection.items * part));
      while (collection.minted < target) {
        if (!this.#mintBatch(collection, Math.min(BATCH, target - collection.minted))) break;
      }
      const minted = this.#items.slice(-target);
      const sales = Math.ceil(target * OPENING_SALES);
      for (let count = 0; count < sales; count++) this.#list("ACTIVITY_NFT_LISTING", minted);
    }
  }

  #mintBatch(collection: Collection, count: number): boolean {
    const { wallets } = this.#context;
    const price = BigInt(Math.floor(collection.plan.price * 0.3)) * STEP;
    const need = (price + FEE_RESERVE) * BigInt(count);
    const minter = this.#random.chance(0.3) ? wallets.ensureFunds(this.#collector, need) : wallets.pickWithSol(need);
    const items = mintItems(this.#context, this.#random, { collection, minter, count, price });
    for (const item of items) {
      this.#items.push(item);
      this.#market.registerMint(item, minter);
    }
    return items.length > 0;
  }

  #mint(): boolean {
    const unfinished = this.#collections.filter(({ minted, items }) => minted < items);
    if (unfinished.length === 0) return false;
    const collection = this.#random.pick(unfinished);
    return this.#mintBatch(collection, Math.min(this.#random.integer(1, 3), collection.items - collection.minted));
  }

  /** Returns a random item without a sale or a bid, if one is found. */
  #findFreeItem(from: readonly NftItem[]): NftItem | undefined {
    const { sales, bids } = this.#market;
    for (let attempt = 0; attempt < PICK_ATTEMPTS && from.length > 0; attempt++) {
      const item = this.#random.pick(from);
      if (this.#market.isInPlace(item) && !sales.has(item) && !bids.has(item)) return item;
    }
    return undefined;
  }

  /** Returns a random price for an item of a collection, in lamports. */
  #pickAskingPrice(collection: Collection): bigint {
    const trend = this.#trends.get(collection) ?? 1;
    const thousandths = collection.plan.price * trend * this.#random.heavyTailed(0.85, 9);
    return BigInt(Math.max(1, Math.floor(thousandths))) * STEP;
  }

  #currency({ plan }: Collection): Token {
    const { economy, market } = this.#context;
    return plan.usdc ? market.usdc : economy.wrapped;
  }

  /** Returns a random price in the currency of the collection; USDC in whole cents. */
  #listPrice(collection: Collection): bigint {
    const askingPrice = this.#pickAskingPrice(collection);
    const { economy, market } = this.#context;
    if (!collection.plan.usdc) return askingPrice;
    return (
      ((economy.sol.value(askingPrice) * BigInt(market.usdc.unitsPerToken)) / 1_000_000n / 10_000n) * 10_000n + 10_000n
    );
  }

  #list(type: "ACTIVITY_NFT_LISTING" | "ACTIVITY_NFT_LIST_AUCTION", from = this.#items): boolean {
    const item = this.#findFreeItem(from);
    const seller = item && this.#market.ownerOf(item);
    if (!item || !seller) return false;
    const { collection } = item;
    this.#context.wallets.ensureFunds(seller, FEE_RESERVE);
    const marketplace = this.#random.pickEarly(this.#marketplaces);
    const currency = this.#currency(collection);
    return this.#market.list({ item, seller, marketplace, currency, price: this.#listPrice(collection) }, type);
  }

  #pickSale(): Sale | undefined {
    if (this.#market.sales.size <= this.#collections.length) this.#list("ACTIVITY_NFT_LISTING");
    if (this.#market.sales.size === 0) return undefined;
    const sale = this.#random.pick([...this.#market.sales.values()]);
    if (sale && this.#market.isDeliverable(sale)) return sale;
    if (sale) this.#market.sales.delete(sale.item);
    return undefined;
  }

  /** Sells the cheaper one of two random sales. */
  #sellItem(): boolean {
    const first = this.#pickSale();
    if (!first) return false;
    const second = this.#pickSale();
    const sale = second && second.currency === first.currency && second.price < first.price ? second : first;
    const buyer = this.#buyer(sale);
    const sold = buyer !== sale.seller && this.#market.buy(sale, buyer, this.#random.chance(LATE_BUYERS));
    if (sold) this.#updateTrend(sale.item.collection);
    return sold;
  }

  #buyer({ price, currency }: Sale): Account {
    const { wallets, economy, market } = this.#context;
    const need = currency === economy.wrapped ? price + FEE_RESERVE : FEE_RESERVE;
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

  #updateTrend(collection: Collection): void {
    const trend = (this.#trends.get(collection) ?? 1) * (1 + this.#random.spread() * 0.06);
    this.#trends.set(collection, Math.min(4, Math.max(0.3, trend)));
  }

  #reprice(): boolean {
    const sale = this.#pickSale();
    return sale !== undefined && this.#market.updatePrice(sale, this.#listPrice(sale.item.collection));
  }

  #cancel(): boolean {
    const sale = this.#pickSale();
    return sale !== undefined && this.#market.cancel(sale);
  }

  #bid(): Bid | undefined {
    const item = this.#findFreeItem(this.#items);
    if (!item) return undefined;
    const price = ((this.#pickAskingPrice(item.collection) * 7n) / 10n / STEP) * STEP + STEP;
    const bidder = this.#context.wallets.pickWithSol(price + FEE_RESERVE);
    if (bidder === this.#market.ownerOf(item)) return undefined;
    const bid = { item, bidder, price, marketplace: this.#random.pickEarly(this.#marketplaces) };
    return this.#market.bid(bid) ? bid : undefined;
  }

  /** Returns an open bid for an item that is not for sale; places one if there is none. */
  #pickBid(): Bid | undefined {
    const bids = [...this.#market.bids.values()].filter(({ item }) => !this.#market.sales.has(item));
    return bids.length > 0 ? this.#random.pick(bids) : this.#bid();
  }

  #reject(bid: Bid): boolean {
    const owner = this.#market.ownerOf(bid.item);
    return owner !== undefined && this.#market.endBid(bid, this.#context.wallets.ensureFunds(owner, FEE_RESERVE));
  }

  #accept(bid: Bid): boolean {
    const owner = this.#market.ownerOf(bid.item);
    if (owner === undefined || owner === bid.bidder || !this.#market.isInPlace(bid.item)) return false;
    const accepted = this.#market.accept(bid, this.#context.wallets.ensureFunds(owner, FEE_RESERVE));
    if (accepted) this.#updateTrend(bid.item.collection);
    return accepted;
  }
}

/** Returns the users of NFTs. */
export function createNftUsers(context: WorldContext): Actor {
  const users = new NftUsers(context);
  return { weight: WEIGHT, act: () => users.rotation.act(), open: () => users.open() };
}
