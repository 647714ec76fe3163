/**
 * Reads the signatures of the transactions that name an address, newest first, each once.
 *
 * Gateways return fewer rows than asked, pages of another backend, or the first page again. So a page that is not full
 * is no end; two empty pages in a row are, if the page before them still ends with the last row: a node that does not
 * know a cursor returns nothing, too. Rows that were read before are left out. What remains must be in the order of the
 * chain: where it is not, or where a cursor leads nowhere, an IncompleteError says that the rest is not proved.
 */
import { IncompleteError, ignoreFailure, OTHER_NODE, sleep } from "../../../base/index.ts";
import { type ChainTransaction, Member } from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { callFor } from "./accounts.ts";
import { reportHistory } from "./coverage.ts";
import { historyCommitment, type ListedTransaction } from "./transactions.ts";

/** A row of the list of an address. */
export interface SignatureRow extends ListedTransaction {
  /** Position in its block, where the node reports it. */
  readonly index: ChainTransaction["index"];
  /** Unix seconds. */
  readonly blockTime: number | undefined;
  readonly isFinal: boolean;
  /** Whether it is the first or the last row of its list. */
  readonly isEdge: boolean;
}

/** The maximum of one call. */
export const MAX_SIGNATURES = 1000;

/** Consecutive empty pages that are an end. */
const EMPTY_PAGES = 2;
/** Of several nodes behind one address, one that lags behind answers the first page empty: attempts, and milliseconds between them. */
const FIRST_ATTEMPTS = 3;
const PAUSE = 300;
/** Rows of the call that shows that the last row is still there. */
const LAST_ROWS = 10;
/** Pages in a row without new rows after which reading fails. */
const MAX_REPEATED = 3;
/** More transactions than fit into a block; a walk has all of a slot in memory. */
const MAX_IN_SLOT = 100_000;
/** Signatures that are remembered to recognise repeated rows: more than a block has. */
const REMEMBERED = 10_000;

/** What part of a list is read. */
interface SignatureRange {
  /** The beginning of the requested time in Unix seconds: older rows are not missed. */
  readonly from?: number | undefined;
  readonly before?: string | undefined;
  readonly until?: string | undefined;
}

/** Reads the signatures of an address, page by page. */
export class SignatureReader {
  readonly #context: ReadContext;
  readonly #address: string;
  readonly #until: string | undefined;
  readonly #from: number | undefined;
  /** The last row that was received, and the one before it. */
  #cursor: string | undefined;
  #previous: string | undefined;
  #slot = Number.POSITIVE_INFINITY;
  /** Rows of that slot. */
  #inSlot = 0;
  readonly #known = new Set<string>();
  #done = false;

