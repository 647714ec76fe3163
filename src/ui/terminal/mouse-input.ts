/** Hears the mouse before the library that reads the keyboard: that one drops every sequence that is no key. */

/** A keyboard that is read in pieces. */
export interface Readable {
  read: (size?: number) => string | Buffer | null;
}

const REPORTS = /\u001B\[(<\d{1,6};\d{1,6};\d{1,6}[Mm])/g;
const INCOMPLETE = /\u001B(\[(<[\d;]{0,20})?)?$/;
const PASTE = /\u001B\[20([01])~/g;

/**
 * Tells of each report of the mouse, without the escape; what is pasted is text, whatever it looks like. The returned
 * function ends that.
 */
export function listenForMouse(stdin: Readable, onReport: (report: string) => void): () => void {
  const { read } = stdin;
  let incomplete = "";
  let isPasted = false;
  const scan = (chunk: string) => {
    const text = incomplete + chunk;
    incomplete = INCOMPLETE.exec(text)?.[0] ?? "";
    // Pieces between the marks of pastes are pasted and typed in turn.
    for (const [at, piece] of text.split(PASTE).entries()) {
      if (at % 2 === 1) isPasted = piece === "0";
      else if (!isPasted) for (const [, report = ""] of piece.matchAll(REPORTS)) onReport(`[${report}`);
    }
  };
  stdin.read = (size?: number) => {
    const chunk: string | Buffer | null = read.call(stdin, size);
    if (chunk !== null) scan(String(chunk));
    return chunk;
  };
  return () => {
    stdin.read = read;
  };
}
