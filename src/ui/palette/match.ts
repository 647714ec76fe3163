/** Fuzzy matching of what is typed: scores, and which characters match. */
import { single } from "fuzzysort";
import type { Candidate } from "./candidates.ts";

/** Weights of title, keywords and description. */
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
/** Minimum score of a match. */
const MIN_SCORE = 0.3;
/** Bonuses for queries that equal the title, start it, or abbreviate its words. */
const EXACT_BONUS = 30;
const PREFIX_BONUS = 20;
const INITIALS_BONUS = 10;

/** A candidate that matches, and how well. */
export interface Match {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Returns whether an endpoint is of the legacy API. */
export const isLegacy = ({ title }: Candidate) => title.startsWith("legacy ");

/** Returns the candidates that match a text, with the indices of the matching characters in their titles, best first. */
export function matchCandidates(text: string, all: readonly Candidate[]): readonly Match[] {
  const query = splitWords(text);
  const includesLegacy = query.some((word) => word.length > 2 && "legacy".startsWith(word));
  const matches = all.flatMap((candidate): readonly Match[] => {
    const { title, keywords, about, kind } = candidate;
    const results = [title, keywords, about].map((target) => single(text, target));
    const score = Math.max(...results.map((result, index) => (result?.score ?? 0) * (WEIGHTS[index] ?? 0)));
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

/** Returns candidates in groups of one kind, the group with the best match first. */
export function groupByKind(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...Map.groupBy(candidates, ({ kind }) => kind).values()].flat();
}
