/** The epochs of a cluster: which is current, their slots, and when they began. */
import { ignoreFailure } from "../../../base/index.ts";
import type { AnswerContext } from "../answer.ts";
import { callFor } from "./accounts.ts";
import { listSlots } from "./blocks.ts";

/** Slots of the first epoch where epochs warm up: each is twice as long as the one before. */
const MINIMUM_SLOTS = 32;
/** Slots at the beginning of an epoch in which its first block is searched. */
const SEARCHED_SLOTS = 100;

/** Returns the current epoch. */
export async function readEpoch(context: AnswerContext): Promise<bigint> {
  const info = await callFor(context, "getEpochInfo", [{ commitment: context.node.commitment }]);
  return BigInt(info.at("epoch").count());
}

/** Returns the first and the last slot of an epoch. */
export async function readSlotsOfEpoch(
  context: AnswerContext,
  epoch: number,
): Promise<readonly [first: number, last: number]> {
  const schedule = await callFor(context, "getEpochSchedule");
  const normal = schedule.at("firstNormalEpoch").count();
  if (epoch < normal) {
    const first = (2 ** epoch - 1) * MINIMUM_SLOTS;
    return [first, first + 2 ** epoch * MINIMUM_SLOTS - 1];
  }
  const length = schedule.at("slotsPerEpoch").count();
  const first = schedule.at("firstNormalSlot").count() + (epoch - normal) * length;
  return [first, first + length - 1];
}

/** Returns the Unix time of the first block of an epoch; undefined where the node does not say it. */
export async function readEpochTime(context: AnswerContext, epoch: number): Promise<number | undefined> {
  try {
    const [first] = await readSlotsOfEpoch(context, epoch);
    const [slot] = await listSlots(context, [first, first + SEARCHED_SLOTS], "finalized");
    return slot === undefined ? undefined : (await callFor(context, "getBlockTime", [slot])).time();
  } catch (error) {
    ignoreFailure(error);
    return undefined;
  }
}
