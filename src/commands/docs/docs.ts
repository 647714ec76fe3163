/** `solx docs`: the list of endpoints, and the page of an endpoint, a command or a topic. */
import type { Command } from "commander";
import { type Json, type JsonObject, NotFoundError, omitUndefined, pluralize, suggestName } from "../../base/index.ts";
import {
  API_VERSIONS,
  type ApiVersion,
  allEndpoints,
  type Endpoint,
  endpoints,
  FAMILIES,
  type NodeSupportLevel,
  nodeSupportOf,
  type Param,
} from "../../catalogue/index.ts";
import { isTable } from "../../output/index.ts";
import { findEndpoint } from "../endpoint/find-endpoint.ts";
import { findGroup } from "../endpoint/groups.ts";
import { rowSchema } from "../row-schema.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { definitionList } from "../run/help.ts";
import { commandAt } from "./manual/command-tree.ts";
import { isFromNode } from "./manual/node-support.ts";
import type { Definition, ManualPage } from "./manual/page.ts";
import { headingText, type TerminalPageOptions } from "./manual/terminal-page.ts";
import { TOPICS } from "./manual/topics.ts";
import { TOPIC_NAMES } from "./topic-names.ts";

function parameterObject(name: string, param: Param): JsonObject {
  const { arity, wire, in: place, required, positional, type, description, values, newer, min, max } = param;
  return omitUndefined({
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
    accepts: param.accepts,
    amount_of: param.amountOf,
    deprecated: param.deprecated,
    description,
    note: param.note,
  });
}

function endpointObject(endpoint: Endpoint): JsonObject {
  const { route, family, since, group, name, method, path, command, paging, cost, summary } = endpoint;
  const parameters = Object.entries(endpoint.query).map(([key, param]) => parameterObject(key, param));
  const { level, methods, missing = [] } = nodeSupportOf(endpoint);
  return {
    route,
    family,
    since,
    group,
    name,
    method: family === "node" ? null : method,
    path,
    command,
    parameters,
    paging,
    cost: { ...cost },
    summary,
    rpc: { level, methods: [...methods], missing: [...missing] },
  };
}

/** Prints the list of endpoints; as text, the list of all endpoints includes the topics. */
export async function listDocs(context: RunContext, members: readonly Endpoint[] = allEndpoints): Promise<void> {
  const { facts, supports } = sourceOf(await context.session.settings());
  const listed = facts.omitsUnknown ? members.filter((endpoint) => supports(endpoint).level !== "none") : members;
  if (!isTable(await context.printer.format())) {
    return void (await context.printer.printRows(listed.map(endpointObject), { entity: endpointRowSchema }));
  }
  const options = await context.printer.options();
  const topics = members === allEndpoints ? `\n${topicList(options)}` : "";
  await context.printer.printText(endpointList(listed, options, facts.omitsUnknown) + topics);
  if (listed.length < members.length) {
    const left = pluralize(members.length - listed.length, "endpoint");
    await context.reporter.hint(`${left} that ${facts.noun} cannot answer left out. To list them: --rpc off`);
  }
  await context.reporter.hint("To read a page: solx docs <command|route|topic>. To search: solx docs --search <words>");
}

/** The options that select endpoints. */
interface Selection {
  readonly since: ApiVersion | undefined;
  readonly support: NodeSupportLevel | undefined;
}

/** Prints the list of the endpoints that options select, of all groups or of one. */
export function listSelected(context: RunContext, { since, support }: Selection, group: string): Promise<void> {
  const prefix = group === "" ? "" : `${findGroup(group) ?? group} `;
  const selected = (since === undefined ? allEndpoints : endpoints).filter(
    (endpoint) =>
      (since === undefined || endpoint.since === since) &&
      (support === undefined || nodeSupportOf(endpoint).level === support) &&
      endpoint.command.startsWith(prefix),
  );
  return listDocs(context, selected);
}

