/** Collections of NFTs, the minting of their items, and the metadata of these. */

import { METAPLEX_LAYOUTS, rentOfLayout } from "../../solana/index.ts";
import { SOL } from "../actors/wallets.ts";
import type { WorldContext } from "../context.ts";
import { COLLECTIONS, type CollectionPlan, type ItemText, TRAITS } from "../data/collections.ts";
import { HOSTILE_COLLECTIONS, HOSTILE_META, HOSTILE_TEXTS } from "../data/hostile.ts";
import { arweaveUri } from "../data/names.ts";
import { CREATORS } from "../data/profiles.ts";
import type { Account, Token } from "../economy/accounts.ts";
import { TOP_LEVEL } from "../economy/instructions.ts";
import type { Transaction } from "../economy/transaction.ts";
import { Random } from "../random.ts";

type Json = Readonly<Record<string, unknown>>;

const STRANGE_PREFIXES = ["№ ", "Nº ", "🐉 #", "『雲』 ", "ﷺ ", "Ⅻ·", "z̈ #"] as const;

function createName(random: Random, plan: CollectionPlan, number: number): string {
  if (plan.oddity === "no number")
    return `${plan.item} ${random.pick(["I", "in blue", "at dawn", "again", "(study)"])}`;
  if (plan.oddity === "strange letters") return `${plan.item} ${random.pick(STRANGE_PREFIXES)}${number}`;
  return plan.item.includes("#") ? plan.item.replace("#", `#${number}`) : `${plan.item} #${number}`;
}

function publishedMetadata(
  random: Random,
  plan: CollectionPlan,
  text: { readonly name: string; readonly image: string; readonly number: number },
  creator: string,
): Json {
  return {
    name: text.name,
    symbol: plan.symbol,
    description: plan.description,
    seller_fee_basis_points: plan.royalties,
    image: text.image,
    edition: text.number,
    external_url: plan.website,
    attributes: Object.entries(TRAITS).map(([trait_type, values]) => ({ trait_type, value: random.pickEarly(values) })),
    collection: { name: plan.name, family: plan.name },
    properties: {
      files: [{ uri: text.image, type: "image/png" }],
      category: "image",
      creators: [{ address: creator, share: 100 }],
    },
  };
}

/** Metadata with wrong types: numbers for text, text for numbers, values that are lists. */
const WRONG_METADATA: Json = {
  name: 404,
  description: null,
  seller_fee_basis_points: "5%",
};
const WRONG_TRAITS: readonly Json[] = [
  { trait_type: "Weight", value: 12.5 },
  { trait_type: "Locked", value: true },
  { trait_type: null, value: ["a", "b"] },
  { value: { nested: 1 } },
];

function withOddity(random: Random, plan: CollectionPlan, meta: Json): Json {
  if (plan.oddity === "nothing") return {};
  if (plan.oddity === "wrong types") return { ...meta, ...WRONG_METADATA, attributes: WRONG_TRAITS };
  if (plan.oddity !== "missing keys") return meta;
  return Object.fromEntries(Object.entries(meta).filter(() => random.chance(0.6)));
}

function describeNft(random: Random, plan: CollectionPlan, number: number, creator: string) {
  const special = plan.texts?.[(number - 1) % plan.texts.length];
  const name = special?.name ?? createName(random, plan, number);
  const symbol = special?.symbol ?? plan.symbol;
  const folder = arweaveUri(new Random(plan.name));
  const uri = special?.uri ?? `${folder}/${number}.json`;
  const image = `${folder}/${number}.png`;
  const meta = withOddity(random, plan, publishedMetadata(random, plan, { name, image, number }, creator));
  return {
    name,
    symbol,
    uri,
    image,
    data: {
      name,
      symbol,
      uri,
      sellerFeeBasisPoints: plan.royalties,
      creators: [{ address: creator, verified: 1, share: 100 }],
      ...(plan.oddity !== "no number" && { id: number }),
    },
    meta: special?.meta ?? meta,
  };
}

/** Number of items of a hostile collection: one for each text. */
const HOSTILE_ITEMS = Object.keys(HOSTILE_TEXTS).length;

const texts: readonly ItemText[] = Object.values(HOSTILE_TEXTS).map((text, index) => ({
  name: text,
  symbol: text,
  uri: text,
  meta: HOSTILE_META[index % HOSTILE_META.length] ?? {},
}));

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

/** Lamports of the accounts with the metadata and the editions of NFTs for their rent. */
const METADATA_RENT = rentOfLayout(METAPLEX_LAYOUTS.metadata);
const MASTER_RENT = rentOfLayout(METAPLEX_LAYOUTS.masterEdition);
const PRINT_RENT = rentOfLayout(METAPLEX_LAYOUTS.edition);
const MARKER_RENT = rentOfLayout(METAPLEX_LAYOUTS.editionMarker);
/** Prints of one marker, and most prints of a master. */
const PRINTS = 248;
const MAX_PRINTS = 10_000;
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
  readonly items: number;
  minted: number;
  /** The token that all others are prints of. */
  master?: Token;
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
      machine: economy.derive(programs.candyMachine, [account], "system_account", programs.system),
      items,
      minted: 0,
    };
  });
}

type NftText = ReturnType<typeof describeNft>;

