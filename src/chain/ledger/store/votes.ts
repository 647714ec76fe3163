/**
 * Compact votes: most transactions of a chain are votes that differ in their voters only, so that a ledger stores
 * nothing but their fees. Their signatures follow from their ids and lead back to them.
 */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH = 88;
/** The first digit of a signature of 88 digits is one of four after the zero: larger numbers have more than 64 bytes. */
const FIRST_DIGITS = 4;
/** The digits after the first one that contain the encrypted id, 46 bits. */
const ID_DIGITS = 8;
const HALF = 2 ** 23;

/** The program of votes. */
export const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";
/** Compute units of a vote. */
export const VOTE_UNITS = 2_100;

/** Returns 32 bits that depend on both numbers. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Encrypts or decrypts 46 bits with a Feistel network of four rounds. */
function permute(value: number, rounds: readonly number[]): number {
  let [left, right] = [Math.floor(value / HALF), value % HALF];
  for (const round of rounds) [left, right] = [right, (left ^ mix(right, round)) & (HALF - 1)];
  return right * HALF + left;
}

const roundsOf = (key: number): readonly number[] => [1, 2, 3, 4].map((round) => mix(key, round));

/** Returns a number for the name of a source: its ledger has other signatures than those of other sources. */
export function voteKeyOf(source: string): number {
  let key = 0;
  for (let at = 0; at < source.length; at++) key = mix(key, source.charCodeAt(at));
  return key;
}

/** Returns the signature of a vote. */
export function voteSignature(key: number, id: number): string {
  let text = ALPHABET.charAt(1 + (mix(key, id) % FIRST_DIGITS));
  let encrypted = permute(id, roundsOf(key));
  for (let digit = 0; digit < ID_DIGITS; digit++) {
    text += ALPHABET.charAt(encrypted % 58);
    encrypted = Math.floor(encrypted / 58);
  }
  for (let word = mix(id, key), at = 0; text.length < LENGTH; at++) {
    text += ALPHABET.charAt(word % 58);
    word = at % 4 === 3 ? mix(word, id + at) : Math.floor(word / 58);
  }
  return text;
}

/** Returns the id of the vote with a signature; undefined for other signatures. */
export function voteIdOf(key: number, signature: string): number | undefined {
  if (signature.length !== LENGTH) return undefined;
  let encrypted = 0;
  for (let digit = ID_DIGITS; digit >= 1; digit--) {
    encrypted = encrypted * 58 + ALPHABET.indexOf(signature.charAt(digit));
  }
  const id = permute(encrypted, roundsOf(key).toReversed());
  return encrypted < HALF * HALF && voteSignature(key, id) === signature ? id : undefined;
}
