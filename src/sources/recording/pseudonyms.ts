/**
 * Replaces addresses and signatures by others of the same kind: the same ones by the same, in all recordings with one
 * secret. An address that can belong to a key pair becomes another such address. Well-known programs and tokens stay.
 */
import { Buffer } from "node:buffer";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolder, describeError, UsageError } from "../../base/index.ts";
import { isOnCurve, knownAddresses, PROGRAM, SYSVAR, WELL_KNOWN_TOKENS } from "../../catalogue/index.ts";
import { decodeBase58, encodeBase58 } from "../../chain/solana/index.ts";

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** A word that may be an address or a signature, after the beginning of a word or an escape sequence of JSON. */
const WORD =
  /(\\u[\dA-Fa-f]{4}|\\[\s\S]|(?<![A-Za-z0-9]))([1-9A-HJ-NP-Za-km-z]{86,88}|[1-9A-HJ-NP-Za-km-z]{32,44})(?![A-Za-z0-9])/g;

/** The same, or letters and digits that are no word of their own, in which one may be hidden. */
const WORD_OR_RUN = new RegExp(`${WORD.source}|[1-9A-HJ-NP-Za-km-z]{32,}`, "g");

/** Characters by which known words are looked up. */
const START = 6;
const startOf = (word: string): string => word.slice(0, START);

/** Words of earlier exchanges that are remembered. */
const MAX_REMEMBERED = 50_000;

/** Replaces the addresses and signatures in texts. */
export interface Pseudonyms {
  /** Learns the words of the texts of one exchange. */
  learn(texts: readonly string[]): void;
  /** Returns a text with other words, also where a known one is part of a longer word. */
  replace(text: string): string;
}

/**
 * Creates the replacement with a secret. Among other letters, addresses cannot be recognised: nearly every part of Base58
 * text that is as long as an address is one. So only those are replaced there that are a word somewhere in the exchange
 * or in an earlier one.
 */
export function createPseudonyms(secret: string): Pseudonyms {
  const preserved = new Set<string>([
    ...knownAddresses(),
    ...Object.values(PROGRAM),
    ...Object.values(SYSVAR),
    ...WELL_KNOWN_TOKENS.keys(),
  ]);
  const remembered = new Map<string, string>();
  const replace = (word: string): string => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const pseudonym = preserved.has(word) ? word : createPseudonym(word, secret);
    // A word that is no address may have one in it.
    if (pseudonym !== word || preserved.has(word)) remembered.set(word, pseudonym);
    return pseudonym;
  };
  const read = (text: string) => {
    for (const [, , word = ""] of text.matchAll(WORD)) replace(word);
  };
  return {
    learn(texts) {
      // The words of one exchange are all known while it is written.
      for (const word of remembered.keys()) {
        if (remembered.size <= MAX_REMEMBERED) break;
        remembered.delete(word);
      }
      texts.forEach(read);
    },
    replace(text) {
      read(text);
      let byStart: ReadonlyMap<string, readonly string[]> | undefined;
      return text.replace(WORD_OR_RUN, (run, before = "", word = run) => {
        if (remembered.has(word)) return before + replace(word);
        byStart ??= Map.groupBy(remembered.keys(), startOf);
        return before + replaceWithin(word, byStart, replace);
      });
    },
  };
}

/** Replaces the known words in a run of letters and digits. */
function replaceWithin(
  run: string,
  byStart: ReadonlyMap<string, readonly string[]>,
  replace: (word: string) => string,
): string {
  let [text, end] = ["", 0];
  for (let at = 0; at < run.length; at += 1) {
    const word =
      at < end ? undefined : byStart.get(run.slice(at, at + START))?.find((known) => run.startsWith(known, at));
    if (word === undefined) continue;
    text += run.slice(end, at) + replace(word);
    end = at + word.length;
  }
  return text + run.slice(end);
}

function createPseudonym(word: string, secret: string): string {
  const bytes = decodeBase58(word);
  if (bytes.length !== ADDRESS_BYTES && bytes.length !== SIGNATURE_BYTES) return word;
  const isPoint = bytes.length === ADDRESS_BYTES && isOnCurve(Buffer.from(bytes));
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHmac(bytes.length === ADDRESS_BYTES ? "sha256" : "sha512", secret)
      .update(bytes)
      .update(String(attempt))
      .digest();
    // About every second number is a point of the curve.
    if (bytes.length === SIGNATURE_BYTES || isOnCurve(digest) === isPoint) return encodeBase58(digest);
  }
}

/**
 * Returns the secret of a user's pseudonyms, which is created on first use. It is not part of the recordings: with it,
 * one could find out whether an address is in them.
 * @throws UsageError when it can be neither read nor created
 */
export function loadPseudonymSecret(folder: string): string {
  const path = join(folder, "pseudonyms.key");
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    createFolder(folder);
    writeFileSync(temporary, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    try {
      // Of several processes, the first one creates it.
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new UsageError(`cannot create the secret of the pseudonyms: ${describeError(cause)}`, {
      code: "NO_SECRET",
      cause,
    });
  }
}
