/** `solx docs`: the catalogue as a list, and each endpoint as a page. */
import * as z from "zod";
import { NotFoundError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { endpointByRoute, endpoints } from "../catalogue/index.ts";
import { f } from "../catalogue/kinds.ts";
import type { Param } from "../catalogue/param.ts";
import type { Frame } from "./frame.ts";
import { groupNamed } from "./groups.ts";

const ROW = z.looseObject({
  route: f.text("Route of the documentation page"),
  family: f.enum("Family", ["public", "legacy", "v2"]),
  group: f.text("Group"),
  name: f.text("Name inside the group"),
  method: f.text("HTTP method"),
  path: f.text("Path"),
  command: f.text("Command, as typed after solx"),
  parameters: f.json("Parameters"),
  paging: f.enum("How it is paged"),
  cost: f.json("Compute units, and what they are counted by"),
  summary: f.text("What it does"),
});

/** A parameter for machines. */
export function parameterObject(name: string, param: Param): JsonObject {
  const { arity, wire, in: place, required, positional, type, description, values, newer, min, max } = param;
  return compact({
    name,
    type,
    arity,
    wire,
    in: place,
    required,
    positional,
    values,
    newer_values: newer,
    default: param.default,
    min,
    max,
    max_items: param.maxItems,
    needs: param.needs,
    deprecated: param.deprecated,
    description,
    note: param.note,
  });
}

function compact(object: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** An endpoint for machines: a row of the list. */
export function endpointObject(endpoint: Endpoint): JsonObject {
  const { route, family, group, name, method, path, command, paging, cost, summary } = endpoint;
  const parameters = Object.entries(endpoint.query).map(([key, param]) => parameterObject(key, param));
  return { route, family, group, name, method, path, command, parameters, paging, cost: { ...cost }, summary };
}

/** Lists the catalogue, or a part of it. */
export async function listDocs(frame: Frame, listed: readonly Endpoint[] = endpoints): Promise<void> {
  if ((await frame.format()) !== "table") {
    return void (await frame.printRows(listed.map(endpointObject), { entity: async () => ROW }));
  }
  const { docsList } = await import("./docs-page.ts");
  await frame.text(docsList(listed, await frame.outputOptions()));
  await frame.hint("One page: solx docs <command or route>");
}

/** The endpoint meant by a command as typed (`tx detail` too) or a route. */
function endpointMeant(wanted: string): Endpoint | undefined {
  const words = wanted.trim().replace(/^solx\s+/, "");
  const typed = words.replace(/^\S+/, (group) => groupNamed(group) ?? group);
  return (
    endpoints.find(({ command }) => command === typed) ??
    endpoints.find(({ command, name, aliases = [] }) =>
      aliases.some((alias) => command.replace(new RegExp(`${name}$`), alias) === typed),
    ) ??
    endpointByRoute(wanted)
  );
}

/** Shows one page as text, or as an object where a format was asked for; a group is listed. */
export async function showDocs(frame: Frame, wanted: string): Promise<void> {
  const endpoint = endpointMeant(wanted);
  if (!endpoint) {
    const group = groupNamed(wanted) ?? wanted;
    const members = endpoints.filter(({ command }) => command.startsWith(`${group} `));
    if (members.length > 0) return listDocs(frame, members);
    throw unknownPage(wanted);
  }
  const { fieldsOf } = await import("../catalogue/fields.ts");
  const entities = await import("../catalogue/entities/index.ts");
  const fields = fieldsOf(entities[endpoint.returns.entity]);
  const isAsked = frame.globals.json || (await frame.settings()).get("output") !== undefined;
  if (!isAsked || (await frame.format()) === "table") {
    const { docsPage } = await import("./docs-page.ts");
    const { width, color } = await frame.outputOptions();
    await frame.text(docsPage(endpoint, fields, { width, color, baseUrls: (await frame.settings()).baseUrls() }));
    return;
  }
  await frame.printObject({
    ...endpointObject(endpoint),
    ...compact({ description: endpoint.description, notes: endpoint.notes }),
    returns: { ...endpoint.returns } as unknown as Json,
    fields: fields as unknown as Json,
  });
}

function unknownPage(wanted: string): NotFoundError {
  const close = nearest(
    wanted,
    endpoints.flatMap(({ route, command }) => [route, command]),
  );
  return new NotFoundError(`There is no page "${wanted}".`, {
    hint: close ? `Did you mean ${close}? The list: solx docs` : "The list: solx docs",
  });
}
