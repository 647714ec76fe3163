/** The thread in which jq runs: one program, one result. */
import { parentPort, workerData } from "node:worker_threads";
import { raw } from "jq-wasm";
import type { JqRequest } from "./jq.ts";

const { json, program } = workerData as JqRequest;
// After `--`, a program that begins with a minus sign is no option.
parentPort?.postMessage(await raw(json, program, ["-c", "--"]));
