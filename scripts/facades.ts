/**
 * Removes the files with which the bundler represents modules that are imported dynamically and that belong to another
 * file: they only export again what that file exports, and finding and reading one costs more than what is in it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the bundler says about a file that it has written. */
export interface OutputFile {
  readonly type: string;
  readonly fileName: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

/** A file that exports again: the file with the code, and its names of the exports by those of the module. */
export interface Facade {
  readonly target: string;
  readonly names: ReadonlyMap<string, string>;
}

const FACADE = /^export\{([^}]*)\}from"\.\/([^"]+)";\s*$/;

/** Returns what a file exports again; undefined when it does more than that. */
export function reexportsOf(code: string): Facade | undefined {
  const [, list, target] = FACADE.exec(code) ?? [];
  return list === undefined || target === undefined ? undefined : { target, names: namesOf(list) };
}

/** Rewrites dynamic imports of facades in the files of a folder to imports of what they stand for, and removes them. */
export function inlineFacades(folder: string, output: readonly OutputFile[]): void {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const files = output.filter(({ type }) => type === "chunk");
  const imported = new Set(files.flatMap(({ imports = [] }) => imports));
  const facades = new Map<string, Facade>();
  for (const { fileName, isEntry } of files) {
    const facade = isEntry || imported.has(fileName) ? undefined : reexportsOf(read(fileName));
    if (facade) facades.set(fileName, facade);
  }
  for (const { fileName } of files.filter((file) => !facades.has(file.fileName))) {
    const code = read(fileName);
    const inlined = code.replace(/\bimport\(`\.\/([^`]+)`\)/g, (whole, name) => {
      const facade = facades.get(name);
      return facade ? inlinedImport(facade, fileName, code) : whole;
    });
    if (inlined !== code) writeFileSync(join(folder, fileName), inlined);
  }
  for (const name of facades.keys()) rmSync(join(folder, name));
}

/** Returns the expression that replaces the dynamic import of a facade in a file. */
function inlinedImport({ target, names }: Facade, file: string, code: string): string {
  const membersOf = (value: (name: string) => string) => [...names].map(([name, theirs]) => `${name}:${value(theirs)}`);
  if (target !== file) return `import(\`./${target}\`).then(m=>({${membersOf((name) => `m.${name}`)}}))`;
  const locals = namesOf(/export\{([^}]*)\};?\s*$/.exec(code)?.[1] ?? "");
  return `Promise.resolve().then(()=>({${membersOf((name) => locals.get(name) ?? name)}}))`;
}

/** Returns the local names by the exported ones, from a list such as `a as b,c`. */
function namesOf(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split(",").map((entry) => {
      const [local = "", name = local] = entry.trim().split(/\s+as\s+/);
      return [name, local] as const;
    }),
  );
}
