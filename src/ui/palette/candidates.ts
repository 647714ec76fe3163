/** Everything that the palette can do where one is, as plain data. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";
import { ACTIONS } from "../app/keys/actions.ts";
import { type Binding, keyLabel } from "../app/keys/keymap.ts";
import { endpointOfRoute, type Route, routeTitle } from "../app/route.ts";
import { ENTITY_KINDS, type EntityKind, type PageName } from "../app/entity-pages.ts";
import type { Bookmark } from "../app/services.ts";
import { THEME_NAMES, THEMES, type ThemeName } from "../app/theme/themes.ts";
import type { PromptTarget } from "./prompt.ts";

/** What choosing does. */
export type CandidateAction =
  | { readonly type: "open"; readonly route: Route }
  | { readonly type: "ask"; readonly target: PromptTarget }
  | { readonly type: "run"; readonly binding: Binding }
  | { readonly type: "theme"; readonly theme: ThemeName }
  /** Looks for a name or symbol among the tokens. */
  | { readonly type: "tokens"; readonly query: string };

/** One line of the palette. */
export interface Candidate {
  /** What it is, in one word. */
  readonly kind: "place" | "entity" | "endpoint" | "action" | "bookmark" | "recent" | "search" | "token";
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about: string;
  /** The words that it is called by, where the title has more than these. */
  readonly command?: string;
  /** Further words that find it. */
  readonly keywords: string;
  /** What it costs, for requests. */
  readonly cost?: string | undefined;
  readonly action: CandidateAction;
}

/** What there is to choose from beside the catalogue. */
export interface CandidateSources {
  /** The keys that were obeyed when the palette was opened. */
  readonly bindings: readonly Binding[];
  readonly bookmarks: readonly Bookmark[];
  /** Places of this session and of former ones, the newest first. */
  readonly recent: readonly Route[];
  /** Whether keys may be named with arrows. */
  readonly unicode: boolean;
}

const PAGES: readonly (readonly [hall: PageName, about: string, words: string])[] = [
  ["home", "The chain now: latest blocks, trending and top tokens", "start chain"],
  ["leaderboard", "The accounts that own most", "richest whales accounts top"],
  ["usage", "What is left of your compute units", "quota budget units limits"],
  ["bookmarks", "Your bookmarks, and the places where you were", "favourites saved recent history"],
];

const ENTITIES: Readonly<Record<EntityKind, readonly [about: string, words: string]>> = {
  account: ["Open an account: portfolio, transfers, transactions, …", "wallet address owner"],
  token: ["Open a token by its mint: price, holders, markets, …", "mint coin"],
  transaction: ["Open a transaction by its signature", "tx signature"],
  block: ["Open a block by its slot", "slot"],
  market: ["Open a market by the address of its pool", "pool amm pair"],
  program: ["Open a program by its address", "contract"],
  collection: ["Open an NFT collection", "nft"],
};

/** Everything there is to choose, before anything is typed. */
export function listCandidates(sources: CandidateSources): readonly Candidate[] {
  return [
    ...recentCandidates(sources),
    ...sources.bookmarks.map(({ route, name }) => routeCandidate("bookmark", route, name)),
    ...PAGES.map(
      ([page, about, keywords]): Candidate => ({
        kind: "place",
        title: page,
        about,
        keywords,
        action: { type: "open", route: { kind: "page", page } },
      }),
    ),
    ...ENTITY_KINDS.map((entity): Candidate => entityCandidate(entity)),
    ...endpoints.map(endpointCandidate),
    ...THEME_NAMES.map(
      (theme): Candidate => ({
        kind: "action",
        title: `theme ${theme}`,
        about: `Looks: ${THEMES[theme].about}`,
        keywords: "colours colors looks",
        action: { type: "theme", theme },
      }),
    ),
    ...sources.bindings.map((binding) => actionCandidate(binding, sources.unicode)),
  ];
}

/** Halls are in the list anyway; a bookmark tells more than a place that was visited. */
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

/** A place in full: of a request, what is asked beside its identifier first, since its title has no more than that. */
export function describeRoute(route: Route): string {
  if (route.kind === "page") return route.page;
  if (route.kind === "entity") return safeText(`${route.entity} ${route.id}`);
  const endpoint = endpointOfRoute(route);
  const isIdentifier = (name: string) => endpoint?.query[name]?.positional === true;
  const names = Object.keys(route.params);
  const given = [...names.filter((name) => !isIdentifier(name)), ...names.filter(isIdentifier)];
  return safeText(given.map((name) => `${name}=${String(route.params[name])}`).join(" "));
}

function routeKeywords(route: Route): string {
  if (route.kind === "page") return route.page;
  return route.kind === "entity" ? `${route.entity} ${route.id}` : `${route.endpointRoute} ${describeRoute(route)}`;
}

function entityCandidate(entity: EntityKind): Candidate {
  const [about, keywords] = ENTITIES[entity];
  return { kind: "entity", title: entity, about, keywords, action: { type: "ask", target: { kind: "entity", entity } } };
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

/** What a request costs: `100 units`, `100 units each`, `free`. */
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
    about: binding.name === undefined ? `What ${keys} does here` : `${ACTIONS[binding.name].description} (${keys})`,
    keywords: binding.group,
    action: { type: "run", binding },
  };
}
