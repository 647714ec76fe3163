/** Readings of whole lists, and what holds for them whatever the source. */
import { expect } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/base/index.ts";
import { allEndpoints, type Endpoint } from "../../src/catalogue/index.ts";
import type { RateLimiter } from "../../src/client/index.ts";
import type { ConnectedClient } from "../../src/sources/index.ts";

/** The number of cases of a test: those of `LAW_CASES` are for all laws together, and a reading here is long. */
export const CASES_EACH = Math.ceil(Number(process.env.LAW_CASES ?? 300) / 60);
/** The number of requests after which a reading counts as endless. */
export const ENDLESS = 1000;

/** A limiter without a limit. */
export const UNLIMITED: RateLimiter = {
  acquire: async () => ({ release: () => {} }),
  pause: () => {},
  remaining: () => undefined,
  close: async () => {},
};

/** Returns the endpoint of a route. */
export function endpointOf(route: string): Endpoint {
  const match = allEndpoints.find((endpoint) => endpoint.route === route);
  if (!match) throw new Error(`No endpoint ${route}`);
  return match;
}

/** What a client read of a list, and the error that ended it. */
export interface Reading {
  readonly ids: readonly string[];
  readonly error: unknown;
}

/** Reads a list to its end, or to the error that ends it. */
export async function readAll(
  client: ConnectedClient,
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Reading> {
  const ids: string[] = [];
  try {
    for await (const page of client.pages(endpoint, params as never, { all: true, signal }))
      ids.push(...page.rows.map(identify));
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
}

/** Returns what identifies a row: its transaction, or the address that it is about. */
export function identify(row: Json): string {
  const { trans_id, tx_hash, txHash, Signature, signature, address, owner, _id } = row as JsonObject;
  return String(
    trans_id ?? tx_hash ?? txHash ?? Signature ?? signature ?? _id ?? address ?? owner ?? (isObject(row) ? "?" : row),
  );
}

interface Truth {
  /** All rows that there ever were, in the order of the list. */
  readonly all: readonly string[];
  /** Those of them that were there from the first request to the last. */
  readonly steady: readonly string[];
  /** Whether the source says that rows may be missing. */
  readonly isDoubtful: boolean;
}

/** Fails when a reading breaks the law of lists: each row once and in order, or a statement that rows may be missing. */
export function checkReading({ ids, error }: Reading, { all, steady, isDoubtful }: Truth): void {
  if (error !== undefined) return void expect(error).toMatchObject({ exit: "incomplete" });
  expect(new Set(ids).size, "rows that are there twice").toBe(ids.length);
  const read = new Set(ids);
  const ordered = isDoubtful ? ids.filter((id) => steady.includes(id)) : ids;
  const positions = ordered.map((id) => all.indexOf(id));
  expect(positions, "order").toEqual(positions.toSorted((a, b) => a - b));
  if (isDoubtful) return;
  expect(
    steady.filter((id) => !read.has(id)),
    "rows that are missing",
  ).toEqual([]);
}
