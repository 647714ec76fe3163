/**
 * A process that indexes a range of a node into ClickHouse, together with others, and is killed at one of its requests.
 * Argument: `WorkerOptions` as JSON.
 */
import process from "node:process";
import { NetworkError, sleep } from "../../../src/base/index.ts";
import { loadIndexer } from "../../../src/chain/indexer/index.ts";
import type { StoreAddress } from "../../../src/chain/ledger/clickhouse/address.ts";
import { openStoreWriter, type StoreWriter } from "../../../src/chain/ledger/clickhouse/writer.ts";
import { indexIntoStore } from "../../../src/commands/indexer/run-index.ts";
import { connectTo } from "../node-connection.ts";

/** What a process does. */
export interface WorkerOptions {
  /** The URL of the node. */
  readonly node: string;
  readonly address: StoreAddress;
  readonly from: number;
  readonly to: number;
  /** Its file. */
  readonly path: string;
  /** The request at which it is killed, after the database is open, and milliseconds after that is sent. */
  readonly killAt?: number;
  readonly killAfter?: number;
}

const { node, address, killAt, killAfter, ...range }: WorkerOptions = JSON.parse(process.argv[2] ?? "{}");
/** The server may be starting. */
const open = async (): Promise<StoreWriter> => {
  try {
    return await openStoreWriter(address);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    await sleep(100);
    return open();
  }
};
const store = await open();
let requests = 0;
const counted = <Rest extends unknown[], T>(request: (...rest: Rest) => T) => {
  return (...rest: Rest) => {
    if (++requests === killAt) setTimeout(() => process.kill(process.pid, "SIGKILL"), killAfter);
    return request(...rest);
  };
};
const { server } = store;
Object.assign(server, { ask: counted(server.ask), run: counted(server.run), insert: counted(server.insert) });
const { indexInto } = await loadIndexer();
const { signal } = new AbortController();
await indexIntoStore(
  store,
  { ...range, commitment: "finalized", firstDelay: 1, signal, onEvent() {} },
  (options) => indexInto(connectTo(node), options),
  { slots: 400, leaseSeconds: 1 },
);
await store.close();
