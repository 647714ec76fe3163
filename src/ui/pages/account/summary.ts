/** The summary of an account. */

import {
  decimalOf,
  groupThousands,
  isObject,
  type JsonObject,
  listOf,
  type SolxError,
  toNumber,
} from "../../../base/index.ts";
import { AccountDetail, AccountMetadata } from "../../../catalogue/schemas.ts";
import { type Clock, clip, createShortener, formatUsd, type NameOf, safeText } from "../../../output/index.ts";
import { shortId } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { cellSpan, formatAs, formatField, idSpan } from "../../widgets/cells.ts";
import type { Fact } from "../entity/summary.ts";

/** Programs that own mints and token accounts. */
const TOKEN_PROGRAMS: readonly unknown[] = [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
];
/** Maximum width of a label, which is text from the chain. */
const MAX_LABEL = 40;
const SYSTEM_PROGRAM = "11111111111111111111111111111111";
const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";

/** Returns whether a token program owns the account: it may be a mint or a token account. */
export function isOwnedByTokenProgram(detail: JsonObject | undefined): boolean {
  return TOKEN_PROGRAMS.includes(detail?.owner_program);
}

/** Returns the funder by its name, or shortened so that it differs from the account, with a warning for lookalikes. */
function funderLine(id: string, funder: string, nameOf: NameOf): TextLine {
  const shorten = createShortener();
  shorten(id);
  const isTwin = funder !== id && shortId(funder) === shortId(id);
  return [
    nameOf(funder) && !isTwin ? idSpan(funder, nameOf) : span(shorten(funder), isTwin ? "warning" : "link"),
    ...(isTwin ? [span(" ≈ looks like this address but differs", "warning")] : []),
  ];
}

/** Returns whether the account holds a stake, which earns rewards. */
export function isStakeAccount(detail: JsonObject | undefined): boolean {
  return detail?.owner_program === STAKE_PROGRAM;
}

/** Returns whether the account may hold data of a program; wallets hold none. */
export function mayHoldData(detail: JsonObject | undefined): boolean {
  return detail !== undefined && detail.owner_program !== SYSTEM_PROGRAM;
}

/** Returns whether a node decoded data of the account; wallets have none. */
export function holdsState(onChain: JsonObject | undefined): boolean {
  return onChain?.state !== undefined || onChain?.data_base64 !== undefined;
}

/** Another entity that an address can be. */
export type OtherEntity = "token" | "program" | "market";

/** Returns the other entities that an address is, as far as known. */
export function otherEntities(detail: JsonObject | undefined, mint: JsonObject | undefined): readonly OtherEntity[] {
  return [
    ...(mint?.address === undefined ? [] : (["token"] as const)),
    ...(detail?.executable === true ? (["program"] as const) : []),
    ...(detail?.type === "pool" ? (["market"] as const) : []),
  ];
}

/** Returns the account that sent the first SOL. */
export function funderOf(metadata: JsonObject | undefined): string | undefined {
  const funding = metadata?.funded_by;
  const funder = isObject(funding) ? funding.funded_by : funding;
  return typeof funder === "string" && funder !== "" ? funder : undefined;
}

/** The data of the account page. */
export interface AccountData {
  readonly id: string;
  readonly detail: JsonObject | undefined;
  readonly metadata: JsonObject | undefined;
  /** Why there is no metadata. */
  readonly metadataError: SolxError | undefined;
  readonly mint: JsonObject | undefined;
  /** The account as its owner program understands it; only a node reports it. */
  readonly onChain?: JsonObject | undefined;
  /** The holdings, where they are known. */
  readonly portfolio?: JsonObject | undefined;
  readonly nameOf: NameOf;
}

/** Returns the label of an account; empty when it has none. */
export function accountLabel(metadata: JsonObject | undefined, clock: Clock): TextLine {
  const label = formatField(AccountMetadata, metadata, "account_label", clock);
  return label.role === "missing" ? [] : [{ ...cellSpan(label), text: clip(label.text, MAX_LABEL) }];
}

