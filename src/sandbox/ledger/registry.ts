/** The numbers that stand for addresses, signatures and kinds of instructions in the rows of a ledger. */
import type { DatabaseSync } from "node:sqlite";
import { SolxError } from "../../base/index.ts";

/** A source breaks its contract: it names what it has not told of, or gives more than a ledger can number. */
export class SourceError extends SolxError {
  override name = "SourceError";

  constructor(message: string) {
    super("unexpected", message, { code: "SOURCE" });
  }
}

/** What is known of a ledger while it is written. */
export interface IdRegistry {
  /** Number of an account. @throws SourceError when nothing was said of it. */
  accountId(address: string): number;
  /** Number of an account, NULL when there is none. */
  optionalAccountId(address: string | undefined): number | null;
  /** Number of an account that may be new. */
  registerAccount(address: string): number;
  /** Remembers a transaction. */
  registerTransaction(signature: string, id: number): void;
  /** Number of a transaction. @throws SourceError when the ledger does not have it. */
  transactionId(signature: string): number;
  /** Number of a kind of instruction; `add` is called when it is new. */
  instructionKindId(key: string, add: (id: number) => void): number;
}

/** Tells the kinds of instructions apart. */
export const instructionKindKey = (program: number, type: string, parsedType: string): string =>
  `${program}\n${type}\n${parsedType}`;

/** Knows what a ledger holds already. */
export function createIdRegistry(db: DatabaseSync): IdRegistry {
  const accounts = new Map<string, number>();
  for (const row of db.prepare("SELECT address, id FROM accounts").iterate()) {
    accounts.set(String(row.address), Number(row.id));
  }
  let lastAccount = Number(db.prepare("SELECT MAX(id) AS id FROM accounts").get()?.id ?? 0);
  const kinds = new Map<string, number>();
  for (const { id, program_id, type, parsed_type } of db.prepare("SELECT * FROM instruction_kinds").iterate()) {
    kinds.set(instructionKindKey(Number(program_id), String(type), String(parsed_type)), Number(id));
  }
  const transactions = new Map<string, number>();
  const bySignature = db.prepare("SELECT id FROM transactions WHERE signature = ?");
  const accountId = (address: string) => {
    const id = accounts.get(address);
    if (id === undefined) throw new SourceError(`The source names the account ${address} but never said what it is.`);
    return id;
  };
  return {
    accountId,
    optionalAccountId: (address) => (address === undefined ? null : accountId(address)),
    registerAccount(address) {
      const known = accounts.get(address);
      if (known !== undefined) return known;
      lastAccount += 1;
      accounts.set(address, lastAccount);
      return lastAccount;
    },
    registerTransaction: (signature, id) => void transactions.set(signature, id),
    transactionId(signature) {
      const id = transactions.get(signature) ?? bySignature.get(signature)?.id;
      if (typeof id === "number") return id;
      throw new SourceError(`The source names the transaction ${signature} before its block.`);
    },
    instructionKindId(key, add) {
      const known = kinds.get(key);
      if (known !== undefined) return known;
      const id = kinds.size + 1;
      kinds.set(key, id);
      add(id);
      return id;
    },
  };
}
