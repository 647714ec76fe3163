/**
 * Lists names that deserve a second look: values named like verb phrases, booleans that are no predicate, and exported
 * names with several meanings. Not every one is wrong: read it aloud where it is used.
 * Usage: node scripts/names.ts [folder]
 */
import { sourceFiles, syntaxNodes } from "../tests/project/source.ts";

const [folder = "src"] = process.argv.slice(2);
const VERBS =
  /^(add|apply|build|check|choose|close|compute|create|draw|fetch|find|format|get|load|make|move|open|parse|print|publish|read|remove|render|resolve|run|send|set|show|start|stop|update|write)[A-Z]/;
const PREDICATE =
  /^(is|has|can|should|shows|uses|was|were|are|does|did|needs|may|must|keeps|sorts|allows|accepts)([A-Z]|$)/;

interface Named {
  readonly name?: string;
  readonly typeAnnotation?: { readonly typeAnnotation?: { readonly type: string } };
}

const exported = new Map<string, string[]>();
for (const file of sourceFiles(folder)) {
  for (const node of syntaxNodes(file)) {
    const { type } = node;
    if (type === "Identifier") checkName(file, node as unknown as Named);
    if (type === "TSPropertySignature") {
      const key = node.key as Named;
      checkName(file, { ...key, ...(node as unknown as Named), name: key.name ?? "" });
    }
    if (type === "ExportNamedDeclaration" && node.source === null) {
      const declaration = node.declaration as {
        readonly id?: Named;
        readonly declarations?: readonly { id: Named }[];
      } | null;
      for (const { name } of [declaration?.id, ...(declaration?.declarations ?? []).map(({ id }) => id)].flatMap(
        (id) => id ?? [],
      ))
        if (name !== undefined) exported.set(name, [...(exported.get(name) ?? []), file]);
    }
  }
}
for (const [name, files] of exported) if (files.length > 1) console.log(`${name}: exported by ${files.join(", ")}`);

/** Reports a name whose type contradicts it: a verb phrase that is no function, a boolean that is no predicate. */
function checkName(file: string, { name = "", typeAnnotation }: Named): void {
  const type = typeAnnotation?.typeAnnotation?.type;
  if (type === undefined || type === "TSFunctionType" || type === "TSTypeReference") return;
  if (type === "TSBooleanKeyword" && !PREDICATE.test(name)) console.log(`${file}: ${name}: a boolean`);
  else if (VERBS.test(name)) console.log(`${file}: ${name}: a value named like a verb phrase`);
}
