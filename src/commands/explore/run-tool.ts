/** Runs small system tools for the explorer, without a shell. */
import { spawn } from "node:child_process";
import type { Io } from "../run/context.ts";

/** Options for running a tool. */
export interface ToolOptions {
  /** Standard input of the tool (default: none). */
  readonly input?: string | Uint8Array;
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** Whether a tool that is still running after the timeout succeeded and keeps running; otherwise it is killed. */
  readonly detached?: boolean;
}

/** Runs a tool and returns whether it succeeded. Never rejects. */
export type RunTool = (name: string, args: readonly string[], options: ToolOptions) => Promise<boolean>;

/** Returns a function that runs tools as processes. */
export function createToolRunner(env: Io["env"]): RunTool {
  return (name, args, { input, timeout, detached = false }) =>
    new Promise((resolve) => {
      // Output is not read: a tool that stays in the background keeps its streams open.
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
      // A tool that exits without reading its input reports it by its exit code.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}
