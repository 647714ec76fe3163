/** The words of questions and pages: one term for each concept, whatever it is called. */
import { WELL_KNOWN_TOKENS } from "../../../catalogue/index.ts";

/** Returns the part of a word that its inflections share: `transfers` and `transferred` have one stem. */
function stemOf(word: string): string {
  const singular = word
    .toLowerCase()
    .replace(/ies$/, "y")
    .replace(/(?<![su])s$/, "");
  const stem = singular
    .replace(/(?<=\w{3})(?:ing|ed)$/, "")
    // swapped, transferring
    .replace(/([bdfgmnprt])\1$/, "$1")
    .replace(/(?<=\w{3})e$/, "");
  return stem;
}

/** Matches a word; `from_address` is two words. */
const WORD = /[A-Za-z]+|\d+/g;

/** Returns the words of a text with their positions. */
export const wordsIn = (text: string) => text.matchAll(WORD);

/** Splits a text into words. */
export const splitWords = (text: string): string[] => text.match(WORD) ?? [];

/** Words for one concept: a question may use any of them. The first one is that of the API. */
const CONCEPTS: readonly string[] = [
  "account wallet address accounts",
  "token coin mint memecoin altcoin shitcoin cryptocurrency crypto spl",
  "symbol ticker",
  "transaction tx txn txs trx",
  "signature hash",
  "transfer send sent sends sender receive received receiver recipient moved move moves moving pay paid payment deposit",
  "swap trade exchange",
  "buy bought buyer purchase purchased accumulate snipe sniper",
  "sell sold seller dump dumping dumped",
  "market pool pair amm",
  "holder hold own owner holding owned held",
  "program contract dapp app protocol platform",
  "csv spreadsheet excel file",
  "export download",
  "tax accountant",
  "price cost quote",
  "candle candlestick ohlc ohlcv chart kline",
  "history historical past ago",
  "latest newest recent recently freshest fresh last lately",
  "new created launched launch",
  "top biggest largest richest highest most leading best greatest wealthiest deepest",
  "sort rank ranked ranking order",
  "popular famous well-known known",
  "large big huge whale",
  "trending trend hot viral",
  "fee gas",
  "fail failed failing fails failure error revert reverted unsuccessful",
  "fund funded funder funding",
  "first initial",
  "label tag identity labels",
  "stake staking staked staker delegate delegated delegation",
  "reward earn earned earning yield income apy",
  "count number many",
  "usage used consume consumed consumption spent",
  "quota credit allowance remaining left limit",
  "several multiple many batch list bulk dozen various",
  "current now currently moment live today",
  "activity activities active",
  "nft collectible nfts",
  "dex exchanges",
  "volume turnover",
  "liquidity lp tvl",
  "portfolio asset assets",
  "worth value valuable valued usd dollar",
  "explain summary summarize plain simple human",
  "compare comparison",
  "validator validators",
  "block slot",
  "balance balances",
  "sandbox mock simulate simulated fake",
  "key login password token-key",
];

const concepts = new Map<string, string>();
for (const words of CONCEPTS) {
  const [first = "", ...others] = words.split(" ").map(stemOf);
  for (const stem of others) if (!concepts.has(stem) && stem !== first) concepts.set(stem, first);
}

const TOKEN = "token";

/** Symbols of tokens, which stand for any token. */
const SYMBOLS: ReadonlySet<string> = new Set(
  [...WELL_KNOWN_TOKENS.values()].map(({ symbol }) => symbol.toUpperCase()).filter((symbol) => symbol !== "SOL"),
);

/** Returns the term of a word: that of its concept, or its stem. */
export function termOf(word: string): string {
  if (SYMBOLS.has(word)) return TOKEN;
  const stem = stemOf(word);
  return concepts.get(stem) ?? stem;
}

/** Returns the distinct terms of a text. */
const termsOf = (text: string): ReadonlySet<string> => new Set(splitWords(text).map(termOf));

const STOP_TERMS: ReadonlySet<string> = termsOf(
  `a about all am s t an and any are as at be been by can could did do does doing done for from get give had has have he her his how
  i if in into is it its let like me mine my no not of on one or our out over please see she should show so some
  tell that the their them find fetch look lookup display need want know get single much every then there these they this those to up us want was we were what when where which while who
  whose will with would you your`,
);

