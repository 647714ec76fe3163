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

/** The port of this machine that the sandbox listens on when none is named. */
export const SANDBOX_PORT = 8787;

/** The key that the sandbox of a seed lets in; it opens nothing else. What no header can carry is left out of it. */
export const sandboxKey = (seed: string): string => `sandbox-key-${seed.replace(/[^\w.-]/g, "_").slice(0, 64)}`;
