/**
 * The bytes of a transaction: legacy, version 0 with lookup tables, version 1 with resource limits.
 *
 * The decoders of @solana/kit read the same formats and are what the tests compare with. A block needs them 1,500
 * times: these functions take a tenth of the time, and no library has to be loaded.
 */
import { ByteReader } from "../bytes.ts";
import type { ResourceLimits, TableLookup } from "../model.ts";

/** An instruction with positions in the keys of its transaction. */
export interface CompiledInstruction {
  readonly program: number;
  readonly accounts: ArrayLike<number>;
  readonly data: Uint8Array;
}

/** How many keys sign, and how many of both kinds are read only. */
export interface MessageHeader {
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
}

/** The signed part of a transaction. */
export interface Message {
  readonly version: "legacy" | number;
  readonly header: MessageHeader;
  /** The keys in the message, without those of lookup tables. */
  readonly keys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
  readonly limits: ResourceLimits | undefined;
}

/** A transaction as it is sent. */
export interface WireTransaction {
  /** Base58; a missing signature is 64 zero bytes, which is a text of ones. */
  readonly signatures: readonly string[];
  readonly message: Message;
  readonly messageBytes: Uint8Array;
}

const VERSION_BIT = 0x80;

/** Reads a transaction. @throws RangeError when the bytes are no transaction of a known version */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const reader = new ByteReader(bytes);
  if ((bytes[0] ?? 0) >= VERSION_BIT) {
    // Version 1: the message comes first, and its header has the number of signatures.
    const message = readMessage(reader);
    const messageBytes = bytes.subarray(0, reader.offset);
    const signatures = reader.list(message.header.signers, () => reader.signature());
    return end(reader, { signatures, message, messageBytes });
  }
  const signatures = reader.list(reader.compact(), () => reader.signature());
  const start = reader.offset;
  const message = readMessage(reader);
  return end(reader, { signatures, message, messageBytes: bytes.subarray(start) });
}

function end<T>(reader: ByteReader, value: T): T {
  if (reader.remaining > 0) throw new RangeError(`${reader.remaining} bytes follow the transaction`);
  return value;
}

/** Reads a message. @throws RangeError when the bytes are no message of a known version */
export function readMessage(reader: ByteReader): Message {
  const first = reader.bytes[reader.offset] ?? 0;
  if (first < VERSION_BIT) return readCompact(reader, "legacy");
  const version = reader.u8() - VERSION_BIT;
  if (version === 0) return readCompact(reader, 0);
  if (version === 1) return readSized(reader);
  throw new RangeError(`version ${version} of transactions is not supported`);
}

const readHeader = (reader: ByteReader): MessageHeader => ({
  signers: reader.u8(),
  readonlySigners: reader.u8(),
  readonlyOthers: reader.u8(),
});

/** Reads a message in which every list begins with its length: legacy and version 0. */
function readCompact(reader: ByteReader, version: "legacy" | 0): Message {
  const header = readHeader(reader);
  const keys = reader.list(reader.compact(), () => reader.address());
  const blockhash = reader.address();
  const instructions = reader.list(reader.compact(), () => ({
    program: reader.u8(),
    accounts: reader.take(reader.compact()),
    data: reader.take(reader.compact()),
  }));
  const lookups = version === 0 ? reader.list(reader.compact(), () => readLookup(reader)) : [];
  return checked({ version, header, keys, blockhash, instructions, lookups, limits: undefined });
}

function readLookup(reader: ByteReader): TableLookup {
  const table = reader.address();
  const writable = [...reader.take(reader.compact())];
  return { table, writable, readonly: [...reader.take(reader.compact())] };
}

/** Reads a message of version 1: all lengths come before the lists, and there are no lookup tables. */
function readSized(reader: ByteReader): Message {
  const header = readHeader(reader);
  const mask = reader.u32();
  const blockhash = reader.address();
  const instructionCount = reader.u8();
  const keys = reader.list(reader.u8(), () => reader.address());
  const limits = readLimits(reader, mask);
  const sizes = reader.list(instructionCount, () => [reader.u8(), reader.u8(), reader.u16()] as const);
  const instructions = sizes.map(([program, accounts, data]) => ({
    program,
    accounts: reader.take(accounts),
    data: reader.take(data),
  }));
  return checked({ version: 1, header, keys, blockhash, instructions, lookups: [], limits });
}

/** The priority fee has two bits because it has eight bytes. */
const FEE_BITS = 0b11;

function readLimits(reader: ByteReader, mask: number): ResourceLimits {
  const fee = mask & FEE_BITS;
  if (mask > 0b11111 || (fee !== 0 && fee !== FEE_BITS)) throw new RangeError("unknown resource limits");
  const limits: { -readonly [Name in keyof ResourceLimits]: ResourceLimits[Name] } = {};
  if (fee !== 0) limits.priorityFeeLamports = reader.u64();
  if (mask & 0b100) limits.computeUnitLimit = reader.u32();
  if (mask & 0b1000) limits.loadedAccountsDataSizeLimit = reader.u32();
  if (mask & 0b10000) limits.heapSize = reader.u32();
  return limits;
}

function checked(message: Message): Message {
  const { header, keys } = message;
  const enough = header.readonlySigners <= header.signers && header.signers + header.readonlyOthers <= keys.length;
  if (!enough) throw new RangeError("the header counts more keys than the message has");
  return message;
}

/** Returns whether the key at a position of a message's own keys can be changed. */
export function isWritable(header: MessageHeader, keyCount: number, position: number): boolean {
  return position < header.signers
    ? position < header.signers - header.readonlySigners
    : position < keyCount - header.readonlyOthers;
}
