/** Implementations of the tools. The size of every result is limited; text from the chain is treated as data. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { type Json, omitUndefined, UsageError } from "../../base/index.ts";
import {
  allEndpoints,
  type Endpoint,
  loadEntities,
  loadFields,
  positionalOf,
  returnsList,
} from "../../catalogue/index.ts";
import { type ClientCore, displayText, type ResolvedToken, TokenResolver } from "../../client/index.ts";
import { unsupportedQuestion } from "../docs/search/questions.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { resolutionText } from "../endpoint/resolve-tokens.ts";
import { createNameResolver, resolveNames } from "../names/resolve-names.ts";
import { answeredBy, sourceOf } from "../run/data-source.ts";
import { DETAIL_PATHS, fetchAddress, fetchBlock, identifyEntity, NEXT_PATHS } from "../show/lookup.ts";
import { summarizeTransaction } from "./abridge.ts";
import {
  ArgumentError,
  fieldsArg,
  flagArg,
  optionalTextArg,
  paramsArg,
  requiredTextArg,
  rowLimitNotes,
  rowsArg,
  type ToolArguments,
} from "./arguments.ts";
import { endpointDescription, summarizeEndpoint } from "./describe.ts";
import { findEndpoint, rankEndpoints } from "./find-endpoint.ts";
import { listResult, objectResult } from "./lists.ts";
import { metadataOf } from "./metadata.ts";
import { createPart, createResult } from "./results.ts";
import { type CallContext, type Session, sendOptions } from "./session.ts";

/** Runs a tool. Throws typed errors, which are reported to the model. */
export type ToolHandler = (session: Session, args: ToolArguments, call: CallContext) => Promise<CallToolResult>;

/** Maximum number of endpoints with details in a search result. */
const MAX_MATCHES = 8;

/** Searches endpoints; lists the names of all endpoints without a query. */
export const searchEndpoints: ToolHandler = async (session, args) => {
  const words = optionalTextArg(args, "query");
  const isAnswered = await answeredEndpoints(session);
  if (words === "") {
    return createResult({ endpoints: allEndpoints.filter(isAnswered).map(({ command }) => command) }, session.store);
  }
  const matches = (await rankEndpoints(words)).filter(isAnswered);
  const value = omitUndefined({
    endpoints: matches.slice(0, MAX_MATCHES).map(summarizeEndpoint),
    others:
      matches.length > MAX_MATCHES
        ? matches.slice(MAX_MATCHES, 3 * MAX_MATCHES).map(({ command }) => command)
        : undefined,
    note:
      unsupportedQuestion(words) ??
      (matches.length === 0 ? "No matches. Omit the query to list all endpoints." : undefined),
  });
  return createResult(value, session.store);
};

/** Returns a filter of the endpoints that are answered. */
async function answeredEndpoints({ context }: Session): Promise<(endpoint: Endpoint) => boolean> {
  return answeredBy(await context.session.settings());
}

/** Describes an endpoint. */
export const describeEndpoint: ToolHandler = async (session, args) => {
  const endpoint = findEndpoint(requiredTextArg(args, "endpoint", "account transfer"));
  const [{ listFields }, entities] = await Promise.all([loadFields(), loadEntities()]);
  return createResult(endpointDescription(endpoint, listFields(entities[endpoint.returns.entity])), session.store);
};

/** Calls an endpoint. */
export const callEndpoint: ToolHandler = async (session, args, call) => {
  const endpoint = findEndpoint(requiredTextArg(args, "endpoint", "account transfer"));
  const { names, tokens, notes: resolutions } = createResolvers(session, call);
  const named = await resolveNames(names, endpoint, paramsArg(args, endpoint));
  const params = await tokens.resolveParameters(endpoint, named);
  const fields = fieldsArg(args);
  const rows = rowsArg(args, session.limits, fields);
  const notes = [
    ...resolutions,
    ...rowLimitNotes(args, session.limits, fields),
    ...(await session.client()).prepare(endpoint, params).notes,
  ];
  if (returnsList(endpoint)) {
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
    return listResult(session, position, rows, call, notes);
  }
  const { answer, about } = await requestObject(session, endpoint, params, call);
  return objectResult(session, { ...about, notes }, answer.data, {
    fields,
    endpoint,
    ...innerRowLimit(args, rows),
  });
};

