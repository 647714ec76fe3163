/** What instructions say about stake accounts. */
import { isObject } from "../../../base/index.ts";
import type { StakeAccountFact } from "../../ledger/index.ts";
import type { RunningBalances } from "./balances.ts";
import { type Call, integerArgument, textArgument } from "./calls.ts";

/** What instructions about stakes depend on. */
export interface StakeContext {
  readonly epoch: number;
  /** The balances after the transaction. */
  readonly balances: RunningBalances;
  /** Returns what is known about a stake account. */
  readonly known: (address: string) => StakeAccountFact | undefined;
}

/** Lamports that a stake account holds for its rent. */
const RENT = 2_282_880n;

type Change = (call: Call, context: StakeContext) => readonly StakeAccountFact[];

const initialize: Change = ({ info }, { epoch }) => {
  const address = textArgument(info, "stakeAccount");
  const authorized = isObject(info.authorized) ? info.authorized : info;
  const [staker, withdrawer] = [textArgument(authorized, "staker"), textArgument(authorized, "withdrawer")];
  if (address === undefined || staker === undefined || withdrawer === undefined) return [];
  return [{ address, staker, withdrawer, delegated: 0n, activationEpoch: epoch }];
};

/** Returns a change of the stake account that an instruction is about. */
const changing =
  (change: (stake: StakeAccountFact, call: Call, context: StakeContext) => Partial<StakeAccountFact>): Change =>
  (call, context) => {
    const stake = context.known(textArgument(call.info, "stakeAccount") ?? "");
    return stake ? [{ ...stake, ...change(stake, call, context) }] : [];
  };

const delegate: Change = ({ info }, { epoch, balances, known }) => {
  const stake = known(textArgument(info, "stakeAccount") ?? "");
  if (!stake) return [];
  const { deactivationEpoch: _, ...rest } = stake;
  const voter = textArgument(info, "voteAccount");
  const delegated = balances.lamports(stake.address) - RENT;
  return [{ ...rest, ...(voter !== undefined && { voter }), delegated, activationEpoch: epoch }];
};

const authorize = changing((_, { info }) => {
  const authority = textArgument(info, "newAuthority", "newAuthorized");
  if (authority === undefined) return {};
  return textArgument(info, "authorityType") === "Staker" ? { staker: authority } : { withdrawer: authority };
});

const split: Change = ({ info }, { known }) => {
  const stake = known(textArgument(info, "stakeAccount") ?? "");
  const [address, lamports] = [textArgument(info, "newSplitAccount"), integerArgument(info, "lamports")];
  if (!stake || address === undefined || lamports === undefined) return [];
  const moved = lamports < stake.delegated ? lamports : stake.delegated;
  return [
    { ...stake, delegated: stake.delegated - moved },
    { ...stake, address, delegated: moved },
  ];
};

const merge: Change = ({ info }, { known }) => {
  const [source, target] = ["source", "destination"].map((name) => known(textArgument(info, name) ?? ""));
  if (!source || !target) return [];
  return [
    { ...source, delegated: 0n },
    { ...target, delegated: target.delegated + source.delegated },
  ];
};

const CHANGES: Readonly<Record<string, Change>> = {
  initialize,
  initializeChecked: initialize,
  delegate,
  authorize,
  authorizeChecked: authorize,
  authorizeWithSeed: authorize,
  authorizeCheckedWithSeed: authorize,
  deactivate: changing((_, __, { epoch }) => ({ deactivationEpoch: epoch })),
  split,
  merge,
};

/** Returns the new states of the stake accounts that an instruction changes. */
export function stakeChanges(call: Call, context: StakeContext): readonly StakeAccountFact[] {
  if (call.program !== "stake" || !Object.hasOwn(CHANGES, call.type ?? "")) return [];
  return CHANGES[call.type ?? ""]?.(call, context) ?? [];
}
