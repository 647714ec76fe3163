/** The manual page of an endpoint: its command and everything that the catalogue states about it. */

import {
  type CachePolicy,
  type Endpoint,
  EXPORT_INTERVAL_SECONDS,
  type Family,
  type Field,
  KEY_HEADER,
  KINDS,
  MAX_EXPORT_ROWS,
  nodeSupportOf,
  optionName,
  type Param,
  positionalOf,
  returnsList,
  STATUSES,
  shortValue,
  validationMessages,
} from "../../../catalogue/index.ts";
import { entities, listFields } from "../../../catalogue/schemas.ts";
import { curlCommand, prepare } from "../../../client/index.ts";
import { argumentTerm, inheritedFlagsText, listedOptions } from "./command-page.ts";
import type { CommandNode } from "./command-tree.ts";
import { nodeMark, nodeSection } from "./node-support.ts";
import {
  aliasText,
  code,
  type Definition,
  examples,
  items,
  type ManualPage,
  type ManualSection,
  section,
  sentence,
  terms,
  text,
  withoutEmptySections,
} from "./page.ts";

/** What a page depends on besides the endpoint and its command. */
export interface EndpointPageOptions {
  readonly baseUrls: Readonly<Record<Family, string>>;
  /** The header of the key; by default the API's. */
  readonly keyHeader?: string;
  /** The text for the key; by default the variable `$SOLX_API_KEY`. */
  readonly keyText?: string;
  /** Returns milliseconds since the epoch; relative times in examples count from it. */
  readonly now: () => number;
}

const PAGING = {
  none: "none; a single response.",
  page: "by `page` and `page_size`; `--limit` and `--all` fetch as many pages as needed.",
  offset: "by `limit` and `offset`; `--limit` and `--all` fetch as many pages as needed.",
  cursor: "by a cursor from the previous page; `--limit` and `--all` fetch as many pages as needed.",
  limit: "none beyond `limit`; only the newest rows are available.",
} as const;

const CACHING = {
  final: "finalized data is cached for 30 days, other data is fetched each time.",
  metadata: "cached for 5 minutes; `--cache fresh` bypasses the cache.",
  prices: "cached for 15 seconds; `--cache fresh` bypasses the cache.",
  live: "fetched each time; the latest response is stored for `--cache only`.",
  never: "never.",
} as const satisfies Record<CachePolicy, string>;

/** Returns the fields of an endpoint's rows or object. */
export const fieldsOfEndpoint = ({ returns }: Endpoint): readonly Field[] => listFields(entities[returns.entity]);

/** Makes the page of an endpoint from its command. */
export function endpointPage(endpoint: Endpoint, node: CommandNode, options: EndpointPageOptions): ManualPage {
  const fields = fieldsOfEndpoint(endpoint);
  const { command, group, family, route, aliases = [], notes = [] } = endpoint;
  const outputFields = fields.map((field) => fieldDefinition(field, nodeMark(endpoint, field)));
  return {
    id: command.replaceAll(" ", "-"),
    kind: "endpoint",
    title: route,
    command,
    group: family === "legacy" || group === "" ? "legacy" : group,
    summary: endpoint.summary,
    aliases,
    sections: withoutEmptySections([
      section("", text(endpoint.description ?? "")),
      section("Usage", code(node.usage), text(aliasText(aliases))),
      section("Arguments", terms(argumentDefinitions(endpoint, node))),
      section("Flags", terms(flagDefinitions(endpoint, node))),
      section("Global flags", text(inheritedFlagsText(globalOptions(endpoint, node)))),
      section(
        "Output fields",
        text(outputText(endpoint)),
        terms(outputFields),
        text(outputNotes(endpoint, outputFields)),
      ),
      nodeSection(endpoint, fields),
      ...(endpoint.family === "node" ? [] : apiSections(endpoint, options)),
      section("Notes", items(...notes)),
      section("Examples", examples(node.examples)),
      ...(endpoint.family === "node" ? [] : [section("curl", code(curlExample(endpoint, options)))]),
    ]),
    seeAlso: relatedPages(endpoint),
  };
}

function apiSections(endpoint: Endpoint, options: EndpointPageOptions): readonly ManualSection[] {
  return [
    section("API request", code(requestLine(endpoint, options)), items(...requestFacts(endpoint))),
    section("Errors", terms(errorDefinitions(endpoint))),
  ];
}

function argumentDefinitions(endpoint: Endpoint, { arguments: list }: CommandNode): Definition[] {
  const positional = positionalOf(endpoint);
  return list.map((argument) => [
    argumentTerm(argument, true),
    [
      sentence(argument.description),
      ...(positional ? [`Flag: --${optionName(positional[0])}.`, apiParameter(...positional)] : []),
    ].join(" "),
  ]);
}

/** Returns one definition per parameter of the endpoint, by its flag. */
function flagDefinitions(endpoint: Endpoint, { options }: CommandNode): Definition[] {
  return Object.entries(endpoint.query).flatMap(([name, param]): Definition[] => {
    const option = options.find(({ long }) => long === `--${optionName(name)}`);
    if (option === undefined || param.positional) return [];
    return [
      [
        option.flags,
        [
          sentence(option.description, option.values),
          bounds(param),
          newerValues(param),
          apiParameter(name, param),
          param.note,
        ]
          .filter(Boolean)
          .join(" "),
      ],
    ];
  });
}

