/** Formats the addresses, programs, tokens and amounts of a transaction as linked spans. */
import {
  countOf,
  type Decimal,
  decimalText,
  fieldOf,
  isObject,
  type Json,
  listOf,
  parseDecimal,
  scaleDown,
  textOf,
  toDecimal,
} from "../../../base/index.ts";
import { isAddress, NATIVE_SOL, WELL_KNOWN_TOKENS } from "../../../catalogue/index.ts";
import {
  type Clock,
  capNumber,
  clip,
  createNamer,
  createNames,
  createShortener,
  formatAmount,
  formatUsd,
  groupDigits,
  type NameOf,
  safeText,
  truncateMiddle,
} from "../../../output/index.ts";
import { type EntityKind, entityPage } from "../../navigation/entity-pages.ts";
import { span } from "../../navigation/theme/text-line.ts";
import type { LinkSpan } from "../../widgets/tree/rows.ts";

/** Formats the parts of one transaction. */
export interface TransactionFormatter {
  readonly clock: Clock;
  /** Formats an address by its name, otherwise shortened so that it is unique in the transaction; `whole` with it in full. */
  readonly address: (value: Json | undefined, field: string, options?: AddressOptions) => LinkSpan;
  readonly program: (value: Json | undefined) => LinkSpan;
  readonly nameOf: (program: string) => string | undefined;
  /** Formats a token by its symbol; by its mint when it has none or shares it with another token of the transaction. */
  readonly token: (value: Json | undefined) => LinkSpan;
  readonly text: (value: string) => LinkSpan;
  /** Formats an amount in base units as whole units with all digits. */
  readonly amount: (value: Json | undefined, decimals: Json | undefined) => string;
  /** Formats an amount with its token, and with its value in US dollars where that says more: `12.5 SOL ($1,700)`. */
  readonly money: (value: Json | undefined, token: Json | undefined, decimals: Json | undefined) => readonly LinkSpan[];
  /** Formats the value of an amount in US dollars; undefined where the token has no known price. */
  readonly usd: (value: Decimal, token: string, decimals: number) => string | undefined;
}

const DOLLARS: ReadonlySet<string> = new Set(["USDC", "USDT", "PYUSD", "USDS"]);

/** Returns whether a token is worth a dollar. */
export const isDollar = (mint: string | undefined): boolean =>
  DOLLARS.has(WELL_KNOWN_TOKENS.get(mint ?? "")?.symbol ?? "");

/** Returns the price of a token in US dollars; undefined where it is unknown. */
export type PriceOf = (mint: string) => number | undefined;

interface AddressOptions {
  readonly entity?: EntityKind;
  readonly isWhole?: boolean;
}

const MAX_DECIMALS = 255;
/** The lowest value in US dollars that is displayed. */
const MIN_VALUE = 0.01;
const UNKNOWN_AMOUNT = "?";
const INVALID_LENGTH = 20;
const TEXT_LENGTH = 60;

/** Returns the decimals of a mint; undefined where they are missing or impossible. */
function decimalsIn(value: Json | undefined): number | undefined {
  const count = countOf(value);
  return count !== undefined && count <= MAX_DECIMALS ? count : undefined;
}

/** Returns the name of a program without the word that names of programs end with. */
export const shortProgram = (name: string): string => name.replace(/ Program$/, "");

/** Formats base units as whole units, grouped, with as many digits as fit. */
function amountText(value: Decimal, decimals: number): string {
  return capNumber(groupDigits(scaleDown(value, decimals)));
}

/** Formats a change with its sign, also when positive. */
export function signedText(value: Decimal, decimals: number): string {
  return `${value.negative || value.digits === 0n ? "" : "+"}${amountText(value, decimals)}`;
}

interface FormatterOptions {
  readonly priceOf?: PriceOf | undefined;
  /** Returns the names of addresses (default: those in the transaction). */
  readonly nameOf?: NameOf | undefined;
}

