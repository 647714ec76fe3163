/** Formats findings as Markdown for an issue, without the key and the names of users, folders and servers. */
import type { Env } from "../../base/index.ts";
import { FAMILY_PATHS, SERVERS } from "../../catalogue/index.ts";
import { isLoopback } from "../../client/index.ts";
import { abbreviateKey, SANDBOX_PROFILE, type Settings } from "../../config/index.ts";
import { AREA_NAMES, AREAS, type Finding } from "./finding.ts";
import { signOf, summaryOf } from "./text.ts";

/** Texts and their replacements. */
export type Masks = readonly (readonly [text: string, mask: string])[];

/** Shorter names are not masked: they occur in ordinary words. */
const MIN_MASKED_LENGTH = 3;

/**
 * Collects what the report must not contain: the key, home folders, the user, custom profiles and other servers.
 * @param key the key in use, if any
 */
export function collectMasks(settings: Settings, env: Env, key: string | undefined, user: string): Masks {
  const { baseUrls, file, paths } = settings;
  const profiles = [...file.profiles.keys(), settings.profile].filter(
    (name) => name !== "default" && name !== SANDBOX_PROFILE,
  );
  const addresses = [
    ...orEmpty(() => Object.values(baseUrls.call(settings))),
    ...["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [env[name], env[name.toLowerCase()]]),
    // Other values than addresses are keywords.
    ...[settings.get("budget")].filter((where) => where.includes("://")),
  ];
  const masks: (readonly [string | undefined, string])[] = [
    [key, "<key>"],
    [key && abbreviateKey(key), "<key>"],
    [env.SOLX_HOME, "<home>/solx"],
    [env.HOME, "~"],
    [env.USERPROFILE, "~"],
    [paths.config, "<config>"],
    ...addresses.flatMap((address) => privateHosts(address).map((host) => [host, "<server>"] as const)),
    ...addresses.map((address) => [customPath(address), "<path>"] as const),
    ...(env.NO_PROXY ?? env.no_proxy ?? "").split(/[\s,]+/).map((host) => [host, "<host>"] as const),
    ...profiles.map((name) => [name, "<profile>"] as const),
    [user === "root" ? undefined : user, "<user>"],
  ];
  return masks
    .filter((mask): mask is readonly [string, string] => (mask[0] ?? "").length >= MIN_MASKED_LENGTH)
    .sort(([one], [other]) => other.length - one.length);
}

function orEmpty<T>(get: () => readonly T[]): readonly T[] {
  try {
    return get();
  } catch {
    // Invalid addresses are reported by another check.
    return [];
  }
}

const PUBLIC = Object.values(SERVERS).map((address) => new URL(address).hostname);

const isPrivate = (host: string) => host !== "" && !PUBLIC.includes(host) && !isLoopback(host);

function urlOf(address: string | undefined): URL | null {
  const text = address ?? "";
  return URL.parse(text.includes("://") ? text : `http://${text}`);
}

/** Returns the host of a private address, with and without its port. */
function privateHosts(address: string | undefined): readonly string[] {
  const { hostname = "", host = "" } = urlOf(address) ?? {};
  return isPrivate(hostname) ? [host, hostname] : [];
}

/** Returns the path of an address without the path of the API family. */
function customPath(address: string | undefined): string | undefined {
  const { pathname = "", hostname = "" } = urlOf(address) ?? {};
  const ending = Object.values(FAMILY_PATHS).find((path) => path !== "" && pathname.endsWith(path)) ?? "";
  return PUBLIC.includes(hostname) ? undefined : pathname.slice(0, pathname.length - ending.length).replace(/\/$/, "");
}

/** Matches URLs, except the placeholder `https://host` of hints. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/(?!host\b)[^\s"',;()<>]+/gi;

/** Masks an address, unless it is local or that of the API. */
function maskAddress(address: string): string {
  const { hostname = "" } = URL.parse(address) ?? {};
  return isPrivate(hostname) || hostname === "" ? "<server>" : address;
}

/** Masks a text. Names are replaced as whole words only, the key everywhere. */
export function maskText(text: string, masks: Masks): string {
  const word = /[\p{L}\p{N}_-]/u;
  return masks.reduce(
    (masked, [name, mask]) => {
      const parts = masked.split(name);
      return parts.reduce((before, after) => {
        const isInside = word.test(before.at(-1) ?? "") || word.test(after[0] ?? "");
        const isPlain = !/[/\\]/.test(name);
        return before + (isPlain && isInside && mask !== "<key>" ? name : mask) + after;
      });
    },
    text.replace(ADDRESS, maskAddress),
  );
}

/** Formats the findings as a report. */
export function formatReport(findings: readonly Finding[], masks: Masks): string {
  const sections = AREA_NAMES.flatMap((area) => {
    const areaFindings = findings.filter((finding) => finding.area === area);
    return areaFindings.length === 0
      ? []
      : [`\n#### ${AREAS[area]}\n`, ...areaFindings.map((finding) => formatItem(finding, masks))];
  });
  const summary = summaryOf(findings) ?? "no problems";
  return [
    "### solx doctor",
    "",
    "<!-- What happened, what did you expect, and which command was it? -->",
    "",
    `<details><summary>Report: ${summary}</summary>`,
    ...sections,
    "",
    "</details>",
    "",
  ].join("\n");
}

function formatItem({ level, check, message, hint }: Finding, masks: Masks): string {
  const hasHint = level === "problem" || level === "warning";
  const code = (text: string) => escapeMarkdown(maskText(text, masks));
  const item = `- ${signOf(level, true)} ${level} **${escapeMarkdown(check)}**: ${code(message)}`;
  return hasHint && hint !== null ? `${item}\n  (${code(hint.split("\n")[0] ?? "")})` : item;
}

/** Escapes Markdown and HTML. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign)
    .replace(/[\\`*_[\]|]/g, "\\$&");
