/**
 * Results of tools. The text of a result is JSON with exact digits and escaped control characters; `structuredContent` is
 * the same for programs. A result that is too large is returned in parts, whose texts concatenate to the whole.
 */
import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../base/index.ts";
import { formatJson } from "../../output/index.ts";
import type { Cursors } from "./cursors.ts";
import { toStructured } from "./values.ts";

/** A text, with the position after the returned parts. */
export interface TextPosition {
  readonly kind: "text";
  readonly text: Buffer;
  /** Start of the next part in bytes. */
  readonly at: number;
}

/** The store of unreturned results, and the size limit of a text. */
export interface ResultStore {
  readonly cursors: Pick<Cursors<TextPosition>, "save">;
  /** Maximum size of a text in bytes. */
  readonly bytes: number;
}

/** Bytes reserved for everything but rows: names, notes, cursor. */
const OVERHEAD_BYTES = 600;

/**
 * Returns a value as the result of a tool, or its first part if it is too large.
 * @param advice returns how to reduce the value in that case
 */
export function createResult(value: JsonObject, store: ResultStore, advice?: () => string): CallToolResult {
  const text = formatJson(value);
  if (Buffer.byteLength(text) > store.bytes) {
    return createPart({ kind: "text", text: Buffer.from(text), at: 0 }, store, advice?.());
  }
  return { content: [{ type: "text", text }], structuredContent: structured(value) };
}

/** Returns the part of a text that starts at a position. */
export function createPart({ text, at }: TextPosition, store: ResultStore, advice = ""): CallToolResult {
  const end = characterBoundary(text, at + store.bytes);
  const piece = text.toString("utf8", at, end);
  const isLast = end === text.length;
  const head = {
    part: `bytes ${at + 1}-${end} of ${text.length}`,
    ...(isLast ? {} : { cursor: store.cursors.save({ kind: "text", text, at: end }, text.length) }),
    note: isLast
      ? "The last part of a JSON text. If it contains a cursor, that continues the list."
      : `A part of a JSON text that is too large for one result; the tool more returns the next part. ${advice}`.trim(),
  };
  return {
    content: [
      { type: "text", text: formatJson(head) },
      { type: "text", text: piece },
    ],
    structuredContent: structured({ ...head, text: piece }),
  };
}

/** Returns how many rows of the given sizes in bytes fit into a result, at least one. */
export function rowsThatFit(sizes: readonly number[], { bytes }: Pick<ResultStore, "bytes">): number {
  let available = bytes - OVERHEAD_BYTES;
  const end = sizes.findIndex((size) => {
    available -= size + 1;
    return available < 0;
  });
  return end < 0 ? sizes.length : Math.max(1, end);
}

/** Returns the error of a tool as a result. */
export function createFailure(value: JsonObject): CallToolResult {
  return { content: [{ type: "text", text: formatJson(value) }], structuredContent: structured(value), isError: true };
}

function structured(value: JsonObject): Record<string, unknown> {
  return toStructured(value) as Record<string, unknown>;
}

/** Returns the last start of a character at or before `end`. */
function characterBoundary(text: Buffer, end: number): number {
  if (end >= text.length) return text.length;
  let at = end;
  while (((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
