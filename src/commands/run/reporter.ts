/** What goes to standard error in passing: traces, messages as text, and the line of progress that makes room for them. */
import type { ClientEvent } from "../../client/index.ts";
import type { StatusLine } from "./status-line.ts";

/** Hears what the client does; true when it shows it by itself. */
export type ClientEventListener = (event: ClientEvent) => boolean;

/** Standard error of one run. */
export class Reporter {
  /** The line that is drawn again and again, once there is one. */
  statusLine: StatusLine | undefined;
  /** Whether a person is being asked: then nothing is drawn over the question. */
  isPrompting = false;
  readonly #stream: NodeJS.WriteStream;
  readonly #listeners = new Set<ClientEventListener>();
  #traces: Promise<void> = Promise.resolve();

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Writes text that is safe. */
  write(text: string): void {
    this.statusLine?.hide();
    this.#stream.write(text);
  }

  /** Traces come from servers too: each line is made safe on its own. */
  trace(text: string): void {
    this.defer(async () => {
      const { safeText } = await import("../../output/index.ts");
      for (const statusLine of text.split("\n")) this.write(`${safeText(statusLine)}\n`);
    });
  }

  /** Tells something when what was told before is written. */
  defer(tell: () => Promise<void>): void {
    // Where standard error cannot be written, the exit code still speaks.
    this.#traces = this.#traces.then(tell).catch(() => {});
  }

  /** Waits until everything told so far is written. */
  flush(): Promise<void> {
    return this.#traces;
  }

  /** Hears what the client does from now on; the function given back ends it. */
  onEvent(listener: ClientEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Passes on what the client does; true when somebody shows it. */
  emit(event: ClientEvent): boolean {
    return [...this.#listeners].map((listener) => listener(event)).includes(true);
  }
}
