/** Packs what is published: the package as `npm pack` does, and its forms for systems that install without npm. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readManifest } from "./manifest.ts";
import { bundleManifest } from "./mcp-manifest.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Packs the built package into a folder and returns the path of the tarball. Throws when `dist` is missing. */
export function packPackage(output: string): string {
  if (!existsSync(join(ROOT, "dist/main.js"))) throw new Error("The program is not built. Run: npm run build");
  // Without scripts: by itself, `npm pack` builds first. npm is a batch file on Windows, which only a shell can run.
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", output];
  const options = { cwd: ROOT, encoding: "utf8", shell: process.platform === "win32" } as const;
  return join(output, execFileSync("npm", args, options).trim());
}

/**
 * Packs the package with the dependencies that run on every platform, for systems that install without npm, beside the
 * tarball of the package. Returns the path.
 */
export function packStandalone(tarball: string): string {
  return inStage(tarball, (stage) => {
    const file = tarball.replace(/\.tgz$/, "-standalone.tgz");
    execFileSync("tar", ["-czf", file, "-C", dirname(stage), "package"]);
    return file;
  });
}

/**
 * Packs an MCP bundle, which desktop applications install: the package with its dependencies, and a manifest. Writes it
 * beside the tarball of the package and returns its path. Throws when the manifest is invalid.
 */
export function packMcpBundle(tarball: string): string {
  return inStage(tarball, (stage) => {
    writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(bundleManifest(readManifest()), null, 2)}\n`);
    const file = tarball.replace(/\.tgz$/, ".mcpb");
    const program = join(ROOT, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");
    execFileSync(process.execPath, [program, "pack", stage, file], { stdio: ["ignore", "ignore", "inherit"] });
    return file;
  });
}

/** Calls a function with a temporary folder `package`: the unpacked package with the dependencies for all platforms. */
function inStage<T>(tarball: string, use: (stage: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "solx-pack-"));
  const stage = join(folder, "package");
  try {
    execFileSync("tar", ["-xzf", tarball, "-C", folder]);
    for (const name of Object.keys(readManifest().dependencies)) {
      const target = join(stage, "node_modules", name);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(ROOT, "node_modules", name), target, { recursive: true, dereference: true });
    }
    return use(stage);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
