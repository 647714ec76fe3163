/** Minters, traders and collectors of NFTs, and the creators of compressed ones. */

import { COMPRESSION_LAYOUTS, rentOfLayout } from "../../solana/index.ts";
import { lamports } from "../actors/wallets.ts";
import { type Actor, createRotation, type WorldContext } from "../context.ts";
import type { Account } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { nameInstructions } from "../markets/venues.ts";
import { type Collection, createCollections, mintItems, type NftItem } from "./items.ts";
import { type Bid, NFT_OPERATIONS, NftMarket, type Sale } from "./marketplaces.ts";

/** Number of items that one transaction of the opening mints, and most leaves that one mints. */
const BATCH = 3;
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

/**
 * The marketplaces: program, label, whether items for sale are in escrow, the fee in basis points, and the instructions to
 * list, auction, reprice, cancel, buy, bid, cancel a bid, reject it and accept it.
 */
const MARKETPLACES = [
  [
    ...(["magicEden", "magic_eden", false, 200n] as const),
    "sell sell sell cancelSell executeSaleV2 buyV2 cancelBuy cancelBuy executeSaleV2",
  ],
  [
    ...(["tensor", "tensor", true, 150n] as const),
    "list list editSingleListing delist buySingleListing depositSol withdrawSol withdrawSol sellNftTokenPool",
  ],
  [
    ...(["magicEdenAmm", "magic_eden_mmm", true, 150n] as const),
    "depositSell depositSell updatePool withdrawSell solFulfillSell solDepositBuy solWithdrawBuy solWithdrawBuy solFulfillBuy",
  ],
] as const;

