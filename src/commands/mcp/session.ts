/** What the tools of one server share: the client, what may be spent, and where results go on. */
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
import type { Client, PreparedRequest } from "../../client/index.ts";
import { loadSettings } from "../../config/index.ts";
import type { RunContext } from "../run/context.ts";
import { Cursors } from "./cursors.ts";
import type { ResultLimits } from "./limits.ts";
import type { ResultStore, TextPosition } from "./results.ts";

/** A list of which rows are left. */
export interface ListPosition {
  readonly kind: "list";
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[] | undefined;
  /** Rows that came and were not shown. */
  readonly unread: readonly Json[];
  /** Where reading goes on after them; undefined where nothing follows, null at the beginning. */
  readonly state: JsonObject | undefined | null;
  /** Rows that were shown. */
  readonly returned: number;
  /** What was told beside the data that those rows came with. */
  readonly metadata?: JsonObject | undefined;
  /** Whether rows follow those that came, as far as it is known. */
  readonly more: Continuation;
}

/** Whether a list goes on. */
export type Continuation = "yes" | "likely" | "unlikely" | "no";

/** How one call is made. */
export interface CallContext {
  /** Fires when nobody waits for the result any more, or the call has taken all of its time. */
  readonly signal: AbortSignal;
  /** Whether the call has taken all of its time. */
  readonly isTimedOut: () => boolean;
  /** Tells how far the work has come. */
  readonly progress: (done: number, total: number | undefined, message: string) => void;
}

/** Seconds that a call takes at most unless a setting says otherwise: hosts do not wait much longer. */
const DEFAULT_CALL_SECONDS = 25;

/** One server. */
export class Session {
  /** The run that the server is part of. */
  readonly context: RunContext;
  readonly limits: ResultLimits;
  readonly cursors = new Cursors<ListPosition | TextPosition>();
  #client: Promise<Client> | undefined;
  #key: string | undefined;
  /** Clients with a former key, which calls may still be using. */
  readonly #retired: Promise<Client>[] = [];
  /** Compute units that were spent, or are about to be, and requests that were answered. */
  #units = 0;
  #requests = 0;

  constructor(context: RunContext, limits: ResultLimits) {
    [this.context, this.limits] = [context, limits];
  }

  /** How large results are. */
  get store(): ResultStore {
    return { cursors: this.cursors, bytes: this.limits.bytes };
  }

  /** What was spent until now. */
  get spent(): { readonly units: number; readonly requests: number } {
    return { units: this.#units, requests: this.#requests };
  }

  /** The client, made when it is first needed. */
  client(): Promise<Client> {
    this.#client ??= this.#makeClient();
    return this.#client;
  }

  /** Seconds that a call may take, waiting included. */
  async callSeconds(): Promise<number> {
    const settings = await this.context.settings();
    return settings.resolve("max-wait").level === "default" ? DEFAULT_CALL_SECONDS : settings.get("max-wait");
  }

  async #makeClient(): Promise<Client> {
    const settings = await this.context.settings();
    const key = await settings.key(this.context.io.signal);
    this.#key = key?.value;
    for (const note of key?.notes ?? []) await this.context.reporter.note(note);
    return this.context.clientFor(settings, key?.value, { maxWait: await this.callSeconds() });
  }

  /**
   * Sends a request, if it may cost what it costs, and counts it. Where the key is refused and another one is there by
   * now, it is sent with that.
   * @throws UsageError (NOT_CONFIRMED) or QuotaError when it may not; what sending throws
   */
  async spend<T extends { readonly age?: number }>(
    request: PreparedRequest,
    send: (client: Client) => Promise<T>,
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

  async #counted<T extends { readonly age?: number }>({ cost }: PreparedRequest, send: () => Promise<T>): Promise<T> {
    await this.#checkCost(cost);
    // Counted before it is sent: calls that come at the same time do not spend the same units.
    this.#units += cost;
    try {
      const answer = await send();
      this.#requests += 1;
      // What was kept costs nothing.
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
    if (cost > maximum) {
      throw new UsageError(
        `This call costs ${pluralize(cost, "compute unit")}; more than ${maximum} are not confirmed.`,
        {
          code: "NOT_CONFIRMED",
          hint: "Ask for fewer items, or let the user raise confirm-units for this server.",
        },
      );
    }
    if (this.#units + cost <= this.limits.units) return;
    throw new QuotaError(
      `This call costs ${pluralize(cost, "compute unit")}; of the ${this.limits.units} that this server may spend, ` +
        `${this.#units} are spent.`,
      { code: "MAX_UNITS", hint: "Work with what is there, or let the user raise max-units for this server." },
    );
  }

  /** Looks for the key again; true where it is another one by now, with which the next client is made. */
  async #reloadKey(): Promise<boolean> {
    const settings = await loadSettings(await this.context.settingsOptions());
    const key = await settings.key(this.context.io.signal);
    if (key?.value === this.#key) return false;
    if (this.#client) this.#retired.push(this.#client);
    this.context.useSettings(settings);
    this.#client = undefined;
    return true;
  }

  /** Ends connections; what is under way fails. */
  async close(): Promise<void> {
    for (const client of [...this.#retired, this.#client]) await (await client?.catch(() => undefined))?.close();
  }
}
