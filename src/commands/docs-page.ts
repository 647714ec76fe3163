/** A documentation page of an endpoint, as text for a terminal. */
import { optionName } from "../catalogue/command-line.ts";
import { EXPORT_INTERVAL_SECONDS, MAX_EXPORT_ROWS } from "../catalogue/constants.ts";
import type { Endpoint, Family } from "../catalogue/endpoint.ts";
import { messages, STATUSES } from "../catalogue/errors.ts";
import type { Field } from "../catalogue/fields.ts";
import type { Keep } from "../catalogue/keep.ts";
import { KINDS } from "../catalogue/kinds.ts";
import type { Param } from "../catalogue/param.ts";
import { KEY_HEADER } from "../catalogue/servers.ts";
import { curlLine } from "../client/curl.ts";
import { prepare } from "../client/index.ts";
import { endpointExamples, exampleText, paramHelp, shortWord } from "./help.ts";

/** What a page depends on beside the endpoint. */
export interface PageOptions {
  readonly width: number;
  readonly color: boolean;
  readonly baseUrls: Readonly<Record<Family, string>>;
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

/** The endpoints as a list, by group, the newest family first. */
export function docsList(listed: readonly Endpoint[], { width, color }: Omit<PageOptions, "baseUrls">): string {
  const bold = (text: string) => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const ranked = [...listed].sort((a, b) => Number(a.family !== "v2") - Number(b.family !== "v2"));
  const groups = Map.groupBy(ranked, ({ command, group }) =>
    command
      .split(" ")
      .slice(0, group ? -1 : 0)
      .join(" "),
  );
  return [...groups]
    .map(([group, members]) => {
      const title = group === "" ? "" : `${bold(group)}\n`;
      return (
        title +
        definitions(
          members.map(({ name, summary }): Definition => [name, summary]),
          width,
        )
      );
    })
    .join("\n\n")
    .concat("\n");
}

/** The page of an endpoint. */
export function docsPage(endpoint: Endpoint, fields: readonly Field[], options: PageOptions): string {
  const sections: readonly (readonly [title: string, body: string])[] = [
    ["Command", `  solx ${usage(endpoint)}`],
    ["Request", `  ${endpoint.method} ${options.baseUrls[endpoint.family]}${endpoint.path}`],
    ["Parameters", definitions(parameters(endpoint), options.width)],
    [answerTitle(endpoint), definitions(answerFields(fields), options.width)],
    ["Errors", definitions(errors(endpoint), options.width)],
    ["Paging", `  ${PAGING[endpoint.paging]}`],
    ["Cost", `  ${cost(endpoint)}`],
    ["Cache", `  ${CACHE[endpoint.keep]}`],
    ["Notes", (endpoint.notes ?? []).map((note) => wrap(`- ${note}`, 2, 4, options.width)).join("\n")],
    ["Examples", exampleText(endpointExamples(endpoint))],
    ["The same with curl", `  ${curl(endpoint, options.baseUrls)}`],
  ];
  const bold = (text: string) => (options.color ? `\u001b[1m${text}\u001b[22m` : text);
  const intro = [
    bold(endpoint.route),
    wrap(`${endpoint.summary}. ${endpoint.description ?? ""}`.trim(), 0, 0, options.width),
  ];
  return `${intro.join("\n")}\n\n${sections
    .filter(([, body]) => body.trim() !== "")
    .map(([title, body]) => `${bold(title)}\n${body}`)
    .join("\n\n")}\n`;
}

function usage(endpoint: Endpoint): string {
  const identifier = Object.entries(endpoint.query).find(([, param]) => param.positional);
  return `${endpoint.command}${identifier ? ` <${identifier[0]}>` : ""} [options]`;
}

type Definition = readonly [term: string, text: string];

function parameters(endpoint: Endpoint): Definition[] {
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

function optionNote(name: string, param: Param): string {
  return optionName(name) === name || param.positional ? "" : `Option --${optionName(name)}.`;
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

function answerFields(fields: readonly Field[]): Definition[] {
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

function errors(endpoint: Endpoint): Definition[] {
  const statuses = Object.entries(STATUSES).map(([status, meaning]): Definition => {
    const other = endpoint.statuses?.[Number(status)];
    return [status, other === "rateLimited" ? STATUSES[429] : meaning];
  });
  const identifier = Object.entries(endpoint.query).find(([, param]) => param.positional)?.[1];
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

function curl(endpoint: Endpoint, baseUrls: PageOptions["baseUrls"]): string {
  const params = endpoint.examples[0]?.params ?? {};
  const request = prepare(endpoint, params, { now: Date.now });
  return curlLine(request, { baseUrl: baseUrls[endpoint.family], keyHeader: KEY_HEADER });
}

/** Terms in one column, their texts wrapped in the other. */
function definitions(rows: readonly Definition[], width: number): string {
  const column = Math.min(34, Math.max(0, ...rows.map(([term]) => term.length)) + 2);
  return rows
    .map(([term, text]) => {
      const body = wrap(text, column + 2, column + 2, width);
      return term.length + 2 <= column + 1 ? `  ${term}${body.slice(term.length + 2)}` : `  ${term}\n${body}`;
    })
    .join("\n");
}

/** Breaks text at spaces; the first line and the others have their own indents. */
function wrap(text: string, first: number, rest: number, width: number): string {
  const room = Math.max(30, width);
  const lines: string[] = [];
  let line = " ".repeat(first);
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== "" && line.length + word.length > room) {
      lines.push(line.trimEnd());
      line = " ".repeat(rest);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}