/** Publishes collections, mints and lists the initial items, and returns the users of NFTs. */
export function createNftUsers(context: WorldContext): Actor[] {
  const { economy, wallets, market } = context;
  const random = context.random.fork("nfts");
  const nftMarket = new NftMarket(economy);
  const { sales, bids } = nftMarket;
  const marketplaces = MARKETPLACES.map(([name, label, escrowed, feeBps, instructions]) => {
    const program = economy.programs[name];
    const escrow = economy.derive(program, ["escrow"], "system_account", economy.programs.system);
    const treasury = economy.wallet();
    economy.label(treasury, { label: `${label}: Treasury`, tags: ["nft_marketplace"], type: "address" });
    economy.label(escrow, { label: `${label}: Escrow`, tags: ["nft_marketplace", "escrow"], type: "address" });
    economy.publishAccount(program);
    return {
      program,
      label,
      escrowed,
      feeBps,
      escrow,
      treasury,
      instructions: nameInstructions(NFT_OPERATIONS, instructions),
    };
  });
  const collector = economy.wallet();
  wallets.fund(collector, lamports(6000));
  economy.label(collector, { label: "NFT Collector", tags: ["nft_collector"], domain: "vitrine.sol" });
  const collections = createCollections(context, random);
  const items: NftItem[] = [];
  /** Price changes of collections, as factors. */
  const trends = new Map<Collection, number>();

  /** Returns a random user, or in a third of all cases the collector, with the lamports. */
  const pickBuyer = (need: bigint): Account =>
    random.chance(0.3) ? wallets.ensureFunds(collector, need) : wallets.pickWithSol(need);

  const mintBatch = (collection: Collection, count: number): boolean => {
    const price = BigInt(Math.floor(collection.plan.price * 0.3)) * STEP;
    const minter = pickBuyer((price + FEE_RESERVE) * BigInt(count));
    const minted = mintItems(context, random, { collection, minter, count, price });
    for (const item of minted) {
      items.push(item);
      nftMarket.recordLocation(item, minter);
    }
    return minted.length > 0;
  };
  const mint = (): boolean => {
    const unfinished = collections.filter((collection) => collection.minted < collection.items);
    if (unfinished.length === 0) return false;
    const collection = random.pick(unfinished);
    return mintBatch(collection, Math.min(random.integer(1, 3), collection.items - collection.minted));
  };
  /** Returns a random item without a sale or a bid, if one is found. */
  const findFreeItem = (from: readonly NftItem[]): NftItem | undefined => {
    for (let attempt = 0; attempt < PICK_ATTEMPTS && from.length > 0; attempt++) {
      const item = random.pick(from);
      if (nftMarket.isInPlace(item) && !sales.has(item) && !bids.has(item)) return item;
    }
    return undefined;
  };
  const pickPrice = (collection: Collection): bigint => {
    const thousandths = collection.plan.price * (trends.get(collection) ?? 1) * random.heavyTailed(0.85, 9);
    return BigInt(Math.max(1, Math.floor(thousandths))) * STEP;
  };
  /** Returns a random price in the currency of the collection; USDC in whole cents. */
  const pickListPrice = (collection: Collection): bigint => {
    const price = pickPrice(collection);
    if (!collection.plan.isPricedInUsdc) return price;
    const units = (economy.sol.value(price) * BigInt(market.usdc.unitsPerToken)) / 1_000_000n;
    return (units / 10_000n) * 10_000n + 10_000n;
  };
  const list = (operation: "list" | "auction", from: readonly NftItem[] = items): boolean => {
    const item = findFreeItem(from);
    const seller = item && nftMarket.findOwner(item);
    if (!item || !seller) return false;
    const { collection } = item;
    wallets.ensureFunds(seller, FEE_RESERVE);
    const marketplace = random.pickEarly(marketplaces);
    const currency = collection.plan.isPricedInUsdc ? market.usdc : economy.wrapped;
    return nftMarket.list({ item, seller, marketplace, currency, price: pickListPrice(collection) }, operation);
  };
  const pickSale = (): Sale | undefined => {
    if (sales.size <= collections.length) list("list");
    if (sales.size === 0) return undefined;
    const sale = random.pick([...sales.values()]);
    if (nftMarket.isDeliverable(sale)) return sale;
    sales.delete(sale.item);
    return undefined;
  };
  const updateTrend = ({ collection }: NftItem): void => {
    const trend = (trends.get(collection) ?? 1) * (1 + random.spread() * 0.06);
    trends.set(collection, Math.min(4, Math.max(0.3, trend)));
  };
  /** Sells the cheaper one of two random sales. */
  const sell = (): boolean => {
    const first = pickSale();
    if (!first) return false;
    const second = pickSale();
    const sale = second && second.currency === first.currency && second.price < first.price ? second : first;
    const { price, currency, seller, item } = sale;
    const buyer = pickBuyer(currency === economy.wrapped ? price + FEE_RESERVE : FEE_RESERVE);
    if (currency === market.usdc && buyer.balance(currency) < price) {
      wallets.sendTokens(wallets.pickExchange(), buyer, currency, (price * 5n) / 4n);
    }
    const isSold = buyer !== seller && nftMarket.buy(sale, buyer, random.chance(LATE_BUYERS));
    if (isSold) updateTrend(item);
    return isSold;
  };
  const bid = (): Bid | undefined => {
    const item = findFreeItem(items);
    if (!item) return undefined;
    const price = ((pickPrice(item.collection) * 7n) / 10n / STEP) * STEP + STEP;
    const bidder = wallets.pickWithSol(price + FEE_RESERVE);
    if (bidder === nftMarket.findOwner(item)) return undefined;
    const created = { item, bidder, price, marketplace: random.pickEarly(marketplaces) };
    return nftMarket.bid(created) ? created : undefined;
  };
  /** Returns an action on an open bid for an item that is not for sale; places a bid if there is none. */
  const withBid = (use: (bid: Bid, owner: Account | undefined) => boolean) => (): boolean => {
    const open = [...bids.values()].filter(({ item }) => !sales.has(item));
    const chosen = open.length > 0 ? random.pick(open) : bid();
    return chosen !== undefined && use(chosen, nftMarket.findOwner(chosen.item));
  };
  const withSale = (use: (sale: Sale) => boolean) => (): boolean => {
    const sale = pickSale();
    return sale !== undefined && use(sale);
  };
  const reject = (chosen: Bid, owner: Account | undefined): boolean =>
    owner !== undefined && nftMarket.endBid(chosen, wallets.ensureFunds(owner, FEE_RESERVE));
  const accept = (chosen: Bid, owner: Account | undefined): boolean => {
    if (owner === undefined || owner === chosen.bidder || !nftMarket.isInPlace(chosen.item)) return false;
    const isAccepted = nftMarket.accept(chosen, wallets.ensureFunds(owner, FEE_RESERVE));
    if (isAccepted) updateTrend(chosen.item);
    return isAccepted;
  };
  for (const [index, collection] of collections.entries()) {
    const part = collection.plan.texts ? 1 : openingPart(index);
    const target = Math.max(1, Math.round(collection.items * part));
    while (collection.minted < target) {
      if (!mintBatch(collection, Math.min(BATCH, target - collection.minted))) break;
    }
    const minted = items.slice(-target);
    const count = Math.ceil(target * OPENING_SALES);
    for (let index = 0; index < count; index++) list("list", minted);
  }
  const act = createRotation(economy, random, [
    [16, mint],
    [28, () => list("list")],
    [22, sell],
    [8, withSale((sale) => nftMarket.updatePrice(sale, pickListPrice(sale.item.collection)))],
    [6, withSale((sale) => nftMarket.cancel(sale))],
    [10, () => bid() !== undefined],
    [3, withBid((chosen) => nftMarket.endBid(chosen))],
    [3, withBid(reject)],
    [3, withBid(accept)],
    [3, () => list("auction")],
  ]);
  return [{ weight: 60, act }];
}

