/** Metadata of answers, reduced to the tokens that a result mentions, without images. */
import { Buffer } from "node:buffer";
import { isObject, type Json, type JsonObject } from "../../base/index.ts";
import type { Answer } from "../../client/index.ts";
import { formatJson } from "../../output/index.ts";
import { omitImages } from "./abridge.ts";

/** Returns the metadata of an answer, such as names of tokens; undefined if empty. */
export function metadataOf({ envelope }: Answer): JsonObject | undefined {
  const metadata = envelope?.metadata;
  return isObject(metadata) && Object.keys(metadata).length > 0 ? metadata : undefined;
}

/** Merges the metadata of two answers. */
export function mergeMetadata(one: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  if (!one || !other) return one ?? other;
  const { tokens } = one;
  const all = isObject(tokens) && isObject(other.tokens) ? { tokens: { ...tokens, ...other.tokens } } : {};
  return { ...one, ...other, ...all };
}

/** Returns the metadata that the given values refer to; undefined if empty. */
export function metadataFor(metadata: JsonObject | undefined, values: Json): JsonObject | undefined {
  if (!metadata) return undefined;
  const { tokens, ...rest } = metadata;
  const text = formatJson(values);
  const mentioned = Object.entries(isObject(tokens) ? tokens : {})
    .filter(([mint]) => text.includes(mint))
    .map(([mint, token]) => [mint, describeToken(mint, token)] as const);
  const result = { ...rest, ...(mentioned.length > 0 ? { tokens: Object.fromEntries(mentioned) } : {}) };
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Returns how many bytes the metadata of each value adds to that of the previous values. */
export function metadataSizes(metadata: JsonObject | undefined, values: readonly Json[]): readonly number[] {
  const known = new Set<string>();
  return values.map((value) => {
    const tokens = metadataFor(metadata, value)?.tokens;
    const fresh = Object.entries(isObject(tokens) ? tokens : {}).filter(([mint]) => !known.has(mint));
    for (const [mint] of fresh) known.add(mint);
    return fresh.length === 0 ? 0 : Buffer.byteLength(formatJson(Object.fromEntries(fresh)));
  });
}

/** Removes the image of a token, and the mint that it is listed under. */
function describeToken(mint: string, token: Json): Json {
  const { value } = omitImages(token);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, one]) => name !== "token_address" || one !== mint))
    : value;
}
