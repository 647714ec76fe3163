/**
 * The pages of the explorer as data: what each entity of the chain is identified by and described as, and what the pages
 * without an entity are. Links, the palette, plain mode and commands all read these records; the
 * components are in `pages/index.tsx`, so that nothing here needs React.
 */
import { isAddress, isSignature, type Kind } from "../../catalogue/index.ts";
import type { Role } from "../../output/index.ts";

/** A kind of entity that has a page. */
export interface EntityPage {
  readonly description: string;
  readonly keywords: string;
  readonly openLabel: string;
  /** Words for it on the command line, besides its own name. */
  readonly aliases: readonly string[];
  /** The kind of values that identify one; undefined where no field refers to one by its kind. */
  readonly kind: Kind | undefined;
  readonly isIdentifier: (id: string) => boolean;
  /** Identifiers that may be of one, as the client recognises them. */
  readonly accepts: readonly ("address" | "signature" | "slot" | "hash" | "unknown")[];
  readonly role: Role;
  /** The group of the catalogue with its endpoints. */
  readonly group: string;
  /** The path of the endpoint without which the page has nothing to show. */
  readonly path: string;
  /** The path of the endpoint that lists them; undefined where nothing does. */
  readonly listPath?: string;
  readonly command: (id: string) => readonly string[];
}

const show = (id: string) => ["show", id];

/** A message without instructions has more characters in base64 than a signature in base58. */
const SERIALIZED = /^[A-Za-z0-9+/]{91,}={0,2}$/;

const isSerialized = (input: string) => SERIALIZED.test(input);

const ENTITY_PAGES = {
  account: {
    description: "Accounts by value; paste an address for one of them",
    keywords: "wallet address owner",
    openLabel: "Open as an account",
    aliases: ["wallet"],
    kind: "address",
    role: "account",
    isIdentifier: isAddress,
    accepts: ["address"],
    group: "account",
    path: "/account/detail",
    listPath: "/account/leaderboard",
    command: show,
  },
  token: {
    description: "Tokens; type a name, a symbol or a mint for one of them",
    keywords: "mint coin",
    openLabel: "Open as a token (its mint)",
    aliases: ["mint"],
    kind: "address",
    role: "token",
    isIdentifier: isAddress,
    accepts: ["address"],
    group: "token",
    path: "/token/meta",
    listPath: "/token/list",
    command: show,
  },
  transaction: {
    description: "Latest transactions; paste a signature for another one",
    keywords: "tx signature",
    openLabel: "Open the transaction",
    aliases: ["tx"],
    kind: "signature",
    role: "transaction",
    isIdentifier: isSignature,
    accepts: ["signature"],
    group: "transaction",
    path: "/transaction/detail",
    listPath: "/transaction/last",
    command: show,
  },
  block: {
    description: "Latest blocks; type a slot for another one",
    keywords: "slot",
    openLabel: "Open the block",
    aliases: ["slot"],
    kind: "slot",
    role: "block",
    isIdentifier: (id) => /^\d{1,15}$/.test(id),
    accepts: ["slot"],
    group: "block",
    path: "/block/detail",
    listPath: "/block/last",
    command: show,
  },
  program: {
    description: "Programs; paste an address for one of them",
    keywords: "contract",
    openLabel: "Open as a program",
    aliases: [],
    kind: "program",
    role: "program",
    isIdentifier: isAddress,
    accepts: ["address"],
    group: "program",
    path: "/account/detail",
    listPath: "/program/list",
    command: show,
  },
  market: {
    description: "Markets; paste the address of a pool for one of them",
    keywords: "pool amm pair",
    openLabel: "Open as a market (its pool)",
    aliases: ["pool"],
    kind: "address",
    role: "market",
    isIdentifier: isAddress,
    accepts: ["address"],
    group: "market",
    path: "/market/info",
    listPath: "/market/list",
    command: (id) => ["market", "info", id],
  },
  collection: {
    description: "NFT collections, or one by its identifier",
    keywords: "nft",
    openLabel: "Open as an NFT collection",
    aliases: ["nft"],
    kind: "hash",
    role: "nft",
    // Addresses and hashes both occur.
    isIdentifier: (id) => id !== "",
    accepts: ["hash", "address"],
    group: "nft",
    path: "/nft/collection/items",
    listPath: "/nft/collection/lists",
    command: (id) => ["nft", "collection-items", id],
  },
  epoch: {
    description: "First and last block of an epoch",
    keywords: "slots schedule",
    openLabel: "Open the epoch",
    aliases: [],
    kind: undefined,
    role: "block",
    isIdentifier: (id) => /^\d{1,6}$/.test(id),
    accepts: ["slot"],
    group: "epoch",
    path: "/node/epoch",
    command: (id) => ["node", "epoch", id],
  },
  inspection: {
    description: "Decode and simulate a transaction in base64",
    keywords: "inspect simulate base64 unsigned",
    openLabel: "Decode and simulate the transaction",
    aliases: ["inspect"],
    kind: undefined,
    role: "transaction",
    isIdentifier: isSerialized,
    accepts: ["unknown"],
    group: "inspection",
    path: "/node/status",
    command: (id) => ["inspect", id],
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

/** A page that is about no single entity. */
export interface NamedPage {
  readonly description: string;
  readonly keywords: string;
  readonly command: readonly string[];
  /** The path of the endpoint that the page is about; plain mode shows it. */
  readonly path?: string;
}

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
  validators: {
    description: "Validators by active stake",
    keywords: "stake vote delinquent commission",
    command: ["node", "validators"],
    path: "/node/validators",
  },
  usage: {
    description: "Remaining compute units and recent usage",
    keywords: "quota budget units limits",
    command: ["monitor", "usage"],
    path: "/monitor/usage",
  },
  watch: {
    description: "What your rules watch, its events, and what could not be delivered",
    keywords: "rules alerts events dashboard notify webhook follow",
    command: ["explore", "watch"],
  },
  bookmarks: {
    description: "Your bookmarks and recently visited pages",
    keywords: "favourites saved recent history",
    command: ["explore", "bookmarks"],
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
