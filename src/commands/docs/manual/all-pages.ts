/** All pages of the manual, in the order of its index. */

import type { Command } from "commander";
import { allEndpoints, SERVERS } from "../../../catalogue/index.ts";
import { commandPage } from "./command-page.ts";
import { allCommands, buildCommandTree, type CommandNode } from "./command-tree.ts";
import { type EndpointPageOptions, endpointPage } from "./endpoint-page.ts";
import type { ManualPage } from "./page.ts";
import { TOPICS } from "./topics.ts";

/** Milliseconds since the epoch; with a fixed clock, relative times in examples are the same in every build. */
const REFERENCE_TIME = Date.UTC(2026, 6, 1);

/** Returns all pages of a program; see {@link referencePages}. */
export const pagesOfProgram = (program: Command): readonly ManualPage[] => referencePages(buildCommandTree(program));

/** Returns all pages with default settings and a fixed clock: the same on every machine and at any time. */
export function referencePages(tree: CommandNode): readonly ManualPage[] {
  const options = { baseUrls: SERVERS, now: () => REFERENCE_TIME };
  const pages = allCommands(tree).flatMap((node) => createPages(node, options));
  const groups = Map.groupBy([...pages, ...TOPICS], ({ group }) => group);
  const first = ["commands", "topics"];
  const last = "legacy";
  const rest = [...groups.keys()].filter((group) => !first.includes(group) && group !== last);
  return [...first, ...rest, last].flatMap((group) => groups.get(group) ?? []);
}

/** Returns the page of a command; none for a second command of the same endpoint. */
function createPages(node: CommandNode, options: EndpointPageOptions): readonly ManualPage[] {
  if (node.endpoint === undefined) return [commandPage(node)];
  const endpoint = allEndpoints.find(({ route }) => route === node.endpoint);
  return endpoint?.command === node.path.slice(1).join(" ") ? [endpointPage(endpoint, node, options)] : [];
}
