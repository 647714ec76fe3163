/** Failures of single identifiers: told one by one, counted, and summed up at the end. */
import { type ExitName, IncompleteError, SolxError } from "../../base/errors.ts";
import { isObject, type Json, type JsonObject, toNumber } from "../../base/json.ts";
import { isTransient } from "../../client/http/retry.ts";

/** Whether a failure says nothing of the identifier: it may be answered when the network or the server is well again. */
export function mayRecover(error: SolxError): boolean {
  const { exit, code } = error;
  return isTransient(error) || (exit === "network" && code !== NOT_CACHED);
}

/** The code of what `--offline` does not have. */
const NOT_CACHED = "OFFLINE";

/** Failures that are told only at the end; more are told in the middle of the rows, so that memory has an end. */
const MAX_DEFERRED = 1000;

/** How failures are told. */
export interface FailureReporting {
  readonly report: (input: string, error: SolxError) => Promise<void>;
  /** Whether they are told at the end, since in the middle of a document they would be glued into it. */
  readonly isDeferred: boolean;
}

/** The failures of a run. */
export class BatchFailures {
  readonly #reporting: FailureReporting;
  #deferred: (readonly [input: string, error: SolxError])[] = [];
  #count = 0;
  /** How the first one failed; undefined when others failed otherwise. */
  #common: { readonly exit: ExitName; readonly code: number | string } | undefined;

  constructor(reporting: FailureReporting, resume?: Json) {
    this.#reporting = reporting;
    if (!isObject(resume)) return;
    this.#count = toNumber(resume.count) ?? 0;
    const { exit, code } = resume;
    if (typeof exit === "string") this.#common = { exit: exit as ExitName, code: codeOf(code) };
  }

  /** What a later run needs to go on counting. */
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

  /** Tells what was held. */
  async flush(): Promise<void> {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const [input, error] of deferred) await this.#reporting.report(input, error);
  }

  /** The failure of the run as a whole, if there is one. */
  toError(total: number): SolxError | undefined {
    if (this.#count === 0) return undefined;
    if (this.#count === total && this.#common) {
      const { exit, code } = this.#common;
      const message =
        total === 1 ? "The only identifier could not be answered." : `None of ${total} identifiers could be answered.`;
      return new SolxError(exit, message, { code });
    }
    return new IncompleteError(`${this.#count} of ${total} identifiers could not be answered.`, { code: "PARTIAL" });
  }
}

function codeOf(code: Json | undefined): number | string {
  return toNumber(code) ?? String(code);
}
