/** Finds endpoints by search terms. */
import { type JsonObject, omitUndefined, UsageError } from "../../base/index.ts";
import { type Endpoint, positionalOf } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import { endpointOfHit } from "../docs/search/search-command.ts";
import type { ManualSearch } from "../docs/search/search-index.ts";
import { normalizeName } from "../endpoint/find-endpoint.ts";

const MAX_SUGGESTIONS = 3;

/** Returns the error about an unknown endpoint, with those that the name may mean. */
export function unknownEndpointError(name: string, search: ManualSearch): UsageError {
  const suggestions = rankEndpoints(search, normalizeName(name))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ command }) => command);
  return new UsageError(`unknown endpoint "${displayText(name)}"`, {
    code: "UNKNOWN_ENDPOINT",
    invalid: { reason: "value", parameter: "endpoint" },
    hint: `${suggestions.length > 0 ? `Did you mean ${suggestions.join(" or ")}? ` : ""}List endpoints with the tool search_endpoints.`,
  });
}

const MAX_QUERY_LENGTH = 200;

/** Returns endpoints by relevance for a query. Legacy endpoints come last, unless the query contains "legacy". */
export function rankEndpoints(search: ManualSearch, words: string): readonly Endpoint[] {
  const matches = search(words.slice(0, MAX_QUERY_LENGTH)).flatMap((hit) => endpointOfHit(hit) ?? []);
  const isLast = ({ family }: Endpoint) => family === "legacy" && !/\blegacy\b/i.test(words);
  return [...matches.filter((endpoint) => !isLast(endpoint)), ...matches.filter(isLast)];
}

/** Returns an endpoint as an entry of a list. */
export function summarizeEndpoint(endpoint: Endpoint): JsonObject {
  const { command, summary } = endpoint;
  return omitUndefined({ endpoint: command, about: summary, needs: positionalOf(endpoint)?.[0] });
}
