/**
 * Builds `dist/`: one bundle of code-split ESM (start-up time is mostly module loading), the type declarations, and
 * the licences of what is bundled.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type OutputOptions, type Plugin } from "rolldown";
import { collectCompletionData } from "../src/commands/completion/collect.ts";
import { keepReached } from "./declarations.ts";
import { topicsPlugin, writeManual } from "./manual.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
rmSync("dist", { recursive: true, force: true });

/**
 * Builtin modules without their ESM facades: a facade reads every export once, which loads much of Node that nobody
 * asked for (`node:process` alone brings worker threads and source maps).
 */
const builtins: Plugin = {
  name: "builtins",
  resolveId: {
    order: "pre",
    handler: (id, _importer, { kind }) =>
      id.startsWith("node:") && kind === "import-statement" ? { id: `\0${id}`, moduleSideEffects: false } : undefined,
  },
  load(id) {
    if (!id.startsWith("\0node:")) return undefined;
    const name = id.slice(1);
    const names = Object.keys(process.getBuiltinModule(name) as object).filter(
      (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
    );
    const lines = names.map((key) => `export const ${key} = builtin.${key};`);
    return [`const builtin = process.getBuiltinModule("${name}");`, "export default builtin;", ...lines].join("\n");
  },
};

/** HTTP/2 is not used: undici takes its own way for a Node without it, and neither it nor TLS is loaded for nothing. */
const withoutHttp2: Plugin = {
  name: "without-http2",
  transform: {
    filter: { id: /undici\/lib\/dispatcher\/client-h2\.js$/ },
    handler(code) {
      const without = code.replace("require('node:http2')", "{ constants: {} }");
      if (without === code) this.error("undici loads node:http2 in another way than before.");
      return without;
    },
  },
};

/** The layout engine of Ink unpacks itself with `fetch`, for which Node loads a whole client of the network. */
const withoutFetch: Plugin = {
  name: "without-fetch",
  transform: {
    filter: { id: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/ },
    handler(code) {
      const without = code
        .replace(/return \w+\|\|"function"!=typeof fetch\?(?=Promise)/, "return true?")
        .replace(
          /var (\w)=\w+\((\w)\.slice\(37\)\),(\w)=new Uint8Array\(\1\.length\);for\([^)]*\)[^;]*;var (\w)=\3\}/,
          'var $4=Buffer.from($2.slice(37),"base64")}',
        );
      if (!without.includes("return true?Promise") || !without.includes("Buffer.from("))
        this.error("yoga-layout loads its code in another way than before.");
      return without;
    },
  },
};

/** What nearly every command needs is one file: finding and reading a file costs more than what is in it. */
const EVERYDAY =
  /src\/(base|catalogue\/(?!entities|kinds|fields)|client\/(index|client|body|facade|call|check|human|identify|moments|text|url|key|options|raw|curl|paging|pipeline|retry|retry-after|decode|failures|repeats|steps|network-errors)\.ts|config\/(index|settings|values|resolve|file|paths|key|profiles|sandbox|json-position)\.ts|output\/(index|json|fields|path|shape|safe|sink|terminal|theme|types|error|job|rows)\.ts|commands\/(?!(usage|doctor|completion|openapi|mcp|skill|reference)\/|docs|show|explore|out(?!put)|checkpoint|api|own-actions|auth|config|settings-view|run-many|many-|follow(?!-word)|progress|cost|ask|long-reading|heap|status-line|overview|cache(?!-options)|sandbox(?!-transport|-world)|request-log|program-name))|node_modules\/(commander|fastest-levenshtein|@scure)\//;

/** What sending over a network needs is another: the sandbox does without. */
const REQUEST = /src\/client\/(transport|budget|budget\/(?!sqlite|redis)[\w-]+)\.ts/;

/** Answers that were kept: a run that finds what it looks for loads nothing of the network. */
const CACHE = /src\/client\/cache(-store)?\.ts/;

/** What the sandbox needs for any answer, once its ledger is made. */
const SANDBOX =
  /src\/sandbox\/((?!server)\w+|ledger\/(store|reader|schema)|source\/world-id|service\/(?!app|send)\w+|queries\/(query|sql|index))\.ts/;

const shared: BuildOptions = {
  platform: "node",
  // React's development build checks more and takes several times as long.
  transform: { define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' } },
  external: ["jq-wasm", "@napi-rs/keyring", "react-devtools-core"],
  plugins: [builtins, topicsPlugin, withoutHttp2, withoutFetch],
  treeshake: { propertyReadSideEffects: false },
  onLog: (level, log, handler) => {
    // One file for the everyday modules makes dynamic imports of them static; that is the purpose.
    if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handler(level, log);
  },
  logLevel: "warn",
};
const output: OutputOptions = {
  format: "esm",
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
};

/** As small as it gets with its lines. */
const READABLE: OutputOptions = {
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
  comments: { jsdoc: false },
};

const program = await build({
  ...shared,
  input: {
    main: "src/main.ts",
    "keychain-worker": "src/config/keychain-worker.ts",
    "jq-worker": "src/output/jq/jq-worker.ts",
  },
  output: {
    ...output,
    dir: "dist",
    codeSplitting: {
      groups: [
        { name: "everyday", test: EVERYDAY, priority: 2 },
        { name: "request", test: REQUEST, priority: 1 },
        { name: "cache", test: CACHE, priority: 1 },
        { name: "sandbox", test: SANDBOX, priority: 1 },
        // Else who needs it loads the sandbox for it.
        { name: "url", test: /^\0node:url$/, priority: 3 },
      ],
    },
  },
});
const library = await build({
  ...shared,
  input: { index: "src/index.ts" },
  // Names of errors are seen by those who use the library, and so is the line that an uncaught one was thrown at.
  output: { ...output, ...READABLE, dir: "dist/library", keepNames: true },
});

// What completion knows, and the program that looks it up: small, because they are loaded at every press of a key.
const completion = await build({
  ...shared,
  input: { complete: "src/commands/completion/main.ts" },
  output: { ...output, dir: "dist" },
});
writeFileSync("dist/complete.json", JSON.stringify(collectCompletionData()));
cpSync("src/commands/completion/shells", "dist/completion", { recursive: true });

writeManual("dist", JSON.parse(readFileSync("package.json", "utf8")).version);

const bundled = new Set(
  [...program.output, ...library.output, ...completion.output]
    .flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    .map(packageOf)
    .filter((name) => name !== undefined),
);
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", [...bundled].sort().map(notice).join("\n\n"));

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
keepReached("dist/types", "index.d.ts");

/** The folder of the package that a module belongs to; undefined for our own. */
function packageOf(id: string): string | undefined {
  const parts = relative(root, id).split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join(sep);
}

/** Name, version and licence text of a package. */
function notice(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? mitText(about) : readFileSync(join(folder, file), "utf8").trim();
  return `${about.name} ${about.version} (${about.license})\n${"-".repeat(40)}\n${text}`;
}

/** The words of the MIT licence, which are ours too, for a package that names it and comes without them. */
function mitText({ name, license, author, homepage }: Readonly<Record<string, string>>): string {
  if (license !== "MIT") throw new Error(`${name} comes without the text of its licence (${license}).`);
  const words = readFileSync("LICENSE", "utf8");
  const holder = `Copyright (c) ${author ?? `the authors of ${name}`} (${homepage})`;
  return `MIT License\n\n${holder}\n\n${words.slice(words.indexOf("Permission is")).trim()}`;
}
