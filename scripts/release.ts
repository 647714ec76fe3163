/**
 * Creates the artefacts of a release in one folder: the package, a tarball that needs no npm, an MCP bundle, the single
 * executable of this machine, its licences, packages for Linux, an SBOM beside each, checksums, and in `packaging/` the
 * manifests of package managers and of the MCP registry.
 *
 *     node scripts/release.ts [--out folder] [--no-executable]
 *
 * Executables of other platforms that are already in the folder are included. What cannot be made is left out, with a
 * note: a package for Linux without the program that makes it, a package manager without its artefact.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packDeb, packRpm } from "./linux-packages.ts";
import { readManifest, readVersionDate } from "./manifest.ts";
import { packMcpBundle, packPackage, packStandalone } from "./pack.ts";
import { hashFile, nameArtefact, writeSbom } from "./sbom.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEMPLATES = join(ROOT, "packaging");

const { values: options } = parseArgs({
  allowNegative: true,
  options: { out: { type: "string", default: join(ROOT, "release") }, executable: { type: "boolean", default: true } },
});
const output = resolve(options.out);
const manifest = readManifest();
mkdirSync(output, { recursive: true });

const { dependencies, optionalDependencies } = manifest;
const packages = Object.keys(dependencies);
const tarball = packPackage(output);
writeSbom(tarball, { packages: [...packages, ...Object.keys(optionalDependencies)] });
for (const pack of [packStandalone, packMcpBundle]) writeSbom(pack(tarball), { packages });
if (options.executable) buildExecutable();
const licences = join(output, `solx-${manifest.version}-licenses.txt`);
writeFileSync(licences, licenceTexts());
for (const arch of ["x64", "arm64"] as const) packForLinux(arch);
const checksums = new Map(artefacts().map((file) => [file, hashFile(join(output, file))]));
writeFileSync(join(output, "SHA256SUMS"), [...checksums].map(([file, sum]) => `${sum}  ${file}\n`).join(""));
writeManifests();
for (const file of readdirSync(output, { recursive: true, encoding: "utf8" }).sort()) process.stdout.write(`${file}\n`);

/** Builds the executable of this machine, with the name that `executable.ts` gives it. */
function buildExecutable(): void {
  const platform = `${process.platform}-${process.arch}`;
  const file = join(output, `solx-${platform}${process.platform === "win32" ? ".exe" : ""}`);
  execFileSync(process.execPath, [join(ROOT, "scripts/executable.ts"), platform, "--out", file], { stdio: "inherit" });
}

/** Returns the licences of everything that is in an executable: of solx, of what it bundles, and of Node. */
function licenceTexts(): string {
  const packages = join(ROOT, "node_modules/node/node_modules");
  const node = readdirSync(packages).find((name) => existsSync(join(packages, name, "LICENSE")));
  if (node === undefined) throw new Error("The licence of Node is missing. Run: npm ci");
  const files = ["LICENSE", "dist/THIRD-PARTY-LICENSES.txt", join("node_modules/node/node_modules", node, "LICENSE")];
  return files.map((file) => readFileSync(join(ROOT, file), "utf8").trimEnd()).join(`\n\n${"=".repeat(80)}\n\n`);
}

/** Packs the executable of a processor, if it is there. */
function packForLinux(arch: "x64" | "arm64"): void {
  const executable = join(output, `solx-linux-${arch}`);
  if (!existsSync(executable)) return;
  for (const pack of [packDeb, packRpm]) {
    try {
      const file = pack({ arch, executable, licences, output });
      writeFileSync(`${file}.cdx.json`, nameArtefact(readFileSync(`${executable}.cdx.json`, "utf8"), file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      process.stderr.write(`note: a package is left out: no ${(error as NodeJS.ErrnoException).path}\n`);
    }
  }
}

/** Returns the names of the files that are released: those of this version, and executables. */
function artefacts(): readonly string[] {
  const other = (file: string) => /^solx[-_]\d/.test(file) && !file.slice(5).startsWith(manifest.version);
  return readdirSync(output)
    .filter((file) => /^solx[-_]/.test(file) && !other(file))
    .sort();
}

/**
 * Fills the templates of each package manager, and their names: `{{version}}` and other values, and `{{sha256 file}}`
 * for the checksum of an artefact.
 */
function writeManifests(): void {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const { name, mcpName, version, summary, description, homepage, license, author } = manifest;
  const download = `${repository}/releases/download/v${version}`;
  const date = readVersionDate();
  const values = new Map<string, string>(
    Object.entries({
      ...{ name, mcpName, version, date, summary, description, homepage, license, author, repository, download },
    }),
  );
  for (const [file, sum] of checksums) values.set(`sha256 ${file.replace(version, "{version}")}`, sum);
  rmSync(join(output, "packaging"), { recursive: true, force: true });
  for (const manager of readdirSync(TEMPLATES)) {
    const missing = new Set<string>();
    const fill = (text: string) =>
      text.replace(/\{\{(.*?\}?)\}\}/g, (_, name: string) => {
        if (!values.has(name)) missing.add(name.replace("sha256 ", ""));
        return values.get(name) ?? "";
      });
    const files = readdirSync(join(TEMPLATES, manager), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [fill(relative(TEMPLATES, path)), fill(readFileSync(path, "utf8"))] as const);
    if (missing.size > 0) process.stderr.write(`note: ${manager} is left out: no ${[...missing].join(", ")}\n`);
    else for (const [path, text] of files) writeManifest(join(output, "packaging", path), text);
  }
}

function writeManifest(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
