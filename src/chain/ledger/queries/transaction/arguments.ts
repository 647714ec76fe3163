/**
 * The programs whose instructions Solana nodes parse, and the names that they give to the accounts of each instruction.
 * Other instructions are answered as their accounts and encoded data.
 */

import {
  decimalText,
  isArray,
  type Json,
  type JsonObject,
  omitMissing,
  omitUndefined,
  parseDecimal,
  scaleDown,
} from "../../../../base/index.ts";
import { NATIVE_SOL } from "../../../../catalogue/index.ts";
import { bytesForRent } from "../../../solana/index.ts";
import { interfaceOf, nameAccounts } from "../../interfaces/interface.ts";
import type { LedgerReader } from "../../store/reader.ts";
import { SYSTEM_PROGRAM } from "../../store/schema.ts";
import { amountOf, decimalsOfMint } from "../sql.ts";
import type { InstructionActivity, TransactionSteps } from "./activities.ts";
import { type Instruction, type InstructionTransfer, withInner } from "./tree.ts";

/** Programs whose instructions nodes parse. */
const PARSED = new Set([
  ...["system", "spl-token", "spl-token-2022", "spl-associated-token-account", "address-lookup-table"],
  ...["stake", "vote", "spl-memo"],
]);

/** Programs that nodes parse, and of which simulated chains have no instructions. */
const FURTHER_PARSED = new Set(["bpf-loader", "bpf-upgradeable-loader", "bpf-loader-v4", "config"]);

/** Returns whether nodes parse an instruction; of a chain, not all instructions of their programs have a parsed form. */
export const isParsed = ({ programName, raw, info }: Instruction): boolean =>
  PARSED.has(programName)
    ? raw === undefined || info !== undefined
    : raw !== undefined && FURTHER_PARSED.has(programName) && info !== undefined;

/** Returns the accounts of an instruction, and the addresses in its data, by the names of the program's interface. */
function namedAccounts({ programName, type, info, accounts, keys }: Instruction): Readonly<Record<string, string>> {
  const named = nameAccounts(interfaceOf(programName, type), [...accounts, ...keys]);
  if (type !== "setAuthority" || !/mint|freeze/.test(String(info?.authorityType))) return named;
  const { account = "", ...others } = named;
  return { mint: account, ...others };
}

/**
 * Returns an amount in the format of a Solana node: base units, and whole units as a number and as text where the
 * decimals are known.
 */
export function uiAmountOf(amount: string, decimals: number | undefined): JsonObject {
  if (decimals === undefined) return { amount };
  const parsed = parseDecimal(amount);
  const text = parsed ? decimalText(scaleDown(parsed, decimals)) : amount;
  return { amount, decimals, uiAmount: Number(text), uiAmountString: text };
}

const TRANSFER = "ACTIVITY_SPL_TRANSFER";
const CREATE = "ACTIVITY_SPL_CREATE_ACCOUNT";
const MINT = "ACTIVITY_SPL_MINT";
const BURN = "ACTIVITY_SPL_BURN";
const MOVE_TYPES: ReadonlySet<string> = new Set([TRANSFER, MINT, BURN]);

/** Size of stake accounts, whose lamports are more than the rent. */
const STAKE_SIZE = 200;
const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";

interface ArgumentContext {
  readonly db: LedgerReader;
  readonly steps: TransactionSteps;
}

type Fields = Readonly<Record<string, Json | undefined>>;

/** Returns the amount that an instruction moves, as text; a failed one states it. */
const amountText = ({ transfers, info }: Instruction): string | undefined =>
  transfers[0]?.amount ?? (info?.amount === undefined ? undefined : String(info.amount));

function lamportsOf(instruction: Instruction): Fields {
  const amount = amountText(instruction);
  return amount === undefined ? {} : { lamports: amountOf(amount) };
}

function decimalsOf({ transfers }: Instruction, mint: string | undefined, db: LedgerReader): number {
  const known = transfers[0]?.decimals;
  if (known !== undefined || mint === undefined) return known ?? 0;
  return decimalsOfMint(db, mint);
}

/** Returns the size of a new account from its rent. */
const spaceOf = (lamports: string | undefined, owner: string | undefined): number | undefined =>
  owner === STAKE_PROGRAM ? STAKE_SIZE : lamports === undefined ? undefined : bytesForRent(lamports);

type ArgumentRule = (instruction: Instruction, named: Readonly<Record<string, string>>, db: LedgerReader) => Fields;

