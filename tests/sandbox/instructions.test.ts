/**
 * The instructions of simulated transactions, read by parsers of other projects: the published clients of Solana's own
 * programs, and Codama's parsers for the others. These read by published IDLs where `PROGRAM_IDLS` names a folder with them,
 * and by the project's own interfaces otherwise. `LAW_CASES` is the number of transactions of all worlds together.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { parseAccountData, parseInstruction } from "@codama/dynamic-parsers";
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit";
import * as lookupTables from "@solana-program/address-lookup-table";
import * as computeBudget from "@solana-program/compute-budget";
import * as stake from "@solana-program/stake";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/index.ts";
import { decodeBase58 } from "../../src/base/index.ts";
import type { AccountData } from "../../src/chain/ledger/queries/account/account-data.ts";
import { readAccountData } from "../../src/chain/ledger/queries/account/data.ts";
import { readState } from "../../src/chain/ledger/queries/account/state.ts";
import { nodeTransaction } from "../../src/chain/ledger/queries/transaction/node-transaction.ts";
import type { LedgerReader } from "../../src/chain/ledger/store/reader.ts";
import { PROGRAMS } from "../../src/chain/world/data/programs.ts";
import { worldLedger } from "../support/ledger.ts";
import { programRoot } from "../support/program-idls.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of nodes, and nodes of Codama, are read as they are
type Any = any;

const CASES = Number(process.env.LAW_CASES ?? 300);
const SEEDS = CASES > 1000 ? ["test", "another", "Ωmega", "third", "5", "six"] : ["test", "another"];
const CASES_EACH = Math.ceil(CASES / SEEDS.length);

const { address: NATIVE } = PROGRAMS.system;
const CLIENTS: Readonly<Record<string, readonly [client: Any, program: string]>> = {
  [NATIVE]: [system, "System"],
  [PROGRAMS.token.address]: [token, "Token"],
  [PROGRAMS.token2022.address]: [token2022, "Token2022"],
  [PROGRAMS.associatedToken.address]: [token, "AssociatedToken"],
  [PROGRAMS.computeBudget.address]: [computeBudget, "ComputeBudget"],
  [PROGRAMS.lookupTable.address]: [lookupTables, "AddressLookupTable"],
  [PROGRAMS.stake.address]: [stake, "Stake"],
};

interface ReadInstruction {
  readonly program: string;
  readonly programAddress: string;
  readonly accounts: readonly { readonly address: string; readonly role: number }[];
  readonly data: Uint8Array;
  readonly isTop: boolean;
}

/** Programs whose data is text as a whole. */
const TEXTS = ["spl-memo", "spl_noop"];

const NAMES = new Map(Object.values(PROGRAMS).map(({ address, name }) => [address, name]));

/** Returns the instructions of a transaction, inner ones too, with the roles of their accounts. */
function instructionsOf(db: LedgerReader, id: number): readonly ReadInstruction[] {
  const { transaction, meta }: Any = nodeTransaction(db, id, "json")[0];
  const { header, accountKeys, instructions } = transaction.message;
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const keys = [...accountKeys, ...writable, ...readonly];
  expect(new Set(keys).size).toBe(keys.length);
  const signers = header.numRequiredSignatures;
  const isWritable = (at: number): boolean => {
    if (at < signers) return at < signers - header.numReadonlySignedAccounts;
    const end = accountKeys.length - header.numReadonlyUnsignedAccounts;
    return at < end || (at >= accountKeys.length && at < accountKeys.length + writable.length);
  };
  const read = ({ programIdIndex, accounts, data }: Any, isTop: boolean): ReadInstruction => ({
    program: NAMES.get(keys[programIdIndex]) ?? "unknown",
    programAddress: keys[programIdIndex],
    accounts: accounts.map((at: number) => ({
      address: keys[at],
      role: (at < signers ? 2 : 0) + (isWritable(at) ? 1 : 0),
    })),
    data: decodeBase58(data),
    isTop,
  });
  return [
    ...instructions.map((each: Any) => read(each, true)),
    ...meta.innerInstructions.flatMap((list: Any) => list.instructions.map((each: Any) => read(each, false))),
  ];
}

/** Reads an instruction by the client of its program, and encodes it again. */
function readByClient([client, program]: readonly [Any, string], instruction: ReadInstruction): void {
  const parsed = client[`parse${program}Instruction`](instruction);
  const name = client[`${program}Instruction`][parsed.instructionType];
  const encoder = client[`get${name}InstructionDataEncoder`]();
  // The clients leave out the extensions of this one, which transactions of the chain have.
  const data = name === "GetAccountDataSize" ? instruction.data.subarray(0, 1) : instruction.data;
  expect([name, Buffer.from(encoder.encode(parsed.data))]).toEqual([name, Buffer.from(data)]);
}

