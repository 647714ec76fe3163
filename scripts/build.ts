/**
 * Builds `dist/`: one bundle of code-split ESM (start-up time is mostly module loading), the type declarations, and
 * the licences of what is bundled.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type OutputOptions, type Plugin } from "rolldown";
import { collectCompletionData } from "../src/commands/completion/collect.ts";
import { storedHelp } from "../src/commands/docs/manual/generate.ts";
import { toClassicScripts } from "./classic-scripts.ts";
import { writeClientTypes } from "./client-types.ts";
import { LIBRARY_ENTRIES, writeDeclarations } from "./declarations.ts";
import { inlineFacades } from "./facades.ts";
import { inkFrames } from "./ink-frames.ts";
import { readManifest, readVersionDate } from "./manifest.ts";
import { topicsPlugin, writeManual } from "./manual.ts";
import { examplesPlugin } from "./openapi-examples.ts";
import { shapesPlugin } from "./shapes.ts";
import { measureStartUp } from "./start-up.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
rmSync("dist", { recursive: true, force: true });
writeClientTypes();

/**
 * Builtin modules without their ESM facades: a facade reads every export once, which loads parts of Node that
 * are not needed (`node:process` alone loads worker threads and source maps). Those that CommonJS packages require are
 * loaded in the same way: `require` would need the URL of the module, which is not known in bundles of users.
 */