  constructor(context: ReadContext, address: string, { before, until, from }: SignatureRange = {}) {
    [this.#context, this.#address] = [context, address];
    [this.#cursor, this.#until, this.#from] = [before, until, from];
  }

  /** Whether the end of the list was reached. */
  get done(): boolean {
    return this.#done;
  }

  /**
   * Reads the rows that follow, in one call if it returns new ones; none at the end.
   * @throws IncompleteError when the node repeats rows or does not list them in order
   */
  async next(limit: number): Promise<readonly SignatureRow[]> {
    let [empty, repeated, size] = [0, 0, limit];
    while (!this.#done) {
      const page = await this.#request(this.#cursor, Math.min(size, MAX_SIGNATURES));
      const rows = this.#newRows(page);
      if (rows.length > 0) return rows;
      if (page.length > 0) {
        [empty, repeated, size] = [0, repeated + 1, size + page.length];
        if (repeated >= MAX_REPEATED) throw this.#incomplete("STUCK", "returns the same rows again and again");
        continue;
      }
      empty++;
      const isFirst = this.#cursor === undefined && !this.#context.node.isLocal;
      const isEnd = empty >= (isFirst ? FIRST_ATTEMPTS : EMPTY_PAGES);
      const missed = isEnd ? await this.#readAfterPrevious() : [];
      if (missed.length > 0) return missed;
      this.#done = isEnd;
      if (isFirst && !isEnd) await sleep(PAUSE, this.#context.sending.signal);
    }
    await reportHistory(this.#context, this.#from);
    return [];
  }

  /** Reads at least a number of rows, if there are as many. */
  async take(count: number): Promise<readonly SignatureRow[]> {
    const rows: SignatureRow[] = [];
    while (rows.length < count && !this.#done) rows.push(...(await this.next(count - rows.length)));
    return rows;
  }

  /**
   * Returns rows after the last one that the node lists only when it is asked for those after the row before.
   * @throws IncompleteError where that does not show the last row
   */
  async #readAfterPrevious(): Promise<readonly SignatureRow[]> {
    if (this.#cursor === undefined) return [];
    // A walk that begins at a cursor knows no row before it.
    if (this.#known.size === 0) return this.#requireCursor(this.#cursor);
    for (let attempt = 0; attempt < EMPTY_PAGES; attempt += 1) {
      // Any number of rows may have arrived before a first one.
      const page = await this.#request(this.#previous, this.#previous === undefined ? MAX_SIGNATURES : LAST_ROWS);
      if (page.some(({ signature }) => signature === this.#cursor)) return this.#newRows(page);
    }
    throw this.#incomplete("INCOMPLETE_LIST", "does not know the transaction after which a page starts");
  }

  async #requireCursor(cursor: string): Promise<readonly SignatureRow[]> {
    const search = [[cursor], { searchTransactionHistory: true }];
    const statuses = await callFor(this.#context, "getSignatureStatuses", search).catch(ignoreFailure);
    if (statuses && statuses.at("value").list()[0]?.optional() === undefined)
      throw this.#incomplete("INCOMPLETE_LIST", `does not know the transaction ${cursor}`);
    return [];
  }

  async #request(before: string | undefined, limit: number): Promise<readonly SignatureRow[]> {
    const { node, sending } = this.#context;
    const commitment = historyCommitment(this.#context);
    const range = {
      ...(before !== undefined && { before }),
      ...(this.#until !== undefined && { until: this.#until }),
    };
    const result = await node.call(
      "getSignaturesForAddress",
      [this.#address, { limit, commitment, ...range }],
      sending,
    );
    const list = new Member(result).list();
    return list.map((row) => signatureRow(row, this.#address, commitment === "finalized"));
  }

  /** Returns the rows of a page that were not read before, and moves the cursor behind them. */
  #newRows(page: readonly SignatureRow[]): readonly SignatureRow[] {
    if (new Set(page.map(({ signature }) => signature)).size < page.length)
      throw this.#incomplete("INCOMPLETE_LIST", "lists transactions twice on one page, and others may be missing");
    // A page that contains its cursor starts too early.
    const start = page.findIndex(({ signature }) => signature === this.#cursor) + 1;
    const rows = page.slice(start).filter(({ signature }) => {
      const isNew = !this.#known.has(signature);
      this.#known.add(signature);
      return isNew;
    });
    for (const { signature, slot } of rows) {
      if (slot > this.#slot) {
        const order = `lists slot ${slot} after slot ${this.#slot}, not newest first`;
        throw this.#incomplete("INCOMPLETE_LIST", order);
      }
      this.#inSlot = slot === this.#slot ? this.#inSlot + 1 : 1;
      if (this.#inSlot > MAX_IN_SLOT)
        throw this.#incomplete("STUCK", `lists more transactions of slot ${slot} than fit`);
      [this.#slot, this.#previous, this.#cursor] = [slot, this.#cursor, signature];
    }
    for (const signature of this.#known) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(signature);
    }
    return rows;
  }

  #incomplete(code: string, what: string): IncompleteError {
    const message = `The node ${what}: it is not proved that all transactions of ${this.#address} were read.`;
    return new IncompleteError(message, { code, hint: OTHER_NODE });
  }
}

/** A block of Solana is never as old as the epoch: nodes that do not know a time say 0. */
const timeOf = (time: Member): number | undefined => {
  const seconds = time.optional()?.integer() ?? 0;
  return seconds > 0 ? seconds : undefined;
};

const signatureRow = (row: Member, address: string, areFinal: boolean): SignatureRow => ({
  address,
  signature: row.at("signature").text(),
  slot: row.at("slot").count(),
  index: row.at("transactionIndex").optional()?.count(),
  blockTime: timeOf(row.at("blockTime")),
  failed: row.at("err").optional() !== undefined,
  isEdge: false,
  isFinal: areFinal || row.at("confirmationStatus").optional()?.text() === "finalized",
});
