/** The module layout: which way imports run, and how modules are entered. */
import { dirname, sep } from "node:path";
import { expect, test } from "vitest";
import { importedFiles, loadedFiles, readSource, sourceFiles } from "./source.ts";

/** What the modules of `src/` may import beside themselves. A module is a folder, or a part of one that groups several. */
const CHAIN = ["chain/solana", "chain/ledger", "chain/world", "chain/indexer"];
const SOURCES = ["sources", "sources/api", "sources/node", "sources/ledger", "sources/recording"];
const MODULES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  catalogue: ["base"],
  client: ["base", "catalogue"],
  output: ["base", "catalogue"],
  config: ["base", "catalogue", "output"],
  "chain/solana": ["base", "catalogue"],
  "chain/ledger": ["base", "catalogue", "chain/solana"],
  "chain/world": ["base", "catalogue", "chain/solana", "chain/ledger"],
  "chain/indexer": ["base", "catalogue", "chain/solana", "chain/ledger"],
  "sources/api": ["base", "catalogue", "client"],
  "sources/recording": ["base", "catalogue", "client", "sources/api", "chain/solana"],
  "sources/ledger": ["base", "catalogue", "client", "sources/api"],
  "sources/node": ["base", "catalogue", "client", "sources/api", ...CHAIN],
  sources: ["base", "catalogue", "client", "chain/solana", ...SOURCES],
  sandbox: ["base", "catalogue", "sources/ledger", "sources/recording", ...CHAIN],
  ui: ["base", "catalogue", "client", "output", "chain/solana"],
  commands: ["base", "catalogue", "client", "output", "config", "sandbox", "ui", ...CHAIN, ...SOURCES],
};

/** What the parts of a module may import of each other. */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "chain/ledger": {
    clickhouse: ["source", "store", "queries"],
    source: [],
    interfaces: [],
    store: ["source"],
    queries: ["source", "store", "interfaces"],
  },
  sandbox: { service: [], state: ["service"] },
  ui: {
    terminal: [],
    navigation: ["terminal"],
    frame: ["terminal", "navigation"],
    data: ["terminal", "navigation", "frame"],
    widgets: ["terminal", "navigation", "frame", "data"],
    watch: ["terminal", "navigation", "frame", "widgets"],
    form: ["terminal", "navigation", "frame", "data", "widgets"],
    pages: ["terminal", "navigation", "frame", "data", "widgets"],
    preview: ["terminal", "navigation", "frame", "data", "widgets", "pages"],
    actions: ["terminal", "navigation", "frame", "data", "widgets", "form", "pages"],
    palette: ["terminal", "navigation", "frame", "data", "widgets", "form", "pages", "actions"],
    plain: ["terminal", "navigation", "frame", "data", "widgets", "form", "pages", "palette", "actions"],
    compare: ["terminal", "navigation", "frame", "data", "widgets", "pages", "actions"],
    app: [
      ...["terminal", "navigation", "frame", "data", "widgets", "form", "pages"],
      ...["palette", "actions", "preview", "compare"],
    ],
  },
};

/** The ways into a module: its index, and for code that is loaded lazily what the catalogue does not load by itself. */
const isEntrance = (target: string) =>
  [
    `src/${moduleOf(target)}/index.ts`,
    "src/catalogue/schemas.ts",
    "src/catalogue/intents.ts",
    "src/catalogue/shape.ts",
  ].includes(target);

const files = sourceFiles("src");
const imports = new Map(files.map((file) => [file, importedFiles(file)]));
const edges = files.flatMap((file) => [...(imports.get(file) ?? [])].map((target) => [file, target] as const));
const show = (refused: typeof edges) => refused.map(([file, target]) => `${file} → ${target}`);

/** The module of a file: `client` of `src/client/batch/items.ts`, `sources/api` of `src/sources/api/index.ts`. */
function moduleOf(file: string): string {
  const folders = dirname(file).split(sep).slice(1);
  const depth = folders[0] === "chain" || folders[0] === "sources" ? 2 : 1;
  return folders.slice(0, depth).join("/");
}

/** The part of a module that a file belongs to: `store` of `src/chain/ledger/store/reader.ts`; else empty. */
const partOf = (file: string) =>
  dirname(file)
    .slice(`src/${moduleOf(file)}/`.length)
    .split(sep)[0] ?? "";

test("imports run one way between modules", () => {
  const refused = edges.filter(([file, target]) => {
    const [from, to] = [moduleOf(file), moduleOf(target)];
    return from !== "" && from !== to && !MODULES[from]?.includes(to);
  });
  expect(show(refused)).toEqual([]);
  expect(Object.keys(MODULES)).toEqual(
    expect.arrayContaining([...new Set(files.map((file) => moduleOf(file)))].filter(Boolean)),
  );
});

test.each(Object.entries(PARTS))("imports run one way inside %s", (module, parts) => {
  const refused = edges.filter(([file, target]) => {
    const [from, to] = [partOf(file), partOf(target)];
    if (moduleOf(file) !== module || moduleOf(target) !== module || from === to || from === "" || to === "")
      return false;
    return !parts[from]?.includes(to);
  });
  expect(show(refused)).toEqual([]);
});

test("every module is entered through its index.ts", () => {
  const refused = edges.filter(
    ([file, target]) => moduleOf(target) !== "" && moduleOf(file) !== moduleOf(target) && !isEntrance(target),
  );
  expect(show(refused)).toEqual([]);
});

