/** What is offered for what was typed: an identifier at once, everything else by fuzzy search. */
import { single } from "fuzzysort";
import { endpoints } from "../../catalogue/index.ts";
import { type Recognised, recognise } from "../../client/index.ts";
import { type Route, routeTitle } from "../app/route.ts";
import { type EntityKind } from "../app/entity-pages.ts";
import type { Candidate } from "./candidates.ts";
import { formatCost } from "./candidates.ts";
import { answerPrompt, defaultAnswer, nextPrompt, type PromptTarget } from "./prompt.ts";

/** Lines that are offered at most. */
const MAX_RESULTS = 60;

/** What is offered, and what is to be said about what was typed. */
export interface SearchResults {
  readonly candidates: readonly Candidate[];
  readonly note: string | undefined;
}

/** What is offered for a text. @param now milliseconds since the epoch */
export function searchCandidates(text: string, all: readonly Candidate[], now: number): SearchResults {
  const query = text.trim();
  if (query === "") return { candidates: initialCandidates(all), note: undefined };
  const whole = recognise(query);
  const identifierResults = candidatesForIdentifier(whole, "", now);
  if (identifierResults.length > 0) return { candidates: identifierResults, note: whole.notes.at(-1) };
  const { found, rest } = identifierIn(query);
  const partResults = found ? candidatesForIdentifier(found, rest, now) : [];
  if (partResults.length > 0) return { candidates: partResults, note: found?.notes.at(-1) };
  return { candidates: [...fuzzySearch(query, all), ...tokenSearchCandidate(query)], note: unsupportedHint(whole) };
}

/** Of each kind, how many are offered before anything is typed: what was used last first. */
const INITIAL_LIMITS: readonly (readonly [kind: Candidate["kind"], most: number])[] = [
  ["recent", 5],
  ["bookmark", 5],
  ["place", MAX_RESULTS],
  ["entity", MAX_RESULTS],
  ["endpoint", MAX_RESULTS],
];

function initialCandidates(all: readonly Candidate[]): readonly Candidate[] {
  return INITIAL_LIMITS.flatMap(([kind, most]) => legacyLast(all.filter((one) => one.kind === kind)).slice(0, most));
}

const isLegacy = ({ title }: Candidate) => title.startsWith("legacy ");

/** The older family answers the same questions: after the newer one. */
function legacyLast(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates.filter((one) => !isLegacy(one)), ...candidates.filter(isLegacy)];
}

/** Something that is certainly meant as an identifier, and is none that has a place. */
function unsupportedHint({ kind, hint }: Recognised): string | undefined {
  return kind === "evm" || kind === "domain" || kind === "url" ? hint : undefined;
}

/** The identifier among several words, and the words around it. */
function identifierIn(text: string): { readonly found: Recognised | undefined; readonly rest: string } {
  const words = text.split(/\s+/);
  const at = words.findIndex((word) => ["address", "signature", "slot"].includes(recognise(word).kind));
  if (at < 0 || words.length < 2) return { found: undefined, rest: text };
  return { found: recognise(words[at] ?? ""), rest: words.filter((_, index) => index !== at).join(" ") };
}

/** What an identifier of each kind may be of. */
const ENTITIES_BY_KIND: Readonly<Record<string, readonly EntityKind[]>> = {
  address: ["account", "token", "program", "market", "collection"],
  signature: ["transaction"],
  slot: ["block"],
};

const OPEN_LABELS: Readonly<Record<EntityKind, string>> = {
  account: "Open as an account",
  token: "Open as a token (its mint)",
  transaction: "Open the transaction",
  block: "Open the block",
  market: "Open as a market (its pool)",
  program: "Open as a program",
  collection: "Open as an NFT collection",
};

/** What an identifier opens: things first, then every endpoint that takes it; of those, what the other words name. */
function candidatesForIdentifier(found: Recognised, words: string, now: number): readonly Candidate[] {
  const entities = ENTITIES_BY_KIND[found.kind];
  if (!entities) return [];
  const entityCandidates = withFirst(entities, found.target).map((thing): Candidate => {
    const route: Route = { kind: "entity", entity: thing, id: found.value };
    return {
      kind: "entity",
      title: routeTitle(route),
      command: thing,
      about: OPEN_LABELS[thing],
      keywords: thing,
      action: { type: "open", route },
    };
  });
  const endpointCandidates = endpoints.flatMap((endpoint) =>
    endpointCandidate({ kind: "endpoint", endpoint }, found.value, now),
  );
  const all = [...entityCandidates, ...legacyLast(endpointCandidates)];
  return words === "" ? all : fuzzySearch(words, all);
}