/** The arguments of parsed instructions in addition to their accounts, by type; undefined removes an account. */
const RULES: Readonly<Record<string, ArgumentRule>> = {
  transfer: (instruction) =>
    instruction.programName === "system" ? lamportsOf(instruction) : { amount: amountText(instruction) },
  createAccount: (instruction, { owner }) => ({
    ...lamportsOf(instruction),
    space: spaceOf(amountText(instruction), owner),
  }),
  transferChecked: (...context) => tokenAmount(...context),
  transferCheckedWithFee: (instruction, named, db) => ({
    ...tokenAmount(instruction, named, db),
    fee: undefined,
    feeAmount: uiAmountOf(feeOf(instruction) ?? "0", decimalsOf(instruction, named.mint, db)),
  }),
  burnChecked: (...context) => tokenAmount(...context),
  mintTo: (instruction, { mintAuthority }) => {
    const signers = instruction.accounts.slice(3);
    const multisig = { mintAuthority: undefined, multisigMintAuthority: mintAuthority, signers };
    return { amount: amountText(instruction), ...(signers.length > 0 && multisig) };
  },
  initializeMultisig2: ({ accounts }) => ({ signers: accounts.slice(1) }),
  setAuthority: (_, { newAuthority }) => ({ newAuthority: newAuthority ?? null }),
  getAccountDataSize: () => ({ extensionTypes: ["immutableOwner"] }),
  harvestWithheldTokensToMint: ({ accounts }) => ({ sourceAccounts: accounts.slice(1) }),
  initialize: (_, { staker }) => ({
    staker: undefined,
    authorized: staker === undefined ? undefined : { staker, withdrawer: staker },
    lockup: { custodian: SYSTEM_PROGRAM, epoch: 0, unixTimestamp: 0 },
  }),
  split: lamportsOf,
  withdraw: lamportsOf,
};

const tokenAmount: ArgumentRule = (instruction, { mint }, db) => {
  const amount = amountText(instruction);
  return {
    amount: undefined,
    tokenAmount: amount === undefined ? undefined : uiAmountOf(amount, decimalsOf(instruction, mint, db)),
  };
};

/** Returns the fee in base units that a mint withholds from a transfer. */
export const feeOf = ({ info }: Instruction): string | undefined =>
  typeof info?.fee === "string" ? info.fee : undefined;

/** Returns the owner and the size of the account that an instruction creates. */
export function newAccountFields(instruction: Instruction): JsonObject {
  if (instruction.raw) {
    const { owner, space } = instruction.info ?? {};
    return omitMissing({ owner, space });
  }
  const { owner } = namedAccounts(instruction);
  const space = spaceOf(amountText(instruction), owner);
  return { ...(owner === undefined ? {} : { owner }), ...(space === undefined ? {} : { space }) };
}

function parsedArguments(instruction: Instruction, { db }: ArgumentContext): Fields {
  const named = namedAccounts(instruction);
  return { ...instruction.info, ...named, ...RULES[instruction.type]?.(instruction, named, db) };
}

const createdBelow = (instruction: Instruction): InstructionTransfer | undefined =>
  withInner(instruction)
    .flatMap(({ transfers }) => transfers)
    .find(({ type }) => type === CREATE);

/** Returns the pools of an activity; routes that lead to others are not pools. */
function poolsOf({ amm_id: pool, routers, child_routers: below = routers }: JsonObject): readonly Json[] {
  if (isArray(below) && below.length > 0) return (below as JsonObject[]).flatMap(poolsOf);
  return pool === undefined ? [] : [pool];
}

interface MarketActivity {
  readonly data: JsonObject;
  readonly isDirect: boolean;
}

/** Whether both sides of a transfer are token accounts. */
const isOfTokens = ({ type, token }: InstructionTransfer): boolean => type === TRANSFER && token !== NATIVE_SOL;

const mintField = (name: string, token: string) => (token === NATIVE_SOL ? {} : { [name]: token });

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
  ...mintField("inputMint", sent.token),
  ...mintField("outputMint", received.token),
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
  ...mintField("mint", token),
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
function programArguments(instruction: Instruction, { steps }: ArgumentContext): Fields {
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
  const flow = Object.entries(flowArguments(moves, { data, isDirect: pools.length === 1 })).filter(
    // Programs that transfer without checks do not name the tokens.
    ([name, value]) => !/mint/i.test(name) || instruction.accounts.includes(String(value)),
  );
  return { ...Object.fromEntries(flow), ...through, owner: data.account };
}

/** The arguments by instruction. */
export type ArgumentsByInstruction = ReadonlyMap<Instruction, JsonObject>;

/** Returns the arguments of all instructions of a transaction. */
export const readArguments = (
  db: LedgerReader,
  tree: readonly Instruction[],
  steps: TransactionSteps,
): ArgumentsByInstruction =>
  new Map(tree.map((instruction) => [instruction, buildArguments(instruction, { db, steps })]));

function buildArguments(instruction: Instruction, context: ArgumentContext): JsonObject {
  if (instruction.raw) return instruction.info ?? {};
  const fields: Fields = isParsed(instruction)
    ? parsedArguments(instruction, context)
    : { ...namedAccounts(instruction), ...programArguments(instruction, context), ...instruction.info };
  return omitUndefined(fields);
}

/** Returns the decoded data of an instruction. */
export const decodedData = (instruction: Instruction, infos: ArgumentsByInstruction) => ({
  info: infos.get(instruction) ?? {},
  type: instruction.type,
});
