/**
 * Messages of Yellowstone gRPC: the fields that an index needs as data, by the numbers of `geyser.proto` and
 * `solana-storage.proto`, and what reads them. Other fields are skipped.
 */
import { Buffer } from "node:buffer";
import { ByteReader } from "../../solana/index.ts";

/** What reads values; a value that is not sent is the default of its type. */
const SCALARS = {
  text: { read: (reader: ByteReader) => reader.text(readNumber(reader)), absent: "" },
  bytes: { read: readBytes, absent: new Uint8Array() },
  flag: { read: (reader: ByteReader) => readNumber(reader) > 0, absent: false },
  u32: { read: readNumber, absent: 0 },
  u64: { read: (reader: ByteReader) => reader.varint(), absent: 0n },
  i64: { read: (reader: ByteReader) => BigInt.asIntN(64, reader.varint()), absent: 0n },
} as const;

function readNumber(reader: ByteReader): number {
  return Number(reader.varint());
}

function readBytes(reader: ByteReader): Uint8Array {
  return reader.take(readNumber(reader));
}

type Scalar = keyof typeof SCALARS;
type FieldType = Scalar | Layout;
/** A field: its name, its type, and whether there may be none or several. A message may always be absent. */
type Field = readonly [name: string, type: FieldType, presence?: "list" | "optional"];
/** The fields of a message by their numbers. */
interface Layout {
  readonly [field: number]: Field;
}

type Value<T> = T extends Scalar ? ReturnType<(typeof SCALARS)[T]["read"]> : Message<T>;
type FieldValue<F> = F extends readonly [string, infer T, "list"]
  ? readonly Value<T>[]
  : F extends readonly [string, infer T, "optional"]
    ? Value<T> | undefined
    : F extends readonly [string, infer T]
      ? T extends Scalar
        ? Value<T>
        : Value<T> | undefined
      : never;
/** The values of a message by the names of its fields. */
export type Message<L> = {
  readonly [N in keyof L as L[N] extends readonly [infer Name extends string, ...unknown[]] ? Name : never]: FieldValue<
    L[N]
  >;
};

/** Reads a message. @throws RangeError when the bytes have another form */
export const readMessage = <L extends Layout>(layout: L, bytes: Uint8Array): Message<L> =>
  readFields(new ByteReader(bytes), bytes.length, layout) as Message<L>;

function readFields(reader: ByteReader, end: number, layout: Layout): Record<string, unknown> {
  const message = emptyMessage(layout);
  while (reader.offset < end) {
    const tag = readNumber(reader);
    const [name = "", type, presence] = layout[tag >>> 3] ?? [];
    const form = tag & 7;
    if (type === undefined) skip(reader, form);
    else if (presence !== "list") message[name] = readValue(reader, type);
    else {
      const list = message[name] as unknown[];
      const isPacked = form === LENGTH && type === "u64";
      const last = isPacked ? endAfter(reader) : reader.offset + 1;
      while (reader.offset < last) list.push(readValue(reader, type));
    }
  }
  if (reader.offset > end) throw new RangeError("a message is longer than its length");
  return message;
}

/** Reads a length and returns where it ends. */
function endAfter(reader: ByteReader): number {
  const length = readNumber(reader);
  return reader.offset + length;
}

/** Forms of values: a number, eight bytes, a length with as many bytes, four bytes. */
const [NUMBER, EIGHT_BYTES, LENGTH, FOUR_BYTES] = [0, 1, 2, 5];

function skip(reader: ByteReader, form: number): void {
  if (form === NUMBER) reader.varint();
  else if (form === LENGTH) readBytes(reader);
  else if (form === EIGHT_BYTES || form === FOUR_BYTES) reader.take(form === EIGHT_BYTES ? 8 : 4);
  else throw new RangeError("unknown form of a value");
}

/** What messages have when no field is sent: the default of a value, or nothing for a list. */
const absentFields = new WeakMap<Layout, readonly (readonly [name: string, absent: unknown])[]>();

function emptyMessage(layout: Layout): Record<string, unknown> {
  let absent = absentFields.get(layout);
  if (!absent) {
    const fields = (Object.values(layout) as Field[]).filter(
      ([, type, presence]) => presence === "list" || (presence === undefined && typeof type === "string"),
    );
    absent = fields.map(([name, type, presence]) => [name, presence ? undefined : SCALARS[type as Scalar].absent]);
    absentFields.set(layout, absent);
  }
  const message: Record<string, unknown> = {};
  for (const [name, value] of absent) message[name] = value ?? [];
  return message;
}

const readValue = (reader: ByteReader, type: FieldType): unknown =>
  typeof type === "string" ? SCALARS[type].read(reader) : readFields(reader, endAfter(reader), type);

const INSTRUCTION = { 1: ["program", "u32"], 2: ["accounts", "bytes"], 3: ["data", "bytes"] } as const;

