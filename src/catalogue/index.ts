/** The API as data. Everything that solx knows about an endpoint is here, once. */
import type { Endpoint } from "./endpoint.ts";
import { v2Account } from "./endpoints/v2-account.ts";

/** Every endpoint, in the order of the specification, with its literal type. */
export const catalogue = [...v2Account] as const;

/** Every endpoint, in the order of the specification. */
export const endpoints: readonly Endpoint[] = catalogue;
