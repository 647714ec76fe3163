/** Names of fictional tokens, and the addresses of their icons and metadata. */
import { BASE58_DIGITS } from "../../../base/index.ts";
import type { Random } from "../random.ts";

/** A kind of fictional token. A name is a head and a tail: "Turbo Otter". */
export interface TokenTheme {
  readonly id: "meme" | "defi" | "game" | "ai" | "stock";
  readonly heads: readonly string[];
  readonly tails: readonly string[];
  /** Possible decimals; common ones are repeated. */
  readonly decimals: readonly number[];
}

const words = (text: string): readonly string[] => text.split(" ");

/** The kinds of fictional tokens; the larger ones have more than 100 names each. */
export const TOKEN_THEMES: readonly TokenTheme[] = [
  {
    id: "meme",
    heads: words(
      "Turbo Sleepy Giga Baby Moon Sad Based Degen Lucky Angry Tiny Cosmic Pixel Neon Grandpa Salty Mega Ultra Smol " +
        "Chonky Wise Retro Hyper Chill Quiet Golden Hungry Fancy Dizzy Grumpy Jolly Zen Spicy Frozen Electric Velvet " +
        "Captain Doctor Professor King Queen Prince Uncle Space Jungle Desert Arctic Midnight Sunday Pocket",
    ),
    tails: words(
      "Otter Capy Frog Shiba Hamster Goose Pepper Walrus Ferret Toad Llama Panda Mochi Pigeon Yak Wombat Cat Dog Duck " +
        "Penguin Sloth Axolotl Raccoon Badger Beaver Lizard Gecko Moose Bison Crab Squid Shrimp Whale Dolphin Parrot " +
        "Owl Raven Fox Bunny Hedgehog Koala Lemur Gorilla Chimp Tiger Bear Noodle Waffle Pickle Taco Burger Banana " +
        "Toast Cookie Bean Potato",
    ),
    decimals: [6, 6, 6, 9, 6, 5, 9],
  },
  {
    id: "defi",
    heads: words("Harbor Vertex Delta Tidal Anchor Prime Solid Quartz Nimbus Meridian Ledger Cobalt Aurora Basin"),
    tails: words("Finance Swap Vault Yield Protocol Credit Markets Reserve Bridge Perps Staking Exchange"),
    decimals: [6, 9, 8, 6, 18, 9],
  },
  {
    id: "game",
    heads: words("Star Dragon Rune Shadow Mythic Iron Crystal Void Ember Frost Sky Arcane Wild Lost"),
    tails: words("Arena Quest Legends Raiders Kingdoms Gold Shards Gems Energy Tickets Keys Potion"),
    decimals: [0, 9, 6, 0, 2, 3],
  },
  {
    id: "ai",
    heads: words("Neural Agent Synth Deep Cortex Token Tensor Vector Oracle Prompt Swarm Lambda Echo"),
    tails: words("Mind Labs Agents Compute Brain Network Pilot Intern Terminal Dream Graph Signal"),
    decimals: [6, 9, 6, 12, 6],
  },
  {
    id: "stock",
    heads: words("Northwind Acme Globex Initech Umbra Contoso Fabrikam Octan Vandelay Hooli"),
    tails: words("xStock Shares Equity Tracker Index"),
    decimals: [8, 8, 4, 1],
  },
];

/** Returns a symbol for a name: letters of one or both words, at most ten characters. */
export function createSymbol(name: string): string {
  const [head = "", tail = ""] = name.split(" ");
  if (tail === "xStock") return `${head.slice(0, 4).toUpperCase()}x`;
  if (head.length + tail.length <= 8) return (head + tail).toUpperCase();
  if (name.length % 3 === 0) return tail.slice(0, 6).toUpperCase();
  return (head.slice(0, 3) + tail.slice(0, 3)).toUpperCase();
}

