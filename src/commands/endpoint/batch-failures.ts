/** Failures of single identifiers: told one by one, counted, and summed up at the end. */
import { type ExitName, IncompleteError, SolxError } from "../../base/errors.ts";
import { isObject, type Json, type JsonObject, toNumber } from "../../base/json.ts";
import { isTransient } from "../../client/http/retry.ts";

/** Whether a failure says nothing of the identifier: it may be answered when the network or the server is well again. */
export function isForNow(error: SolxError): boolean {
  const { exit, code } = error;
  return isTransient(error) || (exit === "network" && code !== NOT_KEPT);
}

/** The code of what `--offline` does not have. */
const NOT_KEPT = "OFFLINE";

/** Failures that are told only at the end; more are told in the middle of the rows, so that memory has an end. */
const MOST_HELD = 1000;

/** How failures are told. */
export interface Telling {
  readonly tell: (input: string, error: SolxError) => Promise<void>;
  /** Whether they are told at the end, since in the middle of a document they would be glued into it. */
  readonly atEnd: boolean;
}

/** The failures of a run. */
export class Failures {
  readonly #telling: Telling;
  #held: (readonly [input: string, error: SolxError])[] = [];
  #count = 0;
  /** How the first one failed; undefined when others failed otherwise. */
  #alike: { readonly exit: ExitName; readonly code: number | string } | undefined;

  constructor(telling: Telling, resume?: Json) {
    this.#telling = telling;
    if (!isObject(resume)) return;
    this.#count = toNumber(resume.count) ?? 0;
    const { exit, code } = resume;
    if (typeof exit === "string") this.#alike = { exit: exit as ExitName, code: codeOf(code) };
  }

  /** What a later run needs to go on counting. */
  state(): JsonObject {
    return { count: this.#count, ...this.#alike };
  }

  async add(input: string, error: SolxError): Promise<void> {
    if (this.#count === 0) this.#alike = { exit: error.exit, code: error.code };
    else if (this.#alike?.exit !== error.exit) this.#alike = undefined;
    this.#count += 1;
    if (this.#telling.atEnd && this.#held.length < MOST_HELD) this.#held.push([input, error]);
    else await this.#telling.tell(input, error);
  }

  /** Tells what was held. */
  async end(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    for (const [input, error] of held) await this.#telling.tell(input, error);
  }

  /** The failure of the run as a whole, if there is one. */
  problem(total: number): SolxError | undefined {
    if (this.#count === 0) return undefined;
    if (this.#count === total && this.#alike) {
      const { exit, code } = this.#alike;
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
