/** Where the explorer begins: what was typed, as a place. */
import { UsageError } from "../../base/errors.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints, type ParameterValues, positionalOf } from "../../catalogue/index.ts";
import { isAddress, isSignature } from "../../catalogue/validate.ts";
import { recognise } from "../../client/request/recognise.ts";
import { type EntityKind, HOME, type PageName, type Route } from "../../ui/app/route.ts";
import { routeForIdentifier } from "../../ui/app/route-for.ts";

const HALLS: readonly PageName[] = ["home", "leaderboard", "usage", "bookmarks"];

/** The words for things, with the short ones that people type. */
const THINGS: Readonly<Record<string, EntityKind>> = {
  account: "account",
  wallet: "account",
  token: "token",
  mint: "token",
  tx: "transaction",
  transaction: "transaction",
  block: "block",
  slot: "block",
  market: "market",
  pool: "market",
  program: "program",
  nft: "collection",
  collection: "collection",
};

const HINT =
  "Give an address, a signature, a slot or an explorer link; or tx, token, account, block, program, market or collection and its identifier; or leaderboard, usage, bookmarks; or a command such as account transfer <address>.";

/**
 * The place that words name.
 * @throws UsageError when they name none
 */
export function placeOfWords(words: readonly string[]): Route {
  const [first = "", second] = words;
  if (words.length === 0) return HOME;
  const called = commandIn(words);
  if (called) return called;
  const hall = HALLS.find((name) => name === first);
  if (hall !== undefined && words.length === 1) return { kind: "hall", page: hall };
  const thing = Object.hasOwn(THINGS, first) ? THINGS[first] : undefined;
  if (thing !== undefined && second !== undefined && words.length === 2) return placeOfThing(thing, second);
  const found = recognise(words.join(" "));
  const place = routeForIdentifier(found);
  if (place) return place;
  throw new UsageError(`"${words.join(" ")}" is nothing that the explorer can begin with.`, {
    hint: found.hint ?? HINT,
  });
}

/** A thing by its identifier, which may be inside a link. */
function placeOfThing(thing: EntityKind, given: string): Route {
  const { value } = recognise(given);
  const isOne =
    thing === "transaction"
      ? isSignature(value)
      : thing === "block"
        ? /^\d{1,15}$/.test(value)
        : // Collections are known by hashes too.
          thing === "collection" || isAddress(value);
  if (isOne) return { kind: "thing", entity: thing, id: value };
  throw new UsageError(`"${given}" is no ${thing}.`, { hint: HINT });
}

/** The endpoint whose command the words begin with, and its identifier. */
function commandIn(words: readonly string[]): Route | undefined {
  const line = words.join(" ");
  const endpoint = endpoints.find(({ command }) => line === command || line.startsWith(`${command} `));
  if (!endpoint) return undefined;
  return placeOfEndpoint(endpoint, words.slice(endpoint.command.split(" ").length), {});
}

/**
 * An endpoint with what was typed for it.
 * @param ids the identifiers beside the options
 * @throws UsageError when there are too many or too few of them
 */
export function placeOfEndpoint(endpoint: Endpoint, ids: readonly string[], values: ParameterValues): Route {
  const [name, param] = positionalOf(endpoint) ?? [];
  const { [name ?? ""]: option = [], ...params } = values;
  const all = [...ids, ...(Array.isArray(option) ? option.map(String) : [String(option)])];
  const begin = (more: ParameterValues): Route => ({
    kind: "endpoint",
    endpointRoute: endpoint.route,
    params: { ...params, ...more },
  });
  if (name === undefined || param === undefined) {
    if (all.length > 0) throw new UsageError(`${endpoint.command} takes no identifier.`);
    return begin({});
  }
  if (all.length === 0) throw new UsageError(`${endpoint.command} needs the ${param.description.toLowerCase()}.`);
  if (param.arity === "list") return begin({ [name]: all });
  if (all.length > 1) throw new UsageError("The explorer shows one identifier at a time.");
  return begin({ [name]: all[0] });
}
