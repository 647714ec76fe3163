/** Marketplaces of NFTs: open sales and bids, and the transactions of sellers and buyers. */
import type { Account, Holding, Token } from "../economy/accounts.ts";
import type { NftActivityType } from "../economy/activities.ts";
import type { SendOptions } from "../economy/draft.ts";
import type { Economy } from "../economy/economy.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Roles } from "../economy/roles.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { NftItem } from "./items.ts";

/** A marketplace. */
export interface Marketplace {
  readonly program: Account;
  /** Prefix of the labels of its instructions. */
  readonly label: string;
  /** Its instructions for the operations of users. */
  readonly instructions: Readonly<Record<keyof typeof OPERATIONS, string>>;
  /** Holds the lamports of bids and, with `escrowed`, the items for sale. */
  readonly escrow: Account;
  readonly escrowed: boolean;
  readonly treasury: Account;
  readonly feeBps: bigint;
}

interface Offer {
  readonly item: NftItem;
  readonly marketplace: Marketplace;
}

/** An item for sale. */
export interface Sale extends Offer {
  readonly seller: Account;
  readonly currency: Token;
  price: bigint;
}

/** A bid for an item; its lamports are in escrow. */
export interface Bid extends Offer {
  readonly bidder: Account;
  readonly price: bigint;
}

/** What users do at a marketplace: the second part of its label, and the activity. */
const OPERATIONS = {
  list: ["list", "ACTIVITY_NFT_LISTING"],
  auction: ["createAuction", "ACTIVITY_NFT_LIST_AUCTION"],
  reprice: ["updatePrice", "ACTIVITY_NFT_UPDATE_PRICE"],
  cancel: ["cancelSell", "ACTIVITY_NFT_CANCEL_LIST"],
  buy: ["buy", "ACTIVITY_NFT_SOLD"],
  bid: ["bid", "ACTIVITY_NFT_BIDDING"],
  cancelBid: ["cancelBid", "ACTIVITY_NFT_CANCEL_BID"],
  rejectBid: ["rejectBid", "ACTIVITY_NFT_REJECT_BID"],
  acceptBid: ["acceptBid", "ACTIVITY_NFT_SOLD"],
} as const satisfies Record<string, readonly [name: string, activity: NftActivityType]>;

/** The operations of users. */
export const NFT_OPERATIONS = Object.keys(OPERATIONS) as readonly (keyof typeof OPERATIONS)[];

/** Error of a buyer who was too late. */
const ALREADY_SOLD = "custom program error: 0x1798";

interface Deal extends Offer {
  readonly operation: keyof typeof OPERATIONS;
  readonly price: bigint;
  readonly currency: Token;
  readonly from?: Account | undefined;
  readonly to?: Account;
  readonly send?: SendOptions;
}

/** All open sales and bids, and the transactions that change them. Methods return whether they succeeded. */
export class NftMarket {
  readonly #economy: Economy;
  readonly sales = new Map<NftItem, Sale>();
  /** Open bids, at most one for each item. */
  readonly bids = new Map<NftItem, Bid>();
  readonly #locations = new Map<NftItem, Holding>();

  constructor(economy: Economy) {
    this.#economy = economy;
  }

  /** Returns the owner of an item: the seller, if it is in escrow. */
  findOwner(item: NftItem): Account | undefined {
    return this.sales.get(item)?.seller ?? this.#locations.get(item)?.owner;
  }

  /** Returns whether an item is in its known token account; users may have transferred it. */
  isInPlace(item: NftItem): boolean {
    const holding = this.#locations.get(item);
    return holding?.open === true && holding.amount === 1n;
  }

  isDeliverable({ item, seller, marketplace }: Sale): boolean {
    const owner = marketplace.escrowed ? marketplace.escrow : seller;
    return this.isInPlace(item) && this.#locations.get(item)?.owner === owner;
  }

