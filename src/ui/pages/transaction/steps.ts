/** Describes a step of a transaction: who gives what to whom, or a sentence where nothing moves. */
import { fieldOf, isObject, type Json, listOf, textOf } from "../../../base/index.ts";
import { PROGRAM } from "../../../catalogue/index.ts";
import { clip, safeText } from "../../../output/index.ts";
import { span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan } from "../../widgets/tree/rows.ts";
import type { TransactionFormatter } from "./formatter.ts";

const VIA = "[ via {program}]";
const BY = "{account} ";
const POOL = "[ · pool {pool}]";
const TRADE = `{account}: {1} → {2}${VIA}${POOL}`;

/** Templates by normalized kind. */
const TEMPLATES: Readonly<Record<string, string>> = {
  tokenswap: TRADE,
  aggtokenswap: TRADE,
  tokenaddliq: `${BY}added {1}[ and {2}][ to the pool {pool}][ of {program}]`,
  tokenremoveliq: `${BY}removed {1}[ and {2}][ from the pool {pool}][ of {program}]`,
  poolcreate: `${BY}created a pool[ {pool}][ with {1}][ and {2}]${VIA}`,
  tokenstake: `${BY}staked {1}[ → {2}]${VIA}`,
  lststake: `${BY}staked {1}[ → {2}]${VIA}`,
  tokenunstake: `${BY}unstaked {1}[ → {2}]${VIA}`,
  lstunstake: `${BY}unstaked {1}[ → {2}]${VIA}`,
  tokendepositvault: `${BY}deposited {1}[ with {program}]`,
  tokenwithdrawvault: `${BY}withdrew {1}[ → {2}][ from {program}]`,
  initmint: `${BY}created the token {token1}`,
  orderbookorderplace: `${BY}placed an order[ of {1}][ for {2}]${VIA}${POOL}`,
  borrowing: `${BY}borrowed {1}[ from {program}]`,
  repayborrowing: `${BY}repaid {1}[ to {program}]`,
  liquidateborrowing: `${BY}liquidated {1}[ for {2}]${VIA}`,
  bridgeorderin: `${BY}received[ {1}] through the bridge {program}`,
  bridgeorderout: `${BY}sent[ {1}] through the bridge {program}`,
  transfer: "{from} → {amount} → {to}",
  burn: "{from} → {amount} → burned",
  mint: "minted → {amount} → {to}",
  createaccount: "{payer} → {init} → {new} (new account)",
  closeaccount: "closed the account {closed}[: {amount} → {to}]",
  tokenwithdrawstake: "withdrew {amount} from the stake {source} to {to}",
  tokensplitstake: "split {amount} off the stake {source} into {to}",
  tokenmergestake: "merged {amount} of the stake {source} into {to}",
  votewithdraw: "withdrew {amount} from the vote account {source} to {to}",
  setownerauthority: "{from} transferred the account {source} to {to}",
  withdrawfromnonce: "withdrew {amount} from the nonce account {source} to {to}",
  withdrawexcesslamports: "withdrew excess lamports from {source}, {amount}, to {to}",
  unwraplamports: "unwrapped {amount} from {source} to {to}",
  stakemovelamports: "moved {amount} from the stake {source} to the stake {to}",
  stakemovestake: "moved {amount} from the stake {source} to the stake {to}",
  nftsold: `{seller} → NFT {nft} → {buyer} for {price}${VIA}`,
  nftlisting: `{seller} listed the NFT {nft} for {price}${VIA}`,
  nftcancellist: `{seller} delisted the NFT {nft}${VIA}`,
  nftbidding: `{bidder} bid {price} for the NFT {nft}${VIA}`,
  nftcancelbid: `{bidder} cancelled the bid for the NFT {nft}${VIA}`,
  nftrejectbid: `{bidder} rejected a bid for the NFT {nft}${VIA}`,
  nftupdateprice: `{seller} changed the price of the NFT {nft} to {price}${VIA}`,
  nftlistauction: `{seller} listed the NFT {nft} for auction[ from {price}]${VIA}`,
  nftmint: `{buyer} minted the NFT {nft}[ for {price}]${VIA}`,
  computeunitlimit: "set the compute unit limit to {limit}",
  computeunitprice: "set the priority fee to {unitprice} micro-lamports per compute unit",
  route: `{1}[ → {2}] via {program}${POOL}`,
  interaction: "called {program}[: {instruction}]",
  common: "called {program}[: {common}]",
};

