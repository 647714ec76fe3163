/** Request parameters as plain data, and the types that are derived from them. */
import { MAX_FILTER_ADDRESSES, MAX_MULTI_ITEMS } from "./constants.ts";

/** The type of a single value. */
export type ValueType =
  | "address"
  | "signature"
  | "slot"
  | "integer"
  | "decimal"
  | "boolean"
  | "enum"
  | "time"
  | "date"
  | "text";

/** How values are sent: `x=v`, `x=a,b` or `x[]=a&x[]=b`. */
export type Wire = "plain" | "comma" | "brackets";

/** A request parameter. Units: `time` is Unix seconds, `date` is the number YYYYMMDD. */
export interface Param {
  /** The type of a single value. */
  readonly type: ValueType;
  /** One value, a list of values, or a range of two (`[min, max]`). */
  readonly arity: "one" | "list" | "range";
  /** How values are sent. */
  readonly wire: Wire;
  /** What it selects. */
  readonly description: string;
  /** Where it is sent. */
  readonly in: "query" | "path";
  /** Whether a request needs it. */
  readonly required: boolean;
  /** Whether the command takes it as an argument without an option. */
  readonly positional: boolean;
  /** The values that the specification allows. */
  readonly values?: readonly (string | number)[];
  /** Values that newer servers accept beyond the specification; `note` mentions them. */
  readonly newer?: readonly string[];
  /** The value of a request without it. */
  readonly default?: string | number | boolean;
  /** The smallest number. */
  readonly min?: number;
  /** The largest number. */
  readonly max?: number;
  /** For lists: the maximum number of values of a request. */
  readonly maxItems?: number;
  /** For lists with brackets: whether the API documents one text with commas, `x=a,b`, as well. */
  readonly hasCommaForm?: boolean;
  /** Another parameter that is required with this one. */
  readonly needs?: string;
  /** For deprecated parameters: what to use instead. */
  readonly deprecated?: string;
  /** What a user should know besides. */
  readonly note?: string;
  /** For one of many parameters of the same form: the form, which replaces them in short lists. */
  readonly pattern?: {
    /** Their names with a placeholder: `from_<metric>`. */
    readonly name: string;
    readonly description: string;
    /** Whether forms have a field for this parameter: it is among the most used. */
    readonly isCommon: boolean;
  };
  /**
   * For addresses of tokens: people can type a symbol instead. SOL stands for the mint of wrapped SOL, or for native SOL
   * where the API lists that as a separate `asset`.
   */
  readonly accepts?: "mint" | "asset";
  /** For amounts in base units: the parameter of the token that they count. */
  readonly amountOf?: string;
  /** For filters: the path in a row whose value the parameter compares; `|` separates several. */
  readonly field?: string;
  /** For filters with a `field`: whether the rows with the value are left out. */
  readonly excludes?: true;
  /** How early forms show it, from 1: what people filter by most. The others follow. */
  readonly use?: number;
  /** Its role in paging; `days` is the number of daily rows until now. */
  readonly role?: "page" | "size" | "offset" | "cursor" | "from" | "to" | "days";
}

/** Values of a request's parameters under the API's own names, before they are checked and put on the wire. */
export type ParameterValues = Readonly<Record<string, unknown>>;

type ParamOptions = Partial<Omit<Param, "type" | "arity" | "wire" | "description" | "values">>;

function param(
  type: ValueType,
  arity: Param["arity"],
  wire: Wire,
  description: string,
  options: ParamOptions & Pick<Param, "values">,
): Param {
  return { type, arity, wire, description, in: "query", required: false, positional: false, ...options };
}

/** The parameter is the mint of a token. */
export const MINT = { accepts: "mint" } as const;

/** The parameter is the mint of a token, or native SOL. */
export const ASSET = { accepts: "asset" } as const;

/** The required identifier of an endpoint: positional on the command line. */
export const IDENTIFIER = { required: true, positional: true } as const;

/** Returns the builder of parameters with one value. */
const single =
  (type: ValueType) =>
  (description: string, options: ParamOptions = {}) =>
    param(type, "one", "plain", description, options);

/** Returns the builder of parameters with a list of values: separated by commas, or with the name repeated. */
const several =
  (type: ValueType, wire: Wire, maxItems?: number) =>
  (description: string, options: ParamOptions = {}) =>
    param(type, "list", wire, description, { ...(maxItems !== undefined && { maxItems }), ...options });

/** An account, token, pool or program address. */
export const address = single("address");
/** Several addresses in one value, separated by commas. */
export const commaAddresses = several("address", "comma", MAX_FILTER_ADDRESSES);
/** Several addresses, the name repeated with brackets. */
export const addresses = several("address", "brackets", MAX_FILTER_ADDRESSES);
/** A transaction signature. */
export const signature = single("signature");
/** Several signatures, the name repeated with brackets. */
export const signatures = several("signature", "brackets", MAX_MULTI_ITEMS);
/** A slot number. */
export const slot = single("slot");
/** A whole number. */
export const integer = single("integer");
/** A decimal number. */
export const decimal = single("decimal");
/** Free text. */
export const text = single("text");
/** Several texts, the name repeated with brackets. */
export const texts = several("text", "brackets");
/** True or false. */
export const flag = single("boolean");
/** A time in Unix seconds. */
export const time = single("time");
/** A calendar date, YYYYMMDD. */
export const date = single("date");

/** One of a fixed set of values. */
export const oneOf = (values: NonNullable<Param["values"]>, description: string, options: ParamOptions = {}) =>
  param("enum", "one", "plain", description, { ...options, values });

/** Several of a fixed set of values, the name repeated with brackets. */
export const someOf = (values: NonNullable<Param["values"]>, description: string, options: ParamOptions = {}) =>
  param("enum", "list", "brackets", description, { ...options, values });

/** A range of two values, the name repeated with brackets: `x[]=min&x[]=max`. */
export const range = (type: "decimal" | "time" | "date", description: string, options: ParamOptions = {}) =>
  param(type, "range", "brackets", description, options);

/** `page` and `page_size` with the sizes that the endpoint allows; the first is the default. */
export const pages = <const S extends number>(sizes: readonly S[]) => ({
  page: integer("Page number, starting at 1", { min: 1, default: 1, role: "page" }),
  page_size: oneOf(sizes, "Rows per page", { default: sizes[0] as S, role: "size" }),
});

/** `sort_by` and `sort_order`; the first key is the default. */
export const order = <const K extends string>(keys: readonly K[], fallback = keys[0] as K) => ({
  sort_by: oneOf(keys, "Sort key", { default: fallback }),
  sort_order: oneOf(["asc", "desc"], "Sort order", { default: "desc" }),
});

/** `from_time` and `to_time`, Unix seconds. */
export const TIME_WINDOW = {
  from_time: time("Start of the time range", { role: "from", use: 4 }),
  to_time: time("End of the time range", { role: "to", use: 4 }),
};

/** The deprecated form of a time range: two values of `block_time[]`. */
export const DEPRECATED_BLOCK_TIME = {
  block_time: range("time", "Time range as two values", { deprecated: "Use from_time and to_time instead." }),
};

/** Returns the filter for amounts of the token that another parameter names. */
export const amountRange = (token: string, description = "Minimum and maximum amount", options: ParamOptions = {}) =>
  range("decimal", `${description}, in base units`, {
    amountOf: token,
    note: "The API does not document the unit; rows have base units.",
    ...options,
  });

/** Returns the option name of a parameter without dashes: the API's name in kebab case. */
export function optionName(name: string): string {
  return name.replaceAll("_", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
