/** Values of settings from text and back, with messages that say what is accepted. */
import { isAbsolute, resolve } from "node:path";
import { expandTypedPath, suggestName, UsageError } from "../base/index.ts";
import { NODES, parseUnits } from "../catalogue/index.ts";
import { ENTRY_NAMES, type EntryName, getSetting, SETTING_NAMES, type Setting, type SettingName } from "./settings.ts";

/** A value of any setting. */
export type SettingValue = string | number;

/** Where a text comes from: its name in messages, and the folder from which relative paths start. */
export interface ValueOrigin {
  /** What was typed or written: `--timeout`, `SOLX_TIMEOUT`, `timeout of profile work (…)`. */
  readonly origin: string;
  readonly folder?: string;
}

/**
 * Parses the text of a setting, without surrounding blanks. `parseValue(name, formatValue(value))` is `value`.
 * @throws UsageError that names the origin of the text and what is accepted
 */
export function parseValue(name: SettingName, text: string, origin: ValueOrigin = { origin: name }): SettingValue {
  const setting = getSetting(name);
  const clean = setting.units ? String(parseUnits(text) ?? text.trim()) : text.trim();
  if (clean === "") throw invalidValue(origin, setting, clean);
  switch (setting.type) {
    case "enum":
      return parseEnum(setting, clean, origin);
    case "switch":
      return parseSwitch(clean, origin, setting);
    case "number":
    case "integer":
      return parseNumber(setting, clean, origin);
    case "url":
      return parseUrl(clean, origin, setting);
    case "node":
      return splitNodes(clean)
        .map((node) => parseNode(node, origin, setting))
        .join();
    case "path":
      return parsePath(clean, origin, setting);
    case "string":
      // An address may have a password.
      if (setting.form && !setting.form.pattern.test(clean))
        throw invalidValue(origin, setting, clean.includes("@") ? undefined : clean);
      return clean;
  }
}

/** Returns a value as it is typed. */
export function formatValue(value: SettingValue): string {
  return String(value);
}

/**
 * Returns the entry, or the setting that is part of one, that a name stands for; dashes and underscores are the same.
 * @throws UsageError with the nearest name
 */
export function parseEntryName(text: string): EntryName {
  const name = text.trim().toLowerCase().replaceAll("_", "-");
  const known = [...ENTRY_NAMES, ...SETTING_NAMES].find((candidate) => candidate === name);
  if (known) return known;
  if (/^(api-)?(key|token)$/.test(name)) {
    throw new UsageError("The API key is not a setting.", { hint: "Save a key with: solx auth login" });
  }
  throw new UsageError(`unknown setting ${quoteText(text)}`, {
    hint: suggestName(name, ENTRY_NAMES) ?? `Settings: ${ENTRY_NAMES.join(", ")}.`,
  });
}

