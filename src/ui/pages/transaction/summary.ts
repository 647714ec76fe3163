/** The summary of a transaction: status, time, cost and signers. */
import { decimalOf, isNumeric, type Json, numericText } from "../../../base/index.ts";
import { type Clock, formatUnix, groupDigits, SOL_DECIMALS } from "../../../output/index.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { countOf, fieldOf, listOf, textOf } from "../entity/json-fields.ts";
import type { Fact } from "../entity/summary.ts";
import { hasFailed } from "./failure.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { stepKind } from "./steps.ts";

/** Maximum number of signers that are named. */
const MAX_SIGNERS = 3;
const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
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
  const number = (name: string) => decimalOf(fieldOf(detail, name));
  const slot = number("block_id");
  const version = fieldOf(detail, "version");
  const spanCount = isBrief ? 1 : undefined;
  return [
    { label: "status", value: statusLine(detail, failure, unicode), onOwnLine: failure !== undefined },
    { label: "fee", value: feeLine(detail, formatter).slice(0, spanCount) },
    { label: "time", value: timeLine(fieldOf(detail, "block_time"), { ...formatter.clock, now }).slice(0, spanCount) },
    { label: "signed by", value: signerLine(detail, formatter) },
    { label: "slot", value: slot ? [span(groupDigits(slot).replaceAll(",", ""))] : [span("unknown", "missing")] },
    { label: "units", value: unitsLine(detail) },
    { label: "settled", value: wordLine(fieldOf(detail, "tx_status"), formatter) },
    { label: "version", value: isNumeric(version) ? [span(numericText(version))] : wordLine(version, formatter) },
  ];
}

function statusLine(detail: Json | undefined, failure: string | undefined, unicode: boolean): TextLine {
  const failed = hasFailed(detail);
  if (failed === undefined) return [span("unknown", "missing")];
  const sign = unicode ? (failed ? "✖ " : "✔ ") : "";
  return failed
    ? [span(`${sign}failed`, "bad"), span(failure === undefined ? "" : `: ${failure}`, "bad")]
    : [span(`${sign}success`, "good")];
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
  const [fee, priority] = [fieldOf(detail, "fee"), fieldOf(detail, "priority_fee")];
  if (decimalOf(fee) === undefined) return [span("unknown", "missing")];
  const part = decimalOf(priority);
  const isPriority = part !== undefined && part.digits !== 0n;
  return [
    span(`${formatter.amount(fee, SOL_DECIMALS)} SOL`),
    span(isPriority ? ` (${formatter.amount(priority, SOL_DECIMALS)} for priority)` : "", "note"),
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
  const count = calls.filter((each) => textOf(fieldOf(each, "program_id")) !== COMPUTE_BUDGET).length;
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

const wordLine = (value: Json | undefined, formatter: TransactionFormatter): TextLine => {
  const text = textOf(value);
  return text === undefined ? [] : [formatter.text(text)];
};
