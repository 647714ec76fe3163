/** Programs that read the files of solx, where they are installed. */
import { spawnSync } from "node:child_process";

/** Returns a Python interpreter that has a module; undefined without one. */
export function findPython(module: string): string | undefined {
  const names = ["python3", "/usr/bin/python3", "python"];
  return names.find((name) => spawnSync(name, ["-c", `import ${module}`], { stdio: "ignore" }).status === 0);
}

/** Runs a Python program and returns its output. */
export function runPython(python: string, program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(python, ["-c", program, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
