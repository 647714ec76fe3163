/** Finds endpoints by name. */
import { allEndpoints, type Endpoint } from "../../catalogue/index.ts";
import { GROUPS } from "./groups.ts";

const MAX_NAME_LENGTH = 200;

/** Normalizes a name: `account/defi-activities`, `account.defiActivities` and URLs are equivalent. */
export function normalizeName(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .trim()
    .replace(/^get\s+/i, "")
    .replace(/^https?:\/\/[^/]+/i, "")
    .replace(/[?#].*$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .replace(/^ ?(solx )?/, "")
    .trim();
}

function namesOf({ command, name, route, path, family, group, aliases = [] }: Endpoint): readonly string[] {
  const start = command.slice(0, command.length - name.length);
  const starts = [start, ...(GROUPS[group]?.aliases ?? []).map((alias) => start.replace(group, alias))];
  const commands = starts.flatMap((words) => [name, ...aliases].map((last) => words + last));
  const wire = family === "v2" ? [path, `v2 ${path}`, `v2.0${path}`] : [`${family}${path}`];
  return [...commands, route, ...wire].map(normalizeName);
}

const isV2 = ({ family }: Endpoint) => family === "v2";

/** Returns the endpoint with a command, route or path; undefined for an unknown name. */
export function findEndpoint(name: string): Endpoint | undefined {
  const normalized = normalizeName(name);
  // Routes of the legacy families equal commands of v2, which takes precedence.
  return (
    allEndpoints.find(({ command }) => normalizeName(command) === normalized) ??
    [...allEndpoints.filter(isV2), ...allEndpoints].find((endpoint) => namesOf(endpoint).includes(normalized))
  );
}
