/** What a screen gets. */
import type { Region } from "../app/context.ts";
import type { Place } from "../app/route.ts";

/** A screen fills its region with what a place is about. */
export interface ScreenProps<P extends Place = Place> {
  readonly place: P;
  readonly region: Region;
}

/** The place of a thing. */
export type ThingPlace = Extract<Place, { readonly kind: "thing" }>;
