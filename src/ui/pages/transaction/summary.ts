/** The summary of a transaction: status, time, cost and signers. */
import {
  countOf,
  fieldOf,
  groupThousands,
  type Json,
  listOf,
  scalarText,
  textOf,
  toDecimal,
  toNumber,
} from "../../../base/index.ts";
import { NATIVE_SOL, PROGRAM } from "../../../catalogue/index.ts";
import { type Clock, clip, formatUnix, SOL_DECIMALS, safeText, wrap } from "../../../output/index.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import type { Fact } from "../entity/header.ts";
import { hasFailed } from "./calls.ts";
import type { TransactionFormatter } from "./formatter.ts";
import { stepKind } from "./steps.ts";

const UNKNOWN: TextLine = [span("unknown", "missing")];

interface FactsFormat {
  readonly formatter: TransactionFormatter;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly unicode: boolean;
  /** Whether notes in parentheses are omitted. */
  readonly isBrief?: boolean;
}

/** Returns the facts of a transaction, the most important first; lines of their own say that it failed. */
export function transactionFacts(
  detail: Json | undefined,
  { formatter, now, unicode, isBrief = false }: FactsFormat,
): readonly Fact[] {
  const slot = countOf(fieldOf(detail, "block_id"));
  const spanCount = isBrief ? 1 : undefined;
  return [
    { label: "status", value: statusLine(detail, formatter, unicode) },
    { label: "fee", value: feeLine(detail, formatter).slice(0, spanCount) },
    { label: "time", value: timeLine(fieldOf(detail, "block_time"), { ...formatter.clock, now }).slice(0, spanCount) },
    { label: "signed by", value: signerLine(detail, formatter) },
    { label: "slot", value: slot === undefined ? UNKNOWN : [span(`${slot}`, "block")] },
    { label: "units", value: unitsLine(detail) },
    // Older versions need no mention.
    { label: "version", value: (toNumber(fieldOf(detail, "version")) ?? 0) > 0 ? [span(versionOf(detail) ?? "")] : [] },
  ];
}

const MAX_VERSION = 20;

/** Returns the version of a transaction: `legacy`, or a number. */
export function versionOf(detail: Json | undefined): string | undefined {
  const text = scalarText(fieldOf(detail, "version"));
  return text && clip(safeText(text), MAX_VERSION);
}

const MAX_FAILURE_LINES = 3;

/** Returns the sentence about a failure as lines; the last one is cut where it is too long. */
export function failureLines(failure: string | undefined, width: number, unicode: boolean): readonly TextLine[] {
  if (failure === undefined) return [];
  const sign = unicode ? "✖ " : "x ";
  return wrap(failure, Math.max(1, width - sign.length))
    .slice(0, MAX_FAILURE_LINES)
    .map((text, at) => [span(at === 0 ? sign : " ".repeat(sign.length), "bad"), span(text, "bad")]);
}

/** Returns that the transaction succeeded, and its commitment; nothing about a failure. */
function statusLine(detail: Json | undefined, formatter: TransactionFormatter, unicode: boolean): TextLine {
  const failed = hasFailed(detail);
  if (failed !== false) return failed ? [] : UNKNOWN;
  const commitment = textOf(fieldOf(detail, "tx_status"));
  const note = commitment === undefined ? [] : [span(` · ${formatter.text(commitment).text}`, "note")];
  return [span(`${unicode ? "✔ " : ""}success`, "good"), ...note];
}

/** Formats a time with its age. */
export function timeLine(value: Json | undefined, clock: Clock): TextLine {
  const seconds = countOf(value);
  const moment = seconds === undefined ? undefined : formatUnix(seconds, { ...clock, style: "local" });
  if (seconds === undefined || moment === undefined) return UNKNOWN;
  const ago = formatUnix(seconds, { ...clock, style: "relative" }) ?? "";
  return /ago|now|in /.test(ago) ? [span(ago), span(` (${moment})`, "note")] : [span(moment)];
}

function feeLine(detail: Json | undefined, formatter: TransactionFormatter): TextLine {
  const fee = toDecimal(fieldOf(detail, "fee"));
  if (!fee) return UNKNOWN;
  const worth = formatter.usd(fee, NATIVE_SOL, SOL_DECIMALS);
  return [
    span(`${formatter.amount(fieldOf(detail, "fee"), SOL_DECIMALS)} SOL`),
    span(worth === undefined ? "" : ` (${worth})`, "note"),
  ];
}

function unitsLine(detail: Json | undefined): TextLine {
  const { used, limit } = unitsOf(detail);
  if (used === undefined) return [];
  return [span(groupThousands(used)), span(limit === undefined ? "" : ` of ${groupThousands(limit)}`, "note")];
}

/** Compute units of each instruction without a requested limit, and the maximum of a transaction. */
const UNITS_EACH = 200_000;
const UNITS_MAX = 1_400_000;

/** Returns the consumed compute units and their limit: the requested one or the default; logs have what remains of it. */
export function unitsOf(detail: Json | undefined): {
  readonly used: number | undefined;
  readonly limit: number | undefined;
} {
  const request = listOf(fieldOf(detail, "activities")).find(
    (each) => stepKind(fieldOf(each, "activity_type")) === "computeunitlimit",
  );
  const calls = listOf(fieldOf(detail, "parsed_instructions"));
  const count = calls.filter((each) => textOf(fieldOf(each, "program_id")) !== PROGRAM.computeBudget).length;
  const usual = count === 0 ? undefined : Math.min(UNITS_MAX, count * UNITS_EACH);
  return {
    used: countOf(fieldOf(detail, "compute_units_consumed")),
    limit: countOf(fieldOf(fieldOf(request, "data"), "compute_unit_limit")) ?? usual,
  };
}

const MAX_SIGNERS = 3;

function signerLine(detail: Json | undefined, formatter: TransactionFormatter): TextLine {
  const signers = listOf(fieldOf(detail, "signer")).map((id) => formatter.address(id, "signer").text);
  if (signers.length === 0) return UNKNOWN;
  const more = signers.length - MAX_SIGNERS;
  return [span(signers.slice(0, MAX_SIGNERS).join(", ")), span(more > 0 ? ` and ${more} more` : "", "note")];
}
