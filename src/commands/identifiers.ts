/** Identifiers from the command line: arguments, `@file`, and `-` for standard input. */
import { readFile } from "node:fs/promises";
import { InterruptedError, UsageError } from "../base/errors.ts";
import type { Frame } from "./frame.ts";

/**
 * Expands arguments to identifiers, in order. Files and standard input hold one or more per line, separated by white
 * space or commas; empty lines and what follows a `#` are skipped.
 * @throws UsageError when a file cannot be read, or names no identifier.
 */
export async function identifiers(frame: Frame, args: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const arg of args) {
    if (arg === "-") found.push(...named(await standardInput(frame), "standard input"));
    else if (arg.startsWith("@")) found.push(...named(await fileText(arg.slice(1), frame), arg.slice(1)));
    else found.push(...(arg.includes("://") ? [arg] : arg.split(/[\s,]+/).filter((part) => part !== "")));
  }
  return found;
}

function named(text: string, source: string): string[] {
  const words = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => line.replace(/(^|\s)#.*$/, "").split(/[\s,]+/))
    .filter((word) => word !== "");
  if (words.length === 0) throw new UsageError(`No identifiers in ${source}.`, { hint: "Give one per line." });
  return words;
}

async function fileText(path: string, frame: Frame): Promise<string> {
  try {
    return await readFile(path, { encoding: "utf8", signal: frame.io.signal });
  } catch (cause) {
    if (frame.io.signal.aborted) throw new InterruptedError();
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code);
    throw new UsageError(`Cannot read identifiers from ${path}: ${reason}.`, { cause });
  }
}

async function standardInput(frame: Frame): Promise<string> {
  const { stdin, signal } = frame.io;
  if (stdin.isTTY) await frame.hint("Type or paste identifiers, one per line; end with Ctrl-D.");
  const stop = () => stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  } catch (cause) {
    if (signal.aborted) throw new InterruptedError();
    throw cause;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
