/** Walks the transactions of an account along its signatures. */
import { IncompleteError, throwIfAborted } from "../../../base/index.ts";
import type { ChainTransaction } from "../../../chain/solana/index.ts";
import type { ReadContext, WalkProgress } from "../answer.ts";
import type { SignatureRow } from "../calls/signatures.ts";
import { type NodeTransaction, readTransactions } from "../calls/transactions.ts";
import { type FeedState, SignatureFeed } from "./signature-feed.ts";
import type { WalkDirection, WalkWindow } from "./signature-list.ts";

/** What a walk covers. */
export interface WalkPlan {
  /** Addresses whose transactions are read. */
  readonly addresses: readonly string[];
  /** The wallet whose token accounts join the walk where it meets them: those that were closed are found in no other way. */
  readonly owner?: string | undefined;
  /** Only its accounts of these tokens; all by default. */
  readonly mints?: readonly string[];
  readonly direction: WalkDirection;
  readonly window: WalkWindow;
  /** Whether failed transactions are left out, without reading them. */
  readonly skipFailed: boolean;
}

/** A part of a walk: transactions in its order, and from where it continues. */
export interface WalkBatch {
  readonly transactions: readonly NodeTransaction[];
  /** Where a walk continues before and after this batch. */
  readonly start: FeedState;
  readonly end: FeedState;
}

/** Transactions of the first and of later batches: the first ones appear soon. */
const BATCH_SIZES = [20, 50, 100] as const;

/** Signatures that are counted for the estimate of a long walk. */
const MAX_COUNTED = 20_000;

/** How a walk is run. */
export interface WalkRun {
  readonly resume?: FeedState | undefined;
  /** Signatures that are counted before the first transaction is read, up to a maximum; none by default. */
  readonly count?: number;
  /** Rows so far, for reports. */
  readonly rows?: () => number;
}

/** Walks the transactions of addresses, in batches of whole slots. */
export async function* walkTransactions(
  context: ReadContext,
  plan: WalkPlan,
  { resume, count = 0, rows = () => 0 }: WalkRun = {},
): AsyncGenerator<WalkBatch, void> {
  const feed = new SignatureFeed(context, { ...plan, resume });
  let done = 0;
  const progress = (): WalkProgress => {
    const { known: signatures, unread: calls, complete } = feed.count(plan);
    return { type: "walk", signatures, complete, done, calls, rows: rows() };
  };
  if (count > 0) {
    await feed.preload(Math.min(count, MAX_COUNTED));
    context.report?.(progress());
    await context.beforeWalk?.(progress());
  }
  for (let batch = 0; ; batch++) {
    throwIfAborted(context.sending.signal);
    const size = BATCH_SIZES[Math.min(batch, BATCH_SIZES.length - 1)] ?? 1;
    const { signatures, transactions } = await readBatch(context, plan, feed, size);
    if (signatures.length === 0) return;
    const start = feed.stateBefore(signatures);
    feed.drop(signatures);
    done += signatures.length;
    yield { transactions, start, end: feed.state() };
    context.report?.(progress());
  }
}

/**
 * Reads the next transactions. A token account that one of them reveals adds its list, whose transactions may belong
 * between those that were read: the batch is then composed again.
 */
async function readBatch(
  context: ReadContext,
  { owner, mints = [], direction, skipFailed }: WalkPlan,
  feed: SignatureFeed,
  size: number,
): Promise<{ readonly signatures: readonly SignatureRow[]; readonly transactions: readonly NodeTransaction[] }> {
  const read = new Map<string, NodeTransaction>();
  for (;;) {
    const signatures = await feed.peek(size);
    const needed = signatures.filter(({ failed }) => !(failed && skipFailed));
    const missing = needed.filter(({ signature }) => !read.has(signature));
    const results = await readTransactions(context, missing);
    for (const [at, { signature }] of missing.entries())
      read.set(signature, requireTransaction(results[at], signature));
    const transactions = needed.flatMap(({ signature }) => read.get(signature) ?? []);
    const revealed =
      owner === undefined
        ? []
        : transactions.flatMap((one) => unknownAccounts(one.transaction, { owner, mints }, feed));
    if (revealed.length === 0) return { signatures, transactions };
    // Lists are read newest first: a cursor would leave out what a walk from the oldest has not reached.
    for (const { account, before } of revealed) feed.add(account, direction === "newest" ? before : undefined);
  }
}

/** Returns the token accounts of an owner in a transaction whose lists the feed does not have. */
function unknownAccounts(
  { tokenBalances, signatures }: ChainTransaction,
  { owner, mints }: { readonly owner: string; readonly mints: readonly string[] },
  feed: SignatureFeed,
) {
  return tokenBalances
    .filter(({ mint }) => mints.length === 0 || mints.includes(mint))
    .filter((balance) => balance.owner === owner || balance.ownerBefore === owner)
    .filter(({ account }) => !feed.has(account))
    .map(({ account }) => ({ account, before: signatures[0] }));
}

/** @throws IncompleteError when the node does not return a transaction that it lists */
export function requireTransaction(transaction: NodeTransaction | undefined, signature: string): NodeTransaction {
  if (transaction) return transaction;
  throw new IncompleteError(`The node lists the transaction ${signature} but does not return it.`, {
    code: "MISSING_HISTORY",
    hint: "Use a node with full history (--rpc), or a later start (--from-time).",
  });
}
