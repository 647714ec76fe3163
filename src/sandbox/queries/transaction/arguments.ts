/**
 * The arguments of the instructions of a transaction, by the names that Solana's parsers give them: what the ledger says
 * outright, and what follows from transfers, activities and token accounts. Of a transaction that failed little is known.
 */
import {
  decimalText,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseDecimal,
  scaleDown,
} from "../../../base/index.ts";
import { NATIVE_SOL } from "../../../catalogue/index.ts";
import type { LedgerReader } from "../../ledger/reader.ts";
import { rowRange, SYSTEM_PROGRAM } from "../../ledger/schema.ts";
import { amountOf } from "../sql.ts";
import type { InstructionActivity, TransactionSteps } from "./activities.ts";
import { type Instruction, type InstructionTransfer, withInner } from "./tree.ts";

/** Returns an amount in the format of a Solana node: base units, and whole units as a number and as text. */
export function uiAmountOf(amount: string, decimals: number): JsonObject {
  const parsed = parseDecimal(amount);
  const text = parsed ? decimalText(scaleDown(parsed, decimals)) : amount;
  return { amount, decimals, uiAmount: Number(text), uiAmountString: text };
}

const lamports = ({ amount }: InstructionTransfer) => ({ lamports: amountOf(amount) });

type TransferArguments = (transfer: InstructionTransfer) => JsonObject;

const TRANSFER_ARGUMENTS: Readonly<Record<string, TransferArguments>> = {
  ACTIVITY_SPL_MINT: (t) => ({ mint: t.token, mintAuthority: t.sourceOwner, account: t.destination, amount: t.amount }),
  ACTIVITY_SPL_BURN: (t) => ({ mint: t.token, authority: t.sourceOwner, account: t.source, amount: t.amount }),
  ACTIVITY_SPL_CREATE_ACCOUNT: (t) => ({ source: t.source, newAccount: t.destination, ...lamports(t) }),
  ACTIVITY_SPL_CLOSE_ACCOUNT: (t) => ({ account: t.source, destination: t.destination, owner: t.destinationOwner }),
  ACTIVITY_SPL_SET_OWNER_AUTHORITY: (t) => ({
    account: t.source,
    authority: t.sourceOwner,
    authorityType: "accountOwner",
    newAuthority: t.destinationOwner,
  }),
};

const plainTransfer: TransferArguments = (t) =>
  t.token === NATIVE_SOL
    ? { source: t.source, destination: t.destination, ...lamports(t) }
    : { source: t.source, destination: t.destination, authority: t.sourceOwner, amount: t.amount };

const checkedTransfer: TransferArguments = (t) => ({
  source: t.source,
  destination: t.destination,
  authority: t.sourceOwner,
  mint: t.token,
  tokenAmount: uiAmountOf(t.amount, t.decimals),
});

/** Returns the arguments that an instruction states, or those that follow from its own transfers. */
function ownArguments({ info, type, transfers }: Instruction): JsonObject {
  const [transfer] = transfers;
  const isStated = info !== undefined && Object.keys(info).length > 0;
  if (isStated || !transfer) return info ?? {};
  const form = type.endsWith("Checked") ? checkedTransfer : plainTransfer;
  return (TRANSFER_ARGUMENTS[transfer.type] ?? form)(transfer);
}

/** An account that a transaction names. */
interface NamedAccount {
  readonly kind: string;
  readonly mint?: string;
  readonly owner?: string;
  readonly tokenProgram?: string;
  readonly staker?: string;
  readonly withdrawer?: string;
}

/** The data that arguments are derived from. */
interface ArgumentContext {
  /** In the order of execution. */
  readonly tree: readonly Instruction[];
  readonly steps: TransactionSteps;
  /** In the order of the transaction's keys. */
  readonly accounts: ReadonlyMap<string, NamedAccount>;
}

type ArgumentRule = (instruction: Instruction, context: ArgumentContext) => Readonly<Record<string, Json | undefined>>;

const TRANSFER = "ACTIVITY_SPL_TRANSFER";
const CREATE = "ACTIVITY_SPL_CREATE_ACCOUNT";
const MINT = "ACTIVITY_SPL_MINT";
const BURN = "ACTIVITY_SPL_BURN";
/** Transfer types that move tokens of an owner. */
const MOVE_TYPES: ReadonlySet<string> = new Set([TRANSFER, MINT, BURN]);

