/** Symbols and human amounts in the parameters of a request, replaced by what the API accepts: mints and base units. */
import {
  type Decimal,
  decimalText,
  isObject,
  parseDecimal,
  toNumber,
  trimZeros,
  UsageError,
} from "../../base/index.ts";
import {
  type Endpoint,
  endpointByPath,
  isAddress,
  type Param,
  type ParameterValues,
  WELL_KNOWN_TOKENS,
} from "../../catalogue/index.ts";
import type { ClientCore } from "../client.ts";
import { MAX_AMOUNT, splitRange } from "../request/wire-values.ts";
import { displayText } from "../text.ts";
import { isTokenSymbol, type ResolvedToken, resolveToken } from "./resolve-token.ts";

interface TokenResolverOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every symbol that the search resolved, once. */
  readonly onResolved?: (text: string, token: ResolvedToken) => void | Promise<void>;
}

/** Symbols that are remembered; then the memory starts over, so that it does not grow with the input. */
const MAX_REMEMBERED = 1000;

/** Stands for whole units of the token that another parameter names: `1.5ui`. */
const WHOLE_UNITS = "ui";

/** Decimals are a byte. */
const MAX_DECIMALS = 255;

interface TypedParam {
  readonly name: string;
  readonly param: Param;
}

/** Resolves symbols and amounts of one run; each symbol once. */
export class TokenResolver {
  readonly #client: Pick<ClientCore, "fetch">;
  readonly #options: TokenResolverOptions;
  readonly #tokens = new Map<string, Promise<ResolvedToken>>();

  constructor(client: Pick<ClientCore, "fetch">, options: TokenResolverOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** Returns the token that a text stands for. @throws UsageError as {@link resolveToken} does */
  resolve(text: string, accepts: Param["accepts"], parameter?: string): Promise<ResolvedToken> {
    const id = `${accepts} ${text.toLowerCase()}`;
    const known = this.#tokens.get(id) ?? this.#find(text, accepts, parameter);
    if (this.#tokens.size >= MAX_REMEMBERED) this.#tokens.clear();
    this.#tokens.set(id, known);
    return known;
  }

  async #find(text: string, accepts: Param["accepts"], parameter?: string): Promise<ResolvedToken> {
    const { signal, onResolved } = this.#options;
    const token = await resolveToken(this.#client, text, { accepts, signal, ...(parameter && { parameter }) });
    if (token.source === "search") await onResolved?.(text, token);
    return token;
  }

  /**
   * Returns parameters with mints in place of symbols, and base units in place of human amounts. Values that are neither
   * are returned unchanged, so that validation refuses them.
   * @throws UsageError for a symbol without a token, or an amount without a known number of decimals
   */
  async resolveParameters(endpoint: Endpoint, params: ParameterValues): Promise<ParameterValues> {
    const resolved: Record<string, unknown> = { ...params };
    for (const [name, param] of Object.entries(endpoint.query)) {
      if (param.accepts && params[name] !== undefined)
        resolved[name] = await this.#mintsOf({ name, param }, params[name]);
    }
    for (const [name, param] of Object.entries(endpoint.query)) {
      if (param.amountOf !== undefined) await this.#convertAmount(endpoint, { name, param }, resolved);
    }
    return resolved;
  }

  async #mintsOf({ name, param }: TypedParam, value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#mintsOf({ name, param }, item)));
    if (typeof value !== "string") return value;
    const parts = param.arity === "one" ? [value] : value.split(",");
    const mints = await Promise.all(
      parts.map(async (part) => (isTokenSymbol(part) ? (await this.resolve(part, param.accepts, name)).mint : part)),
    );
    return mints.join(",");
  }

  /** Replaces an amount with a symbol, or one in whole units, by base units of its token. */
  async #convertAmount(endpoint: Endpoint, typed: TypedParam, values: Record<string, unknown>): Promise<void> {
    const { name, param } = typed;
    const value = values[name];
    if (value === undefined) return;
    const texts = endsOf(param, value);
    const amounts = texts.map(parseAmount);
    const units = [...new Set(amounts.flatMap((amount) => amount?.symbol ?? []))];
    if (units.length === 0) return;
    const symbols = units.filter((unit) => unit.toLowerCase() !== WHOLE_UNITS);
    const token = await this.#tokenOfAmount(endpoint, typed, { symbols, values });
    const decimals = await this.#decimalsOf(token, name);
    const converted = texts.map((text, at) => convert({ name, text, amount: amounts[at], token, decimals }));
    values[name] = param.arity === "one" ? converted[0] : converted;
  }

