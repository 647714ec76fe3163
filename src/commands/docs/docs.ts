/** `solx docs`: the catalogue as a list, and each endpoint, command and topic as a page. */
import type { Command } from "commander";
import { NotFoundError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { nearestName } from "../../base/nearest-name.ts";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { endpointByRoute, endpoints } from "../../catalogue/index.ts";
import type { Param } from "../../catalogue/param.ts";
import { groupNamed } from "../endpoint/groups.ts";
import type { RunContext } from "../run/context.ts";
import { TOPIC_NAMES } from "../run/topic-names.ts";
import type { Page } from "./manual/page.ts";

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

/** Lists the catalogue, or a part of it; for people with the pages of solx itself and the topics. */
export async function listDocs(context: RunContext, listed: readonly Endpoint[] = endpoints): Promise<void> {
  if ((await context.format()) !== "table") {
    const { docsRow } = await import("./lists.ts");
    return void (await context.printRows(listed.map(endpointObject), { entity: async () => docsRow() }));
  }
  const { docsList, moreDocs } = await import("./lists.ts");
  const options = await context.outputOptions();
  await context.printText(docsList(listed, options) + (listed === endpoints ? `\n${moreDocs(options)}` : ""));
  await context.reporter.hint("One page: solx docs <command, route or topic>. By words: solx docs --search <words>");
}

/** The endpoint meant by a command as typed (`tx detail` too), the name of its page, or a route. */
function endpointMeant(wanted: string): Endpoint | undefined {
  const words = wanted.trim().replace(/^solx\s+/, "");
  const typed = words.replace(/^\S+/, (group) => groupNamed(group) ?? group);
  return (
    endpoints.find(({ command }) => command === typed) ??
    endpoints.find(({ command, name, aliases = [] }) =>
      aliases.some((alias) => command.replace(new RegExp(`${name}$`), alias) === typed),
    ) ??
    endpoints.find(({ command }) => command.replaceAll(" ", "-") === typed) ??
    endpointByRoute(wanted)
  );
}

/** Shows one page as text, or as an object where a format was asked for; a group is listed. */
export async function showDocs(context: RunContext, program: Command, wanted: string): Promise<void> {
  const endpoint = endpointMeant(wanted);
  if (endpoint) return showEndpoint(context, endpoint);
  const group = groupNamed(wanted) ?? wanted;
  const members = endpoints.filter(({ command }) => command.startsWith(`${group} `));
  if (members.length > 0) return listDocs(context, members);
  const { topicNamed, TOPICS } = await import("./manual/topics/index.ts");
  if (wanted === "topics") return showTopics(context, TOPICS);
  const topic = topicNamed(wanted);
  if (topic) return showPage(context, topic);
  const { commandAt } = await import("./manual/command-tree.ts");
  const typed = wanted.trim().replace(/^solx\b\s*/, "");
  const wordsBy = (separator: RegExp) => typed.split(separator).filter(Boolean);
  // The name of a page has a dash where the command has a space.
  const node = commandAt(program, wordsBy(/\s+/)) ?? commandAt(program, wordsBy(/-/));
  if (!node) throw unknownPage(wanted, program);
  const { commandPage } = await import("./manual/command-page.ts");
  const { arguments: args, options } = node;
  await showPage(context, commandPage(node), {
    arguments: args as unknown as Json,
    options: options.filter(({ hidden }) => !hidden) as unknown as Json,
  });
}

async function showEndpoint(context: RunContext, endpoint: Endpoint): Promise<void> {
  const { pageOfEndpoint, fieldsOfEndpoint } = await import("./manual/all-pages.ts");
  if (await isForPeople(context)) {
    const baseUrls = (await context.settings()).baseUrls();
    return showText(context, pageOfEndpoint(endpoint, { baseUrls, now: await context.clock() }));
  }
  await context.printObject({
    ...endpointObject(endpoint),
    ...compact({ description: endpoint.description, notes: endpoint.notes }),
    returns: { ...endpoint.returns } as unknown as Json,
    fields: fieldsOfEndpoint(endpoint) as unknown as Json,
  });
}

/** Pages are text, also in a pipe: an object is asked for. */
async function isForPeople(context: RunContext): Promise<boolean> {
  const isAsked = context.globals.json || (await context.settings()).get("output") !== undefined;
  return !isAsked || (await context.format()) === "table";
}

async function showPage(context: RunContext, page: Page, more: JsonObject = {}): Promise<void> {
  if (await isForPeople(context)) return showText(context, page);
  const { blockObject } = await import("./manual/page.ts");
  const { kind, id, command, summary, aliases, sections } = page;
  await context.printObject({
    kind,
    name: id,
    command,
    summary,
    aliases: [...aliases],
    ...more,
    sections: sections.map(({ title, blocks }) => ({ title, blocks: blocks.map(blockObject) })) as Json,
  });
}

async function showText(context: RunContext, page: Page): Promise<void> {
  const { textPage } = await import("./manual/terminal-page.ts");
  await context.printText(textPage(page, await context.outputOptions()));
}

async function showTopics(context: RunContext, topics: readonly Page[]): Promise<void> {
  if (!(await isForPeople(context))) {
    return context.printRows(topics.map(({ id, summary, aliases }) => ({ name: id, summary, aliases: [...aliases] })));
  }
  const { moreDocs } = await import("./lists.ts");
  await context.printText(moreDocs(await context.outputOptions()));
}

function unknownPage(wanted: string, program: Command): NotFoundError {
  const commands = program.commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
  ]);
  const known = [...endpoints.flatMap(({ route, command }) => [route, command]), ...TOPIC_NAMES, ...commands];
  const close = nearestName(wanted, known);
  const search = `The list: solx docs. By words: solx docs --search ${wanted}`;
  return new NotFoundError(`There is no page "${wanted}".`, {
    hint: close ? `Did you mean ${close}? ${search}` : search,
  });
}
