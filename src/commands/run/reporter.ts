/** What a run writes to standard error: notes, errors and traces. The status line gives way to them. */
import {
  type JsonObject,
  monotonicMs,
  type SolxError,
  stringifyJson,
  toSentence,
  withMessage,
} from "../../base/index.ts";
import { maskSecret } from "../../catalogue/index.ts";
import { type ClientEvent, durationText } from "../../client/index.ts";
import { findKeyVariable } from "../../config/index.ts";
import {
  findFormat,
  formatError,
  getStreamSink,
  safeText,
  supportsUnicode,
  type Theme,
  toAscii,
} from "../../output/index.ts";
import type { GlobalOptions } from "../options/global-options.ts";
import type { StandardError, StatusLine } from "./status-line.ts";

/** Handles an event of the client; returns true when it displays the event itself. */
export type ClientEventListener = (event: ClientEvent) => boolean;

/** Standard error of one run. Where it cannot be written, the exit code still reports the outcome. */
export class Reporter {
  /** The line that is redrawn while work is under way, once there is one. */
  statusLine: StatusLine | undefined;
  /** Whether a person is being prompted: nothing is drawn over the question. */
  isPrompting = false;
  /** Whether status and headers of responses are traced without `--verbose`. */
  tracesResponses = false;
  /** Receives the progress of work, from 0 to 1, where something else than standard error displays it. */
  onProgress: ((work: { readonly text: string; readonly share: number } | undefined) => void) | undefined;
  /** Returns the theme of errors for people; undefined for no colours. */
  theme: () => Promise<Theme | undefined> = async () => undefined;
  /** The key of the keychain or a file, once it was read; messages do not repeat it. */
  savedKey: string | undefined;
  readonly #io: StandardError;
  readonly #options: () => GlobalOptions;
  readonly #listeners = new Set<ClientEventListener>();
  #pending: Promise<void> = Promise.resolve();

  /** @param options returns the options of the run as far as they are parsed */
  constructor(io: StandardError, options: () => GlobalOptions = () => ({})) {
    this.#io = io;
    this.#options = options;
  }

  /** Writes text that is already safe for a terminal. */
  write(text: string): void {
    this.statusLine?.hide();
    this.#io.stderr.write(this.#printable(text));
  }

  /** Returns a message without keys: what was typed by mistake, or what a server repeats. */
  withoutKeys(text: string): string {
    const { env } = this.#io;
    const variable = findKeyVariable(env);
    const keys = [this.savedKey, variable && env[variable]?.trim()];
    return keys.reduce<string>((known, key) => (key ? maskSecret(known, key) : known), text);
  }