/** Prints a page as text, or as an object when a format is selected; for a group of endpoints, their list. */
export async function showDocs(context: RunContext, program: Command, name: string): Promise<void> {
  // The route of a legacy endpoint, such as `account-detail`, may be the page name of a newer one.
  const namesake = findEndpoint(name);
  const route = name.trim().replace(/^\//, "");
  const endpoint = allEndpoints.find((one) => one.route === route) ?? namesake;
  if (endpoint) {
    await showEndpoint(context, program, endpoint);
    if (namesake && namesake !== endpoint) {
      await context.reporter.hint(`For the page of solx ${namesake.command}: solx docs ${namesake.command}`);
    }
    return;
  }
  const group = findGroup(name) ?? name;
  const members = allEndpoints.filter(({ command }) => command.startsWith(`${group} `));
  if (members.length > 0) return listDocs(context, members);
  const { topicNamed, TOPICS } = await import("./manual/topics.ts");
  if (name === "topics") return showTopics(context, TOPICS);
  const topic = topicNamed(name);
  if (topic) return showPage(context, topic);
  const typed = name.trim().replace(/^solx\b\s*/, "");
  const splitAt = (separator: RegExp) => typed.split(separator).filter(Boolean);
  // The name of a page has dashes where the command has spaces.
  const node = commandAt(program, splitAt(/\s+/)) ?? commandAt(program, splitAt(/-/));
  if (!node) throw unknownPage(name, program);
  const { commandPage } = await import("./manual/command-page.ts");
  const { arguments: list, options } = node;
  await showPage(context, commandPage(node), {
    arguments: list as unknown as Json,
    options: options.filter(({ hidden }) => !hidden) as unknown as Json,
  });
}

const SANDBOX_ADDRESS = "The addresses on this page answer while the sandbox runs. To start it: solx sandbox";

async function showEndpoint(context: RunContext, program: Command, endpoint: Endpoint): Promise<void> {
  const { endpointPage, fieldsOfEndpoint } = await import("./manual/endpoint-page.ts");
  const node = commandAt(program, endpoint.command.split(" "));
  if (node && (await printsText(context))) {
    const settings = await context.session.settings();
    const server = {
      baseUrls: settings.baseUrls(),
      keyHeader: settings.get("key-header"),
      keyText: settings.printedKey(),
    };
    await showText(context, endpointPage(endpoint, node, { ...server, now: await context.session.clock() }));
    return sourceOf(settings).facts.isSimulated ? context.reporter.hint(SANDBOX_ADDRESS) : undefined;
  }
  await context.printer.printObject({
    ...endpointObject(endpoint),
    ...omitUndefined({ description: endpoint.description, notes: endpoint.notes }),
    returns: { ...endpoint.returns } as unknown as Json,
    fields: fieldsOfEndpoint(endpoint).map((field) => ({
      ...field,
      from_node: isFromNode(nodeSupportOf(endpoint), field),
    })) as unknown as Json,
  });
}

/** Whether pages are printed as text: also in a pipe, unless a format is selected. */
async function printsText(context: RunContext): Promise<boolean> {
  const isSelected = (await context.session.settings()).get("output") !== undefined;
  return !isSelected || isTable(await context.printer.format());
}

async function showPage(context: RunContext, page: ManualPage, details: JsonObject = {}): Promise<void> {
  if (await printsText(context)) return showText(context, page);
  const { formBlock, JSON_FORMS } = await import("./manual/page.ts");
  const { kind, id, command, summary, aliases, sections } = page;
  await context.printer.printObject({
    kind,
    name: id,
    command,
    summary,
    aliases: [...aliases],
    ...details,
    sections: sections.map(({ title, blocks }) => ({
      title,
      blocks: blocks.map((block) => formBlock(block, JSON_FORMS)),
    })) as Json,
  });
}

async function showText(context: RunContext, page: ManualPage): Promise<void> {
  const { terminalPage } = await import("./manual/terminal-page.ts");
  await context.printer.printText(terminalPage(page, await context.printer.options()));
}

async function showTopics(context: RunContext, topics: readonly ManualPage[]): Promise<void> {
  if (!(await printsText(context))) {
    return context.printer.printRows(
      topics.map(({ id, summary, aliases }) => ({ name: id, summary, aliases: [...aliases] })),
    );
  }
  await context.printer.printText(topicList(await context.printer.options()));
}

function unknownPage(name: string, program: Command): NotFoundError {
  const commands = program.commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
  ]);
  const known = [...allEndpoints.flatMap(({ route, command }) => [route, command]), ...TOPIC_NAMES, ...commands];
  return new NotFoundError(`unknown page ${JSON.stringify(name)}`, {
    hint: [suggestName(name, known), `To list all pages: solx docs. To search: solx docs --search ${name}`]
      .filter(Boolean)
      .join(" "),
  });
}

const endpointRowSchema = rowSchema((f) => ({
  route: f.text("Route of the documentation page"),
  family: f.enum("Family", [...FAMILIES, "node"]),
  since: f.enum("Documented in the specification or only for newer servers", API_VERSIONS),
  group: f.text("Group"),
  name: f.text("Name in the group"),
  method: f.text("HTTP method; null for the calls of a Solana node").nullable(),
  path: f.text("Path"),
  command: f.text("Command, as typed after solx"),
  parameters: f.json("Parameters"),
  paging: f.enum("Paging"),
  cost: f.json("Compute units, per request or per item"),
  summary: f.text("Summary"),
  rpc: f.json("Answers from a Solana node: level, methods, and fields that only the API knows"),
}));

/**
 * Returns the endpoints by group, those of the v2 family first.
 * @param showsSupport whether the list says how far a Solana node answers each
 */
function endpointList(
  listed: readonly Endpoint[],
  { width, theme }: TerminalPageOptions,
  showsSupport = false,
): string {
  const sorted = [...listed].sort((a, b) => Number(a.family !== "v2") - Number(b.family !== "v2"));
  const groups = Map.groupBy(sorted, ({ command, group }) =>
    command
      .split(" ")
      .slice(0, group ? -1 : 0)
      .join(" "),
  );
  return [...groups]
    .map(([group, members]) => {
      const title = group === "" ? "" : `${headingText(group, theme)}\n`;
      const definitions = members.map((endpoint): Definition => {
        const { name, summary } = endpoint;
        return [name, showsSupport ? `${summary} (${nodeSupportOf(endpoint).level})` : summary];
      });
      return title + definitionList(definitions, width);
    })
    .join("\n\n")
    .concat("\n");
}

function topicList({ width, theme }: TerminalPageOptions): string {
  const definitions = TOPICS.map(({ id, summary }): Definition => [id, summary]);
  return `${headingText("help topics (solx help <topic>)", theme)}\n${definitionList(definitions, width)}\n`;
}
