/**
 * Answers from the queries of ledgers: transactions and blocks of a node are converted to facts and written to a ledger in
 * memory, so that a node and an index answer alike.
 */

import { ignoreFailure } from "../../../base/index.ts";
import type { QueryParams } from "../../../catalogue/index.ts";
import { type ConversionOptions, loadConversion } from "../../../chain/indexer/index.ts";
import {
  answerQuery,
  findQuery,
  loadGrowingLedgers,
  type MemoryLedger,
  type MemoryLedgerOptions,
  type QueryResult,
  type SourceBlock,
} from "../../../chain/ledger/index.ts";
import { type ChainBlock, type ChainTransaction, type Idl, loadIdl, loadParsers } from "../../../chain/solana/index.ts";
import type { AnswerContext, ReadContext } from "../answer.ts";
import { hasTokenNames, withTokenNames } from "./token-names.ts";

/** Calls a function with a ledger that contains these transactions, in the order of the chain. */
export async function withTransactions<T>(
  context: AnswerContext,
  transactions: readonly ChainTransaction[],
  use: (ledger: MemoryLedger) => T | Promise<T>,
): Promise<T> {
  const { transactionsToFacts, createInstructionDecoder } = await loadConversion();
  const { route } = context.endpoint;
  const facts = await transactionsToFacts(transactions);
  const [blocks, idlOf] = await Promise.all([
    hasTokenNames(route) ? withTokenNames(context, facts) : facts,
    hasArguments(route) ? readIdls(context, transactions) : undefined,
  ]);
  return withLedger({ blocks, decode: await createInstructionDecoder(idlOf) }, use);
}

/** Calls a function with a ledger that contains these blocks. */
export async function withBlocks<T>(
  blocks: readonly ChainBlock[],
  use: (ledger: MemoryLedger) => T | Promise<T>,
  options?: ConversionOptions,
): Promise<T> {
  const { blockToFacts, createInstructionDecoder, createKnowledge } = await loadConversion();
  const knowledge = createKnowledge();
  const converted: SourceBlock[] = [];
  for (const block of blocks.toSorted((a, b) => a.slot - b.slot)) {
    const facts = await blockToFacts(block, { knowledge, ...options });
    const { signatures } = block;
    converted.push(signatures ? { ...facts, totals: { transactions: signatures.length } } : facts);
  }
  return withLedger({ blocks: converted, decode: await createInstructionDecoder() }, use);
}

async function withLedger<T>(content: MemoryLedgerOptions, use: (ledger: MemoryLedger) => T | Promise<T>): Promise<T> {
  const { createMemoryLedger } = await loadGrowingLedgers();
  const ledger = createMemoryLedger(content);
  try {
    return await use(ledger);
  } finally {
    ledger.close();
  }
}

/** Answers the endpoint of a request from a ledger, with other parameters where they are given. */
export async function answerFrom(
  { reader }: MemoryLedger,
  { endpoint, params }: Pick<AnswerContext, "endpoint" | "params">,
  changes: Parameters<QueryParams["with"]>[0] = {},
): Promise<QueryResult> {
  const query = await findQuery(endpoint.route);
  if (!query) throw new TypeError(`There is no query for ${endpoint.route}.`);
  return answerQuery(query, endpoint, { db: reader, params: params.with(changes), caller: NO_CALLER });
}

/** Answers of a node need no API key. */
const NO_CALLER = { usage: () => ({}) };

/** Routes whose answers contain arguments. */
const DETAILED_ROUTES: ReadonlySet<string> = new Set(["v2-transaction-detail", "v2-transaction-detail-multi"]);

/** Whether an answer contains arguments of instructions. */
const hasArguments = (route: string): boolean => DETAILED_ROUTES.has(route);

/**
 * Returns the interfaces of the programs in transactions whose instructions nodes do not parse; undefined if there are no
 * such programs. Without an interface, or where the node does not return it, instructions have no arguments by name.
 */
async function readIdls(
  { node }: Pick<ReadContext, "node">,
  transactions: readonly ChainTransaction[],
): Promise<((program: string) => Idl | undefined) | undefined> {
  const { parseInstructions } = await loadParsers();
  const instructions = transactions.flatMap((transaction) => parseInstructions(transaction).instructions);
  const unknown = new Set(instructions.filter(({ parsed }) => parsed === undefined).map(({ program }) => program));
  if (unknown.size === 0) return undefined;
  const { idlsOf } = await loadIdl();
  const lookups = await idlsOf(node, [...unknown]).catch(ignoreFailure);
  return (program) => {
    const lookup = lookups?.get(program);
    return lookup?.kind === "found" ? lookup.idl : undefined;
  };
}
