/** Addresses of icons and metadata, in the forms of the storage networks that tokens use on mainnet. */
import type { Random } from "../random.ts";

const BASE64_URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Returns `count` random digits of an alphabet. */
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
  (random) => `Qm${digits(random, "PQRSTUVWXYZabcde", 1)}${digits(random, BASE58, 43)}`,
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
