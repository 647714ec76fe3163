/** A process that indexes a node and is killed while it reads a block. Arguments: url, path, number of the block. */
import process from "node:process";
import { loadIndexer } from "../../src/chain/indexer/index.ts";
import { connectTo } from "./node-connection.ts";

const [url = "", path = "", killAt = "0"] = process.argv.slice(2);
const node = connectTo(url);
let blocks = 0;
const { indexInto } = await loadIndexer();
await indexInto(
  {
    ...node,
    call(method, params, options) {
      if (method === "getBlock" && ++blocks === Number(killAt)) process.kill(process.pid, "SIGKILL");
      return node.call(method, params, options);
    },
  },
  { path, from: "earliest", follow: false, batchBlocks: 5 },
);
