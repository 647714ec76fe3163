/** Marketplaces of NFTs: open sales and bids, and the transactions of sellers and buyers. */
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { NftActivityType } from "../economy/activities.ts";
import type { Economy } from "../economy/economy.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { NftItem } from "./items.ts";

/** A marketplace. */
export interface Marketplace {
  readonly program: Account;
  /** Prefix of the labels of its instructions. */
  readonly label: string;
  /** Holds the lamports of bids and, with `escrowed`, the items for sale. */
  readonly escrow: Account;
  readonly escrowed: boolean;
  /** Receives the fees. */
  readonly treasury: Account;
  readonly feeBps: bigint;
}

/** An item for sale. */
export interface Sale {
  readonly item: NftItem;
  readonly seller: Account;
  readonly marketplace: Marketplace;
  readonly currency: Token;
  price: bigint;
}

/** A bid for an item; its lamports are in escrow. */
export interface Bid {
  readonly item: NftItem;
  readonly bidder: Account;
  readonly marketplace: Marketplace;
  readonly price: bigint;
}

/** Adds an instruction of the marketplace, and the mint of the item to the keys. */
function call(tx: Transaction, { program, label }: Marketplace, type: string, { token }: NftItem): number {
  const index = tx.instruction(program, type, `${label}:${type}`);
  tx.key(token.account);
  return index;
}

/** All open sales and bids, and the transactions that change them. Methods return whether they succeeded. */
export class NftMarket {
  readonly #economy: Economy;
  /** Open sales by item. */
  readonly sales = new Map<NftItem, Sale>();
  /** Open bids, at most one for each item. */
  readonly bids = new Map<NftItem, Bid>();
  /** The token account of each item. */
  readonly #locations = new Map<NftItem, Holding>();

  constructor(economy: Economy) {
    this.#economy = economy;
  }

  /** Registers a new item in the token account of its minter. */
  registerMint(item: NftItem, minter: Account): void {
    const holding = minter.holdings.get(item.token);
    if (holding) this.#locations.set(item, holding);
  }

  /** Returns the owner of an item: the seller, if it is in escrow. */
  ownerOf(item: NftItem): Account | undefined {
    return this.sales.get(item)?.seller ?? this.#locations.get(item)?.owner;
  }

  /** Returns whether an item is in its known token account; users may have transferred it. */
  isInPlace(item: NftItem): boolean {
    const holding = this.#locations.get(item);
    return holding?.open === true && holding.amount === 1n;
  }

  /** Returns whether the item of a sale can be delivered. */
  isDeliverable({ item, seller, marketplace }: Sale): boolean {
    const ownerOf = marketplace.escrowed ? marketplace.escrow : seller;
    return this.isInPlace(item) && this.#locations.get(item)?.owner === ownerOf;
  }

  /** Offers an item for sale, by listing or by auction. */
  list(sale: Sale, type: "ACTIVITY_NFT_LISTING" | "ACTIVITY_NFT_LIST_AUCTION"): boolean {
    const { item, seller, marketplace } = sale;
    const tx = this.#economy.begin(seller, { lookup: true });
    const index = call(tx, marketplace, type === "ACTIVITY_NFT_LISTING" ? "list" : "createAuction", item);
    if (marketplace.escrowed) tx.transferToken(seller, marketplace.escrow, item.token, 1n, index);
    this.#logSale(tx, type, sale, { from: seller });
    if (!tx.commit()) return false;
    if (marketplace.escrowed) this.#updateLocation(item, marketplace.escrow);
    this.sales.set(item, sale);
    return true;
  }

  /** Changes the price of a sale. */
  updatePrice(sale: Sale, price: bigint): boolean {
    const tx = this.#economy.begin(sale.seller, { lookup: true });
    call(tx, sale.marketplace, "updatePrice", sale.item);
    this.#logSale(tx, "ACTIVITY_NFT_UPDATE_PRICE", { ...sale, price }, { from: sale.seller });
    if (!tx.commit()) return false;
    sale.price = price;
    return true;
  }

  /** Cancels a sale. */
  cancel(sale: Sale): boolean {
    const { item, seller, marketplace } = sale;
    const tx = this.#economy.begin(seller, { lookup: true });
    const index = call(tx, marketplace, "cancelSell", item);
    if (marketplace.escrowed) tx.transferToken(marketplace.escrow, seller, item.token, 1n, index);
    this.#logSale(tx, "ACTIVITY_NFT_CANCEL_LIST", sale, { from: seller });
    if (!tx.commit()) return false;
    if (marketplace.escrowed) this.#updateLocation(item, seller);
    this.sales.delete(item);
    return true;
  }

