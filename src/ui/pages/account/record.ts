/** The page of an account. */
import { groupThousands, isObject, type JsonObject, listOf, textOf, toDecimal, toNumber } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { AccountDetail, AccountMetadata } from "../../../catalogue/schemas.ts";
import { clip, createShortener, formatUsd, safeText } from "../../../output/index.ts";
import { type Route, shortId } from "../../navigation/route.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { endpointAt, formatAs, idSpan, titleLine } from "../../widgets/cells.ts";
import { fieldValues } from "../entity/fields.ts";
import type { Fact } from "../entity/header.ts";
import { type EntityView, entityRecord } from "../entity/record.ts";
import { TRANSFERS } from "../flow/transfers.ts";

/** The portfolio, which the header shows where the open tab requests it anyway. */
export const PORTFOLIO = endpointAt("/account/portfolio");
/** The data of an account, as its owner program understands it; only a node answers. */
export const NODE_ACCOUNT = endpointAt("/node/account", "node");
/** The changes of balances. */
export const CHANGES = endpointAt("/account/balance_change");
/** The token accounts, those of NFTs included. */
export const TOKEN_ACCOUNTS = endpointAt("/account/token-accounts");
/** Who funded an account. */
export const FUNDED_BY = endpointAt("/account/funded-by");
const DETAIL = endpointAt("/account/detail");

/** The page of an account. */
export const ACCOUNT = entityRecord({
  requests: {
    detail: { endpoint: DETAIL },
    metadata: { endpoint: endpointAt("/account/metadata"), isReported: true },
    mint: { endpoint: endpointAt("/token/meta"), isNeeded: ({ detail }) => isOwnedByTokenProgram(detail) },
    onChain: { endpoint: NODE_ACCOUNT },
    portfolio: { endpoint: PORTFOLIO },
  },
  title: ({ answers, id, clock, width }) => {
    const label = fieldValues(AccountMetadata, answers.metadata, clock).line("account_label");
    return titleLine(
      label.map((one) => ({ ...one, text: clip(one.text, MAX_LABEL) })),
      id,
      width,
    );
  },
  facts: (view) => accountFacts(view),
  tabs: [
    { name: "data", endpoint: NODE_ACCOUNT, isActive: ({ onChain }) => holdsState(onChain) },
    {
      name: "rewards",
      endpoint: endpointAt("/account/stake/reward"),
      // Only stakes earn rewards.
      isActive: ({ detail }) => detail?.owner_program === PROGRAM.stake,
    },
    { name: "portfolio", endpoint: PORTFOLIO },
    { name: "balance", endpoint: CHANGES },
    { name: "transfers", endpoint: TRANSFERS },
    { name: "counterparties", endpoint: TRANSFERS },
    { name: "stakes", endpoint: endpointAt("/account/stake") },
    { name: "positions", endpoint: PORTFOLIO },
    { name: "transactions", endpoint: endpointAt("/account/transactions") },
    { name: "defi", endpoint: endpointAt("/account/defi/activities") },
    { name: "changes", endpoint: CHANGES },
    { name: "token accounts", endpoint: TOKEN_ACCOUNTS, params: (address) => ({ address, type: "token" }) },
    { name: "nfts", endpoint: TOKEN_ACCOUNTS, params: (address) => ({ address, type: "nft", hide_zero: true }) },
    {
      name: "flow",
      endpoint: TRANSFERS,
      readRows: async (id, context) => (await import("../flow/rows.ts")).readFlowRows(id, context),
    },
    { name: "about", endpoint: DETAIL },
    { name: "funders", endpoint: FUNDED_BY },
    { name: "enhanced", endpoint: endpointAt("/account/transactions/enhanced") },
    {
      name: "decoded",
      endpoint: endpointAt("/account/data-decoded"),
      isActive: ({ detail, onChain }) => mayHoldData(detail) && !holdsState(onChain),
    },
  ],
  panes: [
    { tab: "data", minimum: { width: 72, height: 24 }, weight: 6 },
    { tab: "rewards", minimum: { width: 52, height: 10 }, weight: 3 },
    { tab: "portfolio", minimum: { width: 56, height: 12 }, weight: 4 },
    { tab: "balance", minimum: { width: 52, height: 11 }, weight: 3 },
    { tab: "transfers", minimum: { width: 62, height: 10 }, weight: 4 },
    { tab: "counterparties", minimum: { width: 56, height: 9 }, weight: 3 },
    { tab: "stakes", minimum: { width: 56, height: 8 }, weight: 2 },
    { tab: "positions", minimum: { width: 52, height: 8 }, weight: 2 },
  ],
});

/** Returns the route of the account of an address that is something else, too: a route with a tab is not redirected. */
export const accountRoute = (id: string): Route => ({ kind: "entity", entity: "account", id, tab: "portfolio" });

/** Maximum width of a label, which is text from the chain. */
const MAX_LABEL = 40;

