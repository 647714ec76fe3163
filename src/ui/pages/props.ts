/** The properties of page components. */
import type { Region } from "../navigation/context.ts";
import type { Route } from "../navigation/route.ts";

/** A page fills its region with the content of a route. */
export interface PageProps<P extends Route = Route> {
  readonly route: P;
  readonly region: Region;
}

/** The route of an entity. */
export type EntityRoute = Extract<Route, { readonly kind: "entity" }>;
