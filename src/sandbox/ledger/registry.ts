/** Assigns the ids of accounts, transactions and kinds of instructions in the rows of a ledger. */
import type { DatabaseSync } from "node:sqlite";
import { SolxError } from "../../base/index.ts";

/** A source broke its contract: it referenced an unknown account or transaction, or exceeded the ids of a ledger. */
export class SourceError extends SolxError {
  override name = "SourceError";

  constructor(message: string) {
    super("unexpected", message, { code: "SOURCE" });
  }
}

/** The ids of a ledger that is being written. */
export interface IdRegistry {
  /** Returns the id of an account. @throws SourceError when the source has not described it */
  accountId(address: string): number;
  /** Returns the id of an account, or null for undefined. */
  optionalAccountId(address: string | undefined): number | null;
  /** Returns the id of an account, a new one for an unknown address. */
  registerAccount(address: string): number;
  /** Records the ids of the transactions of a block, the only ones that new facts may reference. */
  registerTransactions(ids: ReadonlyMap<string, number>): void;
  /** Returns the id of a transaction. @throws SourceError when neither the block nor an earlier fact references it */
  transactionId(signature: string): number;
  /** Returns the id of a kind of instruction; `add` is called for a new one. */
  instructionKindId(program: number, type: string, parsedType: string, add: (id: number) => void): number;
}

/** Number of accounts whose ids are in memory, in each of two generations. */
const MAX_ACCOUNTS = 50_000;
/** Maximum number of accounts that are read from a database at first. */
const MAX_INITIAL_ACCOUNTS = 1000;

/** The ids of accounts by address. */
interface AccountIds {
  get(address: string): number | undefined;
  set(address: string, id: number): void;
}

/**
 * Creates the ids of the accounts of a database: those in use are in memory, others are read by the index of addresses.
 * An account that is found in the older generation moves to the younger one, which becomes the older one when it is full.
 */
function createAccountIds(db: DatabaseSync): AccountIds {
  const select = db.prepare("SELECT id FROM accounts WHERE address = ?");
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  const initial = db.prepare("SELECT id, address FROM accounts LIMIT ?").all(MAX_INITIAL_ACCOUNTS + 1);
  for (const { id, address } of initial) young.set(String(address), Number(id));
  /** Whether all accounts are in memory, so that an unknown address is a new one. */
  let complete = initial.length <= MAX_INITIAL_ACCOUNTS;
  const set = (address: string, id: number) => {
    if (young.size >= MAX_ACCOUNTS) {
      complete &&= old.size === 0;
      [old, young] = [young, new Map()];
    }
    young.set(address, id);
  };
  return {
    set,
    get(address) {
      const recent = young.get(address);
      if (recent !== undefined) return recent;
      const id = old.get(address) ?? (complete ? undefined : select.get(address)?.id);
      if (typeof id !== "number") return undefined;
      set(address, id);
      return id;
    },
  };
}

/** The kinds of instructions by program, type and label. Nested because a joined key would be built for each instruction. */
class InstructionKinds {
  readonly #ids = new Map<number, Map<string, Map<string, number>>>();
  size = 0;

  get(program: number, type: string, parsedType: string): number | undefined {
    return this.#ids.get(program)?.get(type)?.get(parsedType);
  }

  set(program: number, type: string, parsedType: string, id: number): void {
    const types = this.#ids.get(program) ?? new Map<string, Map<string, number>>();
    const labels = types.get(type) ?? new Map<string, number>();
    this.#ids.set(program, types.set(type, labels.set(parsedType, id)));
    this.size++;
  }
}

/** Creates the registry of a database, with the ids that the database already contains. */
export function createIdRegistry(db: DatabaseSync): IdRegistry {
  const accounts = createAccountIds(db);
  let lastAccount = Number(db.prepare("SELECT MAX(id) AS id FROM accounts").get()?.id ?? 0);
  const kinds = new InstructionKinds();
  for (const { id, program_id, type, parsed_type } of db.prepare("SELECT * FROM instruction_kinds").iterate()) {
    kinds.set(Number(program_id), String(type), String(parsed_type), Number(id));
  }
  /** Transactions of the current block, and those that facts reference, because they are repeated. */
  let recent: ReadonlyMap<string, number> = new Map();
  const referenced = new Map<string, number>();
  const bySignature = db.prepare("SELECT id FROM transactions WHERE signature = ?");
  const accountId = (address: string) => {
    const id = accounts.get(address);
    if (id === undefined) throw new SourceError(`The source references the account ${address} without describing it.`);
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
    registerTransactions(ids) {
      recent = ids;
    },
    transactionId(signature) {
      const id = recent.get(signature) ?? referenced.get(signature) ?? bySignature.get(signature)?.id;
      if (typeof id === "number") {
        referenced.set(signature, id);
        return id;
      }
      throw new SourceError(`The source references the transaction ${signature} before its block.`);
    },
    instructionKindId(program, type, parsedType, add) {
      const known = kinds.get(program, type, parsedType);
      if (known !== undefined) return known;
      const id = kinds.size + 1;
      kinds.set(program, type, parsedType, id);
      add(id);
      return id;
    },
  };
}
