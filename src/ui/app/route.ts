/** Where one can be: what a screen is about, as plain data that can be kept, compared and typed as a command. */
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpointByRoute, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { safeText } from "../../output/text/safe.ts";

/** Things of the chain that have a screen of their own. */
export const THINGS = ["account", "token", "transaction", "block", "market", "program", "collection"] as const;

/** A thing that has a screen. */
export type Thing = (typeof THINGS)[number];

/** The group of the catalogue that is about a thing. */
export function groupOf(thing: Thing): string {
  return thing === "collection" ? "nft" : thing;
}

/** The thing that a group of the catalogue is about; undefined for groups about nothing single. */
export function thingOfGroup(group: string | undefined): Thing | undefined {
  return THINGS.find((thing) => groupOf(thing) === group);
}

/** Screens that are about nothing single. */
export type Hall = "home" | "leaderboard" | "usage" | "bookmarks";

/** A place. */
export type Place =
  | { readonly kind: "hall"; readonly hall: Hall }
  /** `tab` is the name of the tab to open first. */
  | { readonly kind: "thing"; readonly thing: Thing; readonly id: string; readonly tab?: string }
  /** Any endpoint, as a list or a detail. */
  | { readonly kind: "endpoint"; readonly route: string; readonly params: ParameterValues };

/** The place where one begins. */
export const HOME: Place = { kind: "hall", hall: "home" };

/** Whether two places are the same, whatever tab is open. */
export function isSame(a: Place, b: Place): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf(place: Place): string {
  if (place.kind === "thing") return `${place.thing} ${place.id}`;
  return JSON.stringify(place);
}

/** The endpoint of a place that is one; undefined where the catalogue has no such route. */
export function endpointOf(place: Place): Endpoint | undefined {
  return place.kind === "endpoint" ? endpointByRoute(place.route) : undefined;
}

/** The last crumb of a place: `token EPjF…Dt1v`, `account transfer 5Q54…e4j1`. */
export function titleOf(place: Place): string {
  if (place.kind === "hall") return place.hall;
  if (place.kind === "thing") return `${place.thing} ${shortId(place.id)}`;
  const endpoint = endpointOf(place);
  const [name] = (endpoint && positionalOf(endpoint)) ?? [];
  const id = name === undefined ? undefined : place.params[name];
  return [endpoint?.command ?? place.route, ...(typeof id === "string" ? [shortId(id)] : [])].join(" ");
}

const ENDS = 4;

/** Both ends of an identifier; short ones whole. */
export function shortId(id: string): string {
  return safeText(id.length > 2 * ENDS + 3 ? `${id.slice(0, ENDS)}…${id.slice(-ENDS)}` : id);
}
