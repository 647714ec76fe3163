/** The summary of a transaction: status, time, cost and signers. */
import {
  countOf,
  decimalOf,
  fieldOf,
  isNumeric,
  type Json,
  listOf,
  numericText,
  textOf,
  toNumber,
} from "../../../base/index.ts";
import { NATIVE_SOL, PROGRAM } from "../../../catalogue/index.ts";
import { type Clock, clip, formatUnix, groupDigits, SOL_DECIMALS, safeText, wrap } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { Fact } from "../entity/summary.ts";
import { hasFailed } from "./failure.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { stepKind } from "./steps.ts";

/** Maximum number of signers that are named. */
const MAX_SIGNERS = 3;
/** Compute units of each instruction without a requested limit, and the maximum of a transaction. */
const UNITS_EACH = 200_000;
const UNITS_MAX = 1_400_000;

/** How the facts are formatted. */
export interface TransactionFormat {
  /** Why the transaction failed. */
  readonly failure: string | undefined;
  readonly formatter: TransactionFormatter;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly unicode: boolean;
  /** Whether notes in parentheses are omitted. */
  readonly isBrief?: boolean;
}

/** Returns the facts of a transaction, the most important first. */
export function transactionFacts(detail: Json | undefined, format: TransactionFormat): readonly Fact[] {
  const { formatter, failure, now, unicode, isBrief = false } = format;
  const slot = decimalOf(fieldOf(detail, "block_id"));
  const spanCount = isBrief ? 1 : undefined;
  return [
    ...(failure === undefined ? [{ label: "status", value: statusLine(detail, formatter, unicode) }] : []),
    { label: "fee", value: feeLine(detail, formatter).slice(0, spanCount) },
    { label: "time", value: timeLine(fieldOf(detail, "block_time"), { ...formatter.clock, now }).slice(0, spanCount) },
    { label: "signed by", value: signerLine(detail, formatter) },
    {
      label: "slot",
      value: slot ? [span(groupDigits(slot).replaceAll(",", ""), "block")] : [span("unknown", "missing")],
    },
    { label: "units", value: unitsLine(detail) },
    // Older versions need no mention.
    { label: "version", value: (toNumber(fieldOf(detail, "version")) ?? 0) > 0 ? [span(versionOf(detail) ?? "")] : [] },
  ];
}

/** Returns the version of a transaction: `legacy`, or a number. */
export function versionOf(detail: Json | undefined): string | undefined {
  const version = fieldOf(detail, "version");
  const text = isNumeric(version) ? numericText(version) : textOf(version);
  return text && clip(safeText(text), MAX_VERSION);
}

const MAX_VERSION = 20;

/** Lines of the sentence about a failure. */
const MAX_FAILURE_LINES = 3;

/** Returns the sentence about a failure as lines; the last one is cut where it is too long. */
export function failureLines(failure: string | undefined, width: number, unicode: boolean): readonly TextLine[] {
  if (failure === undefined) return [];
  const sign = unicode ? "✖ " : "x ";
  return wrap(failure, Math.max(1, width - sign.length))
    .slice(0, MAX_FAILURE_LINES)
    .map((text, at) => [span(at === 0 ? sign : " ".repeat(sign.length), "bad"), span(text, "bad")]);
}

/** Returns whether the transaction succeeded, and its commitment. */
function statusLine(detail: Json | undefined, formatter: TransactionFormatter, unicode: boolean): TextLine {
  const failed = hasFailed(detail);
  if (failed === undefined) return [span("unknown", "missing")];
  const commitment = textOf(fieldOf(detail, "tx_status"));
  return [
    span(`${unicode ? "✔ " : ""}success`, "good"),
    ...(commitment === undefined
      ? []
      : [span(" · ", "note"), { ...formatter.text(commitment), role: "note" as const }]),
  ];
}

/** Formats a time with its age. */
export function timeLine(value: Json | undefined, clock: Clock): TextLine {
  const seconds = countOf(value);
  const moment = seconds === undefined ? undefined : formatUnix(seconds, { ...clock, style: "local" });
  if (seconds === undefined || moment === undefined) return [span("unknown", "missing")];
  const ago = formatUnix(seconds, { ...clock, style: "relative" }) ?? "";
  return /ago|now|in /.test(ago) ? [span(ago), span(` (${moment})`, "note")] : [span(moment)];
}

function feeLine(detail: Json | undefined, formatter: TransactionFormatter): TextLine {
  const fee = decimalOf(fieldOf(detail, "fee"));
  if (!fee) return [span("unknown", "missing")];
  const worth = formatter.usd(fee, NATIVE_SOL, SOL_DECIMALS);
  return [
    span(`${formatter.amount(fieldOf(detail, "fee"), SOL_DECIMALS)} SOL`),
    span(worth === undefined ? "" : ` (${worth})`, "note"),
  ];
}

/** Returns the consumed compute units and their limit. */
function unitsLine(detail: Json | undefined): TextLine {
  const used = decimalOf(fieldOf(detail, "compute_units_consumed"));
  if (!used) return [];
  const limit = unitLimitOf(detail);
  return [
    span(groupDigits(used)),
    span(limit === undefined ? "" : ` of ${groupDigits({ negative: false, digits: limit, scale: 0 })}`, "note"),
  ];
}

/** Returns the requested limit of compute units, or the default; log lines have what remains of it. */
export function unitLimitOf(detail: Json | undefined): bigint | undefined {
  const limitActivity = listOf(fieldOf(detail, "activities")).find(
    (each) => stepKind(fieldOf(each, "activity_type")) === "computeunitlimit",
  );
  const limit = countOf(fieldOf(fieldOf(limitActivity, "data"), "compute_unit_limit"));
  if (limit !== undefined) return BigInt(limit);
  const calls = listOf(fieldOf(detail, "parsed_instructions"));
  const count = calls.filter((each) => textOf(fieldOf(each, "program_id")) !== PROGRAM.computeBudget).length;
  return count === 0 ? undefined : BigInt(Math.min(UNITS_MAX, count * UNITS_EACH));
}

function signerLine(detail: Json | undefined, formatter: TransactionFormatter): TextLine {
  const signers = listOf(fieldOf(detail, "signer"));
  if (signers.length === 0) return [span("unknown", "missing")];
  const more = signers.length - MAX_SIGNERS;
  return [
    span(
      signers
        .slice(0, MAX_SIGNERS)
        .map((id) => formatter.address(id, "signer").text)
        .join(", "),
    ),
    span(more > 0 ? ` and ${more} more` : "", "note"),
  ];
}