  /** Offers an item for sale, by listing or by auction. */
  list(sale: Sale, operation: "list" | "auction"): boolean {
    const { item, seller, marketplace } = sale;
    if (!this.#transact(seller, { ...sale, operation, from: seller }, this.#escrowMove(sale, true))) return false;
    if (marketplace.escrowed) this.recordLocation(item, marketplace.escrow);
    this.sales.set(item, sale);
    return true;
  }

  updatePrice(sale: Sale, price: bigint): boolean {
    if (!this.#transact(sale.seller, { ...sale, operation: "reprice", price, from: sale.seller })) return false;
    sale.price = price;
    return true;
  }

  cancel(sale: Sale): boolean {
    const { item, seller, marketplace } = sale;
    const deal = { ...sale, operation: "cancel", from: seller } as const;
    if (!this.#transact(seller, deal, this.#escrowMove(sale, false))) return false;
    if (marketplace.escrowed) this.recordLocation(item, seller);
    this.sales.delete(item);
    return true;
  }

  /** Buys an item. With `late` the transaction fails, as if another buyer had been faster. */
  buy(sale: Sale, buyer: Account, late: boolean): boolean {
    const deal = { ...sale, operation: "buy", from: sale.seller, to: buyer, send: { priority: 10_000 } } as const;
    const exchange = (tx: Transaction, index: number) => this.#exchange(tx, { sale, payer: buyer, buyer }, index);
    return this.#transact(buyer, deal, exchange, late ? ALREADY_SOLD : undefined) && this.#recordSale(sale.item, buyer);
  }

  /** Places a bid and transfers its lamports to the escrow. */
  bid(bid: Bid): boolean {
    const { item, bidder, marketplace, price } = bid;
    const deal = { ...bid, operation: "bid", currency: this.#economy.wrapped, to: bidder } as const;
    const pay = (tx: Transaction, index: number) => tx.transferSol(bidder, marketplace.escrow, price, index);
    if (!this.#transact(bidder, deal, pay)) return false;
    this.bids.set(item, bid);
    return true;
  }

  /** Ends a bid: rejected by `owner`, or canceled by the bidder. */
  endBid(bid: Bid, owner?: Account): boolean {
    const { item, bidder, marketplace, price } = bid;
    const operation = owner ? "rejectBid" : "cancelBid";
    const deal: Deal = { ...bid, operation, currency: this.#economy.wrapped, from: owner, to: bidder };
    const repay = (tx: Transaction, index: number) => tx.transferSol(marketplace.escrow, bidder, price, index);
    return this.#transact(owner ?? bidder, deal, repay) && this.bids.delete(item);
  }

  accept(bid: Bid, seller: Account): boolean {
    const { item, bidder, marketplace } = bid;
    const sale: Sale = { ...bid, seller, currency: this.#economy.wrapped };
    const payment = { sale, payer: marketplace.escrow, buyer: bidder };
    const deal = { ...sale, operation: "acceptBid", from: seller, to: bidder } as const;
    if (!this.#transact(seller, deal, (tx, index) => this.#exchange(tx, payment, index))) return false;
    this.bids.delete(item);
    return this.#recordSale(item, bidder);
  }

  /** Sends the transaction of a deal, whose instruction causes the movements of `move`. */
  #transact(
    sender: Account,
    { operation, item, marketplace, price, currency, from, to, send }: Deal,
    move?: (tx: Transaction, index: number) => void,
    failure?: string,
  ): boolean {
    const { program, label } = marketplace;
    const [name, type] = OPERATIONS[operation];
    const instruction = marketplace.instructions[operation];
    const { token: nft, collection } = item;
    const tx = this.#economy.begin(sender, { usesLookupTable: true, ...send });
    if (operation === "buy") tx.openTokenAccount(sender, nft);
    const { escrow, treasury } = marketplace;
    const holding = (owner: Account | undefined) => owner && tx.holding(owner, nft).account;
    const roles: Roles = {
      ...{ user: sender, maker: from ?? to, seller: from, buyer: to, escrow, treasury, mint: nft.account },
      ...{ item: this.#locations.get(item)?.account, sellerItem: holding(from), buyerItem: holding(to) },
      ...{ escrowItem: holding(escrow), ...(operation.endsWith("Bid") && { maker: to }) },
    };
    const info = { price: String(price) };
    const index = tx.call(program, instruction, `${label}:${name}`, roles, TOP_LEVEL, info);
    // Bids are for an item, also where programs take them for any of a collection.
    tx.key(nft.account);
    move?.(tx, index);
    const parties = { collection: collection.account, from, to, marketplace: program };
    tx.activities.addNft({ type, nft, ...parties, price, currency });
    if (failure === undefined) return tx.commit();
    tx.fail(failure);
    return false;
  }

  /** Returns the movement of an item into the escrow of its marketplace, or out of it, if there is one. */
  #escrowMove({ item, seller, marketplace: { escrow, escrowed } }: Sale, isInto: boolean) {
    const [from, to] = isInto ? [seller, escrow] : [escrow, seller];
    return escrowed ? (tx: Transaction, index: number) => tx.transferToken(from, to, item.token, 1n, index) : undefined;
  }

  /**
   * Pays fee, royalties and the rest of the price to their receivers, wrapped SOL as SOL; then delivers the item and
   * closes the emptied token account.
   */
  #exchange(
    tx: Transaction,
    { sale, payer, buyer }: { readonly sale: Sale; readonly payer: Account; readonly buyer: Account },
    index: number,
  ): void {
    const { item, price, currency, marketplace, seller } = sale;
    const { creator, plan } = item.collection;
    const fee = (price * marketplace.feeBps) / 10_000n;
    const fullRoyalties = (price * BigInt(plan.royalties)) / 10_000n;
    const royalties = fullRoyalties < price - fee ? fullRoyalties : price - fee;
    const token = currency === this.#economy.wrapped ? this.#economy.sol : currency;
    const parts = [[marketplace.treasury, fee] as const, [creator, royalties] as const];
    for (const [to, amount] of [...parts, [seller, price - fee - royalties] as const]) {
      if (amount > 0n && to !== payer) tx.transferToken(payer, to, token, amount, index);
    }
    const from = this.#locations.get(item);
    if (!from) return;
    tx.transferToken(from, buyer, item.token, 1n, index);
    tx.closeAccount(from, index);
  }

  #recordSale(item: NftItem, buyer: Account): true {
    this.sales.delete(item);
    this.recordLocation(item, buyer);
    return true;
  }

  /** Records that an item is in the token account of an owner. */
  recordLocation(item: NftItem, owner: Account): void {
    const holding = owner.holdings.get(item.token);
    if (holding) this.#locations.set(item, holding);
  }
}
