/** Marketplaces of NFTs: what is for sale, what is bid, and the transactions that sellers and buyers send. */
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { NftActivityType } from "../economy/activities.ts";
import type { Economy } from "../economy/economy.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { NftItem } from "./items.ts";

/** A marketplace. */
export interface Marketplace {
  readonly program: Account;
  /** Label of its instructions before the colon. */
  readonly label: string;
  /** Holds what is for sale, where sellers have to hand it over; bids are held by it, too. */
  readonly escrow: Account;
  readonly escrowed: boolean;
  /** Gets the fees. */
  readonly treasury: Account;
  readonly feeBps: bigint;
}

/** What is for sale. */
export interface Sale {
  readonly item: NftItem;
  readonly seller: Account;
  readonly marketplace: Marketplace;
  readonly currency: Token;
  price: bigint;
}

/** Somebody's offer; the lamports are in escrow. */
export interface Bid {
  readonly item: NftItem;
  readonly bidder: Account;
  readonly marketplace: Marketplace;
  readonly price: bigint;
}

/** Has the program's instruction in the transaction, and the NFT's address among the keys. */
function call(tx: Transaction, { program, label }: Marketplace, type: string, { token }: NftItem): number {
  const index = tx.instruction(program, type, `${label}:${type}`);
  tx.key(token.account);
  return index;
}

/** Events of NFTs and who causes them. */
export class NftMarket {
  readonly #economy: Economy;
  /** Open sales by item. */
  readonly sales = new Map<NftItem, Sale>();
  /** Open bids, one for each item at most. */
  readonly bids = new Map<NftItem, Bid>();
  /** Where each item is. */
  readonly #locations = new Map<NftItem, Holding>();

  constructor(economy: Economy) {
    this.#economy = economy;
  }

  /** Takes note of a new item in its minter's account. */
  registerMint(item: NftItem, minter: Account): void {
    const holding = minter.holdings.get(item.token);
    if (holding) this.#locations.set(item, holding);
  }

  /** Who owns an item: for what is in escrow, who put it there. */
  ownerOf(item: NftItem): Account | undefined {
    return this.sales.get(item)?.seller ?? this.#locations.get(item)?.owner;
  }

  /** Whether an item is where it was left; people may have sent it elsewhere. */
  isInPlace(item: NftItem): boolean {
    const holding = this.#locations.get(item);
    return holding?.open === true && holding.amount === 1n;
  }

  /** Whether what is for sale can be handed over. */
  isDeliverable({ item, seller, marketplace }: Sale): boolean {
    const ownerOf = marketplace.escrowed ? marketplace.escrow : seller;
    return this.isInPlace(item) && this.#locations.get(item)?.owner === ownerOf;
  }

  /** Puts an item up for sale, by listing or by auction. */
  list(sale: Sale, type: "ACTIVITY_NFT_LISTING" | "ACTIVITY_NFT_LIST_AUCTION"): boolean {
    const { item, seller, marketplace } = sale;
    const tx = this.#economy.begin(seller);
    const index = call(tx, marketplace, type === "ACTIVITY_NFT_LISTING" ? "list" : "createAuction", item);
    if (marketplace.escrowed) tx.transferToken(seller, marketplace.escrow, item.token, 1n, index);
    this.#logSale(tx, type, sale, { from: seller });
    if (!tx.commit()) return false;
    if (marketplace.escrowed) this.#updateLocation(item, marketplace.escrow);
    this.sales.set(item, sale);
    return true;
  }

  /** Asks another price. */
  updatePrice(sale: Sale, price: bigint): boolean {
    const tx = this.#economy.begin(sale.seller);
    call(tx, sale.marketplace, "updatePrice", sale.item);
    this.#logSale(tx, "ACTIVITY_NFT_UPDATE_PRICE", { ...sale, price }, { from: sale.seller });
    if (!tx.commit()) return false;
    sale.price = price;
    return true;
  }

  /** Takes an item off the market. */
  cancel(sale: Sale): boolean {
    const { item, seller, marketplace } = sale;
    const tx = this.#economy.begin(seller);
    const index = call(tx, marketplace, "cancelSell", item);
    if (marketplace.escrowed) tx.transferToken(marketplace.escrow, seller, item.token, 1n, index);
    this.#logSale(tx, "ACTIVITY_NFT_CANCEL_LIST", sale, { from: seller });
    if (!tx.commit()) return false;
    if (marketplace.escrowed) this.#updateLocation(item, seller);
    this.sales.delete(item);
    return true;
  }

  /** Buys what is for sale. `late`: somebody else was quicker, and the transaction fails. */
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

  /** Offers a price and puts it into escrow. */
  bid(bid: Bid): boolean {
    const tx = this.#economy.begin(bid.bidder);
    const index = call(tx, bid.marketplace, "bid", bid.item);
    tx.transferSol(bid.bidder, bid.marketplace.escrow, bid.price, index);
    this.#logBid(tx, "ACTIVITY_NFT_BIDDING", bid);
    if (!tx.commit()) return false;
    this.bids.set(bid.item, bid);
    return true;
  }

  /** Ends a bid: the bidder cancels it, or the owner of the item rejects it. */
  endBid(bid: Bid, ownerOf?: Account): boolean {
    const { item, bidder, marketplace, price } = bid;
    const tx = this.#economy.begin(ownerOf ?? bidder);
    const index = call(tx, marketplace, ownerOf ? "rejectBid" : "cancelBid", item);
    tx.transferSol(marketplace.escrow, bidder, price, index);
    this.#logBid(tx, ownerOf ? "ACTIVITY_NFT_REJECT_BID" : "ACTIVITY_NFT_CANCEL_BID", bid, ownerOf);
    if (!tx.commit()) return false;
    this.bids.delete(item);
    return true;
  }

  /** The owner takes a bid. */
  accept(bid: Bid, seller: Account): boolean {
    const { item, bidder, marketplace, price } = bid;
    const sale: Sale = { item, seller, marketplace, price, currency: this.#economy.wrapped };
    const tx = this.#economy.begin(seller);
    const index = call(tx, marketplace, "acceptBid", item);
    this.#pay(tx, { payer: marketplace.escrow, sale, price, currency: sale.currency, index });
    this.#deliver(tx, item, bidder, index);
    this.#logSale(tx, "ACTIVITY_NFT_SOLD", sale, { from: seller, to: bidder });
    if (!tx.commit()) return false;
    this.bids.delete(item);
    return this.#recordSale(item, bidder);
  }

  /** The price in parts: fee, royalties, and what is left for the seller. Wrapped SOL is paid as SOL. */
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

  /** The NFT goes to its buyer; the account that it leaves is closed where the program may. */
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
