/** Programs that read the files of solx, where they are installed: packages of Node, and modules of Python. */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

/** A program that reads files: its name, and how to run it with a program text and a file; undefined without it. */
export interface DataTool {
  readonly name: string;
  readonly run: ((program: string, file: string) => string) | undefined;
}

/** Returns a package of Node, in `node_modules` or a folder of `NODE_PATH`, for programs that use it as `tool`. */
export function nodeTool(name: string): DataTool {
  const path = tryResolve(name);
  return { name, run: path ? (program, file) => execute(process.execPath, ["-e", program, path, file]) : undefined };
}

/** Returns a module of Python. */
export function pythonTool(name: string): DataTool {
  const python = ["python3", "/usr/bin/python3"].find(
    (command) => spawnSync(command, ["-c", `import ${name}`], { stdio: "ignore" }).status === 0,
  );
  return { name, run: python ? (program, file) => execute(python, ["-c", program, file]) : undefined };
}

function tryResolve(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    // It is no dependency: the test is skipped without it.
    return undefined;
  }
}

function execute(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
