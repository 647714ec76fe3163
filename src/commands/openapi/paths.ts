/** Where operations of the document are, and when: what the recorded examples share with the rest of it. */
import { type Endpoint, FAMILY_PATHS } from "../../catalogue/index.ts";

/** The time of the document, in milliseconds: fixed, so that relative times do not change it. Candles begin a month before. */
export const REFERENCE_TIME = Date.UTC(2026, 1, 1);

/** Returns the path of an endpoint on a server that has all families. */
export const pathOf = ({ family, path }: Pick<Endpoint, "family" | "path">): string => FAMILY_PATHS[family] + path;