/** Returns the account created last before an instruction. */
const createdBefore = (tree: readonly Instruction[], n: number): string | undefined =>
  tree
    .slice(0, n)
    .flatMap(({ transfers }) => transfers)
    .findLast(({ type }) => type === CREATE)?.destination;

/** Returns the first account creation among the inner instructions. */
const createdBelow = (instruction: Instruction): InstructionTransfer | undefined =>
  withInner(instruction)
    .flatMap(({ transfers }) => transfers)
    .find(({ type }) => type === CREATE);

const mintBefore = (tree: readonly Instruction[], n: number): string | undefined => {
  const creation = tree.slice(0, n).findLast(({ type }) => type === "initializeMint2");
  return creation && createdBefore(tree, creation.n);
};

const associatedAccountArguments: ArgumentRule = (instruction, { accounts }) => {
  const creation = createdBelow(instruction);
  const { mint, owner, tokenProgram } = accounts.get(creation?.destination ?? "") ?? {};
  if (!creation) return {};
  const { source, destination: account } = creation;
  return { account, mint, source, systemProgram: SYSTEM_PROGRAM, tokenProgram, wallet: owner };
};

const initializedAccountArguments: ArgumentRule = ({ n }, { tree, accounts }) => {
  const account = createdBefore(tree, n);
  const { mint, owner } = accounts.get(account ?? "") ?? {};
  return { account, mint, owner };
};

/**
 * Returns the stake account of an instruction: the last one that received a transfer, or else the first among the keys.
 */
function stakeOf(
  { n, transfers }: Instruction,
  { tree, accounts }: ArgumentContext,
): readonly [string | undefined, NamedAccount | undefined] {
  const isStake = (address: string) => accounts.get(address)?.kind === "stake_account";
  const earlier = tree.slice(0, n).flatMap((each) => each.transfers);
  const address =
    transfers[0]?.source ??
    earlier.findLast(({ destination }) => isStake(destination))?.destination ??
    [...accounts.keys()].find(isStake);
  return [address, accounts.get(address ?? "")];
}

const lamportsOf = ({ transfers }: Instruction) => amountOf(transfers[0]?.amount ?? "0");

const RULES: Readonly<Record<string, ArgumentRule>> = {
  "spl-associated-token-account createIdempotent": associatedAccountArguments,
  "spl-token initializeAccount3": initializedAccountArguments,
  "spl-token-2022 initializeAccount3": initializedAccountArguments,
  "spl-token syncNative": ({ n }, { tree }) => ({ account: tree[n - 1]?.transfers[0]?.destination }),
  "spl-token initializeMint2": ({ n }, { tree }) => ({ mint: createdBefore(tree, n) }),
  "spl-token setAuthority": ({ n, info }, { tree }) => (info === undefined ? {} : { mint: mintBefore(tree, n) }),
  "token_metadata createMetadataAccountV3": (instruction, { tree }) => {
    const { source, destination } = createdBelow(instruction) ?? {};
    return { metadata: destination, mint: mintBefore(tree, instruction.n), payer: source };
  },
  "token_metadata createMasterEditionV3": ({ n }, { tree }) => ({ mint: mintBefore(tree, n) }),
  "stake initialize": (instruction, context) => {
    const [stakeAccount, stake] = stakeOf(instruction, context);
    const { staker, withdrawer } = stake ?? {};
    return { stakeAccount, ...(staker && withdrawer ? { authorized: { staker, withdrawer } } : {}) };
  },
  "stake delegate": (instruction, context) => {
    const [stakeAccount, stake] = stakeOf(instruction, context);
    const [voteAccount] = [...context.accounts].find(([, { kind }]) => kind === "vote_account") ?? [];
    return { stakeAccount, voteAccount, stakeAuthority: stake?.staker };
  },
  "stake deactivate": (instruction, context) => {
    const [stakeAccount, stake] = stakeOf(instruction, context);
    return { stakeAccount, stakeAuthority: stake?.staker };
  },
  "stake withdraw": (instruction, context) => {
    const [stakeAccount, stake] = stakeOf(instruction, context);
    const destination = instruction.transfers[0]?.destination;
    return { stakeAccount, destination, withdrawAuthority: stake?.withdrawer, lamports: lamportsOf(instruction) };
  },
  "stake split": (instruction, context) => {
    const [stakeAccount, stake] = stakeOf(instruction, context);
    const newSplitAccount = instruction.transfers[0]?.destination;
    return { stakeAccount, newSplitAccount, stakeAuthority: stake?.staker, lamports: lamportsOf(instruction) };
  },
  "stake merge": (instruction, context) => {
    const [source, stake] = stakeOf(instruction, context);
    return { source, destination: instruction.transfers[0]?.destination, stakeAuthority: stake?.staker };
  },
  "vote withdraw": (instruction) => {
    const { source, destination } = instruction.transfers[0] ?? {};
    return { voteAccount: source, destination, lamports: lamportsOf(instruction) };
  },
};

