/** Which endpoint is meant, and which ones fit to words. */
import { nearestName, UsageError } from "../../base/index.ts";

import { type Endpoint, endpoints, loadEntities, loadFields, positionalOf, SERVERS } from "../../catalogue/index.ts";

import { displayText } from "../../client/index.ts";
import type { SearchIndex } from "../docs/search/search-index.ts";
import { stemsOf } from "../docs/search/stems.ts";
import { GROUPS } from "../endpoint/groups.ts";

/** A name without what people write differently: `account/defi-activities`, `account.defiActivities`, a whole URL. */
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

/** Every name of an endpoint, in plain form. */
function namesOf({ command, name, route, path, family, group, aliases = [] }: Endpoint): readonly string[] {
  const start = command.slice(0, command.length - name.length);
  const starts = [start, ...(GROUPS[group]?.aliases ?? []).map((alias) => start.replace(group, alias))];
  const commands = starts.flatMap((words) => [name, ...aliases].map((last) => words + last));
  const wire = family === "v2" ? [path, `v2 ${path}`, `v2.0${path}`] : [`${family}${path}`];
  return [...commands, route, ...wire].map(normalizeName);
}

/** Characters beyond which a text is no name, and nothing to search for. */
const MAX_NAME_LENGTH = 200;

const isV2 = ({ family }: Endpoint) => family === "v2";

/**
 * The endpoint that a name stands for: its command, its route or its path.
 * @throws UsageError for a name that none has, with the nearest
 */
export function findEndpoint(name: string): Endpoint {
  const normalized = normalizeName(name.slice(0, MAX_NAME_LENGTH));
  // The routes of the older families are like the commands of the newer one, which is meant then.
  const endpoint =
    endpoints.find(({ command }) => normalizeName(command) === normalized) ??
    [...endpoints.filter(isV2), ...endpoints].find((endpoint) => namesOf(endpoint).includes(normalized));
  if (endpoint) return endpoint;
  const suggestions = suggestCommands(normalized);
  throw new UsageError(`There is no endpoint "${displayText(name)}".`, {
    code: "UNKNOWN_ENDPOINT",
    hint: `${suggestions.length > 0 ? `Did you mean ${suggestions.join(" or ")}? ` : ""}The tool search_endpoints lists them.`,
  });
}

/** Commands that are offered for a name that is none. */
const MAX_SUGGESTIONS = 4;

/** The commands that are nearly so written, else those with most of the words: `transfers` is in several. */
function suggestCommands(normalized: string): readonly string[] {
  const commands = endpoints.map(({ command }) => command);
  const close = nearestName(normalized, commands.map(normalizeName));
  if (close !== undefined) return commands.filter((command) => normalizeName(command) === close);
  const words = stemsOf(normalized);
  // Of commands with as many of the words, those that say little else.
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

/** The endpoints that fit to words, the best first; those of the legacy family last, unless they are asked for. */
export async function rankEndpoints(words: string): Promise<readonly Endpoint[]> {
  index ??= await createIndex();
  const { searchPages } = await import("../docs/search/ranking.ts");
  const endpoint = searchPages(index, words.slice(0, MAX_NAME_LENGTH), endpoints.length).flatMap(({ command }) => {
    const endpoint = endpoints.find((one) => one.command === command);
    return endpoint ? [endpoint] : [];
  });
  const isLast = ({ family }: Endpoint) => family === "legacy" && !/\blegacy\b/i.test(words);
  return [...endpoint.filter((endpoint) => !isLast(endpoint)), ...endpoint.filter(isLast)];
}

let index: SearchIndex | undefined;

/** What the documentation's search looks through, for endpoints alone. */
async function createIndex(): Promise<SearchIndex> {
  const [{ indexPages }, { endpointPage }, { listFields: fieldsOf }, entities] = await Promise.all([
    import("../docs/search/search-index.ts"),
    import("../docs/manual/endpoint-page.ts"),
    loadFields(),
    loadEntities(),
  ]);
  const options = { baseUrls: SERVERS, now: Date.now };
  return indexPages(
    endpoints.map((endpoint) => endpointPage(endpoint, fieldsOf(entities[endpoint.returns.entity]), options)),
  );
}

/** The parameter that says what an endpoint is asked about. */
export function identifierName(endpoint: Endpoint): string | undefined {
  return positionalOf(endpoint)?.[0];
}
