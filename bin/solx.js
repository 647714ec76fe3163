#!/usr/bin/env node
// Plain JavaScript that parses on any Node, so that one that is too old gets a sentence instead of a stack.
// Builtin modules are loaded where they are needed: each import statement costs start-up time.

/**
 * Has the C library keep one heap, and give back at once what was large: else what V8's compilers used and left lies
 * about in a heap of each of their threads. Read before a process begins, and by glibc alone.
 */
const ONE_HEAP = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "8192", MALLOC_TRIM_THRESHOLD_: "65536" };
const [major, minor] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  start();
} else {
  handOver();
}

/** Runs solx in this process, with compiled code kept in the user's own cache folder. */
function start() {
  if (process.argv[2] === "__complete") return complete();
  // Of two that contradict each other Node takes the other one than solx, and warns of it.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  const { readFileSync } = process.getBuiltinModule("fs");
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const only = process.argv.length === 3 ? process.argv[2] : "";
  if (only === "--version" || only === "-V") {
    process.stdout.on("error", ({ code }) => {
      if (code === "EPIPE") return;
      process.stderr.write(`solx: the output could not be written: ${code}\n`);
      process.exitCode = 1;
    });
    process.stdout.write(`${version}\n`);
    return;
  }
  if (readsEverything()) startLean();
  const cache = cacheFolder();
  if (cache) process.getBuiltinModule("module").enableCompileCache(cache);
  import("../dist/main.js").then(({ main }) => main({ version }), missing);
}

/** Answers a shell that completes a line. It asks at every press of a key: nothing else is loaded, and no trouble is told. */
function complete() {
  import("../dist/complete.js").then(
    (module) => module.complete(process.argv.slice(3)),
    () => {},
  );
}

/** Whether the line asks for a whole list, whatever that takes, and nobody has said yet how memory is kept. */
function readsEverything() {
  return process.argv.includes("--all") && process.platform === "linux" && !process.env.MALLOC_ARENA_MAX;
}

/** Puts the same program into this process once more, so that its memory stays flat however much it reads. */
function startLean() {
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...ONE_HEAP, ...env });
}

/** The user's own folder for compiled code, made if need be; undefined where there can be none. */
function cacheFolder() {
  const { existsSync, mkdirSync } = process.getBuiltinModule("fs");
  const { join, dirname } = process.getBuiltinModule("path");
  const { SOLX_HOME, XDG_CACHE_HOME } = process.env;
  const base = SOLX_HOME || join(XDG_CACHE_HOME || join(process.getBuiltinModule("os").homedir(), ".cache"), "solx");
  const folder = SOLX_HOME ? join(base, "cache", "compiled") : join(base, "compiled");
  if (existsSync(folder)) return folder;
  try {
    // One level at a time: making all levels at once never returns on some file systems.
    for (const level of [dirname(base), base, dirname(folder), folder]) {
      if (!existsSync(level)) mkdirSync(level, { mode: 0o700 });
    }
    return folder;
  } catch {
    // Without a cache the program starts a little later, that is all.
    return undefined;
  }
}

/** The program could not be loaded: most often a checkout that was never built. */
function missing(error) {
  if (
    error.code !== "ERR_MODULE_NOT_FOUND" ||
    process.getBuiltinModule("fs").existsSync(new URL("../dist/main.js", import.meta.url))
  )
    throw error;
  process.stderr.write("solx: this checkout is not built yet; run: npm ci\n");
  process.exitCode = 1;
}

/** In a checkout that brings its own Node, lets that one do the work; elsewhere says what is needed. */
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
    process.stderr.write(`solx: Node 22.19 or newer is needed, this is ${process.versions.node}.\n`);
    process.exitCode = 1;
    return;
  }
  const env = Object.assign({}, process.env, { SOLX_HANDED_OVER: "1" });
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit", env });
  // A terminal sends SIGINT to both: the child takes two within an instant for one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`solx: cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : code;
  });
}
