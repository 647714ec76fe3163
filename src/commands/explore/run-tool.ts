/** Small programs of the system that the explorer hands something to. Never through a shell. */
import { spawn } from "node:child_process";
import type { Io } from "../run/io.ts";

/** How a tool is run. */
export interface ToolOptions {
  /** What it reads; without it, it reads nothing. */
  readonly input?: string | Uint8Array;
  /** Milliseconds after which it is given up. */
  readonly timeout: number;
  /** Whether a tool that still runs then has done its work and is left alone; else it is ended and has failed. */
  readonly detached?: boolean;
}

/** Runs a tool: whether it was there and did its work. Never rejects. */
export type RunTool = (name: string, args: readonly string[], options: ToolOptions) => Promise<boolean>;

/** Runs tools as processes. */
export function createToolRunner(env: Io["env"]): RunTool {
  return (name, args, { input, timeout, detached = false }) =>
    new Promise((resolve) => {
      // Output is not read: a tool that goes on in the background holds on to it.
      const child = spawn(name, args, {
        env: { ...env },
        detached,
        stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
        windowsHide: true,
      });
      const settle = (isSuccess: boolean) => {
        clearTimeout(timer);
        resolve(isSuccess);
      };
      const timer = setTimeout(() => {
        if (detached) child.unref();
        else child.kill("SIGKILL");
        settle(detached);
      }, timeout);
      child.on("error", () => settle(false));
      child.on("exit", (code) => settle(code === 0));
      // A tool that ends without reading says so by its exit code.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}
