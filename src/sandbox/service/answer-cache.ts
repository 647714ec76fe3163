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

/** Stores answers by path and query. */
export class AnswerCache {
  readonly #answers = new Map<string, { readonly answer: ServiceAnswer; readonly state: string }>();
  #characters = 0;
  #reader: LedgerReader | undefined;
  #readers = 0;

  /** Returns a text that is another one after every change of the ledger. */
  state(reader: LedgerReader): string {
    if (reader !== this.#reader) this.#readers += 1;
    this.#reader = reader;
    const { own, others } = reader.get(CHANGES) ?? {};
    return `${this.#readers} ${own} ${others}`;
  }

  /** Returns the answer to a request if it was given in the same state. */
  find(request: string, state: string): ServiceAnswer | undefined {
    const known = this.#answers.get(request);
    return known?.state === state ? known.answer : undefined;
  }

  /** Adds an answer that was given in a state. */
  add(request: string, state: string, answer: ServiceAnswer): void {
    const { length } = answer.body;
    if (length > MAX_CHARACTERS) return;
    if (this.#characters + length > MAX_CHARACTERS) {
      this.#answers.clear();
      this.#characters = 0;
    }
    this.#characters += length;
    this.#answers.set(request, { answer, state });
  }
}
