/** The state of the cluster: node/status, node/performance, node/epoch and node/validators. */

import { isObject, type Json, type JsonObject, omitUndefined, toNumeric } from "../../../base/index.ts";
import { CLUSTERS } from "../../../catalogue/index.ts";
import { Member, PROGRAM } from "../../../chain/solana/index.ts";
import {
  type AnswerContext,
  exactNumber,
  loadOptional,
  type NodeAnswer,
  type NodeAnswersByRoute,
  pageRange,
  slicePage,
} from "../answer.ts";
import { callFor, infoOf, readProgramAccounts } from "../calls/accounts.ts";
import { listSlots } from "../calls/blocks.ts";
import { readSlotsOfEpoch } from "../calls/epochs.ts";

const MINUTES_PER_HOUR = 60;

/** `node/status`. Parts that the node does not provide are missing. */
const status: NodeAnswer = async (context) => {
  const commitment = { commitment: context.node.commitment };
  const load = <T>(part: string, method: string, params: readonly Json[], read: (result: Member) => T) =>
    loadOptional(context, part, async () => read(await callFor(context, method, params)));
  const [info, hash, version, samples, supply, votes, first] = await Promise.all([
    callFor(context, "getEpochInfo", [commitment]),
    load("the name of the cluster", "getGenesisHash", [], (result) => result.text()),
    load("the version", "getVersion", [], (result) => result.at("solana-core").text()),
    load("transactions per second", "getRecentPerformanceSamples", [MINUTES_PER_HOUR], (result) => readSamples(result)),
    load("the supply", "getSupply", [{ ...commitment, excludeNonCirculatingAccountsList: true }], supplyJson),
    load("stake and validators", "getVoteAccounts", [commitment], stakeJson),
    load("the first available block", "getFirstAvailableBlock", [], (result) => result.count()),
  ]);
  const slot = info.at("absoluteSlot").count();
  const [index, slots] = [info.at("slotIndex").count(), info.at("slotsInEpoch").count()];
  const [minute] = samples ?? [];
  const time = await load("the time of the newest block", "getBlockTime", [slot], (result) => result.time());
  const slotTime = averageSlotTime(samples ?? []);
  return {
    data: omitUndefined({
      cluster: hash && (CLUSTERS[hash] ?? "unknown"),
      genesis_hash: hash,
      version,
      slot,
      block_height: info.at("blockHeight").count(),
      block_time: time,
      epoch: info.at("epoch").count(),
      epoch_progress: slots === 0 ? undefined : roundTo(2, (100 * index) / slots),
      epoch_slots: slots,
      epoch_remaining_seconds: slotTime && Math.round(((slots - index) * slotTime) / 1000),
      transaction_count: info.at("transactionCount").optional()?.count(),
      tps: minute?.tps,
      non_vote_tps: minute?.non_vote_tps,
      slot_milliseconds: minute?.slot_milliseconds,
      slot_milliseconds_hour: slotTime && Math.round(slotTime),
      ...supply,
      ...votes,
      first_available_block: first,
    }),
  };
};

function supplyJson(result: Member): JsonObject {
  const amountOf = (name: string) => exactNumber(result.at("value").at(name).lamports());
  return { total_supply: amountOf("total"), circulating_supply: amountOf("circulating") };
}

function stakeJson(votes: Member): JsonObject {
  const rows = voteRows(votes);
  const silent = rows.filter(({ status }) => status === "delinquent");
  const sum = (list: readonly VoteRow[]) => exactNumber(list.reduce((total, { stake }) => total + stake, 0n));
  return {
    active_stake: sum(rows),
    delinquent_stake: sum(silent),
    validators: rows.length - silent.length,
    delinquent_validators: silent.length,
  };
}

interface Sample extends JsonObject {
  readonly slot: number;
  readonly slots: number;
  readonly seconds: number;
}

function sampleJson(sample: Member): Sample {
  const count = (name: string) => sample.at(name).count();
  const [slots, seconds, transactions] = [count("numSlots"), count("samplePeriodSecs"), count("numTransactions")];
  const others = sample.at("numNonVoteTransactions").optional()?.count();
  return {
    slot: count("slot"),
    seconds,
    slots,
    transactions,
    ...(others === undefined ? {} : { non_vote_transactions: others }),
    ...(others === undefined || seconds === 0 ? {} : { non_vote_tps: roundTo(1, others / seconds) }),
    ...(seconds === 0 ? {} : { tps: roundTo(1, transactions / seconds) }),
    ...(slots === 0 ? {} : { slot_milliseconds: Math.round((seconds * 1000) / slots) }),
  };
}

