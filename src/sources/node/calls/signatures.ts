/** Reads the signatures of the transactions that name an address. */
import { isMissing, sleep } from "../../../base/index.ts";
import {
  type ChainTransaction,
  countOf,
  listOf,
  objectOf,
  optionalCount,
  optionalInteger,
  optionalText,
  textOf,
} from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { historyCommitment } from "./finality.ts";

/** A transaction in the list of an address. */
export interface SignatureRow {
  readonly signature: string;
  readonly slot: number;
  /** Position in its block, where the node reports it. */
  readonly index: ChainTransaction["index"];
  /** Unix seconds. */
  readonly blockTime: number | undefined;
  readonly failed: boolean;
  readonly isFinal: boolean;
}

/** The maximum of one call. */
export const MAX_SIGNATURES = 1000;

/** Of several nodes behind one address, one that lags behind answers the first page of an address empty: attempts, and milliseconds between them. */
const ATTEMPTS = 3;
const PAUSE = 300;

/** What part of a list is read. */
export interface SignaturePage {
  /** Only transactions before this one. */
  readonly before?: string | undefined;
  /** Only transactions after this one. */
  readonly until?: string | undefined;
  readonly limit: number;
}

/** Reads a page of the signatures of an address, newest first. */
export async function readSignatures(
  context: ReadContext,
  address: string,
  { before, until, limit }: SignaturePage,
): Promise<readonly SignatureRow[]> {
  const { node, sending } = context;
  const commitment = historyCommitment(context);
  const options = { limit, commitment, ...(before !== undefined && { before }), ...(until !== undefined && { until }) };
  for (let attempt = 1; ; attempt++) {
    const result = await node.call("getSignaturesForAddress", [address, options], sending);
    const rows = listOf(result, "result").map((row) => signatureRow(row, commitment === "finalized"));
    if (rows.length > 0 || before !== undefined || node.isLocal || attempt === ATTEMPTS) return rows;
    await sleep(PAUSE, sending.signal);
  }
}

function signatureRow(value: Parameters<typeof objectOf>[0], areFinal: boolean): SignatureRow {
  const row = objectOf(value, "result[]");
  return {
    signature: textOf(row.signature, "result[].signature"),
    slot: countOf(row.slot, "result[].slot"),
    index: optionalCount(row.transactionIndex, "result[].transactionIndex"),
    blockTime: optionalInteger(row.blockTime, "result[].blockTime"),
    failed: !isMissing(row.err),
    isFinal: areFinal || optionalText(row.confirmationStatus, "result[].confirmationStatus") === "finalized",
  };
}