const TRANSACTION = {
  1: ["signatures", "bytes", "list"],
  2: [
    "message",
    {
      1: ["header", { 1: ["signers", "u32"], 2: ["readonlySigners", "u32"], 3: ["readonlyOthers", "u32"] }],
      2: ["keys", "bytes", "list"],
      3: ["blockhash", "bytes"],
      4: ["instructions", INSTRUCTION, "list"],
      5: ["isVersioned", "flag"],
      6: ["lookups", { 1: ["table", "bytes"], 2: ["writable", "bytes"], 3: ["readonly", "bytes"] }, "list"],
      7: [
        "limits",
        {
          1: ["priorityFee", "u64", "optional"],
          2: ["computeUnits", "u32", "optional"],
          3: ["dataSize", "u32", "optional"],
          4: ["heapSize", "u32", "optional"],
        },
      ],
    },
  ],
} as const;

const TOKEN_BALANCE = {
  1: ["account", "u32"],
  2: ["mint", "text"],
  3: ["amount", { 2: ["decimals", "u32"], 3: ["amount", "text"] }],
  4: ["owner", "text"],
  5: ["program", "text"],
} as const;

const INNER_INSTRUCTION = { ...INSTRUCTION, 4: ["height", "u32", "optional"] } as const;

const EFFECTS = {
  1: ["error", { 1: ["bytes", "bytes"] }],
  2: ["fee", "u64"],
  3: ["preBalances", "u64", "list"],
  4: ["postBalances", "u64", "list"],
  5: ["inner", { 1: ["index", "u32"], 2: ["instructions", INNER_INSTRUCTION, "list"] }, "list"],
  6: ["logs", "text", "list"],
  7: ["preTokenBalances", TOKEN_BALANCE, "list"],
  8: ["postTokenBalances", TOKEN_BALANCE, "list"],
  10: ["lacksInner", "flag"],
  11: ["lacksLogs", "flag"],
  12: ["loadedWritable", "bytes", "list"],
  13: ["loadedReadonly", "bytes", "list"],
  16: ["computeUnits", "u64", "optional"],
  17: ["costUnits", "u64", "optional"],
} as const;

const REWARD = {
  1: ["account", "text"],
  2: ["lamports", "i64"],
  3: ["post", "u64"],
  4: ["kind", "u32"],
  5: ["commission", "text"],
} as const;

/** A block with its transactions, which may be in any order. */
export const BLOCK = {
  1: ["slot", "u64"],
  2: ["blockhash", "text"],
  3: ["rewards", { 1: ["list", REWARD, "list"] }],
  4: ["time", { 1: ["seconds", "i64"] }],
  5: ["height", { 1: ["height", "u64"] }],
  6: ["transactions", { 3: ["transaction", TRANSACTION], 4: ["effects", EFFECTS], 5: ["index", "u64"] }, "list"],
  7: ["parentSlot", "u64"],
  8: ["parentBlockhash", "text"],
  9: ["transactionCount", "u64"],
} as const;

/** What is read of a block when it arrives. */
export const BLOCK_HEAD = { 1: BLOCK[1] } as const;

/** What a server sends: a block, or whether the subscriber is still there. */
export const UPDATE = { 5: ["block", "bytes", "optional"], 6: ["ping", "bytes", "optional"] } as const;

/** A block as it is sent. */
export type BlockMessage = Message<typeof BLOCK>;
/** What a transaction did. */
export type EffectsMessage = Message<typeof EFFECTS>;
/** The balance of a token account before or after a transaction. */
export type TokenBalanceMessage = Message<typeof TOKEN_BALANCE>;
/** A reward of a block. */
export type RewardMessage = Message<typeof REWARD>;

/** The numbers of commitments. */
const COMMITMENTS = { confirmed: 1, finalized: 2 } as const;

/** Returns the request for all blocks of a commitment, with transactions and without accounts and entries. */
export function subscribeRequest(commitment: keyof typeof COMMITMENTS): Uint8Array {
  const filter = [...numberField(2, 1), ...numberField(3, 0), ...numberField(4, 0)];
  const entry = [...bytesField(1, Buffer.from("blocks")), ...bytesField(2, filter)];
  return Uint8Array.from([...bytesField(4, entry), ...numberField(6, COMMITMENTS[commitment])]);
}

/** Returns the answer to a ping, which changes no subscription. */
export const pongRequest = (): Uint8Array => Uint8Array.from(bytesField(9, numberField(1, 1)));

/** Fields of less than 128. */
const numberField = (field: number, value: number) => [(field << 3) | NUMBER, value];
const bytesField = (field: number, bytes: Iterable<number> & ArrayLike<number>) => [
  ...[(field << 3) | LENGTH, bytes.length],
  ...bytes,
];
