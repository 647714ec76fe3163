/** Decides whether two runs write the same file, and formats the command that resumes a run. */

import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../base/index.ts";
import { type Endpoint, optionName, quoteForShell } from "../../catalogue/index.ts";
import type { Settings } from "../../config/index.ts";
import type { RunContext } from "../run/context.ts";
import { sourceOf } from "../run/data-source.ts";
import { maskArguments } from "../run/mask-arguments.ts";
import { CHECKPOINT_FORMAT } from "./checkpoint.ts";

/** The request of an export as typed: `7d` is the same run tomorrow. */
export interface ExportRequest {
  /** An endpoint, or a path that is not in the catalogue. */
  readonly endpoint: Pick<Endpoint, "command" | "family" | "query"> & { readonly route?: string };
  /** Parameters, including the identifiers. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Anything else that the rows depend on, by display name. */
  readonly extra?: Readonly<Record<string, string | undefined>>;
  /**
   * Checks the input that is not part of the identity, when a file is complete.
   * @param reading where reading ended in the run that completed the file
   * @throws UsageError when this is another run
   */
  readonly checkEnd?: (reading: JsonObject) => Promise<void>;
}

/** The values that identify a run, by display name. The names are saved in checkpoints. */
export type RunIdentity = Readonly<Record<string, string>>;

/** Hexadecimal digits of the hash of an API key. */
const KEY_DIGITS = 16;

/** Returns everything that the bytes of the file depend on, and the key, since results may depend on it. */
export async function identifyRun(
  context: RunContext,
  { endpoint, params, extra = {} }: ExportRequest,
): Promise<RunIdentity> {
  const { globals, io } = context;
  const settings = await context.session.settings();
  const { format, time } = await context.printer.options();
  const key = (await settings.key(io.signal))?.value;
  const parameters = Object.entries(params).map(
    ([name, value]) => [parameterLabel(endpoint, name), valueText(value)] as const,
  );
  const all: Readonly<Record<string, string | undefined>> = {
    "form of the checkpoint": String(CHECKPOINT_FORMAT),
    command: endpoint.route ?? endpoint.command,
    ...Object.fromEntries(parameters),
    "--limit": globals.limit,
    "--all": globals.all && "given",
    "--batch": globals.batch,
    format,
    "--fields": globals.fields,
    "--columns": globals.columns,
    "--with": globals.with,
    "--envelope": globals.envelope && "given",
    numbers: settings.get("numbers") === "text" ? "text" : undefined,
    "--no-headers": globals.headers === false ? "given" : undefined,
    "--time": time === "local" ? `local, ${new Intl.DateTimeFormat().resolvedOptions().timeZone}` : time,
    server: await sourceText(context, endpoint),
    commitment: settings.node() && settings.get("commitment"),
    key: key === undefined ? undefined : hash(key).slice(0, KEY_DIGITS),
    "version of solx": io.version,
    ...extra,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function parameterLabel({ query }: ExportRequest["endpoint"], name: string): string {
  return query[name]?.positional ? name : `--${optionName(name)}`;
}

function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(String).join(",") : String(value);
}

/** Returns a URL without user name, password and query. */
function serverText(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Returns what answers; of a node only the host, since another key gets the same answers. */
async function sourceText(context: RunContext, { family }: ExportRequest["endpoint"]): Promise<string> {
  const settings = await context.session.settings();
  const { facts } = sourceOf(settings);
  if (facts.isSimulated) return sandboxText(settings);
  return facts.key === "required" ? serverText(settings.baseUrls()[family]) : facts.scope;
}

function sandboxText(settings: Settings): string {
  const names = ["sandbox-seed", "sandbox-size", "sandbox-now", "sandbox-hostile"] as const;
  return `the sandbox (${names.map((name) => settings.get(name) ?? "-").join(", ")})`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Longer values are truncated in messages. */
const MAX_VALUE_LENGTH = 60;

/** Returns a line for each difference between an earlier run and this one. */
export function describeDifferences(then: Json | undefined, now: RunIdentity): string[] {
  const before = isObject(then) ? then : {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => {
      const [previous, current] = [shorten(before[name]), shorten(now[name])];
      return previous === current ? `${name}: changed` : `${name}: was ${previous}, now ${current}`;
    });
}

function shorten(value: Json | undefined): string {
  if (value === undefined) return "not set";
  const text = String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Returns the command that resumes a run, quoted for a shell; keys and passwords are masked. */
export function resumeCommand(argv: readonly string[]): string {
  const end = argv.indexOf("--");
  const options = end < 0 ? argv : argv.slice(0, end);
  const words = options.filter((word) => word !== "--force" && word !== "--resume");
  return ["solx", ...maskArguments(words), "--resume", ...(end < 0 ? [] : argv.slice(end))]
    .map(quoteForShell)
    .join(" ");
}
