/**
 * A process that indexes nodes and is killed while it reads a block, or after it has written some. Arguments: urls, path,
 * what counts (getBlock or progress), how often it happens before.
 */
import process from "node:process";
import { loadIndexer } from "../../src/chain/indexer/index.ts";
import { connectTo } from "./node-connection.ts";

const [urls = "", path = "", counted = "", killAt = "0"] = process.argv.slice(2);
let times = 0;
const count = (what: string) => {
  if (what === counted && ++times === Number(killAt)) process.kill(process.pid, "SIGKILL");
};
const { indexInto } = await loadIndexer();
await indexInto(
  urls.split(",").map((url) => {
    const node = connectTo(url);
    return {
      ...node,
      call(method, params, options) {
        count(method);
        return node.call(method, params, options);
      },
    };
  }),
  {
    ...{ path, from: "earliest", follow: false, batchBlocks: 5, firstDelay: 1 },
    onEvent: ({ kind }) => count(kind),
  },
);
