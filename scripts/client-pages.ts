/** The reference of the library: a page for each group of methods, from the same declarations as the types. */
import { clientTypes } from "./client-types.ts";

/** An interface of the declarations. */
interface Declaration {
  readonly name: string;
  readonly doc: string;
  readonly members: readonly Member[];
}

interface Member {
  readonly doc: string;
  readonly name: string;
  /** What follows the name: parameters of a method, and the type. */
  readonly rest: string;
}

const HEADER = `\`Large\` is the type of whole numbers that can exceed 2^53: \`bigint\`, unless the client has another option
\`numbers\`. What methods throw, and how calls are awaited and iterated, is in [TypeScript library](../library.md).`;

/** Returns the pages by their paths below `docs`. */
export function libraryPages(): ReadonlyMap<string, string> {
  const declarations = new Map(parseDeclarations(clientTypes()).map((declaration) => [declaration.name, declaration]));
  const groups = [...declarations.values()].filter(({ name }) => name.endsWith("Methods"));
  return new Map(groups.map((group) => [`library/${pageName(group.name)}.md`, groupPage(group, declarations)]));
}

/** Returns the name of a page: `account`, `legacy-account`, and `client` for methods without a group. */
const pageName = (interfaceName: string): string =>
  interfaceName === "ApiMethods"
    ? "client"
    : interfaceName
        .replace(/Methods$/, "")
        .replace(/(?<=.)([A-Z])/g, "-$1")
        .toLowerCase();

const COMMENT = String.raw`\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n`;

function parseDeclarations(text: string): readonly Declaration[] {
  const pattern = new RegExp(`^${COMMENT}export interface (\\w+)(?:<[^>]*>)? \\{\\n([\\s\\S]*?)^\\}`, "gm");
  return [...text.matchAll(pattern)].map(([, doc = "", name = "", body = ""]) => ({
    name,
    doc: plainText(doc),
    members: [...body.matchAll(new RegExp(`^  ${COMMENT}  (?:readonly )?([\\w$]+|"[^"]+")(\\??[:(].*);$`, "gm"))].map(
      ([, text = "", member = "", rest = ""]) => ({ doc: plainText(text), name: member, rest }),
    ),
  }));
}

/** Returns the text of a comment without its asterisks. */
const plainText = (comment: string): string => comment.replace(/^ *\* ?/gm, "").trim();

function groupPage(group: Declaration, declarations: ReadonlyMap<string, Declaration>): string {
  const inner = group.members.filter(({ rest }) => !rest.startsWith("("));
  const methods = group.members.filter(({ rest }) => rest.startsWith("("));
  const types = new Set<string>();
  const page = [
    `# \`${pageName(group.name) === "client" ? "client" : `client.${pageName(group.name).replace("-", ".")}`}\``,
    group.doc,
    HEADER,
    ...(inner.length === 0 ? [] : [inner.map(linkTo).join("\n")]),
    ...methods.flatMap((method) => [`## ${method.name}`, methodText(method, declarations, types)]),
  ];
  const rows = [...types].flatMap((name) => {
    const declaration = declarations.get(name);
    return declaration ? [`### ${name}`, declaration.doc, memberTable(declaration, types)] : [];
  });
  return `${[...page, ...(rows.length === 0 ? [] : ["## Types", ...rows])].join("\n\n")}\n`;
}

function linkTo({ name, rest, doc }: Member): string {
  const type = /\w+Methods/.exec(rest)?.[0] ?? "";
  return `- [\`${name}\`](${pageName(type)}.md): ${doc}`;
}

function methodText(method: Member, declarations: ReadonlyMap<string, Declaration>, types: Set<string>): string {
  const [text = "", example] = method.doc.split("@example\n");
  const plain = text.split("\n").filter((line) => !/^@(param|throws) /.test(line));
  const params = declarations.get(/params\??: (\w+)/.exec(method.rest)?.[1] ?? "");
  for (const [name] of method.rest.split("): ")[1]?.matchAll(/\w+/g) ?? []) if (declarations.has(name)) types.add(name);
  return [
    plain.join("\n").trim(),
    `\`\`\`ts\n${method.name}${method.rest}\n\`\`\``,
    ...(params ? [memberTable(params, types)] : []),
    ...(example ? [`\`\`\`ts\n${example}\n\`\`\``] : []),
  ].join("\n\n");
}

/** Returns the members of an interface as a table, and adds the interfaces that they need. */
function memberTable({ members }: Declaration, types: Set<string>): string {
  const rows = members.map(({ name, rest, doc }) => {
    const [, optional = "", type = ""] = /^(\??): (.*)$/.exec(rest) ?? [];
    for (const [word] of type.matchAll(/\b[A-Z]\w+/g)) types.add(word);
    const form = type.replace(/ \| undefined$/, "").replaceAll("|", "\\|");
    const text = doc
      .replaceAll("\n", " ")
      .replaceAll("|", "\\|")
      .replace(/\{@link (\w+)\}/g, "`$1`");
    return `| \`${name}${optional}\` | \`${form}\` | ${text.replace(/@(default|deprecated) /, "**$1:** ")} |`;
  });
  return ["| name | type | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}
