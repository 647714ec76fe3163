/** Transactions in the form of a Solana node, with instructions parsed. */
import type { JsonObject } from "../../../base/index.ts";
import type { Reader } from "../../ledger/reader.ts";
import { firstRow } from "../../ledger/schema.ts";
import { amountOf, unixOf } from "../sql.ts";
import { stepsOf } from "../transaction/activities.ts";
import { dataOf, type Infos, infosOf, uiAmountOf } from "../transaction/arguments.ts";
import { type Around, balancesOf, holdingBefore, type Key } from "../transaction/balances.ts";
import { type Head, linesOf, transactionHead } from "../transaction/head.ts";

import { errorOf } from "../transaction/logs.ts";
import { callsOf, type Instruction, topOf, treeOf } from "../transaction/tree.ts";

const instructionJson = (instruction: Instruction, infos: Infos): JsonObject => ({
  parsed: dataOf(instruction, infos),
  program: instruction.programName,
  programId: instruction.program,
  stackHeight: instruction.level,
});

const keyJson = ({ address, signer, writable, lookedUp }: Key): JsonObject => ({
  pubkey: address,
  signer,
  source: lookedUp ? "lookupTable" : "transaction",
  writable,
});

/** A token account among the keys, with its balance. */
interface Held extends Around {
  readonly index: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly decimals: number;
}

/** Every token account among the keys, changed or not. */
function heldOf(db: Reader, transaction: number, keys: readonly Key[], changes: readonly Change[]): readonly Held[] {
  return keys.flatMap(({ id, token }, index) => {
    if (token === undefined) return [];
    const mint = db.get("SELECT decimals, program_id FROM tokens WHERE id = ?", token);
    const change = changes.find(({ account }) => account === id);
    const before = change ? undefined : holdingBefore(db, id, token, firstRow(transaction));
    const owner = change?.owner ?? before?.owner ?? db.get(OWNER, id)?.id;
    const around = change ?? still(before?.amount ?? 0n);
    return [
      {
        index,
        mint: db.addressOf(token),
        owner: db.addressOf(Number(owner)),
        programId: db.addressOf(Number(mint?.program_id)),
        decimals: Number(mint?.decimals),
        pre: around.pre,
        post: around.post,
      },
    ];
  });
}

type Change = Around & { readonly account: number; readonly owner: number };

const OWNER = "SELECT owner_id AS id FROM token_accounts WHERE account_id = ?";

/** Accounts are there as long as they have lamports. */
const exists = (lamports: bigint | undefined): boolean => lamports !== undefined && lamports > 0n;

const still = (amount: bigint): Around => ({ pre: amount, post: amount });

const heldJson = (held: Held, side: "pre" | "post"): JsonObject => ({
  accountIndex: held.index,
  mint: held.mint,
  owner: held.owner,
  programId: held.programId,
  uiTokenAmount: uiAmountOf(String(held[side]), held.decimals),
});

const loadedOf = (keys: readonly Key[]): JsonObject => ({
  readonly: keys.filter(({ lookedUp, writable }) => lookedUp && !writable).map(({ address }) => address),
  writable: keys.filter(({ lookedUp, writable }) => lookedUp && writable).map(({ address }) => address),
});

/** What ran, with its arguments. */
interface Run {
  readonly tree: readonly Instruction[];
  readonly infos: Infos;
}

function metaOf(db: Reader, head: Head, { tree, infos }: Run, keys: readonly Key[], changes: readonly Change[]) {
  const err = errorOf({ tree, error: head.error });
  const held = heldOf(db, head.id, keys, changes);
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: head.fee,
    computeUnitsConsumed: head.computeUnits,
    innerInstructions: callsOf(tree).map(([index, inner]) => ({
      index,
      instructions: inner.map((each) => instructionJson(each, infos)),
    })),
    loadedAddresses: loadedOf(keys),
    logMessages: linesOf(head, tree),
    preBalances: keys.map(({ pre }) => amountOf(pre)),
    postBalances: keys.map(({ post }) => amountOf(post)),
    preTokenBalances: held.filter(({ index }) => exists(keys[index]?.pre)).map((each) => heldJson(each, "pre")),
    postTokenBalances: held.filter(({ index }) => exists(keys[index]?.post)).map((each) => heldJson(each, "post")),
    rewards: [],
  };
}

/** The entity `LegacyRpcTransaction` of a transaction that the ledger has. */
export function rpcTransaction(db: Reader, id: number): readonly JsonObject[] {
  const head = transactionHead(db, id);
  if (!head) return [];
  const tree = treeOf(db, id);
  const infos = infosOf(db, id, tree, stepsOf(db, { ...head, id }, tree));
  const { keys, tokens } = balancesOf(db, id);
  const message = {
    accountKeys: keys.map(keyJson),
    instructions: topOf(tree).map((each) => instructionJson(each, infos)),
    recentBlockhash: head.recentHash,
    addressTableLookups: [],
  };
  return [
    {
      blockTime: unixOf(db.clock, head.time),
      slot: head.slot,
      meta: metaOf(db, head, { tree, infos }, keys, tokens),
      transaction: { message, signatures: [head.signature] },
      version: head.version ?? "legacy",
    },
  ];
}
