/** How far a batch is: its position in the list of identifiers, and those that failed or have no rows. */
import { createHash, type Hash } from "node:crypto";
import {
  type ExitName,
  IncompleteError,
  isArray,
  isNumeric,
  isObject,
  type Json,
  type JsonObject,
  numericText,
  SolxError,
  toNumber,
  UsageError,
} from "../../base/index.ts";
import { displayText } from "../../client/index.ts";
import { isTransient } from "../../sources/api/index.ts";

/**
 * A position in a list of identifiers. Its state contains `done`, the number of completed identifiers; `chain`, a hash of
 * these and of the one whose list is being read; and `inner`, the state of that list, if any.
 */
export class BatchPosition {
  #done = 0;
  readonly #chain: Hash = createHash("sha256");
  #inner: { readonly input: string; readonly state: () => JsonObject } | undefined;

  get done(): number {
    return this.#done;
  }

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

  /** Checks that the identifiers are exactly those of a completed run. @throws UsageError when they are not */
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

/** Whether a failure does not depend on the identifier: a later request may succeed. */
export function mayRecover(error: SolxError): boolean {
  const { exit, code } = error;
  return isTransient(error) || (exit === "network" && code !== NOT_CACHED);
}

/** Error code of an answer that is not in the cache with `--cache only`. */
const NOT_CACHED = "OFFLINE";

/** Maximum number of failures deferred to the end; further ones are reported at once, to bound memory. */
const MAX_DEFERRED = 1000;

/** How failures are reported. */
export interface FailureReporting {
  readonly report: (input: string, error: SolxError) => Promise<void>;
  /** Whether reporting is deferred to the end, so that messages do not appear inside a document on a terminal. */
  readonly isDeferred: boolean;
}

/** The failures of a batch. */
export class BatchFailures {
  readonly #reporting: FailureReporting;
  readonly #inputs: CountedInputs;
  #deferred: (readonly [input: string, error: SolxError])[] = [];
  /** Exit and code of the first failure; undefined once another exit occurred. */
  #common: { readonly exit: ExitName; readonly code: number | string } | undefined;

  constructor(reporting: FailureReporting, resume?: Json) {
    this.#reporting = reporting;
    this.#inputs = new CountedInputs(resume);
    if (!isObject(resume)) return;
    const { exit, code } = resume;
    if (typeof exit === "string") this.#common = { exit: exit as ExitName, code: parseCode(code) };
  }

  state(): JsonObject {
    return { ...this.#inputs.state(), ...this.#common };
  }

  async add(input: string, error: SolxError): Promise<void> {
    if (this.#inputs.count === 0) this.#common = { exit: error.exit, code: error.code };
    else if (this.#common?.exit !== error.exit) this.#common = undefined;
    this.#inputs.add(input);
    if (this.#reporting.isDeferred && this.#deferred.length < MAX_DEFERRED) this.#deferred.push([input, error]);
    else await this.#reporting.report(input, error);
  }

  async flush(): Promise<void> {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const [input, error] of deferred) await this.#reporting.report(input, error);
  }

  /** Returns the error of the whole batch, if any identifier failed. */
  toError(total: number): SolxError | undefined {
    const message = this.#inputs.summary(total, "failed");
    if (message === undefined) return undefined;
    if (this.#inputs.count < total || !this.#common) return new IncompleteError(message, { code: "PARTIAL" });
    const { exit, code } = this.#common;
    return new SolxError(exit, message, { code });
  }
}

function parseCode(code: Json | undefined): number | string {
  return toNumber(code) ?? String(code);
}

const MAX_NAMED = 5;

/** Identifiers that are counted, and named at the end: those without rows, which no row of the output shows, or failures. */
export class CountedInputs {
  #count = 0;
  readonly #named: string[] = [];

  /** @param resume the state of an earlier run */
  constructor(resume?: Json) {
    if (!isObject(resume)) return;
    this.#count = toNumber(resume.count) ?? 0;
    if (isArray(resume.named)) this.#named.push(...resume.named.map(String));
  }

  get count(): number {
    return this.#count;
  }

  add(input: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(displayText(input));
  }

  state(): JsonObject {
    return { count: this.#count, named: [...this.#named] };
  }

  /** Returns a sentence that names them, `2 of 10 identifiers failed: …`; undefined without any. */
  summary(total: number, what: string): string | undefined {
    if (this.#count === 0) return undefined;
    const more = this.#count - this.#named.length;
    const names = this.#named.join(", ") + (more > 0 ? ` and ${more} more` : "");
    if (total === 1) return `The only identifier ${what}: ${names}`;
    return `${this.#count} of ${total} identifiers ${what}: ${names}`;
  }
}
