/** Which endpoint is meant, and which ones fit to words. */
import { UsageError } from "../../base/errors.ts";
import { nearestName } from "../../base/nearest-name.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints, positionalOf } from "../../catalogue/index.ts";
import { SERVERS } from "../../catalogue/servers.ts";
import { displayText } from "../../client/index.ts";
import type { SearchIndex } from "../docs/search/search-index.ts";
import { stemsOf } from "../docs/search/stems.ts";
import { GROUPS } from "../endpoint/groups.ts";

/** A name without what people write differently: `account/defi-activities`, `account.defiActivities`, a whole URL. */
function plain(name: string): string {
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
  return [...commands, route, ...wire].map(plain);
}

/** Characters beyond which a text is no name, and nothing to search for. */
const LONGEST_NAME = 200;

const isNewer = ({ family }: Endpoint) => family === "v2";

/**
 * The endpoint that a name stands for: its command, its route or its path.
 * @throws UsageError for a name that none has, with the nearest
 */
export function endpointNamed(name: string): Endpoint {
  const wanted = plain(name.slice(0, LONGEST_NAME));
  // The routes of the older families are like the commands of the newer one, which is meant then.
  const found =
    endpoints.find(({ command }) => plain(command) === wanted) ??
    [...endpoints.filter(isNewer), ...endpoints].find((endpoint) => namesOf(endpoint).includes(wanted));
  if (found) return found;
  const meant = likelyMeant(wanted);
  throw new UsageError(`There is no endpoint "${displayText(name)}".`, {
    code: "UNKNOWN_ENDPOINT",
    hint: `${meant.length > 0 ? `Did you mean ${meant.join(" or ")}? ` : ""}The tool search_endpoints lists them.`,
  });
}

/** Commands that are offered for a name that is none. */
const MOST_MEANT = 4;

/** The commands that are nearly so written, else those with most of the words: `transfers` is in several. */
function likelyMeant(wanted: string): readonly string[] {
  const commands = endpoints.map(({ command }) => command);
  const close = nearestName(wanted, commands.map(plain));
  if (close !== undefined) return commands.filter((command) => plain(command) === close);
  const words = stemsOf(wanted);
  // Of commands with as many of the words, those that say little else.
  const scored = commands.map((command) => {
    const own = [...stemsOf(command)];
    const shared = own.filter((stem) => words.has(stem)).length;
    return [command, shared === 0 ? 0 : shared - own.length / 100] as const;
  });
  const best = Math.max(...scored.map(([, score]) => score));
  return best <= 0 ? [] : scored.flatMap(([command, score]) => (score === best ? [command] : [])).slice(0, MOST_MEANT);
}

/** The endpoints that fit to words, the best first; those of the legacy family last, unless they are asked for. */
export async function endpointsFor(words: string): Promise<readonly Endpoint[]> {
  index ??= await indexOfEndpoints();
  const { searchPages } = await import("../docs/search/ranking.ts");
  const found = searchPages(index, words.slice(0, LONGEST_NAME), endpoints.length).flatMap(({ command }) => {
    const endpoint = endpoints.find((one) => one.command === command);
    return endpoint ? [endpoint] : [];
  });
  const isLast = ({ family }: Endpoint) => family === "legacy" && !/\blegacy\b/i.test(words);
  return [...found.filter((endpoint) => !isLast(endpoint)), ...found.filter(isLast)];
}

let index: SearchIndex | undefined;

/** What the documentation's search looks through, for endpoints alone. */
async function indexOfEndpoints(): Promise<SearchIndex> {
  const [{ indexPages }, { endpointPage }, { listFields: fieldsOf }, entities] = await Promise.all([
    import("../docs/search/search-index.ts"),
    import("../docs/manual/endpoint-page.ts"),
    import("../../catalogue/fields.ts"),
    import("../../catalogue/entities/index.ts"),
  ]);
  const options = { baseUrls: SERVERS, now: Date.now };
  return indexPages(
    endpoints.map((endpoint) => endpointPage(endpoint, fieldsOf(entities[endpoint.returns.entity]), options)),
  );
}

/** The parameter that says what an endpoint is asked about. */
export function identifierOf(endpoint: Endpoint): string | undefined {
  return positionalOf(endpoint)?.[0];
}
