/** Transactions in the encodings of Solana nodes. */
import { Buffer } from "node:buffer";
import { type JsonObject, omitMissing } from "../../../../base/index.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { readRpcTransaction } from "../legacy/transaction-rpc.ts";
import { encodeBase58 } from "./base58.ts";
import {
  compileTransaction,
  innerInstructionsJson,
  serializeTransaction,
  transactionJson,
  type WireTransaction,
} from "./wire-transaction.ts";

/** Units of the limit of a block that a signature, and a key that is written to, cost. */
const [SIGNATURE_COST, WRITE_COST] = [720, 300];

/** Returns the share of a transaction in the limit of its block. */
function costUnits({ signatures, instructions }: WireTransaction, written: number, computeUnits: number): number {
  const bytes = instructions.reduce((sum, { data }) => sum + data.length, 0);
  return signatures.length * SIGNATURE_COST + written * WRITE_COST + Math.floor(bytes / 4) + computeUnits;
}

/** Returns a transaction as the entity `NodeTransaction`; empty when the ledger does not contain it. */
export function nodeTransaction(db: LedgerReader, id: number, encoding: string): readonly JsonObject[] {
  const transaction = readRpcTransaction(db, id);
  if (!transaction) return [];
  const { head, keys, json: parsed } = transaction;
  const wire = compileTransaction(transaction);
  const isParsed = encoding === "jsonParsed";
  const written = keys.filter(({ writable }) => writable).length;
  return [
    {
      slot: head.slot,
      transaction: isParsed ? parsedTransaction(parsed, wire) : encodedTransaction(wire, encoding),
      meta: {
        ...(parsed.meta as JsonObject),
        ...(isParsed ? {} : { innerInstructions: innerInstructionsJson(wire) }),
        ...omitMissing({
          costUnits: !db.facts.isGenerated ? head.costUnits : costUnits(wire, written, head.computeUnits ?? 0),
        }),
      },
      version: head.version ?? "legacy",
      blockTime: parsed.blockTime ?? null,
    },
  ];
}

function parsedTransaction({ transaction }: JsonObject, wire: WireTransaction): JsonObject {
  const { message } = transaction as JsonObject;
  return {
    signatures: wire.signatures,
    message: { ...(message as JsonObject), addressTableLookups: wire.lookups },
  };
}

function encodedTransaction(wire: WireTransaction, encoding: string): JsonObject | readonly string[] {
  if (encoding === "json") return transactionJson(wire);
  const bytes = serializeTransaction(wire);
  return [encoding === "base58" ? encodeBase58(bytes) : Buffer.from(bytes).toString("base64"), encoding];
}
