/** Implementations of the tools. The size of every result is limited; text from the chain is treated as data. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isObject, type Json, omitUndefined, QuotaError } from "../../base/index.ts";
import {
  allEndpoints,
  type Endpoint,
  loadEntities,
  loadFields,
  positionalOf,
  returnsList,
} from "../../catalogue/index.ts";
import {
  type Answer,
  type ClientCore,
  displayText,
  forecastText,
  forecastUsage,
  type ResolvedToken,
  TokenResolver,
} from "../../client/index.ts";
import { explainHits } from "../docs/search/search-command.ts";
import { endpointAt, usageEndpoint } from "../endpoint/answers.ts";
import { findEndpoint } from "../endpoint/find-endpoint.ts";
import { createNameResolver, resolutionText, resolveNames } from "../names/resolve-names.ts";
import { dailyUnits } from "../run/client-options.ts";
import { sourceOf } from "../run/data-source.ts";
import { DETAIL_PATHS, fetchAddress, fetchBlock, identifyEntity, NEXT_PATHS } from "../show/lookup.ts";
import {
  aboutArgument,
  fieldsArg,
  flagArg,
  optionalTextArg,
  paramsArg,
  type RequestedRows,
  requiredTextArg,
  rowsArg,
  type ToolArguments,
} from "./arguments.ts";
import type { ToolName } from "./definitions.ts";
import { describeEndpoint } from "./describe-endpoint.ts";
import { rankEndpoints, summarizeEndpoint, unknownEndpointError } from "./find-endpoint.ts";
import { listResult, objectResult } from "./lists.ts";
import { createPart, createResult, metadataOf, summarizeTransaction } from "./results.ts";
import { type CallContext, type Session, unitsOf } from "./session.ts";

/** Runs a tool. Throws typed errors, which are reported to the model. */
type ToolHandler = (session: Session, args: ToolArguments, call: CallContext) => Promise<CallToolResult>;

const MAX_MATCHES = 8;

/** Searches endpoints; lists the names of all endpoints without a query. */
const searchEndpoints: ToolHandler = async (session, args) => {
  const words = optionalTextArg(args, "query");
  const { supports } = sourceOf(await session.context.session.settings());
  const isAnswered = (endpoint: Endpoint) => supports(endpoint).level !== "none";
  if (words === "") {
    return createResult({ endpoints: allEndpoints.filter(isAnswered).map(({ command }) => command) }, session.store);
  }
  const search = await session.manual.search();
  const matches = rankEndpoints(search, words).filter(isAnswered);
  const value = omitUndefined({
    endpoints: matches.slice(0, MAX_MATCHES).map(summarizeEndpoint),
    others:
      matches.length > MAX_MATCHES
        ? matches.slice(MAX_MATCHES, 3 * MAX_MATCHES).map(({ command }) => command)
        : undefined,
    note:
      explainHits(words, search(words, 1), supports)?.tool ??
      (matches.length === 0 ? "No matches. Omit the query to list all endpoints." : undefined),
  });
  return createResult(value, session.store);
};

/** Returns the endpoint that a call names. Throws UsageError for an unknown name, with suggestions. */
async function endpointArg(session: Session, args: ToolArguments): Promise<Endpoint> {
  const name = requiredTextArg(args, "endpoint", "account transfer");
  const endpoint = findEndpoint(name);
  if (endpoint) return endpoint;
  throw unknownEndpointError(name, await session.manual.search());
}

const describe: ToolHandler = async (session, args) => {
  const endpoint = await endpointArg(session, args);
  const [{ listFields }, entities] = await Promise.all([loadFields(), loadEntities()]);
  const fields = listFields(entities[endpoint.returns.entity]);
  return createResult(describeEndpoint(endpoint, fields, fieldsArg(args)), session.store);
};

const callEndpoint: ToolHandler = async (session, args, call) => {
  const endpoint = await endpointArg(session, args);
  const { names, tokens, notes: resolutions } = createResolvers(session, call);
  const given = paramsArg(args, endpoint);
  const { limit, ...others } = given;
  // Where it is no parameter, it is the number of rows.
  const isParameter = "limit" in endpoint.query;
  const named = await resolveNames(names, endpoint, isParameter ? given : others);
  const params = await tokens.resolveParameters(endpoint, named);
  const fields = fieldsArg(args);
  const rows = rowsArg(isParameter ? args : { rows: limit, ...args }, session.limits, fields);
  const notes = [...resolutions, ...rows.notes, ...(await session.client()).prepare(endpoint, params).notes];
  if (!returnsList(endpoint)) {
    const answer = await session.fetch(endpoint, params, call);
    return objectResult(session, { ...factsOf(answer), notes }, answer.data, { fields, endpoint, ...innerLimit(rows) });
  }
  const position = {
    kind: "list",
    endpoint,
    params,
    fields,
    unread: [],
    state: null,
    returned: 0,
    more: "likely",
  } as const;
  return listResult(session, position, rows.count, call, notes);
};

