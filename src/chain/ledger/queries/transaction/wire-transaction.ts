/** Transactions in the form in which they are signed and sent: keys once, instructions with indexes, bytes. */
import { Buffer } from "node:buffer";
import { type JsonObject, sha256 } from "../../../../base/index.ts";
import type { ArgumentsByInstruction } from "./arguments.ts";
import { type AccountKey, lookupsOf, type TableLookup } from "./balances.ts";
import { decodeBase58, encodeBase58, keyBytes } from "./base58.ts";
import type { TransactionHead } from "./head.ts";
import { type Instruction, innerInstructionLists, topInstructions } from "./tree.ts";
import { wireHex } from "./wire-data.ts";

/** An instruction with positions in the list of all keys. */
interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  /** Depth of the call, 1 at the top. */
  readonly level: number;
}

/** A transaction that can be serialized. Keys from lookup tables follow the others, writable ones first. */
export interface WireTransaction {
  /** Signatures of the signers in their order; the first is that of the transaction. */
  readonly signatures: readonly string[];
  readonly version: number | undefined;
  /** Keys of the message itself. */
  readonly keys: readonly AccountKey[];
  readonly recentHash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly inner: readonly (readonly [index: number, instructions: readonly CompiledInstruction[]])[];
  readonly lookups: readonly TableLookup[];
}

/** What a wire transaction is built from. */
export interface TransactionParts {
  readonly head: TransactionHead;
  readonly keys: readonly AccountKey[];
  readonly tree: readonly Instruction[];
  readonly infos: ArgumentsByInstruction;
}

/** Compiles a transaction. */
export function compileTransaction({ head, keys, tree, infos }: TransactionParts): WireTransaction {
  const positions = new Map(keys.map(({ address }, index) => [address, index]));
  const positionsOf = (addresses: readonly string[]) => addresses.flatMap((address) => positions.get(address) ?? []);
  const compile = (instruction: Instruction): CompiledInstruction => ({
    programIdIndex: positions.get(instruction.program) ?? 0,
    accounts: positionsOf(instruction.accounts),
    data: Buffer.from(wireHex(instruction, infos.get(instruction) ?? {}), "hex"),
    level: instruction.level,
  });
  return {
    signatures: signaturesOf(head, keys),
    version: head.version,
    keys: keys.filter(({ lookedUp }) => !lookedUp),
    recentHash: head.recentHash,
    instructions: topInstructions(tree).map(compile),
    inner: innerInstructionLists(tree).map(([index, inner]) => [index, inner.map(compile)] as const),
    lookups: head.lookups ?? lookupsOf(keys),
  };
}

/** Returns the signatures of all signers: the ledger has the first, which the others are derived from. */
const signaturesOf = (
  { signature, otherSignatures }: TransactionHead,
  keys: readonly AccountKey[],
): readonly string[] => {
  if (otherSignatures.length > 0) return [signature, ...otherSignatures];
  const others = keys.filter(({ signer }) => signer).slice(1);
  return [
    signature,
    ...others.map(({ address }) => {
      const halves = ["left", "right"].map((half) => sha256(`${half} half of ${signature} by ${address}`));
      return encodeBase58(Buffer.from(halves.join(""), "hex"));
    }),
  ];
};

/** Returns the numbers of signers, of signers that cannot be written and of other keys that cannot be written. */
function headerOf(keys: readonly AccountKey[]): readonly [number, number, number] {
  const readonlyKeys = keys.filter(({ writable }) => !writable);
  const signers = readonlyKeys.filter(({ signer }) => signer).length;
  return [keys.filter(({ signer }) => signer).length, signers, readonlyKeys.length - signers];
}

/** Returns a length as one to three bytes of seven bits, the lowest first. */
function compactLength(length: number): readonly number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compactLength(length >> 7)];
}

const compactBytes = (bytes: Iterable<number>): readonly number[] => {
  const list = [...bytes];
  return [...compactLength(list.length), ...list];
};

const compactList = <T>(items: readonly T[], encode: (item: T) => Iterable<number>): readonly number[] => [
  ...compactLength(items.length),
  ...items.flatMap((item) => [...encode(item)]),
];

/** Returns the bytes of a transaction: its signatures and its message, of the legacy form or with a version. */
export function serializeTransaction(transaction: WireTransaction): Uint8Array {
  const { signatures, version, keys, recentHash, instructions, lookups } = transaction;
  return Buffer.from([
    ...compactList(signatures, decodeBase58),
    ...(version === undefined ? [] : [0x80 | version]),
    ...headerOf(keys),
    ...compactList(keys, ({ address }) => keyBytes(address)),
    ...keyBytes(recentHash),
    ...compactList(instructions, ({ programIdIndex, accounts, data }) => [
      programIdIndex,
      ...compactBytes(accounts),
      ...compactBytes(data),
    ]),
    ...(version === undefined
      ? []
      : compactList(lookups, ({ accountKey, writableIndexes, readonlyIndexes }) => [
          ...keyBytes(accountKey),
          ...compactBytes(writableIndexes),
          ...compactBytes(readonlyIndexes),
        ])),
  ]);
}

const compiledJson = ({ programIdIndex, accounts, data, level }: CompiledInstruction): JsonObject => ({
  programIdIndex,
  accounts,
  data: encodeBase58(data),
  stackHeight: level,
});

/** Returns the inner instructions as nodes list them unless they parse instructions. */
export const innerInstructionsJson = ({ inner }: WireTransaction): readonly JsonObject[] =>
  inner.map(([index, instructions]) => ({ index, instructions: instructions.map(compiledJson) }));

/** Returns a transaction in the encoding `json` of Solana nodes. */
export function transactionJson(transaction: WireTransaction): JsonObject {
  const { signatures, version, keys, recentHash, instructions, lookups } = transaction;
  const [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts] = headerOf(keys);
  return {
    signatures,
    message: {
      header: { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
      accountKeys: keys.map(({ address }) => address),
      recentBlockhash: recentHash,
      instructions: instructions.map(compiledJson),
      ...(version === undefined ? {} : { addressTableLookups: lookups }),
    },
  };
}