/** Returns the pools of an activity; routes that lead to others are not pools. */
function poolsOf({ amm_id: pool, routers, child_routers: below = routers }: JsonObject): readonly Json[] {
  if (isArray(below ?? null) && (below as readonly Json[]).length > 0) return (below as JsonObject[]).flatMap(poolsOf);
  return pool === undefined ? [] : [pool];
}

/** The data of a market activity, and whether it uses a single pool. */
interface MarketActivity {
  readonly data: JsonObject;
  readonly isDirect: boolean;
}

/** Whether both sides of a transfer are token accounts. */
const isOfTokens = ({ type, token }: InstructionTransfer): boolean => type === TRANSFER && token !== NATIVE_SOL;

/** Returns the arguments of an exchange: a swap, a stake with a pool, a deposit with a receipt. */
const swapArguments = (
  sent: InstructionTransfer,
  received: InstructionTransfer,
  { data, isDirect }: MarketActivity,
) => ({
  amountIn: data.amount_1_str ?? sent.amount,
  amountOut: data.amount_2_str ?? received.amount,
  source: sent.source,
  destination: received.destination,
  inputMint: sent.token,
  outputMint: received.token,
  ...(isDirect && isOfTokens(sent) ? { inputVault: sent.destination } : {}),
  ...(isDirect && isOfTokens(received) ? { outputVault: received.source } : {}),
});

/** Returns the arguments of a liquidity change: two tokens go in or come out. */
const liquidityArguments = (moves: readonly InstructionTransfer[], owner: Json | undefined) =>
  Object.fromEntries(
    moves.slice(0, 2).flatMap((move, at) => {
      const side = "AB".charAt(at);
      const isSent = move.sourceOwner === owner;
      return [
        [`tokenMint${side}`, move.token],
        [`tokenAmount${side}`, move.amount],
        [`tokenOwnerAccount${side}`, isSent ? move.source : move.destination],
        [`tokenVault${side}`, isSent ? move.destination : move.source],
      ];
    }),
  );

/** Returns the arguments of a single transfer; minted tokens have no source, burned ones no destination. */
const transferArguments = ({ type, amount, token, source, destination }: InstructionTransfer) => ({
  amount,
  mint: token,
  ...(type === MINT ? {} : { source }),
  ...(type === BURN ? {} : { destination }),
});

/**
 * Returns arguments from what an owner sent and received. Pool shares minted or burned for two tokens are listed in
 * addition to these.
 */
function flowArguments(moves: readonly InstructionTransfer[], activity: MarketActivity) {
  const owner = activity.data.account;
  const sent = moves.filter(({ sourceOwner, type }) => sourceOwner === owner && type !== MINT);
  const received = moves.filter(({ destinationOwner, type }) => destinationOwner === owner && type !== BURN);
  for (const [side, other, shares] of [[sent, received, MINT] as const, [received, sent, BURN] as const]) {
    if (side.length < 2 || other.some(({ type }) => type !== shares)) continue;
    const [share] = other;
    return { ...liquidityArguments(side, owner), ...(share ? { lpMint: share.token, lpAmount: share.amount } : {}) };
  }
  const [first, last] = [sent[0], received.at(-1)];
  if (first && last) return swapArguments(first, last, activity);
  const only = first ?? last;
  return only ? transferArguments(only) : {};
}

/** Returns arguments without an activity: of a single transfer, the common source, or an account creation. */
function fallbackArguments(instruction: Instruction, moves: readonly InstructionTransfer[]) {
  const [first, second] = moves;
  if (first) return { ...(second ? { source: first.source } : transferArguments(first)), authority: first.sourceOwner };
  const creation = createdBelow(instruction);
  return creation ? { payer: creation.source, newAccount: creation.destination } : {};
}

