/** Vote accounts: reading and building them. */
import { type Address, address } from "@solana/kit";
import { ByteReader } from "./byte-reader.ts";
import type { ParsedState } from "./parse-account.ts";

export const VOTE_PROGRAM: Address = address("Vote111111111111111111111111111111111111111");

/** The states of vote accounts that nodes read, by their number: 1.14.11 (1), current since 2023 (2), and v4 (3). */
const [BEFORE_LATENCY, WITH_LATENCY, VERSION_4] = [1, 2, 3];

/** What a vote account says that other answers need. */
export interface VoteState {
  readonly node: string;
  readonly commission: number;
  readonly lastVote: bigint;
  readonly rootSlot: bigint | null;
  readonly epochCredits: readonly (readonly [bigint, bigint, bigint])[];
  readonly parsed: ParsedState;
}

/** Reads a vote account. Throws when its version is unknown. */
export function readVote(data: Uint8Array): VoteState {
  const read = new ByteReader(data);
  const version = read.u32();
  if (![BEFORE_LATENCY, WITH_LATENCY, VERSION_4].includes(version)) throw new Error(`Vote state ${version}`);
  const [nodePubkey, authorizedWithdrawer] = [read.key(), read.key()];
  const commission = version === VERSION_4 ? readCommission(read) : read.u8();
  const votes = read.list(() => {
    const latency = version === BEFORE_LATENCY ? 0 : read.u8();
    return { latency, slot: read.u64(), confirmationCount: read.u32() };
  });
  const rootSlot = read.option(read.u64);
  const authorizedVoters = read.list(() => ({ epoch: read.u64(), authorizedVoter: read.key() }));
  if (version !== VERSION_4) read.skip(32 * 48 + 8 + 1);
  const credits = read.list(() => [read.u64(), read.u64(), read.u64()] as const);
  const lastTimestamp = { slot: read.u64(), timestamp: read.i64() };
  const info = {
    nodePubkey,
    authorizedWithdrawer,
    commission,
    votes,
    rootSlot,
    authorizedVoters,
    priorVoters: [],
    epochCredits: credits.map(([epoch, now, previous]) => ({
      epoch,
      credits: now.toString(),
      previousCredits: previous.toString(),
    })),
    lastTimestamp,
  };
  return {
    node: nodePubkey,
    commission,
    lastVote: votes.at(-1)?.slot ?? 0n,
    rootSlot,
    epochCredits: credits,
    parsed: { type: "vote", info },
  };
}

/** Version 4 has collectors, commissions in hundredths of a percent, pending rewards and a BLS key in front. */
function readCommission(read: ByteReader): number {
  read.skip(64);
  const inflation = read.u16();
  read.u16();
  read.u64();
  read.option(() => read.skip(48));
  return Math.floor(inflation / 100);
}

/** Returns a vote account in parsed form. */
export const parseVote = (data: Uint8Array): ParsedState => readVote(data).parsed;
