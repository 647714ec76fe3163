/** The position of a batch in its list of identifiers, and how a later run returns to it. */
import { createHash, type Hash } from "node:crypto";
import {
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  toNumber,
  UsageError,
} from "../../base/index.ts";

/**
 * A position in a list of identifiers. Its state contains `done`, the number of completed identifiers; `chain`, a hash of
 * these and of the one whose list is being read; and `inner`, the state of that list, if any.
 */
export class BatchPosition {
  #done = 0;
  readonly #chain: Hash = createHash("sha256");
  #inner: { readonly input: string; readonly state: () => JsonObject } | undefined;

  /** Number of completed identifiers. */
  get done(): number {
    return this.#done;
  }

  /** Marks the next identifier as completed. */
  advance(input: string): void {
    this.#chain.update(`${input}\n`);
    this.#done += 1;
    this.#inner = undefined;
  }

  /** Records that the list of an identifier is written up to a page. */
  enterList(input: string, state: () => JsonObject): void {
    this.#inner = { input, state };
  }

  state(): JsonObject {
    const chain = this.#chain.copy();
    if (this.#inner) chain.update(`${this.#inner.input}\n`);
    return { done: this.#done, chain: chain.digest("hex"), inner: this.#inner?.state() ?? null };
  }

  /**
   * Yields the identifiers that remain after a saved state.
   * @throws UsageError when the identifiers before them differ from those of the run that saved the state
   */
  async *remainingInputs(inputs: AsyncIterable<string>, resume: JsonObject): AsyncGenerator<string, void> {
    const count = toNumber(resume.done) ?? 0;
    let isChecked = false;
    for await (const input of inputs) {
      if (this.#done < count) {
        this.advance(input);
        continue;
      }
      if (!isChecked) this.#check(resume, input);
      isChecked = true;
      yield input;
    }
    if (!isChecked) this.#check(resume, undefined);
  }

  /**
   * Checks that the identifiers are exactly those of a completed run.
   * @throws UsageError when they are not
   */
  async checkComplete(inputs: AsyncIterable<string>, state: JsonObject): Promise<void> {
    for await (const _extra of this.remainingInputs(inputs, state)) throw otherInputError();
  }

  #check({ done, chain, inner }: JsonObject, next: string | undefined): void {
    const hash = this.#chain.copy();
    if (isObject(inner)) hash.update(`${next ?? ""}\n`);
    if (String(this.#done) === readNumericText(done) && hash.digest("hex") === chain) return;
    throw otherInputError();
  }
}

function otherInputError(): UsageError {
  return new UsageError("The identifiers differ from those of the first run.", {
    code: "OTHER_INPUT",
    hint: "Give the same identifiers in the same order, or start over with --force.",
  });
}

function readNumericText(value: Json | undefined): string {
  return isNumeric(value) ? numericText(value) : String(value);
}

/** Returns the state of the list that was being read when a run was interrupted. */
export function innerState(resume: JsonObject | undefined): JsonObject | undefined {
  return isObject(resume?.inner) ? resume.inner : undefined;
}
