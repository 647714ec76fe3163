/** Transactions: decoding, keys, fees and costs. */
import {
  type Address,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Transaction,
} from "@solana/kit";
import { ADDRESS_LOOKUP_TABLE_PROGRAM_ADDRESS } from "@solana-program/address-lookup-table";
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstructionDataDecoder,
  getSetComputeUnitPriceInstructionDataDecoder,
} from "@solana-program/compute-budget";
import type { Account } from "./account.ts";
import { invalidParams } from "./errors.ts";
import type { Wire } from "./wire.ts";

/** An instruction whose program and accounts are positions in the list of keys. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  /** Call depth: 1 for top-level instructions. */
  readonly stackHeight: number;
}

/** A key of a transaction. */
export interface TransactionKey {
  readonly pubkey: Address;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly source: "transaction" | "lookupTable";
}

/** A decoded transaction. */
export interface DecodedTransaction {
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  /** Base58, the fee payer's first. */
  readonly signatures: readonly string[];
  readonly version: "legacy" | 0 | 1;
  readonly header: {
    readonly numRequiredSignatures: number;
    readonly numReadonlySignedAccounts: number;
    readonly numReadonlyUnsignedAccounts: number;
  };
  readonly staticKeys: readonly Address[];
  /** The recent blockhash, or the value of a durable nonce. */
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly {
    readonly accountKey: Address;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[];
  /** The resource limits that transactions of version 1 carry in their message. */
  readonly config: { readonly units: number | undefined; readonly priorityFee: bigint } | undefined;
  /** All limits of a message of version 1, by the names of Yellowstone. */
  readonly limits: Readonly<Record<string, number | string>> | undefined;
}

/** A token balance before or after a transaction, without the form of the wire. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly uiTokenAmount: Wire;
}

/** A transaction with its effects. */
export interface ExecutedTransaction extends DecodedTransaction {
  readonly slot: number;
  /** Position in its block. */
  readonly index: number;
  readonly keys: readonly TransactionKey[];
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
  readonly err: Wire;
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly inner: readonly { readonly index: number; readonly instructions: readonly CompiledInstruction[] }[];
  readonly logs: readonly string[];
  readonly computeUnits: bigint;
  readonly costUnits: bigint;
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | undefined;
}

const plain = (bytes: ReadonlyUint8Array | undefined) => new Uint8Array(bytes ?? []);

/** Decodes a transaction. Throws invalid parameters when the bytes are none. */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  try {
    const transaction = getTransactionDecoder().decode(bytes);
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
    const instructions =
      "instructions" in message
        ? message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
            programIdIndex: programAddressIndex,
            accounts: accountIndices ?? [],
            data: plain(data),
            stackHeight: 1,
          }))
        : message.instructionHeaders.map(({ programAccountIndex }, index) => ({
            programIdIndex: programAccountIndex,
            accounts: message.instructionPayloads[index]?.instructionAccountIndices ?? [],
            data: plain(message.instructionPayloads[index]?.instructionData),
            stackHeight: 1,
          }));
    const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : [];
    return {
      bytes,
      transaction,
      signatures: Object.values(transaction.signatures).map((signature) =>
        getBase58Decoder().decode(signature ?? new Uint8Array(64)),
      ),
      version: message.version,
      header: {
        numRequiredSignatures: numSignerAccounts,
        numReadonlySignedAccounts: numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
      },
      staticKeys: message.staticAccounts,
      blockhash: message.lifetimeToken,
      instructions,
      lookups: lookups.map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
        accountKey: lookupTableAddress,
        writableIndexes,
        readonlyIndexes,
      })),
      config: "configMask" in message ? readConfig(message.configMask, message.configValues) : undefined,
      limits: "configMask" in message ? readLimits(message.configMask, message.configValues) : undefined,
    };
  } catch (error) {
    throw invalidParams(`failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error}`);
  }
}

/** Reads the limits of a message of version 1: bits 0 and 1 are the priority fee, bit 2 the compute unit limit. */
function readConfig(mask: number, values: readonly { readonly value: number | bigint }[]) {
  const hasFee = (mask & 0b11) !== 0;
  const priorityFee = hasFee ? BigInt(values[0]?.value ?? 0) : 0n;
  const units = (mask & 0b100) !== 0 ? Number(values[hasFee ? 1 : 0]?.value) : undefined;
  return { priorityFee, units };
}

const LIMITS = ["priorityFee", "computeUnitLimit", "loadedAccountsDataSizeLimit", "heapSize"];

function readLimits(mask: number, values: readonly { readonly value: number | bigint }[]) {
  const named = LIMITS.filter((_, at) => mask & (at === 0 ? 0b11 : 0b10 << at));
  return Object.fromEntries(
    named.map((name, at) => [name, at === 0 && mask & 0b11 ? String(values[at]?.value) : Number(values[at]?.value)]),
  );
}

