/** Collections of NFTs: one from mainnet, the others fictional. */
import { NFT_COLLECTION } from "../../../catalogue/index.ts";

/** The properties of a collection. */
export interface CollectionPlan {
  readonly name: string;
  /** Can be empty. */
  readonly symbol: string;
  /** Name of an item without its number; `#` marks the position of a number that is not at the end. */
  readonly item: string;
  readonly description: string;
  readonly website: string;
  /** Number of items at size 1. */
  readonly items: number;
  /** Royalties in basis points. */
  readonly royalties: number;
  /** Typical price of an item, in thousandths of a SOL. */
  readonly price: number;
  /** 64 hexadecimal digits; random by default. */
  readonly hex?: string;
  /** Address of the creator; random by default. */
  readonly creator?: string;
  /** What is wrong with the metadata, if anything. */
  readonly oddity?: "no number" | "missing keys" | "wrong types" | "strange letters" | "nothing";
  /** Whether all items but the first one are prints of it. */
  readonly hasPrints?: boolean;
  /** Whether items are sold for USDC. */
  readonly isPricedInUsdc?: boolean;
  /** Texts that replace those of the items, in rotation. Such a collection has all its items in a world of any size. */
  readonly texts?: readonly ItemText[];
}

/** Texts of an item; the usual ones by default. */
export interface ItemText {
  readonly name?: string;
  readonly symbol?: string;
  readonly uri?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

type Row = readonly [
  name: string,
  symbol: string,
  items: number,
  royalties: number,
  price: number,
  description: string,
  more?: Partial<CollectionPlan>,
];

const ROWS: readonly Row[] = [
  [
    "Boryoku Dragonz",
    "BORYOKU",
    160,
    500,
    1180,
    "Dragons of the first generation, and their children.",
    {
      hex: NFT_COLLECTION,
      creator: "DRGnhq8axWdQqehZmj3tiLuCkuHeUvkS66dPmH7jA9QT",
      website: "https://boryokudragonz.io",
    },
  ],
  ["Paper Lanterns", "LANTERN", 220, 500, 640, "Lights for a river that is not there.", { item: "Paper Lantern" }],
  ["Glitch Gardeners", "GLITCH", 180, 690, 2100, "They water what will not grow.", { item: "Gardener" }],
  ["Midnight Foxes", "MFOX", 200, 420, 310, "Foxes that you meet after twelve.", { item: "Midnight Fox" }],
  ["Ueno Arcade", "UENO", 140, 750, 90, "Cabinets, tokens and high scores.", { item: "Cabinet" }],
  ["Salt Flat Racers", "RACER", 120, 500, 75, "Cars without brakes.", { item: "Racer", oddity: "missing keys" }],
  ["Corbeau Couture", "CRBX", 60, 1000, 8800, "One coat each, never twice.", { item: "Look", oddity: "no number" }],
  ["Tiny Deities", "DEITY", 130, 330, 220, "Small gods for small prayers.", { item: "Deity" }],
  ["Static Apes", "STAPE", 110, 500, 45, "Apes on a channel that has gone off the air.", { item: "Static Ape" }],
  ["Harbor Passes", "PASS", 90, 0, 50, "Entry to the harbor.", { item: "Pass", isPricedInUsdc: true }],
  ["Kumo Letters", "KUMO", 80, 500, 130, "雲からの手紙。", { item: "雲", oddity: "strange letters" }],
  ["Lost Luggage", "LUGG", 70, 250, 20, "Whose is it?", { item: "Suitcase", oddity: "wrong types" }],
  ["Abandoned Mint", "", 40, 500, 10, "", { item: "Abandoned", oddity: "nothing" }],
  ["Brass Robots", "BRASS", 100, 500, 400, "Wound up every Sunday.", { item: "Brass Robot" }],
  ["Night Market Cards", "NMC", 90, 690, 60, "Food you can collect.", { item: "Card", isPricedInUsdc: true }],
  ["Ōkami Clan", "OKAMI", 60, 500, 950, "Wölfe « de la lune ».", { item: "Ōkami", oddity: "strange letters" }],
  ["Cellar Tapes", "TAPE", 50, 300, 140, "Found, not made.", { item: "Tape # of 50", hasPrints: true }],
  ["Coral Council", "CORAL", 50, 800, 1900, "A vote, a reef, a seat.", { item: "Councillor" }],
  ["Prototype Shoes", "SHOE", 40, 500, 30, "Left ones only.", { item: "Left Shoe" }],
  ["One of One", "1OF1", 10, 1000, 42_000, "There is one of each.", { item: "Untitled", oddity: "no number" }],
];

const slugOf = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, "")
    .replaceAll(" ", "_");

/** The collections; the first one is from mainnet. */
export const COLLECTIONS: readonly CollectionPlan[] = ROWS.map(
  ([name, symbol, items, royalties, price, description, more]) => ({
    name,
    symbol,
    item: name,
    description,
    website: `https://magiceden.io/marketplace/${slugOf(name)}`,
    items,
    royalties,
    price,
    ...more,
  }),
);

/** Traits and their values, the most common first. */
export const TRAITS: Readonly<Record<string, readonly string[]>> = {
  Background: ["Sand", "Teal", "Dusk", "Night", "Static", "Gold"],
  Body: ["Plain", "Striped", "Spotted", "Zombie", "Crystal", "Golden"],
  Eyes: ["Open", "Sleepy", "Laser", "One", "None"],
  Head: ["Cap", "Beanie", "Crown", "Halo", "Fish"],
  Generation: ["Genesis", "Second", "Third"],
};
