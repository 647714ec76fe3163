/** Packs what is published: the built files, with a manifest without what only a checkout needs. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleManifest } from "./mcp-manifest.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Fields of the manifest that packages do not have: `prepare` builds a checkout, and overrides pin its dependencies. */
const CHECKOUT_ONLY: ReadonlySet<string> = new Set([
  ...["scripts", "devDependencies", "bundleDependencies", "allowScripts", "overrides"],
]);

/** Returns the manifest of the checkout. */
export function readManifest() {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}

/** Runs npm and returns its output. */
export function runNpm(args: readonly string[], cwd = ROOT): string {
  // npm is a batch file on Windows, which only a shell can run.
  return execFileSync("npm", [...args], { cwd, encoding: "utf8", shell: process.platform === "win32" });
}

/** Packs the built package into a folder and returns the path of the tarball. Throws when `dist` is missing. */
export function packPackage(output: string): string {
  const manifest = readManifest();
  return inStage(manifest, (stage) =>
    join(output, runNpm(["pack", "--silent", "--pack-destination", output], stage).trim()),
  );
}

/**
 * Packs the package with the dependencies that run on every platform, for systems that install without npm. Returns the
 * path of the tarball.
 */
export function packStandalone(output: string): string {
  const manifest = readManifest();
  return inStage(manifest, (stage) => {
    copyDependencies(stage, manifest);
    const file = join(output, `${manifest.name}-${manifest.version}-standalone.tgz`);
    execFileSync("tar", ["-czf", file, "-C", dirname(stage), "package"]);
    return file;
  });
}

/**
 * Packs an MCP bundle, which desktop applications install: the package with its dependencies, and a manifest. Returns
 * its path. Throws when the manifest is invalid.
 */
export function packMcpBundle(output: string): string {
  const manifest = readManifest();
  return inStage(manifest, (stage) => {
    copyDependencies(stage, manifest);
    writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(bundleManifest(manifest), null, 2)}\n`);
    const file = join(output, `${manifest.name}-${manifest.version}.mcpb`);
    const program = join(ROOT, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");
    execFileSync(process.execPath, [program, "pack", stage, file], { stdio: ["ignore", "ignore", "inherit"] });
    return file;
  });
}

/** Copies the dependencies that run on every platform. */
function copyDependencies(stage: string, manifest: ReturnType<typeof readManifest>): void {
  for (const name of Object.keys(manifest.dependencies)) {
    const target = join(stage, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, "node_modules", name), target, { recursive: true, dereference: true });
  }
}

/** Calls a function with a temporary folder `package` that has the files and the manifest of the package. */
function inStage<T>(manifest: ReturnType<typeof readManifest>, use: (stage: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "solx-pack-"));
  const stage = join(folder, "package");
  try {
    for (const name of [...manifest.files, "README.md", "LICENSE"])
      cpSync(join(ROOT, name), join(stage, name), { recursive: true });
    const published = Object.entries(manifest).filter(([name]) => !CHECKOUT_ONLY.has(name));
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
    return use(stage);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
