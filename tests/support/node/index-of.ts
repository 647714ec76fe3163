/** What an index of a node's chain answers: all blocks in one ledger. */
import type { JsonObject } from "../../../src/base/index.ts";
import { type Endpoint, QueryParams, type QueryResult } from "../../../src/catalogue/index.ts";
import { loadConversion } from "../../../src/chain/indexer/index.ts";
import { answerQuery, findQuery, loadGrowingLedgers, type SourceBlock } from "../../../src/chain/ledger/index.ts";
import { decodeBlock, loadIdl, type NodeConnection } from "../../../src/chain/solana/index.ts";

/** Answers requests from the blocks of a node. */
export interface ChainIndex {
  answer(
    endpoint: Endpoint,
    params: Readonly<Record<string, string | number | readonly (string | number)[]>>,
  ): Promise<QueryResult>;
  /** All addresses that transactions name. */
  readonly addresses: readonly string[];
  close(): void;
}

/** Reads all blocks of a node from a slot on. */
export async function indexChain(node: NodeConnection, firstSlot: number): Promise<ChainIndex> {
  const { blockToFacts, createChainDecoder, createKnowledge } = await loadConversion();
  const { createMemoryLedger } = await loadGrowingLedgers();
  const knowledge = createKnowledge();
  const tip = Number(await node.call("getSlot", [{ commitment: "confirmed" }]));
  const slots = (await node.call("getBlocks", [firstSlot, tip, { commitment: "confirmed" }])) as readonly number[];
  const options = { encoding: "base64", transactionDetails: "full", rewards: true, maxSupportedTransactionVersion: 1 };
  const blocks: SourceBlock[] = [];
  const addresses = new Set<string>();
  const unparsed = new Set<string>();
  for (const slot of slots) {
    const block = decodeBlock(await node.call("getBlock", [slot, { ...options, commitment: "confirmed" }]), slot);
    if (!block) continue;
    for (const { keys } of block.transactions) for (const { address } of keys) addresses.add(address);
    blocks.push(await blockToFacts(block, { knowledge, onUnparsed: (program) => unparsed.add(program) }));
  }
  const lookups = await (await loadIdl()).fetchIdls(node, [...unparsed]);
  const idlOf = (program: string) => {
    const lookup = lookups.get(program);
    return lookup?.kind === "found" ? lookup.idl : undefined;
  };
  const ledger = createMemoryLedger({ blocks, decode: await createChainDecoder(idlOf) });
  return {
    addresses: [...addresses],
    close: () => ledger.close(),
    async answer(endpoint, params) {
      const query = await findQuery(endpoint.route);
      if (!query) throw new Error(`No query for ${endpoint.route}`);
      const wire = new Map(Object.entries(params).map(([name, value]) => [name, [value].flat().map(String)]));
      const caller = { usage: (): JsonObject => ({}) };
      return answerQuery(query, endpoint, { db: ledger.reader, params: new QueryParams(endpoint.query, wire), caller });
    },
  };
}
