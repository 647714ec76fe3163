#!/usr/bin/env node
// Plain JavaScript that parses on any Node, so that a version that is too old prints a message instead of a stack trace.
// Builtin modules are loaded where they are needed: each import statement costs start-up time.

const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  start();
} else {
  handOver();
}

/** Runs solx in this process: without its commands where the arguments need none. */
function start() {
  if (process.argv[2] === "__complete") return complete();
  // Where both are set, Node follows FORCE_COLOR and prints a warning; solx follows NO_COLOR.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  const { version } = JSON.parse(manifest());
  const only = process.argv.length === 3 ? process.argv[2] : "";
  if (only === "--version" || only === "-V") return print(`${version}\n`);
  if (only === "--help" || only === "-h") {
    import("../dist/help.js")
      .then(({ storedHelp }) => storedHelp())
      .then((text) => (text ? print(text) : run(version)), missing);
    return;
  }
  run(version);
}

/** Writes a text to standard output; a reader that closes the pipe is no error. */
function print(text) {
  process.stdout.on("error", ({ code }) => {
    if (code === "EPIPE") return;
    process.stderr.write(`solx: the output cannot be written: ${code}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}

/** Runs the command line. */
function run(version) {
  const cache = cacheFolder();
  if (cache) process.getBuiltinModule("module").enableCompileCache?.(cache);
  import("../dist/main.js").then(({ main }) => main({ version }), missing);
}

/** Returns the text of package.json, which a single executable embeds. */
function manifest() {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return sea.getAsset("package.json", "utf8");
  return process.getBuiltinModule("fs").readFileSync(new URL("../package.json", import.meta.url), "utf8");
}

/** Answers a completion request of a shell. It runs at every key press: nothing else is loaded and no error is printed. */
function complete() {
  import("../dist/complete.js").then(
    (module) => module.complete(process.argv.slice(3)),
    () => {},
  );
}

/** Returns the folder of the compile cache and creates it if necessary; undefined when that fails. */
function cacheFolder() {
  const { existsSync, mkdirSync } = process.getBuiltinModule("fs");
  const { dirname } = process.getBuiltinModule("path");
  // One level at a time: a recursive mkdir never returns on some file systems.
  const create = (level) => {
    if (existsSync(level)) return;
    if (dirname(level) !== level) create(dirname(level));
    mkdirSync(level, { mode: 0o700 });
  };
  try {
    const folder = compiledFolder();
    if (folder) create(folder);
    return folder;
  } catch {
    // Without a compile cache the program only starts more slowly.
    return undefined;
  }
}

/** Returns the folder for compiled code, in the cache folder of src/config/paths.ts, which is not loaded yet. */
function compiledFolder() {
  const { join, resolve } = process.getBuiltinModule("path");
  const { SOLX_HOME, XDG_CACHE_HOME, HOME, LOCALAPPDATA, USERPROFILE } = process.env;
  const under = (root, ...names) => (root ? join(root, ...names, "compiled") : undefined);
  const custom = SOLX_HOME?.trim();
  const home = HOME || USERPROFILE;
  if (custom && /^~([\\/]|$)/.test(custom)) return under(home && join(home, custom.slice(1)), "cache");
  if (custom) return under(resolve(custom), "cache");
  if (process.platform === "win32") {
    return under(LOCALAPPDATA || (USERPROFILE && join(USERPROFILE, "AppData", "Local")), "solx", "Cache");
  }
  if (process.platform === "darwin") return under(HOME, "Library", "Caches", "solx");
  return XDG_CACHE_HOME?.startsWith("/") ? under(XDG_CACHE_HOME, "solx") : under(HOME, ".cache", "solx");
}

/** Reports that the program could not be loaded, most often because the checkout was never built. */
function missing(error) {
  if (
    error.code !== "ERR_MODULE_NOT_FOUND" ||
    process.getBuiltinModule("fs").existsSync(new URL("../dist/main.js", import.meta.url))
  )
    throw error;
  process.stderr.write("solx: this checkout is not built. Run: npm ci\n");
  process.exitCode = 1;
}

/** Runs solx on the Node that `npm ci` installed into the checkout, or reports which Node is needed. */
async function handOver() {
  const [{ spawn }, { existsSync }, { constants }, { fileURLToPath }] = await Promise.all([
    import("child_process"),
    import("fs"),
    import("os"),
    import("url"),
  ]);
  const program = process.platform === "win32" ? "node.exe" : "node";
  const node = fileURLToPath(new URL(`../node_modules/node/bin/${program}`, import.meta.url));
  if (process.env.SOLX_HANDED_OVER || !existsSync(node)) {
    process.stderr.write(`solx: requires Node.js 22.19 or later (this is ${process.versions.node}).\n`);
    process.exitCode = 1;
    return;
  }
  const env = Object.assign({}, process.env, { SOLX_HANDED_OVER: "1" });
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit", env });
  // A terminal sends SIGINT to both processes: the child treats two within an instant as one. On Windows all of them
  // reach both, and kill would end the child before it has saved anything.
  const forward = process.platform === "win32" ? () => {} : (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, forward);
  child.on("error", (error) => {
    process.stderr.write(`solx: cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : code;
  });
}
