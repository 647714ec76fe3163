/** Recognises identifiers: addresses, signatures, slots, links to them, and text that is mistaken for them. */
import { decodeBase58, type Hints, pluralize, tellAll, UsageError } from "../../base/index.ts";
import { isAddress, isSignature } from "../../catalogue/index.ts";
import { codePoint, displayText } from "../text.ts";

/** What a link of a block explorer leads to. */
export type Target = "account" | "token" | "transaction" | "block";

/** The result of recognising a text. */
export interface Recognised {
  /** What the text can be. */
  readonly kind: "address" | "signature" | "slot" | "hash" | "url" | "evm" | "domain" | "unknown";
  /** The identifier itself: taken from a link, without quotes and white space. */
  readonly value: string;
  /** For links: what the page is about. */
  readonly target?: Target;
  /** Why the API cannot resolve it, and what to use instead. */
  readonly hint?: string | Hints;
  /** What was removed, or that the identifier was taken from a link. */
  readonly notes: readonly string[];
}

/** A kind of identifier that a parameter expects. */
export type IdentifierKind = "address" | "signature" | "slot";

/** Path segments of explorer links that precede an identifier. */
const TARGETS: Readonly<Record<string, Target>> = {
  account: "account",
  address: "account",
  wallet: "account",
  token: "token",
  mint: "token",
  coin: "token",
  tx: "transaction",
  transaction: "transaction",
  transactions: "transaction",
  block: "block",
  slot: "block",
};

const LINK = /^(https?:\/\/|(www\.)?[a-z0-9-]+(\.[a-z0-9-]+)+\/)/i;
const EVM = /^0x[0-9a-f]{40}([0-9a-f]{24})?$/i;
const DOMAIN = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.(sol|skr|bonk|eth)$/iu;
const SLOT = /^\d{1,20}$/;
/** Only collections of NFTs are identified by hashes. */
const HASH = /^[0-9a-f]{64}$/;

const HINTS = {
  evm: "This belongs to an EVM chain such as Ethereum; Solana uses base58.",
  domain: "Domain names are not resolved: use the address behind the name.",
  url: "The link contains no address, signature or slot.",
} as const;

const collectionHints = (collection: string): Hints =>
  tellAll(
    {
      command: `solx nft collection-items ${collection}`,
      program: "client.nft.collectionItems({ collection })",
      tool: callText("nft collection-items", { collection }),
    },
    (way) => `This may be a collection of NFTs. To list its items: ${way}`,
  );

const symbolHints = (symbol: string): Hints =>
  tellAll(searchWays(symbol.replace(/^\$/, "")), (way) => {
    return `This may be the symbol of a token, and an address is expected. To find the mint: ${way}`;
  });

/** How each reader searches for a token. */
export const searchWays = (keyword: string) => ({
  command: `solx token search ${keyword}`,
  program: "client.token.search({ keyword })",
  tool: callText("token search", { keyword }),
});

/** A call of an endpoint by a model. */
const callText = (endpoint: string, params: object) => `call_endpoint ${JSON.stringify({ endpoint, params })}`;

/** The syntax of token symbols: `USDC`, `$WIF`, `bonk`. */
const SYMBOL = /^(?:\$[A-Za-z0-9]{2,10}|[A-Z][A-Z0-9]{1,9}|[a-z]{3,6})$/;

/** Recognises what a person typed or pasted. */
export function recognise(text: string): Recognised {
  const { text: value, dropped } = trimInput(text);
  const notes = dropped.length > 0 ? [`removed around ${displayText(value)}: ${dropped.join(" ")}`] : [];
  if (isAddress(value)) return { kind: "address", value, notes };
  if (isSignature(value)) return { kind: "signature", value, notes };
  if (SLOT.test(value)) return { kind: "slot", value, notes };
  if (HASH.test(value)) return { kind: "hash", value, hint: collectionHints(value), notes };
  if (LINK.test(value)) return recogniseLink(value, notes);
  if (EVM.test(value)) return { kind: "evm", value, hint: HINTS.evm, notes };
  if (DOMAIN.test(value)) return { kind: "domain", value, hint: HINTS.domain, notes };
  return { kind: "unknown", value, hint: hintForUnknown(value), notes };
}

function recogniseLink(link: string, notes: readonly string[]): Recognised {
  const url = URL.parse(/^https?:/i.test(link) ? link : `https://${link}`);
  const segments = url?.pathname.split("/") ?? [];
  for (const [index, segment] of segments.entries()) {
    const target = Object.hasOwn(TARGETS, segment.toLowerCase()) ? TARGETS[segment.toLowerCase()] : undefined;
    const next = segments[index + 1];
    if (target === undefined || next === undefined) continue;
    const { kind, value } = recognise(next);
    if (kind === KIND_OF[target]) return { kind, value, target, notes: [...notes, `taken from the link: ${value}`] };
  }
  const single = segments
    .map((segment) => recognise(segment))
    .find(({ kind }) => kind === "address" || kind === "signature" || kind === "hash");
  if (single) return { ...single, notes: [...notes, `taken from the link: ${single.value}`] };
  return { kind: "url", value: link, hint: HINTS.url, notes };
}

/** Length from which on a word is meant as an identifier: commands and symbols are shorter, or have hyphens. */
const MIN_IDENTIFIER_LENGTH = 20;

/** Returns whether a text that may be mistyped is meant as an identifier, and not as a name or a command. */
export function isMeantAsIdentifier({ kind, value }: Recognised): boolean {
  if (kind !== "unknown") return true;
  return SHORTENED.test(value) || (value.length >= MIN_IDENTIFIER_LENGTH && !/[\s-]/.test(value));
}

