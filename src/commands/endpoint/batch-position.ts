/** How far a run over many identifiers has come, and how another run finds the place again. */
import { createHash, type Hash } from "node:crypto";
import { UsageError } from "../../base/errors.ts";
import { isNumeric, isObject, type Json, type JsonObject, numericText, toNumber } from "../../base/json.ts";

/**
 * A place in a list of identifiers. Its state is `done`, how many are completely handled; `chain`, the hash of these and
 * of the one whose list is being read; `inner`, the state of that list, if there is one.
 */
export class BatchPosition {
  #done = 0;
  readonly #chain: Hash = createHash("sha256");
  #inner: { readonly input: string; readonly state: () => JsonObject } | undefined;

  /** How many identifiers are completely handled. */
  get done(): number {
    return this.#done;
  }

  /** An identifier is completely handled. */
  advance(input: string): void {
    this.#chain.update(`${input}\n`);
    this.#done += 1;
    this.#inner = undefined;
  }

  /** The list of an identifier is written up to a page. */
  enterList(input: string, state: () => JsonObject): void {
    this.#inner = { input, state };
  }

  state(): JsonObject {
    const chain = this.#chain.copy();
    if (this.#inner) chain.update(`${this.#inner.input}\n`);
    return { done: this.#done, chain: chain.digest("hex"), inner: this.#inner?.state() ?? null };
  }

  /**
   * The identifiers that are left after a state.
   * @throws UsageError when those before are not those of the run that left the state
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
   * Checks that the identifiers are all those of a run that ended with a state, and no more.
   * @throws UsageError when they are not
   */
  async checkComplete(inputs: AsyncIterable<string>, state: JsonObject): Promise<void> {
    for await (const _extra of this.remainingInputs(inputs, state)) throw otherInputError();
  }

  #check({ done, chain, inner }: JsonObject, next: string | undefined): void {
    const hash = this.#chain.copy();
    if (isObject(inner)) hash.update(`${next ?? ""}\n`);
    if (String(this.#done) === numericTextOf(done) && hash.digest("hex") === chain) return;
    throw otherInputError();
  }
}

function otherInputError(): UsageError {
  return new UsageError("The list of identifiers is not that of the first run.", {
    code: "OTHER_INPUT",
    hint: "Give the same identifiers in the same order, or begin anew with --force.",
  });
}

function numericTextOf(value: Json | undefined): string {
  return isNumeric(value) ? numericText(value) : String(value);
}

/** The state of the list that a run was reading when it was interrupted. */
export function innerState(resume: JsonObject | undefined): JsonObject | undefined {
  return isObject(resume?.inner) ? resume.inner : undefined;
}
