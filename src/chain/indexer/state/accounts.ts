/** Reads accounts of a node. */
import { isArray, isMissing, isObject, type Json, SolxError, splitIntoBatches } from "../../../base/index.ts";
import {
  type CallOptions,
  type ChainAccount,
  countOf,
  decodeAccount,
  listOf,
  type NodeConnection,
  objectOf,
  textOf,
} from "../../solana/index.ts";

/** Maximum number of accounts per request. */
const ACCOUNTS_PER_REQUEST = 100;

/** How accounts are read. */
export interface StateOptions {
  readonly commitment?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Accounts, and the latest slot of their state: 0 where an old node does not say it. */
export interface AccountStates {
  readonly slot: number;
  readonly accounts: readonly ChainAccount[];
}

const sendingOf = ({ signal }: StateOptions): CallOptions => ({ signal, priority: "background", fresh: true });

/** Returns the accounts that exist. */
export async function readAccounts(
  node: NodeConnection,
  addresses: readonly string[],
  options: StateOptions = {},
): Promise<AccountStates> {
  const { commitment = node.commitment } = options;
  const batches = splitIntoBatches(addresses, ACCOUNTS_PER_REQUEST);
  const calls = batches.map((batch) => ({
    method: "getMultipleAccounts",
    params: [batch, { commitment, encoding: "base64" }],
  }));
  const accounts: ChainAccount[] = [];
  let slot = 0;
  const results = await node.callMany(calls, sendingOf(options));
  for (const [n, result] of results.entries()) {
    if (result instanceof SolxError) throw result;
    slot = Math.max(slot, slotOf(result));
    const values = listOf(objectOf(result, "result").value, "result.value");
    for (const [at, value] of values.entries()) {
      const address = batches[n]?.[at];
      if (address !== undefined && !isMissing(value)) accounts.push(decodeAccount(address, value));
    }
  }
  return { slot, accounts };
}

/** Options of {@link readProgramAccounts}. */
export interface ProgramAccountsOptions extends StateOptions {
  readonly filters?: readonly Json[];
  /** Number of bytes of the data to read; all by default. */
  readonly bytes?: number;
}

/** Returns the accounts of a program. @throws SolxError when the node refuses to list them */
export async function readProgramAccounts(
  node: NodeConnection,
  program: string,
  options: ProgramAccountsOptions = {},
): Promise<AccountStates> {
  const { commitment = node.commitment, filters = [], bytes } = options;
  const config = {
    commitment,
    encoding: "base64",
    withContext: true,
    ...(filters.length > 0 && { filters }),
    ...(bytes !== undefined && { dataSlice: { offset: 0, length: bytes } }),
  };
  const result = await node.call("getProgramAccounts", [program, config], sendingOf(options));
  // Old nodes ignore `withContext`.
  const [slot, list] = isArray(result)
    ? [0, result]
    : [slotOf(result), listOf(objectOf(result, "result").value, "result.value")];
  return {
    slot,
    accounts: list.map((item) => {
      const { pubkey, account } = objectOf(item, "result.value[]");
      return decodeAccount(textOf(pubkey, "result.value[].pubkey"), account);
    }),
  };
}

const slotOf = (result: Json): number =>
  isObject(result) && isObject(result.context) ? countOf(result.context.slot, "result.context.slot") : 0;
