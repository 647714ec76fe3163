/** Palette search: identifiers are recognised, everything else is matched by fuzzy search. */

import { single } from "fuzzysort";
import type { Endpoint } from "../../catalogue/index.ts";
import { isMeantAsIdentifier, type Recognised, recognise, unrecognisedError } from "../../client/index.ts";
import { safeText } from "../../output/index.ts";
import { availableEndpoints, availableEntities } from "../navigation/availability.ts";
import { type EntityKind, entityPage } from "../navigation/entity-pages.ts";
import { mayIdentify, type Route, shortId } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import { type Candidate, formatCost } from "./candidates.ts";
import { answerPrompt, defaultAnswer, nextPrompt } from "./prompt.ts";

const MAX_RESULTS = 60;

/** Search results, and a note about the input. */
export interface SearchResults {
  readonly candidates: readonly Candidate[];
  readonly note: string | undefined;
}

type SearchServices = Pick<Services, "supports" | "source" | "now">;

/**
 * Searches the candidates for a text.
 * @param found the commands that answer the text as a question, best first
 */
export function searchCandidates(
  text: string,
  all: readonly Candidate[],
  services: SearchServices,
  found: readonly string[] = [],
): SearchResults {
  const query = text.trim();
  if (query === "") return { candidates: initialCandidates(all), note: undefined };
  const whole = recognise(query);
  const identifierResults = candidatesForIdentifier(whole, "", services);
  if (identifierResults.length > 0) return { candidates: identifierResults, note: whole.notes.at(-1) };
  const { matches, others } = identifiersIn(query);
  if (matches.length > 1)
    return { candidates: matches.slice(0, MAX_RESULTS).flatMap((one) => findEntities(one, services)), note: undefined };
  const [part] = matches;
  const partResults = part ? candidatesForIdentifier(part, others.map(({ value }) => value).join(" "), services) : [];
  if (partResults.length > 0) return { candidates: partResults, note: part?.notes.at(-1) };
  const damaged = [whole, ...others].find(isMeantAsIdentifier);
  const candidates = [...orderedLists(query, services), ...withAnswers(fuzzySearch(query, all), all, found)];
  if (damaged) return { candidates, note: explainIdentifier(damaged) };
  return { candidates: [...candidates, ...tokenSearchCandidate(query)], note: undefined };
}

/** Maximum number of results of each kind before anything is typed; commands and all actions are found by typing. */
const INITIAL_LIMITS: readonly (readonly [kind: Candidate["kind"], most: number])[] = [
  ["recent", 4],
  ["bookmark", 4],
  ["action", 3],
  ["page", MAX_RESULTS],
  ["entity", MAX_RESULTS],
];

function initialCandidates(all: readonly Candidate[]): readonly Candidate[] {
  const possible = all.filter(({ action }) => action.type !== "explain");
  return INITIAL_LIMITS.flatMap(([kind, most]) => possible.filter((one) => one.kind === kind).slice(0, most));
}

function legacyLast(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates.filter((one) => !isLegacy(one)), ...candidates.filter(isLegacy)];
}

/** Returns why a text that is meant as an identifier has no page, as the command line reports it. */
function explainIdentifier(match: Recognised): string {
  const { message, hint = "" } = unrecognisedError(match, "address, signature, slot, link or command", "");
  return safeText(`${message} ${hint}`);
}

/** Returns the distinct identifiers among several words, and the other words. */
function identifiersIn(text: string): Readonly<Record<"matches" | "others", readonly Recognised[]>> {
  const words = text.split(/[\s,;]+/).map(recognise);
  if (words.length < 2) return { matches: [], others: [] };
  const isIdentifier = ({ kind }: Recognised) => ["address", "signature", "slot", "hash"].includes(kind);
  const matches = new Map(words.filter(isIdentifier).map((match) => [match.value, match]));
  return { matches: [...matches.values()], others: words.filter((match) => !isIdentifier(match)) };
}