/** The form that the API takes, by type; enumerations list their values. */
const WIRE_FORMS: Readonly<Record<Param["type"], string>> = {
  address: "base58",
  signature: "base58",
  slot: "",
  integer: "",
  decimal: "",
  boolean: "true or false",
  enum: "",
  time: "Unix seconds",
  date: "YYYYMMDD",
  text: "",
};

function apiParameter(name: string, param: Param): string {
  const wireName = param.wire === "brackets" ? `${name}[]` : name;
  const form = WIRE_FORMS[param.type];
  return `API parameter: \`${wireName}\`${form === "" ? "" : ` (${form})`}.`;
}

function bounds({ min, max }: Param): string {
  return max === undefined ? "" : `From ${min ?? 0} to ${max}.`;
}

function newerValues({ newer: values }: Param): string {
  return values ? `Newer servers also accept ${values.map(shortValue).join(", ")}.` : "";
}

function globalOptions({ query }: Endpoint, node: CommandNode) {
  const parameters = Object.keys(query);
  const names = new Set(parameters.map((name) => `--${optionName(name)}`));
  return listedOptions(node).filter(({ long }) => !names.has(long));
}

function outputText(endpoint: Endpoint): string {
  const { shape, at } = endpoint.returns;
  if (shape === "csv") return "CSV with these columns:";
  if (shape === "object") return "An object with these fields:";
  if (shape === "number") return "A number:";
  return at === undefined ? "A list of rows with these fields:" : `An object; its \`${at}\` is a list of rows:`;
}

/** @param mark what the field depends on; may be empty */
function fieldDefinition(
  { path, kind, description, optional, list, decimals, values }: Field,
  mark: string,
): Definition {
  const form = kind === "tokenAmount" ? `base units; divide by 10^${decimals}` : KINDS[kind];
  const known = values ? ` (${values.join(", ")})` : "";
  return [
    `${path}${list ? "[]" : ""}${optional ? "?" : ""}`,
    `${sentence(description)} Type: ${form}${known}.${mark && ` ${mark}`}`,
  ];
}

function outputNotes(endpoint: Endpoint, fields: readonly Definition[]): string {
  const takesSeveral = positionalOf(endpoint)?.[1].arity === "one";
  return [
    fields.some(([term]) => term.endsWith("?")) ? "Fields marked with `?` may be missing." : "",
    takesSeveral && endpoint.echo === undefined ? "For several identifiers, rows start with the field `input`." : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function requestLine({ method, family, path }: Endpoint, { baseUrls }: EndpointPageOptions): string {
  return `${method} ${baseUrls[family]}${path}`;
}

function requestFacts(endpoint: Endpoint): readonly string[] {
  const { paging, cachePolicy, oldestFirst } = endpoint;
  return [
    ...(endpoint.since === "newer" ? ["Version: newer than the specification; older servers answer 404."] : []),
    `Paging: ${PAGING[paging]}${oldestFirst ? " The oldest row comes first; `--limit` prints the latest ones." : ""}`,
    `Cost: ${costText(endpoint)}`,
    `Caching: ${CACHING[cachePolicy]}`,
  ];
}

function costText({ cost: { units, per }, returns }: Endpoint): string {
  const price =
    units === 0 ? "No compute units." : `${units} compute units per ${per === "item" ? "identifier" : "request"}.`;
  return returns.shape === "csv"
    ? `${price} At most ${MAX_EXPORT_ROWS} rows per request, one request in ${EXPORT_INTERVAL_SECONDS} seconds.`
    : price;
}

function errorDefinitions(endpoint: Endpoint): Definition[] {
  const statuses = Object.entries(STATUSES).map(([status, meaning]): Definition => {
    const special = endpoint.statuses?.[Number(status)];
    return [status, special === "rateLimited" ? STATUSES[429] : meaning];
  });
  const identifier = positionalOf(endpoint)?.[1];
  const example =
    identifier?.type === "address"
      ? validationMessages.address("…")
      : identifier?.type === "signature"
        ? validationMessages.signature("…")
        : "";
  return statuses.map(([status, meaning]) => [
    status,
    sentence(status === "400" && example ? `${meaning}; code 1100, e.g. ${example}` : meaning),
  ]);
}

function curlExample(
  endpoint: Endpoint,
  { baseUrls, keyHeader = KEY_HEADER, now, ...key }: EndpointPageOptions,
): string {
  const params = endpoint.examples[0]?.params ?? {};
  const request = prepare(endpoint, params, { now });
  return curlCommand(request, { baseUrl: baseUrls[endpoint.family], keyHeader, ...key });
}

function relatedPages(endpoint: Endpoint): readonly string[] {
  const { query, returns, command } = endpoint;
  const params = Object.values(query);
  const isTimed = params.some(({ type }) => type === "time" || type === "date");
  const group = command.split(" ").slice(0, -1).join("-");
  return [
    ...(group === "" ? [] : [group]),
    ...(returnsList({ returns }) ? ["bulk"] : []),
    ...(isTimed ? ["times"] : []),
    ...(params.length > 1 ? ["filters"] : []),
    "formatting",
    "options",
    "limits",
    ...(nodeSupportOf(endpoint).level === "none" ? [] : ["nodes"]),
  ];
}
