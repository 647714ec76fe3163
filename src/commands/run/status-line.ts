/**
 * The line on standard error that is redrawn while work is under way, for people at a terminal. It is erased before
 * anything else is written there.
 */
import type { Env } from "../../base/index.ts";
import { clip, isSwitchedOn } from "../../output/index.ts";

/** What is written to, and the variables that say how. */
export interface StandardError {
  readonly stderr: NodeJS.WriteStream;
  readonly env: Env;
}

/** A text for the line; of several, the newest that is not empty is displayed. */
export interface StatusEntry {
  /** Displays a text of one line without control characters; an empty one displays nothing. */
  show(text: string): void;
  close(): void;
}

/** The redrawn line. */
export interface StatusLine {
  open(): StatusEntry;
  /** Erases the line; the next text draws it again. */
  hide(): void;
}

/** The width of a terminal that does not report it. */
const DEFAULT_COLUMNS = 80;
/** Moves to the start of the line and erases it. */
const ERASE = "\r\u001b[2K";

/** Returns whether a line can be redrawn: on a terminal, but not for screen readers and build logs. */
export function canRedraw({ stderr, env }: StandardError): boolean {
  return stderr.isTTY === true && env.TERM !== "dumb" && !isSwitchedOn(env.CI) && !isSwitchedOn(env.ACCESSIBLE);
}

/** Returns the columns of a line: the last one stays free, because some terminals wrap there. */
export const availableColumns = (columns: number | undefined): number => Math.max(1, (columns || DEFAULT_COLUMNS) - 1);

/** The part of a run that a status line needs. */
export interface StatusLineHost {
  readonly reporter: { statusLine: StatusLine | undefined; readonly isPrompting: boolean };
  readonly io: Pick<StandardError, "stderr">;
}

/** Returns the status line of a run. */
export function getStatusLine({ reporter, io }: StatusLineHost): StatusLine {
  reporter.statusLine ??= createStatusLine(io.stderr, reporter);
  return reporter.statusLine;
}

function createStatusLine(stderr: NodeJS.WriteStream, reporter: StatusLineHost["reporter"]): StatusLine {
  const entries: { text: string }[] = [];
  let drawn = "";
  const draw = (text: string) => {
    if (text === drawn) return;
    // A slow terminal gets no more text, but the line is always erased.
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
