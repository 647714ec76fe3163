/**
 * Writes the folder of a container image: the package with its dependencies, and the SBOM with the Node of the image.
 *
 *     node scripts/image.ts <folder>
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readManifest } from "./manifest.ts";
import { packPackage, packStandalone } from "./pack.ts";
import { createSbom } from "./sbom.ts";

const [folder = ""] = process.argv.slice(2);
const packed = mkdtempSync(join(tmpdir(), "solx-image-"));
mkdirSync(folder);
execFileSync("tar", ["-xzf", packStandalone(packPackage(packed)), "-C", folder, "--strip-components", "1"]);
rmSync(packed, { recursive: true });
const sbom = createSbom({ packages: Object.keys(readManifest().dependencies), node: process.execPath });
writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
