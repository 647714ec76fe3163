/** What answers cover, of sources that do not have everything. It is a header of theirs, so caches and recordings keep it. */
import { groupThousands, isObject, tryParseJson } from "../base/index.ts";

/** What an answer covers of the chain. */
export interface Coverage {
  /** The commitment of the newest transactions in it, where it is known. */
  readonly commitment?: "processed" | "confirmed" | "finalized";
  /**
   * The oldest slot of the source's history, where an older one may be missing from the answer; null where the source
   * does not say where its history begins.
   */
  readonly firstSlot?: number | null;
  /** The newest slot of a source that is behind its cluster. */
  readonly lastSlot?: number;
  /** Ranges of slots that are missing between the two, both ends inclusive. */
  readonly gaps?: readonly { readonly from: number; readonly to: number }[];
  /** How often blocks of the source were rolled back so far. */
  readonly rollbacks?: number;
  /** Paths of fields that the source does not know, and in words the parts that it did not return. */
  readonly missing: readonly string[];
  /** The Unix time after which no row is missing, where that is known of an incomplete answer. */
  readonly completeSince?: number;
  /** Why rows are, or may be, missing from the answer, in sentences. */
  readonly incomplete?: string;
}

/** Whether a field is one of those that a source does not know, or inside one of them. */
export const isMissingField = (missing: readonly string[], field: string): boolean =>
  missing.some((path) => field === path || field.startsWith(`${path}.`));

/** The header with the coverage as JSON; the API does not send it. */
export const COVERAGE_HEADER = "x-solx-coverage";

/** Returns a coverage as a header. */
export const coverageHeader = (coverage: Coverage): Readonly<Record<string, string>> => ({
  [COVERAGE_HEADER]: JSON.stringify(coverage).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ),
});

/** Codes of JSON-RPC errors for calls that were not recorded, of which `otherPage` is for lists recorded in part. */
export const CALL_MISSES = { other: -32_098, otherPage: -32_099 } as const;

/** Returns the coverage in the headers of a response, as a member of its answer. */
export function parseCoverage(headers: Readonly<Record<string, string>>): { readonly coverage?: Coverage } {
  const text = headers[COVERAGE_HEADER];
  const value = text === undefined ? undefined : tryParseJson(text);
  if (text === undefined || !isObject(value)) return {};
  const { missing = [], ...coverage } = JSON.parse(text) as Coverage;
  const isValid = Array.isArray(missing) && ["string", "undefined"].includes(typeof coverage.incomplete);
  return isValid ? { coverage: { ...coverage, missing } } : {};
}

/** Returns where the history of a source begins, in a sentence. @param noun the source: `the node` */
export function historyText(noun: string, first: number | null): string {
  if (first === null) return `T${noun.slice(1)} does not say where its history begins: older rows may be missing.`;
  return `The history of ${noun} begins at slot ${groupThousands(String(first))}: older rows are missing.`;
}

/** The first slot of sources that have removed nothing. */
export const GENESIS_SLOT = 1;
