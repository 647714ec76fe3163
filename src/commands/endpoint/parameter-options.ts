/** The options of an endpoint's command, one for each parameter of the request. */
import { type Endpoint, MAX_LISTED_VALUES, optionName, type Param, shortValue } from "../../catalogue/index.ts";
import { replacedOption, sharesGlobalOption } from "../options/global-options.ts";
import type { OptionDefinition } from "../options/option.ts";

/** Values are listed in the placeholder up to this length. */
const MAX_PLACEHOLDER = 16;
/** Values are listed in the short help up to this length. */
const MAX_SHORT_LIST = 40;

/** Values that stand for very many. */
const FEW = 4;

const TIME_FORMS = "7d, yesterday, 2024-07-05, ISO 8601 or Unix seconds; UTC";
const DATE_FORMS = "20240705, 2024-07-05, 7d or yesterday";
const RANGE_EXAMPLES: Partial<Record<Param["type"], string>> = { time: "7d..now", date: "20240701..20240715" };

const PAGING = "Paging:";

/** Whether an option is about the pages of a list and their order. */
export const isPagingOption = ({ group }: OptionDefinition): boolean => group === PAGING;

/** Returns the options of an endpoint's parameters; those that global options stand for are left out. */
export function parameterOptions({ query, route }: Endpoint): readonly OptionDefinition[] {
  return Object.entries(query).flatMap(([name, param]) =>
    isRowLimit(name, param) || sharesGlobalOption(name) ? [] : createOptions(name, param, route),
  );
}

/** Returns whether a parameter is the API's own `limit`, a page size; the global `--limit` counts rows. */
export function isRowLimit(name: string, { role }: Param): boolean {
  return name === "limit" && role === "size";
}

function createOptions(name: string, param: Param, route: string): OptionDefinition[] {
  const long = optionName(name);
  const isPaging = param.role !== undefined && param.role !== "from" && param.role !== "to";
  const about = {
    description: describeParameter(name, param, route),
    summary: summarizeParameter(name, param),
    type: param.type,
    default: param.default,
    group: isPaging ? PAGING : param.positional ? "Identifier:" : "Filters:",
    isRare: isPaging,
    isHidden: param.positional === true || param.deprecated !== undefined,
  };
  if (param.type === "boolean") {
    return [
      { flags: `--${long}`, ...about },
      { flags: `--no-${long}`, description: `not: ${about.summary}`, group: about.group, isHidden: true },
    ];
  }
  const values = [...(param.values ?? []), ...(param.newer ?? [])].map(shortValue);
  return [
    {
      flags: `--${long} <${placeholder(name, param)}>`,
      ...about,
      ...(param.values && { values }),
      ...describePattern(param),
      repeatable:
        replacedOption(name)?.repeatable ?? (param.arity === "list" || (param.positional && param.arity === "one")),
    },
  ];
}

/** Returns the description of the identifiers of a command, with the symbols that they may be. */
export function describeIdentifier({ description, accepts }: Param): string {
  return accepts ? `${description}, or a symbol such as USDC` : description;
}

/** Returns how the short help shows a parameter that is one of many of the same form. */
function describePattern(param: Param): Pick<OptionDefinition, "shortFlags" | "summary"> {
  if (param.pattern === undefined) return {};
  const { name, description } = param.pattern;
  const shortFlags = `--${name.replaceAll("_", "-")} <${PLACEHOLDERS[param.type]}>`;
  return { shortFlags, summary: description.replaceAll("_", "-") };
}