const specOf = (text: NftText) =>
  ({
    kind: "nft",
    name: stripNul(text.name),
    symbol: stripNul(text.symbol),
    icon: text.image,
    decimals: 0,
    metadataUri: stripNul(text.uri),
    reputation: 100,
  }) as const;

/** Returns the accounts with the metadata and the edition of a mint. */
function describingAccounts({ economy }: WorldContext, mint: Account) {
  const { metadata } = economy.programs;
  const seeds = ["metadata", metadata, mint] as const;
  const account = economy.derive(metadata, seeds);
  const edition = economy.derive(metadata, [...seeds, "edition"]);
  for (const each of [account, edition]) each.subject = mint;
  return { account, edition };
}

/** Mints the next print of a collection's master, whose owner signs. */
function mintPrint(context: WorldContext, tx: Transaction, collection: Collection, master: Token, text: NftText) {
  const { economy } = context;
  const { metadata, token: tokenProgram } = economy.programs;
  const { creator, minted: number } = collection;
  const { payer } = tx;
  const mint = economy.account("mint", tokenProgram.address);
  const { account, edition } = describingAccounts(context, mint);
  const original = describingAccounts(context, master.account);
  const page = String(Math.floor(number / PRINTS));
  const marker = economy.derive(metadata, ["metadata", metadata, master.account, "edition", page]);
  marker.subject = master.account;
  const token = tx.createMint({ spec: specOf(text), creator, account: mint, authority: payer });
  tx.mint(token, payer, 1n);
  const type = "mintNewEditionFromMasterEditionViaToken";
  const parties = {
    ...{ newMetadata: account, newEdition: edition, newMint: mint, newMintAuthority: payer, payer },
    ...{ masterEdition: original.edition, metadata: original.account, editionMarkPda: marker },
    ...{ tokenAccountOwner: creator, tokenAccount: tx.holding(creator, master).account },
    newMetadataUpdateAuthority: creator,
  };
  const print = tx.call(metadata, type, type, parties, TOP_LEVEL, { edition: number });
  tx.createAccount(payer, account, METADATA_RENT, print);
  tx.createAccount(payer, edition, PRINT_RENT, print);
  if (marker.lamports === 0n) tx.createAccount(payer, marker, MARKER_RENT, print);
  tx.setMintAuthority(token, undefined, print);
  return token;
}

function mintOne(context: WorldContext, tx: Transaction, collection: Collection, text: NftText): Token {
  const { economy } = context;
  const { candyMachine, metadata, token: tokenProgram, associatedToken } = economy.programs;
  const { machine, creator, account: collectionMint } = collection;
  const { payer } = tx;
  const mint = economy.account("mint", tokenProgram.address);
  const { account, edition } = describingAccounts(context, mint);
  const caller = tx.call(candyMachine, "mintV2", "candy_machine:mint", {
    ...{ candyMachine: machine, payer, nftMint: mint, nftMintAuthority: payer, nftMetadata: account },
    ...{ nftMasterEdition: edition, collectionMint, collectionUpdateAuthority: creator },
    token: economy.derive(associatedToken, [payer, tokenProgram, mint]),
  });
  const spec = specOf(text);
  const token = tx.createMint({ spec, creator, account: mint, authority: payer, parent: caller });
  tx.mint(token, payer, 1n, caller);
  const { sellerFeeBasisPoints } = text.data;
  const parties = { mint, mintAuthority: payer, payer, updateAuthority: machine, metadata: account, edition };
  const described = {
    ...{ name: spec.name, symbol: spec.symbol, uri: spec.metadataUri, sellerFeeBasisPoints },
    creator: creator.address,
  };
  const create = tx.call(metadata, "createMetadataAccountV3", "createMetadata", parties, caller, described);
  tx.createAccount(payer, account, METADATA_RENT, create);
  const limit = { maxSupply: collection.plan.hasPrints ? MAX_PRINTS : 0 };
  const master = tx.call(metadata, "createMasterEditionV3", "createMasterEdition", parties, caller, limit);
  tx.createAccount(payer, edition, MASTER_RENT, master);
  tx.setMintAuthority(token, undefined, master);
  return token;
}

/**
 * Mints the next items of a collection, each in a transaction. Returns the items; fewer if one failed.
 * @param price lamports for each item, paid to the creator
 */
export function mintItems(
  context: WorldContext,
  random: Random,
  { collection, minter, count, price }: { collection: Collection; minter: Account; count: number; price: bigint },
): readonly NftItem[] {
  const { economy } = context;
  const { creator, plan } = collection;
  const priority = random.integer(0, 1) * 5000;
  const items: NftItem[] = [];
  while (items.length < count) {
    const text = describeNft(random, plan, collection.minted + 1, creator.address);
    const isMaster = plan.hasPrints && !collection.master;
    const payer = isMaster ? context.wallets.ensureFunds(creator, SOL) : minter;
    const tx = economy.begin(payer, { priority, usesLookupTable: true });
    if (price > 0n && payer !== creator) tx.transferSol(payer, creator, price);
    const { master } = collection;
    const token = master ? mintPrint(context, tx, collection, master, text) : mintOne(context, tx, collection, text);
    const { signature } = tx;
    if (!tx.commit()) break;
    if (isMaster) collection.master = token;
    else items.push({ token, collection });
    const { data, meta } = text;
    const owner = collection.account.address;
    const number = ++collection.minted;
    economy.facts.nfts.push({ address: token.address, collection: owner, number, data, meta, minted: signature });
  }
  return items;
}
