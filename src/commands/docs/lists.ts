/** The lists of `solx docs`: endpoints and topics. */
import * as z from "zod";
import { API_VERSIONS, type Endpoint, FAMILIES, nodeSupportOf } from "../../catalogue/index.ts";
import { f } from "../../catalogue/schemas.ts";
import type { Definition } from "./manual/page.ts";
import { definitionList, headingText, type TerminalPageOptions } from "./manual/terminal-page.ts";
import { TOPICS } from "./manual/topics.ts";

/** Returns the schema of a row of `solx docs -o json`. */
export const endpointRowSchema = () =>
  z.looseObject({
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
  });

/**
 * Returns the endpoints by group, those of the v2 family first.
 * @param showsSupport whether the list says how far a Solana node answers each
 */
export function endpointList(
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

/** Returns the help topics with their summaries. */
export function topicList({ width, theme }: TerminalPageOptions): string {
  const definitions = TOPICS.map(({ id, summary }): Definition => [id, summary]);
  return `${headingText("help topics (solx help <topic>)", theme)}\n${definitionList(definitions, width)}\n`;
}
