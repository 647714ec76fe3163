/** The lists of `solx docs`: endpoints and topics. */
import * as z from "zod";
import { API_VERSIONS, type Endpoint } from "../../catalogue/index.ts";
import { f } from "../../catalogue/schemas.ts";
import type { Definition } from "./manual/page.ts";
import { bold, definitionList, type TerminalPageOptions } from "./manual/terminal-page.ts";
import { TOPICS } from "./manual/topics.ts";

/** Returns the schema of a row of `solx docs -o json`. */
export const endpointRowSchema = () =>
  z.looseObject({
    route: f.text("Route of the documentation page"),
    family: f.enum("Family", ["public", "legacy", "v2"]),
    since: f.enum("Documented in the specification or only for newer servers", API_VERSIONS),
    group: f.text("Group"),
    name: f.text("Name in the group"),
    method: f.text("HTTP method"),
    path: f.text("Path"),
    command: f.text("Command, as typed after solx"),
    parameters: f.json("Parameters"),
    paging: f.enum("Paging"),
    cost: f.json("Compute units, per request or per item"),
    summary: f.text("Summary"),
  });

/** Returns the endpoints by group, those of the v2 family first. */
export function endpointList(listed: readonly Endpoint[], { width, color }: TerminalPageOptions): string {
  const sorted = [...listed].sort((a, b) => Number(a.family !== "v2") - Number(b.family !== "v2"));
  const groups = Map.groupBy(sorted, ({ command, group }) =>
    command
      .split(" ")
      .slice(0, group ? -1 : 0)
      .join(" "),
  );
  return [...groups]
    .map(([group, members]) => {
      const title = group === "" ? "" : `${bold(group, color)}\n`;
      const definitions = members.map(({ name, summary }): Definition => [name, summary]);
      return title + definitionList(definitions, width);
    })
    .join("\n\n")
    .concat("\n");
}

/** Returns the help topics with their summaries. */
export function topicList({ width, color }: TerminalPageOptions): string {
  const definitions = TOPICS.map(({ id, summary }): Definition => [id, summary]);
  return `${bold("help topics (solx help <topic>)", color)}\n${definitionList(definitions, width)}\n`;
}
