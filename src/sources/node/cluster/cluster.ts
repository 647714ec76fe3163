/** The state of the cluster: node/status, node/performance, node/epoch and node/validators. */
import {
  ignoreFailure,
  isMissing,
  isObject,
  type Json,
  type JsonObject,
  numericOf,
  omitUndefined,
  SolxError,
  toNumber,
} from "../../../base/index.ts";
import {
  amountOf,
  countOf,
  isSkippedSlot,
  listOf,
  objectOf,
  optionalCount,
  optionalText,
  PROGRAM,
  textOf,
} from "../../../chain/solana/index.ts";
import { type AnswerContext, exactNumber, type NodeAnswer, type NodeAnswersByRoute, pageOf } from "../answer.ts";
import { callForObject, infoOf, readProgramAccounts } from "../calls/accounts.ts";

const CLUSTERS: Readonly<Record<string, string>> = {
  "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
};

const MINUTES_PER_HOUR = 60;

/** Calls a method; undefined when the node does not serve it or has no answer now. */
async function optionalCall(
  { node, sending }: AnswerContext,
  method: string,
  params: readonly Json[] = [],
): Promise<Json | undefined> {
  try {
    return await node.call(method, params, sending);
  } catch (error) {
    if (error instanceof SolxError && error.exit !== "interrupted") return undefined;
    throw error;
  }
}

/** `node/status`. Parts that the node does not provide are missing. */
const status: NodeAnswer = async (context) => {
  const { node, sending } = context;
  const commitment = { commitment: node.commitment };
  const [epoch, hash, version, samples, supply, votes, first] = await Promise.all([
    callForObject(context, "getEpochInfo", [commitment]),
    node.call("getGenesisHash", [], sending),
    optionalCall(context, "getVersion"),
    optionalCall(context, "getRecentPerformanceSamples", [MINUTES_PER_HOUR]),
    optionalCall(context, "getSupply", [{ ...commitment, excludeNonCirculatingAccountsList: true }]),
    optionalCall(context, "getVoteAccounts", [commitment]),
    node.call("getFirstAvailableBlock", [], sending),
  ]);
  const slot = countOf(epoch.absoluteSlot, "absoluteSlot");
  const [index, slots] = [countOf(epoch.slotIndex, "slotIndex"), countOf(epoch.slotsInEpoch, "slotsInEpoch")];
  const performance = samples === undefined ? [] : listOf(samples, "result").map(sampleJson);
  const [minute] = performance;
  const time = await optionalCall(context, "getBlockTime", [slot]);
  const slotTime = averageSlotTime(performance);
  return {
    data: omitUndefined({
      cluster: CLUSTERS[textOf(hash, "result")] ?? "unknown",
      genesis_hash: textOf(hash, "result"),
      version: version === undefined ? undefined : objectOf(version, "result")["solana-core"],
      slot,
      block_height: countOf(epoch.blockHeight, "blockHeight"),
      block_time: toNumber(time),
      epoch: countOf(epoch.epoch, "epoch"),
      epoch_progress: slots === 0 ? undefined : roundTo(2, (100 * index) / slots),
      epoch_slots: slots,
      epoch_remaining_seconds: slotTime && Math.round(((slots - index) * slotTime) / 1000),
      transaction_count: optionalCount(epoch.transactionCount, "transactionCount"),
      tps: minute?.tps,
      non_vote_tps: minute?.non_vote_tps,
      slot_milliseconds: minute?.slot_milliseconds,
      slot_milliseconds_hour: slotTime && Math.round(slotTime),
      ...supplyJson(supply),
      ...stakeJson(votes),
      first_available_block: countOf(first, "result"),
    }),
  };
};

function supplyJson(supply: Json | undefined): JsonObject {
  if (supply === undefined) return {};
  const value = objectOf(objectOf(supply, "result").value, "result.value");
  return {
    total_supply: exactNumber(amountOf(value.total, "total")),
    circulating_supply: exactNumber(amountOf(value.circulating, "circulating")),
  };
}

