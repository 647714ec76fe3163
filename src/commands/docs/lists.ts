/** The lists of `solx docs`. */
import * as z from "zod";
import type { Endpoint } from "../../catalogue/endpoint.ts";
import { f } from "../../catalogue/kinds.ts";
import type { Term } from "./manual/page.ts";
import { bold, definitions, type TextOptions } from "./manual/terminal-page.ts";
import { TOPICS } from "./manual/topics/index.ts";

/** A row of the list for machines. */
export const docsRow = () =>
  z.looseObject({
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

/** The endpoints as a list, by group, the newest family first. */
export function docsList(listed: readonly Endpoint[], { width, color }: TextOptions): string {
  const ranked = [...listed].sort((a, b) => Number(a.family !== "v2") - Number(b.family !== "v2"));
  const groups = Map.groupBy(ranked, ({ command, group }) =>
    command
      .split(" ")
      .slice(0, group ? -1 : 0)
      .join(" "),
  );
  return [...groups]
    .map(([group, members]) => {
      const title = group === "" ? "" : `${bold(group, color)}\n`;
      return (
        title +
        definitions(
          members.map(({ name, summary }): Term => [name, summary]),
          width,
        )
      );
    })
    .join("\n\n")
    .concat("\n");
}

/** The topics as a list. */
export function moreDocs({ width, color }: TextOptions): string {
  const rows = TOPICS.map(({ id, summary }): Term => [id, summary]);
  return `${bold("topics, with solx help <topic>", color)}\n${definitions(rows, width)}\n`;
}
