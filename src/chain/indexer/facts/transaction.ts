/** A transaction of the chain as facts, with trades and changes of liquidity as DeFi activities. */
import { stringifyJson } from "../../../base/index.ts";
import { DEFI_ACTIVITIES } from "../../../catalogue/index.ts";
import {
  type DefiFact,
  encodePositions,
  type InstructionFact,
  type RouteFact,
  type TransactionFact,
  UNNAMED_INSTRUCTION,
} from "../../ledger/index.ts";
import {
  alignLogs,
  type ChainTransaction,
  type Exchanges,
  type LiquidityChange,
  type LogCall,
  PROGRAM,
  priorityFeeOf,
  programName,
  type Swap,
} from "../../solana/index.ts";
import { collectChanges, collectHoldings, collectKeys, RunningBalances } from "./balances.ts";
import { type Call, collectCalls, isVote, labelOf } from "./calls.ts";
import type { ChainKnowledge } from "./knowledge.ts";
import { collectTransfers } from "./transfers.ts";

const typeOf = (type: (typeof DEFI_ACTIVITIES)[number]): number => DEFI_ACTIVITIES.indexOf(type);
const [SWAP, AGGREGATED_SWAP] = [typeOf("ACTIVITY_TOKEN_SWAP"), typeOf("ACTIVITY_AGG_TOKEN_SWAP")];
const [ADD_LIQUIDITY, REMOVE_LIQUIDITY] = [typeOf("ACTIVITY_TOKEN_ADD_LIQ"), typeOf("ACTIVITY_TOKEN_REMOVE_LIQ")];

const legsOf = ({ in: paid, out: received }: Pick<Swap, "in" | "out">) => ({
  token1: paid.mint,
  amount1: paid.amount,
  token2: received.mint,
  amount2: received.amount,
});

/** Returns the route of a trade: an aggregator stands for its pools. */
function routeOf(swap: Swap): RouteFact {
  const { program } = swap;
  if (swap.kind === "swap") return { pool: swap.pool, program, isTrade: true, ...legsOf(swap) };
  return { pool: program, program, isTrade: false, ...legsOf(swap), children: swap.hops.map(routeOf) };
}

function swapFact(swap: Swap): DefiFact {
  const { instruction, program: platform, owner: from } = swap;
  const isDirect = swap.kind === "swap";
  return {
    instruction,
    type: isDirect ? SWAP : AGGREGATED_SWAP,
    from,
    to: isDirect ? swap.pool : from,
    platform,
    ...legsOf(swap),
    routes: [routeOf(swap)],
  };
}

function liquidityFact({ instruction, kind, program, owner, pool, legs }: LiquidityChange): readonly DefiFact[] {
  const [first, second] = legs;
  if (!first) return [];
  const amounts = {
    token1: first.mint,
    amount1: first.amount,
    ...(second && { token2: second.mint, amount2: second.amount }),
  };
  const type = kind === "add-liquidity" ? ADD_LIQUIDITY : REMOVE_LIQUIDITY;
  const routes = [{ pool, program, isTrade: false, ...amounts }];
  return [{ instruction, type, from: owner, to: pool, platform: program, ...amounts, routes }];
}

const activitiesOf = ({ swaps, liquidity }: Exchanges): readonly DefiFact[] =>
  [...swaps.map(swapFact), ...liquidity.flatMap(liquidityFact)].sort((a, b) => a.instruction - b.instruction);

const LIQUIDITY_LABELS = { "add-liquidity": "addLiquidity", "remove-liquidity": "removeLiquidity" } as const;

/** Exchanges with these instructions label them so. */
const SIDES: ReadonlySet<string | undefined> = new Set(["buy", "sell"]);

/**
 * Returns the labels of the instructions of exchanges by their position: `raydium:swap`, `pumpfun:buy`.
 * @param typeAt returns the exchange's own name of an instruction
 */
function exchangeLabels(
  { swaps, liquidity }: Exchanges,
  typeAt: (instruction: number) => string | undefined,
): ReadonlyMap<number, string> {
  const withHops = (swap: Swap): readonly Swap[] => [
    swap,
    ...(swap.kind === "route" ? swap.hops.flatMap(withHops) : []),
  ];
  const trades = swaps.flatMap(withHops).map(({ instruction, kind, platform }) => {
    const type = typeAt(instruction);
    const trade = SIDES.has(type) ? type : "swap";
    return [instruction, `${platform}:${kind === "route" ? "aggregateSwap" : trade}`] as const;
  });
  const changes = liquidity.map(
    ({ instruction, kind, platform }) => [instruction, `${platform}:${LIQUIDITY_LABELS[kind]}`] as const,
  );
  return new Map([...trades, ...changes]);
}

/** A transaction that was replayed: its facts, and the instructions and balances that they come from. */
export interface ReplayedTransaction {
  readonly fact: TransactionFact;
  readonly calls: readonly Call[];
  /** The balances after its instructions. */
  readonly balances: RunningBalances;
}

/** Returns the facts of a transaction. */
export function replayTransaction(
  transaction: ChainTransaction,
  exchanges: Exchanges,
  knowledge: ChainKnowledge,
): ReplayedTransaction {
  const calls = collectCalls(transaction);
  const balances = new RunningBalances(transaction, knowledge);
  const transfers = transaction.error === undefined ? collectTransfers(calls, balances) : [];
  const [signature = "", ...otherSignatures] = transaction.signatures;
  const { error, index, version, computeUnits, costUnits, logs, lookups } = transaction;
  const fact: TransactionFact = {
    signature,
    ...(otherSignatures.length > 0 && { otherSignatures }),
    ...(index !== undefined && { index }),
    fee: transaction.fee,
    priorityFee: priorityFeeOf(transaction),
    ...(error !== undefined && { error: stringifyJson(error) }),
    ...(isVoteTransaction(transaction, calls) && { isVote: true }),
    ...(computeUnits !== undefined && { computeUnits }),
    ...(costUnits !== undefined && { costUnits }),
    ...(version !== "legacy" && { version }),
    ...(transaction.blockhash !== "" && { recentBlockhash: transaction.blockhash }),
    ...(lookups.length > 0 && { lookups }),
    ...(logs !== undefined && { logs }),
    keys: collectKeys(transaction),
    instructions: collectInstructions(transaction, calls, exchanges),
    transfers,
    changes: collectChanges(transaction, knowledge),
    holdings: collectHoldings(transaction, knowledge),
    defi: activitiesOf(exchanges),
    nfts: [],
  };
  return { fact, calls, balances };
}

/** Whether a transaction is a vote and nothing else, as validators count them. */
function isVoteTransaction({ version, signatures }: ChainTransaction, calls: readonly Call[]): boolean {
  const [call] = calls;
  const isOnly = calls.length === 1 && version === "legacy" && signatures.length <= 2;
  return isOnly && call?.instruction.program === PROGRAM.vote && isVote(call.type ?? "");
}

function collectInstructions(
  transaction: ChainTransaction,
  calls: readonly Call[],
  exchanges: Exchanges,
): readonly InstructionFact[] {
  const positions = new Map(transaction.keys.map(({ address }, position) => [address, position]));
  // The names that programs print of their instructions.
  const names = alignLogs(transaction).map((logged) => logged && nameIn(logged));
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

/** The first line of a program that names its instructions is the name; calls come later. */
function nameIn({ entries: [first] }: LogCall): string | undefined {
  const name = typeof first === "string" ? LOGGED_NAME.exec(first)?.[1] : undefined;
  return name && name.charAt(0).toLowerCase() + name.slice(1);
}
