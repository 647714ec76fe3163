/** Input of the terminal between its stream and Ink. */

/** An input stream that is read in chunks. */
export interface Readable {
  read: (size?: number) => string | Buffer | null;
}

/**
 * Changes the text of a stream before it is read; returns the function that ends it.
 * @param change gets the text that arrived, "" when there is none, and returns what is read in its place
 */
export function interceptInput(stdin: Readable, change: (text: string) => string): () => void {
  const { read } = stdin;
  stdin.read = (size?: number) => {
    for (;;) {
      const chunk: string | Buffer | null = read.call(stdin, size);
      const text = change(String(chunk ?? ""));
      if (text !== "" || chunk === null) return text === "" ? null : text;
    }
  };
  return () => {
    stdin.read = read;
  };
}

/** Milliseconds after which Ink has taken an Escape for a key: it waits 20. */
const ESCAPE_MS = 50;
const ESCAPE = "\u001B";
/** Where a paste or a mouse report follows an Escape; no key begins so. */
const GLUED = /(?<=\u001B)\u001B\[(?:200~|<)/;

/**
 * Keeps an Escape apart from a paste or a mouse report right behind it, which Ink would take for one unknown key: it
 * would drop the Escape and read the pasted text as keys. What follows is held back until the Escape has been read.
 */
export function separateEscapes(stdin: Readable & { emit: (event: "readable") => unknown }): () => void {
  let [held, last, isHolding] = ["", "", false];
  const release = () => {
    isHolding = false;
    stdin.emit("readable");
  };
  return interceptInput(stdin, (arrived) => {
    held += arrived;
    if (isHolding) return "";
    const text = last + held;
    const at = text.search(GLUED);
    isHolding = at !== -1;
    if (isHolding) setTimeout(release, ESCAPE_MS);
    const ready = text.slice(last.length, isHolding ? at : undefined);
    held = isHolding ? text.slice(at) : "";
    last = !isHolding && text.endsWith(ESCAPE) ? ESCAPE : "";
    return ready;
  });
}
