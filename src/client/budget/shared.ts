/** A budget that others share: all processes of this machine, or all machines that name the same Redis server. */
import type { Rate } from "../../catalogue/plans.ts";
import { type Budget, budgetOver } from "../budget.ts";
import { accountOf } from "./account.ts";
import { createLayeredStore, type Outer } from "./layered.ts";
import { createMemoryStore } from "./memory.ts";
import type { Store } from "./store.ts";

/** How to share a budget. */
export interface SharedBudgetOptions {
  /** Where this machine keeps its counts; without one this process counts for itself. */
  readonly folder: string | undefined;
  /** The key whose requests are counted; nothing but a hash of it is kept. */
  readonly key: string | undefined;
  /** The server that counts: any address of it. */
  readonly server: string;
  /** Undefined for any number of requests. */
  readonly rate: Rate | undefined;
  /** The address of a Redis or Valkey server that other machines use too. */
  readonly redis?: string | undefined;
  /** Told when the budget is shared with fewer than was asked for. */
  readonly onNote: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds after which a file or a server that was lost is tried again. */
const RETRY_MS = 5000;

/** Makes a budget; files and servers are opened by the first request. What cannot be shared does not stop anybody. */
export function createSharedBudget(options: SharedBudgetOptions): Budget {
  const { key, server, rate, redis, onNote, now = Date.now } = options;
  const account = accountOf(key, server);
  const layer = (inner: Store, outer: Outer) => createLayeredStore({ inner, outer, onNote, now });
  const machine = layer(createMemoryStore(now), ofMachine(options, now));
  const store = redis === undefined ? machine : layer(machine, ofServer(redis, now));
  return budgetOver({ store, account, rate, now });
}

function ofMachine({ folder, onNote }: SharedBudgetOptions, now: () => number): Outer {
  return {
    async open() {
      if (folder === undefined) throw new Error("there is no home folder");
      const { openSqliteStore } = await import("./sqlite.ts");
      return openSqliteStore({ folder, now, onNote });
    },
    retry: RETRY_MS,
    lost: (cause) => `The rate is not shared with other processes: ${reasonOf(cause)}.`,
    back: "The rate is shared with other processes again.",
  };
}

function ofServer(url: string, now: () => number): Outer {
  const name = nameOf(url);
  return {
    async open() {
      const { openRedisStore } = await import("./redis.ts");
      return openRedisStore(url, now);
    },
    retry: RETRY_MS,
    lost: (cause) => `The rate is not shared with other machines: ${name}: ${reasonOf(cause)}.`,
    back: `The rate is shared with other machines again: ${name}.`,
  };
}

/** An address without user and password. */
function nameOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return "the server";
  }
}

/** What a library or the system says, in one line. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  const text = message || code || String(cause);
  return (text.split("\n")[0] ?? "").replace(/\.$/, "");
}