function findEntities(match: Recognised, { supports }: SearchServices): readonly Candidate[] {
  const entity = match.target ?? availableEntities(supports).find((one) => mayIdentify(one, match));
  return entity ? [{ ...entityCandidate(entity, match.value), title: safeText(match.value), about: entity }] : [];
}

function entityCandidate(entity: EntityKind, id: string): Candidate {
  const { openLabel, role, aliases } = entityPage(entity);
  const route: Route = { kind: "entity", entity, id };
  return {
    kind: "entity",
    title: `${entity} ${shortId(id)}`,
    role,
    command: entity,
    about: openLabel,
    keywords: [entity, ...aliases].join(" "),
    action: { type: "open", route },
  };
}

/** Returns what an identifier opens: entities, then endpoints that take it, filtered by the other words. */
function candidatesForIdentifier(match: Recognised, words: string, services: SearchServices): readonly Candidate[] {
  const entities = availableEntities(services.supports).filter((entity) => mayIdentify(entity, match));
  if (entities.length === 0) return [];
  const endpointCandidates = availableEndpoints(services.supports).flatMap((endpoint) =>
    endpointCandidate(endpoint, match.value, services),
  );
  const all = [
    ...withFirst(entities, match.target).map((entity) => entityCandidate(entity, match.value)),
    ...legacyLast(endpointCandidates),
  ];
  return words === "" ? all : fuzzySearch(words, all);
}

function withFirst(entities: readonly EntityKind[], first: EntityKind | undefined): readonly EntityKind[] {
  return first === undefined ? entities : [first, ...entities.filter((entity) => entity !== first)];
}

function endpointCandidate(endpoint: Endpoint, id: string, { source, now }: SearchServices): readonly Candidate[] {
  const prompt = nextPrompt(endpoint);
  if (!prompt?.param.positional || prompt.param.type === "text") return [];
  let result = answerPrompt(prompt, id, now());
  // Other required parameters get their default values.
  while (result.prompt) result = answerPrompt(result.prompt, defaultAnswer(result.prompt, []), now());
  const { route } = result;
  if (!route) return [];
  const { command, summary, aliases = [] } = endpoint;
  return [
    {
      kind: "endpoint",
      title: `${command} ${shortId(id)}`,
      fill: `${command} ${id} `,
      command,
      about: summary,
      keywords: `${command} ${aliases.join(" ")} ${endpoint.route}`,
      aside: formatCost(endpoint, source),
      action: { type: "open", route },
    },
  ];
}

function fuzzySearch(text: string, all: readonly Candidate[]): readonly Candidate[] {
  const matches = matchCandidates(text, all).slice(0, MAX_RESULTS);
  return groupByKind(matches.map(({ candidate }) => candidate));
}

/** Adds what answers the text as a question: behind what is called so, the best answers only. */
function withAnswers(
  named: readonly Candidate[],
  all: readonly Candidate[],
  found: readonly string[],
): readonly Candidate[] {
  const answers = found.flatMap((command) => all.find((one) => ANSWERS.has(one.kind) && one.title === command) ?? []);
  const isNamed = new Set(named.map(({ title }) => title));
  return [...named, ...answers.filter(({ title }) => !isNamed.has(title)).slice(0, MAX_ANSWERS)];
}

/** The kinds of candidates that the manual has pages about. */
const ANSWERS: ReadonlySet<Candidate["kind"]> = new Set(["endpoint", "page"]);
const MAX_ANSWERS = 8;

/** Words around the name of an order. */
const ORDER_WORDS = ["by", "top", "most", "highest", "sort"];
const MAX_ORDERED = 3;