/** What a link says comes first. */
function withFirst(entities: readonly EntityKind[], first: EntityKind | undefined): readonly EntityKind[] {
  return first === undefined ? entities : [first, ...entities.filter((thing) => thing !== first)];
}

function endpointCandidate(
  endpointCandidates: Extract<PromptTarget, { kind: "endpoint" }>,
  id: string,
  now: number,
): readonly Candidate[] {
  const prompt = nextPrompt(endpointCandidates);
  if (!prompt?.param.positional || prompt.param.type === "text") return [];
  let result = answerPrompt(prompt, id, now);
  // What else is needed has a usual value.
  while (result.prompt) result = answerPrompt(result.prompt, defaultAnswer(result.prompt, []), now);
  const { route } = result;
  const { endpoint } = endpointCandidates;
  if (!route) return [];
  return [
    {
      kind: "endpoint",
      title: routeTitle(route),
      command: endpoint.command,
      about: endpoint.summary,
      keywords: `${endpoint.command} ${(endpoint.aliases ?? []).join(" ")} ${endpoint.route}`,
      cost: formatCost(endpoint),
      action: { type: "open", route },
    },
  ];
}

/** How much each text of a candidate says: its title most. */
const WEIGHTS = [1, 0.9, 0.65] as const;
/** Of equal matches, those that one came for before go first. */
const KIND_BONUS: Readonly<Partial<Record<Candidate["kind"], number>>> = {
  place: 0.08,
  entity: 0.06,
  bookmark: 0.05,
  recent: 0.03,
};
/** The older family goes last, unless it is asked for. */
const LEGACY_PENALTY = 5;
/** Below this a match is chance. */
const MIN_SCORE = 0.3;
/** What a title that is meant by its first letters is worth more than one that merely has them. */
const EXACT_BONUS = 3;
const PREFIX_BONUS = 2;
const INITIALS_BONUS = 1;

function fuzzySearch(text: string, all: readonly Candidate[]): readonly Candidate[] {
  const query = splitWords(text);
  const includesLegacy = query.some((word) => word.length > 2 && "legacy".startsWith(word));
  const scored = all.flatMap((candidate) => {
    const { title, keywords: words, about, kind } = candidate;
    const matches = [title, words, about].map(
      (target, index) => (single(text, target)?.score ?? 0) * (WEIGHTS[index] ?? 0),
    );
    const score = Math.max(...matches);
    if (score < MIN_SCORE) return [];
    const penalty = isLegacy(candidate) && !includesLegacy ? LEGACY_PENALTY : 0;
    const bonus = titleBonus(query, splitWords(candidate.command ?? title));
    return [{ candidate, score: score + bonus + (KIND_BONUS[kind] ?? 0) - penalty }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ candidate }) => candidate);
}

const splitWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** Whether the words that were typed are the title's, its first ones, or the beginnings of its words, in their order. */
function titleBonus(query: readonly string[], title: readonly string[]): number {
  if (query.join(" ") === title.join(" ")) return EXACT_BONUS;
  if (title.join(" ").startsWith(query.join(" "))) return PREFIX_BONUS;
  let at = 0;
  const areInitials = query.every((word) => {
    at = title.findIndex((one, index) => index >= at && one.startsWith(word)) + 1;
    return at > 0;
  });
  return areInitials ? INITIALS_BONUS : 0;
}

/** Names and symbols of tokens are short. */
const NAME = /^[\p{L}\p{N}$ ._-]{2,32}$/u;

/** The offer to look for a name or symbol among the tokens. */
function tokenSearchCandidate(query: string): readonly Candidate[] {
  if (!NAME.test(query)) return [];
  return [
    {
      kind: "search",
      title: `search tokens for ${query}`,
      about: "Among the tokens of the greatest market value",
      keywords: "",
      action: { type: "tokens", query },
    },
  ];
}
