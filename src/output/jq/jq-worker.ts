/** The thread in which jq runs: one program, one result. */

import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { raw } from "jq-wasm";
import type { JqWork } from "./jq.ts";

const { json, program, mostBytes, exhausted } = workerData as JqWork;

// The engine has a limit, but its results are collected beside it, in an array of bytes that is doubled whenever it is
// full: `repeat` took 3 GB in a minute. An error would be one of writing, which jq ignores, so the thread ends.
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: [unknown, ...unknown[]], newTarget) {
    if (typeof args[0] === "number" && args[0] > mostBytes) process.exit(exhausted);
    return Reflect.construct(target, args, newTarget);
  },
});

// After `--`, a program that begins with a minus sign is no option.
parentPort?.postMessage(await raw(json, program, ["-c", "--"]));