/** Ways of saying something, and the words for it. */
const IDIOMS: readonly (readonly [idiom: RegExp, words: string])[] = [
  // What a time range is does not matter for what is asked.
  [
    /\b(?:in|over|during|for|within|since)? ?(?:the |this )?(?:last|past|previous|this|\d+) ?\d* ?(?:min(?:ute)?|h(?:our)?|day|week|month|year)s?\b(?! ago| bar| cand)/gi,
    " ",
  ],
  [/\b(?:each|every|per|by|day by) day\b/gi, "daily"],
  // A day of the past.
  [
    /\b(?:\d{4}-\d\d(?:-\d\d)?|20\d\d|january|february|march|april|june|july|august|september|october|november|december)\b/gi,
    "date",
  ],
  [/\b(top|last|latest|first|newest|recent) \d+\b/gi, "$1"],
  [/\b(?:at once|in (?:a single|one) \w+)\b/gi, "several"],
  [/\b(?:\d+|two|three|four|five|six|ten|twenty|fifty|hundred) (?=[a-z]+s\b)/gi, "several "],
  [/\bon[- ]chain\b/gi, " "],
  [/\b(?:contract|mint|token) address\b|\bCA\b/g, "mint"],
];

const simplify = (text: string) => IDIOMS.reduce((rest, [idiom, words]) => rest.replace(idiom, words), text);

/** Returns the distinct terms of a text that carry its meaning, all of them where none does. */
export function meaningfulTerms(text: string): ReadonlySet<string> {
  const terms = termsOf(simplify(text));
  const meaningful = [...terms].filter((term) => !STOP_TERMS.has(term));
  return meaningful.length > 0 ? new Set(meaningful) : terms;
}

/** Base58: an address, or a signature where it is longer. */
const IDENTIFIER = /\b[1-9A-HJ-NP-Za-km-z]{32,88}\b/g;
const MAX_ADDRESS = 44;

/** Symbols that a page does not have: in capitals, or with a dollar sign. */
const SYMBOL_FORM = /^[A-Z]{2,10}$/;

/**
 * Returns the terms of a question that carry its meaning, all of them where none does.
 * @param isKnown whether any page has a term: an unknown word in capitals is the symbol of a token
 */
export function questionTerms(question: string, isKnown: (term: string) => boolean): readonly string[] {
  const plain = question
    .replace(IDENTIFIER, (id) => (id.length > MAX_ADDRESS ? "transaction" : "address"))
    .replace(/\$[a-z]\w*/gi, TOKEN);
  const isSymbol = (word: string) =>
    SYMBOLS.has(word) || ((SYMBOL_FORM.test(word) || SYMBOLS.has(word.toUpperCase())) && !isKnown(termOf(word)));
  const words = splitWords(simplify(plain));
  const terms = meaningfulTerms(words.map((word) => (isSymbol(word) ? TOKEN : word)).join(" "));
  const implied = [
    ...(words.filter(isSymbol).length > 1 ? [termOf("several")] : []),
    // What is mine is a wallet, unless something else is named.
    ...(/\b(?:my|mine)\b/i.test(plain) && !SUBJECTS.some((subject) => terms.has(subject)) ? [termOf("account")] : []),
  ];
  return [...new Set([...terms, ...implied])];
}

/** What questions are about. */
const SUBJECTS = [
  "account",
  TOKEN,
  "transaction",
  "block",
  "market",
  "program",
  "nft",
  "key",
  "stake",
  "signature",
].map(termOf);

/** Questions that no endpoint answers, with a note about the closest data. */
const UNANSWERED: readonly (readonly [question: RegExp, note: string])[] = [
  [
    /\bprofits?\b|\bp&l\b|\bpnl\b/i,
    "No endpoint reports profit and loss; compute it from DeFi activities and the values of the portfolio.",
  ],
  [/\bair-?drops?\b/i, "No endpoint identifies airdrops; they are transfers into an account (--flow in)."],
];

/** Returns a note for a question that no page answers directly; undefined for other questions. */
export function unansweredNote(question: string): string | undefined {
  return UNANSWERED.find(([pattern]) => pattern.test(question))?.[1];
}
