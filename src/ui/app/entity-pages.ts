/**
 * The pages of the explorer as data: what each entity of the chain is identified by and described as, and what the pages
 * without an entity are. Links, the palette, plain mode, commands and web addresses all read these records; the
 * components are in `pages/index.tsx`, so that nothing here needs React.
 */
import {
  address,
  isAddress,
  isSignature,
  type Kind,
  type Param,
  signature,
  slot,
  text,
} from "../../catalogue/index.ts";

/** A kind of entity that has a page. */
export interface EntityPage {
  /** What the palette says about opening one. */
  readonly description: string;
  /** Further words that the palette finds it by. */
  readonly keywords: string;
  /** What the palette says about opening a known identifier as one. */
  readonly openLabel: string;
  /** Words for it on the command line, besides its own name. */
  readonly aliases: readonly string[];
  /** The parameter that the palette asks for. */
  readonly parameter: { readonly name: string; readonly param: Param };
  /** The kind of values that identify one. */
  readonly kind: Kind;
  readonly isIdentifier: (id: string) => boolean;
  /** Identifiers that may be of one, as the client recognises them. */
  readonly accepts: readonly ("address" | "signature" | "slot")[];
  /** Names of address fields that refer to one; patterns with a lower order are tried first. */
  readonly addressFields?: { readonly order: number; readonly pattern: RegExp };
  /** The group of the catalogue with its endpoints. */
  readonly group: string;
  /** The path of the endpoint that plain mode shows first, where it is not the first object of the group. */
  readonly overviewPath?: string;
  /** The words after `solx` that show one in the shell. */
  readonly command: (id: string) => readonly string[];
  /** The path of its page in the public web explorer, and which identifiers have one. */
  readonly web: { readonly segment: string; readonly isIdentifier?: (id: string) => boolean };
}

const show = (id: string) => ["show", id];

/** The kinds of entities, in the order in which the palette lists them. */
const ENTITY_PAGES = {
  account: {
    description: "Open an account: portfolio, transfers, transactions, …",
    keywords: "wallet address owner",
    openLabel: "Open as an account",
    aliases: ["wallet"],
    parameter: { name: "address", param: address("Any account: wallet, token account, program or pool") },
    kind: "address",
    isIdentifier: isAddress,
    accepts: ["address"],
    addressFields: { order: 1, pattern: /token_account|associated/i },
    group: "account",
    overviewPath: "/account/detail",
    command: show,
    web: { segment: "account" },
  },
  token: {
    description: "Open a token by its mint: price, holders, markets, …",
    keywords: "mint coin",
    openLabel: "Open as a token (its mint)",
    aliases: ["mint"],
    parameter: { name: "mint", param: address("The mint of a token, or a symbol such as USDC", { accepts: "mint" }) },
    kind: "address",
    isIdentifier: isAddress,
    accepts: ["address"],
    addressFields: { order: 5, pattern: /token|mint/i },
    group: "token",
    command: show,
    web: { segment: "token" },
  },
  transaction: {
    description: "Open a transaction by its signature",
    keywords: "tx signature",
    openLabel: "Open the transaction",
    aliases: ["tx"],
    parameter: { name: "signature", param: signature("The signature of a transaction") },
    kind: "signature",
    isIdentifier: isSignature,
    accepts: ["signature"],
    group: "transaction",
    command: show,
    web: { segment: "tx" },
  },
  block: {
    description: "Open a block by its slot",
    keywords: "slot",
    openLabel: "Open the block",
    aliases: ["slot"],
    parameter: { name: "slot", param: slot("The slot of a block") },
    kind: "slot",
    isIdentifier: (id) => /^\d{1,15}$/.test(id),
    accepts: ["slot"],
    group: "block",
    command: show,
    web: { segment: "block" },
  },
  program: {
    description: "Open a program by its address",
    keywords: "contract",
    openLabel: "Open as a program",
    aliases: [],
    parameter: { name: "program", param: address("The address of a program") },
    kind: "program",
    isIdentifier: isAddress,
    accepts: ["address"],
    addressFields: { order: 4, pattern: /program/i },
    group: "program",
    overviewPath: "/account/detail",
    command: show,
    web: { segment: "account" },
  },
  market: {
    description: "Open a market by its pool address",
    keywords: "pool amm pair",
    openLabel: "Open as a market (its pool)",
    aliases: ["pool"],
    parameter: { name: "pool", param: address("The address of a pool") },
    kind: "address",
    isIdentifier: isAddress,
    accepts: ["address"],
    addressFields: { order: 2, pattern: /pool|market(_|$)|amm/i },
    group: "market",
    command: (id) => ["market", "info", id],
    web: { segment: "account" },
  },
  collection: {
    description: "Open an NFT collection",
    keywords: "nft",
    openLabel: "Open as an NFT collection",
    aliases: ["nft"],
    parameter: { name: "collection", param: text("The identifier of an NFT collection") },
    kind: "hash",
    // Addresses and hashes both occur.
    isIdentifier: (id) => id !== "",
    accepts: ["address"],
    addressFields: { order: 3, pattern: /collection/i },
    group: "nft",
    command: (id) => ["nft", "collection-items", id],
    web: { segment: "collection", isIdentifier: (id) => /^[0-9A-Za-z]{8,88}$/.test(id) },
  },
} as const satisfies Readonly<Record<string, EntityPage>>;

