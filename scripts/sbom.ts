/** Bills of materials (SBOM) in the CycloneDX format: what an artefact contains, with a hash of each part. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readManifest } from "./manifest.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const readText = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** What an artefact contains beside the bundled program. */
export interface ArtefactContents {
  /** Names of packages; their dependencies are added. */
  readonly packages: readonly string[];
  /** The path of the Node that is part of the artefact, of the version that runs the script. */
  readonly node?: string;
}

/** A package of the lock file. */
interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Algorithm and hash, as `sha512-<base64>`. */
  readonly integrity: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Returns the SHA-256 of a file in hexadecimal. */
export function hashFile(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Writes the SBOM of an artefact beside it, as `<artefact>.cdx.json`. */
export function writeSbom(artefact: string, contents: ArtefactContents): void {
  const text = JSON.stringify(createSbom(contents));
  writeFileSync(`${artefact}.cdx.json`, nameArtefact(text, artefact));
}

/** Returns an SBOM, as text, with the name and the hash of another artefact with the same contents. */
export function nameArtefact(text: string, artefact: string): string {
  const sbom = JSON.parse(text);
  sbom.metadata.component.hashes = [{ alg: "SHA-256", content: hashFile(artefact) }];
  sbom.metadata.component.properties = [{ name: "solx:file", value: basename(artefact) }];
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** Returns the SBOM of contents that are no file. Throws when a package is not in the lock file. */
export function createSbom({ packages, node }: ArtefactContents) {
  const { name, version, license } = readManifest();
  const found = [...bundledPackages(), ...installedPackages(packages)].map(packageComponent);
  const components = [...found, ...(node === undefined ? [] : [nodeComponent(node)])].map(
    (component) => [component["bom-ref"], component] as const,
  );
  const root = `${name}@${version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        ...{ type: "application", "bom-ref": root, name, version, purl: `pkg:npm/${root}` },
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...new Map(components).values()],
    dependencies: [{ ref: root, dependsOn: [...new Map(components).keys()] }],
  };
}

const lockedPackages = Object.entries(JSON.parse(readText("package-lock.json")).packages).map(
  ([path, entry]) =>
    ({ path, name: path.replace(/^.*node_modules\//, ""), ...(entry as object) }) as LockedPackage & { path: string },
);

function findPackage(isWanted: (entry: LockedPackage & { path: string }) => boolean, wanted: string): LockedPackage {
  const entry = lockedPackages.find(isWanted);
  if (entry === undefined) throw new Error(`package-lock.json does not contain ${wanted}.`);
  return entry;
}

/** Returns the packages whose code is in the bundles: the notices list them. */
function bundledPackages(): readonly LockedPackage[] {
  const notices = readText("dist/THIRD-PARTY-LICENSES.txt").matchAll(/^(\S+) (\d\S*) \(.+\)\n-+$/gm);
  return [...notices].map(([title, name, version]) =>
    findPackage((entry) => entry.name === name && entry.version === version, title),
  );
}

/** Returns packages that are installed, and what they depend on. */
function installedPackages(names: readonly string[]): readonly LockedPackage[] {
  return names.flatMap((name) => {
    const entry = findPackage(({ path }) => path === `node_modules/${name}`, name);
    const { dependencies, optionalDependencies } = entry;
    return [entry, ...installedPackages(Object.keys({ ...dependencies, ...optionalDependencies }))];
  });
}

function packageComponent({ name, version, license, integrity }: LockedPackage) {
  const [algorithm = "", hash = ""] = integrity.split("-");
  return {
    ...{ type: "library", "bom-ref": `${name}@${version}`, name, version },
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") }],
  };
}

function nodeComponent(path: string) {
  const { node: version } = process.versions;
  return {
    ...{ type: "platform", "bom-ref": `node@${version}`, name: "node", version, purl: `pkg:generic/node@${version}` },
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: "MIT" } }],
    hashes: [{ alg: "SHA-256", content: hashFile(path) }],
  };
}