/** How short-lived tokens vary the names of their themes. */
const VARIATIONS: readonly ((head: string, tail: string) => string)[] = [
  (head, tail) => `${head} ${tail}`,
  (head, tail) => `${head} ${tail}`,
  (_, tail) => `${tail} Coin`,
  (_, tail) => `${tail} Inu`,
  (_, tail) => `${tail} on Solana`,
  (head, tail) => `${head}${tail}`,
  (head, tail) => `${head} the ${tail}`,
  (head, tail) => `Justice for ${head} ${tail}`,
  (head, tail) => `Official ${head} ${tail}`,
  (head) => `${head} Season`,
  (head) => `${head} AI`,
  (head, tail) => `${tail} with a ${head} Hat`,
];

/** Returns a random name and symbol of a short-lived token; several tokens may share them, as on mainnet. */
export function createMemeName(random: Random): readonly [name: string, symbol: string] {
  const theme = random.chance(0.85) ? (TOKEN_THEMES[0] as TokenTheme) : random.pick(TOKEN_THEMES);
  const [head, tail] = [random.pick(theme.heads), random.pick(theme.tails)];
  const name = random.pick(VARIATIONS)(head, tail);
  const parts = name.split(" ").filter((part) => part.length > 2);
  const symbol = random.chance(0.6) ? (parts.at(-1) ?? tail) : parts.map((part) => part.slice(0, 3)).join("");
  return [name, symbol.slice(0, 10).toUpperCase()];
}

/** Names and symbols of spam tokens. Their domains are broken, as spammers write them to pass filters. */
export const SPAM_TOKENS: readonly (readonly [name: string, symbol: string])[] = [
  ["Claim reward at jup-airdrop .fi", "JUP-CLAIM"],
  ["5000 USDC voucher: visit usdc-gift .app", "USDC.GIFT"],
  ["$ BONK bonus, swap at bonk-bonus .xyz", "BONK2"],
  ["Visit sol-rewards .net to claim 100 SOL", "SOLREWARD"],
  ["Raydium anniversary drop (ray-drop .fi)", "RAYDROP"],
  ["NFT mint pass: mint-pass .xyz", "PASS"],
  ["You won! 2.5 SOL at lucky-wheel .app", "WINNER"],
  ["Phantom security check phntm-check .com", "CHECK"],
  ["Free WIF on Telegram: @ wif_drop", "FREEWIF"],
  ["Jito tips refund: jito-refund .net", "REFUND"],
  ["Airdrop round 2 open: round-two .xyz", "ROUND2"],
  ["KYC reward kyc-reward .app", "KYC"],
];

const BASE64_URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

function digits(random: Random, alphabet: string, count: number): string {
  let text = "";
  while (text.length < count) {
    let word = random.word();
    for (let digit = 0; digit < 5 && text.length < count; digit++) {
      const rest = Math.floor(word / alphabet.length);
      text += alphabet[word - rest * alphabet.length];
      word = rest;
    }
  }
  return text;
}

/** Returns a random Arweave transaction: 32 bytes, whose last base64 digit has two zero bits. */
export const arweaveUri = (random: Random): string =>
  `https://arweave.net/${digits(random, BASE64_URL, 42)}${digits(random, "AEIMQUYcgkosw048", 1)}`;

/** The forms of IPFS identifiers: version 0 in base58, and version 1 in base32 of a raw block or of a file. */
const IPFS_IDS: readonly ((random: Random) => string)[] = [
  (random) => `Qm${digits(random, "PQRSTUVWXYZabcde", 1)}${digits(random, BASE58_DIGITS, 43)}`,
  (random) => `bafkrei${ipfsHash(random)}`,
  (random) => `bafybei${ipfsHash(random)}`,
];

/** The first and the last digit have two zero bits: those of the prefix, and the padding. */
const ipfsHash = (random: Random): string =>
  digits(random, BASE32.slice(0, 8), 1) + digits(random, BASE32, 50) + digits(random, "aeimquy4", 1);

/** Returns a random file on IPFS, at the most common gateway. */
export const ipfsUri = (random: Random): string => `https://ipfs.io/ipfs/${random.pick(IPFS_IDS)(random)}`;

/** Returns a random community on X, the website of many short-lived tokens. */
export const communityUri = (random: Random): string =>
  `https://x.com/i/communities/19${digits(random, "0123456789", 17)}`;
