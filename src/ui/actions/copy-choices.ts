/** What can be copied from a view. */
import { isNumeric, type Json, numericText } from "../../base/index.ts";
import { type Kind, positionalOf } from "../../catalogue/index.ts";
import { clip, formatJson, safeText } from "../../output/index.ts";
import type { Subject } from "../navigation/context.ts";
import { type Route, routeTitle, shortId } from "../navigation/route.ts";
import { requestOfView } from "./view-command.ts";

/** An item of the copy menu. */
export interface CopyChoice {
  /** The key that copies it. */
  readonly key: string;
  /** Label in the menu. */
  readonly label: string;
  /** Noun phrase for the message after copying. */
  readonly description: string;
  /** Returns the text; rejects with a SolxError when it cannot be created. */
  readonly text: () => string | Promise<string>;
}

/** Sources of texts beyond the values of a view. */
export interface CopySources {
  /** Returns the curl command of a request. */
  readonly curl: (request: NonNullable<Subject["request"]>) => Promise<string>;
  /** Returns the solx command of the view. */
  readonly command: () => string;
}

/** Maximum cells of a value in the menu. */
const MAX_VALUE_WIDTH = 44;

/** Returns the items of the copy menu. */
export function listCopyChoices(
  route: Route,
  subject: Subject | undefined,
  sources: CopySources,
): readonly CopyChoice[] {
  const { cell, row, rows, marked = [] } = subject ?? {};
  const request = requestOfView(route, subject);
  const id = identifierOfRoute(route, subject);
  const choices: (CopyChoice | undefined)[] = [
    cell && valueChoice(cell),
    row === undefined
      ? undefined
      : rows === undefined
        ? {
            key: "j",
            label: "the object as JSON, one line",
            description: "the object as JSON",
            text: () => formatJson(row),
          }
        : { key: "j", label: "the row as JSON", description: "the row as JSON", text: () => formatJson(row) },
    rows === undefined || rows.length === 0 ? objectChoice(row, rows) : rowsChoice("f", "visible", rows),
    marked.length === 0 ? undefined : rowsChoice("m", "marked", marked),
    id === undefined
      ? undefined
      : {
          key: "i",
          label: `the identifier ${shortId(id)}`,
          description: `the identifier ${shortId(id)}`,
          text: () => id,
        },
    {
      key: "s",
      label: "the solx command of this view",
      description: commandName(subject?.local),
      text: () => sources.command(),
    },
    request && {
      key: "u",
      label: "the curl command of the request",
      description: "the curl command",
      text: () => sources.curl(request),
    },
  ];
  return choices.filter((choice) => choice !== undefined);
}

/** Returns the name of a command after copying; it notes when the screen does more than the command. */
export function commandName(local: readonly string[] = []): string {
  return local.length === 0 ? "the solx command" : "the command without the changes made on screen";
}

const IDENTIFIER_NAMES: Partial<Record<Kind, string>> = {
  address: "address",
  program: "address",
  signature: "signature",
  hash: "identifier",
  slot: "slot",
};

function valueChoice({ field, value, kind }: NonNullable<Subject["cell"]>): CopyChoice | undefined {
  const text = valueText(value);
  if (text === undefined) return undefined;
  const name = kind && typeof value !== "object" ? IDENTIFIER_NAMES[kind] : undefined;
  const what = name === undefined ? `the value of ${safeText(field)}` : `the ${name} ${shortId(text)}`;
  const label = name === undefined ? `${safeText(field)}: ${clip(safeText(text), MAX_VALUE_WIDTH)}` : what;
  return { key: "v", label, description: what, text: () => text };
}

/** Returns a value for the clipboard: text as is, numbers with all digits, the rest as JSON; undefined when empty. */
function valueText(value: Json): string | undefined {
  if (value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  return isNumeric(value) ? numericText(value) : formatJson(value);
}

function objectChoice(row: Json | undefined, rows: readonly Json[] | undefined): CopyChoice | undefined {
  if (row === undefined || rows !== undefined) return undefined;
  return {
    key: "f",
    label: "the object as JSON, indented",
    description: "the object as JSON",
    text: () => formatJson(row, 2),
  };
}

function rowsChoice(key: string, selection: string, rows: readonly Json[]): CopyChoice {
  const what = rows.length === 1 ? `the ${selection} row` : `the ${rows.length} ${selection} rows`;
  return {
    key,
    label: `${what} as NDJSON`,
    description: `${what} as NDJSON`,
    text: () => rows.map((row) => `${formatJson(row)}\n`).join(""),
  };
}

/** Returns the identifier of a route; undefined when it has none. */
export function identifierOfRoute(route: Route, subject: Subject | undefined): string | undefined {
  if (route.kind === "entity") return route.id;
  const request = requestOfView(route, subject);
  const name = request && positionalOf(request.endpoint)?.[0];
  const id = name === undefined ? undefined : request?.params[name];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** Returns a file name without extension for a route: `account-transfer-5Q54e4j1`. */
export function fileBaseName(route: Route, subject: Subject | undefined): string {
  const request = requestOfView(route, subject);
  const id = identifierOfRoute(route, subject);
  const parts = request ? [request.endpoint.command, id ?? ""] : [routeTitle(route)];
  return parts
    .map((word) => (word === id && word.length > 12 ? word.slice(0, 4) + word.slice(-4) : word))
    .join(" ")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
