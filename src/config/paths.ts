/** The folders and files of solx. */
import { join, resolve } from "node:path";
import { type Env, expandHome } from "../base/index.ts";

/** The folders of solx; undefined when there is no home folder to derive them from. */
export interface Paths {
  /** Settings and saved keys. */
  readonly config: string | undefined;
  /** State between runs: rate limits, records of exports, local indexes. */
  readonly state: string | undefined;
  /** Data that can be deleted at any time. */
  readonly cache: string | undefined;
}

type Folder = keyof Paths;

/**
 * Returns the folders of this user. `SOLX_HOME` puts all of them into one folder; otherwise they follow the platform's
 * convention: the XDG variables on Linux and other Unix systems, `~/Library` on macOS, `%APPDATA%` on Windows.
 */
export function resolvePaths(env: Env, platform: NodeJS.Platform = process.platform): Paths {
  const home = env.SOLX_HOME?.trim();
  if (home) {
    const path = expandHome(home, env);
    if (path === undefined) return { config: undefined, state: undefined, cache: undefined };
    const folder = resolve(path);
    return { config: folder, state: join(folder, "state"), cache: join(folder, "cache") };
  }
  if (platform === "win32") return windowsPaths(env);
  if (platform === "darwin") return macosPaths(env);
  return xdgPaths(env);
}

/** Returns the path of the settings file. */
export function configFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, "config.json");
}

/** Returns the path of the file of rules that the explorer watches. */
export function rulesFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, "rules.yaml");
}

/** Returns the path of the file of saved keys. */
export function credentialsFilePath(paths: Paths): string | undefined {
  return paths.config && join(paths.config, "credentials.json");
}

function joinUnder(root: string | undefined, ...names: string[]): string | undefined {
  return root ? join(root, ...names) : undefined;
}

function windowsPaths(env: Env): Paths {
  const roaming = env.APPDATA || joinUnder(env.USERPROFILE, "AppData", "Roaming");
  const local = env.LOCALAPPDATA || joinUnder(env.USERPROFILE, "AppData", "Local");
  return {
    config: joinUnder(roaming, "solx", "Config"),
    state: joinUnder(local, "solx", "State"),
    cache: joinUnder(local, "solx", "Cache"),
  };
}

function macosPaths(env: Env): Paths {
  return {
    config: joinUnder(env.HOME, "Library", "Preferences", "solx"),
    state: joinUnder(env.HOME, "Library", "Application Support", "solx"),
    cache: joinUnder(env.HOME, "Library", "Caches", "solx"),
  };
}

const XDG: Readonly<Record<Folder, readonly [variable: string, ...underHome: string[]]>> = {
  config: ["XDG_CONFIG_HOME", ".config"],
  state: ["XDG_STATE_HOME", ".local", "state"],
  cache: ["XDG_CACHE_HOME", ".cache"],
};

function xdgPaths(env: Env): Paths {
  const folder = (name: Folder) => {
    const [variable, ...underHome] = XDG[name];
    // The XDG base directory specification: relative paths are invalid and ignored.
    const custom = env[variable]?.startsWith("/") ? env[variable] : undefined;
    return joinUnder(custom ?? joinUnder(env.HOME, ...underHome), "solx");
  };
  return { config: folder("config"), state: folder("state"), cache: folder("cache") };
}