function stakeJson(votes: Json | undefined): JsonObject {
  if (votes === undefined) return {};
  const { current, delinquent } = objectOf(votes, "result");
  const lists = [listOf(current, "current"), listOf(delinquent, "delinquent")];
  const [active = 0n, silent = 0n] = lists.map((list) =>
    list.reduce<bigint>((sum, row) => sum + amountOf(objectOf(row, "row").activatedStake, "activatedStake"), 0n),
  );
  return {
    active_stake: exactNumber(active + silent),
    delinquent_stake: exactNumber(silent),
    validators: lists[0]?.length ?? 0,
    delinquent_validators: lists[1]?.length ?? 0,
  };
}

interface Sample extends JsonObject {
  readonly slots: number;
  readonly seconds: number;
}

function sampleJson(row: Json): Sample {
  const sample = objectOf(row, "sample");
  const count = (name: string) => countOf(sample[name], name);
  const [slots, seconds, transactions] = [count("numSlots"), count("samplePeriodSecs"), count("numTransactions")];
  const others = optionalCount(sample.numNonVoteTransactions, "numNonVoteTransactions");
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

function averageSlotTime(samples: readonly Sample[]): number | undefined {
  const sum = (name: "slots" | "seconds") => samples.reduce((total, sample) => total + sample[name], 0);
  return sum("slots") === 0 ? undefined : (sum("seconds") * 1000) / sum("slots");
}

const roundTo = (digits: number, value: number) => numericOf(String(Number(value.toFixed(digits))));

/** `node/performance`, newest first. */
const performance: NodeAnswer = async ({ node, params, sending }) => {
  const limit = params.integer("limit") ?? MINUTES_PER_HOUR;
  const samples = await node.call("getRecentPerformanceSamples", [limit], sending);
  return { data: listOf(samples, "result").map(sampleJson) };
};

/** Slots at the end of an epoch in which its first or last block is searched first, and by how much they grow. */
const SEARCHED_SLOTS = 100;
const SEARCH_GROWTH = 20;
/** Slots that one call covers. */
const MAX_SLOTS = 500_000;

/** `node/epoch`: blocks that the node does not have, or that do not exist yet, are missing. */
const epochSlots: NodeAnswer = async (context) => {
  const { node, params } = context;
  const [schedule, info] = await Promise.all([
    callForObject(context, "getEpochSchedule", []),
    callForObject(context, "getEpochInfo", [{ commitment: node.commitment }]),
  ]);
  const number = params.integer("epoch") ?? countOf(info.epoch, "epoch");
  const current = countOf(info.absoluteSlot, "absoluteSlot");
  const [first, last] = slotsOf(number, schedule);
  const [firstBlock, lastBlock] = await Promise.all([
    findBlock(context, first, Math.min(last, current), "first"),
    last > current ? undefined : findBlock(context, first, last, "last"),
  ]);
  const [firstTime, lastTime] = await Promise.all([timeOf(context, firstBlock), timeOf(context, lastBlock)]);
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

/** Slots of the first epoch where epochs warm up: each is twice as long as the one before. */
const MINIMUM_SLOTS = 32;

function slotsOf(epochNumber: number, schedule: JsonObject): readonly [first: number, last: number] {
  const normal = countOf(schedule.firstNormalEpoch, "firstNormalEpoch");
  if (epochNumber < normal) {
    const first = (2 ** epochNumber - 1) * MINIMUM_SLOTS;
    return [first, first + 2 ** epochNumber * MINIMUM_SLOTS - 1];
  }
  const length = countOf(schedule.slotsPerEpoch, "slotsPerEpoch");
  const first = countOf(schedule.firstNormalSlot, "firstNormalSlot") + (epochNumber - normal) * length;
  return [first, first + length - 1];
}

/** Finds the first or the last block of a range; undefined when there is none, or the node does not have it. */
async function findBlock(
  context: AnswerContext,
  from: number,
  to: number,
  end: "first" | "last",
): Promise<number | undefined> {
  for (let width = SEARCHED_SLOTS; ; width = Math.min(width * SEARCH_GROWTH, MAX_SLOTS)) {
    const range = end === "first" ? [from, Math.min(to, from + width)] : [Math.max(from, to - width), to];
    const slots = await optionalCall(context, "getBlocks", [...range, { commitment: "confirmed" }]);
    const list = slots === undefined ? [] : listOf(slots, "result").map((slot) => countOf(slot, "slot"));
    const block = end === "first" ? list[0] : list.at(-1);
    if (block !== undefined || slots === undefined || width > to - from || width === MAX_SLOTS) return block;
  }
}

async function timeOf(context: AnswerContext, slot: number | undefined): Promise<number | undefined> {
  if (slot === undefined) return undefined;
  try {
    const time = await context.node.call("getBlockTime", [slot], context.sending);
    return isMissing(time) ? undefined : countOf(time, "result");
  } catch (error) {
    if (isSkippedSlot(error)) return undefined;
    throw error;
  }
}

/** `node/validators`, by active stake. */
const validators: NodeAnswer = async (context) => {
  const { node, params, session } = context;
  const [votes, versions, introductions] = await Promise.all([
    callForObject(context, "getVoteAccounts", [{ commitment: node.commitment }]),
    readVersions(context).catch(ignoreFailure),
    session.once("validators", () => readIntroductions(context)).catch(ignoreFailure),
  ]);
  const { current, delinquent } = votes;
  const rows = [...rowsOf(current, "current"), ...rowsOf(delinquent, "delinquent")].sort(byStake);
  const active = rows.reduce((sum, { stake }) => sum + stake, 0n);
  const ranked = rows.map((row, at) => ({ ...row, rank: at + 1 }));
  const status = params.text("status");
  const matching = ranked.filter((row) => status === undefined || row.status === status);
  return {
    data: {
      total: matching.length,
      items: pageOf(matching, context).map((row) => {
        const identity = textOf(row.vote.nodePubkey, "nodePubkey");
        return omitUndefined({
          rank: row.rank,
          ...nameOf(introductions?.get(identity)),
          vote_account: textOf(row.vote.votePubkey, "votePubkey"),
          identity,
          status: row.status,
          activated_stake: exactNumber(row.stake),
          stake_share: active === 0n ? 0 : (Number(row.stake) / Number(active)) * 100,
          commission: countOf(row.vote.commission, "commission"),
          last_vote: countOf(row.vote.lastVote, "lastVote"),
          root_slot: countOf(row.vote.rootSlot, "rootSlot"),
          credits: creditsOf(row.vote),
          version: versions?.get(identity),
        });
      }),
    },
  };
};

interface VoteRow {
  readonly vote: JsonObject;
  readonly status: "current" | "delinquent";
  readonly stake: bigint;
}

const rowsOf = (list: Json | undefined, status: VoteRow["status"]): readonly VoteRow[] =>
  listOf(list, status).map((row) => {
    const vote = objectOf(row, status);
    return { vote, status, stake: amountOf(vote.activatedStake, "activatedStake") };
  });

const byStake = (a: VoteRow, b: VoteRow) => (a.stake === b.stake ? 0 : a.stake < b.stake ? 1 : -1);

function creditsOf({ epochCredits }: JsonObject): number | undefined {
  const last = listOf(epochCredits, "epochCredits").at(-1);
  if (last === undefined) return undefined;
  const [, credits, before] = listOf(last, "epochCredits");
  return countOf(credits, "credits") - countOf(before, "credits");
}

/** Reads the software versions of validators by their identity. */
async function readVersions({ node, sending }: AnswerContext): Promise<ReadonlyMap<string, string>> {
  const nodes = listOf(await node.call("getClusterNodes", [], sending), "result");
  return new Map(
    nodes.flatMap((row) => {
      const { pubkey, version } = objectOf(row, "node");
      const text = optionalText(version, "version");
      return text === undefined ? [] : [[textOf(pubkey, "pubkey"), text] as const];
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
      const signed = listOf(keys, "keys")
        .map((key) => objectOf(key, "key"))
        .find(({ signer }) => signer === true);
      return signed ? [[textOf(signed.pubkey, "pubkey"), configData] as const] : [];
    }),
  );
}

function nameOf(introduction: JsonObject | undefined): JsonObject {
  const text = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : undefined);
  return omitUndefined({ name: text(introduction?.name), website: text(introduction?.website) });
}

/** Answers about the cluster. */
export const clusterAnswers: NodeAnswersByRoute = {
  "node-status": status,
  "node-performance": performance,
  "node-validators": validators,
  "node-epoch": epochSlots,
};
