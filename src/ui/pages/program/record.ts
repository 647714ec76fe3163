/** The page of a program. */
import { fieldOf, isObject, type Json, type JsonObject, listOf } from "../../../base/index.ts";
import { AccountDetail, AccountMetadata, Platform, Program } from "../../../catalogue/schemas.ts";
import type { Clock } from "../../../output/index.ts";
import { rowsOf } from "../../navigation/data-store.ts";
import { span } from "../../navigation/theme/text-line.ts";
import { endpointAt, titleLine } from "../../widgets/cells.ts";
import { fieldValues, withNote } from "../entity/fields.ts";
import type { Fact } from "../entity/header.ts";
import { entityRecord } from "../entity/record.ts";

/** What a program is; only a node answers. */
export const NODE_PROGRAM = endpointAt("/node/program", "node");
/** The activity of a program per day. */
export const ANALYTICS = endpointAt("/program/analytics");
const DETAIL = endpointAt("/account/detail");
const METADATA = endpointAt("/account/metadata");
const PROGRAMS = endpointAt("/program/list");

/** The page of a program. */
export const PROGRAM_PAGE = entityRecord({
  requests: {
    account: { endpoint: DETAIL },
    metadata: { endpoint: METADATA },
    // The busiest programs, as many as one page holds.
    programs: { endpoint: PROGRAMS, params: () => ({ sort_by: "num_txs", sort_order: "desc", page_size: 40 }) },
    platforms: { endpoint: endpointAt("/program/popular/platforms"), params: () => ({}) },
  },
  title: ({ answers, id, clock, width }) => {
    const name = fieldValues(AccountMetadata, answers.metadata, clock).text("account_label");
    return titleLine(name === "" ? [] : [span(name, "program")], id, width);
  },
  facts: ({ id, answers: { account, metadata }, states, clock }) => {
    const busiest = rowsOf(states.programs);
    const [platform, activity] = [platformOf(rowsOf(states.platforms), id), activityOf(busiest, id)];
    return programFacts({ account, metadata, platform, activity }, busiest?.length ?? 0, clock);
  },
  tabs: [
    { name: "code", endpoint: NODE_PROGRAM },
    { name: "activity", endpoint: ANALYTICS, params: (address) => ({ address, range: 30 }) },
    { name: "transactions", endpoint: endpointAt("/account/transactions") },
    { name: "transfers", endpoint: endpointAt("/account/transfer") },
    { name: "busiest programs", endpoint: PROGRAMS, params: () => ({}) },
    { name: "labels", endpoint: METADATA },
    { name: "raw", endpoint: DETAIL },
  ],
  panes: [
    { tab: "code", minimum: { width: 72, height: 12 }, weight: 3 },
    { tab: "activity", minimum: { width: 58, height: 16 }, weight: 5 },
    { tab: "transactions", minimum: { width: 58, height: 10 }, weight: 4 },
    { tab: "transfers", minimum: { width: 58, height: 9 }, weight: 3 },
  ],
});

interface ProgramData {
  readonly account: JsonObject | undefined;
  readonly metadata: JsonObject | undefined;
  readonly platform: JsonObject | undefined;
  /** Its activity, and its rank among the busiest programs, from 1. */
  readonly activity: { readonly row: JsonObject; readonly rank: number } | undefined;
}

/** Returns the platform of a program. */
export function platformOf(platforms: readonly Json[] | undefined, program: string): JsonObject | undefined {
  return platforms?.find((each): each is JsonObject => isObject(each) && listOf(each.program_ids).includes(program));
}

/** Returns the activity of a program, when it is among the busiest. */
export function activityOf(programs: readonly Json[] | undefined, program: string): ProgramData["activity"] {
  const at = programs?.findIndex((each) => fieldOf(each, "program") === program) ?? -1;
  const row = programs?.[at];
  return isObject(row) ? { row, rank: at + 1 } : undefined;
}

/**
 * Returns the facts of a program, the most important first.
 * @param listedCount the number of busiest programs that are known
 */
export function programFacts(data: ProgramData, listedCount: number, clock: Clock): readonly Fact[] {
  const { account, metadata, platform, activity } = data;
  const uses = fieldValues(Program, activity?.row, clock);
  const about = fieldValues(Platform, platform, clock);
  const name = fieldValues(AccountMetadata, metadata, clock).text("account_label");
  const isUnlisted = !activity && listedCount > 0;
  return [
    { label: "name", value: name === "" ? [] : [span(name)] },
    { label: "platform", value: about.line("platform_name") },
    { label: "transactions", value: withNote(uses.line("number_transactions"), "in 90 days") },
    { label: "succeeded", value: uses.line("success_rate") },
    { label: "users", value: withNote(uses.line("last_24h_active_users"), "in 24 hours") },
    { label: "volume", value: withNote(uses.line("number_interaction_volume"), "in 90 days") },
    {
      label: "rank",
      value: activity
        ? [span(`#${activity.rank} by transactions`)]
        : [span(isUnlisted ? `not among the busiest ${listedCount}` : "", "note")],
    },
    { label: "balance", value: fieldValues(AccountDetail, account, clock).line("lamports") },
    { label: "website", value: about.line("website") },
    { label: "about", value: about.line("description") },
  ];
}
