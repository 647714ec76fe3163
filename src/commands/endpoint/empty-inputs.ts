/** Identifiers of a batch whose lists have no rows: summarised at the end, since no row of the output shows them. */
import { isArray, isObject, type Json, type JsonObject, toNumber } from "../../base/index.ts";

/** Identifiers that the summary names. */
const MAX_NAMED = 5;

/** The identifiers without rows. */
export class EmptyInputs {
  #count = 0;
  readonly #named: string[] = [];

  /** @param resume the state of an earlier run */
  constructor(resume?: Json) {
    if (!isObject(resume)) return;
    this.#count = toNumber(resume.count) ?? 0;
    if (isArray(resume.named)) this.#named.push(...resume.named.map(String));
  }

  add(input: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(input);
  }

  /** Returns the state from which a later run continues counting. */
  state(): JsonObject {
    return { count: this.#count, named: [...this.#named] };
  }

  /** Returns a sentence that names them; undefined when every identifier had rows. */
  summary(total: number): string | undefined {
    if (this.#count === 0) return undefined;
    const more = this.#count - this.#named.length;
    const names = this.#named.join(", ") + (more > 0 ? ` and ${more} more` : "");
    if (total === 1) return `The only identifier had no rows: ${names}`;
    return `${this.#count} of ${total} identifiers had no rows: ${names}`;
  }
}