/** Returns the samples of an answer, newest first and each once. */
function readSamples(result: Member): readonly Sample[] {
  const samples = result.list().map(sampleJson);
  const bySlot = new Map(samples.map((sample) => [sample.slot, sample]));
  return [...bySlot.values()].sort((a, b) => b.slot - a.slot);
}

function averageSlotTime(samples: readonly Sample[]): number | undefined {
  const sum = (name: "slots" | "seconds") => samples.reduce((total, sample) => total + sample[name], 0);
  return sum("slots") === 0 ? undefined : (sum("seconds") * 1000) / sum("slots");
}

const roundTo = (digits: number, value: number) => toNumeric(String(Number(value.toFixed(digits))));

/** `node/performance`, newest first. */
const performance: NodeAnswer = async (context) => {
  const limit = context.params.integer("limit") ?? MINUTES_PER_HOUR;
  const samples = await callFor(context, "getRecentPerformanceSamples", [limit]);
  return { data: readSamples(samples) };
};

/** Slots at the end of an epoch in which its first or last block is searched first, and by how much they grow. */
const SEARCHED_SLOTS = 100;
const SEARCH_GROWTH = 20;
/** Slots that one call covers. */
const MAX_SLOTS = 500_000;

/** `node/epoch`: blocks that the node does not have, or that do not exist yet, are missing. */
const epochSlots: NodeAnswer = async (context) => {
  const { node, params } = context;
  const info = await callFor(context, "getEpochInfo", [{ commitment: node.commitment }]);
  const number = params.integer("epoch") ?? info.at("epoch").count();
  const current = info.at("absoluteSlot").count();
  const [first, last] = await readSlotsOfEpoch(context, number);
  const [firstBlock, lastBlock] = await Promise.all([
    findBlock(context, first, Math.min(last, current), "first"),
    last > current ? undefined : findBlock(context, first, last, "last"),
  ]);
  const [firstTime, lastTime] = await Promise.all([fetchTime(context, firstBlock), fetchTime(context, lastBlock)]);
  return {
    data: omitUndefined({
      epoch: number,
      first_slot: first,
      last_slot: last,
      first_block: firstBlock,
      last_block: lastBlock,
      first_block_time: firstTime,
      last_block_time: lastTime,
    }),
  };
};

/** Finds the first or the last block of a range; undefined when there is none, or the node does not have it. */
async function findBlock(
  context: AnswerContext,
  from: number,
  to: number,
  end: "first" | "last",
): Promise<number | undefined> {
  for (let width = SEARCHED_SLOTS; ; width = Math.min(width * SEARCH_GROWTH, MAX_SLOTS)) {
    const range =
      end === "first" ? ([from, Math.min(to, from + width)] as const) : ([Math.max(from, to - width), to] as const);
    const slots = await loadOptional(context, `the ${end} block of the epoch`, () =>
      listSlots(context, range, "confirmed"),
    );
    const block = end === "first" ? slots?.[0] : slots?.at(-1);
    if (block !== undefined || slots === undefined) return block;
    if (width <= to - from && width < MAX_SLOTS) continue;
    const part = `the ${end} block of the epoch`;
    context.report?.({ type: "warning", text: `Without ${part}: the node lists none.`, missing: part });
    return undefined;
  }
}

async function fetchTime(context: AnswerContext, slot: number | undefined): Promise<number | undefined> {
  if (slot === undefined) return undefined;
  return loadOptional(context, "the times of blocks", async () =>
    (await callFor(context, "getBlockTime", [slot])).time(),
  );
}

