/** Transactions in the encodings of Solana nodes. */
import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import type { JsonObject } from "../../../base/index.ts";
import type { LedgerReader } from "../../ledger/reader.ts";
import { rpcTransaction } from "../legacy/transaction-rpc.ts";
import { stepsOf } from "./activities.ts";
import { readArguments } from "./arguments.ts";
import { balancesOf } from "./balances.ts";
import { readTransactionHead } from "./head.ts";
import { treeOf } from "./tree.ts";
import {
  compileTransaction,
  innerInstructionsJson,
  lookupsJson,
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
  const head = readTransactionHead(db, id);
  const [parsed] = rpcTransaction(db, id);
  if (!head || !parsed) return [];
  const tree = treeOf(db, id);
  const { keys } = balancesOf(db, id);
  const infos = readArguments(db, tree, stepsOf(db, head, tree));
  const wire = compileTransaction({ head, keys, tree, infos });
  const isParsed = encoding === "jsonParsed";
  const written = keys.filter(({ writable }) => writable).length;
  return [
    {
      slot: head.slot,
      transaction: isParsed ? parsedTransaction(parsed, wire) : encodedTransaction(wire, encoding),
      meta: {
        ...(parsed.meta as JsonObject),
        ...(isParsed ? {} : { innerInstructions: innerInstructionsJson(wire) }),
        costUnits: costUnits(wire, written, head.computeUnits),
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
    message: { ...(message as JsonObject), addressTableLookups: lookupsJson(wire) },
  };
}

function encodedTransaction(wire: WireTransaction, encoding: string): JsonObject | readonly string[] {
  if (encoding === "json") return transactionJson(wire);
  const bytes = serializeTransaction(wire);
  return [encoding === "base58" ? base58.encode(bytes) : Buffer.from(bytes).toString("base64"), encoding];
}
