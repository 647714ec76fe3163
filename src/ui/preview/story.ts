/** The story of a transaction beside a list: its outcome and its flow of values, as far as they are known. */
import { fieldOf, isArray, isObject, type Json, type JsonObject, listOf, textOf, toNumber } from "../../base/index.ts";
import { formatUnix } from "../../output/index.ts";
import { lineWidth, span, type TextLine } from "../navigation/theme/text-line.ts";
import { failureOf } from "../pages/transaction/failure.ts";
import { createFormatter } from "../pages/transaction/formatter.ts";
import { stepLine, stepOf } from "../pages/transaction/steps.ts";
import { storyRows } from "../pages/transaction/story.ts";
import { failureLines } from "../pages/transaction/summary.ts";
import { answerObject, endpointAt } from "../widgets/cells.ts";
import type { PreviewFormat } from "../widgets/list/preview.ts";
import { actionText, transactionErrorText } from "../widgets/transaction-cells.ts";
import { rowLine, visibleRows } from "../widgets/tree/rows.ts";

const DETAIL = endpointAt("/transaction/detail");
const ACTIONS = endpointAt("/transaction/actions");
/** Instructions that are listed. */
const MAX_INSTRUCTIONS = 8;

/**
 * Returns the story of the transaction of a row: the whole one where its details were opened before, otherwise what the
 * row says. Nothing is requested.
 */
export function transactionStory(
  row: JsonObject,
  id: string,
  format: PreviewFormat,
  width: number,
): readonly TextLine[] {
  const details = format.data?.read({ endpoint: DETAIL, params: { tx: id } });
  const detail = details && answerObject(details);
  return detail
    ? fullStory(detail, fieldOf(details.answer?.envelope, "metadata"), id, format, width)
    : rowStory(row, format, width);
}

function fullStory(
  detail: Json,
  metadata: Json | undefined,
  id: string,
  format: PreviewFormat,
  width: number,
): readonly TextLine[] {
  const { data, clock, unicode = true } = format;
  const formatter = createFormatter(detail, metadata, clock, { nameOf: data?.names.of });
  const failure = failureOf(detail, formatter);
  const answer = data?.read({ endpoint: ACTIONS, params: { tx: id } });
  const rows = storyRows({ detail, actions: answer && answerObject(answer), failure }, formatter);
  const isAbout = ({ key }: { readonly key: string }) => key.startsWith("about ") || key === "heading about";
  return [
    ...outcomeLines(true, fieldOf(detail, "block_time"), failure, format, width),
    [],
    ...visibleRows(
      rows.filter((one) => !isAbout(one)),
      {},
    ).map((one) => rowLine(one, width, unicode)),
  ];
}

/** Returns what a row itself says: outcome, time, and what was moved, or the instructions. */
function rowStory(row: JsonObject, format: PreviewFormat, width: number): readonly TextLine[] {
  const { clock, data } = format;
  const formatter = createFormatter(undefined, undefined, clock, {
    nameOf: data?.names.of,
    priceOf: (mint) => priceIn(row, mint),
  });
  const step = stepOfRow(row);
  const instructions = listOf(row.parsed_instructions).slice(0, MAX_INSTRUCTIONS);
  const nameOf = data?.names.of ?? (() => undefined);
  return [
    ...outcomeLines(succeeded(row), row.block_time ?? row.blockTime, failureIn(row), format, width),
    ...(step ? [stepLine(stepOf(step), formatter)] : []),
    ...instructions.flatMap((one): readonly TextLine[] => {
      const text = actionText(one, nameOf);
      return text === undefined ? [] : [[span("· ", "note"), span(text)]];
    }),
  ];
}

/** Returns whether the transaction of a row succeeded; rows without a status are about effects, which only successes have. */
function succeeded({ status, err }: JsonObject): boolean {
  if (err !== undefined && err !== null) return false;
  return status === undefined || status === null || /^(success|1)$/i.test(String(toNumber(status) ?? status));
}

function failureIn(row: JsonObject): string | undefined {
  if (succeeded(row)) return undefined;
  const reason = transactionErrorText(row.err ?? row.error);
  return reason === undefined ? "failed" : `failed: ${reason}`;
}

/** Returns the outcome with its time: the reason of a failure on as many lines as it needs. */
function outcomeLines(
  isSuccess: boolean,
  time: Json | undefined,
  failure: string | undefined,
  { clock, unicode = true }: PreviewFormat,
  width: number,
): readonly TextLine[] {
  const seconds = toNumber(time);
  const moment = seconds === undefined ? undefined : formatUnix(seconds, { ...clock, style: "relative" });
  const when = moment === undefined ? [] : [span(moment, "note")];
  const age = when.length === 0 ? [] : [span("  "), ...when];
  if (failure !== undefined) {
    const lines = failureLines(failure, width, unicode);
    const isShort = lines.length === 1 && lineWidth([...(lines[0] ?? []), ...age]) <= width;
    return isShort ? [[...(lines[0] ?? []), ...age]] : [...lines, when];
  }
  return isSuccess ? [[span(`${unicode ? "✔ " : ""}success`, "good"), ...age]] : [];
}

/** Returns the step that a row describes, in the form of details; undefined for rows of whole transactions. */
function stepOfRow(row: JsonObject): Json | undefined {
  const type = textOf(row.activity_type);
  const [trade] = [row.amount_info, row.routers].filter((one) => one !== undefined && isObject(one));
  if (trade !== undefined && isObject(trade)) {
    const program = [row.platform, row.sources].map((list) => (isArray(list) ? list[0] : list));
    return {
      activity_type: type ?? "",
      program_id: program.find((one) => one !== undefined) ?? null,
      data: { account: row.from_address ?? null, ...sideOf(trade, 1), ...sideOf(trade, 2) },
    };
  }
  if (type?.startsWith("ACTIVITY_NFT_")) {
    return {
      activity_type: type,
      program_id: row.marketplace_address ?? null,
      data: { ...row, nft_address: row.token_address ?? null },
    };
  }
  if (row.amount === undefined || row.token_address === undefined || row.from_address === undefined) return undefined;
  return {
    transfer_type: type === undefined || !MOVES.test(type) ? "spl_transfer" : type,
    source_owner: row.from_address,
    destination_owner: row.to_address ?? null,
    token_address: row.token_address,
    decimals: row.token_decimals ?? null,
    amount: row.amount,
  };
}

/** Activities that are described as what they are; all others move an amount. */
const MOVES = /^ACTIVITY_SPL_(BURN|MINT)$/;

function sideOf(trade: JsonObject, side: 1 | 2): JsonObject {
  return {
    [`token_${side}`]: trade[`token${side}`] ?? null,
    [`amount_${side}`]: trade[`amount${side}`] ?? null,
    [`token_decimal_${side}`]: trade[`token${side}_decimals`] ?? null,
  };
}

/** Returns the price that follows from the value of a row. */
function priceIn(row: JsonObject, mint: string): number | undefined {
  const [value, amount, decimals] = [toNumber(row.value), toNumber(row.amount), toNumber(row.token_decimals)];
  if (row.token_address !== mint || value === undefined || !amount || decimals === undefined) return undefined;
  return value / (amount / 10 ** decimals);
}

/** The fields of a row that its story shows. */
const STORY_FIELDS: ReadonlySet<string> = new Set(["status", "err", "parsed_instructions", "time"]);

/** Returns the fields of a row that its story shows. */
export function storyFields(row: JsonObject): ReadonlySet<string> {
  return stepOfRow(row) === undefined ? STORY_FIELDS : new Set([...STORY_FIELDS, "amount_info", "routers"]);
}
