/** Transactions as bytes: what `readTransaction` reads. */
import { Buffer } from "node:buffer";
import type { CompiledInstruction, MessageHeader } from "./message.ts";

/** The signed part of a transaction, with keys as bytes. */
interface MessageParts {
  /** That of a message without limits; version 1 has them. */
  readonly version: "legacy" | number;
  readonly header: MessageHeader;
  readonly keys: readonly Uint8Array[];
  readonly blockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly LookupParts[];
  readonly limits?: LimitParts | undefined;
}

/** The entries of a lookup table that a message refers to. */
interface LookupParts {
  readonly table: Uint8Array;
  readonly writable: ArrayLike<number>;
  readonly readonly: ArrayLike<number>;
}

/** The limits of version 1, as far as they are set. */
interface LimitParts {
  readonly priorityFee: bigint | undefined;
  readonly computeUnits: number | undefined;
  readonly dataSize: number | undefined;
  readonly heapSize: number | undefined;
}

/** Returns the bytes of a transaction. */
export function writeTransaction(signatures: readonly Uint8Array[], message: MessageParts): Buffer {
  const { version, header, limits, lookups } = message;
  const counts = [header.signers, header.readonlySigners, header.readonlyOthers];
  if (limits) return join([[0x81], counts, ...sizedParts(message, limits), ...signatures]);
  const isVersioned = version !== "legacy";
  return join([
    ...list(signatures, (signature) => [signature]),
    ...(isVersioned ? [[0x80 | version]] : []),
    counts,
    ...list(message.keys, (key) => [key]),
    message.blockhash,
    ...list(message.instructions, ({ program, accounts, data }) => [[program], ...sized(accounts), ...sized(data)]),
    ...(isVersioned ? list(lookups, (each) => [each.table, ...sized(each.writable), ...sized(each.readonly)]) : []),
  ]);
}

/** The parts of a message of version 1 after its header. */
function sizedParts(
  { blockhash, keys, instructions }: MessageParts,
  { priorityFee, computeUnits, dataSize, heapSize }: LimitParts,
): Part[] {
  const fee = priorityFee === undefined ? undefined : BigUint64Array.of(priorityFee);
  const limits = [computeUnits, dataSize, heapSize].map((limit) => limit !== undefined && Uint32Array.of(limit));
  const mask = [fee, fee, ...limits].reduce((bits, limit, at) => bits | (limit ? 1 << at : 0), 0);
  const sizes = ({ program, accounts, data }: CompiledInstruction) => [
    ...[program, accounts.length, data.length & 0xff, data.length >> 8],
  ];
  return [
    ...[[mask, 0, 0, 0], blockhash, [instructions.length, keys.length], ...keys],
    ...[fee, ...limits].flatMap((limit) => (limit ? [new Uint8Array(limit.buffer)] : [])),
    ...instructions.map(sizes),
    ...instructions.flatMap(({ accounts, data }) => [accounts, data]),
  ];
}

type Part = ArrayLike<number>;

const join = (parts: readonly Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part))));

/** Returns a length in bytes of seven bits, the lowest first. */
const compact = (length: number): readonly number[] =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compact(length >> 7)];

const sized = (bytes: Part): Part[] => [compact(bytes.length), bytes];

const list = <T>(items: readonly T[], parts: (item: T) => readonly Part[]): Part[] => [
  compact(items.length),
  ...items.flatMap(parts),
];
