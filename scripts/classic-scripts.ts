/**
 * Turns files of `dist/` from modules into classic scripts, which `src/script-loader.ts` loads: V8 can store the
 * functions of a script that ran. A module with the name of the file remains for the modules that import it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";
import { type OutputFile, reexportsOf } from "./facades.ts";

/** A part of a text, by its positions, and what replaces it. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const LOADER = "./script-loader.js";
/** The parameters of a script, with names that no module declares. */
const PARAMETERS = { load: "solx$load", import: "solx$import", meta: "solx$meta" };
/** What follows the name of a group in the name of its file. */
const HASHED = "-12345678.js";

/** Returns the name of the script that a file becomes. */
const scriptOf = (file: string) => file.replace(/\.js$/, ".script.js");

/** Turns the files of groups into scripts, which may import each other only: a script cannot import a module. */
export function toClassicScripts(folder: string, output: readonly OutputFile[], groups: ReadonlySet<string>): void {
  const files = output.filter(({ type }) => type === "chunk").map(({ fileName }) => fileName);
  const scripts = new Set(files.filter((file) => groups.has(file.slice(0, -HASHED.length))));
  for (const file of scripts) {
    const path = join(folder, file);
    const { script, names } = convert(readFileSync(path, "utf8"), file, scripts);
    writeFileSync(join(folder, scriptOf(file)), script);
    writeFileSync(path, moduleOf(file, new Map(names.map((name) => [name, name]))));
  }
  // The entry point loads its script at once, without the module of all exports.
  for (const file of output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)) {
    const { target, names } = reexportsOf(readFileSync(join(folder, file), "utf8")) ?? {};
    if (names && target && scripts.has(target)) writeFileSync(join(folder, file), moduleOf(target, names));
  }
}

/** Returns the text of the script, and the names of its exports. */
function convert(
  code: string,
  file: string,
  scripts: ReadonlySet<string>,
): { script: string; names: readonly string[] } {
  const edits: Edit[] = [];
  const exports: [name: string, local: string][] = [];
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  new Visitor({
    ImportDeclaration({ start, end, source, specifiers }) {
      if (!scripts.has(source.value.slice(2))) throw new Error(`${file} imports the module ${source.value}.`);
      const load = `${PARAMETERS.load}("${scriptOf(source.value.slice(2))}");`;
      edits.push({ start, end, text: specifiers.length === 0 ? load : `const{${specifiers.map(bindingOf)}}=${load}` });
    },
    ExportNamedDeclaration({ start, end, specifiers, source, declaration }) {
      if (source || declaration) throw new Error(`${file} exports in a form that is not expected.`);
      for (const { exported, local } of specifiers) exports.push([nameOf(exported), nameOf(local)]);
      edits.push({ start, end, text: "" });
    },
    ImportExpression({ start, source }) {
      const target = code.slice(source.start + 3, source.end - 1);
      if (!scripts.has(target)) edits.push({ start, end: start + "import".length, text: PARAMETERS.import });
      else
        edits.push({
          start,
          end: source.end + 1,
          text: `Promise.resolve().then(()=>${PARAMETERS.load}("${scriptOf(target)}"))`,
        });
    },
    MetaProperty({ start, end }) {
      edits.push({ start, end, text: PARAMETERS.meta });
    },
  }).visit(program);
  const unset = unsetVariables(program);
  const changing = exports.find(([, local]) => unset.has(local));
  if (changing) throw new Error(`${file} exports the variable ${changing}, which is set after others have read it.`);
  const members = exports.map(([name, local]) => `get ${name}(){return ${local}}`);
  const script = `(function(${Object.values(PARAMETERS)}){"use strict";${edited(code, edits)}return{${members}}})`;
  return { script, names: exports.map(([name]) => name) };
}

/** Returns the names of the variables of a file that are declared without a value. */
function unsetVariables({ body }: ESTree.Program): ReadonlySet<string> {
  const declarations = body.flatMap((node) => (node.type === "VariableDeclaration" ? node.declarations : []));
  return new Set(declarations.flatMap(({ id, init }) => (id.type === "Identifier" && !init ? id.name : [])));
}

function bindingOf(specifier: ESTree.ImportDeclaration["specifiers"][number]): string {
  if (specifier.type !== "ImportSpecifier") throw new Error("A file imports in a form that is not expected.");
  return `${nameOf(specifier.imported)}:${specifier.local.name}`;
}

const nameOf = (name: ESTree.ModuleExportName) => (name.type === "Literal" ? name.value : name.name);

function edited(code: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}

/** Returns a module that exports what a script does, by the names of the module and of the script. */
function moduleOf(file: string, names: ReadonlyMap<string, string>): string {
  const load = `import{loadScript}from"${LOADER}";const script=loadScript("${scriptOf(file)}");`;
  if (names.size === 0) return load;
  const constants = [...names.values()].map((exported, at) => `_${at}=script.${exported}`);
  return `${load}const ${constants};export{${[...names.keys()].map((name, at) => `_${at} as ${name}`)}};`;
}
