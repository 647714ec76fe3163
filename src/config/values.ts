/** Texts into values of settings and back, with messages that say what is allowed. */
import { isAbsolute, resolve } from "node:path";
import { parseUnits } from "../base/compute-units.ts";
import { UsageError } from "../base/errors.ts";
import { nearestName } from "../base/nearest-name.ts";
import { getSetting, SETTING_NAMES, type Setting, type SettingName } from "./settings.ts";

/** A value of any setting. */
export type SettingValue = string | number;

/** Where a text was found: how to name it in a message, and the folder that relative paths start from. */
export interface ValueOrigin {
  readonly origin: string;
  readonly folder?: string;
}

/**
 * Reads the text of a setting; surrounding blanks do not count.
 * `parseValue(name, printValue(value))` is `value`.
 * @throws UsageError that names where the text was found and what is allowed.
 */
export function parseValue(name: SettingName, text: string, origin: ValueOrigin = { origin: name }): SettingValue {
  const setting = getSetting(name);
  const clean = setting.units ? String(parseUnits(text) ?? text.trim()) : text.trim();
  if (clean === "") throw invalidValue(origin, "is empty", setting);
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
    case "path":
      return parsePath(clean, origin, setting);
    case "string":
      if (setting.form && !setting.form.pattern.test(clean))
        throw invalidValue(origin, `is ${quoteText(clean)}`, setting);
      return clean;
  }
}

/** A value as it is typed. */
export function formatValue(value: SettingValue): string {
  return String(value);
}

/**
 * The setting of this name; dashes and underscores are the same.
 * @throws UsageError with the nearest name.
 */
export function parseSettingName(text: string): SettingName {
  const name = text.trim().toLowerCase().replaceAll("_", "-");
  const known = SETTING_NAMES.find((candidate) => candidate === name || getSetting(candidate).aliases?.includes(name));
  if (known) return known;
  if (/^(api-)?(key|token)$/.test(name)) {
    throw new UsageError("The key is not a setting.", { hint: "Save a key with: solx auth login" });
  }
  const near = nearestName(name, SETTING_NAMES);
  throw new UsageError(`There is no setting ${quoteText(text)}.`, {
    hint: near ? `Did you mean ${near}?` : `Settings: ${SETTING_NAMES.join(", ")}.`,
  });
}

/** Text of others inside a sentence: in quotes, control characters escaped, clipped. */
export function quoteText(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What a setting may hold, in words. */
export function describeAllowed(setting: Setting): string {
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
      return "an address such as https://host or http://127.0.0.1:8080/path";
    case "path":
      return "the path of a file";
    case "string":
      return setting.form?.words ?? "a text";
  }
}

function invalidValue(origin: ValueOrigin, what: string, setting: Setting, hint?: string): UsageError {
  return new UsageError(
    `${origin.origin} ${what}; it must be ${describeAllowed(setting)}.`,
    hint === undefined ? {} : { hint },
  );
}

/** Characters of an address that a message repeats; tokens of several parts are longer. */
const MAX_ADDRESS = 60;

function parseEnum(setting: Setting, text: string, origin: ValueOrigin): string {
  const values = setting.values ?? [];
  const value = values.find((candidate) => candidate === text.toLowerCase());
  if (value !== undefined) return value;
  const near = nearestName(text, values);
  throw invalidValue(origin, `is ${quoteText(text)}`, setting, near && `Did you mean ${near}?`);
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

/** Whether a text switches something on or off; undefined when it is neither. */
export function matchSwitch(text: string): "on" | "off" | undefined {
  const parseEnum = text.trim().toLowerCase();
  return Object.hasOwn(SWITCHES, parseEnum) ? SWITCHES[parseEnum] : undefined;
}

function parseSwitch(text: string, origin: ValueOrigin, setting: Setting): string {
  const value = matchSwitch(text);
  if (value !== undefined) return value;
  throw invalidValue(origin, `is ${quoteText(text)}`, setting);
}

function parseNumber(setting: Setting, text: string, origin: ValueOrigin): number {
  const pattern = setting.type === "integer" ? /^\d{1,15}$/ : /^\d{1,15}(\.\d{1,15})?$/;
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (value >= (setting.min ?? 0) && value <= (setting.max ?? Number.MAX_SAFE_INTEGER)) return value;
  throw invalidValue(origin, `is ${quoteText(text)}`, setting);
}

/**
 * A text that is meant as an address, as a message may repeat it: the user, the password and the query are left out, and
 * all of what may be a key. Empty where nothing is left.
 */
function redactAddress(text: string): string {
  const [place = ""] = text.split(/[?#]/);
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/+)?(.*)$/is.exec(place) ?? [];
  const host = rest.slice(rest.lastIndexOf("@") + 1);
  const isAddress = scheme !== "" || /^[a-z0-9-]+((\.[a-z0-9-]+){1,4}(:\d+)?|:\d+)(\/|$)/i.test(host);
  return isAddress && host.length <= MAX_ADDRESS ? ` ${quoteText(scheme + host)},` : "";
}

/** The text is repeated as far as it holds no secret: see `shownAddress`. */
function parseUrl(text: string, origin: ValueOrigin, setting: Setting): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:\/\//i.test(text)) {
    throw invalidValue(origin, `is${redactAddress(text)} not an http or https address`, setting);
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw invalidValue(
      origin,
      "holds a user name or password",
      setting,
      "The key travels in a header: solx auth login",
    );
  }
  if (/[?#]/.test(text)) throw invalidValue(origin, "has a query or a fragment", setting);
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

function parsePath(text: string, origin: ValueOrigin, setting: Setting): string {
  if (text.includes("\0")) throw invalidValue(origin, "holds a NUL character", setting);
  return isAbsolute(text) ? resolve(text) : resolve(origin.folder ?? ".", text);
}