/** Returns the facts of an account, the most important first. */
export function accountFacts(
  { id, detail, metadata, metadataError, mint, onChain, portfolio, nameOf }: AccountData,
  clock: Clock,
): readonly Fact[] {
  const formatMetadata = (field: string): TextLine => {
    const cell = formatField(AccountMetadata, metadata, field, clock);
    return cell.role === "missing" ? [] : [cellSpan(cell)];
  };
  const funder = funderOf(metadata);
  return [
    { label: "balance", value: balanceLine(detail, portfolio, clock) },
    { label: "total value", value: totalLine(portfolio) },
    { label: "kind", value: onChainKind(onChain) ?? accountKind(detail, mint) },
    { label: "of token", value: formatMetadata("token_symbol") },
    { label: "domain", value: formatMetadata("account_domain") },
    { label: "tags", value: tagChips(metadata) },
    {
      label: "funded by",
      value: funder === undefined ? [] : [...funderLine(id, funder, nameOf), ...fundedAt(metadata, clock)],
    },
    { label: "active", value: activeLine(metadata) },
    { label: "owned by", value: ownerLine(detail, nameOf) },
    { label: "data", value: sizeLine(onChain) },
    {
      label: "names",
      value: !onChain && metadataError?.exit === "permission" ? [span("not in this plan", "note")] : [],
    },
  ];
}

/** Returns the SOL of an account and its value in dollars, where that is known. */
function balanceLine(detail: JsonObject | undefined, portfolio: JsonObject | undefined, clock: Clock): TextLine {
  if (!detail) return [];
  const native = isObject(portfolio?.native_balance) ? decimalOf(portfolio.native_balance.value) : undefined;
  const value = native === undefined || native.digits === 0n ? [] : [span(` ${formatUsd(native, "brief")}`, "note")];
  return [cellSpan(formatField(AccountDetail, detail, "lamports", clock)), ...value];
}

function totalLine(portfolio: JsonObject | undefined): TextLine {
  const total = decimalOf(portfolio?.total_value);
  return total === undefined || total.digits === 0n ? [] : [span(formatUsd(total, "brief"), "title")];
}

/** Returns the tags of an account as chips. */
function tagChips(metadata: JsonObject | undefined): TextLine {
  const tags = listOf(metadata?.account_tags).filter((tag) => typeof tag === "string");
  return tags.flatMap((tag, at) => [
    ...(at === 0 ? [] : [span(" ")]),
    span(` ${safeText(tag).replaceAll("_", " ")} `, "chip"),
  ]);
}

/** The epoch of the next rent of accounts that never pay one: the maximum, which the API rounds up, or 0. */
const NO_RENT = 2 ** 64;

/** Returns the fields of an account without an epoch of the next rent that there will never be. */
export function withoutRentEpoch(account: JsonObject): JsonObject {
  const { rent_epoch: epoch, ...rest } = account;
  const number = toNumber(epoch);
  return number === undefined || number === 0 || number >= NO_RENT ? rest : account;
}

function accountKind(detail: JsonObject | undefined, mint: JsonObject | undefined): TextLine {
  if (!detail) return [];
  if (mint?.address !== undefined) return [span("token mint", "warning")];
  if (detail.executable === true) return [span("program")];
  if (detail.type === "token_account") return [span("token account")];
  if (detail.type === "pool") return [span("pool")];
  const curve = detail.is_oncurve === false ? ", program-derived address" : "";
  if (detail.owner_program === SYSTEM_PROGRAM) return [span(`wallet${curve}`)];
  const { text } = formatAs("enum", detail.type, { style: "iso", now: 0 });
  return [span(`${text.replaceAll("_", " ")}${curve}`)];
}

/** Returns the kind of an account as a node decodes it; undefined without it. */
function onChainKind(onChain: JsonObject | undefined): TextLine | undefined {
  const kind = onChain?.kind;
  if (typeof kind !== "string") return undefined;
  const curve = onChain?.is_oncurve === false && kind === "wallet" ? ", program-derived address" : "";
  return [span(`${safeText(kind)}${curve}`)];
}

/** Returns the size of the data of an account. */
function sizeLine(onChain: JsonObject | undefined): TextLine {
  const size = toNumber(onChain?.space) ?? 0;
  return size === 0 ? [] : [span(`${groupThousands(size)} bytes`)];
}

/** Returns the program that owns the account; that of wallets is left out. */
function ownerLine(detail: JsonObject | undefined, nameOf: NameOf): TextLine {
  const owner = detail?.owner_program;
  return typeof owner !== "string" || owner === SYSTEM_PROGRAM ? [] : [idSpan(owner, nameOf, "program")];
}

function activeLine(metadata: JsonObject | undefined): TextLine {
  const days = Number(metadata?.active_age ?? Number.NaN);
  if (!Number.isFinite(days)) return [];
  return [span(days === 1 ? "for 1 day" : `for ${groupThousands(days)} days`)];
}

function fundedAt(metadata: JsonObject | undefined, clock: Clock): TextLine {
  const funding = metadata?.funded_by;
  const { text, role } = formatAs("unixTime", isObject(funding) ? funding.block_time : undefined, clock);
  return role === "missing" ? [] : [span(` ${text}`, "note")];
}
