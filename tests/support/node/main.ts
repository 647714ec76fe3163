/**
 * Runs a node by hand: `npm run test-node -- [--port 8899] [--scenario] [--slot-time 400]`. Ctrl-C
 * ends it. Blocks appear every `--slot-time` milliseconds and when transactions are sent; 0 leaves only the latter.
 */
import { parseArgs } from "node:util";
import { startTestNode, type TestNode, type TestNodeOptions } from "./node.ts";
import { playScenario, SCENARIO_OPTIONS, type Scenario } from "./scenario.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8899" },
    "slot-time": { type: "string", default: "400" },
    scenario: { type: "boolean", default: false },
    "slots-per-epoch": { type: "string" },
  },
});

const slotsPerEpoch = values["slots-per-epoch"];
const options: TestNodeOptions = {
  ...(values.scenario ? SCENARIO_OPTIONS : {}),
  ...(slotsPerEpoch !== undefined && { slotsPerEpoch: Number(slotsPerEpoch) }),
  port: Number(values.port),
  // Clients expect websockets one port above.
  ...(values.port !== "0" && { wsPort: Number(values.port) + 1 }),
  now: () => Date.now() / 1000,
  finality: { confirmed: 1, finalized: 4 },
};

/** Prints addresses and signatures of the story. */
function printScenario({ addresses, signatures }: Scenario): void {
  for (const [title, list] of Object.entries({ addresses, signatures })) {
    console.log(`\n${title}`);
    for (const [name, value] of Object.entries(list)) console.log(`  ${name.padEnd(22)} ${[value].flat()[0]}`);
  }
}

const node: TestNode = await startTestNode(options).catch((error: unknown) => {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
});
if (values.scenario) printScenario(await playScenario(node));
console.log(`
JSON-RPC   ${node.url}
websocket  ${options.wsPort === undefined ? node.wsUrl : `ws://127.0.0.1:${options.wsPort}`}
faucet     ${node.faucet.address}; or: solana airdrop 10 <address> --url ${node.url}
Ctrl-C ends it.`);
const slotTime = Number(values["slot-time"]);
// A server that does nothing would let the process end: the timer keeps it.
setInterval(() => slotTime > 0 && node.chain.produceBlock(), slotTime || 60_000);
