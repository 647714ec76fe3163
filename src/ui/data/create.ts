/** Makes the store of answers. */
import type { Services } from "../frame/services.ts";
import type { DataStore, Entry, Gauge, Spent } from "./store.ts";

const NOTHING: Entry = {
  isLoading: false,
  answer: undefined,
  at: undefined,
  problem: undefined,
  retryAt: undefined,
  next: undefined,
  more: undefined,
};
const GAUGE: Gauge = { requests: undefined, units: undefined, waitingUntil: undefined };
const SPENT: Spent = { requests: 0, units: 0 };

export function createData(_services: Services): DataStore {
  return {
    read: () => NOTHING,
    watch: () => () => {},
    refresh() {},
    cancel() {},
    prefetch() {},
    gauge: () => GAUGE,
    spent: () => SPENT,
    subscribe: () => () => {},
    async close() {},
  };
}
