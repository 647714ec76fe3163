/** Where the API lives, and how a key travels there. */
import type { Family } from "./constants.ts";

/** The base address of each family. */
export const SERVERS: Readonly<Record<Family, string>> = {
  v2: "https://pro-api.solscan.io/v2.0",
  legacy: "https://pro-api.solscan.io/v1.0",
  public: "https://public-api.solscan.io",
};

/** Where each family is on a server that has all of them. */
export const FAMILY_PATHS: Readonly<Record<Family, string>> = { v2: "/v2.0", legacy: "/v1.0", public: "" };

/** The request header that carries the key. */
export const KEY_HEADER = "token";
