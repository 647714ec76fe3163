/** Token balances of a transaction: the lists before and after, joined by account. */
import type { Json } from "../../../base/index.ts";
import { amountOf, countOf, malformed, objectOf, optionalList, optionalText, textOf } from "../members.ts";
import type { TokenBalance } from "../model.ts";

interface Row {
  readonly account: string;
  readonly mint: string;
  readonly decimals: number;
  readonly owner: string | undefined;
  readonly program: string | undefined;
  readonly amount: bigint;
}

/**
 * Returns one entry for each token account. An account that was closed and opened again for another mint has two.
 * @param keys the addresses that the entries refer to
 */
export function joinTokenBalances(
  pre: Json | undefined,
  post: Json | undefined,
  keys: readonly string[],
): readonly TokenBalance[] {
  const before = rowsOf(pre, "preTokenBalances", keys);
  const after = rowsOf(post, "postTokenBalances", keys);
  if (before.size === 0 && after.size === 0) return [];
  return [...new Set([...before.keys(), ...after.keys()])].map((id) => joinRows(before.get(id), after.get(id)));
}

function joinRows(before: Row | undefined, after: Row | undefined): TokenBalance {
  const { account, mint, decimals, program } = (after ?? before) as Row;
  return {
    account,
    mint,
    decimals,
    ownerBefore: before?.owner,
    owner: after?.owner,
    program: program ?? before?.program,
    pre: before?.amount ?? 0n,
    post: after?.amount ?? 0n,
    existedBefore: before !== undefined,
    existsAfter: after !== undefined,
  };
}

function rowsOf(value: Json | undefined, member: string, keys: readonly string[]): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const item of optionalList(value, `meta.${member}`)) {
    const row = rowOf(item, `meta.${member}[]`, keys);
    rows.set(`${row.account} ${row.mint}`, row);
  }
  return rows;
}

function rowOf(value: Json, member: string, keys: readonly string[]): Row {
  const row = objectOf(value, member);
  const index = countOf(row.accountIndex, `${member}.accountIndex`);
  const account = keys[index];
  if (account === undefined) throw malformed(`${member}.accountIndex`, "the position of a key");
  const amount = objectOf(row.uiTokenAmount, `${member}.uiTokenAmount`);
  return {
    account,
    mint: textOf(row.mint, `${member}.mint`),
    decimals: countOf(amount.decimals, `${member}.uiTokenAmount.decimals`),
    owner: optionalText(row.owner, `${member}.owner`),
    program: optionalText(row.programId, `${member}.programId`),
    amount: amountOf(amount.amount, `${member}.uiTokenAmount.amount`),
  };
}
