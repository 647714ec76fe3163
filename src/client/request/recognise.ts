/** What a text is: an address, a signature, a slot, a link to one of them, or something that is mistaken for them. */
import { base58 } from "@scure/base";
import { isAddress, isSignature } from "../../catalogue/index.ts";
import { codePoint, displayText, trimInput } from "../text.ts";

/** What a link of a blockchain explorer is about. */
export type Target = "account" | "token" | "transaction" | "block";

/** What a text was recognised as. */
export interface Recognised {
  readonly kind: "address" | "signature" | "slot" | "url" | "evm" | "domain" | "unknown";
  /** The identifier itself: taken out of a link, without quotes and white space. */
  readonly value: string;
  /** For links: what the page is about. */
  readonly target?: Target;
  /** Why it is nothing that the API knows, and what would be. */
  readonly hint?: string;
  /** What was left out or taken from where. */
  readonly notes: readonly string[];
}

/** An identifier that a parameter may ask for. */
export type IdentifierKind = "address" | "signature" | "slot";

/** The words of explorer links, each before its identifier. */
const PAGES: Readonly<Record<string, Target>> = {
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

const HINTS = {
  evm: "This belongs to an EVM chain such as Ethereum: Solana uses base58 text.",
  domain: "Names are not resolved: give the address that the name stands for.",
  url: "The link holds no address, signature or slot.",
  symbol:
    "Symbols are not resolved, since anybody may give a token any symbol: find the mint with solx token list or solx token trending.",
} as const;

/** What the symbol of a token looks like: `USDC`, `$WIF`, `bonk`. */
const SYMBOL = /^(?:\$[A-Za-z0-9]{2,10}|[A-Z][A-Z0-9]{1,9}|[a-z]{3,6})$/;

/** Recognises what a person typed or pasted. */
export function recognise(text: string): Recognised {
  const { text: value, dropped } = trimInput(text);
  const notes = dropped.length > 0 ? [`left out around ${displayText(value)}: ${dropped.join(" ")}`] : [];
  if (isAddress(value)) return { kind: "address", value, notes };
  if (isSignature(value)) return { kind: "signature", value, notes };
  if (SLOT.test(value)) return { kind: "slot", value, notes };
  if (LINK.test(value)) return unpack(value, notes);
  if (EVM.test(value)) return { kind: "evm", value, hint: HINTS.evm, notes };
  if (DOMAIN.test(value)) return { kind: "domain", value, hint: HINTS.domain, notes };
  return { kind: "unknown", value, hint: strangeness(value), notes };
}

/** Takes the identifier out of an explorer link; query and fragment do not count. */
function unpack(link: string, notes: readonly string[]): Recognised {
  const url = URL.parse(/^https?:/i.test(link) ? link : `https://${link}`);
  const segments = url?.pathname.split("/") ?? [];
  for (const [at, segment] of segments.entries()) {
    const target = Object.hasOwn(PAGES, segment.toLowerCase()) ? PAGES[segment.toLowerCase()] : undefined;
    const next = segments[at + 1];
    if (target === undefined || next === undefined) continue;
    const { kind, value } = recognise(next);
    if (kind === KIND_OF[target]) return { kind, value, target, notes: [...notes, `taken from the link: ${value}`] };
  }
  const lone = segments
    .map((segment) => recognise(segment))
    .find(({ kind }) => kind === "address" || kind === "signature");
  if (lone) return { ...lone, notes: [...notes, `taken from the link: ${lone.value}`] };
  return { kind: "url", value: link, hint: HINTS.url, notes };
}

const KIND_OF: Readonly<Record<Target, IdentifierKind>> = {
  account: "address",
  token: "address",
  transaction: "signature",
  block: "slot",
};

/** Where each kind of identifier is at home. */
const COMMANDS: Readonly<Record<IdentifierKind, readonly [name: string, command: string]>> = {
  address: ["an address", "solx account detail"],
  signature: ["a transaction signature", "solx transaction detail"],
  slot: ["a slot number", "solx block detail"],
};

/** Why a text is not the identifier that is wanted: the hint of a validation error. */
export function explainMismatch(wanted: IdentifierKind, { kind, value, hint }: Recognised): string {
  if (kind === "address" || kind === "signature" || kind === "slot") {
    if (kind === "slot" && wanted !== "slot") return sizeHint(value, wanted);
    const [name, command] = COMMANDS[kind];
    return kind === wanted ? "" : `This is ${name}; see it with: ${command} ${value}`;
  }
  if (kind === "unknown" && wanted === "address" && SYMBOL.test(value)) return HINTS.symbol;
  if (kind === "unknown" && wanted !== "slot") return strangeCharacter(value) ?? sizeHint(value, wanted);
  return hint ?? "";
}

/** The characters that base58 leaves out, by name. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "0": "zero",
  O: "capital o",
  I: "capital i",
  l: "small L",
};

/** Scripts with letters that look like Latin ones. */
const SCRIPTS = ["Cyrillic", "Greek", "Armenian", "Cherokee", "Hebrew", "Arabic"].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const,
);

/** Both ends of an identifier, as a table shows it in little room. */
const SHORTENED = /^[1-9A-HJ-NP-Za-km-z]+(…|\.{3})[1-9A-HJ-NP-Za-km-z]+$/;
const SHORTENED_HINT =
  "This identifier was shortened to fit a table. Take the whole one: -o json shows it, or --columns where there is room.";

/** Names the first character that base58 does not have, with its position, or what explains it. */
function strangeCharacter(text: string): string | undefined {
  const characters = [...text];
  const at = characters.findIndex((character) => !/^[1-9A-HJ-NP-Za-km-z]$/.test(character));
  const character = characters[at];
  if (character === undefined) return undefined;
  if (SHORTENED.test(text)) return SHORTENED_HINT;
  const several = text.split(/\s+/).filter((word) => isAddress(word) || isSignature(word)).length;
  if (several > 1) return `These are ${several} identifiers at once: give one at a time.`;
  return `Character ${at + 1}, ${describe(character)}, does not occur in base58.`;
}

function describe(character: string): string {
  const leftOut = LEFT_OUT[character];
  if (leftOut !== undefined) return `"${character}" (${leftOut})`;
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

/** Beyond this, decoding costs more than it tells. */
const LONGEST_DECODED = 200;

function sizeHint(text: string, wanted: "address" | "signature"): string {
  const { bytes, characters, name } = SIZES[wanted];
  const expected = `${name} has ${bytes} bytes (${characters} characters)`;
  if (text.length > LONGEST_DECODED || strangeCharacter(text) !== undefined) {
    return `It has ${text.length} characters; ${expected}.`;
  }
  const found = base58.decode(text).length;
  return `It decodes to ${found} bytes (${text.length} characters); ${expected}.`;
}

function strangeness(text: string): string {
  if (text === "") return "Nothing was given.";
  if (SYMBOL.test(text)) return HINTS.symbol;
  return strangeCharacter(text) ?? sizeHint(text, text.length > 50 ? "signature" : "address");
}
