/** The summary of a program. */
import { fieldOf, isObject, type Json, type JsonObject, listOf, textOf } from "../../../base/index.ts";
import { Program } from "../../../catalogue/schemas.ts";
import type { Clock } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatAs, formatField } from "../../widgets/cells.ts";
import type { Fact } from "../entity/summary.ts";

/** The data of the program page. */
export interface ProgramData {
  /** The account of the program and its metadata. */
  readonly account: JsonObject | undefined;
  readonly metadata: JsonObject | undefined;
  /** The platform that the program belongs to. */
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
 * Returns the facts of a program, the most important first; `listedCount` is the number of busiest programs that are
 * known.
 */
export function programFacts(
  { account, metadata, platform, activity }: ProgramData,
  listedCount: number,
  clock: Clock,
): readonly Fact[] {
  const text = (value: Json | undefined): TextLine =>
    textOf(value) === undefined ? [] : [cellSpan(formatAs("text", value, clock))];
  const formatActivity = (field: string): TextLine =>
    activity ? [cellSpan(formatField(Program, activity.row, field, clock))] : [];
  const formatOverDays = (field: string): TextLine =>
    activity ? [...formatActivity(field), span(" in 90 days", "note")] : [];
  const volume = formatOverDays("number_interaction_volume");
  const lamports = fieldOf(account, "lamports");
  return [
    { label: "name", value: text(fieldOf(metadata, "account_label")) },
    { label: "platform", value: text(fieldOf(platform, "platform_name")) },
    { label: "transactions", value: formatOverDays("number_transactions") },
    { label: "succeeded", value: formatActivity("success_rate") },
    {
      label: "users",
      value: activity ? [...formatActivity("last_24h_active_users"), span(" in 24 hours", "note")] : [],
    },
    { label: "volume", value: volume },
    { label: "rank", value: rankLine(activity, listedCount) },
    { label: "balance", value: lamports === undefined ? [] : [cellSpan(formatAs("lamports", lamports, clock))] },
    { label: "website", value: text(fieldOf(platform, "website")) },
    { label: "about", value: text(fieldOf(platform, "description")) },
  ];
}

function rankLine(activity: ProgramData["activity"], listedCount: number): TextLine {
  if (activity) return [span(`#${activity.rank} by transactions`)];
  return listedCount > 0 ? [span(`not among the busiest ${listedCount}`, "note")] : [];
}
