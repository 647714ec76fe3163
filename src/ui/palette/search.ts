/** Palette search: identifiers are recognised, everything else is matched by fuzzy search. */
import { single } from "fuzzysort";
import { endpoints } from "../../catalogue/index.ts";
import { type Recognised, recognise } from "../../client/index.ts";
import { ENTITY_KINDS, type EntityKind, entityPage } from "../app/entity-pages.ts";
import { type Route, routeTitle } from "../app/route.ts";
import type { Candidate } from "./candidates.ts";
import { formatCost } from "./candidates.ts";
import { answerPrompt, defaultAnswer, nextPrompt, type PromptTarget } from "./prompt.ts";

/** Maximum number of results. */
const MAX_RESULTS = 60;

/** Search results, and a note about the input. */
export interface SearchResults {
  readonly candidates: readonly Candidate[];
  readonly note: string | undefined;
}

/** Searches the candidates for a text. @param now milliseconds since the epoch */
export function searchCandidates(text: string, all: readonly Candidate[], now: number): SearchResults {
  const query = text.trim();
  if (query === "") return { candidates: initialCandidates(all), note: undefined };
  const whole = recognise(query);
  const identifierResults = candidatesForIdentifier(whole, "", now);
  if (identifierResults.length > 0) return { candidates: identifierResults, note: whole.notes.at(-1) };
  const { match: part, rest } = identifierIn(query);
  const partResults = part ? candidatesForIdentifier(part, rest, now) : [];
  if (partResults.length > 0) return { candidates: partResults, note: part?.notes.at(-1) };
  return { candidates: [...fuzzySearch(query, all), ...tokenSearchCandidate(query)], note: unsupportedHint(whole) };
}

/** Maximum number of results of each kind before anything is typed. */
const INITIAL_LIMITS: readonly (readonly [kind: Candidate["kind"], most: number])[] = [
  ["recent", 5],
  ["bookmark", 5],
  ["page", MAX_RESULTS],
  ["entity", MAX_RESULTS],
  ["endpoint", MAX_RESULTS],
];

function initialCandidates(all: readonly Candidate[]): readonly Candidate[] {
  return INITIAL_LIMITS.flatMap(([kind, most]) => legacyLast(all.filter((one) => one.kind === kind)).slice(0, most));
}

const isLegacy = ({ title }: Candidate) => title.startsWith("legacy ");

/** Sorts legacy endpoints after the current ones, which answer the same questions. */
function legacyLast(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates.filter((one) => !isLegacy(one)), ...candidates.filter(isLegacy)];
}

/** Returns the hint for identifiers that are recognised but have no page. */
function unsupportedHint({ kind, hint }: Recognised): string | undefined {
  return kind === "evm" || kind === "domain" || kind === "url" ? hint : undefined;
}

/** Returns the identifier among several words, and the other words. */
function identifierIn(text: string): { readonly match: Recognised | undefined; readonly rest: string } {
  const words = text.split(/\s+/);
  const at = words.findIndex((word) => ["address", "signature", "slot"].includes(recognise(word).kind));
  if (at < 0 || words.length < 2) return { match: undefined, rest: text };
  return { match: recognise(words[at] ?? ""), rest: words.filter((_, index) => index !== at).join(" ") };
}

/** Returns what an identifier opens: entities, then endpoints that take it, filtered by the other words. */
function candidatesForIdentifier(match: Recognised, words: string, now: number): readonly Candidate[] {
  const entities = ENTITY_KINDS.filter((entity) => entityPage(entity).accepts.some((kind) => kind === match.kind));
  if (entities.length === 0) return [];
  const entityCandidates = withFirst(entities, match.target).map((entity): Candidate => {
    const route: Route = { kind: "entity", entity, id: match.value };
    return {
      kind: "entity",
      title: routeTitle(route),
      command: entity,
      about: entityPage(entity).openLabel,
      keywords: entity,
      action: { type: "open", route },
    };
  });
  const endpointCandidates = endpoints.flatMap((endpoint) =>
    endpointCandidate({ kind: "endpoint", endpoint }, match.value, now),
  );
  const all = [...entityCandidates, ...legacyLast(endpointCandidates)];
  return words === "" ? all : fuzzySearch(words, all);
}

/** Moves the entity named by a link to the front. */
function withFirst(entities: readonly EntityKind[], first: EntityKind | undefined): readonly EntityKind[] {
  return first === undefined ? entities : [first, ...entities.filter((entity) => entity !== first)];
}

function endpointCandidate(
  endpointCandidates: Extract<PromptTarget, { kind: "endpoint" }>,
  id: string,
  now: number,
): readonly Candidate[] {
  const prompt = nextPrompt(endpointCandidates);
  if (!prompt?.param.positional || prompt.param.type === "text") return [];
  let result = answerPrompt(prompt, id, now);
  // Other required parameters get their default values.
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

/** Weights of title, keywords and description. */
const WEIGHTS = [1, 0.9, 0.65] as const;
/** Bonus by kind, which decides between equal matches. */
const KIND_BONUS: Readonly<Partial<Record<Candidate["kind"], number>>> = {
  page: 0.08,
  entity: 0.06,
  bookmark: 0.05,
  recent: 0.03,
};
/** Penalty of legacy endpoints, unless the query names them. */
const LEGACY_PENALTY = 5;
/** Minimum score of a match. */
const MIN_SCORE = 0.3;
/** Bonuses for queries that equal the title, start it, or abbreviate its words. */
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

/** Returns the bonus of a title that equals the query, starts with it, or has words that start with its words in order. */
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

/** Texts that may be the name or symbol of a token. */
const NAME = /^[\p{L}\p{N}$ ._-]{2,32}$/u;

/** Returns the candidate that searches the tokens for a name or symbol. */
function tokenSearchCandidate(query: string): readonly Candidate[] {
  if (!NAME.test(query)) return [];
  return [
    {
      kind: "search",
      title: `search tokens for ${query}`,
      about: "By name or symbol, the best reputation first",
      keywords: "",
      action: { type: "tokens", query },
    },
  ];
}
