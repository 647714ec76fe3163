/** Small programs of the system that the explorer hands something to. Never through a shell. */
import { spawn } from "node:child_process";
import type { Io } from "../run/io.ts";

/** How a tool is run. */
export interface RunOptions {
  /** What it reads; without it, it reads nothing. */
  readonly input?: string | Uint8Array;
  /** Milliseconds after which it is given up. */
  readonly limit: number;
  /** Whether a tool that still runs then has done its work and is left alone; else it is ended and has failed. */
  readonly stays?: boolean;
}

/** Runs a tool: whether it was there and did its work. Never rejects. */
export type Run = (name: string, args: readonly string[], options: RunOptions) => Promise<boolean>;

/** Runs tools as processes. */
export function createRun(env: Io["env"]): Run {
  return (name, args, { input, limit, stays = false }) =>
    new Promise((resolve) => {
      // Output is not read: a tool that goes on in the background holds on to it.
      const child = spawn(name, args, {
        env: { ...env },
        detached: stays,
        stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
        windowsHide: true,
      });
      const settle = (done: boolean) => {
        clearTimeout(timer);
        resolve(done);
      };
      const timer = setTimeout(() => {
        if (stays) child.unref();
        else child.kill("SIGKILL");
        settle(stays);
      }, limit);
      child.on("error", () => settle(false));
      child.on("exit", (code) => settle(code === 0));
      // A tool that ends without reading says so by its exit code.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}
