/** What the tools do. Every result is capped; what the chain's users wrote is data in it and nothing else. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { UsageError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpoints, positionalOf } from "../../catalogue/index.ts";
import { displayText } from "../../client/index.ts";
import { unsupportedQuestion } from "../docs/search/stems.ts";
import { endpointAt } from "../endpoint/answers.ts";
import { DETAIL_PATHS, fetchAddress, fetchBlock, identifyEntity, NEXT_PATHS } from "../show/lookup.ts";
import { briefTransaction } from "./abridge.ts";
import { type Args, fieldsArg, flagArg, paramsArg, RefusedArgument, rowsArg, textArg, wordsArg } from "./arguments.ts";
import { descriptionOf, summaryOf } from "./describe.ts";
import { endpointNamed, endpointsFor } from "./find-endpoint.ts";
import { listResult, objectResult } from "./lists.ts";
import { metadataOf } from "./metadata.ts";
import { partOf, resultOf } from "./results.ts";
import type { Calling, Session } from "./session.ts";
import { compact } from "./values.ts";

/** Runs a tool. @throws typed errors, for failures that the model should hear of */
export type Run = (session: Session, args: Args, calling: Calling) => Promise<CallToolResult>;

/** Endpoints that a search gives. */
const MOST_FOUND = 8;

/** Finds endpoints; where nothing is looked for, all of them by name. */
export const searchEndpoints: Run = async (session, args) => {
  const words = wordsArg(args, "query");
  if (words === "") return resultOf({ endpoints: endpoints.map(({ command }) => command) }, session.room);
  const found = await endpointsFor(words);
  const value = compact({
    endpoints: found.slice(0, MOST_FOUND).map(summaryOf),
    others:
      found.length > MOST_FOUND ? found.slice(MOST_FOUND, 3 * MOST_FOUND).map(({ command }) => command) : undefined,
    note:
      unsupportedQuestion(words) ??
      (found.length === 0 ? "Nothing fits; without a query all endpoints are listed." : undefined),
  });
  return resultOf(value, session.room);
};

/** Tells what an endpoint takes and gives. */
export const describeEndpoint: Run = async (session, args) => {
  const endpoint = endpointNamed(textArg(args, "endpoint", "account transfer"));
  const [{ listFields: fieldsOf }, entities] = await Promise.all([
    import("../../catalogue/fields.ts"),
    import("../../catalogue/entities/index.ts"),
  ]);
  return resultOf(descriptionOf(endpoint, fieldsOf(entities[endpoint.returns.entity])), session.room);
};

/** Calls an endpoint. */
export const callEndpoint: Run = async (session, args, calling) => {
  const endpoint = endpointNamed(textArg(args, "endpoint", "account transfer"));
  const params = paramsArg(args, endpoint);
  const fields = fieldsArg(args);
  const rows = rowsArg(args, session.limits, fields);
  const { notes } = (await session.client()).prepare(endpoint, params);
  if (endpoint.returns.shape !== "object") {
    const place = { kind: "list", endpoint, params, fields, kept: [], state: null, shown: 0, more: "likely" } as const;
    return listResult(session, place, rows, calling, notes);
  }
  const { answer, about } = await asked(session, endpoint, params, calling);
  return objectResult(session, { ...about, notes }, answer.data, {
    fields,
    endpoint,
    ...innerRows(args, rows),
  });
};

/** Lists inside an object are limited where that is asked for. */
const innerRows = ({ rows: given }: Args, rows: number) => (given === undefined || given === null ? {} : { rows });

/** Goes on where a cursor is. */
export const more: Run = async (session, args, calling) => {
  const place = session.cursors.find(textArg(args, "cursor", "c1-k3x9a2"));
  if (place.kind === "text") return partOf(place, session.room);
  return listResult(session, place, rowsArg(args, session.limits, place.fields), calling);
};

/** Shows what an identifier or a link stands for. */
export const show: Run = async (session, args, calling) => {
  const { kind, id } = await identifyEntity(textArg(args, "what", "281844070")).catch((error: unknown) => {
    throw error instanceof UsageError ? new RefusedArgument("what", error) : error;
  });
  const fields = fieldsArg(args);
  const isFull = flagArg(args, "full");
  const inner = innerRows(args, rowsArg(args, session.limits, fields));
  let units = 0;
  const ask = async (path: string, one: string): Promise<Json> => {
    const endpoint = endpointAt(path);
    const { answer } = await asked(session, endpoint, { [positionalOf(endpoint)?.[0] ?? "address"]: one }, calling);
    units += answer.age === undefined ? answer.request.cost : 0;
    return answer.data;
  };
  if (kind === "account" || kind === "block") {
    const found = kind === "block" ? { kind, data: await fetchBlock(ask, id) } : await fetchAddress(ask, id);
    const about = { is: found.kind, id: displayText(id), units, next: nextOf(found.kind) };
    return objectResult(session, about, found.data, { fields, isFull, ...inner });
  }
  const endpoint = endpointAt(DETAIL_PATHS[kind]);
  const { answer, about } = await asked(session, endpoint, { [positionalOf(endpoint)?.[0] ?? "tx"]: id }, calling);
  const isBrief = kind === "transaction" && !fields && !isFull;
  const { value, notes } = isBrief ? briefTransaction(answer.data) : { value: answer.data, notes: [] };
  const told = { is: kind, id, ...about, notes, next: nextOf(kind) };
  return objectResult(session, told, value, { fields, endpoint, isFull, ...inner });
};

const nextOf = (thing: keyof typeof NEXT_PATHS) => NEXT_PATHS[thing].map((path) => endpointAt(path).command);

/** An answer that is one object, and what is told beside it. */
async function asked(session: Session, endpoint: Endpoint, params: Args, { signal }: Calling) {
  const request = (await session.client()).prepare(endpoint, params);
  const answer = await session.spend(request, (client) => client.request(request, { signal, priority: "interactive" }));
  const about: Readonly<Record<string, Json | undefined>> = {
    endpoint: endpoint.command,
    units: answer.age === undefined ? request.cost : 0,
    age_seconds: answer.age,
    metadata: metadataOf(answer),
  };
  return { answer, about };
}
