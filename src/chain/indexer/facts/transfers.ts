/**
 * Transfers of a transaction: its instructions are replayed on the balances before it, so that amounts that an
 * instruction does not state (of a closed account) are known.
 */
import type { JsonObject } from "../../../base/index.ts";
import { NATIVE_SOL, NEWER_TRANSFER_ACTIVITIES, TRANSFER_ACTIVITIES } from "../../../catalogue/index.ts";
import type { TransferFact } from "../../ledger/index.ts";
import type { RunningBalances } from "./balances.ts";
import { type Call, integerArgument, textArgument, tokenAmountArgument, withoutBatches } from "./calls.ts";

const TYPES: readonly string[] = [...TRANSFER_ACTIVITIES, ...NEWER_TRANSFER_ACTIVITIES];
type TransferType = (typeof TRANSFER_ACTIVITIES)[number] | (typeof NEWER_TRANSFER_ACTIVITIES)[number];
const typeOf = (type: TransferType): number => TYPES.indexOf(type);

/** The types of transfers that change the supply of a token. */
export const [MINT, BURN] = [typeOf("ACTIVITY_SPL_MINT"), typeOf("ACTIVITY_SPL_BURN")];

class Replay {
  readonly transfers: TransferFact[] = [];
  readonly balances: RunningBalances;

  constructor(balances: RunningBalances) {
    this.balances = balances;
  }

  lamports(
    { index }: Call,
    type: TransferType,
    from: string | undefined,
    to: string | undefined,
    amount: bigint | undefined,
  ) {
    if (from === undefined || to === undefined || amount === undefined) return;
    this.balances.moveLamports(from, to, amount);
    this.transfers.push({ instruction: index, type: typeOf(type), from, to, token: NATIVE_SOL, amount });
  }

  /** Moves all lamports of an account that ceases to exist. */
  allLamports(call: Call, type: TransferType, from: string | undefined, to: string | undefined) {
    this.lamports(call, type, from, to, from === undefined ? undefined : this.balances.lamports(from));
  }

  /** Moves tokens between token accounts. A mint has no source account, a burn no destination account. */
  tokens({ index, info }: Call, type: TransferType, move: TokenMove) {
    const { source, destination, amount, withheld = 0n } = move;
    const [from, to] = [source, destination].map((account) =>
      account === undefined ? undefined : this.balances.token(account),
    );
    const token = move.mint ?? from?.mint ?? to?.mint;
    if (token === undefined || amount === undefined) return;
    if (source !== undefined) this.balances.addTokens(source, -amount);
    if (destination !== undefined) this.balances.addTokens(destination, amount - withheld);
    const authority = textArgument(info, ...AUTHORITIES);
    this.transfers.push({
      instruction: index,
      type: typeOf(type),
      // Accounts whose owner an old node omits stand for their owners.
      from: from?.owner ?? authority ?? source ?? token,
      ...(source === undefined ? {} : { fromAccount: source }),
      to: destination === undefined ? token : (to?.owner ?? destination),
      ...(destination === undefined ? {} : { toAccount: destination }),
      token,
      amount,
    });
  }
}

interface TokenMove {
  readonly source?: string | undefined;
  readonly destination?: string | undefined;
  readonly mint?: string | undefined;
  readonly amount: bigint | undefined;
  /** What the mint withholds at the destination. */
  readonly withheld?: bigint | undefined;
}

const AUTHORITIES = [
  "authority",
  "multisigAuthority",
  "mintAuthority",
  "multisigMintAuthority",
  "owner",
  "multisigOwner",
] as const;

type Effect = (replay: Replay, call: Call, argument: (name: string) => string | undefined) => void;

const lamportsOf = ({ info }: Call): bigint | undefined => integerArgument(info, "lamports");
const amountOf = ({ info }: Call): bigint | undefined => tokenAmountArgument(info);
const feeOf = (info: JsonObject): bigint | undefined =>
  info.feeAmount === undefined ? undefined : tokenAmountArgument({ tokenAmount: info.feeAmount });

/** Returns the effect of instructions that move the lamports they state. */
const moves =
  (type: TransferType, from: string, to: string): Effect =>
  (replay, call, argument) =>
    replay.lamports(call, type, argument(from), argument(to), lamportsOf(call));

/** Returns the effect of instructions that move all lamports of an account. */
const movesAll =
  (type: TransferType, from: string, to: string): Effect =>
  (replay, call, argument) =>
    replay.allLamports(call, type, argument(from), argument(to));

const createAccount: Effect = (replay, call, argument) => {
  const account = argument("newAccount");
  const space = integerArgument(call.info, "space");
  if (account !== undefined && space !== undefined) replay.balances.allocate(account, space);
  replay.lamports(call, "ACTIVITY_SPL_CREATE_ACCOUNT", argument("source"), account, lamportsOf(call));
};

const allocate: Effect = ({ balances }, { info }, argument) => {
  const [account, space] = [argument("account"), integerArgument(info, "space")];
  if (account !== undefined && space !== undefined) balances.allocate(account, space);
};

/** Returns the effect of instructions that move tokens; a mint has no source account, a burn no destination account. */
const movesTokens =
  (type: TransferType, source: string | undefined, destination: string | undefined): Effect =>
  (replay, call, argument) =>
    replay.tokens(call, type, {
      source: source && argument(source),
      destination: destination && argument(destination),
      mint: argument("mint"),
      amount: amountOf(call),
      withheld: feeOf(call.info),
    });

const sendTokens = movesTokens("ACTIVITY_SPL_TRANSFER", "source", "destination");
const mint = movesTokens("ACTIVITY_SPL_MINT", undefined, "account");
const burn = movesTokens("ACTIVITY_SPL_BURN", "account", undefined);

