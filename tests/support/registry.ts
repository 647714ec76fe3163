/** A package registry on loopback: npm installs packages from it without a network. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packPackage } from "../../scripts/pack.ts";
import { sendJson, serve } from "./server.ts";
import { createTempFolder } from "./solx.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Runs npm on the Node of the tests, without the settings of the user, and returns both of its outputs. */
export type RunNpm = (
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
) => Promise<string>;

/** The packed project. */
export interface PackedProject {
  /** The path of the tarball. */
  readonly tarball: string;
  /** The manifest in the tarball. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Returns an environment in which npm reads no settings of the user, with its own cache and the Node of the tests. */
function npmEnv(registry: string): Record<string, string> {
  const home = createTempFolder();
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    npm_config_cache: join(home, "cache"),
    npm_config_registry: registry,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
}

/** Packs the built project as it is published. */
export async function packProject(): Promise<PackedProject> {
  const tarball = packPackage(createTempFolder());
  const { stdout } = await run("tar", ["xzOf", tarball, "package/package.json"]);
  return { tarball, manifest: JSON.parse(stdout) };
}

/**
 * Starts a registry with the project and the packages of `node_modules`; others do not exist in it. Returns a function
 * that runs npm with it.
 */
export async function startRegistry({ tarball, manifest }: PackedProject): Promise<RunNpm> {
  const folder = createTempFolder();
  const packages = new Map([[manifest.name, { tarball, manifest }]]);
  const find = async (name: string) => {
    const known = packages.get(name);
    if (known) return known;
    const source = join(ROOT, "node_modules", name);
    const file = join(folder, `${name}.tgz`);
    mkdirSync(dirname(file), { recursive: true });
    await run("tar", ["--use-compress-program=gzip -1", "-chf", file, "-C", dirname(source), basename(source)]);
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    // Packages of other platforms are not installed.
    for (const optional of Object.keys(manifest.optionalDependencies ?? {}))
      if (!existsSync(join(ROOT, "node_modules", optional))) delete manifest.optionalDependencies[optional];
    const entry = { tarball: file, manifest };
    packages.set(name, entry);
    return entry;
  };
  const registry = await serve(async (request, response) => {
    const [, path = "", file] = /^\/(.*?)(\.tgz)?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const entry = await find(path).catch(() => undefined);
    if (entry === undefined) return sendJson(response, '{"error":"not found"}', 404);
    if (file) return response.end(readFileSync(entry.tarball));
    const { name, version } = entry.manifest as { name: string; version: string };
    const dist = { tarball: `${registry.url}/${encodeURIComponent(name)}.tgz` };
    const versions = { [version]: { ...entry.manifest, dist } };
    sendJson(response, JSON.stringify({ name, versions, "dist-tags": { latest: version } }));
  });
  const base = npmEnv(registry.url);
  return async (args, { cwd = folder, env = {} } = {}) => {
    const { stdout, stderr } = await run("npm", args, { cwd, env: { ...base, ...env } });
    return `${stdout}${stderr}`;
  };
}
