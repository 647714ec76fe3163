/** The summary of an account. */

import { groupThousands, isObject, type JsonObject, type SolxError } from "../../../base/index.ts";
import { AccountDetail, AccountMetadata } from "../../../catalogue/schemas.ts";
import { type Clock, clip, createShortener } from "../../../output/index.ts";
import { shortId } from "../../app/route.ts";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { cellSpan, formatAs, formatField } from "../../widgets/cells.ts";
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
/** Programs that own nearly all accounts except wallets. */
const PROGRAMS: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: "Token program",
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: "Token-2022 program",
  BPFLoaderUpgradeab1e11111111111111111111111: "program loader",
  [STAKE_PROGRAM]: "Stake program",
  Vote111111111111111111111111111111111111111: "Vote program",
};

/** Returns whether a token program owns the account: it may be a mint or a token account. */
export function isOwnedByTokenProgram(detail: JsonObject | undefined): boolean {
  return TOKEN_PROGRAMS.includes(detail?.owner_program);
}

/** Returns the funder, shortened so that it differs from the account itself, with a warning for lookalikes. */
function funderLine(id: string, funder: string): TextLine {
  const shorten = createShortener();
  shorten(id);
  const isTwin = funder !== id && shortId(funder) === shortId(id);
  return [
    span(shorten(funder), isTwin ? "warning" : "link"),
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
}

/** Returns the label of an account; empty when it has none. */
export function accountLabel(metadata: JsonObject | undefined, clock: Clock): TextLine {
  const label = formatField(AccountMetadata, metadata, "account_label", clock);
  return label.role === "missing" ? [] : [{ ...cellSpan(label), text: clip(label.text, MAX_LABEL) }];
}

/** Returns the facts of an account, the most important first. */
export function accountFacts(
  { id, detail, metadata, metadataError, mint }: AccountData,
  clock: Clock,
): readonly Fact[] {
  const formatMetadata = (field: string): TextLine => {
    const cell = formatField(AccountMetadata, metadata, field, clock);
    return cell.role === "missing" ? [] : [cellSpan(cell)];
  };
  const funder = funderOf(metadata);
  const balance = detail ? [cellSpan(formatField(AccountDetail, detail, "lamports", clock))] : [];
  return [
    { label: "balance", value: balance },
    { label: "kind", value: accountKind(detail, mint) },
    { label: "of token", value: formatMetadata("token_symbol") },
    { label: "domain", value: formatMetadata("account_domain") },
    { label: "tags", value: formatMetadata("account_tags") },
    {
      label: "funded by",
      value: funder === undefined ? [] : [...funderLine(id, funder), ...fundedAt(metadata, clock)],
    },
    { label: "active", value: activeLine(metadata) },
    { label: "owned by", value: ownerLine(detail) },
    { label: "names", value: metadataError?.exit === "permission" ? [span("not in this plan", "note")] : [] },
  ];
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

function ownerLine(detail: JsonObject | undefined): TextLine {
  const owner = detail?.owner_program;
  if (typeof owner !== "string" || owner === SYSTEM_PROGRAM) return [];
  return [span(Object.hasOwn(PROGRAMS, owner) ? (PROGRAMS[owner] ?? "") : shortId(owner))];
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