const builtins: Plugin = {
  name: "builtins",
  resolveId: {
    order: "pre",
    handler: (id, _importer, { kind }) => {
      if (kind === "require-call" && isBuiltin(id)) return `\0require:${id}`;
      return id.startsWith("node:") && kind === "import-statement"
        ? { id: `\0${id}`, moduleSideEffects: false }
        : undefined;
    },
  },
  load(id) {
    if (id.startsWith("\0require:")) {
      return `module.exports = process.getBuiltinModule("${id.slice("\0require:".length)}");`;
    }
    if (!id.startsWith("\0node:")) return undefined;
    const name = id.slice(1);
    const names = Object.keys(process.getBuiltinModule(name) as object).filter(
      (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
    );
    const lines = names.map((key) => `export const ${key} = builtin.${key};`);
    return [`const builtin = process.getBuiltinModule("${name}");`, "export default builtin;", ...lines].join("\n");
  },
};

/**
 * Builtin modules that packages import for what is not used here, by the part of the path of the package: the child
 * processes of subcommands that are programs.
 */
const UNUSED_BUILTINS: Readonly<Record<string, string>> = { "node:child_process": "/commander/" };
const withoutUnused: Plugin = {
  name: "without-unused",
  resolveId: {
    order: "pre",
    handler: (id, importer) => {
      const unusedBy = UNUSED_BUILTINS[id];
      return unusedBy && importer?.includes(unusedBy) ? "\0node:unused" : undefined;
    },
  },
  load: (id) => (id === "\0node:unused" ? "export default {};" : undefined),
};

/** Ink's layout engine unpacks itself with `fetch` where it exists, for which Node would load its whole HTTP client. */
const withoutFetch: Plugin = {
  name: "without-fetch",
  transform: {
    filter: { id: /yoga-layout\/dist\/binaries\// },
    handler: (code) => `const fetch = undefined;\n${code}`,
  },
};

/**
 * Patterns and segmenters that are compiled while a module is loaded. Those with classes of Unicode take longer than a
 * short command: they are compiled when they are first used.
 */
const COMPILED = /^const (\w+) = (new (?:RegExp|Intl\.Segmenter)\(.*\)|\/.*\\p\{.*\/\w*);$/gm;
const lazyPatterns: Plugin = {
  name: "lazy-patterns",
  transform: {
    filter: { id: /\/(string-width\/index\.js|src\/(client|output)\/.*\.ts)$/ },
    handler(code, id) {
      const names: string[] = [];
      const lazy = code.replace(COMPILED, (_, name, value) => {
        names.push(name);
        return `let $${name};\nfunction get_${name}() { return $${name} ??= ${value}; }`;
      });
      if (names.length > 0) return lazy.replace(new RegExp(`(?<!\\$)\\b(${names.join("|")})\\b`, "g"), "get_$1()");
      if (id.includes("/string-width/")) throw new Error("string-width compiles its patterns in another way.");
      return undefined;
    },
  },
};

/** Ink's condition for its connection to React's development tools. */
const DEVELOPMENT = /process\.env\['DEV'\] === 'true'/g;
const withoutDevtools: Plugin = {
  name: "without-devtools",
  transform: { filter: { id: /\/ink\/build\// }, handler: (code) => code.replace(DEVELOPMENT, "false") },
};

/**
 * What packages require in place of other packages: cli-table3 the measurement of everything else instead of an older
 * one, and no package of colours; the Redis client no telemetry and no digests, which it does without; the gRPC library
 * no reader of descriptions, which only its monitoring needs; undici not its experimental parser, which is a third of its
 * size and is switched off below, no HTTP/2, which is not used, and of Node's HTTP client a number only, and the texts of
 * statuses when it opens a websocket.
 */
const REPLACED_REQUIRES: Readonly<Record<string, string>> = {
  "string-width": `module.exports = require(${JSON.stringify(join(root, "src/output/text/width.ts"))}).textWidth;`,
  "@colors/colors/safe": "module.exports = {};",
  "@opentelemetry/api": 'throw new Error("not bundled");',
  "@node-rs/xxhash": 'throw new Error("not bundled");',
  "@grpc/proto-loader": 'throw new Error("not bundled");',
  "../milo/simd.js": "module.exports = undefined;",
  "../milo/no-simd.js": "module.exports = undefined;",
  "./client-h2.js": "module.exports = undefined;",
  "node:http": `
    const textOf = (status) => process.getBuiltinModule("node:http").STATUS_CODES[status];
    module.exports = { maxHeaderSize: 16384, STATUS_CODES: new Proxy({}, { get: (_, status) => textOf(status) }) };`,
  // Loaded when a check fails.
  "node:assert": `
    const load = () => process.getBuiltinModule("node:assert");
    const assert = (value, ...rest) => { if (!value) load()(value, ...rest); };
    module.exports = new Proxy(assert, { get: (_, name) => load()[name] });`,
};
const replacedRequires: Plugin = {
  name: "replaced-requires",
  resolveId: {
    order: "pre",
    handler: (id, importer, { kind }) =>
      kind !== "import-statement" && id in REPLACED_REQUIRES && importer?.includes("/node_modules/")
        ? `\0replaced:${id}`
        : undefined,
  },
  load: (id) => (id.startsWith("\0replaced:") ? REPLACED_REQUIRES[id.slice("\0replaced:".length)] : undefined),
};

const plugins = [
  // What is replaced is not a builtin module any more.
  ...[withoutUnused, replacedRequires, builtins, topicsPlugin, shapesPlugin, examplesPlugin],
  ...[withoutFetch, withoutDevtools, inkFrames, lazyPatterns],
];
const shared: BuildOptions = {
  platform: "node",
  // React's development build checks more and is several times slower.
  transform: { define: { "process.env.NODE_ENV": '"production"', "process.env.UNDICI_USE_MILO": '"0"' } },
  external: ["jq-wasm", "@napi-rs/keyring"],
  plugins,
  treeshake: { propertyReadSideEffects: false },
  onLog: (level, log, handler) => {
    // One file for the everyday modules makes dynamic imports of them static, as intended.
    if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handler(level, log);
  },
  logLevel: "warn",
};
const output: OutputOptions = {
  format: "esm",
  minify: true,
  // V8 stores a file with a single character beyond Latin-1 with two bytes per character.
  charset: "ascii",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
};

/** Minified, but with line breaks. */
const READABLE: OutputOptions = {
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
  comments: { jsdoc: false },
};

// What nearly every command needs is one file, what sending a request needs another, and so on.
// The names differ from those of files that the bundler names after modules.
const startUp = await measureStartUp(shared);
const groups = Object.entries(startUp.groups).map(([name, modules]) => ({
  name: `start-${name}`,
  test: (id: string) => modules.has(id),
}));
const program = await build({
  ...shared,
  preserveEntrySignatures: "allow-extension",
  input: {
    main: "src/main.ts",
    "keychain-worker": "src/config/keychain-worker.ts",
    "jq-worker": "src/output/jq/jq-worker.ts",
  },
  output: {
    ...output,
    dir: "dist",
    codeSplitting: {
      // What the modules of a group import, but never run, belongs elsewhere.
      includeDependenciesRecursively: false,
      groups,
    },
  },
});
inlineFacades("dist", program.output);
toClassicScripts("dist", program.output, new Set([...groups.map(({ name }) => name), "rolldown-runtime"]));
await build({ ...shared, input: { "script-loader": "src/script-loader.ts" }, output: { ...output, dir: "dist" } });
// Entries export nothing but what is public, so they have files of their own.
const entries = new Set(Object.values(LIBRARY_ENTRIES).map((path) => join(root, path)));
const isForRequests = (id: string) => startUp.library.has(id) && !entries.has(id);
const library = await build({
  ...shared,
  // It has the entities, from which shapes follow.
  plugins: plugins.filter((plugin) => plugin !== shapesPlugin),
  preserveEntrySignatures: "allow-extension",
  input: LIBRARY_ENTRIES,
  // Users of the library see names of error classes, and the line where an uncaught error was thrown.
  output: {
    ...output,
    ...READABLE,
    dir: "dist/library",
    keepNames: true,
    // What every request needs loads with the library: a bundler that puts all into one file would place it behind a
    // program that awaits its first request at the top level.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: "request", test: isForRequests }],
    },
  },
});
writeFileSync("dist/library/browser.js", browserEntry(library.output));

// The data of completion and the program that reads it: small, because they load at every key press.
const completion = await build({
  ...shared,
  input: { complete: "src/commands/completion/main.ts" },
  output: { ...output, dir: "dist" },
});
writeFileSync("dist/complete.json", JSON.stringify(collectCompletionData()));
// The help of the program, and the program that prints it: loading all commands takes longer than starting Node.
const help = await build({
  ...shared,
  input: { help: "src/commands/help/main.ts" },
  output: { ...output, dir: "dist" },
});
writeFileSync("dist/help.json", JSON.stringify(storedHelp()));
cpSync("src/commands/completion/shells", "dist/completion", { recursive: true });

writeManual("dist", { version: readManifest().version, date: readVersionDate() });

const bundled = new Set(
  [...program.output, ...library.output, ...completion.output, ...help.output]
    .flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    .map(packageOf)
    .filter((name) => name !== undefined),
);
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", [...bundled].sort().map(notice).join("\n\n"));

await writeDeclarations("dist/types");

/** Returns the module that bundles for browsers get in place of the library: the same names, which say why. */
function browserEntry(files: (typeof library)["output"]): string {
  const names = files.flatMap((file) => (file.type === "chunk" && file.fileName === "index.js" ? file.exports : []));
  const text = "solx runs in Node, Bun and Deno: in a browser its API key would be public. Call it on a server.";
  const exported = names.map((name) => `refuse as ${name}`).join(", ");
  return `function refuse() {\n  throw new Error(${JSON.stringify(text)});\n}\nexport { ${exported} };\n`;
}

/** Returns the folder of the package that a module belongs to; undefined for the project itself. */
function packageOf(id: string): string | undefined {
  const parts = relative(root, id).split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join(sep);
}

/** Returns the name, version and licence text of a package. */
function notice(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? mitText(about) : readFileSync(join(folder, file), "utf8").trim();
  return `${about.name} ${about.version} (${about.license})\n${"-".repeat(40)}\n${text}`;
}

/** Returns the text of the MIT licence, which is this project's too, for a package without a licence file. */
function mitText({ name, license, author, homepage }: Readonly<Record<string, string>>): string {
  if (license !== "MIT") throw new Error(`${name} does not contain the text of its licence (${license}).`);
  const words = readFileSync("LICENSE", "utf8");
  const holder = `Copyright (c) ${author ?? `the authors of ${name}`} (${homepage})`;
  return `MIT License\n\n${holder}\n\n${words.slice(words.indexOf("Permission is")).trim()}`;
}
