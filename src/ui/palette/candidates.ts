/** Everything that the palette can do where one is, as plain data. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";
import { ACTIONS } from "../app/keys/actions.ts";
import { type Binding, shownKey } from "../app/keys/keymap.ts";
import { endpointOf, type Hall, type Place, THINGS, type Thing, titleOf } from "../app/route.ts";
import type { Bookmark } from "../app/services.ts";
import { THEME_NAMES, THEMES, type ThemeName } from "../app/theme/themes.ts";
import type { Asked } from "./prompt.ts";

/** What choosing does. */
export type Effect =
  | { readonly do: "open"; readonly place: Place }
  | { readonly do: "ask"; readonly asked: Asked }
  | { readonly do: "run"; readonly binding: Binding }
  | { readonly do: "theme"; readonly theme: ThemeName }
  /** Looks for a name or symbol among the tokens. */
  | { readonly do: "tokens"; readonly wanted: string };

/** One line of the palette. */
export interface Candidate {
  /** What it is, in one word. */
  readonly kind: "place" | "thing" | "endpoint" | "action" | "bookmark" | "recent" | "search" | "token";
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about: string;
  /** The words that it is called by, where the title has more than these. */
  readonly command?: string;
  /** Further words that find it. */
  readonly words: string;
  /** What it costs, for requests. */
  readonly cost?: string | undefined;
  readonly effect: Effect;
}

/** What there is to choose from beside the catalogue. */
export interface World {
  /** The keys that were obeyed when the palette was opened. */
  readonly actions: readonly Binding[];
  readonly bookmarks: readonly Bookmark[];
  /** Places of this session and of former ones, the newest first. */
  readonly recent: readonly Place[];
  /** Whether keys may be named with arrows. */
  readonly unicode: boolean;
}

const HALLS: readonly (readonly [hall: Hall, about: string, words: string])[] = [
  ["home", "The chain now: latest blocks, trending and top tokens", "start chain"],
  ["leaderboard", "The accounts that own most", "richest whales accounts top"],
  ["usage", "What is left of your compute units", "quota budget units limits"],
  ["bookmarks", "Your bookmarks, and the places where you were", "favourites saved recent history"],
];

const THING_WORDS: Readonly<Record<Thing, readonly [about: string, words: string]>> = {
  account: ["Open an account: portfolio, transfers, transactions, …", "wallet address owner"],
  token: ["Open a token by its mint: price, holders, markets, …", "mint coin"],
  transaction: ["Open a transaction by its signature", "tx signature"],
  block: ["Open a block by its slot", "slot"],
  market: ["Open a market by the address of its pool", "pool amm pair"],
  program: ["Open a program by its address", "contract"],
  collection: ["Open an NFT collection", "nft"],
};

/** Everything there is to choose, before anything is typed. */
export function candidatesOf(world: World): readonly Candidate[] {
  return [
    ...recentOf(world),
    ...world.bookmarks.map(({ place, name }) => placeCandidate("bookmark", place, name)),
    ...HALLS.map(
      ([hall, about, words]): Candidate => ({
        kind: "place",
        title: hall,
        about,
        words,
        effect: { do: "open", place: { kind: "hall", hall } },
      }),
    ),
    ...THINGS.map((thing): Candidate => thingCandidate(thing)),
    ...endpoints.map(endpointCandidate),
    ...THEME_NAMES.map(
      (theme): Candidate => ({
        kind: "action",
        title: `theme ${theme}`,
        about: `Looks: ${THEMES[theme].about}`,
        words: "colours colors looks",
        effect: { do: "theme", theme },
      }),
    ),
    ...world.actions.map((binding) => actionCandidate(binding, world.unicode)),
  ];
}

/** Halls are in the list anyway; a bookmark tells more than a place that was visited. */
function recentOf({ recent, bookmarks }: World): readonly Candidate[] {
  const known = new Set(bookmarks.map(({ place }) => JSON.stringify(place)));
  return recent
    .filter((place) => place.kind !== "hall" && !known.has(JSON.stringify(place)))
    .map((place) => placeCandidate("recent", place, titleOf(place)));
}

function placeCandidate(kind: "bookmark" | "recent", place: Place, name: string): Candidate {
  return {
    kind,
    title: safeText(name),
    about: aboutPlace(place),
    words: wordsOfPlace(place),
    effect: { do: "open", place },
  };
}

/** A place in full: of a request, what is asked beside its identifier first, since its title has no more than that. */
export function aboutPlace(place: Place): string {
  if (place.kind === "hall") return place.hall;
  if (place.kind === "thing") return safeText(`${place.thing} ${place.id}`);
  const endpoint = endpointOf(place);
  const isIdentifier = (name: string) => endpoint?.query[name]?.positional === true;
  const names = Object.keys(place.params);
  const given = [...names.filter((name) => !isIdentifier(name)), ...names.filter(isIdentifier)];
  return safeText(given.map((name) => `${name}=${String(place.params[name])}`).join(" "));
}

function wordsOfPlace(place: Place): string {
  if (place.kind === "hall") return place.hall;
  return place.kind === "thing" ? `${place.thing} ${place.id}` : `${place.route} ${aboutPlace(place)}`;
}

function thingCandidate(thing: Thing): Candidate {
  const [about, words] = THING_WORDS[thing];
  return { kind: "thing", title: thing, about, words, effect: { do: "ask", asked: { kind: "thing", thing } } };
}

function endpointCandidate(endpoint: Endpoint): Candidate {
  const { command, summary, route, group, aliases = [] } = endpoint;
  return {
    kind: "endpoint",
    title: command,
    about: summary,
    words: [...aliases.map((alias) => `${group} ${alias}`), route].join(" "),
    cost: costText(endpoint),
    effect: { do: "ask", asked: { kind: "endpoint", endpoint } },
  };
}

/** What a request costs: `100 units`, `100 units each`, `free`. */
export function costText({ cost }: Endpoint): string {
  if (cost.units === 0) return "free";
  return cost.per === "item" ? `${cost.units} units each` : `${cost.units} units`;
}

function actionCandidate(binding: Binding, unicode: boolean): Candidate {
  const keys = binding.keys
    .slice(0, 2)
    .map((key) => shownKey(key, unicode))
    .join(" or ");
  return {
    kind: "action",
    title: binding.label,
    about: binding.name === undefined ? `What ${keys} does here` : `${ACTIONS[binding.name].about} (${keys})`,
    words: binding.group,
    effect: { do: "run", binding },
  };
}