function describeParameter(name: string, param: Param, route: string): string {
  const { newer, arity, type, maxItems, needs, deprecated } = param;
  return withFacts(param, [
    param.required && !param.positional && param.default === undefined ? "required" : "",
    listValues(param, route),
    newer ? "newer servers accept more" : "",
    arity === "range" && param.amountOf === undefined ? `a range, e.g. ${rangeExample(param)}` : "",
    param.amountOf !== undefined ? amountForms(arity) : "",
    maxItems ? `up to ${maxItems}, comma-separated or repeated` : "",
    type === "time" && arity === "one" ? TIME_FORMS : "",
    type === "date" && arity === "one" ? DATE_FORMS : "",
    param.accepts ? "symbols such as USDC too" : "",
    needs ? `requires --${optionName(needs)}${param.amountOf === needs ? " or a symbol" : ""}` : "",
    param.default === undefined || type === "boolean" ? "" : `default: ${param.default}`,
    deprecated ? `deprecated: ${deprecated}` : "",
    replacedOption(name) ? `other fields: ${replacedOption(name)?.description}` : "",
    noteFalse(name, param),
  ]);
}

/** Returns the accepted values that the placeholder does not list; of very many a few, and where the others are. */
function listValues(param: Param, route: string): string {
  if (param.values === undefined || listsValues(param)) return "";
  const words = param.values.map(shortValue);
  if (words.length === 1) return `only ${words}`;
  if (words.length <= MAX_LISTED_VALUES) return `one of: ${words.join(", ")}`;
  return `one of ${words.length}, such as ${words.slice(0, FEW).join(", ")}; all: solx docs ${route}`;
}

function summarizeParameter(name: string, param: Param): string {
  const { values, maxItems, arity, type } = param;
  const accepted = values?.map(shortValue).join(", ") ?? "";
  return withFacts(param, [
    accepted !== "" && !listsValues(param) && accepted.length <= MAX_SHORT_LIST ? accepted : "",
    arity === "range" ? `e.g. ${rangeExample(param)}` : "",
    maxItems ? `up to ${maxItems}` : "",
    type === "time" && arity === "one" ? "e.g. 7d, 2024-07-05" : "",
    type === "date" && arity === "one" ? "e.g. 7d, 2024-07-05" : "",
    param.default === undefined || type === "boolean" ? "" : `default: ${param.default}`,
    noteFalse(name, param),
  ]);
}

/** Returns which flags send which value, where false differs from no value. */
function noteFalse(name: string, param: Param): string {
  const flag = optionName(name);
  return param.type === "boolean" && param.default === undefined ? `--${flag}: true, --no-${flag}: false` : "";
}

function rangeExample({ type, amountOf }: Param): string {
  return amountOf === undefined ? (RANGE_EXAMPLES[type] ?? "1..100") : "1000000.. or 1.5..2ui";
}

/** Returns how an amount is typed in base units, in whole units of the token, and with its symbol. */
function amountForms(arity: Param["arity"]): string {
  const [base, whole, named] = arity === "range" ? ["1000000..", "1.5..2ui", "1usdc.."] : ["1000000", "1.5ui", "1usdc"];
  return `${base}, ${whole} in whole units of the token, or ${named}`;
}

function withFacts({ description }: Param, facts: readonly string[]): string {
  const known = facts.filter((fact) => fact !== "");
  return known.length > 0 ? `${description} (${known.join("; ")})` : description;
}

const PLACEHOLDERS: Readonly<Record<Param["type"], string>> = {
  address: "address",
  signature: "signature",
  slot: "slot",
  integer: "n",
  decimal: "n",
  time: "time",
  date: "date",
  boolean: "",
  enum: "value",
  text: "text",
};

function placeholder(name: string, param: Param): string {
  if (param.arity === "range") return "min..max";
  if (param.accepts) return "mint|symbol";
  if (param.type !== "enum") return PLACEHOLDERS[param.type];
  if (listsValues(param)) return (param.values ?? []).map(shortValue).join("|");
  if (param.values?.every((value) => typeof value === "number")) return "n";
  return name.startsWith("sort") ? "key" : "value";
}

/** Whether the values are few and short enough to be the placeholder: `<in|out>`. */
function listsValues({ values, newer }: Param): boolean {
  if (values === undefined || values.length === 1 || newer !== undefined) return false;
  return values.map(shortValue).join("|").length <= MAX_PLACEHOLDER;
}
