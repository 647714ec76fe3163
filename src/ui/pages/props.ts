/** What a screen gets. */
import type { Region } from "../app/context.ts";
import type { Route } from "../app/route.ts";

/** A screen fills its region with what a place is about. */
export interface PageProps<P extends Route = Route> {
  readonly route: P;
  readonly region: Region;
}

/** The place of a thing. */
export type EntityRoute = Extract<Route, { readonly kind: "entity" }>;