  /** Returns the only token of an amount: the one of its symbol, which other parameters may not contradict. */
  async #tokenOfAmount(
    endpoint: Endpoint,
    { name, param }: TypedParam,
    { symbols, values }: { readonly symbols: readonly string[]; readonly values: Record<string, unknown> },
  ): Promise<ResolvedToken> {
    const tokenName = param.amountOf as string;
    const tokenParam = endpoint.query[tokenName];
    const mints = [...new Set([values[tokenName] ?? []].flat().flatMap((item) => String(item).split(",")))];
    const named = await Promise.all(symbols.map((symbol) => this.resolve(symbol, tokenParam?.accepts, name)));
    const tokens = new Map([...named.map((token) => token.mint), ...mints].map((mint) => [mint, mint]));
    const [mint] = tokens.keys();
    if (tokens.size > 1 || mint === undefined || !isAddress(mint)) {
      if (tokens.size > 1) throw invalidAmount(name, values[name], `an amount of the only token in ${tokenName}`);
      throw new UsageError(`${name} in whole units requires ${tokenName}`, {
        code: "INVALID_AMOUNT",
        invalid: { reason: "dependency", parameter: name, requires: tokenName },
        hint: "Or name the token with the amount: 1.5usdc",
      });
    }
    if (mints.length === 0 && tokenParam?.positional !== true) values[tokenName] = mint;
    return named[0] ?? { ...WELL_KNOWN_TOKENS.get(mint), mint, source: "address" };
  }

  /** Returns the decimals of a token; unless they are well known, its metadata is requested. */
  async #decimalsOf({ mint, decimals }: ResolvedToken, parameter: string): Promise<number> {
    if (decimals !== undefined) return decimals;
    const { signal } = this.#options;
    const meta = await this.#client.fetch(
      endpointByPath("v2", "/token/meta") as Endpoint,
      { address: mint },
      { signal },
    );
    const answer = isObject(meta.data) ? toNumber(meta.data.decimals) : undefined;
    if (answer !== undefined && Number.isInteger(answer) && answer >= 0 && answer <= MAX_DECIMALS) return answer;
    throw new UsageError(`The decimals of ${mint} are unknown.`, {
      code: "UNKNOWN_DECIMALS",
      hint: `Give ${parameter} in base units.`,
    });
  }
}

function endsOf({ arity, type }: Param, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return arity === "range" ? splitRange(String(value), type) : [String(value)];
}

interface AmountEnd {
  readonly name: string;
  readonly text: string;
  readonly amount: TypedAmount | undefined;
  readonly token: ResolvedToken;
  readonly decimals: number;
}

function convert({ name, text, amount, token, decimals }: AmountEnd): string {
  if (!amount || text === MAX_AMOUNT) return text;
  const base = toBaseUnits(amount.number, decimals);
  if (base !== undefined) return base;
  throw invalidAmount(name, text, `at most ${decimals} decimals, as ${token.symbol ?? token.mint} has`);
}

function invalidAmount(parameter: string, value: unknown, expected: string): UsageError {
  const text = displayText(String(value));
  return new UsageError(`invalid value "${text}" for ${parameter}: expected ${expected}`, {
    code: "INVALID_AMOUNT",
    invalid: { reason: "value", parameter, value: text, expected },
  });
}

/** An amount, with the symbol of its token where one was typed. */
interface TypedAmount {
  readonly number: Decimal;
  readonly symbol?: string;
}

/** Longer texts are no amounts. */
const MAX_LENGTH = 100;
const AMOUNT = /^(\d[\d_]*\.?\d*(?:e[+-]?\d{1,2})?|\.\d+)\s*(\$?\p{L}.*)?$/iu;

/** Parses an amount such as `1.5usdc`, `1_000 USDC` or `1500000`; undefined for other text. */
export function parseAmount(text: string): TypedAmount | undefined {
  const [, digits = "", symbol] = (text.length <= MAX_LENGTH && AMOUNT.exec(text.trim())) || [];
  const number = parseDecimal(digits.replaceAll("_", ""));
  return number && { number, ...(symbol === undefined ? {} : { symbol }) };
}

/** Multiplies by 10^`decimals`: whole units to base units. Undefined when the result is not a whole number. */
export function toBaseUnits(number: Decimal, decimals: number): string | undefined {
  const { negative, digits, scale } = trimZeros(number);
  if (scale > decimals) return undefined;
  return decimalText({ negative, digits: digits * 10n ** BigInt(decimals - scale), scale: 0 });
}
