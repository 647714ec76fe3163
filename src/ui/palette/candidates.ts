/** Everything that the palette offers, as plain data. */
import { type Endpoint, endpoints } from "../../catalogue/index.ts";
import { safeText } from "../../output/index.ts";
import { ENTITY_KINDS, type EntityKind, entityPage, namedPage, PAGE_NAMES } from "../app/entity-pages.ts";
import { ACTIONS } from "../app/keys/actions.ts";
import { type Binding, keyLabel } from "../app/keys/keymap.ts";
import { endpointOfRoute, type Route, routeTitle } from "../app/route.ts";
import type { Bookmark } from "../app/services.ts";
import { THEME_NAMES, THEMES, type ThemeName } from "../app/theme/themes.ts";
import type { PromptTarget } from "./prompt.ts";

/** What choosing a candidate does. */
export type CandidateAction =
  | { readonly type: "open"; readonly route: Route }
  | { readonly type: "ask"; readonly target: PromptTarget }
  | { readonly type: "run"; readonly binding: Binding }
  | { readonly type: "theme"; readonly theme: ThemeName }
  /** Searches the tokens for a name or symbol. */
  | { readonly type: "tokens"; readonly query: string };

/** An entry of the palette. */
export interface Candidate {
  /** What it is; shown in the palette. */
  readonly kind: "page" | "entity" | "endpoint" | "action" | "bookmark" | "recent" | "search" | "token";
  readonly title: string;
  /** Description in one sentence. */
  readonly about: string;
  /** The command words, when the title has more than these. */
  readonly command?: string;
  /** Further search keywords. */
  readonly keywords: string;
  /** Cost, for requests. */
  readonly cost?: string | undefined;
  readonly action: CandidateAction;
}

/** Sources of candidates besides the catalogue. */
export interface CandidateSources {
  /** The bindings that were active when the palette was opened. */
  readonly bindings: readonly Binding[];
  readonly bookmarks: readonly Bookmark[];
  /** Routes of this and earlier sessions, newest first. */
  readonly recent: readonly Route[];
  /** Whether key labels may use arrows. */
  readonly unicode: boolean;
}

/** Returns all candidates. */
export function listCandidates(sources: CandidateSources): readonly Candidate[] {
  return [
    ...recentCandidates(sources),
    ...sources.bookmarks.map(({ route, name }) => routeCandidate("bookmark", route, name)),
    ...PAGE_NAMES.map((page): Candidate => {
      const { description, keywords } = namedPage(page);
      return {
        kind: "page",
        title: page,
        about: description,
        keywords,
        action: { type: "open", route: { kind: "page", page } },
      };
    }),
    ...ENTITY_KINDS.map((entity): Candidate => entityCandidate(entity)),
    ...endpoints.map(endpointCandidate),
    ...THEME_NAMES.map(
      (theme): Candidate => ({
        kind: "action",
        title: `theme ${theme}`,
        about: `Theme: ${THEMES[theme].about}`,
        keywords: "colours colors looks",
        action: { type: "theme", theme },
      }),
    ),
    ...sources.bindings.map((binding) => actionCandidate(binding, sources.unicode)),
  ];
}

/** Returns recent routes, without pages, which are candidates anyway, and without bookmarked routes. */
function recentCandidates({ recent, bookmarks }: CandidateSources): readonly Candidate[] {
  const known = new Set(bookmarks.map(({ route }) => JSON.stringify(route)));
  return recent
    .filter((route) => route.kind !== "page" && !known.has(JSON.stringify(route)))
    .map((route) => routeCandidate("recent", route, routeTitle(route)));
}

function routeCandidate(kind: "bookmark" | "recent", route: Route, name: string): Candidate {
  return {
    kind,
    title: safeText(name),
    about: describeRoute(route),
    keywords: routeKeywords(route),
    action: { type: "open", route },
  };
}

/** Describes a route in full; for an endpoint, the identifier comes last since the title has it. */
export function describeRoute(route: Route): string {
  if (route.kind === "page") return route.page;
  if (route.kind === "entity") return safeText(`${route.entity} ${route.id}`);
  const endpoint = endpointOfRoute(route);
  const isIdentifier = (name: string) => endpoint?.query[name]?.positional === true;
  const names = Object.keys(route.params);
  const ordered = [...names.filter((name) => !isIdentifier(name)), ...names.filter(isIdentifier)];
  return safeText(ordered.map((name) => `${name}=${String(route.params[name])}`).join(" "));
}

function routeKeywords(route: Route): string {
  if (route.kind === "page") return route.page;
  return route.kind === "entity" ? `${route.entity} ${route.id}` : `${route.endpointRoute} ${describeRoute(route)}`;
}

function entityCandidate(entity: EntityKind): Candidate {
  const { description, keywords } = entityPage(entity);
  return {
    kind: "entity",
    title: entity,
    about: description,
    keywords,
    action: { type: "ask", target: { kind: "entity", entity } },
  };
}

function endpointCandidate(endpoint: Endpoint): Candidate {
  const { command, summary, route, group, aliases = [] } = endpoint;
  return {
    kind: "endpoint",
    title: command,
    about: summary,
    keywords: [...aliases.map((alias) => `${group} ${alias}`), route].join(" "),
    cost: formatCost(endpoint),
    action: { type: "ask", target: { kind: "endpoint", endpoint } },
  };
}

/** Returns the cost of a request: `100 units`, `100 units each`, `free`. */
export function formatCost({ cost }: Endpoint): string {
  if (cost.units === 0) return "free";
  return cost.per === "item" ? `${cost.units} units each` : `${cost.units} units`;
}

function actionCandidate(binding: Binding, unicode: boolean): Candidate {
  const keys = binding.keys
    .slice(0, 2)
    .map((key) => keyLabel(key, unicode))
    .join(" or ");
  return {
    kind: "action",
    title: binding.label,
    about: binding.name === undefined ? `Key ${keys} on this page` : `${ACTIONS[binding.name].description} (${keys})`,
    keywords: binding.group,
    action: { type: "run", binding },
  };
}