/** Returns whether a token program owns the account: it may be a mint or a token account. */
export function isOwnedByTokenProgram(detail: JsonObject | undefined): boolean {
  return detail?.owner_program === PROGRAM.token || detail?.owner_program === PROGRAM.token2022;
}

/** Returns whether the account may hold data of a program; wallets hold none, and what does not exist. */
export function mayHoldData(detail: JsonObject | undefined): boolean {
  return detail !== undefined && detail.owner_program !== PROGRAM.system && detail.type !== "no_account";
}

/** Returns whether a node decoded data of the account; wallets have none. */
const holdsState = (onChain: JsonObject | undefined): boolean =>
  onChain?.state !== undefined || onChain?.data_base64 !== undefined;

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
  return textOf(isObject(funding) ? funding.funded_by : funding);
}

type AccountView = EntityView<"detail" | "metadata" | "mint" | "onChain" | "portfolio">;

function accountFacts(view: AccountView): readonly Fact[] {
  const { detail, metadata, mint, onChain, portfolio } = view.answers;
  const { line } = fieldValues(AccountMetadata, metadata, view.clock);
  const isInPlan = onChain !== undefined || view.states.metadata.problem?.exit !== "permission";
  const size = toNumber(onChain?.space) ?? 0;
  const owner = textOf(detail?.owner_program);
  return [
    {
      label: "balance",
      value: [
        ...fieldValues(AccountDetail, detail, view.clock).line("lamports"),
        ...(detail && isObject(portfolio?.native_balance) ? dollars(portfolio.native_balance.value, "note", " ") : []),
      ],
    },
    { label: "SOL + tokens", value: dollars(portfolio?.total_value, "title") },
    { label: "kind", value: accountKind(detail, mint, onChain) },
    { label: "of token", value: line("token_symbol") },
    { label: "domain", value: line("account_domain") },
    { label: "tags", value: tagChips(metadata) },
    { label: "funded by", value: funderLine(view) },
    { label: "active", value: activeLine(metadata) },
    // That of wallets is no news.
    { label: "owned by", value: !owner || owner === PROGRAM.system ? [] : [idSpan(owner, view.nameOf, "program")] },
    { label: "data", value: size === 0 ? [] : [span(`${groupThousands(size)} bytes`)] },
    { label: "names", value: isInPlan ? [] : [span("not in this plan", "note")] },
  ];
}

/** Returns a value in dollars; nothing where it is unknown or zero. */
function dollars(value: JsonObject[string] | undefined, role: "note" | "title", before = ""): TextLine {
  const amount = toDecimal(value);
  return !amount || amount.digits === 0n ? [] : [span(`${before}${formatUsd(amount, "brief")}`, role)];
}

/** Returns the funder with the time, by its name or shortened so that it differs from the account. */
function funderLine({ id, answers: { metadata }, nameOf, clock }: AccountView): TextLine {
  const funder = funderOf(metadata);
  if (funder === undefined) return [];
  const isTwin = funder !== id && shortId(funder) === shortId(id);
  const shorten = createShortener();
  shorten(id);
  const funding = metadata?.funded_by;
  const { text, role } = formatAs("unixTime", isObject(funding) ? funding.block_time : undefined, clock);
  return [
    nameOf(funder) && !isTwin ? idSpan(funder, nameOf) : span(shorten(funder), isTwin ? "warning" : "link"),
    ...(isTwin ? [span(" ≈ looks like this address but differs", "warning")] : []),
    ...(role === "missing" ? [] : [span(` ${text}`, "note")]),
  ];
}

function tagChips(metadata: JsonObject | undefined): TextLine {
  const tags = listOf(metadata?.account_tags).filter((tag) => typeof tag === "string");
  return tags.flatMap((tag, at) => [
    ...(at === 0 ? [] : [span(" ")]),
    span(` ${safeText(tag).replaceAll("_", " ")} `, "chip"),
  ]);
}

function accountKind(
  detail: JsonObject | undefined,
  mint: JsonObject | undefined,
  onChain: JsonObject | undefined,
): TextLine {
  const kind = onChain?.kind;
  if (typeof kind === "string") {
    return [span(`${safeText(kind)}${onChain?.is_oncurve === false && kind === "wallet" ? DERIVED : ""}`)];
  }
  if (!detail) return [];
  if (mint?.address !== undefined) return [span("token mint", "warning")];
  if (detail.executable === true) return [span("program")];
  if (detail.type === "token_account") return [span("token account")];
  if (detail.type === "pool") return [span("pool")];
  const curve = detail.is_oncurve === false ? DERIVED : "";
  if (detail.owner_program === PROGRAM.system) return [span(`wallet${curve}`)];
  const { text } = formatAs("enum", detail.type, { style: "iso", now: 0 });
  return [span(`${text.replaceAll("_", " ")}${curve}`)];
}

const DERIVED = ", program-derived address";

function activeLine(metadata: JsonObject | undefined): TextLine {
  const days = Number(metadata?.active_age ?? Number.NaN);
  return Number.isFinite(days) ? [span(`for ${days === 1 ? "1 day" : `${groupThousands(days)} days`}`)] : [];
}
