/** Names between runs of the explorer: when they are read and written. */
import { expect, test } from "vitest";
import { createNames, type LearnedName } from "../../../src/output/index.ts";
import { syncNames } from "../../../src/ui/data/names.ts";

const WALLET = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
const OTHER = "2iXUd6pLkdVWkJUDoMLBEqdKEHSxNEY1wHc4Rha1LSZd";
const label = (address: string, name: string) => ({ account_address: address, account_label: name });

/** Starts a session with stored names and timers that run on demand. */
function start(stored: readonly LearnedName[] = []) {
  const names = createNames();
  const writes: string[][] = [];
  const calls = new Set<() => void>();
  const timing = {
    after(_milliseconds: number, call: () => void) {
      calls.add(call);
      return () => calls.delete(call);
    },
  };
  const write = (entries: readonly LearnedName[]) => void writes.push(entries.map(({ name }) => name));
  const stop = syncNames(names, { read: () => stored, write }, timing);
  const runTimers = () => {
    for (const call of [...calls]) {
      calls.delete(call);
      call();
    }
  };
  return { names, writes, stop, runTimers };
}

test("stored names become known, and are not written again", () => {
  const { names, writes, stop, runTimers } = start([{ address: WALLET, kind: "account", name: "Whale" }]);
  expect(names.of(WALLET)).toBeUndefined();
  runTimers();
  expect(names.of(WALLET)?.name).toBe("Whale");
  names.learn(label(WALLET, "Whale"));
  stop();
  expect(writes).toEqual([]);
});

test("new and changed names are written together, a while after the answers", () => {
  const { names, writes, stop, runTimers } = start([{ address: WALLET, kind: "account", name: "Whale" }]);
  runTimers();
  names.learn(label(WALLET, "Orca Treasury"));
  names.learn(label(OTHER, "Exchange"));
  expect(writes).toEqual([]);
  runTimers();
  expect(writes).toEqual([["Orca Treasury", "Exchange"]]);
  stop();
  expect(writes).toHaveLength(1);
});

test("what is not written yet is written at the end, also of a short session", () => {
  const { names, writes, stop } = start([{ address: WALLET, kind: "account", name: "Whale" }]);
  names.learn([label(WALLET, "Whale"), label(OTHER, "Exchange")]);
  stop();
  expect(writes).toEqual([["Exchange"]]);
});
