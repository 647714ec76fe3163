/**
 * Results of tools. The text of a result is JSON with exact digits, in which everything that a terminal would obey is
 * escaped; `structuredContent` is the same for programs. A result that is too large comes in parts: pieces of its
 * text, which are the whole when they are put together.
 */
import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../base/index.ts";
import { formatJson } from "../../output/index.ts";
import type { Cursors } from "./cursors.ts";
import { toStructured } from "./values.ts";

/** A text of which a part was shown. */
export interface TextPosition {
  readonly kind: "text";
  readonly text: Buffer;
  /** Where the next part begins, in bytes. */
  readonly at: number;
}

/** Where what is too large is kept, and how large a text may be. */
export interface ResultStore {
  readonly cursors: Pick<Cursors<TextPosition>, "save">;
  /** Bytes. */
  readonly bytes: number;
}

/** Bytes of a result that are not rows: names, notes, the cursor. */
const OVERHEAD_BYTES = 600;

/**
 * A value as the result of a tool; the first part of it where it is too large.
 * @param advice tells then how to get less
 */
export function createResult(value: JsonObject, store: ResultStore, advice?: () => string): CallToolResult {
  const text = formatJson(value);
  if (Buffer.byteLength(text) > store.bytes) {
    return createPart({ kind: "text", text: Buffer.from(text), at: 0 }, store, advice?.());
  }
  return { content: [{ type: "text", text }], structuredContent: structured(value) };
}

/** The part of a text that begins at a place. */
export function createPart({ text, at }: TextPosition, store: ResultStore, advice = ""): CallToolResult {
  const end = characterBoundary(text, at + store.bytes);
  const piece = text.toString("utf8", at, end);
  const isLast = end === text.length;
  const head = {
    part: `bytes ${at + 1}-${end} of ${text.length}`,
    ...(isLast ? {} : { cursor: store.cursors.save({ kind: "text", text, at: end }, text.length) }),
    note: isLast
      ? "The last part of a JSON text. A cursor in it, if there is one, leads to what follows."
      : `A part of a JSON text that is too large for one result; the tool more gives the next one. ${advice}`.trim(),
  };
  return {
    content: [
      { type: "text", text: formatJson(head) },
      { type: "text", text: piece },
    ],
    structuredContent: structured({ ...head, text: piece }),
  };
}

/** How many of the first rows, of these sizes in bytes, fit into a result: one at least. */
export function rowsThatFit(sizes: readonly number[], { bytes }: Pick<ResultStore, "bytes">): number {
  let available = bytes - OVERHEAD_BYTES;
  const end = sizes.findIndex((size) => {
    available -= size + 1;
    return available < 0;
  });
  return end < 0 ? sizes.length : Math.max(1, end);
}

/** The failure of a tool, which is a result too. */
export function createFailure(value: JsonObject): CallToolResult {
  return { content: [{ type: "text", text: formatJson(value) }], structuredContent: structured(value), isError: true };
}

function structured(value: JsonObject): Record<string, unknown> {
  return toStructured(value) as Record<string, unknown>;
}

/** The last place not beyond `end` at which a character begins. */
function characterBoundary(text: Buffer, end: number): number {
  if (end >= text.length) return text.length;
  let at = end;
  while (((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
