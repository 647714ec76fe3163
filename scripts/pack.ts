/** Packs the package that is published: the built files, with a manifest without what only a checkout needs. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Fields of the manifest that packages do not have: `prepare` builds a checkout, and overrides pin its dependencies. */
const CHECKOUT_ONLY: ReadonlySet<string> = new Set([
  "scripts",
  "devDependencies",
  "bundleDependencies",
  "allowScripts",
  "overrides",
]);

/** Packs the built package into a folder and returns the path of the tarball. Throws when `dist` is missing. */
export function packPackage(output: string): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const stage = mkdtempSync(join(tmpdir(), "solx-pack-"));
  try {
    for (const name of [...manifest.files, "README.md", "LICENSE"])
      cpSync(join(ROOT, name), join(stage, name), { recursive: true });
    const published = Object.entries(manifest).filter(([name]) => !CHECKOUT_ONLY.has(name));
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
    const args = ["pack", "--silent", "--pack-destination", output];
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    return join(output, execFileSync(npm, args, { cwd: stage, encoding: "utf8", shell: npm === "npm.cmd" }).trim());
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
