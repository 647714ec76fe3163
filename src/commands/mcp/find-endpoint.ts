/** Finds endpoints by name and by search terms. */
import { type JsonObject, omitUndefined, UsageError } from "../../base/index.ts";
import { allEndpoints, type Endpoint, positionalOf } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import { endpointOfHit } from "../docs/search/search-command.ts";
import type { ManualSearch } from "../docs/search/search-index.ts";
import { GROUPS } from "../endpoint/groups.ts";

/** Normalizes a name: `account/defi-activities`, `account.defiActivities` and URLs are equivalent. */
function normalizeName(name: string): string {
  return name
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

const MAX_NAME_LENGTH = 200;

const isV2 = ({ family }: Endpoint) => family === "v2";

/** Returns the endpoint with a command, route or path; undefined for an unknown name. */
export function findEndpoint(name: string): Endpoint | undefined {
  const normalized = normalizeName(name.slice(0, MAX_NAME_LENGTH));
  // Routes of the legacy families equal commands of v2, which takes precedence.
  return (
    allEndpoints.find(({ command }) => normalizeName(command) === normalized) ??
    [...allEndpoints.filter(isV2), ...allEndpoints].find((endpoint) => namesOf(endpoint).includes(normalized))
  );
}

const MAX_SUGGESTIONS = 3;

/** Returns the error about an unknown endpoint, with those that the name may mean. */
export function unknownEndpointError(name: string, search: ManualSearch): UsageError {
  const normalized = normalizeName(name.slice(0, MAX_NAME_LENGTH));
  const suggestions = rankEndpoints(search, normalized)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ command }) => command);
  return new UsageError(`unknown endpoint "${displayText(name)}"`, {
    code: "UNKNOWN_ENDPOINT",
    invalid: { reason: "value", parameter: "endpoint" },
    hint: `${suggestions.length > 0 ? `Did you mean ${suggestions.join(" or ")}? ` : ""}List endpoints with the tool search_endpoints.`,
  });
}

/** Returns endpoints by relevance for a query. Legacy endpoints come last, unless the query contains "legacy". */
export function rankEndpoints(search: ManualSearch, words: string): readonly Endpoint[] {
  const matches = search(words.slice(0, MAX_NAME_LENGTH)).flatMap((hit) => endpointOfHit(hit) ?? []);
  const isLast = ({ family }: Endpoint) => family === "legacy" && !/\blegacy\b/i.test(words);
  return [...matches.filter((endpoint) => !isLast(endpoint)), ...matches.filter(isLast)];
}

/** Returns an endpoint as an entry of a list. */
export function summarizeEndpoint(endpoint: Endpoint): JsonObject {
  const { command, summary } = endpoint;
  return omitUndefined({ endpoint: command, about: summary, needs: positionalOf(endpoint)?.[0] });
}
