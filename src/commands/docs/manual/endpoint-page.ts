/** The page of an endpoint: everything that the catalogue knows of it. */
import { optionName } from "../../../catalogue/command-line.ts";
import { EXPORT_INTERVAL_SECONDS, MAX_EXPORT_ROWS } from "../../../catalogue/constants.ts";
import type { Endpoint, Family } from "../../../catalogue/endpoint.ts";
import { messages, STATUSES } from "../../../catalogue/errors.ts";
import type { Field } from "../../../catalogue/fields.ts";
import { positionalOf } from "../../../catalogue/index.ts";
import type { Keep } from "../../../catalogue/keep.ts";
import { KINDS } from "../../../catalogue/kinds.ts";
import type { Param } from "../../../catalogue/param.ts";
import { KEY_HEADER } from "../../../catalogue/servers.ts";
import { prepare } from "../../../client/index.ts";
import { curlLine } from "../../../client/request/curl.ts";
import { endpointExamples, paramHelp, shortWord } from "../../run/help.ts";
import { code, examples, filled, items, type Page, section, type Term, terms, text } from "./page.ts";

/** What a page depends on beside the endpoint. */
export interface EndpointPageOptions {
  readonly baseUrls: Readonly<Record<Family, string>>;
  /** Milliseconds since the epoch, that relative times of examples count from. */
  readonly now: () => number;
}

const PAGING = {
  none: "None: one answer.",
  page: "By page and page_size; --limit and --all do it for you.",
  offset: "By limit and offset; --limit and --all do it for you.",
  cursor: "By a cursor, the last row of the page before; --limit and --all do it for you.",
  limit: "None beyond limit: the newest rows.",
} as const;

const CACHE = {
  final: "What is settled is used again for 30 days, the rest is asked for each time.",
  metadata: "An answer is used again for 5 minutes; --fresh asks anew.",
  prices: "An answer is used again for 15 seconds; --fresh asks anew.",
  live: "Asked for each time; the latest answer is kept for --offline.",
  never: "Never kept.",
} as const satisfies Record<Keep, string>;

/** The page of an endpoint. */
export function endpointPage(endpoint: Endpoint, fields: readonly Field[], options: EndpointPageOptions): Page {
  const { command, group, family, route, method, path, notes = [] } = endpoint;
  const [params, answer] = [parameters(endpoint), answerFields(fields)];
  return {
    id: command.replaceAll(" ", "-"),
    kind: "endpoint",
    title: route,
    command,
    group: family === "v2" ? group : "older families",
    summary: endpoint.summary,
    aliases: endpoint.aliases ?? [],
    sections: filled([
      section("", text(endpoint.description ?? "")),
      section("Command", code(`solx ${usage(endpoint)}`), text(otherNames(endpoint))),
      section("Request", code(`${method} ${options.baseUrls[family]}${path}`)),
      section("Parameters", terms(["parameter", "what it is"], params), text(legend(params, " *", "must be given"))),
      section(
        answerTitle(endpoint),
        terms(["field", "what it is"], answer),
        text(legend(answer, " ?", "may be missing")),
      ),
      section("Errors", terms(["status", "when"], errors(endpoint))),
      section("Paging", text(PAGING[endpoint.paging])),
      section("Cost", text(cost(endpoint))),
      section("Cache", text(CACHE[endpoint.keep])),
      section("Notes", items(...notes)),
      section("Examples", examples(endpointExamples(endpoint))),
      section("The same with curl", code(curl(endpoint, options))),
    ]),
    see: seeAlso(endpoint),
  };
}

/** What a sign behind terms means, where one has it. */
function legend(rows: readonly Term[], sign: string, meaning: string): string {
  return rows.some(([term]) => term.endsWith(sign)) ? `\`${sign.trim()}\` ${meaning}.` : "";
}

function usage(endpoint: Endpoint): string {
  const identifier = positionalOf(endpoint);
  return `${endpoint.command}${identifier ? ` <${identifier[0]}>` : ""} [options]`;
}

function otherNames({ aliases = [] }: Endpoint): string {
  return aliases.length === 0 ? "" : `Its other names: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`;
}