/** Normalizes a kind: `ACTIVITY_SPL_CREATE_ACCOUNT` and `spl_createaccount` are the same. */
export function stepKind(type: Json | undefined): string {
  return (textOf(type) ?? "")
    .toLowerCase()
    .replace(/^(activity|defi)_/, "")
    .replace(/^spl_/, "")
    .replaceAll("_", "");
}

function kindText(type: Json | undefined): string {
  const text = (textOf(type) ?? "")
    .replace(/^ACTIVITY_(SPL_)?/, "")
    .replaceAll("_", " ")
    .toLowerCase();
  return text === "" ? "unknown action" : clip(safeText(text), 60);
}

/** An activity or a transfer, normalized. */
export interface TransactionStep {
  readonly type: Json | undefined;
  readonly program: Json | undefined;
  readonly data: Json | undefined;
}

/** Normalizes an activity, whose fields are inside `data`, or a transfer, whose fields are beside its kind. */
export function toStep(value: Json): TransactionStep {
  const transfer = fieldOf(value, "transfer_type");
  return {
    type: transfer ?? fieldOf(value, "activity_type"),
    program: fieldOf(value, "program_id"),
    data: transfer === undefined ? fieldOf(value, "data") : value,
  };
}

/** Returns the activities of an instruction that say what it does, otherwise its transfers. */
export function effectsOf(instruction: Json): readonly Json[] {
  const activities = listOf(fieldOf(instruction, "activities")).filter(
    (each) => stepKind(fieldOf(each, "activity_type")) !== "common",
  );
  return activities.length > 0 ? activities : listOf(fieldOf(instruction, "transfers"));
}

/** Describes a step. */
export function stepLine(step: TransactionStep, formatter: TransactionFormatter): readonly LinkSpan[] {
  const kind = stepKind(step.type);
  if (kind === "multiinteractions") return callsLine(step.data, formatter);
  const template = Object.hasOwn(TEMPLATES, kind) ? TEMPLATES[kind] : undefined;
  const spansOf = templateSpans(step, formatter);
  if (template !== undefined) return sentence(template, spansOf);
  return [
    span(`${kindText(step.type)}`),
    ...sentence("[: {1}][ for {2}][: {amount}][ to {to}][ by {program}]", spansOf),
  ];
}

/** Lists the called programs, for transactions without a single purpose. */
function callsLine(data: Json | undefined, formatter: TransactionFormatter): readonly LinkSpan[] {
  const maps = fieldOf(data, "program_instruction_maps");
  const calls = Object.entries(isObject(maps) ? maps : {}).filter(([program]) => program !== PROGRAM.computeBudget);
  return [
    span(calls.length === 0 ? "called programs" : "called "),
    ...calls.flatMap(([program, instructions], at) => {
      const names = listOf(instructions)
        .map(textOf)
        .filter((name) => name !== undefined);
      const instructionNames = [...new Set(names)].map((name) => clip(safeText(name), 40)).join(", ");
      return [
        span(at === 0 ? "" : ", "),
        formatter.program(program),
        span(instructionNames === "" ? "" : ` (${instructionNames})`, "note"),
      ];
    }),
  ];
}

const firstField = (
  data: Json | undefined,
  ...names: readonly string[]
): readonly [name: string, value: Json | undefined] => {
  const name = names.find((one) => textOf(fieldOf(data, one)) !== undefined) ?? names[0] ?? "";
  return [name, fieldOf(data, name)];
};

