/** Collections of NFTs and the minting of their items. */
import type { WorldContext } from "../context.ts";
import { COLLECTIONS, type CollectionPlan, type ItemText } from "../data/collections.ts";
import { HOSTILE_COLLECTIONS, HOSTILE_META, HOSTILE_TEXTS } from "../data/hostile.ts";
import { CREATORS } from "../data/profiles.ts";
import type { Account, Token } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import { createMint, revokeMintAuthority } from "../economy/mints.ts";
import type { Transaction } from "../economy/transaction.ts";
import type { Random } from "../random.ts";
import { describeNft, type NftTexts } from "./metadata.ts";

/** Number of items of a hostile collection: one for each text. */
const HOSTILE_ITEMS = Object.keys(HOSTILE_TEXTS).length;

/** Items with hostile texts as names, and hostile metadata. */
const texts: readonly ItemText[] = Object.values(HOSTILE_TEXTS).map((text, index) => ({
  name: text,
  symbol: text,
  uri: text,
  meta: HOSTILE_META[index % HOSTILE_META.length] ?? {},
}));

/** Returns the additional collections of hostile worlds. */
function hostileCollections(): readonly CollectionPlan[] {
  return HOSTILE_COLLECTIONS.map(([name, symbol], index) => ({
    name,
    symbol,
    item: name,
    description: name,
    website: "javascript:alert(1)",
    items: HOSTILE_ITEMS,
    royalties: 10_000,
    price: 20,
    texts: [...texts.slice(index * 20), ...texts.slice(0, index * 20)],
  }));
}

/** Lamports of the metadata account of an NFT for its rent. */
const METADATA_RENT = 5_616_720n;
/** Share of the items of a world of size 1 that each size beyond 1 adds. */
const FURTHER_ITEMS = 0.3;
/** Minimum number of items of a collection. */
const MIN_ITEMS = 3;
/** Minimum number of items of the sample collection of the documentation. */
const MIN_SAMPLE_ITEMS = 14;

/** A collection of NFTs. */
export interface Collection {
  readonly plan: CollectionPlan;
  readonly account: Account;
  readonly creator: Account;
  /** Mint authority of the items. */
  readonly machine: Account;
  /** Final number of items. */
  readonly items: number;
  minted: number;
}

/** An NFT; its owner is the owner of the token account that holds it. */
export interface NftItem {
  readonly token: Token;
  readonly collection: Collection;
}

const hexOf = (random: Random): string =>
  Array.from({ length: 8 }, () => random.word().toString(16).padStart(8, "0")).join("");

/** Removes NUL characters, the padding of fixed-length strings, as explorers do. */
const stripNul = (text: string): string => text.replaceAll("\0", "");

/** Returns the collections of a world and publishes them. */
export function createCollections({ economy, size, hostile }: WorldContext, random: Random): readonly Collection[] {
  const plans = hostile ? [...COLLECTIONS, ...hostileCollections()] : COLLECTIONS;
  return plans.map((plan, index) => {
    const account = economy.programAccount("account", economy.programs.metadata);
    const creator = economy.wallet(plan.creator);
    const { programs, facts } = economy;
    economy.publishAccount(account);
    facts.nftCollections.push({
      address: account.address,
      hex: plan.hex ?? hexOf(random),
      name: plan.name,
      symbol: plan.symbol,
    });
    const known = CREATORS[index - 1];
    if (known) economy.label(creator, { ...known, type: "address" });
    const minimum = plan.hex === undefined ? MIN_ITEMS : MIN_SAMPLE_ITEMS;
    const scale = size < 1 ? size : 1 + FURTHER_ITEMS * (size - 1);
    const items = plan.texts ? plan.items : Math.max(minimum, Math.round(plan.items * scale));
    return {
      plan,
      account,
      creator,
      machine: economy.programAccount("account", programs.candyMachine),
      items,
      minted: 0,
    };
  });
}

/** Adds the instructions that mint one item, called by the candy machine of the collection. */
function mintOne(context: WorldContext, tx: Transaction, collection: Collection, text: NftTexts): Token {
  const { economy } = context;
  const { candyMachine, metadata } = economy.programs;
  const caller = tx.instruction(candyMachine, "mintV2", "candy_machine:mint");
  tx.key(collection.machine);
  const token = createMint(economy, tx, {
    spec: {
      kind: "nft",
      name: stripNul(text.name),
      symbol: stripNul(text.symbol),
      icon: text.image,
      decimals: 0,
      metadataUri: stripNul(text.uri),
      reputation: 100,
    },
    creator: collection.creator,
    authority: collection.machine,
    parent: caller,
  });
  tx.mint(token, tx.payer, 1n, caller);
  const create = tx.instruction(metadata, "createMetadataAccountV3", "createMetadata", caller);
  const account = economy.derivedAccount("account", metadata, ["metadata", metadata.bytes, token.account.bytes]);
  for (const each of [account, token.account, collection.machine]) tx.key(each, 0, create);
  tx.createAccount(tx.payer, account, METADATA_RENT, create);
  const edition = tx.instruction(metadata, "createMasterEditionV3", "createMasterEdition", caller);
  tx.key(account, 0, edition);
  revokeMintAuthority(tx, token, edition);
  return token;
}

/**
 * Mints the next items of a collection in one transaction. Returns the items; none if it failed.
 * @param price lamports for each item, paid to the creator
 */
export function mintItems(
  context: WorldContext,
  random: Random,
  { collection, minter, count, price }: { collection: Collection; minter: Account; count: number; price: bigint },
): readonly NftItem[] {
  const { economy } = context;
  const tx = economy.begin(minter, { priority: random.integer(0, 1) * 5000, lookup: true });
  const texts: NftTexts[] = [];
  for (let n = 1; n <= count; n++) {
    texts.push(describeNft(random, collection.plan, collection.minted + n, collection.creator.address));
  }
  if (price > 0n && minter !== collection.creator) {
    tx.transferSol(minter, collection.creator, price * BigInt(count), TOP_LEVEL);
  }
  const items = texts.map((text) => ({ token: mintOne(context, tx, collection, text), collection }));
  const { signature } = tx;
  if (!tx.commit()) return [];
  items.forEach(({ token }, index) => {
    const { data = {}, meta = {} } = texts[index] ?? {};
    economy.facts.nfts.push({
      address: token.address,
      collection: collection.account.address,
      number: ++collection.minted,
      data,
      meta,
      minted: signature,
    });
  });
  return items;
}
