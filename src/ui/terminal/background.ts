/** The colour of the terminal's background, which terminals report on request (OSC 11). */
import type { Rgb } from "../../output/index.ts";
import { interceptInput, type Readable } from "./input.ts";

/** Asks the terminal for the colour of its background. */
export interface BackgroundQuery {
  readonly ask: (onColor: (color: Rgb) => void) => void;
  /** Waits shortly for an answer that is on its way, which would otherwise appear in the shell. */
  readonly settle: () => Promise<void>;
  readonly stop: () => void;
}

const REQUEST = "\u001B]11;?\u001B\\";
const REPLY = /\u001B\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})[^\u0007\u001B]*(?:\u0007|\u001B\\)/i;
/** The start of a reply at the end of what has arrived. */
const INCOMPLETE = /\u001B(?:\](?:1(?:1(?:;[^\u0007\u001B]{0,40}\u001B?)?)?)?)?$/;
/** Milliseconds after which no answer is expected, and that the end of the program waits for one at most. */
const PATIENCE_MS = 1000;
const SETTLE_MS = 100;

/** Creates a query. It takes the reply out of the input, which would otherwise count as typed. */
export function createBackgroundQuery(stdin: Readable, write: (text: string) => void): BackgroundQuery {
  let onColor: ((color: Rgb) => void) | undefined;
  let askedAt = 0;
  let incomplete = "";
  const answered = Promise.withResolvers<void>();
  const withoutReply = (chunk: string): string => {
    const text = incomplete + chunk;
    const [reply, ...parts] = REPLY.exec(text) ?? [];
    incomplete = "";
    if (reply === undefined) {
      incomplete = performance.now() - askedAt < PATIENCE_MS ? (INCOMPLETE.exec(text)?.[0] ?? "") : "";
      // A single escape is a key: it must not wait for what may never arrive.
      if (incomplete.length < 2) incomplete = "";
      return incomplete === "" ? text : text.slice(0, -incomplete.length);
    }
    onColor?.(parts.map(colorPart) as unknown as Rgb);
    onColor = undefined;
    answered.resolve();
    return text.replace(reply, "");
  };
  const stop = interceptInput(stdin, (chunk) => (onColor === undefined ? chunk : withoutReply(chunk)));
  return {
    ask(listener) {
      onColor = listener;
      askedAt = performance.now();
      write(REQUEST);
    },
    async settle() {
      if (onColor === undefined || performance.now() - askedAt >= PATIENCE_MS) return;
      await Promise.race([answered.promise, new Promise((resolve) => setTimeout(resolve, SETTLE_MS))]);
    },
    stop,
  };
}

function colorPart(digits: string): number {
  return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}
