/** The types of the library, as an editor and compilers of users read them from the built package. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript-5";
import { beforeAll, describe, expect, test } from "vitest";
import { allEndpoints, type Endpoint } from "../../src/catalogue/index.ts";
import { createTempFolder } from "../support/solx.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = createTempFolder();
const PROGRAM = join(folder, "program.ts");

const pathOf = ({ family, group, call }: Endpoint) =>
  ["client", ...(family === "legacy" ? ["legacy"] : []), ...(group === "" ? [] : [group]), call].join(".");

const METHODS = allEndpoints.map(pathOf);
const TEXT = `import { createClient } from "solx";\nconst client = createClient();\n${METHODS.map((path) => `${path};\n`).join("")}`;

beforeAll(() => {
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/solx"), "junction");
  symlinkSync(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"), "junction");
  symlinkSync(join(root, "node_modules/undici-types"), join(folder, "node_modules/undici-types"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(PROGRAM, TEXT);
});

describe("an editor", () => {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    strict: true,
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [PROGRAM],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (settings) =>
      join(dirname(ts.sys.getExecutingFilePath()), ts.getDefaultLibFileName(settings)),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  } as ts.LanguageServiceHost);

  test.each(METHODS)("shows the documentation of %s", (path) => {
    const position = TEXT.indexOf(`\n${path};`) + path.length;
    const info = service.getQuickInfoAtPosition(PROGRAM, position);
    expect(ts.displayPartsToString(info?.displayParts)).toMatch(/Call</);
    expect(ts.displayPartsToString(info?.documentation)).toMatch(/compute units/);
    const tags = Object.groupBy(info?.tags ?? [], ({ name }) => name);
    expect(Object.keys(tags)).toEqual(expect.arrayContaining(["throws", "example"]));
  });

  test("shows the documentation of every member of every type", () => {
    const program = service.getProgram() as ts.Program;
    const checker = program.getTypeChecker();
    const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith("dist/types/index.d.ts"));
    const symbol = checker.getSymbolAtLocation(source as ts.SourceFile) as ts.Symbol;
    const bare: string[] = [];
    let count = 0;
    for (const exported of checker.getExportsOfModule(symbol)) {
      const type = checker.getDeclaredTypeOfSymbol(
        exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
      );
      for (const declaration of type.symbol?.declarations ?? []) {
        if (!ts.isInterfaceDeclaration(declaration)) continue;
        for (const member of declaration.members) {
          const name = member.name && checker.getSymbolAtLocation(member.name);
          if (!name) continue;
          count += 1;
          if (name.getDocumentationComment(checker).length === 0)
            bare.push(`${declaration.name.text}.${name.getName()}`);
        }
      }
    }
    expect(count).toBeGreaterThan(2000);
    expect(bare).toEqual([]);
  });
});

describe("a compiler", () => {
  const compilers = { "TypeScript 5.9": "typescript-5/lib/tsc.js", "TypeScript 7": "typescript/bin/tsc" };
  const cases = Object.entries(compilers).flatMap(([name, file]) =>
    (["nodenext", "bundler"] as const).flatMap((resolution) =>
      [true, false].map((hasNodeTypes) => [name, resolution, hasNodeTypes ? "with" : "without", file] as const),
    ),
  );

  test.concurrent.each(cases)(
    "%s, %s, %s the types of Node: accepts what is right, and nothing else",
    async (_name, resolution, having, file) => {
      const project = join(folder, `${file.replace(/\W/g, "-")}-${resolution}-${having}`);
      mkdirSync(project);
      const source = readFileSync(join(root, "tests/types/client.test-d.ts"), "utf8");
      const text = source.replace("../../src/index.ts", "solx").replace("../../src/library-sandbox.ts", "solx/sandbox");
      writeFileSync(join(project, "client.ts"), text);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: "es2023",
        lib: ["es2023", "esnext.disposable", ...(having === "with" ? [] : ["dom"])],
        module: resolution === "bundler" ? "esnext" : "nodenext",
        moduleResolution: resolution,
        types: having === "with" ? ["node"] : [],
      };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(root, "node_modules", file),
        "-p",
        project,
      ]).catch((error) => error);
      expect(stdout).toBe("");
    },
  );
});
