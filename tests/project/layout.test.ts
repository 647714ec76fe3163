/** The module layout: which way imports run, how modules are entered, and how large folders and files are. */
import { dirname, sep } from "node:path";
import { expect, test } from "vitest";
import { importedFiles, sourceFiles, textOf } from "./source.ts";

/** What the modules of `src/` may import beside themselves. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  catalogue: ["base"],
  solana: ["base", "catalogue"],
  recording: ["base", "catalogue", "solana"],
  client: ["base", "catalogue", "solana", "rpc", "recording"],
  output: ["base", "catalogue"],
  config: ["base", "catalogue", "output"],
  ledger: ["base", "catalogue"],
  sandbox: ["base", "catalogue", "ledger", "recording"],
  indexer: ["base", "catalogue", "solana", "ledger"],
  rpc: ["base", "catalogue", "solana", "ledger", "indexer"],
  ui: ["base", "catalogue", "client", "solana", "output"],
  commands: [
    ...["base", "catalogue", "client", "solana", "output", "config", "ledger", "sandbox", "indexer", "rpc", "ui"],
    "recording",
  ],
};

/** What the parts of a module may import of each other. */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ledger: { source: [], store: ["source"], queries: ["source", "store"] },
  sandbox: { world: [], service: [], state: ["world", "service"] },
};

/** Files that are started by name: the program, the library, and workers. */
const ENTRY_POINTS = /^src\/[^/]+\.ts$|-worker\.ts$|^src\/commands\/completion\/main\.ts$/;
/** Files that are small by convention: indexes, definitions of commands, declarations of types. */
const SMALL_BY_CONVENTION = /\/(index|command)\.ts$|\.d\.ts$/;

/** The ways into a module: its index, and for code that is loaded lazily the part of the catalogue that needs zod. */
const isEntrance = (target: string) =>
  target === `src/${partOf(target)}/index.ts` || target === "src/catalogue/schemas.ts";

const MAX_FILES = 25;
const SMALL_FILE = 40;

const files = sourceFiles("src");
const imports = new Map(files.map((file) => [file, importedFiles(file)]));
const edges = files.flatMap((file) => [...(imports.get(file) ?? [])].map((target) => [file, target] as const));
const show = (refused: typeof edges) => refused.map(([file, target]) => `${file} → ${target}`);

/** The folder of a file at a depth below `src/`: `client` of `src/client/http/retry.ts`; empty for files of `src/`. */
const partOf = (file: string, depth = 1) => (file.split(sep).length > depth + 1 ? (file.split(sep)[depth] ?? "") : "");

test("imports run one way between modules", () => {
  const refused = edges.filter(([file, target]) => {
    const [from, to] = [partOf(file), partOf(target)];
    return from !== "" && from !== to && !MODULES[from]?.includes(to);
  });
  expect(show(refused)).toEqual([]);
  expect(Object.keys(MODULES)).toEqual(
    expect.arrayContaining([...new Set(files.map((file) => partOf(file)))].filter(Boolean)),
  );
});

test.each(Object.entries(PARTS))("imports run one way inside %s", (module, parts) => {
  const refused = edges.filter(([file, target]) => {
    const [from, to] = [partOf(file, 2), partOf(target, 2)];
    if (partOf(file) !== module || partOf(target) !== module || from === to || from === "" || to === "") return false;
    return !parts[from]?.includes(to);
  });
  expect(show(refused)).toEqual([]);
});

test("every module is entered through its index.ts", () => {
  const refused = edges.filter(
    ([file, target]) => partOf(target) !== "" && partOf(file) !== partOf(target) && !isEntrance(target),
  );
  expect(show(refused)).toEqual([]);
});

test("no import cycles, imports of types included", () => {
  expect(cycles()).toEqual([]);
});

test(`no folder has more than ${MAX_FILES} files`, () => {
  const counts = Map.groupBy(files, (file) => dirname(file));
  expect([...counts].flatMap(([folder, { length }]) => (length > MAX_FILES ? [`${folder}: ${length}`] : []))).toEqual(
    [],
  );
});

test(`a file under ${SMALL_FILE} lines has two importers`, () => {
  const importers = Map.groupBy(edges, ([, target]) => target);
  const refused = files.filter(
    (file) =>
      !SMALL_BY_CONVENTION.test(file) &&
      !ENTRY_POINTS.test(file) &&
      textOf(file).split("\n").length <= SMALL_FILE &&
      !isShared(importers.get(file) ?? []),
  );
  expect(refused).toEqual([]);
});

/** Whether a file has two importers, or belongs to what its module offers to others. */
const isShared = (importers: typeof edges) =>
  importers.length > 1 || importers.some(([file]) => file.endsWith("/index.ts"));

/** Returns the groups of files that import each other in a circle (Tarjan's strongly connected components). */
function cycles(): readonly (readonly string[])[] {
  const groups: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) groups.push(group.toSorted());
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return groups;
}
