/**
 * Answers from the queries of ledgers: transactions and blocks of a node are converted to facts and written to a ledger in
 * memory, so that a node and an index answer alike.
 */
import type { QueryParams, QueryResult } from "../../../catalogue/index.ts";
import { loadConversion } from "../../../chain/indexer/index.ts";
import {
  answerQuery,
  findQuery,
  loadGrowingLedgers,
  type MemoryLedgerOptions,
  type SourceBlock,
  type TokenFact,
} from "../../../chain/ledger/index.ts";
import { type ChainBlock, type ChainTransaction, type Idl, loadIdl, loadParsers } from "../../../chain/solana/index.ts";
import { type AnswerContext, loadOptional, type ReadContext } from "../answer.ts";
import { type MintState, readMints } from "../calls/accounts.ts";

/** Answers a request from transactions, in the order of the chain; with other parameters where they are given. */
export async function answerFromTransactions(
  context: AnswerContext,
  transactions: readonly ChainTransaction[],
  changes?: Parameters<QueryParams["with"]>[0],
): Promise<QueryResult> {
  const { transactionsToFacts, createChainDecoder } = await loadConversion();
  const { route } = context.endpoint;
  reportPartial(context, transactions);
  const facts = await transactionsToFacts(transactions);
  const [blocks, idlOf] = await Promise.all([
    NAMED_ROUTES.has(route) ? withTokenNames(context, facts) : facts,
    DETAILED_ROUTES.has(route) ? readIdls(context, transactions) : undefined,
  ]);
  return answerFrom(context, { blocks, decode: await createChainDecoder(idlOf) }, changes);
}

/** Answers a request from blocks. */
export async function answerFromBlocks(context: AnswerContext, blocks: readonly ChainBlock[]): Promise<QueryResult> {
  const { blockToFacts, createChainDecoder, createKnowledge } = await loadConversion();
  const knowledge = createKnowledge();
  for (const { transactions } of blocks) reportPartial(context, transactions);
  const converted: SourceBlock[] = [];
  for (const block of blocks.toSorted((a, b) => a.slot - b.slot)) {
    const facts = await blockToFacts(block, { knowledge });
    const { signatures } = block;
    converted.push(signatures ? { ...facts, totals: { transactions: signatures.length } } : facts);
  }
  return answerFrom(context, { blocks: converted, decode: await createChainDecoder() });
}

/** Reports that rows may be missing, because the node did not record all effects of a transaction. */
export function reportPartial({ report }: ReadContext, transactions: readonly ChainTransaction[]): void {
  if (!transactions.some(({ isPartial }) => isPartial)) return;
  const text = "The node lacks inner instructions or token balances of some transactions: what they did is missing.";
  report?.({ type: "coverage", text });
}

async function answerFrom(
  { endpoint, params }: AnswerContext,
  content: MemoryLedgerOptions,
  changes: Parameters<QueryParams["with"]>[0] = {},
): Promise<QueryResult> {
  const [query, { createMemoryLedger }] = await Promise.all([findQuery(endpoint.route), loadGrowingLedgers()]);
  if (!query) throw new TypeError(`There is no query for ${endpoint.route}.`);
  const ledger = createMemoryLedger(content);
  try {
    return await answerQuery(query, endpoint, { db: ledger.reader, params: params.with(changes), caller: NO_CALLER });
  } finally {
    ledger.close();
  }
}

/** Answers of a node need no API key. */
const NO_CALLER = { usage: () => ({}) };

/** Routes whose answers contain arguments of instructions. */
const DETAILED_ROUTES: ReadonlySet<string> = new Set(["v2-transaction-detail", "v2-transaction-detail-multi"]);

/**
 * Returns the interfaces of the programs in transactions whose instructions nodes do not parse; undefined if there are no
 * such programs. Without an interface, or where the node does not return it, instructions have no arguments by name.
 */
async function readIdls(
  context: ReadContext,
  transactions: readonly ChainTransaction[],
): Promise<((program: string) => Idl | undefined) | undefined> {
  const { parseInstructions } = await loadParsers();
  const instructions = transactions.flatMap((transaction) => parseInstructions(transaction).instructions);
  const unknown = new Set(instructions.filter(({ parsed }) => parsed === undefined).map(({ program }) => program));
  if (unknown.size === 0) return undefined;
  const { fetchIdls } = await loadIdl();
  const lookups = await loadOptional(context, "the interfaces of programs", () =>
    fetchIdls(context.node, [...unknown]),
  );
  return (program) => {
    const lookup = lookups?.get(program);
    return lookup?.kind === "found" ? lookup.idl : undefined;
  };
}

type TokenNames = Pick<TokenFact, "name" | "symbol">;

/** Routes whose rows contain names, or whose metadata does. */
const NAMED_ROUTES: ReadonlySet<string> = new Set([
  "v2-transaction-detail",
  "v2-transaction-detail-multi",
  "v2-transaction-actions",
  "v2-transaction-actions-multi",
  "account-spl-transfers",
  "account-export-transactions",
  "token-transfer",
]);

const MAX_NAMES = 5000;

/** Returns the blocks with the names of their tokens, which are read once in a session. */
async function withTokenNames(context: ReadContext, blocks: readonly SourceBlock[]): Promise<readonly SourceBlock[]> {
  const names = await context.session.once("token names", async () => new Map<string, TokenNames>());
  const mints = new Set(blocks.flatMap(({ facts }) => (facts.tokens ?? []).map(({ address }) => address)));
  const unknown = [...mints].filter((mint) => !names.has(mint));
  const read =
    unknown.length === 0
      ? undefined
      : await loadOptional(context, "names of tokens", () => readMints(context, unknown));
  if (read && names.size + unknown.length > MAX_NAMES) names.clear();
  if (read) for (const mint of unknown) names.set(mint, namesOf(read.get(mint)));
  return blocks.map((block) => {
    const { tokens = [] } = block.facts;
    return {
      ...block,
      facts: { ...block.facts, tokens: tokens.map((fact) => ({ ...names.get(fact.address), ...fact })) },
    };
  });
}

function namesOf({ name, symbol }: Partial<Pick<MintState, "name" | "symbol">> = {}): TokenNames {
  return { ...(name !== undefined && { name }), ...(symbol !== undefined && { symbol }) };
}