/** Fields with addresses, by their names in templates. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  account: ["account", "owner_1"],
  from: ["source_owner", "source"],
  to: ["destination_owner", "destination"],
  source: ["source"],
  payer: ["source"],
  new: ["new_account", "destination"],
  closed: ["closed_account", "source"],
  seller: ["from_address"],
  buyer: ["to_address"],
  bidder: ["from_address", "to_address"],
};

function templateSpans({ type, program, data }: TransactionStep, formatter: TransactionFormatter): SpansByName {
  const amountSpans = (amount: string, token: Json | undefined, decimals: Json | undefined) => {
    const value = fieldOf(data, `${amount}_str`) ?? fieldOf(data, amount);
    if (value === undefined) return undefined;
    const money = formatter.money(value, token, decimals);
    // The values of the venues of a trade are those of the trade.
    return type === "route" ? money.slice(0, 2) : money;
  };
  const sideSpans = (n: 1 | 2) =>
    fieldOf(data, `token_${n}`) === undefined && fieldOf(data, `amount_${n}`) === undefined
      ? undefined
      : amountSpans(`amount_${n}`, fieldOf(data, `token_${n}`), fieldOf(data, `token_decimal_${n}`));
  // Both sides of a trade have about the same value, which is said once.
  const swapSide = (n: 1 | 2) => {
    const spans = sideSpans(n);
    const isValued = n === 2 && sideSpans(1)?.at(-1)?.role === "note";
    return isValued ? spans?.slice(0, 2) : spans;
  };
  const decimals = () => fieldOf(data, "token_decimals") ?? fieldOf(data, "decimals");
  const word = (name: string) => {
    const value = fieldOf(data, name);
    const text = typeof value === "string" ? value : formatter.amount(value, 0);
    return value === undefined ? undefined : [span(clip(safeText(text), 60))];
  };
  const linked = (name: string, entity: "market") => {
    const value = fieldOf(data, name);
    return textOf(value) === undefined ? undefined : [formatter.address(value, name, { entity })];
  };
  const builders: Readonly<Record<string, () => readonly LinkSpan[] | undefined>> = {
    "1": () => swapSide(1),
    "2": () => swapSide(2),
    amount: () => amountSpans("amount", fieldOf(data, "token_address"), decimals()),
    init: () => {
      const amount = fieldOf(data, "init_amount") === undefined ? "amount" : "init_amount";
      return amountSpans(amount, fieldOf(data, "token_address"), decimals());
    },
    price: () => amountSpans("price", fieldOf(data, "currency_token"), fieldOf(data, "currency_decimals")),
    token1: () => [formatter.token(fieldOf(data, "token_1") ?? fieldOf(data, "token_address"))],
    nft: () => {
      const nft = fieldOf(data, "nft_address");
      return textOf(nft) === undefined ? undefined : [{ ...formatter.token(nft), role: "nft" }];
    },
    // Some venues are reported as their own pool.
    pool: () => (fieldOf(data, "amm_id") === program ? undefined : linked("amm_id", "market")),
    program: () => (textOf(program) === undefined ? undefined : [formatter.program(program)]),
    limit: () => word("compute_unit_limit"),
    unitprice: () => word("compute_unit_price"),
    instruction: () => word("program_instruction"),
    common: () => word("common_type"),
  };
  return (name) => {
    const fields = ADDRESSES[name];
    if (!fields) return builders[name]?.();
    const [field, value] = firstField(data, ...fields);
    return textOf(value) === undefined ? undefined : [formatter.address(value, field)];
  };
}

/** Returns the spans of a name in a template; undefined when unknown. */
type SpansByName = (name: string) => readonly LinkSpan[] | undefined;

/** Stands for an unknown name outside of brackets. */
const UNKNOWN = span("?", "missing");

/** Fills in a template: `{name}` inserts spans, `[…]` is omitted when one of its names is unknown. */
export function sentence(template: string, spansOf: SpansByName): readonly LinkSpan[] {
  return template
    .split(/(\[[^\]]*\])/)
    .flatMap((part) => (part.startsWith("[") ? optionalPart(part.slice(1, -1), spansOf) : fillTemplate(part, spansOf)))
    .filter(({ text }) => text !== "");
}

function optionalPart(template: string, spansOf: SpansByName): readonly LinkSpan[] {
  const all = [...template.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => spansOf(name) !== undefined);
  return all ? fillTemplate(template, spansOf) : [];
}

function fillTemplate(template: string, spansOf: SpansByName): readonly LinkSpan[] {
  // Every other part is a name.
  return template
    .split(/\{(\w+)\}/)
    .flatMap((part, at) => (at % 2 === 0 ? [span(part)] : (spansOf(part) ?? [UNKNOWN])));
}