/** `node/validators`, by active stake. */
const validators: NodeAnswer = async (context) => {
  const { node, params, session } = context;
  const [votes, versions, introductions] = await Promise.all([
    callFor(context, "getVoteAccounts", [{ commitment: node.commitment }]),
    loadOptional(context, "versions", () => readVersions(context)),
    loadOptional(context, "names of validators", () => session.once("validators", () => readIntroductions(context))),
  ]);
  const rows = voteRows(votes).toSorted(byStake);
  const active = rows.reduce((sum, { stake }) => sum + stake, 0n);
  const ranked = rows.map((row, at) => ({ ...row, rank: at + 1 }));
  const status = params.text("status");
  const matching = ranked.filter((row) => status === undefined || row.status === status);
  return {
    data: {
      total: matching.length,
      items: slicePage(matching, context).map((row) => {
        const identity = row.vote.at("nodePubkey").address();
        return omitUndefined({
          rank: row.rank,
          ...nameOf(introductions?.get(identity)),
          vote_account: row.vote.at("votePubkey").address(),
          identity,
          status: row.status,
          activated_stake: exactNumber(row.stake),
          stake_share: active === 0n ? 0 : (Number(row.stake) / Number(active)) * 100,
          commission: row.vote.at("commission").count(),
          last_vote: row.vote.at("lastVote").count(),
          root_slot: row.vote.at("rootSlot").count(),
          credits: readCredits(row.vote),
          version: versions?.get(identity),
        });
      }),
    },
  };
};

interface VoteRow {
  readonly vote: Member;
  readonly status: "current" | "delinquent";
  readonly stake: bigint;
}

/** Returns the vote accounts of an answer, each once. */
function voteRows(votes: Member): readonly VoteRow[] {
  const rows = (["current", "delinquent"] as const).flatMap((status) =>
    votes
      .at(status)
      .list()
      .map((vote) => ({ vote, status, stake: vote.at("activatedStake").lamports() })),
  );
  const accounts = new Set(rows.map(({ vote }) => vote.at("votePubkey").address()));
  if (accounts.size < rows.length) throw votes.malformed("a list of different vote accounts");
  return rows;
}

const byStake = (a: VoteRow, b: VoteRow) => (a.stake === b.stake ? 0 : a.stake < b.stake ? 1 : -1);

function readCredits(vote: Member): number | undefined {
  const [, credits, before] = vote.at("epochCredits").list().at(-1)?.list() ?? [];
  return credits && before && credits.count() - before.count();
}

/** Reads the software versions of validators by their identity. */
async function readVersions(context: AnswerContext): Promise<ReadonlyMap<string, string>> {
  const nodes = (await callFor(context, "getClusterNodes")).list();
  return new Map(
    nodes.flatMap((node) => {
      const version = node.at("version").optional()?.text();
      return version === undefined ? [] : [[node.at("pubkey").address(), version] as const];
    }),
  );
}

/** Reads what validators publish about themselves, by their identity, which signs these accounts of the config program. */
async function readIntroductions(context: AnswerContext): Promise<ReadonlyMap<string, JsonObject>> {
  const accounts = await readProgramAccounts(context, PROGRAM.config, "jsonParsed");
  return new Map(
    accounts.flatMap((account) => {
      const { keys, configData } = infoOf(account);
      if (account.parsed?.type !== "validatorInfo" || !isObject(configData)) return [];
      const signed = new Member(keys, "keys").list().find((key) => key.at("signer").value === true);
      return signed ? [[signed.at("pubkey").address(), configData] as const] : [];
    }),
  );
}

function nameOf(introduction: JsonObject | undefined): JsonObject {
  const text = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : undefined);
  return omitUndefined({ name: text(introduction?.name), website: text(introduction?.website) });
}

/** Accounts that `getLargestAccounts` returns. */
const LARGEST = 20;

/** `/account/leaderboard`: the accounts with the most SOL. */
const leaderboard: NodeAnswer = async (context) => {
  const { node, report } = context;
  const { start, size } = pageRange(context);
  const list = (await callFor(context, "getLargestAccounts", [{ commitment: node.commitment }])).at("value");
  const rows = list.list();
  if (rows.length >= LARGEST && start + size > rows.length) {
    const text = `A Solana node knows the ${LARGEST} accounts with the most SOL only: the others are missing.`;
    report?.({ type: "coverage", text });
  }
  if (rows.length === 0) throw list.malformed("a list with the accounts with the most SOL");
  const amounts = new Map(rows.map((row) => [row.at("address").address(), row.at("lamports").lamports()]));
  const accounts = [...amounts].sort(([, a], [, b]) => (a === b ? 0 : a < b ? 1 : -1));
  const page = accounts.slice(start, start + size);
  return { data: { data: page.map(([account, lamports]) => ({ account, lamports: exactNumber(lamports) })) } };
};

/** Answers about the cluster. */
export const clusterAnswers: NodeAnswersByRoute = {
  "v2-account-leaderboard": leaderboard,
  "node-status": status,
  "node-performance": performance,
  "node-validators": validators,
  "node-epoch": epochSlots,
};
