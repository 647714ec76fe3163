/** Reads accounts of a node, in as few calls as possible. */
import { isArray, isMissing, type Json, type JsonObject, splitIntoBatches } from "../../../base/index.ts";
import {
  amountOf,
  type ChainAccount,
  decodeAccount,
  listOf,
  objectOf,
  PROGRAM,
  textOf,
} from "../../../chain/solana/index.ts";
import type { AnswerContext } from "../answer.ts";

/** The part of a context that reading depends on. */
export type ReadContext = Pick<AnswerContext, "node" | "session" | "sending">;

/** Accounts of one `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100;

/** The programs of tokens. */
const TOKEN_PROGRAMS = [PROGRAM.token, PROGRAM.token2022] as const;

/** Reads accounts, parsed where the node can; undefined for those that do not exist. */
export async function readAccounts(
  { node, sending }: ReadContext,
  addresses: readonly string[],
): Promise<readonly (ChainAccount | undefined)[]> {
  const options = { encoding: "jsonParsed", commitment: node.commitment };
  const batches = splitIntoBatches(addresses, ACCOUNTS_PER_CALL);
  const pages = await Promise.all(
    batches.map((batch) => node.call("getMultipleAccounts", [batch, options], sending).then(valuesOf)),
  );
  return pages.flat().map((value, at) => (isMissing(value) ? undefined : decodeAccount(addresses[at] ?? "", value)));
}

/** Reads one account. */
export async function readAccount(context: ReadContext, address: string): Promise<ChainAccount | undefined> {
  const [account] = await readAccounts(context, [address]);
  return account;
}

/** Returns the list in the `value` of an answer with a context. */
const valuesOf = (result: Json) => listOf(objectOf(result, "result").value, "result.value");

/** Reads the accounts of a list of `{pubkey, account}`: of token accounts, of a program. */
export function accountsOf(result: Json): readonly ChainAccount[] {
  const rows = isArray(result) ? listOf(result, "result") : valuesOf(result);
  return rows.map((row) => {
    const { pubkey, account } = objectOf(row, "a row of the result");
    return decodeAccount(textOf(pubkey, "pubkey"), account ?? null);
  });
}

/** Reads the token accounts of a wallet, of both token programs. */
export async function readTokenAccounts(context: ReadContext, owner: string): Promise<readonly TokenAccountState[]> {
  const { node, sending } = context;
  const options = { encoding: "jsonParsed", commitment: node.commitment };
  const lists = await Promise.all(
    TOKEN_PROGRAMS.map((programId) =>
      node.call("getTokenAccountsByOwner", [owner, { programId }, options], sending).then(accountsOf),
    ),
  );
  return lists.flat().flatMap((account) => tokenAccountOf(account) ?? []);
}

/** A token account. */
export interface TokenAccountState {
  readonly address: string;
  readonly mint: string;
  readonly owner: string;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
  readonly lamports: bigint;
  readonly rentEpoch: bigint;
}

/** Returns the state of a token account; undefined for other accounts. */
export function tokenAccountOf({ address, parsed, lamports, rentEpoch }: ChainAccount): TokenAccountState | undefined {
  if (parsed?.type !== "account") return undefined;
  const { mint, owner, tokenAmount } = parsed.info as {
    readonly mint: string;
    readonly owner: string;
    readonly tokenAmount?: { readonly amount: string; readonly decimals: number };
  };
  if (tokenAmount === undefined) return undefined;
  const { amount, decimals } = tokenAmount;
  return { address, mint, owner, amount: amountOf(amount, "tokenAmount.amount"), decimals, lamports, rentEpoch };
}

/** Kinds of accounts by the parser and the parsed type; `*` stands for any type. */
const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "spl-token": { account: "token_account", mint: "mint" },
  "spl-token-2022": { account: "token_account", mint: "mint" },
  stake: { "*": "stake_account" },
  vote: { "*": "vote_account" },
};

/** Returns the kind of an account as the API names it; what does not exist is an empty wallet. */
export function kindOf(account: ChainAccount | undefined): string {
  if (account === undefined) return "system_account";
  if (account.executable) return "program";
  const kinds = KINDS[account.parsed?.program ?? ""];
  const kind = kinds?.[account.parsed?.type ?? ""] ?? kinds?.["*"];
  return kind ?? (account.owner === PROGRAM.system ? "system_account" : "account");
}

/** Returns a member of a parsed account as an object. */
export const infoOf = (account: ChainAccount | undefined): JsonObject => account?.parsed?.info ?? {};