  /** Returns a message without keys, in characters that the terminal has. */
  #printable(text: string): string {
    const { env, stderr } = this.#io;
    const masked = this.withoutKeys(text);
    return stderr.isTTY && !supportsUnicode(env) ? toAscii(masked) : masked;
  }

  /** Writes a note for people at a terminal; scripts and `--quiet` do not get it. */
  async hint(text: string): Promise<void> {
    if (this.#io.stderr.isTTY) await this.note(text);
  }

  /**
   * Writes a note unless `--quiet` is given: a sentence for people, a JSON object for programs.
   * @param fields what the note says, for programs
   */
  async note(text: string, fields: JsonObject = {}): Promise<void> {
    if (!this.#options().quiet) await this.report(text, fields);
  }

  /** Writes a note even with `--quiet`: the outcome of a requested check. */
  async report(text: string, fields: JsonObject = {}): Promise<void> {
    const line = this.isForPrograms() ? stringifyJson({ note: text, ...fields }) : `solx: ${safeText(text)}`;
    this.statusLine?.hide();
    await getStreamSink(this.#io.stderr)
      .write(this.#printable(`${line}\n`))
      .catch(() => {});
  }

  async error(error: SolxError): Promise<void> {
    this.write(await formatError(error, await this.#errorOptions()));
  }

  /** Writes the error of one item of a batch; the other items continue. */
  async itemError(input: string, error: SolxError): Promise<void> {
    const { message } = error;
    const named = message.includes(input) ? error : withMessage(error, `${input}: ${message}`);
    this.write(await formatError(named, { ...(await this.#errorOptions()), input }));
  }

  async #errorOptions() {
    const machine = this.isForPrograms();
    return machine ? { machine } : { machine, theme: await this.theme() };
  }

  /** Returns whether errors are JSON for programs instead of text for people. */
  isForPrograms(): boolean {
    const { stderr, env } = this.#io;
    const format = this.#options().output ?? env.SOLX_OUTPUT;
    return findFormat(format)?.family === "json" || (!stderr.isTTY && format !== "table");
  }

  /** Writes a trace. Traces contain text from servers: each line is made safe on its own. */
  trace(text: string): void {
    this.defer(async () => {
      for (const line of text.split("\n")) this.write(`${safeText(line)}\n`);
    });
  }

  /** Runs an action once everything deferred before it is done. */
  defer(action: () => Promise<void>): void {
    this.#pending = this.#pending.then(action).catch(() => {});
  }

  flush(): Promise<void> {
    return this.#pending;
  }

  /** Adds a listener for events of the client; returns a function that removes it. */
  onEvent(listener: ClientEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Passes an event of the client to the listeners; returns whether one of them displays it. */
  emit(event: ClientEvent): boolean {
    return [...this.#listeners].map((listener) => listener(event)).includes(true);
  }

  /** Returns the handler of a client's events: `-v` traces all of them, a person at a terminal sees waits only. */
  clientEventHandler(): (event: ClientEvent) => void {
    const { verbose = false, quiet } = this.#options();
    const isTraced = verbose || this.tracesResponses || (this.#io.stderr.isTTY && !quiet);
    const isWorthALine = createWaitFilter();
    return (event) => {
      if (event.type === "warning") this.defer(() => this.note(event.text));
      const isDisplayed = (this.emit(event) || !isWorthALine(event, monotonicMs())) && !verbose;
      const isVerbose = verbose || (this.tracesResponses && (event.type === "response" || event.type === "cached"));
      const text = isTraced ? formatEvent(event, isVerbose) : undefined;
      if (text !== undefined && !isDisplayed) this.trace(text);
    };
  }
}

/** Returns the line of an event; undefined for warnings, which are notes, and without `verbose` for all but waits and retries. */
function formatEvent(event: ClientEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case "retry":
      return `${toSentence(event.error)} Retrying in ${seconds(event.seconds)}.`;
    case "wait":
      return `Waiting${event.seconds === undefined ? "" : ` ${seconds(event.seconds)}`} for the ${event.reason === "export" ? "next export" : "rate limit"}.`;
    case "note":
      return verbose ? event.text : undefined;
    case "warning":
    case "coverage":
      return undefined;
    case "request":
      return verbose
        ? [[">", event.method, event.url, event.rpc].filter(Boolean).join(" "), ...headers(">", event.headers)].join(
            "\n",
          )
        : undefined;
    case "response":
      return verbose
        ? [
            `< ${event.status}, ${event.size} characters in ${event.milliseconds} ms`,
            ...headers("<", event.headers),
          ].join("\n")
        : undefined;
    case "cached":
      return verbose ? `= ${event.url}, from the cache, ${durationText(event.age)} old` : undefined;
    case "export":
      return event.window === event.of ? undefined : exportLine(event);
    case "drift":
      return verbose ? `Undocumented response: ${event.problems.join("; ")}` : undefined;
  }
}

/** Seconds of a wait that is hardly noticed. */
const SHORT_WAIT = 1;

/** Returns a filter for waits that are worth a line: simultaneous waits of many requests are reported once. */
export function createWaitFilter(): (event: ClientEvent, now: number) => boolean {
  let until = Number.NEGATIVE_INFINITY;
  return (event, now) => {
    if (event.type !== "wait") return true;
    const { seconds: span = SHORT_WAIT } = event;
    if (span < SHORT_WAIT || now < until) return false;
    until = now + span * 1000;
    return true;
  };
}

function exportLine({ window, of, rows, seconds: left }: ClientEvent & { readonly type: "export" }): string {
  return `Export ${window} of about ${of}, ${rows} rows; about ${Math.ceil(left / 60)} min left.`;
}

function headers(mark: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `${mark} ${name}: ${value}`);
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} s`;
}