/** Returns text from outside for the middle of a sentence: in quotes, clipped, control characters escaped. */
export function quoteText(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the accepted values of a setting in words. */
function describeAllowed(setting: Setting): string {
  switch (setting.type) {
    case "enum":
      return `one of ${setting.values?.join(", ")}`;
    case "switch":
      return "on or off";
    case "number":
      return `a number from ${setting.min} to ${setting.max}`;
    case "integer":
      return `a whole number from ${setting.min} to ${setting.max}`;
    case "url":
      return "a URL such as https://host or http://127.0.0.1:8080/path";
    case "node":
      return `${Object.keys(NODES).join(", ")}, a URL such as https://host, or off`;
    case "path":
      return "a file path";
    case "string":
      return setting.form?.words ?? "text";
  }
}

/** Returns the error for a value; `text` is undefined where it may contain a secret. */
export function invalidValue(
  { origin }: ValueOrigin,
  setting: Setting,
  text?: string,
  { reason = "", hint }: { readonly reason?: string; readonly hint?: string | undefined } = {},
): UsageError {
  const value = text === undefined ? "" : ` ${quoteText(text)}`;
  const expected = `expected ${describeAllowed(setting)}${reason}`;
  return new UsageError(`invalid value${value} for ${origin}: ${expected}`, { hint });
}

/** The length up to which messages repeat a URL; tokens of several parts are longer. */
const MAX_ADDRESS = 60;

function parseEnum(setting: Setting, text: string, origin: ValueOrigin): string {
  const values = setting.values ?? [];
  const value = values.find((candidate) => candidate === text.toLowerCase());
  if (value !== undefined) return value;
  throw invalidValue(origin, setting, text, { hint: suggestName(text, values) });
}

const SWITCHES: Readonly<Record<string, "on" | "off">> = {
  on: "on",
  yes: "on",
  true: "on",
  1: "on",
  off: "off",
  no: "off",
  false: "off",
  0: "off",
};

/** Returns whether a text means on or off; undefined when it means neither. */
export function matchSwitch(text: string): "on" | "off" | undefined {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(SWITCHES, name) ? SWITCHES[name] : undefined;
}

function parseSwitch(text: string, origin: ValueOrigin, setting: Setting): string {
  const value = matchSwitch(text);
  if (value !== undefined) return value;
  throw invalidValue(origin, setting, text);
}

function parseNumber(setting: Setting, text: string, origin: ValueOrigin): number {
  const pattern = setting.type === "integer" ? /^\d{1,15}$/ : /^\d{1,15}(\.\d{1,15})?$/;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (value >= (setting.min ?? 0) && value <= (setting.max ?? Number.MAX_SAFE_INTEGER)) return value;
  throw invalidValue(origin, setting, text);
}

/**
 * Returns the part of a URL that a message may repeat: without user, password and query, and without anything that may
 * be a key. Undefined where nothing is left.
 */
function redactUrl(text: string): string | undefined {
  const [base = ""] = text.split(/[?#]/);
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/+)?(.*)$/is.exec(base) ?? [];
  const host = rest.slice(rest.lastIndexOf("@") + 1);
  const isUrl = scheme !== "" || /^[a-z0-9-]+((\.[a-z0-9-]+){1,4}(:\d+)?|:\d+)(\/|$)/i.test(host);
  return isUrl && host.length <= MAX_ADDRESS ? scheme + host : undefined;
}

function parseUrl(text: string, origin: ValueOrigin, setting: Setting): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:\/\//i.test(text)) throw invalidValue(origin, setting, redactUrl(text));
  if (parsed.username !== "" || parsed.password !== "") {
    throw invalidValue(origin, setting, undefined, {
      reason: ", without user name and password",
      hint: "The API key is sent in a header: solx auth login",
    });
  }
  if (/[?#]/.test(text)) throw invalidValue(origin, setting, undefined, { reason: ", without query and fragment" });
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

/** The words that are accepted for a node besides URLs. */
export const NODE_NAMES: readonly string[] = [...Object.keys(NODES), "off"];
/** Words for clusters that other tools use. */
const NODE_SYNONYMS: Readonly<Record<string, string>> = { "mainnet-beta": "mainnet", localhost: "localnet" };
/** Texts that may be repeated in messages: too short for a key. */
const NODE_WORD = /^[a-z][a-z-]{0,15}$/i;

/** Returns the nodes of a list; a comma in the URL of a node separates none. */
export const splitNodes = (text: string): readonly string[] =>
  text.split(/,(?=\s*(?:https?:\/\/|[a-z-]+\s*(?:,|$)))/i).map((node) => node.trim());

/** Parses the name or the URL of a node. No message repeats a URL: providers put keys into its path, query and user. */
function parseNode(text: string, origin: ValueOrigin, setting: Setting): string {
  const word = text.toLowerCase();
  if (NODE_NAMES.includes(word)) return word;
  const synonym = Object.hasOwn(NODE_SYNONYMS, word) ? NODE_SYNONYMS[word] : undefined;
  if (synonym !== undefined) return synonym;
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    const isHost = /^(wss?:|localhost|\d+(\.\d+){3}|\[[\da-f:]+\]|[\w-]+(\.[\w-]+)+):?/i.test(text);
    throw invalidValue(origin, setting, NODE_WORD.test(text) ? text : undefined, {
      hint: suggestName(word, NODE_NAMES) ?? (isHost ? "Start the URL with http:// or https://." : undefined),
    });
  }
  url.hash = "";
  return url.href === `${url.origin}/` ? url.origin : url.href;
}

/** Replaces the part of a value that may be a secret: a password in a URL; of the URL of a node all but the host. */
export function maskValue(name: SettingName, value: SettingValue): SettingValue {
  if (typeof value !== "string") return value;
  if (getSetting(name).type === "node") return splitNodes(value).map(maskNode).join();
  const masked = value.replace(/^([\w+]+:\/\/[^/@]*:)[^/]*(@)/, "$1***$2");
  return masked.replace(/([?&][\w-]*password=)[^&#]*/gi, "$1***");
}

function maskNode(value: string): string {
  if (!URL.canParse(value)) return value;
  const { origin, href } = new URL(value);
  return href === `${origin}/` ? origin : `${origin}/***`;
}

function parsePath(text: string, origin: ValueOrigin, setting: Setting): string {
  if (text.includes("\0")) throw invalidValue(origin, setting, text);
  const typed = expandTypedPath(text, process.env);
  const path = isAbsolute(typed) ? resolve(typed) : resolve(origin.folder ?? ".", typed);
  // A blank before a slash at the end would be at the end, where it is lost when the value is read again.
  if (path !== path.trim()) throw invalidValue(origin, setting, text);
  return path;
}