/** Returns the arguments of a program that acts through inner instructions: owner, tokens, amounts and pool. */
const programArguments: ArgumentRule = (instruction, { steps }) => {
  const isOwn = (activity: InstructionActivity) => activity.instruction === instruction && activity.isMain;
  const { data } = steps.activities.find(isOwn) ?? {};
  if (data?.nft_address !== undefined) {
    const { nft_address: mint, from_address: from, to_address: to, price_str: price } = data;
    return { mint, price, ...(from === "" ? {} : { from }), ...(to === "" ? {} : { to }) };
  }
  const moves = withInner(instruction)
    .slice(1)
    .flatMap(({ transfers }) => transfers)
    .filter(({ type }) => MOVE_TYPES.has(type));
  if (!data) return fallbackArguments(instruction, moves);
  const pools = poolsOf(data);
  const through = pools.length > 1 ? { pools } : pools.length === 1 ? { pool: pools[0] } : {};
  return { ...flowArguments(moves, { data, isDirect: pools.length === 1 }), ...through, owner: data.account };
};

function accountsOf(db: LedgerReader, transaction: number): ReadonlyMap<string, NamedAccount> {
  const rows = db.all(
    `SELECT k.account_id, a.kind, t.token_id, t.owner_id, n.program_id, s.staker_id, s.withdrawer_id
    FROM account_keys k CROSS JOIN accounts a ON a.id = k.account_id
    LEFT JOIN token_accounts t ON t.account_id = k.account_id LEFT JOIN tokens n ON n.id = t.token_id
    LEFT JOIN stake_accounts s ON s.account_id = k.account_id WHERE k.id >= ? AND k.id < ? ORDER BY k.id`,
    ...rowRange(transaction),
  );
  const named = (name: string, id: unknown) => (id === null ? {} : { [name]: db.addressOf(Number(id)) });
  return new Map(
    rows.map((row) => [
      db.addressOf(Number(row.account_id)),
      {
        kind: String(row.kind),
        ...named("mint", row.token_id),
        ...named("owner", row.owner_id),
        ...named("tokenProgram", row.program_id),
        ...named("staker", row.staker_id),
        ...named("withdrawer", row.withdrawer_id),
      },
    ]),
  );
}

/** The arguments by instruction. */
export type ArgumentsByInstruction = ReadonlyMap<Instruction, JsonObject>;

/** Returns the arguments of all instructions of a transaction. */
export function readArguments(
  db: LedgerReader,
  transaction: number,
  tree: readonly Instruction[],
  steps: TransactionSteps,
): ArgumentsByInstruction {
  const context = { tree, steps, accounts: accountsOf(db, transaction) };
  return new Map(tree.map((instruction) => [instruction, argumentsOf(instruction, context)]));
}

function argumentsOf(instruction: Instruction, context: ArgumentContext): JsonObject {
  const { programName, type, transfers } = instruction;
  const rule = RULES[`${programName} ${type}`] ?? (transfers.length === 0 ? programArguments : undefined);
  const derived = Object.entries(rule?.(instruction, context) ?? {}).filter(([, value]) => value !== undefined);
  const isReplaced = rule !== undefined && transfers.length > 0 && derived.length > 0;
  const stated = isReplaced ? (instruction.info ?? {}) : ownArguments(instruction);
  return { ...(Object.fromEntries(derived) as JsonObject), ...stated };
}

/** Returns the decoded data of an instruction. */
export const decodedData = (instruction: Instruction, infos: ArgumentsByInstruction) => ({
  info: infos.get(instruction) ?? {},
  type: instruction.type,
});

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Returns the distinct accounts that arguments name. */
export function accountsIn(info: JsonObject): readonly string[] {
  const { memo: _, ...named } = info;
  return [...new Set(Object.values(named).flatMap(addressesIn))];
}

function addressesIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return ADDRESS.test(value) ? [value] : [];
  if (isArray(value ?? null)) return (value as readonly Json[]).flatMap(addressesIn);
  return isObject(value ?? null) ? Object.values(value as JsonObject).flatMap(addressesIn) : [];
}
