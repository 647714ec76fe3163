/** A transaction of the chain as facts. */
import { stringifyJson } from "../../../base/index.ts";
import {
  encodePositions,
  type InstructionFact,
  type TransactionFact,
  UNNAMED_INSTRUCTION,
} from "../../ledger/index.ts";
import {
  type ChainTransaction,
  type Exchanges,
  type LogCall,
  logTree,
  PROGRAM,
  programName,
} from "../../solana/index.ts";
import { changesOf, holdingsOf, keysOf, RunningBalances } from "./balances.ts";
import { type Call, callsOf } from "./calls.ts";
import { activitiesOf, exchangeLabels } from "./defi.ts";
import type { ChainKnowledge } from "./knowledge.ts";
import { isVote, labelOf } from "./labels.ts";
import { PRECOMPILES } from "./programs.ts";
import { transfersOf } from "./transfers.ts";

/** A transaction that was replayed: its facts, and the instructions and balances that they come from. */
export interface ReplayedTransaction {
  readonly fact: TransactionFact;
  readonly calls: readonly Call[];
  /** The balances after its instructions. */
  readonly balances: RunningBalances;
}

/** Lamports of a signature, where a cluster has the fees of mainnet. */
const LAMPORTS_PER_SIGNATURE = 5000n;

/** Returns the facts of a transaction. */
export function replayTransaction(
  transaction: ChainTransaction,
  exchanges: Exchanges,
  knowledge: ChainKnowledge,
): ReplayedTransaction {
  const calls = callsOf(transaction);
  const balances = new RunningBalances(transaction, knowledge);
  const transfers = transaction.error === undefined ? transfersOf(calls, balances) : [];
  const [signature = "", ...otherSignatures] = transaction.signatures;
  const { error, index, version, computeUnits, costUnits, logs, lookups } = transaction;
  const fact: TransactionFact = {
    signature,
    ...(otherSignatures.length > 0 && { otherSignatures }),
    ...(index !== undefined && { index }),
    fee: transaction.fee,
    priorityFee: priorityFeeOf(transaction),
    ...(error !== undefined && { error: stringifyJson(error) }),
    ...(isVoteTransaction(transaction, calls) && { vote: true }),
    ...(computeUnits !== undefined && { computeUnits }),
    ...(costUnits !== undefined && { costUnits }),
    ...(version !== "legacy" && { version }),
    ...(transaction.blockhash !== "" && { recentBlockhash: transaction.blockhash }),
    ...(lookups.length > 0 && { lookups }),
    ...(logs !== undefined && { logs }),
    keys: keysOf(transaction),
    instructions: instructionsOf(transaction, calls, exchanges),
    transfers,
    changes: changesOf(transaction, knowledge),
    holdings: holdingsOf(transaction, knowledge),
    defi: activitiesOf(exchanges),
    nfts: [],
  };
  return { fact, calls, balances };
}

/** Returns the fee beyond that of the signatures. */
function priorityFeeOf({ fee, signatures, instructions }: ChainTransaction): bigint {
  let count = BigInt(signatures.length);
  for (const { program, parent, data } of instructions) {
    if (parent === -1 && PRECOMPILES.has(program)) count += BigInt(data?.[0] ?? 0);
  }
  const base = count * LAMPORTS_PER_SIGNATURE;
  return fee > base ? fee - base : 0n;
}

/** Whether a transaction is a vote and nothing else, as validators count them. */
function isVoteTransaction({ version, signatures }: ChainTransaction, calls: readonly Call[]): boolean {
  const [call] = calls;
  const isOnly = calls.length === 1 && version === "legacy" && signatures.length <= 2;
  return isOnly && call?.instruction.program === PROGRAM.vote && isVote(call.type ?? "");
}

function instructionsOf(
  transaction: ChainTransaction,
  calls: readonly Call[],
  exchanges: Exchanges,
): readonly InstructionFact[] {
  const positions = new Map(transaction.keys.map(({ address }, position) => [address, position]));
  const names = loggedNames(transaction);
  const labels = exchangeLabels(exchanges, (index) => names[index]);
  return calls.map((call) => {
    const { instruction, type: parsedType } = call;
    const type = parsedType ?? names[call.index] ?? UNNAMED_INSTRUCTION;
    const accounts = accountsOf(call).flatMap((address) => positions.get(address) ?? []);
    return {
      program: instruction.program,
      type,
      parsedType: labels.get(call.index) ?? labelOf(programName(instruction.program) ?? "", type),
      parent: instruction.parent,
      accounts: encodePositions(accounts),
      ...(instruction.data ? { data: instruction.data } : { info: call.info }),
    };
  });
}

/** Returns the accounts of an instruction; where a node returned only the parsed form, those that it names. */
const accountsOf = ({ instruction, info }: Call): readonly string[] =>
  instruction.accounts ??
  Object.values(info)
    .flat()
    .filter((value) => typeof value === "string");

const LOGGED_NAME = /^Instruction: (\w{1,64})$/;

/** Returns the names that programs print of their instructions, by the position of the instruction. */
function loggedNames({ logs, instructions }: ChainTransaction): readonly (string | undefined)[] {
  if (!logs) return [];
  const names: (string | undefined)[] = [];
  const calls = logTree(logs).calls.flatMap(withInner);
  let next = 0;
  for (const { program, height } of instructions) {
    // Precompiled programs and some calls are not in the log.
    const call = calls[next];
    const isLogged = call?.program === program && call.depth === height;
    names.push(isLogged ? nameIn(call) : undefined);
    if (isLogged) next++;
  }
  return names;
}

const withInner = (call: LogCall): readonly LogCall[] => [
  call,
  ...call.entries.flatMap((entry) => (typeof entry === "string" ? [] : withInner(entry))),
];

/** The first line of a program that names its instructions is the name; calls come later. */
function nameIn({ entries: [first] }: LogCall): string | undefined {
  const name = typeof first === "string" ? LOGGED_NAME.exec(first)?.[1] : undefined;
  return name && name.charAt(0).toLowerCase() + name.slice(1);
}