/** Creates the resolvers of a call; the addresses that names and symbols stand for are in the notes of the result. */
function createResolvers(session: Session, call: CallContext) {
  const notes: string[] = [];
  const fetch: ClientCore["fetch"] = async (endpoint, params = {}) => {
    const request = (await session.client()).prepare(endpoint, params);
    return session.spend(request, (client) => client.request(request, sendOptions(call)));
  };
  const onResolved = (text: string, token: ResolvedToken) => void notes.push(resolutionText(text, token));
  const names = createNameResolver({
    settings: () => session.context.session.settings(),
    client: () => session.client(),
    signal: call.signal,
    onResolved: (text) => void notes.push(text),
  });
  return { names, tokens: new TokenResolver({ fetch }, { signal: call.signal, onResolved }), notes };
}

/** Returns the limit of lists inside an object, if one is requested. */
const innerRowLimit = ({ rows: input }: ToolArguments, rows: number) =>
  input === undefined || input === null ? {} : { rows };

/** Continues at a cursor. */
export const more: ToolHandler = async (session, args, call) => {
  const position = session.cursors.find(requiredTextArg(args, "cursor", "c1-k3x9a2"));
  if (position.kind === "text") return createPart(position, session.store);
  const { limits } = session;
  const notes = rowLimitNotes(args, limits, position.fields);
  return listResult(session, position, rowsArg(args, limits, position.fields), call, notes);
};

/** Identifies an identifier or link and returns its details. */
export const show: ToolHandler = async (session, args, call) => {
  const { notes: resolutions, ...resolvers } = createResolvers(session, call);
  const what = requiredTextArg(args, "what", "385804412");
  const { kind, id } = await identifyEntity(
    what,
    resolvers,
    sourceOf(await session.context.session.settings()).facts,
  ).catch((error: unknown) => {
    throw error instanceof UsageError ? new ArgumentError("what", error) : error;
  });
  const fields = fieldsArg(args);
  const isFull = flagArg(args, "full");
  const inner = innerRowLimit(args, rowsArg(args, session.limits, fields));
  let units = 0;
  const fetchData = async (path: string, one: string): Promise<Json> => {
    const endpoint = endpointAt(path);
    const { answer } = await requestObject(
      session,
      endpoint,
      { [positionalOf(endpoint)?.[0] ?? "address"]: one },
      call,
    );
    units += answer.age === undefined ? answer.request.cost : 0;
    return answer.data;
  };
  if (kind === "account" || kind === "block") {
    const matches =
      kind === "block" ? { kind, data: await fetchBlock(fetchData, id) } : await fetchAddress(fetchData, id);
    const resolved = resolutions.length === 0 ? {} : { notes: resolutions };
    const about = { is: matches.kind, id: displayText(id), units, ...resolved, next: nextCommands(matches.kind) };
    return objectResult(session, about, matches.data, { fields, isFull, ...inner });
  }
  const endpoint = endpointAt(DETAIL_PATHS[kind]);
  const { answer, about } = await requestObject(session, endpoint, { [positionalOf(endpoint)?.[0] ?? "tx"]: id }, call);
  const isBrief = kind === "transaction" && !fields && !isFull;
  const { value, notes } = isBrief ? summarizeTransaction(answer.data) : { value: answer.data, notes: [] };
  const summary = { is: kind, id, ...about, notes: [...resolutions, ...notes], next: nextCommands(kind) };
  return objectResult(session, summary, value, { fields, endpoint, isFull, ...inner });
};

const nextCommands = (thing: keyof typeof NEXT_PATHS) => NEXT_PATHS[thing].map((path) => endpointAt(path).command);

/** Requests an object; returns the answer with facts about it. */
async function requestObject(session: Session, endpoint: Endpoint, params: ToolArguments, call: CallContext) {
  const request = (await session.client()).prepare(endpoint, params);
  const answer = await session.spend(request, (client) => client.request(request, sendOptions(call)));
  const about: Readonly<Record<string, Json | undefined>> = {
    endpoint: endpoint.command,
    units: answer.age === undefined ? request.cost : 0,
    age_seconds: answer.age,
    metadata: metadataOf(answer),
  };
  return { answer, about };
}
