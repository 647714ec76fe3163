/**
 * Creates the artefacts of a release in one folder: the package, a tarball that needs no npm, an MCP bundle, the single
 * executable of this machine, its licences, an SBOM, manifests of package managers and of the MCP registry, and checksums.
 *
 *     node scripts/release.ts [--out folder] [--no-executable]
 *
 * Executables of other platforms that are already in the folder are included. A package manager whose artefact is
 * missing is left out, with a note.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packMcpBundle, packPackage, packStandalone, readManifest, runNpm } from "./pack.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEMPLATES = join(ROOT, "packaging");

const { values: options } = parseArgs({
  allowNegative: true,
  options: { out: { type: "string", default: join(ROOT, "release") }, executable: { type: "boolean", default: true } },
});
const output = resolve(options.out);
const manifest = readManifest();
mkdirSync(output, { recursive: true });

packPackage(output);
packStandalone(output);
packMcpBundle(output);
if (options.executable) buildExecutable();
writeFileSync(join(output, `solx-${manifest.version}-licenses.txt`), licences());
writeFileSync(join(output, "solx.cdx.json"), `${JSON.stringify(createSbom(), null, 2)}\n`);
const checksums = new Map(artefacts().map((file) => [file, checksum(file)]));
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
function licences(): string {
  const packages = join(ROOT, "node_modules/node/node_modules");
  const node = readdirSync(packages).find((name) => existsSync(join(packages, name, "LICENSE")));
  if (node === undefined) throw new Error("The licence of Node is missing. Run: npm ci");
  const files = ["LICENSE", "dist/THIRD-PARTY-LICENSES.txt", join("node_modules/node/node_modules", node, "LICENSE")];
  return files.map((file) => readFileSync(join(ROOT, file), "utf8").trimEnd()).join(`\n\n${"=".repeat(80)}\n\n`);
}

/** Returns the names of the files that are released: those of this version, and executables. */
function artefacts(): readonly string[] {
  const other = (file: string) => /^solx-\d/.test(file) && !file.startsWith(`solx-${manifest.version}`);
  return readdirSync(output)
    .filter((file) => /^solx[-.]/.test(file) && !other(file))
    .sort();
}

function checksum(file: string): string {
  return createHash("sha256")
    .update(readFileSync(join(output, file)))
    .digest("hex");
}

/** Returns the SBOM in CycloneDX format: what npm installs, and the packages that are part of the bundles. */
function createSbom() {
  const sbom = JSON.parse(runNpm(["sbom", "--omit=dev", "--sbom-format=cyclonedx", "--package-lock-only"]));
  Object.assign(sbom.metadata.component, { type: "application", name: manifest.name });
  const root = sbom.dependencies.find(({ ref }: { ref: string }) => ref === sbom.metadata.component["bom-ref"]);
  const notices = readFileSync(join(ROOT, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const [, name = "", version, licence] of notices.matchAll(/^(\S+) (\d\S*) \((.+)\)\n-+$/gm)) {
    const ref = `${name}@${version}`;
    if (sbom.components.some((component: Record<string, unknown>) => component["bom-ref"] === ref)) continue;
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = [{ license: { id: licence } }];
    sbom.components.push({ "bom-ref": ref, type: "library", name, version, scope: "required", purl, licenses });
    sbom.dependencies.push({ ref, dependsOn: [] });
    root.dependsOn.push(ref);
  }
  return sbom;
}

/**
 * Fills the templates of each package manager: `{{version}}` and other values, and `{{sha256 file}}` for the checksum
 * of an artefact.
 */
function writeManifests(): void {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const { name, mcpName, version, description, homepage, license, author } = manifest;
  const download = `${repository}/releases/download/v${version}`;
  const values = new Map<string, string>(
    Object.entries({ name, mcpName, version, description, homepage, license, author, repository, download }),
  );
  for (const [file, sum] of checksums) values.set(`sha256 ${file.replace(version, "{version}")}`, sum);
  for (const manager of readdirSync(TEMPLATES)) {
    const missing = new Set<string>();
    const fill = (_: string, name: string) => {
      if (!values.has(name)) missing.add(name.replace("sha256 ", ""));
      return values.get(name) ?? "";
    };
    const texts = readdirSync(join(TEMPLATES, manager)).map((file) => {
      const template = readFileSync(join(TEMPLATES, manager, file), "utf8");
      return [file, template.replace(/\{\{(.*?\}?)\}\}/g, fill)] as const;
    });
    rmSync(join(output, manager), { recursive: true, force: true });
    if (missing.size > 0) {
      process.stderr.write(`note: ${manager} is left out: no ${[...missing].join(", ")}\n`);
      continue;
    }
    mkdirSync(join(output, manager));
    for (const [file, text] of texts) writeFileSync(join(output, manager, file), text);
  }
}
