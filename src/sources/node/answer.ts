/** The input and the result of answers from a node. */
import { ignoreFailure, type Numeric, type SolxError, toNumeric, toSentence } from "../../base/index.ts";
import type { Coverage, Endpoint, QueryParams, QueryResult } from "../../catalogue/index.ts";
import type { CallOptions, NodeConnection } from "../../chain/solana/index.ts";
import type { WalkCost } from "../../client/index.ts";

/** How far a walk along signatures is, for estimates and progress. Counts are of this walk. */
export interface WalkProgress {
  readonly type: "walk";
  /** Signatures that are known so far, without those outside of the requested time. */
  readonly signatures: number;
  /** Whether these are all signatures; otherwise more follow. */
  readonly complete: boolean;
  /** Transactions that were read or skipped. */
  readonly done: number;
  /** Calls that the remaining known transactions take. */
  readonly calls: number;
  readonly rows: number;
}

/** What an answer reports while it is made. */
type NodeReport =
  | WalkProgress
  /** Something that every user of the answer should know; of a part that is missing from it, which. */
  | { readonly type: "warning"; readonly text: string; readonly missing?: string }
  /** Why rows are missing: of a history that begins at a slot, which one; null where the node does not say. */
  | { readonly type: "coverage"; readonly firstSlot?: number | null; readonly text: string };

/** The input of an answer: a validated request and the node. */
export interface AnswerContext {
  readonly node: NodeConnection;
  readonly endpoint: Endpoint;
  readonly params: QueryParams;
  /** What requests of one client share. */
  readonly session: NodeSession;
  /** How calls are sent; passed to every call. */
  readonly sending: Omit<CallOptions, "isFinal">;
  /** What the answer covers, as far as it is known yet. */
  readonly coverage?: Coverage | undefined;
  readonly report?: ((report: NodeReport) => void) | undefined;
  /** Called with the cost of a walk, and awaited, before its transactions are read; its error ends the walk. */
  readonly beforeWalk?: ((walk: WalkCost) => Promise<void> | void) | undefined;
}

/** The part of a context that reading from the node depends on. */
export type ReadContext = Pick<AnswerContext, "node" | "session" | "sending" | "report" | "beforeWalk">;

/**
 * Answers one endpoint from a node: data for the envelope, or the records of a CSV text. What does not exist is no
 * error: see `emptyData`.
 */
export type NodeAnswer = (context: AnswerContext) => Promise<QueryResult>;

/** Answers by the catalogue's route. */
export type NodeAnswersByRoute = Readonly<Record<string, NodeAnswer>>;

/** Values that are loaded once, by name. */
export interface NodeSession {
  /** Returns a value, loading it the first time. A failure is not remembered. */
  once<T>(name: string, load: () => Promise<T>): Promise<T>;
}

/** Creates an empty session. */
export function createSession(): NodeSession {
  const values = new Map<string, Promise<unknown>>();
  return {
    once<T>(name: string, load: () => Promise<T>): Promise<T> {
      const known = values.get(name);
      if (known) return known as Promise<T>;
      const loading = load();
      values.set(name, loading);
      loading.catch(() => values.delete(name));
      return loading;
    },
  };
}

/**
 * Loads a part that an answer can do without; undefined, with a note, where the node does not return it.
 * @param part what is missing then, as a noun phrase
 */
export async function loadOptional<T>(
  { report }: Pick<ReadContext, "report">,
  part: string,
  load: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    ignoreFailure(error);
    report?.({ type: "warning", text: `Without ${part}: ${toSentence(error as SolxError)}`, missing: part });
    return undefined;
  }
}

/** Returns an exact number. */
export const exactNumber = (amount: bigint): Numeric => toNumeric(String(amount));

/** Returns the number of items before the requested page, and that of the page. */
export function pageRange({ endpoint, params }: Pick<AnswerContext, "endpoint" | "params">) {
  const isLegacy = endpoint.family === "legacy";
  const size = params.integer(isLegacy ? "limit" : "page_size") ?? 10;
  const start = isLegacy ? (params.integer("offset") ?? 0) : ((params.integer("page") ?? 1) - 1) * size;
  return { start, size };
}

/** Returns the items of the requested page. */
export function slicePage<T>(items: readonly T[], context: Pick<AnswerContext, "endpoint" | "params">): readonly T[] {
  const { start, size } = pageRange(context);
  return items.slice(start, start + size);
}