/** A kind of entity. */
export type EntityKind = keyof typeof ENTITY_PAGES;

/** All kinds of entities. */
export const ENTITY_KINDS = Object.keys(ENTITY_PAGES) as readonly EntityKind[];

/** Returns the record of a kind of entity. */
export function entityPage(entity: EntityKind): EntityPage {
  return ENTITY_PAGES[entity];
}

/** Returns the kind of entity that a group of the catalogue is about; undefined for groups without one. */
export function entityKindOfGroup(group: string | undefined): EntityKind | undefined {
  return ENTITY_KINDS.find((entity) => ENTITY_PAGES[entity].group === group);
}

/** The kinds of entities that an address field can refer to by its name, in the order of their patterns. */
const BY_ADDRESS_FIELD = ENTITY_KINDS.flatMap((entity) => {
  const { addressFields } = entityPage(entity);
  return addressFields ? [{ entity, ...addressFields }] : [];
}).sort((a, b) => a.order - b.order);

/** Returns the kind of entity that an address field refers to by its name; undefined where the name does not say. */
export function entityKindOfField(field: string): EntityKind | undefined {
  return BY_ADDRESS_FIELD.find(({ pattern }) => pattern.test(field))?.entity;
}

/** A page that is about no single entity. */
export interface NamedPage {
  /** What the palette says about it. */
  readonly description: string;
  readonly keywords: string;
  /** The words after `solx` that show the same in the shell. */
  readonly command: readonly string[];
  /** The path of the endpoint that plain mode shows. */
  readonly path?: string;
}

/** The pages without an entity, in the order in which the palette lists them. */
const NAMED_PAGES = {
  home: {
    description: "Latest blocks, trending tokens, top tokens and richest accounts",
    keywords: "start chain",
    command: ["overview"],
  },
  network: {
    description: "Transactions, fees, exchanges, compute units, stake and blocks per day",
    keywords: "analytics statistics tps dex chart days",
    command: ["analytics", "transactions"],
    path: "/analytics/transactions",
  },
  leaderboard: {
    description: "Accounts with the highest total value",
    keywords: "richest whales accounts top",
    command: ["account", "leaderboard"],
    path: "/account/leaderboard",
  },
  usage: {
    description: "Remaining compute units and recent usage",
    keywords: "quota budget units limits",
    command: ["monitor", "usage"],
    path: "/monitor/usage",
  },
  bookmarks: {
    description: "Your bookmarks and recently visited pages",
    keywords: "favourites saved recent history",
    command: ["explore"],
  },
} as const satisfies Readonly<Record<string, NamedPage>>;

/** The name of a page without an entity. */
export type PageName = keyof typeof NAMED_PAGES;

/** All names of pages without an entity. */
export const PAGE_NAMES = Object.keys(NAMED_PAGES) as readonly PageName[];

/** Returns the record of a page without an entity. */
export function namedPage(page: PageName): NamedPage {
  return NAMED_PAGES[page];
}
