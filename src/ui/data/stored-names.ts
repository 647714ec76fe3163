/** Names that earlier runs stored: read soon after the start, and written a while after names are new or change. */
import type { LearnedName, Names } from "../../output/index.ts";
import type { StoredNames } from "../navigation/services.ts";
import type { Timers } from "./timers.ts";

/** Milliseconds until names are read, so that the first screen is drawn before, and until changes are written. */
const READ_DELAY_MS = 150;
const WRITE_DELAY_MS = 3000;

/** Restores stored names, and stores new ones until it is stopped. Returns the function that writes the rest and stops. */
export function syncNames(names: Names, stored: StoredNames, timing: Timers): () => void {
  const textOf = ({ kind, name }: LearnedName) => `${kind} ${name}`;
  const written = new Map<string, string>();
  let isRead = false;
  let cancelWrite: (() => void) | undefined;
  const read = () => {
    if (isRead) return;
    isRead = true;
    const entries = stored.read();
    for (const entry of entries) written.set(entry.address, textOf(entry));
    names.restore(entries);
  };
  const write = () => {
    cancelWrite?.();
    cancelWrite = undefined;
    const changed = [...names.learned()].filter((entry) => written.get(entry.address) !== textOf(entry));
    for (const entry of changed) written.set(entry.address, textOf(entry));
    if (changed.length > 0) stored.write(changed);
  };
  const cancelRead = timing.after(READ_DELAY_MS, read);
  const unsubscribe = names.subscribe(() => {
    if (isRead) cancelWrite ??= timing.after(WRITE_DELAY_MS, write);
  });
  return () => {
    cancelRead();
    unsubscribe();
    // What is stored already need not be written again.
    read();
    write();
  };
}
