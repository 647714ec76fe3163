/** What parsers of accounts have in common. */
import type { Json } from "../../../base/index.ts";
import type { ByteReader } from "../bytes.ts";

/** An account's state, in the form of the encoding `jsonParsed`. */
export interface ParsedAccount {
  readonly type: string;
  readonly info: Readonly<Record<string, Json>>;
}

/**
 * Parses an account's data; undefined when it has no state that nodes parse.
 * @throws RangeError when the data has another format
 */
export type AccountParser = (reader: ByteReader, address: string) => ParsedAccount | undefined;