/** Lamports of a tree for 16,384 leaves and of its configuration for their rent. */
const TREE_RENT = rentOfLayout(COMPRESSION_LAYOUTS.tree);
const CONFIG_RENT = rentOfLayout(COMPRESSION_LAYOUTS.treeConfig);

/** What airdropped leaves are called. */
const LEAF = { name: "Airdrop", symbol: "DROP", uri: "https://arweave.net/airdrop.json" };

interface Tree {
  readonly account: Account;
  readonly config: Account;
  readonly creator: Account;
}

/** Returns the creators of trees, who airdrop compressed NFTs to users, and owners who transfer them. */
export function createCompressedNfts({ economy, wallets, random: root }: WorldContext): Actor[] {
  const random = root.fork("compressed nfts");
  const { bubblegum, compression, noop } = economy.programs;
  const trees: Tree[] = [];
  const plant = (): void => {
    const creator = wallets.pickWithSol(lamports(4));
    const account = economy.account("account", compression.address);
    const config = economy.derive(bubblegum, [account]);
    config.subject = account;
    const tx = economy.begin(creator, { priority: 2000 });
    tx.createAccount(creator, account, TREE_RENT);
    const parties = { merkleTree: account, payer: creator, treeCreator: creator };
    const create = tx.call(bubblegum, "createTree", "bubblegum:createTree", parties);
    tx.createAccount(creator, config, CONFIG_RENT, create);
    const roles = { merkleTree: account, authority: config };
    tx.call(compression, "initEmptyMerkleTree", "initEmptyMerkleTree", roles, create);
    if (tx.commit()) trees.push({ account, config, creator });
  };
  /** Calls Bubblegum, which logs the leaf through the program without effects, and has the tree changed. */
  const change = (
    tree: Tree,
    payer: Account,
    owners: readonly Account[],
    [call, effect]: readonly [string, string],
  ) => {
    const tx = economy.begin(payer, { priority: random.integer(100, 4000), usesLookupTable: true });
    for (const owner of owners) {
      const { account: merkleTree, config: authority } = tree;
      const parties = { leafOwner: owner, leafDelegate: owner, newLeafOwner: payer, merkleTree, payer };
      const info = call === "transfer" ? undefined : LEAF;
      const index = tx.call(bubblegum, call, `bubblegum:${call}`, parties, TOP_LEVEL, info);
      tx.instruction(noop, "noop", "noop", index, { event: "leafSchema" });
      tx.call(compression, effect, effect, { merkleTree, authority }, index);
    }
    tx.commit();
  };
  const act = (): void => {
    if (trees.length === 0 || random.chance(0.03)) plant();
    const tree = trees[random.integer(0, trees.length - 1)];
    if (!tree) return;
    if (random.chance(0.25)) {
      const owner = wallets.pickWithSol(lamports(0.01));
      change(tree, owner, [owner], ["transfer", "replaceLeaf"]);
      return;
    }
    const owners = Array.from({ length: random.integer(1, BATCH) }, () => wallets.pickUser());
    change(tree, wallets.ensureFunds(tree.creator, lamports(0.01)), owners, ["mintV1", "append"]);
  };
  return [{ weight: 5, act }];
}