/** Creates the resolvers of a call; the addresses that names and symbols stand for are in the notes of the result. */
function createResolvers(session: Session, call: CallContext) {
  const notes: string[] = [];
  const fetch: ClientCore["fetch"] = (endpoint, params = {}) => session.fetch(endpoint, params, call);
  const names = createNameResolver({
    settings: () => session.context.session.settings(),
    client: () => session.client(),
    signal: call.signal,
    onResolved: (text) => void notes.push(text),
  });
  const onResolved = (text: string, token: ResolvedToken) => void notes.push(resolutionText(text, token));
  return { names, tokens: new TokenResolver({ fetch }, { signal: call.signal, onResolved }), notes };
}

/** Returns the limit of lists inside an object, if one is requested. */
const innerLimit = ({ count, isTyped }: RequestedRows) => (isTyped ? { rows: count } : {});

const more: ToolHandler = async (session, args, call) => {
  const position = session.cursors.find(requiredTextArg(args, "cursor", "c1-k3x9a2"));
  if (position.kind === "text") return createPart(position, session.store);
  const { count, notes } = rowsArg(args, session.limits, position.fields);
  return listResult(session, position, count, call, notes);
};

/** Identifies an identifier or link and returns its details. */
const show: ToolHandler = async (session, args, call) => {
  const { notes: resolutions, ...resolvers } = createResolvers(session, call);
  const { facts } = sourceOf(await session.context.session.settings());
  const what = requiredTextArg(args, "what", "385804412");
  const { kind, id } = await identifyEntity(what, resolvers, facts).catch(aboutArgument("what"));
  const fields = fieldsArg(args);
  const isFull = flagArg(args, "full");
  const options = { fields, isFull, ...innerLimit(rowsArg(args, session.limits, fields)) };
  let units = 0;
  const fetchPath = async (path: string, one: string): Promise<Answer> => {
    const endpoint = endpointAt(path);
    const answer = await session.fetch(endpoint, { [positionalOf(endpoint)?.[0] ?? "address"]: one }, call);
    units += unitsOf(answer);
    return answer;
  };
  if (kind === "account" || kind === "block") {
    const fetchData = async (path: string, one: string) => (await fetchPath(path, one)).data;
    const match =
      kind === "block" ? { kind, data: await fetchBlock(fetchData, id) } : await fetchAddress(fetchData, id);
    const notes = resolutions.length === 0 ? {} : { notes: resolutions };
    const about = { is: match.kind, id: displayText(id), units, ...notes, next: nextCommands(match.kind) };
    return objectResult(session, about, match.data, options);
  }
  const answer = await fetchPath(DETAIL_PATHS[kind], id);
  const isBrief = kind === "transaction" && !fields && !isFull;
  const { value, notes } = isBrief ? summarizeTransaction(answer.data) : { value: answer.data, notes: [] };
  const about = { is: kind, id, ...factsOf(answer), notes: [...resolutions, ...notes], next: nextCommands(kind) };
  return objectResult(session, about, value, { ...options, endpoint: endpointAt(DETAIL_PATHS[kind]) });
};

const nextCommands = (thing: keyof typeof NEXT_PATHS) => NEXT_PATHS[thing].map((path) => endpointAt(path).command);

const factsOf = (answer: Answer): Readonly<Record<string, Json | undefined>> => ({
  endpoint: answer.request.endpoint?.command,
  units: unitsOf(answer),
  age_seconds: answer.age,
  coverage: answer.coverage as Json | undefined,
  metadata: metadataOf(answer),
});

const usage: ToolHandler = async (session, _args, call) => {
  const { data, note } = await fetchKeyUsage(session, call);
  const now = (await session.context.session.clock())();
  const minute = (await session.client()).rateLimiter()?.remaining();
  const today = await dailyUnits(session.context);
  const { units } = session.limits;
  const value = omitUndefined({
    note,
    key: data,
    forecast: isObject(data) ? forecastText(forecastUsage(data, now)) : undefined,
    today: today && { units_spent: today.spent, units_allowed: today.limit },
    this_server: {
      requests: session.spent.requests,
      units: session.spent.units,
      ...(Number.isFinite(units) ? { units_allowed: units } : {}),
    },
    this_minute: minute && { requests_left: minute.requests, requests: minute.of },
  });
  return createResult(value, session.store);
};

/** Requests the usage of the key; returns a note if the spending limit prevents it. */
async function fetchKeyUsage(session: Session, call: CallContext): Promise<{ data?: Json; note?: string }> {
  try {
    return { data: (await session.fetch(usageEndpoint(), {}, call)).data };
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
    return { note: `The usage of the key was not requested. ${error.message}` };
  }
}

/** The tools by name. */
export const TOOLS: Readonly<Record<ToolName, ToolHandler>> = {
  search_endpoints: searchEndpoints,
  describe_endpoint: describe,
  call_endpoint: callEndpoint,
  more,
  show,
  usage,
};
