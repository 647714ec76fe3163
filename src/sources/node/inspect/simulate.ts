/** Simulation of a transaction by a node. */
import { Buffer } from "node:buffer";
import { isMissing, type Json, type JsonObject, omitUndefined, toNumber, toWholeUnits } from "../../../base/index.ts";
import {
  type ChainAccount,
  type ChainTransaction,
  decodeAccount,
  isWritable,
  objectOf,
  optionalList,
  textOf,
  transactionErrorText,
  type WireTransaction,
} from "../../../chain/solana/index.ts";
import type { ReadContext } from "../answer.ts";
import { readAccounts, type TokenAccountState, tokenAccountOf } from "../state/accounts.ts";
import { readMints } from "../state/mints.ts";
import { exactNumber } from "../state/values.ts";

/** Addresses that a transaction takes from lookup tables. */
export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** The result of a simulation. */
export interface Simulation {
  readonly error: Json | undefined;
  readonly logs: readonly string[];
  readonly units: number | undefined;
  readonly innerInstructions: readonly Json[];
  readonly returnData: Json | undefined;
  /** Lamports of all keys. */
  readonly preBalances: readonly Json[];
  readonly postBalances: readonly Json[];
  /** Accounts that can change, before and after. */
  readonly changes: readonly AccountChange[];
  readonly symbols: ReadonlyMap<string, string>;
}

interface AccountChange {
  readonly address: string;
  readonly before: ChainAccount | undefined;
  readonly after: ChainAccount | undefined;
}

/** What is simulated. */
interface Subject {
  readonly wire: WireTransaction;
  readonly bytes: Uint8Array;
  readonly loaded: LoadedAddresses | undefined;
}

/**
 * Simulates a transaction.
 * @param isStrict whether signatures and blockhash have to be valid
 */
export async function simulate(
  context: ReadContext,
  { wire, bytes, loaded }: Subject,
  isStrict: boolean,
): Promise<Simulation> {
  const { node, sending } = context;
  const { header, keys } = wire.message;
  const { writable = [], readonly = [] } = loaded ?? {};
  const all = [...keys, ...writable, ...readonly];
  const changeable = [...keys.filter((_, at) => isWritable(header, keys.length, at)), ...writable];
  const before = await readAccounts(context, all);
  const result = await node.call(
    "simulateTransaction",
    [
      Buffer.from(bytes).toString("base64"),
      {
        encoding: "base64",
        commitment: node.commitment,
        sigVerify: isStrict,
        replaceRecentBlockhash: !isStrict,
        innerInstructions: true,
        accounts: { encoding: "jsonParsed", addresses: changeable },
      },
    ],
    sending,
  );
  const value = objectOf(objectOf(result, "result").value, "result.value");
  const after = new Map(
    optionalList(value.accounts, "accounts").map((account, at) => {
      const address = changeable[at] ?? "";
      return [address, isMissing(account) ? undefined : decodeAccount(address, account)] as const;
    }),
  );
  const error = isMissing(value.err) ? undefined : value.err;
  // Accounts are null after a failure, which changes nothing but the fee.
  const isChanged = (address: string) => error === undefined && after.has(address);
  const changes = all.flatMap((address, at) =>
    isChanged(address) ? [{ address, before: before[at], after: after.get(address) }] : [],
  );
  const balance = (account: ChainAccount | undefined) => exactNumber(account?.lamports ?? 0n);
  return {
    error,
    logs: optionalList(value.logs, "logs").map((line) => textOf(line, "logs")),
    units: toNumber(value.unitsConsumed),
    innerInstructions: optionalList(value.innerInstructions, "innerInstructions"),
    returnData: isMissing(value.returnData) ? undefined : value.returnData,
    preBalances: before.map(balance),
    postBalances: all.map((address, at) => balance(isChanged(address) ? after.get(address) : before[at])),
    changes,
    symbols: await symbolsOf(context, changes),
  };
}

/** Reads the symbols of the tokens whose balances change. */
async function symbolsOf(
  context: ReadContext,
  changes: readonly AccountChange[],
): Promise<ReadonlyMap<string, string>> {
  const mints = await readMints(
    context,
    changes.flatMap(({ before, after }) => tokenOf(after)?.mint ?? tokenOf(before)?.mint ?? []),
  );
  return new Map([...mints].flatMap(([mint, { symbol }]) => (symbol === undefined ? [] : [[mint, symbol] as const])));
}

const tokenOf = (account: ChainAccount | undefined): TokenAccountState | undefined =>
  account && tokenAccountOf(account);

/** Returns the result as JSON: outcome, units, logs and what changes. */
export function simulationJson(transaction: ChainTransaction, simulation: Simulation): JsonObject {
  const { error, logs, units, returnData, changes, symbols } = simulation;
  return omitUndefined({
    status: error === undefined ? "ok" : "failed",
    error,
    error_text: error === undefined ? undefined : transactionErrorText(error, { ...transaction, logs }),
    compute_units: units,
    sol_changes: changes.flatMap(solChange),
    token_changes: changes.flatMap((change) => tokenChange(change, symbols)),
    return_data: returnData,
    logs,
  });
}

function solChange({ address, before, after }: AccountChange): readonly JsonObject[] {
  const [pre, post] = [before?.lamports ?? 0n, after?.lamports ?? 0n];
  if (pre === post) return [];
  return [{ address, pre: exactNumber(pre), post: exactNumber(post), change: exactNumber(post - pre) }];
}

function tokenChange(
  { address, before, after }: AccountChange,
  symbols: ReadonlyMap<string, string>,
): readonly JsonObject[] {
  const [pre, post] = [tokenOf(before), tokenOf(after)];
  const token = post ?? pre;
  const change = (post?.amount ?? 0n) - (pre?.amount ?? 0n);
  if (!token || change === 0n) return [];
  const { mint, owner, decimals } = token;
  return [
    omitUndefined({
      address,
      owner,
      mint,
      symbol: symbols.get(mint),
      decimals,
      pre: String(pre?.amount ?? 0n),
      post: String(post?.amount ?? 0n),
      change: String(change),
      change_ui: toWholeUnits(change, decimals),
    }),
  ];
}
