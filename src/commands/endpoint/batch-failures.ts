/** Identifiers of a batch that failed or have no rows: reported, counted and summarised at the end. */

import {
  type ExitName,
  IncompleteError,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  SolxError,
  toNumber,
} from "../../base/index.ts";
import { isTransient } from "../../sources/api/index.ts";

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
  #deferred: (readonly [input: string, error: SolxError])[] = [];
  #count = 0;
  /** Exit and code of the first failure; undefined once another exit occurred. */
  #common: { readonly exit: ExitName; readonly code: number | string } | undefined;

  constructor(reporting: FailureReporting, resume?: Json) {
    this.#reporting = reporting;
    if (!isObject(resume)) return;
    this.#count = toNumber(resume.count) ?? 0;
    const { exit, code } = resume;
    if (typeof exit === "string") this.#common = { exit: exit as ExitName, code: parseCode(code) };
  }

  /** Returns the state from which a later run continues counting. */
  state(): JsonObject {
    return { count: this.#count, ...this.#common };
  }

  async add(input: string, error: SolxError): Promise<void> {
    if (this.#count === 0) this.#common = { exit: error.exit, code: error.code };
    else if (this.#common?.exit !== error.exit) this.#common = undefined;
    this.#count += 1;
    if (this.#reporting.isDeferred && this.#deferred.length < MAX_DEFERRED) this.#deferred.push([input, error]);
    else await this.#reporting.report(input, error);
  }

  /** Reports the deferred failures. */
  async flush(): Promise<void> {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const [input, error] of deferred) await this.#reporting.report(input, error);
  }

  /** Returns the error of the whole batch, if any identifier failed. */
  toError(total: number): SolxError | undefined {
    if (this.#count === 0) return undefined;
    if (this.#count === total && this.#common) {
      const { exit, code } = this.#common;
      const message =
        total === 1
          ? "The request for the only identifier failed."
          : `The requests for all ${total} identifiers failed.`;
      return new SolxError(exit, message, { code });
    }
    return new IncompleteError(`The requests for ${this.#count} of ${total} identifiers failed.`, { code: "PARTIAL" });
  }
}

function parseCode(code: Json | undefined): number | string {
  return toNumber(code) ?? String(code);
}

/** Identifiers that the summary names. */
const MAX_NAMED = 5;

/** The identifiers without rows, which no row of the output shows. */
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
