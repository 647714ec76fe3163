/** Palette search: identifiers are recognised, everything else is matched by fuzzy search. */
import { isMeantAsIdentifier, type Recognised, recognise, unrecognisedError } from "../../client/index.ts";
import { safeText } from "../../output/index.ts";
import { availableEndpoints, availableEntities } from "../navigation/availability.ts";
import { type EntityKind, entityPage } from "../navigation/entity-pages.ts";
import { type Route, shortId } from "../navigation/route.ts";
import { mayIdentify } from "../navigation/route-for.ts";
import type { Services } from "../navigation/services.ts";
import type { Candidate } from "./candidates.ts";
import { formatCost } from "./candidates.ts";
import { groupByKind, isLegacy, matchCandidates } from "./match.ts";
import { answerPrompt, defaultAnswer, nextPrompt, type PromptTarget } from "./prompt.ts";

/** Maximum number of results. */
const MAX_RESULTS = 60;

/** Search results, and a note about the input. */
export interface SearchResults {
  readonly candidates: readonly Candidate[];
  readonly note: string | undefined;
}

/** What a search depends on beside the text; `now` in milliseconds since the epoch. */
interface SearchServices extends Pick<Services, "supports" | "source"> {
  readonly now: number;
}

/** Searches the candidates for a text. */
export function searchCandidates(text: string, all: readonly Candidate[], services: SearchServices): SearchResults {
  const query = text.trim();
  if (query === "") return { candidates: initialCandidates(all), note: undefined };
  const whole = recognise(query);
  const identifierResults = candidatesForIdentifier(whole, "", services);
  if (identifierResults.length > 0) return { candidates: identifierResults, note: whole.notes.at(-1) };
  const { matches, others } = identifiersIn(query);
  if (matches.length > 1)
    return { candidates: matches.slice(0, MAX_RESULTS).flatMap((one) => entitiesOf(one, services)), note: undefined };
  const [part] = matches;
  const partResults = part ? candidatesForIdentifier(part, others.map(({ value }) => value).join(" "), services) : [];
  if (partResults.length > 0) return { candidates: partResults, note: part?.notes.at(-1) };
  const damaged = [whole, ...others].find(isMeantAsIdentifier);
  const candidates = fuzzySearch(query, all);
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
  return INITIAL_LIMITS.flatMap(([kind, most]) => all.filter((one) => one.kind === kind).slice(0, most));
}

/** Sorts legacy endpoints after the current ones, which answer the same questions. */
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

/** Returns the most likely entity of each of several identifiers. */
function entitiesOf(match: Recognised, { supports }: SearchServices): readonly Candidate[] {
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
    endpointCandidate({ kind: "endpoint", endpoint }, match.value, services),
  );
  const all = [
    ...withFirst(entities, match.target).map((entity) => entityCandidate(entity, match.value)),
    ...legacyLast(endpointCandidates),
  ];
  return words === "" ? all : fuzzySearch(words, all);
}

/** Moves the entity named by a link to the front. */
function withFirst(entities: readonly EntityKind[], first: EntityKind | undefined): readonly EntityKind[] {
  return first === undefined ? entities : [first, ...entities.filter((entity) => entity !== first)];
}

function endpointCandidate(
  endpointCandidates: Extract<PromptTarget, { kind: "endpoint" }>,
  id: string,
  { source, now }: SearchServices,
): readonly Candidate[] {
  const prompt = nextPrompt(endpointCandidates);
  if (!prompt?.param.positional || prompt.param.type === "text") return [];
  let result = answerPrompt(prompt, id, now);
  // Other required parameters get their default values.
  while (result.prompt) result = answerPrompt(result.prompt, defaultAnswer(result.prompt, []), now);
  const { route } = result;
  const { endpoint } = endpointCandidates;
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
      aside: { text: formatCost(endpoint, source), role: "note" },
      action: { type: "open", route },
    },
  ];
}

function fuzzySearch(text: string, all: readonly Candidate[]): readonly Candidate[] {
  const matches = matchCandidates(text, all).slice(0, MAX_RESULTS);
  return groupByKind(matches.map(({ candidate }) => candidate));
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
