/** Recorded answers of nodes. The recordings are not part of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromJson, isObjectWire, type Wire } from "./wire.ts";

const FOLDER = fileURLToPath(new URL("../../../../shared/rpc-recorded", import.meta.url));

/** A recorded answer. */
export interface Recording {
  /** The name of its file. */
  readonly name: string;
  readonly method: string;
  /** What was asked; null when unknown. */
  readonly params: readonly Wire[] | null;
  /** The answer: an object with `result` or `error`, or text. Integers beyond 2^53 are bigints. */
  readonly body: Wire;
  /** Whether nothing is known to be cut or edited. */
  readonly complete: boolean;
  readonly verified: string | null;
  readonly note: string | null;
}

let cache: readonly Recording[] | undefined;

/** Returns all recordings; none in a checkout without them. */
export function recordings(): readonly Recording[] {
  cache ??= existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => readRecording(name))
    : [];
  return cache;
}

function readRecording(name: string): Recording {
  const { method, params, body, complete, verified, note } = fromJson(
    readFileSync(`${FOLDER}/${name}`, "utf8"),
  ) as unknown as Recording;
  // The names of blocks end with their slot, also where the request is unknown.
  const slot = method === "getBlock" ? /-(\d+)(?:-\d+)?\.json$/.exec(name)?.[1] : undefined;
  const known = params ?? (slot === undefined ? null : [Number(slot)]);
  return { name, method, params: known, body, complete, verified: verified ?? null, note: note ?? null };
}

/** Returns the recordings of a method, of all or only of complete answers without an error. */
export function recordingsOf(method: string, { complete = false } = {}): readonly Recording[] {
  return recordings().filter(
    (each) => each.method === method && (!complete || (each.complete && resultOf(each) !== undefined)),
  );
}

/** Returns what a recorded block says of its transactions. */
export const detailsOf = (block: unknown): "full" | "none" =>
  Array.isArray((block as { transactions?: unknown } | null)?.transactions) ? "full" : "none";

/** Whether the transactions in a recorded answer have effects; none where its note says that some are cut. */
export function hasEffects(recording: Recording): boolean {
  const result = resultOf(recording);
  if (!isObjectWire(result)) return true;
  if (/keys \d+ vs balances/.test(recording.note ?? "")) return false;
  const entries = Array.isArray(result.transactions) ? result.transactions : [result];
  return entries.every((entry) => !isObjectWire(entry) || !("transaction" in entry) || isObjectWire(entry.meta));
}

/** Returns the result of a recording; undefined when an error was recorded. */
export const resultOf = ({ body }: Recording): Wire | undefined => (isObjectWire(body) ? body.result : undefined);

/** Returns the result of a recording; of a block that is cut, without the rewards, which missing transactions paid. */
export function consistentResultOf(recording: Recording): Wire | undefined {
  const result = resultOf(recording);
  if (recording.complete || !isObjectWire(result)) return result;
  const { rewards: _, ...rest } = result;
  return rest;
}
