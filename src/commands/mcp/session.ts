/** State shared by the tools of one server: client, spending limit, cursors. */
import {
  AuthError,
  type Json,
  type JsonObject,
  pluralize,
  QuotaError,
  SolxError,
  UsageError,
} from "../../base/index.ts";
import type { Endpoint } from "../../catalogue/index.ts";
import type { Answer, PreparedRequest, SendOptions } from "../../client/index.ts";
import { loadSettings } from "../../config/index.ts";
import type { ConnectedClient } from "../../sources/index.ts";
import type { RunContext } from "../run/context.ts";
import type { ResultLimits } from "./definitions.ts";
import type { Manual } from "./manual.ts";
import { Cursors, type ResultStore, type TextPosition } from "./results.ts";

/** A position in a list. */
export interface ListPosition {
  readonly kind: "list";
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[] | undefined;
  /** Rows that were read and not yet returned. */
  readonly unread: readonly Json[];
  /** State of the reader after these rows; undefined at the end, null at the start. */
  readonly state: JsonObject | undefined | null;
  readonly returned: number;
  /** Metadata of the answers with these rows. */
  readonly metadata?: JsonObject | undefined;
  /** Whether more rows follow, as far as known. */
  readonly more: Continuation;
}

/** Whether more rows follow. */
export type Continuation = "yes" | "likely" | "unlikely" | "no";

/** Context of one call. */
export interface CallContext {
  /** Aborted when the call is cancelled or reaches its time limit. */
  readonly signal: AbortSignal;
  readonly isTimedOut: () => boolean;
  readonly progress: CallProgress;
}

/** Returns the compute units that an answer has cost; cached ones are free. */
export const unitsOf = ({ age, request }: Answer): number => (age === undefined ? request.cost : 0);

/** Returns the options of the requests of a call, whose waits are its progress. */
export const sendOptions = ({ signal, progress }: CallContext): SendOptions => ({
  signal,
  priority: "interactive",
  onWait: (seconds) => progress.wait("Waiting for the rate limit", seconds),
  onRetry: (error, seconds) => progress.wait(`Retrying after an error (${error.code})`, seconds),
});

/** Default time limit of a call in seconds; clients do not wait much longer. */
const DEFAULT_CALL_SECONDS = 25;

/** The session of one server. */
export class Session {
  readonly context: RunContext;
  readonly limits: ResultLimits;
  readonly manual: Manual;
  readonly cursors = new Cursors<ListPosition | TextPosition>();
  #client: Promise<ConnectedClient> | undefined;
  #key: string | undefined;
  /** Clients with a previous key that calls may still use. */
  readonly #retired: Promise<ConnectedClient>[] = [];
  /** Compute units that are spent or reserved, and the number of answered requests. */
  #units = 0;
  #requests = 0;

  constructor(context: RunContext, limits: ResultLimits, manual: Manual) {
    [this.context, this.limits, this.manual] = [context, limits, manual];
  }

  /** The store of unreturned results, and the size limit. */
  get store(): ResultStore {
    return { cursors: this.cursors, bytes: this.limits.bytes };
  }

  /** Units and requests spent so far. */
  get spent(): { readonly units: number; readonly requests: number } {
    return { units: this.#units, requests: this.#requests };
  }

  client(): Promise<ConnectedClient> {
    this.#client ??= this.#makeClient();
    return this.#client;
  }

  /** Returns the time limit of a call in seconds, including waits. */
  async callSeconds(): Promise<number> {
    const settings = await this.context.session.settings();
    return settings.resolve("max-wait").level === "default" ? DEFAULT_CALL_SECONDS : settings.get("max-wait");
  }

  async #makeClient(): Promise<ConnectedClient> {
    const settings = await this.context.session.settings();
    const key = await settings.key(this.context.io.signal);
    this.#key = key?.value;
    for (const note of key?.notes ?? []) await this.context.reporter.note(note);
    return this.context.session.clientFor(settings, key?.value, { maxWait: await this.callSeconds() });
  }

