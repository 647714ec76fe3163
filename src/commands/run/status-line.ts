/**
 * The one line on standard error that is drawn again and again while something goes on. It is for people at a terminal
 * that can draw, and it is taken away before anything else is written there.
 */
import { clip } from "../../output/text/width.ts";
import type { RunContext } from "./context.ts";
import type { Io } from "./io.ts";

/** A place for text on the line; of several, the newest one that has text is seen. */
export interface StatusEntry {
  /** Shows a text of one line without control characters; an empty one shows nothing. */
  show(text: string): void;
  close(): void;
}

/** The line. */
export interface StatusLine {
  open(): StatusEntry;
  /** Takes the line away; the next text draws it again. */
  hide(): void;
}

/** The width when the terminal does not tell it. */
const DEFAULT_COLUMNS = 80;
/** Back to the beginning of the line, and nothing left on it. */
const ERASE = "\r\u001b[2K";

/** Whether a line can be drawn again: on a terminal, unless a person, a screen reader or a build log is not served by it. */
export function canRedraw({ stderr, env }: Pick<Io, "stderr" | "env">): boolean {
  const isSet = (value: string | undefined) => value !== undefined && !["", "0", "false"].includes(value);
  return stderr.isTTY === true && env.TERM !== "dumb" && !isSet(env.CI) && !isSet(env.ACCESSIBLE);
}

/** The cells that a line may take: the last column stays free, where some terminals would go to the next line. */
export const availableColumns = (columns: number | undefined): number => Math.max(1, (columns || DEFAULT_COLUMNS) - 1);

/** The line of a run. */
export function getStatusLine({ reporter, io }: Pick<RunContext, "reporter" | "io">): StatusLine {
  reporter.statusLine ??= createStatusLine(io.stderr, reporter);
  return reporter.statusLine;
}

function createStatusLine(stderr: NodeJS.WriteStream, reporter: RunContext["reporter"]): StatusLine {
  const entries: { text: string }[] = [];
  let drawn = "";
  const draw = (text: string) => {
    if (text === drawn) return;
    // A terminal that does not keep up is not given more; but what is there is always taken away.
    if (text !== "" && (stderr.writableNeedDrain || reporter.isPrompting)) return;
    stderr.write(`${ERASE}${text}`);
    drawn = text;
  };
  const redraw = () => {
    const text = entries.findLast((entry) => entry.text !== "")?.text ?? "";
    draw(clip(text, availableColumns(stderr.columns)));
  };
  return {
    open() {
      const entry = { text: "" };
      entries.push(entry);
      return {
        show(text) {
          entry.text = text;
          redraw();
        },
        close() {
          entry.text = "";
          const at = entries.indexOf(entry);
          if (at >= 0) entries.splice(at, 1);
          redraw();
        },
      };
    },
    hide: () => draw(""),
  };
}
