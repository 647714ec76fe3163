/** Queues keys that arrive faster than the screen changes, so that each key reaches the screen that the previous one made. */

/** A key press or pasted text. */
export interface KeyPress {
  readonly name: string;
  readonly text?: string;
}

/** The name of a paste in {@link KeyPress}. */
export const PASTE = "paste";

/**
 * Creates a queue that dispatches keys one by one and lets the screen settle before a different key follows: `:` opens a
 * field, and what is typed after it goes there. A repeated key does not wait, so that many repeats are one change.
 * @param settle resolves when the changes of the last key are rendered
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
