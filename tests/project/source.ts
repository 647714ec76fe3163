/** The project's own source files, parsed: for tests of its layout. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ParseResult, parseSync } from "rolldown/utils";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A node of the syntax tree, as far as these tests read it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [property: string]: unknown;
}

/** The TypeScript files below a folder, relative to the checkout, sorted. */
export function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .toSorted();
}

/** The text of a file of the checkout. */
export const readSource = (file: string) => readFileSync(join(ROOT, file), "utf8");

const parsed = new Map<string, ParseResult>();

function parse(file: string): ParseResult {
  const result = parsed.get(file) ?? parseSync(file, readSource(file));
  parsed.set(file, result);
  return result;
}

/** Returns every node of a file's syntax tree, parents first. */
export function syntaxNodes(file: string): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const open: unknown[] = [parse(file).program];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value.toReversed());
    else if (typeof value === "object" && value !== null) {
      if (typeof (value as SyntaxNode).type === "string") nodes.push(value as SyntaxNode);
      open.push(...Object.values(value).filter((child) => typeof child === "object" && child !== null));
    }
  }
  return nodes;
}

/** Returns the files of the checkout that load with a file: without dynamic imports and imports of types. */
export function loadedFiles(file: string): ReadonlySet<string> {
  const specifiers = syntaxNodes(file).flatMap(({ type, source, importKind, exportKind, specifiers: names }) => {
    if (!/^(Import|Export\w+)Declaration$/.test(type) || importKind === "type" || exportKind === "type") return [];
    const kinds =
      (names as readonly { readonly importKind?: string; readonly exportKind?: string }[] | undefined) ?? [];
    const areTypes = kinds.length > 0 && kinds.every((one) => one.importKind === "type" || one.exportKind === "type");
    const specifier = areTypes ? undefined : (source as { readonly value?: unknown } | null)?.value;
    return typeof specifier === "string" && specifier.startsWith(".") ? [specifier] : [];
  });
  return new Set(specifiers.map((specifier) => relative(ROOT, resolve(ROOT, dirname(file), specifier))));
}

/** Returns the files of the checkout that a file imports: statically, dynamically, re-exported or for types. */
export function importedFiles(file: string): ReadonlySet<string> {
  const specifiers = syntaxNodes(file).flatMap(({ type, source }) => {
    const isImport = /^(Import|Export\w+)Declaration$|^ImportExpression$|^TSImportType$/.test(type);
    const specifier = isImport ? (source as { readonly value?: unknown } | null)?.value : undefined;
    return typeof specifier === "string" && specifier.startsWith(".") ? [specifier] : [];
  });
  return new Set(specifiers.map((specifier) => relative(ROOT, resolve(ROOT, dirname(file), specifier))));
}