function parameters(endpoint: Endpoint): Term[] {
  return Object.entries(endpoint.query).map(([name, param]) => [
    `${wireName(name, param)}${param.required ? " *" : ""}`,
    [
      `${paramHelp(param).replace(/\.\)$/, ")")}.`,
      formOf(param),
      optionNote(name, param),
      limits(param),
      newer(param),
      param.note,
    ]
      .filter(Boolean)
      .join(" "),
  ]);
}

/** What the API takes, by type; enumerations list their values. */
const FORMS: Readonly<Record<Param["type"], string>> = {
  address: "Base58 address",
  signature: "Base58 signature",
  slot: "Slot number",
  integer: "Whole number",
  decimal: "Number",
  boolean: "true or false",
  enum: "",
  time: "Unix seconds",
  date: "YYYYMMDD",
  text: "Text",
};

function formOf({ type, arity }: Param): string {
  const form = FORMS[type];
  if (form === "") return "";
  return arity === "one" ? `${form}.` : `${form}, ${arity === "list" ? "several" : "twice"}.`;
}

function wireName(name: string, param: Param): string {
  return param.wire === "brackets" ? `${name}[]` : name;
}

function optionNote(name: string, { positional }: Param): string {
  return positional ? `The argument, or option --${optionName(name)}.` : `Option --${optionName(name)}.`;
}

function limits({ min, max }: Param): string {
  return max === undefined ? "" : `${min ?? 0} to ${max}.`;
}

function newer({ newer: values }: Param): string {
  return values ? `Newer servers also know: ${values.map(shortWord).join(", ")}.` : "";
}

function answerTitle(endpoint: Endpoint): string {
  const { shape, at } = endpoint.returns;
  if (shape === "csv") return "Answer: CSV with these columns";
  if (shape === "object") return "Answer: one object";
  return at === undefined ? "Answer: a list of" : `Answer: an object; its "${at}" is a list of`;
}

function answerFields(fields: readonly Field[]): Term[] {
  return fields.map(({ path, kind, description, optional, list, decimals, values }) => [
    `${path}${list ? "[]" : ""}${optional ? " ?" : ""}`,
    [
      `${description}:`,
      kind === "tokenAmount" ? `base units, to be divided by 10^${decimals}` : KINDS[kind],
      values ? `(${values.join(", ")})` : "",
    ]
      .filter(Boolean)
      .join(" "),
  ]);
}

function errors(endpoint: Endpoint): Term[] {
  const statuses = Object.entries(STATUSES).map(([status, meaning]): Term => {
    const other = endpoint.statuses?.[Number(status)];
    return [status, other === "rateLimited" ? STATUSES[429] : meaning];
  });
  const identifier = positionalOf(endpoint)?.[1];
  const example =
    identifier?.type === "address"
      ? messages.address("…")
      : identifier?.type === "signature"
        ? messages.signature("…")
        : "";
  return statuses.map(([status, meaning]) => [
    status,
    status === "400" && example ? `${meaning}; code 1100, e.g. ${example}` : meaning,
  ]);
}

function cost({ cost: { units, per }, returns }: Endpoint): string {
  const price =
    units === 0 ? "No compute units." : `${units} compute units a${per === "item" ? "n identifier" : " request"}.`;
  return returns.shape === "csv"
    ? `${price} At most ${MAX_EXPORT_ROWS} rows; one request in ${EXPORT_INTERVAL_SECONDS} seconds.`
    : price;
}

function curl(endpoint: Endpoint, { baseUrls, now }: EndpointPageOptions): string {
  const params = endpoint.examples[0]?.params ?? {};
  const request = prepare(endpoint, params, { now });
  return curlLine(request, { baseUrl: baseUrls[endpoint.family], keyHeader: KEY_HEADER });
}

/** What a reader of the page asks next. */
function seeAlso({ query, returns, command }: Endpoint): readonly string[] {
  const params = Object.values(query);
  const isTimed = params.some(({ type }) => type === "time" || type === "date");
  const group = command.split(" ").slice(0, -1).join("-");
  return [
    ...(group === "" ? [] : [group]),
    ...(returns.shape === "object" ? [] : ["bulk"]),
    ...(isTimed ? ["times"] : []),
    ...(params.length > 1 ? ["filters"] : []),
    "formatting",
    "options",
    "limits",
  ];
}