const LOOKUP_TABLE_HEADER = 56;

/** Resolves the lookup tables of a transaction; undefined when a table or an entry is missing. */
export function loadAddresses(
  { lookups }: DecodedTransaction,
  get: (address: string) => Account | undefined,
): ExecutedTransaction["loaded"] | undefined {
  const writable: Address[] = [];
  const readonly: Address[] = [];
  for (const { accountKey, writableIndexes, readonlyIndexes } of lookups) {
    const table = get(accountKey);
    if (table?.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM_ADDRESS) return undefined;
    const entry = (index: number) => {
      const offset = LOOKUP_TABLE_HEADER + index * 32;
      return offset + 32 <= table.data.length ? getAddressDecoder().decode(table.data, offset) : undefined;
    };
    const [forWriting, forReading] = [writableIndexes.map(entry), readonlyIndexes.map(entry)];
    if ([...forWriting, ...forReading].includes(undefined)) return undefined;
    writable.push(...(forWriting as Address[]));
    readonly.push(...(forReading as Address[]));
  }
  return { writable, readonly };
}

/** Programs and sysvars that no transaction can write to, and those whose instructions are cheap by default. */
const BUILTINS = new Set<string>([
  "11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "ComputeBudget111111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
]);
const RESERVED = new Set<string>([
  ...BUILTINS,
  "Stake11111111111111111111111111111111111111",
  "AddressLookupTab1e1111111111111111111111111",
  "Config1111111111111111111111111111111111111",
  "StakeConfig11111111111111111111111111111111",
  "NativeLoader1111111111111111111111111111111",
  "Sysvar1111111111111111111111111111111111111",
]);
const isReserved = (key: string) => RESERVED.has(key) || key.startsWith("Sysvar");

/** Returns the keys of a transaction: static ones, then loaded writable ones, then loaded read-only ones. */
export function keysOf(decoded: DecodedTransaction, loaded: ExecutedTransaction["loaded"]): readonly TransactionKey[] {
  const { staticKeys, header, instructions } = decoded;
  const { numRequiredSignatures: signers, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const called = new Set(instructions.map(({ programIdIndex }) => programIdIndex));
  const isWritable = (index: number) =>
    index < signers - numReadonlySignedAccounts ||
    (index >= signers && index < staticKeys.length - numReadonlyUnsignedAccounts);
  return [
    ...staticKeys.map((pubkey, index) => ({
      pubkey,
      signer: index < signers,
      writable: isWritable(index) && !isReserved(pubkey) && !called.has(index),
      source: "transaction" as const,
    })),
    ...loaded.writable.map((pubkey) => ({
      pubkey,
      signer: false,
      writable: !isReserved(pubkey),
      source: "lookupTable" as const,
    })),
    ...loaded.readonly.map((pubkey) => ({
      pubkey,
      signer: false,
      writable: false,
      source: "lookupTable" as const,
    })),
  ];
}

const BASE_FEE = 5000n;

/** Returns the compute unit limit and the fees of a transaction in lamports. */
export function feesOf(decoded: DecodedTransaction): {
  readonly units: number;
  readonly base: bigint;
  readonly priority: bigint;
} {
  const { instructions, staticKeys, header, config } = decoded;
  const base = BASE_FEE * BigInt(header.numRequiredSignatures);
  if (config !== undefined) return { units: config.units ?? 0, base, priority: config.priorityFee };
  let [units, price]: [number | undefined, bigint] = [undefined, 0n];
  let defaultUnits = 0;
  for (const { programIdIndex, data } of instructions) {
    const program = staticKeys[programIdIndex] ?? "";
    defaultUnits += BUILTINS.has(program) ? 3000 : 200_000;
    if (program !== COMPUTE_BUDGET_PROGRAM_ADDRESS) continue;
    if (data[0] === 2) units = getSetComputeUnitLimitInstructionDataDecoder().decode(data).units;
    if (data[0] === 3) price = BigInt(getSetComputeUnitPriceInstructionDataDecoder().decode(data).microLamports);
  }
  units = Math.min(units ?? defaultUnits, 1_400_000);
  return { units, base, priority: (BigInt(units) * price + 999_999n) / 1_000_000n };
}

/** Returns the cost of a transaction in a block, after the weights of the cost model. */
export function costOf(decoded: DecodedTransaction, keys: readonly TransactionKey[], units: bigint): bigint {
  const data = decoded.instructions.reduce((sum, instruction) => sum + instruction.data.length, 0);
  const locks = keys.filter(({ writable }) => writable).length;
  return BigInt(decoded.header.numRequiredSignatures * 720 + locks * 300 + Math.floor(data / 4) + 8) + units;
}
