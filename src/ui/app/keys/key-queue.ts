/** Keys that come faster than the screen changes: each is for the screen that the one before it made. No React here. */

/** A key that was pressed, or text that was pasted. */
export interface KeyPress {
  readonly name: string;
  readonly text?: string;
}

/** What stands for the name of a key where text was pasted. */
export const PASTE = "paste";

/**
 * Passes keys on one by one, with a turn for what a key changes before another kind of key follows: `:` opens a field,
 * and what is typed after it goes there. A key that repeats needs no turn, so that a flood of it is one change.
 * @param settle resolves when what was changed holds
 */
export function createKeyQueue(press: (key: KeyPress) => void, settle: () => Promise<void>): (key: KeyPress) => void {
  const waiting: KeyPress[] = [];
  let isBusy = false;
  let last: string | undefined;

  const run = async () => {
    isBusy = true;
    try {
      for (let key = waiting.shift(); key; key = waiting.shift()) {
        if (last !== undefined && last !== key.name) await settle();
        last = key.name;
        press(key);
      }
      await settle();
    } finally {
      isBusy = false;
      last = undefined;
      if (waiting.length > 0) void run();
    }
  };

  return (key) => {
    waiting.push(key);
    if (!isBusy) void run();
  };
}
