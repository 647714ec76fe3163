/** Requests to any path. They are checked only for what could send them, or the key, elsewhere. */
import { UsageError } from "../../base/index.ts";
import { endpointByPath, FAMILY_PATHS, type Family, familyOfPath, SERVERS } from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import { costOf, type PreparedRequest } from "./prepare.ts";
import type { BaseUrls } from "./url.ts";

/** Options of a raw request. */
export interface RawOptions {
  /** The family; by default, the one whose version prefix the path has, else the one that has the path. */
  readonly family?: Family;
  /** Query parameters to append to those of the path. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The servers, for paths given as a complete URL. */
  readonly baseUrls?: BaseUrls;
}

/** Compute units of a path that the catalogue does not know: the most common cost. */
const UNKNOWN_COST = 100;

/**
 * Turns `/account/detail?address=…`, `account/detail`, `/v2.0/account/detail` or a complete URL of the API into a
 * request. Parameters are sent unchanged.
 * @throws UsageError when the path leads to another host or out of the API, or contains invalid characters
 */
export function rawRequest(input: string, options: RawOptions = {}): PreparedRequest {
  const text = input.trim();
  if (/^[a-z]:[\\/]/i.test(text)) {
    throw pathError(input, "looks like a file: the shell rewrote the leading slash", "Omit the slash: account/detail");
  }
  const local = stripServer(text, options.baseUrls ?? SERVERS);
  const [pathPart = "", ...queryParts] = local.rest.split("?");
  const path = `/${pathPart.replace(/^\/+/, "")}`;
  checkPath(input, path);
  const { family, bare } = resolveFamily(path, options.family ?? local.family);
  const endpoint = endpointByPath(family, bare);
  const query = [...new URLSearchParams(queryParts.join("?")), ...(options.query ?? [])] as const;
  const unknown = family === "public" ? 0 : UNKNOWN_COST;
  return {
    ...(endpoint && { endpoint }),
    family,
    path: bare,
    query,
    cost: endpoint ? costOf(endpoint, collectValues(query)) : unknown,
    notes: [],
  };
}

/** Returns the values of each parameter, in whichever form its list is written. */
function collectValues(query: PreparedRequest["query"]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [wire, value] of query) {
    const name = wire.replace(/\[\]$/, "");
    values.set(name, [...(values.get(name) ?? []), ...value.split(",")]);
  }
  return values;
}

/** Returns the part of a URL below the server, and the family that the server belongs to. */
function stripServer(text: string, baseUrls: BaseUrls): { readonly rest: string; readonly family?: Family } {
  if (!/^([a-z][a-z0-9+.-]*:)?\/\//i.test(text)) return { rest: text };
  const families = (["v2", "legacy", "public"] as const).toSorted((a, b) => baseUrls[b].length - baseUrls[a].length);
  const family = families.find((name) => text === baseUrls[name] || text.startsWith(`${baseUrls[name]}/`));
  if (family !== undefined) return { rest: text.slice(baseUrls[family].length), family };
  throw pathError(text, "is on another host than the API", "Use the path only, or set the base URL.");
}

function checkPath(input: string, path: string): void {
  const decoded = path.replace(/%2e/gi, ".").replace(/%2f/gi, "/").replace(/%5c/gi, "\\");
  if (path === "/") throw pathError(input, "names no endpoint", "Use one such as /account/detail.");
  if (decoded.split(/[/\\]/).some((segment) => segment === ".." || segment === ".")) {
    throw pathError(input, "leads out of the API: it contains . or ..");
  }
  if (/[\\#]|%2f|%5c|\/\//i.test(path) || !/^[!-~]+$/.test(path) || /%(?![0-9a-f]{2})/i.test(path)) {
    throw pathError(input, "contains a character that is not allowed in a path", "Pass values as query parameters.");
  }
}

/** Returns the family of a path, and the path below the family's base URL. */
function resolveFamily(
  path: string,
  requested: Family | undefined,
): { readonly family: Family; readonly bare: string } {
  for (const family of ["v2", "legacy"] as const) {
    if (path.startsWith(`${FAMILY_PATHS[family]}/`) && (requested ?? family) === family) {
      return { family, bare: path.slice(FAMILY_PATHS[family].length) };
    }
  }
  return { family: requested ?? familyOfPath(path), bare: path };
}

function pathError(input: string, reason: string, hint?: string): UsageError {
  return new UsageError(`The path ${displayText(input)} ${reason}.`, hint === undefined ? {} : { hint });
}