/** Returns the lists in an order that a text names by at least two of its words, or their beginnings: `volume 7d`, `vol7d`. */
function orderedLists(query: string, { supports, source }: SearchServices): readonly Candidate[] {
  const typed = query.toLowerCase().match(/[a-z]+|\d+[a-z]*/g) ?? [];
  const found = availableEndpoints(supports).flatMap((endpoint) => {
    const { command, summary, group, route, query: params } = endpoint;
    if (nextPrompt(endpoint)) return [];
    const beside = [...ORDER_WORDS, group, `${group}s`];
    return (params.sort_by?.values ?? []).flatMap((order) => {
      const words = String(order).split("_");
      const named = words.filter((word) => typed.some((one) => word.startsWith(one)));
      const isNamed = typed.every((one) => beside.includes(one) || words.some((word) => word.startsWith(one)));
      if (!isNamed || named.length < 2) return [];
      const candidate: Candidate = {
        kind: "endpoint",
        title: `${command} --sort-by ${order}`,
        about: summary,
        aside: formatCost(endpoint, source),
        action: { type: "open", route: { kind: "endpoint", endpointRoute: route, params: { sort_by: order } } },
      };
      return [{ candidate, others: words.length - named.length }];
    });
  });
  const nearest = found.toSorted((a, b) => a.others - b.others).slice(0, MAX_ORDERED);
  return nearest.map(({ candidate }) => candidate);
}

/** Texts that may be the name or symbol of a token. */
const NAME = /^[\p{L}\p{N}$ ._-]{2,32}$/u;

function tokenSearchCandidate(query: string): readonly Candidate[] {
  if (!NAME.test(query)) return [];
  return [
    {
      kind: "search",
      title: `search tokens for ${query}`,
      about: "By name or symbol, the best reputation first",
      action: { type: "tokens", query },
    },
  ];
}

const WEIGHTS = [1, 0.9, 0.65] as const;
/** Rank of the kinds, the highest first: it decides between titles that match by the same rule, and equal scores. */
const KIND_RANKS: Readonly<Partial<Record<Candidate["kind"], number>>> = {
  page: 6,
  entity: 5,
  token: 4,
  bookmark: 3,
  name: 2,
  recent: 1,
};
/** Weight of a rank between equal scores; scores are at most 1. */
const RANK_WEIGHT = 0.01;
/** Penalty of legacy endpoints, unless the query names them. */
const LEGACY_PENALTY = 50;
const MIN_SCORE = 0.3;
/** Weight of what is not possible here. */
const EXPLAIN_WEIGHT = 0.6;
/** Bonuses for queries that equal the title, start it, or abbreviate its words. */
const EXACT_BONUS = 30;
const PREFIX_BONUS = 20;
const INITIALS_BONUS = 10;

/** A candidate that matches, and how well. */
export interface Match {
  readonly candidate: Candidate;
  readonly score: number;
}

const isLegacy = ({ title }: Candidate) => title.startsWith("legacy ");

/** Returns the candidates that match a text, with the indices of the matching characters in their titles, best first. */
function matchCandidates(text: string, all: readonly Candidate[]): readonly Match[] {
  const query = splitWords(text);
  const includesLegacy = query.some((word) => word.length > 2 && "legacy".startsWith(word));
  const matches = all.flatMap((candidate): readonly Match[] => {
    const { title, keywords = "", about, kind } = candidate;
    const results = [title, keywords, about].map((target) => single(text, target));
    const weight = candidate.action.type === "explain" ? EXPLAIN_WEIGHT : 1;
    const score = weight * Math.max(...results.map((result, index) => (result?.score ?? 0) * (WEIGHTS[index] ?? 0)));
    if (score < MIN_SCORE) return [];
    const penalty = isLegacy(candidate) && !includesLegacy ? LEGACY_PENALTY : 0;
    const rule = titleBonus(query, splitWords(candidate.command ?? title));
    const rank = KIND_RANKS[kind] ?? 0;
    const bonus = rule > 0 ? rule + rank : rank * RANK_WEIGHT;
    const matched = results[0]?.indexes;
    return [
      { candidate: matched ? { ...candidate, matched: [...matched] } : candidate, score: score + bonus - penalty },
    ];
  });
  return matches.toSorted((a, b) => b.score - a.score);
}

const splitWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

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

/** Returns candidates in groups of one kind, the group with the best match first. */
function groupByKind(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...Map.groupBy(candidates, ({ kind }) => kind).values()].flat();
}