  /** Sends a request within the spending limits and counts it; retries with a key that was configured meanwhile. */
  async spend<T extends { readonly age?: number }>(
    request: PreparedRequest,
    send: (client: ConnectedClient) => Promise<T>,
  ): Promise<T> {
    const client = await this.client();
    try {
      return await this.#counted(request, () => send(client));
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      const isOutdated = client !== (await this.client()) || (await this.#reloadKey());
      if (!isOutdated) throw error;
      const other = await this.client();
      return this.#counted(request, () => send(other));
    }
  }

  /** Requests an endpoint like {@link spend}. */
  async fetch(endpoint: Endpoint, params: ListPosition["params"], call: CallContext): Promise<Answer> {
    const request = (await this.client()).prepare(endpoint, params);
    return this.spend(request, (client) => client.request(request, sendOptions(call)));
  }

  async #counted<T extends { readonly age?: number }>({ cost }: PreparedRequest, send: () => Promise<T>): Promise<T> {
    await this.#checkCost(cost);
    // Reserved before sending, so that concurrent calls do not spend the same units.
    this.#units += cost;
    try {
      const answer = await send();
      this.#requests += 1;
      // Cached answers are free.
      if (answer.age !== undefined) this.#units -= cost;
      return answer;
    } catch (error) {
      if (!(error instanceof SolxError) || error.status === undefined) this.#units -= cost;
      throw error;
    }
  }

  async #checkCost(cost: number): Promise<void> {
    const { confirmationThreshold } = await import("../endpoint/cost.ts");
    const maximum = await confirmationThreshold(this.context);
    const price = `This call costs ${pluralize(cost, "compute unit")}`;
    if (cost > maximum) {
      throw new UsageError(`${price}, more than the limit of ${maximum} per call.`, {
        code: "NOT_CONFIRMED",
        hint: "Request fewer items. The user can raise the setting units confirm= for this server.",
      });
    }
    const { units } = this.limits;
    if (this.#units + cost <= units) return;
    throw new QuotaError(`${price}, but ${this.#units} of the ${units} that this server may spend are already spent.`, {
      code: "MAX_UNITS",
      hint: "Work with the available data. The user can raise max-units for this server.",
    });
  }

  /** Reads the key again. Returns true if it has changed; the next client uses it. */
  async #reloadKey(): Promise<boolean> {
    const settings = await loadSettings(await this.context.session.settingsOptions());
    const key = await settings.key(this.context.io.signal);
    if (key?.value === this.#key) return false;
    if (this.#client) this.#retired.push(this.#client);
    this.context.session.useSettings(settings);
    this.#client = undefined;
    return true;
  }

  /** Closes connections; requests in flight fail. */
  async close(): Promise<void> {
    for (const client of [...this.#retired, this.#client]) await (await client?.catch(() => undefined))?.close();
  }
}

/** A progress notification without its token. */
export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Milliseconds between notifications during a wait; clients time out after 30 or 60 seconds without any. */
const HEARTBEAT_MS = 5000;

/** The smallest step of the progress, which has to increase with every notification. */
const STEP = 0.001;

/** The progress of one call. */
export class CallProgress {
  readonly #notify: (update: ProgressUpdate) => void;
  #last: ProgressUpdate | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(notify: (update: ProgressUpdate) => void) {
    this.#notify = notify;
  }

  /** Reports how much is done. */
  advance(progress: number, total: number, message: string): void {
    this.end();
    this.#send({ progress, total, message });
  }

  /** Reports a wait, repeatedly until the next progress. */
  wait(reason: string, seconds: number | undefined): void {
    this.end();
    const until = seconds === undefined ? undefined : performance.now() + seconds * 1000;
    const report = () => {
      const remaining = until === undefined ? "" : ` (${Math.max(0, Math.ceil((until - performance.now()) / 1000))} s)`;
      const { progress = 0, ...last } = this.#last ?? {};
      this.#send({ ...last, progress: progress + STEP, message: `${reason}${remaining}` });
    };
    report();
    this.#heartbeat = setInterval(report, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Ends the notifications. */
  end(): void {
    clearInterval(this.#heartbeat);
  }

  #send(update: ProgressUpdate): void {
    const progress = this.#last ? Math.max(update.progress, this.#last.progress + STEP) : update.progress;
    this.#last = { ...update, progress };
    this.#notify(this.#last);
  }
}
