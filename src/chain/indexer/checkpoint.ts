/** What a ledger file says about how it is indexed: it continues only in the same way. */
import { isArray, isObject, type Json, parseJson, SolxError, stringifyJson } from "../../base/index.ts";
import type { ChainLedgerWriter } from "../ledger/index.ts";
import type { BlockPosition, StartSlot } from "./blocks/follow.ts";
import type { BlockCommitment } from "./blocks/read.ts";
import type { OpeningSlots } from "./state/corrections.ts";

/** The state of an index. */
export interface Checkpoint {
  /** Where to continue; undefined for a new index. */
  readonly next: StartSlot | undefined;
  /** The last blocks, oldest first. */
  readonly known: readonly BlockPosition[];
  /** The opening state that the first blocks correct; undefined when it was not read. */
  readonly opening: OpeningSlots | undefined;
}

/** How an index is made. */
export interface IndexIdentity {
  readonly commitment: BlockCommitment;
  /** See `filterKey`. */
  readonly filter: string;
}

/** Blocks that a rollback may concern. */
const KNOWN_BLOCKS = 256;

/**
 * Reads the state of an index.
 * @throws SolxError when it was made in another way
 */
export function readCheckpoint(ledger: ChainLedgerWriter, identity: IndexIdentity): Checkpoint {
  const descriptions = { commitment: "commitment", filter: "filter" } as const;
  for (const [name, what] of Object.entries(descriptions) as ["commitment" | "filter", string][]) {
    const stored = ledger.meta(name);
    if (stored === undefined || stored === identity[name]) continue;
    throw new SolxError("usage", `The index was made with another ${what}: ${stored || "none"}.`, {
      code: "INDEX_OPTIONS",
      hint: `Use the same ${what}, or index into another file.`,
    });
  }
  const next = ledger.meta("next");
  const rows = ledger.db.prepare("SELECT slot, hash FROM blocks ORDER BY slot DESC LIMIT ?").all(KNOWN_BLOCKS);
  return {
    next: next === undefined || next === "earliest" ? next : Number(next),
    known: rows.reverse().map(({ slot, hash }) => ({ slot: Number(slot), hash: String(hash) })),
    opening: decodeOpening(ledger.meta("opening")),
  };
}

/** Returns opening slots as text. */
export function encodeOpening({ balances, supplies }: OpeningSlots): string {
  return stringifyJson({
    balances,
    supplies: supplies.map(([{ token, amount, allBalances = false }, slot]) => [
      token,
      String(amount),
      allBalances,
      slot,
    ]),
  });
}

function decodeOpening(text: string | undefined): OpeningSlots | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value) || !isArray(value.supplies)) return undefined;
  return { balances: Number(value.balances), supplies: value.supplies.flatMap(supplyOf) };
}

function supplyOf(row: Json): OpeningSlots["supplies"] {
  if (!isArray(row)) return [];
  const [token, amount, allBalances, slot] = row;
  const fact = { token: String(token), amount: BigInt(String(amount)), ...(allBalances === true && { allBalances }) };
  return [[fact, Number(slot)]];
}