/** Returns the error for a text that is not recognised. @param expected the identifiers that are accepted */
export function unrecognisedError({ value, hint }: Recognised, expected: string, advice: string): UsageError {
  return new UsageError(`"${value}": not a recognised ${expected}.`, { hint: hint ?? advice });
}

const KIND_OF: Readonly<Record<Target, IdentifierKind>> = {
  account: "address",
  token: "address",
  transaction: "signature",
  block: "slot",
};

/** The name and the command of each kind of identifier. */
const COMMANDS: Readonly<Record<IdentifierKind, readonly [name: string, command: string]>> = {
  address: ["an address", "solx account detail"],
  signature: ["a transaction signature", "solx transaction detail"],
  slot: ["a slot number", "solx block detail"],
};

/** Returns why a text is not the expected identifier: the hint of a validation error. */
export function explainMismatch(requested: IdentifierKind, { kind, value, hint }: Recognised): string | Hints {
  if (kind === "address" || kind === "signature" || kind === "slot") {
    if (kind === "slot" && requested !== "slot") return sizeHint(value, requested);
    const [name, command] = COMMANDS[kind];
    if (kind === requested) return "";
    const tool = `This is ${name}. To see it, use the tool show: ${JSON.stringify({ what: value })}`;
    return { command: `This is ${name}. To see it: ${command} ${value}`, program: `This is ${name}.`, tool };
  }
  if (kind === "unknown" && requested === "address" && SYMBOL.test(value)) return symbolHints(value);
  if (kind === "unknown" && requested !== "slot") return describeInvalidCharacter(value) ?? sizeHint(value, requested);
  return hint ?? "";
}

/** The characters that base58 excludes, by name. */
const EXCLUDED: Readonly<Record<string, string>> = {
  "0": "zero",
  O: "capital o",
  I: "capital i",
  l: "small L",
};

const SCRIPTS = ["Cyrillic", "Greek", "Armenian", "Cherokee", "Hebrew", "Arabic"].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const,
);

/** An identifier shortened in the middle, as tables display it. */
const SHORTENED = /^[1-9A-HJ-NP-Za-km-z]+(…|\.{3})[1-9A-HJ-NP-Za-km-z]+$/;
const SHORTENED_HINTS = {
  command:
    "This identifier was shortened to fit a table. Use the complete one: print it with -o json, or with --fields in a wider table.",
  program: "This identifier was shortened to fit a table. Use the complete one.",
  tool: "This identifier was shortened to fit a table. Use the complete one, from an answer.",
} as const satisfies Hints;

/** Describes the first character that is not base58, with its position, or explains why there is one. */
function describeInvalidCharacter(text: string): string | Hints | undefined {
  const characters = [...text];
  const index = characters.findIndex((character) => !/^[1-9A-HJ-NP-Za-km-z]$/.test(character));
  const character = characters[index];
  if (character === undefined) return undefined;
  if (SHORTENED.test(text)) return SHORTENED_HINTS;
  const count = text.split(/\s+/).filter((word) => isAddress(word) || isSignature(word)).length;
  if (count > 1) return `These are ${count} identifiers: use one at a time.`;
  return `Character ${index + 1}, ${describe(character)}, is not base58.`;
}

function describe(character: string): string {
  const excluded = EXCLUDED[character];
  if (excluded !== undefined) return `"${character}" (${excluded})`;
  if (/^[!-~]$/.test(character)) return `"${character}" (${codePoint(character)})`;
  const plain = character.normalize("NFKC");
  if (/^[\uFF01-\uFF5E]$/u.test(character))
    return `"${character}" (${codePoint(character)}, the full-width form of ${plain})`;
  const script = SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0];
  if (script !== undefined) return `"${character}" (${codePoint(character)}, a ${script} letter)`;
  return codePoint(character);
}

const SIZES = {
  address: { bytes: 32, characters: "32 to 44", name: "an address" },
  signature: { bytes: 64, characters: "64 to 88", name: "a signature" },
} as const;

/** Longer texts are not decoded, because decoding is quadratic. */
const MAX_DECODED_LENGTH = 200;

function sizeHint(text: string, requested: "address" | "signature"): string {
  const { bytes, characters, name } = SIZES[requested];
  const expected = `${name} has ${bytes} bytes (${characters} characters)`;
  if (text.length > MAX_DECODED_LENGTH || describeInvalidCharacter(text) !== undefined) {
    return `It has ${pluralize(text.length, "character")}; ${expected}.`;
  }
  const size = decodeBase58(text).length;
  return `It decodes to ${pluralize(size, "byte")} (${pluralize(text.length, "character")}); ${expected}.`;
}

function hintForUnknown(text: string): string | Hints {
  if (text === "") return "The identifier is empty.";
  if (SYMBOL.test(text)) return symbolHints(text);
  return describeInvalidCharacter(text) ?? sizeHint(text, text.length > 50 ? "signature" : "address");
}

/** White space, byte order marks, zero-width characters and quotes: harmless at the edges of a value. */
const EDGE = String.raw`[\s\u200B-\u200D\u2060\uFEFF"'\u0060\u00AB\u00BB\u2018-\u201F]`;
const EDGES = new RegExp(`^${EDGE}+|${EDGE}+$`, "gu");

/** Removes what is harmless at the edges of a value; `dropped` lists what was removed other than plain spaces. */
export function trimInput(value: string): { readonly text: string; readonly dropped: readonly string[] } {
  const text = value.replace(EDGES, "");
  if (text.length === value.length) return { text, dropped: [] };
  const index = value.indexOf(text);
  const around = [...value.slice(0, index), ...value.slice(index + text.length)];
  const names = around.filter((character) => character !== " ").map(nameOf);
  return { text, dropped: [...new Set(names)] };
}

function nameOf(character: string): string {
  return /[!-~]/.test(character) ? character : codePoint(character);
}