  /** Buys an item. With `late` the transaction fails, as if another buyer had been faster. */
  buy(sale: Sale, buyer: Account, late: boolean): boolean {
    const { item, marketplace, price, currency, seller } = sale;
    const tx = this.#economy.begin(buyer, { priority: 10_000, lookup: true });
    tx.openTokenAccount(buyer, item.token);
    const index = call(tx, marketplace, "buy", item);
    this.#pay(tx, { payer: buyer, sale, price, currency, index });
    this.#deliver(tx, item, buyer, index);
    this.#logSale(tx, "ACTIVITY_NFT_SOLD", sale, { from: seller, to: buyer });
    if (late) tx.fail("custom program error: 0x1798");
    else if (tx.commit()) return this.#recordSale(item, buyer);
    return false;
  }

  /** Places a bid and transfers its lamports to the escrow. */
  bid(bid: Bid): boolean {
    const tx = this.#economy.begin(bid.bidder, { lookup: true });
    const index = call(tx, bid.marketplace, "bid", bid.item);
    tx.transferSol(bid.bidder, bid.marketplace.escrow, bid.price, index);
    this.#logBid(tx, "ACTIVITY_NFT_BIDDING", bid);
    if (!tx.commit()) return false;
    this.bids.set(bid.item, bid);
    return true;
  }

  /** Ends a bid: rejected by `owner`, or canceled by the bidder. */
  endBid(bid: Bid, ownerOf?: Account): boolean {
    const { item, bidder, marketplace, price } = bid;
    const tx = this.#economy.begin(ownerOf ?? bidder, { lookup: true });
    const index = call(tx, marketplace, ownerOf ? "rejectBid" : "cancelBid", item);
    tx.transferSol(marketplace.escrow, bidder, price, index);
    this.#logBid(tx, ownerOf ? "ACTIVITY_NFT_REJECT_BID" : "ACTIVITY_NFT_CANCEL_BID", bid, ownerOf);
    if (!tx.commit()) return false;
    this.bids.delete(item);
    return true;
  }

  /** Accepts a bid. */
  accept(bid: Bid, seller: Account): boolean {
    const { item, bidder, marketplace, price } = bid;
    const sale: Sale = { item, seller, marketplace, price, currency: this.#economy.wrapped };
    const tx = this.#economy.begin(seller, { lookup: true });
    const index = call(tx, marketplace, "acceptBid", item);
    this.#pay(tx, { payer: marketplace.escrow, sale, price, currency: sale.currency, index });
    this.#deliver(tx, item, bidder, index);
    this.#logSale(tx, "ACTIVITY_NFT_SOLD", sale, { from: seller, to: bidder });
    if (!tx.commit()) return false;
    this.bids.delete(item);
    return this.#recordSale(item, bidder);
  }

  /** Pays fee, royalties and the rest of the price to their receivers. Wrapped SOL is paid as SOL. */
  #pay(
    tx: Transaction,
    {
      payer,
      sale,
      price,
      currency,
      index,
    }: {
      payer: Account;
      sale: Sale;
      price: bigint;
      currency: Token;
      index: number;
    },
  ): void {
    const { collection } = sale.item;
    const fee = (price * sale.marketplace.feeBps) / 10_000n;
    const fullRoyalties = (price * BigInt(collection.plan.royalties)) / 10_000n;
    const royalties = fullRoyalties < price - fee ? fullRoyalties : price - fee;
    const token = currency === this.#economy.wrapped ? this.#economy.sol : currency;
    const parts: readonly (readonly [Account, bigint])[] = [
      [sale.marketplace.treasury, fee],
      [collection.creator, royalties],
      [sale.seller, price - fee - royalties],
    ];
    for (const [to, amount] of parts) {
      if (amount > 0n && to !== payer) tx.transferToken(payer, to, token, amount, index);
    }
  }

  /** Transfers an item to its buyer and closes the emptied token account. */
  #deliver(tx: Transaction, item: NftItem, buyer: Account, index: number): void {
    const from = this.#locations.get(item);
    if (!from) return;
    tx.transferToken(from, buyer, item.token, 1n, index);
    tx.closeAccount(from, index);
  }

  #recordSale(item: NftItem, buyer: Account): true {
    this.sales.delete(item);
    this.#updateLocation(item, buyer);
    return true;
  }

  #updateLocation(item: NftItem, to: Account): void {
    const holding = to.holdings.get(item.token);
    if (holding) this.#locations.set(item, holding);
  }

  #logSale(tx: Transaction, type: NftActivityType, sale: Sale, sides: { from?: Account; to?: Account }): void {
    tx.activities.addNft({
      type,
      nft: sale.item.token,
      collection: sale.item.collection.account,
      ...sides,
      marketplace: sale.marketplace.program,
      price: sale.price,
      currency: sale.currency,
    });
  }

  #logBid(tx: Transaction, type: NftActivityType, { item, bidder, marketplace, price }: Bid, ownerOf?: Account): void {
    tx.activities.addNft({
      type,
      nft: item.token,
      collection: item.collection.account,
      ...(ownerOf && { from: ownerOf }),
      to: bidder,
      marketplace: marketplace.program,
      price,
      currency: this.#economy.wrapped,
    });
  }
}
