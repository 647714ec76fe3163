/** Everything that the palette offers, as plain data. */
import { type Endpoint, endpointByPath, familyOfPath, type ParameterValues } from "../../catalogue/index.ts";
import { listThemes, type Role, safeText } from "../../output/index.ts";
import { availableEndpoints, availableEntities, availablePages, hasPage } from "../navigation/availability.ts";
import { type EntityKind, entityPage, namedPage, PAGE_NAMES } from "../navigation/entity-pages.ts";
import { ACTION_NAMES, ACTIONS, type ActionName } from "../navigation/keys/actions.ts";
import { type Binding, keyLabel } from "../navigation/keys/keymap.ts";
import { describeRoute, endpointOfRoute, type Route, shortId } from "../navigation/route.ts";
import type { Services } from "../navigation/services.ts";
import type { Bookmark, View } from "../navigation/view.ts";
import { nextPrompt } from "./prompt.ts";

/** What choosing a candidate does. */
export type CandidateAction =
  | { readonly type: "open"; readonly route: Route; readonly state?: View["state"] }
  /** Asks for the parameters of a command. */
  | {
      readonly type: "ask";
      readonly endpoint: Endpoint;
      /** What a question says about them, and whether it is about failed transactions. */
      readonly params?: ParameterValues;
      readonly isFailedOnly?: boolean;
    }
  | { readonly type: "run"; readonly binding: Binding }
  | { readonly type: "theme"; readonly theme: string }
  /** Says why it is not possible here. */
  | { readonly type: "explain"; readonly text: string }
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
    | "completion"
    | Binding["group"]
    | "mouse";
  /** Before the title: the keys. */
  readonly lead?: string;
  readonly title: string;
  readonly role?: Role | undefined;
  /** The indices of the characters of the title that match what was typed. */
  readonly matched?: readonly number[] | undefined;
  readonly about: string;
  /** After the description where there is room: the name of an action, as in explore.json. */
  readonly name?: string | undefined;
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
    ...sources.bookmarks.map(({ name, ...view }) => viewCandidate("bookmark", view, { ...sources, name })),
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
    ...availableEntities(supports).map((entity): Candidate => entityCandidate(entity, supports)),
    ...availableEndpoints(supports).map((endpoint) => endpointCandidate(endpoint, source)),
    ...byImportance(sources.bindings).map((binding) => actionCandidate(binding, sources.unicode)),
    ...elsewhereCandidates(sources),
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

/** Where the actions of a scope are available. */
const SCOPES: Readonly<Record<string, string>> = {
  list: "in lists",
  detail: "in the fields of an object",
  tab: "on pages with tabs",
  home: "on the home page",
  account: "on the pages of accounts, tokens and programs",
  block: "on the page of a block",
  chart: "on charts",
  bookmarks: "among the bookmarks",
};

/** Where an action is available that needs more than its scope. */
const CONDITIONS: Readonly<Partial<Record<ActionName, string>>> = {
  "list.compare": "in lists, after Space has marked two rows; by name: compare jup bonk",
  "list.failed": "in lists of transactions",
};

/** Returns the actions and pages that are not available here, which say where they are. */
function elsewhereCandidates({ bindings, supports }: CandidateSources): readonly Candidate[] {
  const active = new Set(bindings.map(({ name }) => name));
  const actions = ACTION_NAMES.filter((name) => bindings.length > 0 && !active.has(name)).flatMap((name) => {
    const where = CONDITIONS[name] ?? SCOPES[name.slice(0, name.indexOf("."))];
    const { description, keys } = ACTIONS[name];
    return where === undefined
      ? []
      : [{ title: description, kind: "action", why: where, aside: keyLabel(keys[0]) } as const];
  });
  const pages = PAGE_NAMES.filter((page) => !hasPage(page, supports)).map((page) => {
    const isOfNode = familyOfPath(namedPage(page).path ?? "") === "node";
    return {
      title: page,
      kind: "page",
      why: isOfNode ? "with a node: --rpc" : "with the API",
      aside: undefined,
    } as const;
  });
  return [...actions, ...pages].map(
    ({ title, kind, why, aside }): Candidate => ({
      ...{ title, kind, aside },
      about: `only ${why}`,
      action: { type: "explain", text: `${title}: only ${why}` },
    }),
  );
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
    .map((route) => viewCandidate("recent", { route }, sources));
}

interface RouteNames extends Pick<CandidateSources, "nameOf"> {
  readonly name?: string;
}

function viewCandidate(kind: "bookmark" | "recent", view: View, { name, nameOf }: RouteNames): Candidate {
  const { route } = view;
  const common = { kind, keywords: routeKeywords(route), action: { type: "open", ...view } as const };
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

function entityCandidate(entity: EntityKind, supports: Services["supports"]): Candidate {
  const { description, keywords, role, listPath } = entityPage(entity);
  const list = listPath === undefined ? undefined : endpointByPath("v2", listPath);
  return {
    kind: "entity",
    title: entity,
    role,
    about: description,
    keywords,
    // What cannot be listed is typed behind its name.
    action:
      list && supports(list)
        ? { type: "open", route: { kind: "endpoint", endpointRoute: list.route, params: {} } }
        : { type: "fill", text: `${entity} ` },
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
    action: nextPrompt(endpoint)
      ? { type: "ask", endpoint }
      : { type: "open", route: { kind: "endpoint", endpointRoute: route, params: {} } },
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
