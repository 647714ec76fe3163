/** Servers in TOML files of other programs: nothing else is changed. */
import { parse, stringify } from "smol-toml";
import { lineBreakOf, type ServerFile } from "./server-file.ts";

/** The header of a table, with its name. */
const HEADER = /^[ \t]*\[\[?[ \t]*([^\]\r\n]+?)[ \t]*\]\]?[ \t]*(?:#.*)?$/;

/** Returns the servers of a TOML file in one of its tables. */
export function tomlServers(container: string, name: string): ServerFile {
  const isOwn = (header: string) => {
    const path = header.replace(/["'\s]/g, "");
    return path === `${container}.${name}` || path.startsWith(`${container}.${name}.`);
  };
  const read = (text: string): unknown => {
    // Tables of the parser have no prototype.
    const servers = JSON.parse(JSON.stringify(parse(text)))[container];
    return typeof servers === "object" ? servers[name] : undefined;
  };
  const withoutTables = (text: string) => removeTables(text, isOwn);
  return {
    read,
    add(text, entry) {
      const kept = read(text) === undefined ? text : withoutTables(text);
      const lineBreak = lineBreakOf(kept);
      const table = `${stringify({ [container]: { [name]: entry } }).trimEnd()}\n`.replaceAll("\n", lineBreak);
      return kept === "" ? table : kept + lineBreak + table;
    },
    remove(text) {
      const rest = withoutTables(text);
      return [rest, rest.replace(/\r?\n$/, "")];
    },
  };
}

/** Removes the tables with some names, up to the comments of the next one. */
function removeTables(text: string, isRemoved: (header: string) => boolean): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  let pending: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const header = HEADER.exec(line.trimEnd())?.[1];
    if (header !== undefined) {
      isInside = isRemoved(header);
      if (!isInside) kept.push(...pending);
      pending = [];
    }
    if (!isInside) kept.push(line);
    // Blank lines and comments may belong to the next table.
    else if (/^\s*(?:#.*)?$/.test(line.trimEnd())) pending.push(line);
    else pending = [];
  }
  return kept.join("");
}
