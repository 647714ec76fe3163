/** Formats the addresses, programs, tokens and amounts of a transaction as linked spans. */
import { type Decimal, decimalOf, isObject, type Json, scaleDown } from "../../../base/index.ts";
import { isAddress, NATIVE_SOL, WRAPPED_SOL } from "../../../catalogue/index.ts";
import {
  type Clock,
  capNumber,
  clip,
  createShortener,
  formatValue,
  groupDigits,
  isImpostor,
  safeText,
  truncateMiddle,
  WARNING_MARK,
} from "../../../output/index.ts";
import type { EntityKind } from "../../app/entity-pages.ts";
import { span } from "../../app/theme/text-line.ts";
import type { LinkSpan } from "../../widgets/tree/rows.ts";
import { countOf, fieldOf, listOf, textOf } from "../entity/json-fields.ts";

/** Formats the parts of one transaction. */
export interface TransactionFormatter {
  readonly clock: Clock;
  /** Formats an address, shortened so that it is unique in the transaction; `whole` in full. */
  readonly address: (value: Json | undefined, field: string, options?: AddressOptions) => LinkSpan;
  /** Formats a program by its name when known. */
  readonly program: (value: Json | undefined) => LinkSpan;
  /** Returns the name of a program; undefined when unknown. */
  readonly nameOf: (program: string) => string | undefined;
  /** Formats a token by its symbol; by its mint when it has none or shares it with another token of the transaction. */
  readonly token: (value: Json | undefined) => LinkSpan;
  /** Formats a short text from the chain. */
  readonly text: (value: string) => LinkSpan;
  /** Formats an amount in base units as whole units with all digits. */
  readonly amount: (value: Json | undefined, decimals: Json | undefined) => string;
}

interface AddressOptions {
  readonly entity?: EntityKind;
  readonly whole?: boolean;
}

/** Maximum number of decimals of a mint. */
const MAX_DECIMALS = 255;
/** Stands for an unknown amount. */
const UNKNOWN_AMOUNT = "?";
/** Maximum width of an invalid address. */
const INVALID_LENGTH = 20;
/** Maximum widths of names and of texts from the chain. */
const NAME_LENGTH = 32;
const TEXT_LENGTH = 60;

/** Formats base units as whole units, grouped, with as many digits as fit. */
export function amountText(value: Decimal, decimals: number): string {
  return capNumber(groupDigits(scaleDown(value, decimals)));
}

/** Formats a change with its sign, also when positive. */
export function signedText(value: Decimal, decimals: number): string {
  return `${value.negative || value.digits === 0n ? "" : "+"}${amountText(value, decimals)}`;
}

/** Creates the formatter of a transaction, which may still be loading. */
export function createFormatter(
  detail: Json | undefined,
  metadata: Json | undefined,
  clock: Clock,
): TransactionFormatter {
  const shorten = createShortener();
  for (const id of addressesIn(detail)) shorten(id);
  const programs = programNames(listOf(fieldOf(detail, "parsed_instructions")));
  const symbols = symbolsOf(fieldOf(metadata, "tokens"), clock);

  const address: TransactionFormatter["address"] = (value, field, { entity = "account", whole = false } = {}) => {
    const id = textOf(value);
    if (id === undefined) return span("unknown", "missing");
    const cell = { field, value: id, kind: "address" as const };
    if (!isAddress(id)) return { text: truncateMiddle(safeText(id), INVALID_LENGTH), cell };
    return { text: whole ? id : shorten(id), role: "link", target: { kind: "entity", entity, id }, cell };
  };
  return {
    clock,
    address,
    nameOf: (program) => programs.get(program),
    program(value) {
      const link = address(value, "program_id", { entity: "program" });
      const name = programs.get(textOf(value) ?? "");
      if (textOf(value) === undefined) return span("an unknown program", "missing");
      return name === undefined ? link : { ...link, text: name };
    },
    token(value) {
      const link = address(value, "token_address", { entity: "token" });
      const mint = textOf(value);
      if (mint === undefined) return span("of an unknown token", "missing");
      if (mint === NATIVE_SOL) return span("SOL");
      const symbol = mint === WRAPPED_SOL ? "wSOL" : symbols.get(mint);
      if (symbol === undefined) return link;
      return { ...link, text: symbol, ...(symbol.startsWith(WARNING_MARK) && { role: "warning" as const }) };
    },
    text: (value) => span(clip(safeText(value), TEXT_LENGTH)),
    amount(value, decimals) {
      const [number, decimalCount] = [decimalOf(value), countOf(decimals)];
      if (number === undefined) return UNKNOWN_AMOUNT;
      return decimalCount !== undefined && decimalCount <= MAX_DECIMALS
        ? amountText(number, decimalCount)
        : `${amountText(number, 0)} base units`;
    },
  };
}

/** Returns the addresses of a transaction that are displayed. */
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

/** Placeholders for a missing name. */
const NAMELESS = /^(unknown|unknown program|-)?$/i;

/** Returns the names of programs in the instructions. */
function programNames(instructions: readonly Json[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const open = [...instructions];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [id, name] = [textOf(fieldOf(one, "program_id")), textOf(fieldOf(one, "program"))];
    if (id !== undefined && name !== undefined && !NAMELESS.test(name))
      names.set(id, clip(safeText(name), NAME_LENGTH));
    for (const inner of listOf(fieldOf(one, "inner_instructions"))) open.push(inner);
  }
  return names;
}

/** Returns the symbols of tokens; shared and imitated symbols are followed by the mint. */
function symbolsOf(tokens: Json | undefined, clock: Clock): ReadonlyMap<string, string> {
  const entries = isObject(tokens) ? Object.entries(tokens) : [];
  const named = entries.flatMap(([mint, label]) => {
    const symbol = textOf(fieldOf(label, "token_symbol")) ?? textOf(fieldOf(label, "token_name"));
    if (symbol === undefined || mint === NATIVE_SOL) return [];
    const { text } = formatValue(symbol, { kind: "text", description: "" }, undefined, clock);
    return [[mint, clip(text, NAME_LENGTH)] as const];
  });
  const shorten = createShortener();
  for (const [mint] of named) shorten(mint);
  const shared = Map.groupBy(named, ([, symbol]) => symbol.toUpperCase());
  return new Map(
    named.map(([mint, symbol]) => {
      const others = shared.get(symbol.toUpperCase()) ?? [];
      if (isImpostor(mint, symbol)) return [mint, `${WARNING_MARK} ${symbol} (${shorten(mint)})`];
      return [mint, others.length > 1 ? `${symbol} (${shorten(mint)})` : symbol];
    }),
  );
}
