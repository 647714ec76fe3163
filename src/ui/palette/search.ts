/** What is offered for what was typed: an identifier at once, everything else by fuzzy search. */
import { single } from "fuzzysort";
import { endpoints } from "../../catalogue/index.ts";
import { type Recognised, recognise } from "../../client/request/recognise.ts";
import { type Place, type Thing, titleOf } from "../app/route.ts";
import type { Candidate } from "./candidates.ts";
import { costText } from "./candidates.ts";
import { type Asked, answered, prefill, questionOf } from "./prompt.ts";

/** Lines that are offered at most. */
const MOST = 60;

/** What is offered, and what is to be said about what was typed. */
export interface Offer {
  readonly candidates: readonly Candidate[];
  readonly note: string | undefined;
}

/** What is offered for a text. @param now milliseconds since the epoch */
export function offerOf(text: string, all: readonly Candidate[], now: number): Offer {
  const wanted = text.trim();
  if (wanted === "") return { candidates: initial(all), note: undefined };
  const whole = recognise(wanted);
  const own = identified(whole, "", now);
  if (own.length > 0) return { candidates: own, note: whole.notes.at(-1) };
  const { found, rest } = partOf(wanted);
  const parts = found ? identified(found, rest, now) : [];
  if (parts.length > 0) return { candidates: parts, note: found?.notes.at(-1) };
  return { candidates: [...fuzzy(wanted, all), ...tokenSearch(wanted)], note: strange(whole) };
}

/** Of each kind, how many are offered before anything is typed: what was used last first. */
const FIRST: readonly (readonly [kind: Candidate["kind"], most: number])[] = [
  ["recent", 5],
  ["bookmark", 5],
  ["place", MOST],
  ["thing", MOST],
  ["endpoint", MOST],
];

function initial(all: readonly Candidate[]): readonly Candidate[] {
  return FIRST.flatMap(([kind, most]) => newerFirst(all.filter((one) => one.kind === kind)).slice(0, most));
}

const isOlder = ({ title }: Candidate) => title.startsWith("legacy ");

/** The older family answers the same questions: after the newer one. */
function newerFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates.filter((one) => !isOlder(one)), ...candidates.filter(isOlder)];
}

/** Something that is certainly meant as an identifier, and is none that has a place. */
function strange({ kind, hint }: Recognised): string | undefined {
  return kind === "evm" || kind === "domain" || kind === "url" ? hint : undefined;
}

/** The identifier among several words, and the words around it. */
function partOf(text: string): { readonly found: Recognised | undefined; readonly rest: string } {
  const words = text.split(/\s+/);
  const at = words.findIndex((word) => ["address", "signature", "slot"].includes(recognise(word).kind));
  if (at < 0 || words.length < 2) return { found: undefined, rest: text };
  return { found: recognise(words[at] ?? ""), rest: words.filter((_, index) => index !== at).join(" ") };
}

/** What an identifier of each kind may be of. */
const KINDS: Readonly<Record<string, readonly Thing[]>> = {
  address: ["account", "token", "program", "market", "collection"],
  signature: ["transaction"],
  slot: ["block"],
};

const ABOUT: Readonly<Record<Thing, string>> = {
  account: "Open as an account",
  token: "Open as a token (its mint)",
  transaction: "Open the transaction",
  block: "Open the block",
  market: "Open as a market (its pool)",
  program: "Open as a program",
  collection: "Open as an NFT collection",
};

/** What an identifier opens: things first, then every endpoint that takes it; of those, what the other words name. */
function identified(found: Recognised, words: string, now: number): readonly Candidate[] {
  const things = KINDS[found.kind];
  if (!things) return [];
  const asThing = sorted(things, found.target).map((thing): Candidate => {
    const place: Place = { kind: "thing", thing, id: found.value };
    return {
      kind: "thing",
      title: titleOf(place),
      command: thing,
      about: ABOUT[thing],
      words: thing,
      effect: { do: "open", place },
    };
  });
  const asked = endpoints.flatMap((endpoint) => endpointWith({ kind: "endpoint", endpoint }, found.value, now));
  const all = [...asThing, ...newerFirst(asked)];
  return words === "" ? all : fuzzy(words, all);
}

/** What a link says comes first. */
function sorted(things: readonly Thing[], first: Thing | undefined): readonly Thing[] {
  return first === undefined ? things : [first, ...things.filter((thing) => thing !== first)];
}

function endpointWith(asked: Extract<Asked, { kind: "endpoint" }>, id: string, now: number): readonly Candidate[] {
  const question = questionOf(asked);
  if (!question?.param.positional || question.param.type === "text") return [];
  let outcome = answered(question, id, now);
  // What else is needed has a usual value.
  while (outcome.question) outcome = answered(outcome.question, prefill(outcome.question, []), now);
  const { place } = outcome;
  const { endpoint } = asked;
  if (!place) return [];
  return [
    {
      kind: "endpoint",
      title: titleOf(place),
      command: endpoint.command,
      about: endpoint.summary,
      words: `${endpoint.command} ${(endpoint.aliases ?? []).join(" ")} ${endpoint.route}`,
      cost: costText(endpoint),
      effect: { do: "open", place },
    },
  ];
}

/** How much each text of a candidate says: its title most. */
const WEIGHTS = [1, 0.9, 0.65] as const;
/** Of equal matches, those that one came for before go first. */
const BONUS: Readonly<Partial<Record<Candidate["kind"], number>>> = {
  place: 0.08,
  thing: 0.06,
  bookmark: 0.05,
  recent: 0.03,
};
/** The older family goes last, unless it is asked for. */
const OLDER = 5;
/** Below this a match is chance. */
const LEAST_SCORE = 0.3;
/** What a title that is meant by its first letters is worth more than one that merely has them. */
const EXACT = 3;
const STARTS = 2;
const INITIALS = 1;

function fuzzy(text: string, all: readonly Candidate[]): readonly Candidate[] {
  const wanted = wordsIn(text);
  const asksForOlder = wanted.some((word) => word.length > 2 && "legacy".startsWith(word));
  const scored = all.flatMap((candidate) => {
    const { title, words, about, kind } = candidate;
    const matches = [title, words, about].map(
      (target, index) => (single(text, target)?.score ?? 0) * (WEIGHTS[index] ?? 0),
    );
    const score = Math.max(...matches);
    if (score < LEAST_SCORE) return [];
    const older = isOlder(candidate) && !asksForOlder ? OLDER : 0;
    const called = titleBonus(wanted, wordsIn(candidate.command ?? title));
    return [{ candidate, score: score + called + (BONUS[kind] ?? 0) - older }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** Whether the words that were typed are the title's, its first ones, or the beginnings of its words, in their order. */
function titleBonus(wanted: readonly string[], title: readonly string[]): number {
  if (wanted.join(" ") === title.join(" ")) return EXACT;
  if (title.join(" ").startsWith(wanted.join(" "))) return STARTS;
  let at = 0;
  const areInitials = wanted.every((word) => {
    at = title.findIndex((one, index) => index >= at && one.startsWith(word)) + 1;
    return at > 0;
  });
  return areInitials ? INITIALS : 0;
}

/** Names and symbols of tokens are short. */
const NAME = /^[\p{L}\p{N}$ ._-]{2,32}$/u;

/** The offer to look for a name or symbol among the tokens. */
function tokenSearch(wanted: string): readonly Candidate[] {
  if (!NAME.test(wanted)) return [];
  return [
    {
      kind: "search",
      title: `search tokens for ${wanted}`,
      about: "Among the tokens of the greatest market value",
      words: "",
      effect: { do: "tokens", wanted },
    },
  ];
}
