/**
 * Answers that a ledger has given, which hold until it changes: scripts, tests and screens ask the same again. Querying
 * the ledger and writing the text are 70 % of what a service does for an object, and 90 % for a list.
 */
import type { LedgerReader } from "../../chain/ledger/index.ts";
import type { ServiceAnswer } from "./request.ts";

/** Characters of all answers at most. */
const MAX_CHARACTERS = 8_000_000;

/** Counts the changes of a ledger by this connection and by others. */
const CHANGES = "SELECT total_changes() AS own, data_version AS others FROM pragma_data_version";

/** Stores answers by path and query, until the ledger changes. */
export class AnswerCache {
  readonly #answers = new Map<string, ServiceAnswer>();
  #characters = 0;
  #reader: LedgerReader | undefined;
  #changes = "";
  /** Another object after every change. */
  #state = {};

  /** Returns the state of the ledger, which {@link add} takes back; answers from before a change are forgotten. */
  state(reader: LedgerReader): object {
    const { own, others } = reader.get(CHANGES) ?? {};
    const changes = `${own} ${others}`;
    if (reader !== this.#reader || changes !== this.#changes) {
      [this.#reader, this.#changes, this.#state] = [reader, changes, {}];
      this.#clear();
    }
    return this.#state;
  }

  /** Returns the answer that was given to a request. */
  find(request: string): ServiceAnswer | undefined {
    return this.#answers.get(request);
  }

  /** Adds an answer that was given in a state, unless the ledger has changed since. */
  add(request: string, state: object, answer: ServiceAnswer): void {
    const { length } = answer.body;
    if (state !== this.#state || this.#answers.has(request) || length > MAX_CHARACTERS) return;
    if (this.#characters + length > MAX_CHARACTERS) this.#clear();
    this.#characters += length;
    this.#answers.set(request, answer);
  }

  #clear(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}
