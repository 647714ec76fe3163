/** What nobody caught, and what dependencies would write over the screen, while the explorer has the terminal. */
import { format } from "node:util";

const CONSOLE = ["log", "info", "warn", "error", "debug", "trace"] as const;

/**
 * Sends faults that nobody caught to `onFault`, and everything that is written to the console, warnings of Node included,
 * to `log`. The returned function ends that.
 */
export function guardProcess(log: (text: string) => void, onFault: (error: unknown) => void): () => void {
  const write = (...values: unknown[]) => log(format(...values));
  const { console: told } = globalThis;
  const before = CONSOLE.map((name) => [name, told[name]] as const);
  for (const name of CONSOLE) told[name] = write;
  // Node writes warnings to standard error in a listener of its own.
  const warned = process.listeners("warning");
  process.removeAllListeners("warning").on("warning", write);
  process.on("uncaughtException", onFault).on("unhandledRejection", onFault);
  return () => {
    for (const [name, original] of before) told[name] = original;
    process.off("warning", write).off("uncaughtException", onFault).off("unhandledRejection", onFault);
    for (const listener of warned) process.on("warning", listener);
  };
}
