/** Collections of NFTs and how their items come to be. */

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

/** Items of a hostile collection at size 1: one for each text, at least. */
const HOSTILE_ITEMS = Object.keys(HOSTILE_TEXTS).length;

/** Every hostile text as the name of an item, with metadata to match. */
const texts: readonly ItemText[] = Object.values(HOSTILE_TEXTS).map((text, index) => ({
  name: text,
  symbol: text,
  uri: text,
  meta: HOSTILE_META[index % HOSTILE_META.length] ?? {},
}));

/** What `hostile` adds to the collections. */
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

/** Lamports that the metadata account of an NFT holds for its rent. */
const METADATA_RENT = 5_616_720n;
/** Items that a collection has at least. */
const MIN_ITEMS = 3;
/** And the well-known one, so that the documentation's examples show something. */
const MIN_SAMPLE_ITEMS = 14;

/** A collection. */
export interface Collection {
  readonly plan: CollectionPlan;
  readonly account: Account;
  readonly creator: Account;
  /** Signs for the mints. */
  readonly machine: Account;
  /** Items that there will be. */
  readonly items: number;
  minted: number;
}

/** An NFT. Who has it is what balances say: the owner of the one token account with an amount. */
export interface NftItem {
  readonly token: Token;
  readonly collection: Collection;
}

const hexOf = (random: Random): string =>
  Array.from({ length: 8 }, () => random.word().toString(16).padStart(8, "0")).join("");

/** Names as explorers keep them: without the NUL characters that the chain's fixed lengths are filled up with. */
const stripNul = (text: string): string => text.replaceAll("\0", "");

/** The collections of a world, told to the source. */
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
    const items = plan.texts ? plan.items : Math.max(minimum, Math.round(plan.items * size));
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

/** The steps of one mint, all called by the machine of the collection. */
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
  tx.createAccount(tx.payer, economy.programAccount("account", metadata), METADATA_RENT, create);
  const edition = tx.instruction(metadata, "createMasterEditionV3", "createMasterEdition", caller);
  revokeMintAuthority(tx, token, edition);
  return token;
}

/**
 * Mints the next items of a collection for the payer of one transaction.
 * @param price lamports for each, paid to the creator
 * @returns the items; none where the transaction failed
 */
export function mintItems(
  context: WorldContext,
  random: Random,
  { collection, minter, count, price }: { collection: Collection; minter: Account; count: number; price: bigint },
): readonly NftItem[] {
  const { economy } = context;
  const tx = economy.begin(minter, { priority: random.integer(0, 1) * 5000 });
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