/** Creates the formatter of a transaction, which may still be loading. */
export function createFormatter(
  detail: Json | undefined,
  metadata: Json | undefined,
  clock: Clock,
  { priceOf = () => undefined, nameOf = namesIn(detail, metadata) }: FormatterOptions = {},
): TransactionFormatter {
  const shorten = createShortener();
  const namer = createNamer(nameOf);
  const tokens = fieldOf(metadata, "tokens");
  for (const id of [...addressesIn(detail), ...Object.keys(isObject(tokens) ? tokens : {})]) {
    shorten(id);
    namer(id);
  }

  const address: TransactionFormatter["address"] = (value, field, { entity = "account", isWhole = false } = {}) => {
    const id = textOf(value);
    if (id === undefined) return span("unknown", "missing");
    const cell = { field, value: id, kind: "address" as const };
    if (!isAddress(id)) return { text: truncateMiddle(safeText(id), INVALID_LENGTH), cell };
    const name = namer(id);
    const idText = isWhole ? id : shorten(id);
    const link = { cell, target: { kind: "entity", entity, id } } as const;
    if (name === undefined) {
      const { role } = entityPage(entity);
      return { ...link, text: idText, role, identifier: { id, role } };
    }
    return { ...link, text: isWhole || name.isAmbiguous ? `${name.text} ${idText}` : name.text, role: name.role };
  };
  const token: TransactionFormatter["token"] = (value) => {
    const mint = textOf(value);
    if (mint === undefined) return span("of an unknown token", "missing");
    if (mint === NATIVE_SOL) return span("SOL", "token");
    const link = address(value, "token_address", { entity: "token" });
    const name = namer(mint);
    return name?.isAmbiguous ? { ...link, text: `${name.text} (${shorten(mint)})` } : link;
  };
  const usd = valuesIn(priceOf);
  return {
    clock,
    address,
    nameOf: (program) => namer(program)?.text,
    token,
    usd,
    money(value, mint, decimals) {
      const [id, number, count] = [textOf(mint), toDecimal(value), decimalsIn(decimals)];
      const isPriced = number !== undefined && count !== undefined && !isDollar(id);
      const worth = isPriced ? usd(number, id ?? "", count) : undefined;
      const amount = formatBaseUnits(value, count, (units, scale) => formatAmount(scaleDown(units, scale), "brief"));
      return [span(`${amount} `, "title"), token(mint), ...(worth === undefined ? [] : [span(` (${worth})`, "note")])];
    },
    program: (value) =>
      textOf(value) === undefined
        ? span("an unknown program", "missing")
        : address(value, "program_id", { entity: "program" }),
    text: (value) => span(clip(safeText(value), TEXT_LENGTH)),
    amount: (value, decimals) => formatBaseUnits(value, decimalsIn(decimals), amountText),
  };
}

function valuesIn(priceOf: PriceOf): TransactionFormatter["usd"] {
  return (value, mint, decimals) => {
    const price = priceOf(mint);
    if (price === undefined) return undefined;
    const amount = Number(decimalText(scaleDown(value, decimals))) * price;
    const worth = parseDecimal(String(amount));
    if (amount !== 0 && Math.abs(amount) < MIN_VALUE) return `<$${MIN_VALUE}`;
    return worth && formatUsd(worth, "brief");
  };
}

/** Formats base units with the decimals of their token, or as base units where these are unknown. */
function formatBaseUnits(
  value: Json | undefined,
  decimals: number | undefined,
  format: (number: Decimal, decimals: number) => string,
): string {
  const number = toDecimal(value);
  if (number === undefined) return UNKNOWN_AMOUNT;
  return decimals === undefined ? `${amountText(number, 0)} base units` : format(number, decimals);
}

function addressesIn(detail: Json | undefined): readonly string[] {
  const of = (list: string, fields: readonly string[]) =>
    listOf(fieldOf(detail, list)).flatMap((row) => fields.map((name) => textOf(fieldOf(row, name))));
  return [
    ...of("account_keys", ["pubkey"]),
    ...of("sol_bal_change", ["address"]),
    ...of("token_bal_change", ["address", "owner", "token_address"]),
    ...of("transfers", ["source", "source_owner", "destination", "destination_owner", "token_address"]),
  ].filter((id) => id !== undefined);
}

function namesIn(detail: Json | undefined, metadata: Json | undefined): NameOf {
  const names = createNames();
  for (const value of [detail, metadata]) if (value !== undefined) names.learn(value);
  return names.of;
}
