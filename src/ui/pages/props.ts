/** The properties of page components. */
import type { Region } from "../navigation/context.ts";
import type { Route } from "../navigation/route.ts";

/** A page fills its region with the content of a route. */
export interface PageProps<P extends Route = Route> {
  readonly route: P;
  readonly region: Region;
}

/** What the component of a tab fills. */
export interface TabProps {
  /** The identifier of the entity. */
  readonly id: string;
  readonly region: Region;
  /** Names the tab within its page. */
  readonly part: string;
}

/** The route of an entity. */
export type EntityRoute = Extract<Route, { readonly kind: "entity" }>;
