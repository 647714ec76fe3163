/** Finds endpoints by name and by search terms. */
import { nearestName, UsageError } from "../../base/index.ts";
import { allEndpoints, type Endpoint, loadEntities, loadFields, positionalOf, SERVERS } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import { stemsOf } from "../docs/search/questions.ts";
import type { SearchIndex } from "../docs/search/search-index.ts";
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

/** Returns all normalized names of an endpoint. */
function namesOf({ command, name, route, path, family, group, aliases = [] }: Endpoint): readonly string[] {
  const start = command.slice(0, command.length - name.length);
  const starts = [start, ...(GROUPS[group]?.aliases ?? []).map((alias) => start.replace(group, alias))];
  const commands = starts.flatMap((words) => [name, ...aliases].map((last) => words + last));
  const wire = family === "v2" ? [path, `v2 ${path}`, `v2.0${path}`] : [`${family}${path}`];
  return [...commands, route, ...wire].map(normalizeName);
}

/** Maximum number of characters that are considered in a name or query. */
const MAX_NAME_LENGTH = 200;

const isV2 = ({ family }: Endpoint) => family === "v2";

/**
 * Finds an endpoint by command, route or path.
 * @throws UsageError for an unknown name, with suggestions
 */
export function findEndpoint(name: string): Endpoint {
  const normalized = normalizeName(name.slice(0, MAX_NAME_LENGTH));
  // Routes of the legacy families equal commands of v2, which takes precedence.
  const endpoint =
    allEndpoints.find(({ command }) => normalizeName(command) === normalized) ??
    [...allEndpoints.filter(isV2), ...allEndpoints].find((endpoint) => namesOf(endpoint).includes(normalized));
  if (endpoint) return endpoint;
  const suggestions = suggestCommands(normalized);
  throw new UsageError(`unknown endpoint "${displayText(name)}"`, {
    code: "UNKNOWN_ENDPOINT",
    hint: `${suggestions.length > 0 ? `Did you mean ${suggestions.join(" or ")}? ` : ""}List endpoints with the tool search_endpoints.`,
  });
}

/** Maximum number of suggestions for an unknown name. */
const MAX_SUGGESTIONS = 4;

/** Returns commands with a similar name, otherwise those that share the most words. */
function suggestCommands(normalized: string): readonly string[] {
  const commands = allEndpoints.map(({ command }) => command);
  const close = nearestName(normalized, commands.map(normalizeName));
  if (close !== undefined) return commands.filter((command) => normalizeName(command) === close);
  const words = stemsOf(normalized);
  // Among equal numbers of shared words, shorter commands are preferred.
  const scored = commands.map((command) => {
    const commandStems = [...stemsOf(command)];
    const shared = commandStems.filter((stem) => words.has(stem)).length;
    return [command, shared === 0 ? 0 : shared - commandStems.length / 100] as const;
  });
  const best = Math.max(...scored.map(([, score]) => score));
  return best <= 0
    ? []
    : scored.flatMap(([command, score]) => (score === best ? [command] : [])).slice(0, MAX_SUGGESTIONS);
}

/** Returns endpoints by relevance for a query. Legacy endpoints come last, unless the query contains "legacy". */
export async function rankEndpoints(words: string): Promise<readonly Endpoint[]> {
  index ??= await createIndex();
  const { searchPages } = await import("../docs/search/search-index.ts");
  const matches = searchPages(index, words.slice(0, MAX_NAME_LENGTH), allEndpoints.length).flatMap(({ command }) =>
    allEndpoints.filter((endpoint) => endpoint.command === command),
  );
  const isLast = ({ family }: Endpoint) => family === "legacy" && !/\blegacy\b/i.test(words);
  return [...matches.filter((endpoint) => !isLast(endpoint)), ...matches.filter(isLast)];
}

let index: SearchIndex | undefined;

/** Creates a search index of the documentation of all endpoints. */
async function createIndex(): Promise<SearchIndex> {
  const [{ indexPages }, { endpointPage }, { listFields }, entities] = await Promise.all([
    import("../docs/search/search-index.ts"),
    import("../docs/manual/endpoint-page.ts"),
    loadFields(),
    loadEntities(),
  ]);
  const options = { baseUrls: SERVERS, now: Date.now };
  return indexPages(
    allEndpoints.map((endpoint) => endpointPage(endpoint, listFields(entities[endpoint.returns.entity]), options)),
  );
}

/** Returns the name of the identifier parameter of an endpoint. */
export function identifierName(endpoint: Endpoint): string | undefined {
  return positionalOf(endpoint)?.[0];
}
