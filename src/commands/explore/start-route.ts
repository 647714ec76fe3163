/** Determines the start page of the explorer from what was typed. */
import { UsageError } from "../../base/index.ts";
import { allEndpoints, type Endpoint, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { recognise, unrecognisedError } from "../../client/index.ts";
import {
  ENTITY_KINDS,
  type EntityKind,
  entityPage,
  HOME,
  PAGE_NAMES,
  type Route,
  routeForIdentifier,
} from "../../ui/index.ts";

const HINT =
  "Give an address, a signature, a slot or an explorer link; tx, token, account, block, program, market or collection with an identifier; leaderboard, usage, bookmarks or watch; or a command such as account transfer <address>.";

/**
 * Returns the route that words name.
 * @throws UsageError when they name none
 */
export function routeFromWords(words: readonly string[]): Route {
  const [first = "", second] = words;
  if (words.length === 0) return HOME;
  const route = routeFromCommand(words);
  if (route) return route;
  const page = PAGE_NAMES.find((name) => name === first);
  if (page !== undefined && words.length === 1) return { kind: "page", page };
  const kind = entityKindOf(first);
  if (kind !== undefined && second !== undefined && words.length === 2) return routeFromEntity(kind, second);
  const match = recognise(words.join(" "));
  const target = routeForIdentifier(match);
  if (target) return target;
  throw unrecognisedError(match, "address, signature, slot, link or command", HINT);
}

const entityKindOf = (word: string): EntityKind | undefined =>
  ENTITY_KINDS.find((entity) => entity === word || entityPage(entity).aliases.includes(word));

/** @throws UsageError for the kind of an entity without an identifier, as in `explore token` */
export function checkIdentified([kind = "", ...rest]: readonly string[]): void {
  if (entityKindOf(kind) === undefined || rest.length > 0) return;
  throw new UsageError(`missing argument <identifier> for "solx explore ${kind}"`, { code: "USAGE", hint: HINT });
}

/** Returns the route of an entity by its identifier, which may be part of a link. */
function routeFromEntity(kind: EntityKind, input: string): Route {
  const { value } = recognise(input);
  if (entityPage(kind).isIdentifier(value)) return { kind: "entity", entity: kind, id: value };
  throw new UsageError(`"${input}" is not a ${kind}.`, { hint: HINT });
}

function routeFromCommand(words: readonly string[]): Route | undefined {
  const line = words.join(" ");
  const endpoint = allEndpoints.find(({ command }) => line === command || line.startsWith(`${command} `));
  if (!endpoint) return undefined;
  return routeFromEndpoint(endpoint, words.slice(endpoint.command.split(" ").length), {});
}

/**
 * Returns the route of an endpoint with its parameters.
 * @param ids the identifiers given as arguments
 * @throws UsageError when there are too many or too few identifiers
 */
export function routeFromEndpoint(endpoint: Endpoint, ids: readonly string[], values: ParameterValues): Route {
  const [name, param] = positionalOf(endpoint) ?? [];
  const { [name ?? ""]: option = [], ...params } = values;
  const all = [...ids, ...(Array.isArray(option) ? option.map(String) : [String(option)])];
  const routeWith = (more: ParameterValues): Route => ({
    kind: "endpoint",
    endpointRoute: endpoint.route,
    params: { ...params, ...more },
  });
  if (name === undefined || param === undefined) {
    if (all.length > 0) throw new UsageError(`${endpoint.command} does not accept an identifier.`);
    return routeWith({});
  }
  if (all.length === 0 && param.required !== true) return routeWith({});
  if (all.length === 0) throw new UsageError(`${endpoint.command} requires the ${param.description.toLowerCase()}.`);
  if (param.arity === "list") return routeWith({ [name]: all });
  if (all.length > 1) throw new UsageError("The explorer shows one identifier at a time.");
  return routeWith({ [name]: all[0] });
}