test("docs/architecture.md shows the folders of src and theirs", () => {
  const existing = new Set(files.map((file) => dirname(file).split(sep).slice(1, 3).join("/")).filter(Boolean));
  const parents = [...existing].map((folder) => dirname(folder)).filter((folder) => folder !== ".");
  const [, tree = ""] = readSource("docs/architecture.md").match(/^ {4}src\/\n((?: {6}.*\n)+)/m) ?? [];
  const shown: string[] = [];
  let parent = "";
  for (const line of tree.split("\n")) {
    const names = [...line.matchAll(/(?<= )([\w-]+)\/(?= |$)/g)].map(([, name = ""]) => name);
    const isContinued = line.startsWith("       ");
    if (!isContinued && !/^ +\w+\//.test(line)) continue;
    if (!isContinued) parent = names[0] ?? "";
    shown.push(...names.map((name) => (name === parent ? name : `${parent}/${name}`)));
  }
  expect(shown.toSorted()).toEqual([...new Set([...existing, ...parents])].toSorted());
});

test("no import cycles, imports of types included", () => {
  expect(cycles()).toEqual([]);
});

/** Exported values may share the comment of a group. */
const DOCUMENTED = /^export (?:async |abstract )?(?:function|class|interface|type) (\w+)/;

test("every exported function, class and type is documented", () => {
  const bare = files.flatMap((file) => {
    const lines = readSource(file).split("\n");
    return lines.flatMap((line, at) => {
      const name = DOCUMENTED.exec(line)?.[1];
      const before = lines[at - 1] ?? "";
      const isOverload = DOCUMENTED.exec(before)?.[1] === name;
      return name === undefined || before.endsWith("*/") || isOverload ? [] : [`${file}: ${name}`];
    });
  });
  expect(bare).toEqual([]);
});

/** Files that exist only in a built or packed program. */
const BUILT = /^(dist\/|index\.d\.ts$)/;

test("the documents name files that exist", () => {
  const known = sourceFiles(".").concat(["bin/solx.js", "scripts/captures/fixed-clock.js"]);
  const named = ["docs/architecture.md", "CONTRIBUTING.md"].flatMap((file) =>
    [...readSource(file).matchAll(/`([\w/.-]+\.(?:tsx?|js))`/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(50);
  const unknown = named.filter(
    (path) => !BUILT.test(path) && !known.some((file) => file === path || file.endsWith(`/${path}`)),
  );
  expect(unknown).toEqual([]);
});

/** Code that asks which source answers, instead of what it supports and what holds for it. */
const SOURCE_QUESTION =
  /settings\.(source|sandbox|inProcess)\b|\b(source|kind) (===|!==) "(api|rpc|index|sandbox)"|\bisChain\b/;

test("few lines outside the sources ask which source answers", () => {
  // Configuration selects the source, and the store of a ledger writes what queries read as facts.
  const isOutside = (file: string) => !/^src\/(sources|config|chain\/ledger\/(source|store))\//.test(file);
  const questions = files.filter(isOutside).flatMap((file) =>
    readSource(file)
      .split("\n")
      .filter((line) => SOURCE_QUESTION.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(questions.length, questions.join("\n")).toBeLessThanOrEqual(10);
});

/** Files outside of the reader (`base/input-files.ts`) that read others, and why those can be neither endless nor strange. */
const READERS: Readonly<Record<string, string>> = {
  "src/base/program-files.ts": "files of the program",
  "src/base/sqlite.ts": "creates databases",
  "src/commands/docs/manual/topic-source.ts": "files of the program",
  "src/commands/explore/save-file.ts": "writes",
  "src/commands/file/checkpoint.ts": "writes",
  "src/commands/file/output-file.ts": "the unfinished output, checked to be a regular file",
  "src/commands/file/target.ts": "writes",
  "src/config/json-file.ts": "settings, read at every start: checks type and size itself",
  "src/config/keychain-worker.ts": "the request of the parent process",
  "src/output/stream/file-sink.ts": "writes",
  "src/script-loader.ts": "code that the program stored",
  "src/sources/api/rate-limit/store.ts": "a file of the kernel",
  "src/sources/recording/pseudonyms.ts": "a key that the program created",
};

test("only the reader of input files opens files of others", () => {
  const READS = /\b(readFile|readFileSync|createReadStream|open|openSync|openAsBlob)\b/;
  const FROM_FS =
    /import (?:type )?([^;]*?) from "node:fs(?:\/promises)?"|(await import\("node:fs(?:\/promises)?"\)\.?\w*)/g;
  const readers = files.filter((file) =>
    [...readSource(file).matchAll(FROM_FS)].some(([, names, dynamic]) =>
      names === undefined
        ? !/\{[^}]*\} = await/.test(readSource(file)) && READS.test(dynamic ?? "")
        : names.startsWith("*") || READS.test(names.replace(/type \w+/g, "")),
    ),
  );
  expect(readers.toSorted()).toEqual([...Object.keys(READERS), "src/base/input-files.ts"].toSorted());
});

test("no chain of files that load each other is longer than 40", () => {
  const chains = new Map<string, readonly string[]>();
  const longestFrom = (file: string): readonly string[] => {
    const known = chains.get(file);
    if (known) return known;
    const following = [...loadedFiles(file)].filter((target) => imports.has(target)).map(longestFrom);
    const chain = [file, ...(following.toSorted((a, b) => b.length - a.length)[0] ?? [])];
    chains.set(file, chain);
    return chain;
  };
  const longest = files.map(longestFrom).toSorted((a, b) => b.length - a.length)[0] ?? [];
  expect(longest.length, longest.join(" → ")).toBeLessThanOrEqual(40);
});

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
