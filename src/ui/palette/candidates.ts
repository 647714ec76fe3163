/** Everything that the palette offers, as plain data. */
import { type Endpoint, endpointByPath } from "../../catalogue/index.ts";
import { listThemes, type Role, safeText } from "../../output/index.ts";
import { availableEndpoints, availableEntities, availablePages } from "../navigation/availability.ts";
import { type EntityKind, entityPage, namedPage } from "../navigation/entity-pages.ts";
import { ACTIONS } from "../navigation/keys/actions.ts";
import { type Binding, keyLabel } from "../navigation/keys/keymap.ts";
import { describeRoute, endpointOfRoute, type Route, shortId } from "../navigation/route.ts";
import type { Bookmark, Services } from "../navigation/services.ts";
import type { PromptTarget } from "./prompt.ts";

/** What choosing a candidate does. */
export type CandidateAction =
  | { readonly type: "open"; readonly route: Route }
  | { readonly type: "ask"; readonly target: PromptTarget }
  | { readonly type: "run"; readonly binding: Binding }
  | { readonly type: "theme"; readonly theme: string }
  /** Searches the tokens for a name or symbol. */
  | { readonly type: "tokens"; readonly query: string }
  /** Opens a command line whose symbols have to be looked up. */
  | { readonly type: "line"; readonly line: string }
  | { readonly type: "fill"; readonly text: string };

/** An entry of the palette. */
export interface Candidate {
  readonly kind:
    | "page"
    | "entity"
    | "endpoint"
    | "action"
    | "bookmark"
    | "recent"
    | "search"
    | "token"
    | "name"
    | "line"
    | "completion";
  readonly title: string;
  readonly role?: Role | undefined;
  /** The indices of the characters of the title that match what was typed. */
  readonly matched?: readonly number[] | undefined;
  readonly about: string;
  /** The command words, when the title has more than these. */
  readonly command?: string;
  /** What Tab types (default: the title). */
  readonly fill?: string;
  readonly keywords?: string;
  /** At the right end: the cost of a request, the key of an action. */
  readonly aside?: string | undefined;
  readonly action: CandidateAction;
}

/** Sources of candidates besides the catalogue. */
export interface CandidateSources extends Pick<Services, "unicode" | "supports" | "customization" | "source"> {
  /** The bindings that were active when the palette was opened. */
  readonly bindings: readonly Binding[];
  readonly bookmarks: readonly Bookmark[];
  /** Routes of this and earlier sessions, newest first. */
  readonly recent: readonly Route[];
  readonly nameOf: (address: string) => string | undefined;
}

/** Returns all candidates. */
export function listCandidates(sources: CandidateSources): readonly Candidate[] {
  const { supports, source } = sources;
  return [
    ...recentCandidates(sources),
    ...sources.bookmarks.map(({ route, name }) => routeCandidate("bookmark", route, { ...sources, name })),
    ...availablePages(supports).map((page): Candidate => {
      const { description, keywords } = namedPage(page);
      return {
        kind: "page",
        title: page,
        about: description,
        keywords,
        action: { type: "open", route: { kind: "page", page } },
      };
    }),
    ...availableEntities(supports).map((entity): Candidate => entityCandidate(entity)),
    ...availableEndpoints(supports).map((endpoint) => endpointCandidate(endpoint, source)),
    ...byImportance(sources.bindings).map((binding) => actionCandidate(binding, sources.unicode)),
    ...listThemes(sources.customization?.themes).map(
      ([theme, description]): Candidate => ({
        kind: "action",
        title: `theme ${theme}`,
        about: `Theme: ${description}`,
        keywords: "colours colors looks",
        action: { type: "theme", theme },
      }),
    ),
  ];
}

function byImportance(bindings: readonly Binding[]): readonly Binding[] {
  const rank = ({ group, hint = Number.MAX_SAFE_INTEGER }: Binding) =>
    group === "data" ? hint : Number.MAX_SAFE_INTEGER;
  return bindings.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns recent routes, without pages, which are candidates anyway, and without bookmarked routes. */
function recentCandidates(sources: CandidateSources): readonly Candidate[] {
  const { recent, bookmarks } = sources;
  const known = new Set(bookmarks.map(({ route }) => JSON.stringify(route)));
  return recent
    .filter((route) => route.kind !== "page" && !known.has(JSON.stringify(route)))
    .map((route) => routeCandidate("recent", route, sources));
}

interface RouteNames extends Pick<CandidateSources, "nameOf"> {
  readonly name?: string;
}

function routeCandidate(kind: "bookmark" | "recent", route: Route, { name, nameOf }: RouteNames): Candidate {
  const common = { kind, keywords: routeKeywords(route), action: { type: "open", route } as const };
  if (route.kind === "entity") {
    const { entity, id } = route;
    const title = name ?? nameOf(id);
    const { role } = entityPage(entity);
    if (title === undefined) return { ...common, title: shortId(id), role, about: entity };
    return { ...common, title: safeText(title), role, about: safeText(`${entity} ${id}`) };
  }
  if (route.kind === "page") return { ...common, title: safeText(name ?? route.page), about: route.page };
  const { command = route.endpointRoute } = endpointOfRoute(route) ?? {};
  return {
    ...common,
    title: safeText(name ?? command),
    about: [name === undefined ? "" : command, describeRoute(route, nameOf)].filter(Boolean).join(" "),
  };
}

function routeKeywords(route: Route): string {
  if (route.kind === "page") return route.page;
  return route.kind === "entity" ? `${route.entity} ${route.id}` : `${route.endpointRoute} ${describeRoute(route)}`;
}

function entityCandidate(entity: EntityKind): Candidate {
  const { description, keywords, role, listPath } = entityPage(entity);
  const list = listPath === undefined ? undefined : endpointByPath("v2", listPath);
  return {
    kind: "entity",
    title: entity,
    role,
    about: description,
    keywords,
    action: list
      ? { type: "open", route: { kind: "endpoint", endpointRoute: list.route, params: {} } }
      : { type: "ask", target: { kind: "entity", entity } },
  };
}

function endpointCandidate(endpoint: Endpoint, source: Services["source"]): Candidate {
  const { command, summary, route, group, aliases = [] } = endpoint;
  return {
    kind: "endpoint",
    title: command,
    about: summary,
    keywords: [...aliases.map((alias) => `${group} ${alias}`), route].join(" "),
    aside: formatCost(endpoint, source),
    action: { type: "ask", target: { kind: "endpoint", endpoint } },
  };
}

/**
 * Returns the cost of a request: `100 units`, `100 units each`, `free`. Where units are not charged, what takes many calls is marked.
 */
export function formatCost(endpoint: Endpoint, { facts, supports }: Services["source"]): string {
  const { cost } = endpoint;
  if (!facts.chargesUnits) return supports(endpoint).isWalk ? "a call per transaction" : "";
  if (cost.units === 0) return "free";
  return cost.per === "item" ? `${cost.units} units each` : `${cost.units} units`;
}

function actionCandidate(binding: Binding, unicode: boolean): Candidate {
  const { name, label, keys, group } = binding;
  const text = keys
    .slice(0, 2)
    .map((key) => keyLabel(key, unicode))
    .join(" ");
  return {
    kind: "action",
    title: label,
    about: name === undefined ? "On this page" : ACTIONS[name].description,
    keywords: group,
    aside: text,
    action: { type: "run", binding },
  };
}
