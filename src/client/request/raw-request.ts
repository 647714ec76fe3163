/** Requests to any path: checked only for what could send them, or the key, somewhere else. */
import { UsageError } from "../../base/index.ts";
import { endpointByPath, FAMILY_PATHS, type Family, familyOfPath, SERVERS } from "../../catalogue/index.ts";
import { displayText } from "../text.ts";
import { costOf, type PreparedRequest } from "./prepare.ts";
import type { BaseUrls } from "./url.ts";

/** What a raw request may say beside its path. */
export interface RawOptions {
  /** The family; without it, the one whose version the path begins with, else the one that has the path. */
  readonly family?: Family;
  /** More query parameters, after those in the path. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** The servers, for paths given as a whole address. */
  readonly baseUrls?: BaseUrls;
}

/** Compute units counted for a path that the catalogue does not know: the common price. */
const UNKNOWN_COST = 100;

/**
 * Turns `/account/detail?address=…`, `account/detail`, `/v2.0/account/detail` or a whole address of the API into a
 * request. Parameters are sent as they are.
 * @throws UsageError when the path leads to another host or out of the API, or holds what no path holds
 */
export function rawRequest(given: string, options: RawOptions = {}): PreparedRequest {
  const text = given.trim();
  if (/^[a-z]:[\\/]/i.test(text)) {
    throw refused(given, "looks like a file: the shell rewrote the leading slash", "Leave it out: account/detail");
  }
  const local = belowServer(text, options.baseUrls ?? SERVERS);
  const [pathPart = "", ...queryParts] = local.rest.split("?");
  const path = `/${pathPart.replace(/^\/+/, "")}`;
  checkPath(given, path);
  const { family, bare } = familyOf(path, options.family ?? local.family);
  const endpoint = endpointByPath(family, bare);
  const query = [...new URLSearchParams(queryParts.join("?")), ...(options.query ?? [])] as const;
  const unknown = family === "public" ? 0 : UNKNOWN_COST;
  return {
    ...(endpoint && { endpoint }),
    family,
    path: bare,
    query,
    cost: endpoint ? costOf(endpoint, valuesIn(query)) : unknown,
    notes: [],
  };
}

/** The values of each parameter, however its list is written. */
function valuesIn(query: PreparedRequest["query"]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [wire, value] of query) {
    const name = wire.replace(/\[\]$/, "");
    values.set(name, [...(values.get(name) ?? []), ...value.split(",")]);
  }
  return values;
}

/** The part of an address below the server, and the family that the server tells. */
function belowServer(text: string, baseUrls: BaseUrls): { readonly rest: string; readonly family?: Family } {
  if (!/^([a-z][a-z0-9+.-]*:)?\/\//i.test(text)) return { rest: text };
  const families = (["v2", "legacy", "public"] as const).toSorted((a, b) => baseUrls[b].length - baseUrls[a].length);
  const family = families.find((name) => text === baseUrls[name] || text.startsWith(`${baseUrls[name]}/`));
  if (family !== undefined) return { rest: text.slice(baseUrls[family].length), family };
  throw refused(text, "is on another host than the API", "Give the path alone, or set the base URL.");
}

function checkPath(given: string, path: string): void {
  const decoded = path.replace(/%2e/gi, ".").replace(/%2f/gi, "/").replace(/%5c/gi, "\\");
  if (path === "/") throw refused(given, "names no endpoint", "Give one such as /account/detail.");
  if (decoded.split(/[/\\]/).some((segment) => segment === ".." || segment === ".")) {
    throw refused(given, "leads out of the API: it has a . or .. in it");
  }
  if (/[\\#]|%2f|%5c|\/\//i.test(path) || !/^[!-~]+$/.test(path) || /%(?![0-9a-f]{2})/i.test(path)) {
    throw refused(given, "has a character in it that a path must not have", "Give values as query parameters.");
  }
}

/** The family of a path, and the path below the family's base. */
function familyOf(path: string, wanted: Family | undefined): { readonly family: Family; readonly bare: string } {
  for (const family of ["v2", "legacy"] as const) {
    if (path.startsWith(`${FAMILY_PATHS[family]}/`) && (wanted ?? family) === family) {
      return { family, bare: path.slice(FAMILY_PATHS[family].length) };
    }
  }
  return { family: wanted ?? familyOfPath(path), bare: path };
}

function refused(given: string, reason: string, hint?: string): UsageError {
  return new UsageError(`The path ${displayText(given)} ${reason}.`, hint === undefined ? {} : { hint });
}
