/** What can be copied of what is looked at. */
import { isNumeric, type Json, numericText } from "../../base/json.ts";
import { positionalOf } from "../../catalogue/index.ts";
import type { Kind } from "../../catalogue/kinds.ts";
import { formatJson } from "../../output/formats/json.ts";
import { safeText } from "../../output/text/safe.ts";
import { clip } from "../../output/text/width.ts";
import type { Subject } from "../app/context.ts";
import { type Route, routeTitle, shortId } from "../app/route.ts";
import { requestOfView } from "./view-command.ts";

/** Something that can be copied. */
export interface CopyChoice {
  /** The key that copies it. */
  readonly key: string;
  /** What it is, in a menu. */
  readonly label: string;
  /** What it is, after `Copied`. */
  readonly description: string;
  /** Its text; rejects with a SolxError where it cannot be made. */
  readonly text: () => string | Promise<string>;
}

/** What copying needs beside the view. */
export interface CopySources {
  /** The curl line of a request, which a client prepares. */
  readonly curl: (request: NonNullable<Subject["request"]>) => Promise<string>;
  /** The solx command of the view. */
  readonly command: () => string;
}

/** Cells of a value in a menu. */
const MAX_VALUE_WIDTH = 44;

/** All that can be copied now, in the order of the menu. */
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
    rows === undefined || rows.length === 0 ? objectChoice(row, rows) : rowsChoice("f", "on view", rows),
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
      label: "the curl line of the request",
      description: "the curl line",
      text: () => sources.curl(request),
    },
  ];
  return choices.filter((choice) => choice !== undefined);
}

/** What the command of a view is called where it is copied: it does not do what only the screen does. */
export function commandName(local: readonly string[] = []): string {
  return local.length === 0 ? "the solx command" : "the command, not what the screen adds";
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

/** A value as whoever pastes it needs it: text as it is, every digit of numbers, the rest as JSON; nothing is nothing. */
export function valueText(value: Json): string | undefined {
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
  const what = rows.length === 1 ? `the row ${selection}` : `the ${rows.length} rows ${selection}`;
  return {
    key,
    label: `${what} as NDJSON`,
    description: `${what} as NDJSON`,
    text: () => rows.map((row) => `${formatJson(row)}\n`).join(""),
  };
}

/** The identifier of a place; undefined where it is about nothing single. */
export function identifierOfRoute(route: Route, subject: Subject | undefined): string | undefined {
  if (route.kind === "entity") return route.id;
  const request = requestOfView(route, subject);
  const name = request && positionalOf(request.endpoint)?.[0];
  const id = name === undefined ? undefined : request?.params[name];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** The name of a place for files: `account-transfer-5Q54e4j1`. */
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
