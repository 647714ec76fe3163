/** One command for many identifiers: in order, each failure told without losing the others. */
import { SolxError } from "../base/errors.ts";
import { isArray, isObject, type Json } from "../base/json.ts";
import type { Endpoint } from "../catalogue/endpoint.ts";
import { isFatal } from "../client/batch.ts";
import type { Client } from "../client/index.ts";
import { batchError, shownAs } from "./answers.ts";
import type { Frame, Shown } from "./frame.ts";

/** A command with more identifiers than one request takes. */
export interface Batch {
  readonly endpoint: Endpoint;
  /** The parameter of the identifiers. */
  readonly name: string;
  /** The identifiers as given. */
  readonly ids: readonly string[];
  /** The identifiers of each request. */
  readonly requests: readonly (string | readonly string[])[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly wanted: { readonly limit?: number; readonly all?: true };
}

/** Failures of single identifiers. */
interface Failures {
  readonly found: SolxError[];
  add(input: string, error: SolxError): Promise<void>;
}

/**
 * Asks for all identifiers and prints the rows as they come.
 * @throws IncompleteError (exit 10) when some failed, the failure itself when all failed alike
 */
export async function runMany(frame: Frame, batch: Batch): Promise<void> {
  const client = await frame.client();
  const found: SolxError[] = [];
  // Failures told in the middle of a document would be glued into it where both go to the same place.
  const isStream = !["json", "table"].includes(await frame.format());
  const held: (() => Promise<void>)[] = [];
  const failures: Failures = {
    found,
    add: async (input, error) => {
      found.push(error);
      if (isStream) await frame.itemError(input, error);
      else held.push(() => frame.itemError(input, error));
    },
  };
  const pages =
    batch.endpoint.returns.shape === "object"
      ? objects(client, frame, batch, failures)
      : lists(client, frame, batch, failures);
  await frame.print({ kind: "rows", pages }, shownWithInput(batch.endpoint));
  for (const tell of held) await tell();
  if (found.length > 0) throw batchError(found, batch.requests.length);
}

/** Rows that do not repeat their identifier show it first. */
function shownWithInput(endpoint: Endpoint): Shown {
  const shown = shownAs(endpoint);
  return endpoint.echo === undefined ? { ...shown, columns: ["input", ...endpoint.columns] } : shown;
}

/** One object an identifier, packed into the multi endpoint where there is one. */
async function* objects(client: Client, frame: Frame, { endpoint, ids, params }: Batch, failures: Failures) {
  for await (const { input, data, error } of client.many(endpoint, ids, params, { signal: frame.io.signal })) {
    if (error) await failures.add(input, error);
    else yield [withInput(data ?? null, input, endpoint)];
  }
}

/** The lists of all identifiers, one after the other. */
async function* lists(
  client: Client,
  frame: Frame,
  { endpoint, name, requests, params, wanted }: Batch,
  failures: Failures,
) {
  const { signal } = frame.io;
  for (const ids of requests) {
    const input = isArray(ids as Json) ? undefined : String(ids);
    try {
      for await (const { rows } of client.pages(endpoint, { ...params, [name]: ids }, { ...wanted, signal })) {
        yield input === undefined ? rows : rows.map((row) => withInput(row, input, endpoint));
      }
    } catch (error) {
      if (!(error instanceof SolxError) || isFatal(error)) throw error;
      await failures.add(input ?? String(ids), error);
    }
  }
}

/** A row that does not repeat its identifier carries it as `input`; one with an `input` of its own as `identifier`. */
function withInput(row: Json, input: string, { echo }: Endpoint): Json {
  if (!isObject(row)) return { input, data: row };
  if (echo !== undefined && row[echo] === input) return row;
  return Object.hasOwn(row, "input") ? { identifier: input, ...row } : { input, ...row };
}
