/** What an index of the story of the test node has, with trades of mainnet after it. */
import { readFileSync } from "node:fs";
import {
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  parseJson,
} from "../../src/base/index.ts";
import { blockToFacts, createKnowledge, transactionsToFacts } from "../../src/chain/indexer/facts/convert.ts";
import type { SourceBlock } from "../../src/chain/ledger/source/source.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { decodeBlock, decodeTransaction } from "../../src/chain/solana/index.ts";
import { type BusySubjects, busySubjects } from "./filter-combinations.ts";
import type { TestNode } from "./node/node.ts";
import { connectTo } from "./node-connection.ts";
import { queryRows } from "./query.ts";

const swaps = parseJson(readFileSync(new URL("../fixtures/solana-swaps.json", import.meta.url), "utf8")) as JsonObject;
const transactions = Object.values(swaps).flatMap((each) => decodeTransaction(each as Json) ?? []);

/** Returns the blocks of a node, and trades of mainnet as blocks after them. */
export async function storyBlocks({ url, chain }: TestNode): Promise<readonly SourceBlock[]> {
  const knowledge = createKnowledge();
  const node = connectTo(url);
  const slots = (await node.call("getBlocks", [0, chain.tip.slot])) as readonly number[];
  const options = { encoding: "base64", rewards: true, maxSupportedTransactionVersion: 1 };
  const blocks: SourceBlock[] = [];
  for (const slot of slots) {
    const block = decodeBlock(await node.call("getBlock", [slot, options]), slot);
    if (block) blocks.push(await blockToFacts(block, { knowledge }));
  }
  const start = blocks.at(-1)?.time ?? 0;
  const trades = await transactionsToFacts(transactions, { knowledge });
  return [...blocks, ...trades.map((block, at) => ({ ...block, time: start + at }))];
}

/** Returns what the index has the most of. */
export function storySubjects(reader: LedgerReader): BusySubjects {
  const busy = busySubjects(reader);
  const pool = queryRows(reader, "v2-market-list", { sort_by: "trades_24h" })[0] ?? {};
  return {
    ...busy,
    pools: [String(pool.pool_address)],
    tokens: [...busy.tokens, String(pool.token1)],
    signature: String(transactions[0]?.signatures[0]),
  };
}

/** Whether an answer says something beyond what was asked. */
export function hasContent(value: unknown, asked: ReadonlySet<string>): boolean {
  if (isArray(value as Json)) return (value as Json[]).length > 0;
  if (isNumeric(value as Json))
    return Number(numericText(value as number)) !== 0 && !asked.has(numericText(value as number));
  if (!isObject(value as Json)) return ![undefined, null, "0"].includes(value as string) && !asked.has(String(value));
  return Object.values(value as JsonObject).some((each) => hasContent(each, asked));
}
