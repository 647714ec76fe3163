/** Servers in JSON files of other programs, with comments and commas at the end of lists: nothing else is changed. */
import { lineBreakOf, type ServerFile } from "./server-file.ts";

interface Member {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Returns the servers of a JSON file in one of its members. */
export function jsonServers(container: string, name: string): ServerFile {
  const read = (text: string): unknown => {
    const root: unknown = JSON.parse(toJson(text) || "{}");
    const servers = memberOf(root, container);
    if (servers !== undefined) memberOf(servers, "");
    return servers === undefined ? undefined : memberOf(servers, name);
  };
  const find = (text: string) => {
    const json = toJson(text);
    const root = json.indexOf("{");
    const servers = membersOf(json, root).findLast(({ key }) => key === container);
    const server = servers && membersOf(json, servers.valueStart).findLast(({ key }) => key === name);
    return { root, servers, server };
  };
  return {
    read,
    add(text, entry) {
      if (toJson(text) === "") return `${text}{\n  "${container}": ${blockJson(name, entry, "  ", "\n")}\n}\n`;
      const { root, servers, server } = find(text);
      if (server) return text.slice(0, server.valueStart) + inlineJson(entry) + text.slice(server.end);
      if (servers) return addMember(text, servers.valueStart, name, () => inlineJson(entry));
      return addMember(text, root, container, (indent) =>
        indent === "" ? inlineJson({ [name]: entry }) : blockJson(name, entry, indent, lineBreakOf(text)),
      );
    },
    remove(text) {
      const { root, servers, server } = find(text);
      if (!servers || !server) return [text];
      const own = removeMember(text, servers.valueStart, server);
      const isAlone = membersOf(toJson(text), servers.valueStart).length === 1;
      const whole = isAlone ? removeMember(text, root, servers) : [];
      const isOnly = whole.some((rest) => /^\s*\{\s*\}\s*$/.test(rest));
      return [...own, ...whole, ...(isOnly ? [""] : [])];
    },
  };
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError("it has no object where servers belong");
  return (value as Readonly<Record<string, unknown>>)[key];
}

const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|\ufeff/g;
const STRING_OR_LAST_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

const blank = (text: string) => text.replace(/[^\r\n]/g, " ");

/** Returns the text with comments as spaces: every character keeps its place. */
const withoutComments = (text: string) =>
  text.replace(STRING_OR_COMMENT, (all) => (all.startsWith('"') ? all : blank(all)));

/** Returns the text as JSON of the same length. */
const toJson = (text: string) => {
  const json = withoutComments(text).replace(STRING_OR_LAST_COMMA, (all) => (all === "," ? " " : all));
  return json.trim() === "" ? "" : json;
};

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+)/y;

/** Returns the members of the object that starts at an offset of valid JSON. */
function membersOf(json: string, at: number): readonly Member[] {
  if (json[at] !== "{") return [];
  TOKEN.lastIndex = at + 1;
  const next = () => {
    const token = TOKEN.exec(json)?.[1] ?? "";
    return { token, start: TOKEN.lastIndex - token.length, end: TOKEN.lastIndex };
  };
  const members: Member[] = [];
  for (let key = next(); key.token !== "}" && key.token !== ""; key = next()) {
    if (key.token === ",") continue;
    next();
    const value = next();
    let { end } = value;
    for (let depth = isOpening(value.token) ? 1 : 0; depth > 0; ) {
      const { token, end: tokenEnd } = next();
      depth += isOpening(token) ? 1 : token === "}" || token === "]" || token === "" ? -1 : 0;
      end = tokenEnd;
    }
    members.push({ key: JSON.parse(key.token), start: key.start, valueStart: value.start, end });
  }
  return members;
}

const isOpening = (token: string) => token === "{" || token === "[";

/** Adds a member to an object: to an empty one on its line, else on a line like that of the last member. */
function addMember(text: string, at: number, key: string, format: (indent: string) => string): string {
  const last = membersOf(toJson(text), at).at(-1);
  const member = (indent: string) => `${JSON.stringify(key)}: ${format(indent)}`;
  if (!last) return text.slice(0, at + 1) + member("") + text.slice(at + 1);
  const space = /\s*$/.exec(text.slice(0, last.start))?.[0] ?? "";
  const comma = /^\s*,/.exec(withoutComments(text).slice(last.end))?.[0].length ?? 0;
  const valueEnd = last.end + comma;
  // A comment on the line of the last member stays there.
  const comment =
    /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/(?=[ \t]*[\r\n]))/.exec(text.slice(valueEnd))?.[0] ?? "";
  const added =
    (comment === "" || /[\r\n]/.test(space) ? space : lineBreakOf(text)) + member(space.replace(/^.*[\r\n]/s, ""));
  const rest = valueEnd + comment.length;
  return comma > 0
    ? `${text.slice(0, rest)}${added},${text.slice(rest)}`
    : `${text.slice(0, last.end)},${text.slice(last.end, rest)}${added}${text.slice(rest)}`;
}

/** Returns the text without a member of an object: with and without the comma of the member before it. */
function removeMember(text: string, at: number, { start, end }: Member): readonly string[] {
  const members = membersOf(toJson(text), at);
  const index = members.findIndex((one) => one.start === start);
  const comma = /^\s*,/.exec(withoutComments(text).slice(end))?.[0].length ?? 0;
  const [previous, next] = [members[index - 1], members[index + 1]];
  if (next) return [text.slice(0, start) + text.slice(next.start)];
  if (!previous) return [text.slice(0, start) + text.slice(end + comma)];
  const kept = text.slice(0, start).trimEnd();
  const separator = kept.indexOf(",", previous.end);
  const rest = text.slice(end + comma);
  const withoutComma = kept.slice(0, separator) + kept.slice(separator + 1) + rest;
  return comma > 0 ? [kept + rest] : [withoutComma, kept + rest];
}

/** Formats JSON on one line, with spaces. */
function inlineJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inlineJson(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Formats an object with one member on lines of its own. */
const blockJson = (key: string, value: object, indent: string, lineBreak: string) =>
  ["{", `${indent}${indent}${JSON.stringify(key)}: ${inlineJson(value)}`, `${indent}}`].join(lineBreak);
