/** Every page of the reference, in the order of its index. */

import type * as z from "zod";
import type { Endpoint } from "../../../catalogue/endpoint.ts";
import * as entities from "../../../catalogue/entities/index.ts";
import { type Field, fieldsOf } from "../../../catalogue/fields.ts";
import { endpoints } from "../../../catalogue/index.ts";
import { commandPage, othersText } from "./command-page.ts";
import { allCommands, type CommandNode } from "./command-tree.ts";
import { type EndpointPageOptions, endpointPage } from "./endpoint-page.ts";
import { type Page, section, text } from "./page.ts";
import { TOPICS } from "./topics/index.ts";

/** The entities by their names. */
const ENTITIES: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(entities));

/** The pages of all commands, endpoints and topics: first solx itself, then topics, then the API by its groups. */
export function allPages(tree: CommandNode, options: EndpointPageOptions): readonly Page[] {
  const pages = allCommands(tree).flatMap((node) => pageOf(node, options));
  const groups = Map.groupBy([...pages, ...TOPICS], ({ group }) => group);
  const first = ["solx itself", "topics"];
  const last = "older families";
  const rest = [...groups.keys()].filter((group) => !first.includes(group) && group !== last);
  return [...first, ...rest, last].flatMap((group) => groups.get(group) ?? []);
}

/** The page of an endpoint, with the fields of its answer. */
export function pageOfEndpoint(endpoint: Endpoint, options: EndpointPageOptions): Page {
  return endpointPage(endpoint, fieldsOfEndpoint(endpoint), options);
}

/** The fields of an endpoint's answer. */
export function fieldsOfEndpoint({ returns }: Endpoint): readonly Field[] {
  const entity = ENTITIES.get(returns.entity);
  return entity === undefined ? [] : fieldsOf(entity);
}

/** The page of a command; none for a second way to an endpoint. */
function pageOf(node: CommandNode, options: EndpointPageOptions): readonly Page[] {
  if (node.endpoint === undefined) return [commandPage(node)];
  const endpoint = endpoints.find(({ route }) => route === node.endpoint);
  if (endpoint?.command !== node.path.slice(1).join(" ")) return [];
  const page = pageOfEndpoint(endpoint, options);
  const own = new Set(Object.keys(endpoint.query));
  const shown = node.options.filter(({ hidden, group, long }) => !hidden && !OWN.has(group) && !own.has(long.slice(2)));
  return [{ ...page, sections: [...page.sections, section("Options of every command", text(othersText(shown)))] }];
}

/** The headings of an endpoint's own options, and of help. */
const OWN: ReadonlySet<string> = new Set(["Filters:", "Paging:", "Identifier:", "Options:"]);
