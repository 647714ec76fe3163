/** What a request costs, by the address that it went to. */
import type { Family } from "../../catalogue/endpoint.ts";
import { endpointByPath } from "../../catalogue/index.ts";
import { FAMILY_PATHS } from "../../catalogue/servers.ts";

/** Compute units of a path that the catalogue does not know: the common price. */
const UNKNOWN_COST = 100;

/** Compute units that an answer costs, wherever the server's base is. */
export function costOfUrl(address: string): number {
  const url = URL.parse(address);
  if (!url) return 0;
  const { family, path } = familyIn(url.pathname);
  const endpoint = endpointByPath(family, path);
  if (!endpoint) return family === "public" ? 0 : UNKNOWN_COST;
  const { cost, query } = endpoint;
  if (cost.per === "request") return cost.units;
  const name = Object.entries(query).find(([, param]) => param.required && param.arity === "list")?.[0] ?? "";
  const items = [...url.searchParams.getAll(name), ...url.searchParams.getAll(`${name}[]`)];
  return cost.units * Math.max(1, items.flatMap((item) => item.split(",")).length);
}

function familyIn(pathname: string): { readonly family: Family; readonly path: string } {
  for (const family of ["v2", "legacy"] as const) {
    const at = pathname.indexOf(`${FAMILY_PATHS[family]}/`);
    if (at >= 0) return { family, path: pathname.slice(at + FAMILY_PATHS[family].length) };
  }
  return { family: "public", path: `/${pathname.split("/").at(-1)}` };
}