const openAccount: Effect = ({ balances }, _, argument) => {
  const [account, token, owner] = [argument("account"), argument("mint"), argument("owner")];
  if (account !== undefined && token !== undefined && owner !== undefined) balances.open(account, token, owner);
};

const closeAccount: Effect = (replay, call, argument) => {
  const account = argument("account");
  replay.allLamports(call, "ACTIVITY_SPL_CLOSE_ACCOUNT", account, argument("destination"));
  if (account !== undefined) replay.balances.close(account);
};

const setAuthority: Effect = (replay, call, argument) => {
  const [account, owner] = [argument("account"), argument("newAuthority")];
  const state = account === undefined ? undefined : replay.balances.token(account);
  if (argument("authorityType") !== "accountOwner" || !account || !owner || !state) return;
  const { mint: token, amount } = state;
  const from = state.owner ?? textArgument(call.info, ...AUTHORITIES) ?? account;
  replay.balances.setOwner(account, owner);
  replay.transfers.push({
    instruction: call.index,
    type: typeOf("ACTIVITY_SPL_SET_OWNER_AUTHORITY"),
    ...{ from, fromAccount: account, to: owner, toAccount: account, token, amount },
  });
};

const syncNative: Effect = ({ balances }, _, argument) => {
  const account = argument("account");
  if (account !== undefined) balances.sync(account);
};

/** Lamports beyond the rent: the instruction does not state them, but nothing else is left to explain. */
const withdrawExcess: Effect = (replay, call, argument) => {
  const source = argument("source");
  const rest = source === undefined ? 0n : replay.balances.unexplainedLamports(source);
  replay.lamports(call, "ACTIVITY_SPL_WITHDRAW_EXCESS_LAMPORTS", source, argument("destination"), -rest);
};

const unwrapLamports: Effect = (replay, call, argument) => {
  const source = argument("source");
  const amount = amountOf(call) ?? (source === undefined ? undefined : replay.balances.token(source)?.amount);
  replay.lamports(call, "ACTIVITY_SPL_UNWRAP_LAMPORTS", source, argument("destination"), amount);
  if (source !== undefined) replay.balances.sync(source);
};

/** Fees that a mint has withheld in several accounts; they are not part of the balances of these. */
const withdrawWithheld: Effect = (replay, call, argument) => {
  const recipient = argument("feeRecipient");
  const amount = recipient === undefined ? 0n : replay.balances.unexplainedTokens(recipient);
  const move = { destination: recipient, mint: argument("mint"), amount };
  if (amount > 0n) replay.tokens(call, "ACTIVITY_SPL_TRANSFER", move);
};

const TOKEN_EFFECTS: Readonly<Record<string, Effect>> = {
  transfer: sendTokens,
  transferChecked: sendTokens,
  transferCheckedWithFee: sendTokens,
  mintTo: mint,
  mintToChecked: mint,
  burn,
  burnChecked: burn,
  initializeAccount: openAccount,
  initializeAccount2: openAccount,
  initializeAccount3: openAccount,
  closeAccount,
  setAuthority,
  syncNative,
  withdrawExcessLamports: withdrawExcess,
  unwrapLamports,
  withdrawWithheldTokensFromAccounts: withdrawWithheld,
  withdrawWithheldTokensFromMint: withdrawWithheld,
};

/** What instructions do to balances, by the name of the program and the type. */
const EFFECTS: Readonly<Record<string, Readonly<Record<string, Effect>>>> = {
  system: {
    transfer: moves("ACTIVITY_SPL_TRANSFER", "source", "destination"),
    transferWithSeed: moves("ACTIVITY_SPL_TRANSFER", "source", "destination"),
    createAccount,
    createAccountWithSeed: createAccount,
    allocate,
    allocateWithSeed: allocate,
    withdrawFromNonce: moves("ACTIVITY_SPL_WITHDRAW_FROM_NONCE", "nonceAccount", "destination"),
  },
  "spl-token": TOKEN_EFFECTS,
  "spl-token-2022": TOKEN_EFFECTS,
  stake: {
    withdraw: moves("ACTIVITY_SPL_TOKEN_WITHDRAW_STAKE", "stakeAccount", "destination"),
    split: moves("ACTIVITY_SPL_TOKEN_SPLIT_STAKE", "stakeAccount", "newSplitAccount"),
    merge: movesAll("ACTIVITY_SPL_TOKEN_MERGE_STAKE", "source", "destination"),
    moveLamports: moves("ACTIVITY_SPL_STAKE_MOVE_LAMPORTS", "source", "destination"),
    moveStake: moves("ACTIVITY_SPL_STAKE_MOVE_STAKE", "source", "destination"),
  },
  vote: { withdraw: moves("ACTIVITY_SPL_VOTE_WITHDRAW", "voteAccount", "destination") },
  "address-lookup-table": {
    closeLookupTable: movesAll("ACTIVITY_SPL_CLOSE_ACCOUNT", "lookupTableAccount", "recipient"),
  },
  "bpf-upgradeable-loader": { close: movesAll("ACTIVITY_SPL_CLOSE_ACCOUNT", "account", "recipient") },
};

/** Returns the transfers of instructions; `balances` are those after the instructions then. */
export function collectTransfers(calls: readonly Call[], balances: RunningBalances): readonly TransferFact[] {
  const replay = new Replay(balances);
  for (const call of withoutBatches(calls)) {
    const effects = EFFECTS[call.program ?? ""];
    if (call.type === undefined || !effects || !Object.hasOwn(effects, call.type)) continue;
    effects[call.type]?.(replay, call, (name) => textArgument(call.info, name));
  }
  return replay.transfers;
}
