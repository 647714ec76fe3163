/** Names of fictional tokens. */

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
    heads: words("Turbo Sleepy Giga Baby Moon Sad Based Degen Lucky Angry Tiny Cosmic Pixel Neon Grandpa Salty"),
    tails: words("Otter Capy Frog Shiba Hamster Goose Pepper Walrus Ferret Toad Llama Panda Mochi Pigeon Yak Wombat"),
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
export function symbolOf(name: string): string {
  const [head = "", tail = ""] = name.split(" ");
  if (tail === "xStock") return `${head.slice(0, 4).toUpperCase()}x`;
  if (head.length + tail.length <= 8) return (head + tail).toUpperCase();
  if (name.length % 3 === 0) return tail.slice(0, 6).toUpperCase();
  return (head.slice(0, 3) + tail.slice(0, 3)).toUpperCase();
}

/** Names and symbols of spam tokens. Their domains are reserved. */
export const SPAM_TOKENS: readonly (readonly [name: string, symbol: string])[] = [
  ["Claim reward at jup-airdrop.example", "JUP-CLAIM"],
  ["5000 USDC voucher: visit usdc-gift.example", "USDC.GIFT"],
  ["$ BONK bonus, swap at bonk-bonus.example", "BONK2"],
  ["Visit sol-rewards.example to claim 100 SOL", "SOLREWARD"],
  ["Raydium anniversary drop (ray-drop.example)", "RAYDROP"],
  ["NFT mint pass: mint-pass.example", "PASS"],
  ["You won! 2.5 SOL at lucky-wheel.example", "WINNER"],
  ["Phantom security check phntm-check.example", "CHECK"],
  ["Free WIF t.me/wif.example", "FREEWIF"],
  ["Jito tips refund: jito-refund.example", "REFUND"],
  ["Airdrop round 2 open: round-two.example", "ROUND2"],
  ["KYC reward kyc-reward.example", "KYC"],
];