function isReadable(root: Any, instruction: ReadInstruction): boolean {
  try {
    return parseInstruction(root, instruction as Any) !== undefined;
  } catch {
    return false;
  }
}

const roots = new Map<string, Any>();

/** Reads an instruction by the IDL of its program: nothing of its data is left, and the accounts have their roles. */
function readByIdl(instruction: ReadInstruction): void {
  const { program, accounts, data, programAddress, isTop } = instruction;
  if (!roots.has(program)) roots.set(program, programRoot(program));
  const root = roots.get(program);
  expect([program, root !== undefined || TEXTS.includes(program)]).toEqual([program, true]);
  if (root === undefined) return;
  const parsed: Any = parseInstruction(root, instruction as Any);
  expect([program, Buffer.from(data).toString("hex"), parsed !== undefined]).toEqual([
    program,
    expect.any(String),
    true,
  ]);
  const node = parsed.path.at(-1);
  // If bytes were left, the data would be whole without the last one.
  const shorter = { ...instruction, data: data.subarray(0, -1) };
  expect([program, node.name, isReadable(root, shorter)]).toEqual([program, node.name, false]);
  expect(accounts.length).toBeGreaterThanOrEqual(node.accounts.length);
  for (const [at, { name, isWritable, isSigner, defaultValue }] of node.accounts.entries()) {
    const { address, role } = accounts[at] as Any;
    const label = `${program} ${node.name} ${name}`;
    if (address === programAddress) continue;
    if (isWritable) expect([label, role & 1]).toEqual([label, 1]);
    if (isTop && isSigner === true) expect([label, role & 2]).toEqual([label, 2]);
    if (defaultValue?.publicKey && !/tokenProgram/i.test(name))
      expect([label, address]).toEqual([label, defaultValue.publicKey]);
  }
}

describe.each(SEEDS)("the chain of seed %s", (seed) => {
  test("every instruction is read by its client or its IDL, with nothing left", async () => {
    const { reader: db } = await worldLedger({ seed });
    const ids = db.all("SELECT id FROM transactions WHERE signature IS NOT NULL").map(({ id }) => Number(id));
    const step = Math.max(1, Math.floor(ids.length / CASES_EACH));
    for (const id of ids.filter((_, at) => at % step === 0)) {
      for (const instruction of instructionsOf(db, id)) {
        const client = CLIENTS[instruction.programAddress];
        if (client) readByClient(client, instruction);
        else readByIdl(instruction);
      }
    }
  });

  test("pools have the layouts and the rent of their programs", async () => {
    const { reader: db } = await worldLedger({ seed });
    const pools = db.all("SELECT a.address FROM pools p JOIN accounts a ON a.id = p.account_id");
    const kinds = pools.map(({ address }) => {
      const state = readState(db, String(address));
      const { bytes, decode } = readAccountData(db, state) as Required<AccountData>;
      const { name, data } = decode() as Any;
      const hash = createHash("sha256").update(`account:${name}`).digest();
      if (name !== "AmmInfo") expect(Buffer.from(bytes).subarray(0, 8)).toEqual(hash.subarray(0, 8));
      expect(Number(state.lamports)).toBeGreaterThanOrEqual((bytes.length + 128) * 6960);
      const root = programRoot(NAMES.get(state.ownerProgram ?? "") ?? "");
      if (root?.program.accounts.length > 0) expect(parseAccountData(root as Any, bytes)).toBeDefined();
      expect(Object.keys(data).length).toBeGreaterThan(10);
      return `${name} ${bytes.length}`;
    });
    const expected = ["AmmInfo 752", "BondingCurve 151", "LbPair 904", "Pool 300", "PoolState 1544", "Whirlpool 653"];
    expect([...new Set(kinds)].sort()).toEqual(expected);
  });

  test("transactions are read by the decoder of Solana's client", async () => {
    const { reader: db } = await worldLedger({ seed });
    const ids = db
      .all("SELECT id FROM transactions ORDER BY id LIMIT ? OFFSET 1", CASES_EACH)
      .map(({ id }) => Number(id));
    for (const id of ids) {
      const [json] = nodeTransaction(db, id, "json") as Any;
      const [{ transaction }] = nodeTransaction(db, id, "base64") as Any;
      const decoded = getTransactionDecoder().decode(Buffer.from(transaction[0], "base64"));
      const message = getCompiledTransactionMessageDecoder().decode(decoded.messageBytes) as Any;
      expect(message.staticAccounts).toEqual(json.transaction.message.accountKeys);
      expect(message.instructions.map(({ programAddressIndex }: JsonObject) => programAddressIndex)).toEqual(
        json.transaction.message.instructions.map(({ programIdIndex }: JsonObject) => programIdIndex),
      );
    }
  });
});
