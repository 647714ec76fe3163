/** Assigns the ids of accounts, transactions and kinds of instructions in the rows of a ledger. */
import type { DatabaseSync } from "node:sqlite";
import { SolxError } from "../../../base/index.ts";

/** A source broke its contract: it referenced an unknown account or transaction, or exceeded the ids of a ledger. */
export class SourceError extends SolxError {
  override name = "SourceError";

  constructor(message: string) {
    super("unexpected", message, { code: "SOURCE" });
  }
}

/** Describes what a source references without describing it, in ledgers of a chain. */
export interface UnknownSubjects {
  addAccount(id: number, address: string): void;
  addToken(id: number): void;
  addTokenAccount(id: number, token: number, owner: number): void;
}

/** Number of accounts whose ids are in memory, in each of two generations. */
const MAX_ACCOUNTS = 50_000;
/** Maximum number of accounts that are read from a database at first. */
const MAX_INITIAL_ACCOUNTS = 1000;

/** Maximum number of described tokens or token accounts, and of referenced transactions, in memory. */
const MAX_DESCRIBED = 200_000;

/**
 * Creates the ids of the accounts of a database: those in use are in memory, others are read by the index of addresses.
 * An account that is found in the older generation moves to the younger one, which becomes the older one when it is full.
 */
function createAccountIds(db: DatabaseSync) {
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
    get(address: string) {
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

/** Whether a token or token account has a row: those that were seen recently are in memory. */
function createDescribed(db: DatabaseSync, table: string, column: string) {
  const known = new Set<number>();
  const select = db.prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?`);
  return {
    add: (id: number) => known.add(id),
    has(id: number): boolean {
      if (known.has(id)) return true;
      const isKnown = select.get(id) !== undefined;
      if (isKnown) known.add(id);
      return isKnown;
    },
    trim() {
      if (known.size > MAX_DESCRIBED) known.clear();
    },
  };
}

/** Creates the ids of transactions: of the current block, and those that facts reference, because they are repeated. */
function createTransactionIds(db: DatabaseSync) {
  let recent: ReadonlyMap<string, number> = new Map();
  const referenced = new Map<string, number>();
  const bySignature = db.prepare("SELECT id FROM transactions WHERE signature = ?");
  return {
    register(ids: ReadonlyMap<string, number>) {
      recent = ids;
    },
    get(signature: string): number {
      const id = recent.get(signature) ?? referenced.get(signature) ?? bySignature.get(signature)?.id;
      if (typeof id !== "number")
        throw new SourceError(`The source references the transaction ${signature} before its block.`);
      referenced.set(signature, id);
      return id;
    },
    trim() {
      if (referenced.size > MAX_DESCRIBED) referenced.clear();
    },
  };
}

/**
 * Creates the registry of a database, with the ids that the database already contains.
 * @param unknown undefined where sources describe everything before they reference it
 */
export function createIdRegistry(db: DatabaseSync, unknown?: () => UnknownSubjects) {
  const accounts = createAccountIds(db);
  let lastAccount = Number(db.prepare("SELECT MAX(id) AS id FROM accounts").get()?.id ?? 0);
  const kinds = new InstructionKinds();
  for (const { id, program_id, type, parsed_type } of db.prepare("SELECT * FROM instruction_kinds").iterate()) {
    kinds.set(Number(program_id), String(type), String(parsed_type), Number(id));
  }
  const transactions = createTransactionIds(db);
  const described = {
    tokens: createDescribed(db, "tokens", "id"),
    token_accounts: createDescribed(db, "token_accounts", "account_id"),
  };
  const addAccount = (address: string) => {
    lastAccount += 1;
    accounts.set(address, lastAccount);
    return lastAccount;
  };
  const accountId = (address: string) => {
    const known = accounts.get(address);
    if (known !== undefined) return known;
    if (!unknown) throw new SourceError(`The source references the account ${address} without describing it.`);
    const id = addAccount(address);
    unknown().addAccount(id, address);
    return id;
  };
  return {
    /**
     * Returns the id of an account.
     * @throws SourceError when the source of a simulated chain has not described it
     */
    accountId,
    tokenId(address: string) {
      const id = accountId(address);
      if (unknown && !described.tokens.has(id)) {
        described.tokens.add(id);
        unknown().addToken(id);
      }
      return id;
    },
    /** Describes a token account, unless it is known. */
    requireTokenAccount(id: number, token: number, owner: number) {
      if (!unknown || described.token_accounts.has(id)) return;
      described.token_accounts.add(id);
      unknown().addTokenAccount(id, token, owner);
    },
    /** Records that a token, or a token account, has been described. */
    addDescribed: (kind: keyof typeof described, id: number) => void described[kind].add(id),
    isDescribed: (kind: keyof typeof described, id: number) => described[kind].has(id),
    /** Bounds the memory; called when all rows have been written. */
    trim() {
      for (const set of Object.values(described)) set.trim();
      transactions.trim();
    },
    /** Returns the id of an account, or null for undefined. */
    optionalAccountId: (address: string | undefined) => (address === undefined ? null : accountId(address)),
    /** Returns the id of an account, a new one for an unknown address. */
    registerAccount: (address: string) => accounts.get(address) ?? addAccount(address),
    /** Records the ids of the transactions of a block, the only ones that new facts may reference. */
    registerTransactions: transactions.register,
    /** Returns the id of a transaction. @throws SourceError when neither the block nor an earlier fact references it */
    transactionId: transactions.get,
    /** Returns the id of a kind of instruction; `add` is called for a new one. */
    instructionKindId(program: number, type: string, parsedType: string, add: (id: number) => void) {
      const known = kinds.get(program, type, parsedType);
      if (known !== undefined) return known;
      const id = kinds.size + 1;
      kinds.set(program, type, parsedType, id);
      add(id);
      return id;
    },
  };
}

/** The ids of a ledger that is being written. */
export type IdRegistry = ReturnType<typeof createIdRegistry>;
