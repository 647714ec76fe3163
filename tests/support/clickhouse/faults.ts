/** Faults of a ClickHouse server, and of the network before it. */

/** Errors that a server answers when its machine, or what it may use of it, is not enough. */
export const FAULT_ERRORS = {
  NOT_ENOUGH_SPACE: "Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space.",
  MEMORY_LIMIT_EXCEEDED: "Code: 241. DB::Exception: (total) memory limit exceeded: would use 2.00 GiB.",
  TOO_MANY_SIMULTANEOUS_QUERIES: "Code: 202. DB::Exception: Too many simultaneous queries. Maximum: 100.",
  TOO_MANY_PARTS: "Code: 252. DB::Exception: Too many parts (3000). Merges are processing slower than inserts.",
  UNKNOWN_SETTING: "Code: 115. DB::Exception: Setting x is neither a builtin setting nor started with the prefix.",
  TABLE_IS_READ_ONLY: "Code: 242. DB::Exception: Table is in readonly mode.",
};

/** What happens to queries, and to which. */
export interface Fault {
  /** A part of the queries' text: any query by default. */
  readonly query?: string;
  /** How often it happens: always by default. */
  readonly times?: number;
  /** How many of these queries are answered first. */
  readonly after?: number;
  /** Milliseconds before the query is executed; `Infinity`: it is neither executed nor answered. */
  readonly latency?: number;
  /** The connection is closed, and the query is not executed. */
  readonly isRefused?: boolean;
  /** The answer, instead of executing the query. */
  readonly error?: keyof typeof FAULT_ERRORS;
  /** The server is killed so many milliseconds after it has begun to execute the query. */
  readonly killAfter?: number;
  /** The query is executed, and the connection closed after so many bytes of the answer's body; 0: before its head. */
  readonly cutAfter?: number;
}

/** The faults of a server, newest first. */
export class FaultList {
  #rules: { readonly fault: Fault; queries: number }[] = [];

  add(fault: Fault): void {
    this.#rules.unshift({ fault, queries: 0 });
  }

  clear(): void {
    this.#rules = [];
  }

  /** Returns the newest fault that happens to a query. Only the faults up to it count the query. */
  occurring(text: string): Fault | undefined {
    return this.#rules.find((rule) => {
      const { query = "", after = 0, times = Number.POSITIVE_INFINITY } = rule.fault;
      if (!text.includes(query)) return false;
      rule.queries += 1;
      return rule.queries > after && rule.queries <= after + times;
    })?.fault;
  }
}
