/** A Solana node for benchmarks, in a separate thread: posts its URL and the mint of a token with metadata. */
import { parentPort } from "node:worker_threads";
import { startScenario } from "../tests/support/node/scenario.ts";

const { node, scenario } = await startScenario();
parentPort?.postMessage({ url: node.url, mint: scenario.addresses.mint });
// The node does not keep the thread alive.
parentPort?.on("message", () => {});
