/** The findings as Markdown to paste into an issue: without the key, and without the names of people, folders and servers. */
import { FAMILY_PATHS, SERVERS } from "../../catalogue/servers.ts";
import { isLoopback } from "../../client/index.ts";
import { abbreviateKey, type Env, SANDBOX_PROFILE, type Settings } from "../../config/index.ts";
import { AREAS, type Finding } from "./finding.ts";
import { signOf, summaryOf, titleOf } from "./text.ts";

/** Texts and what is told in their place. */
export type Masks = readonly (readonly [text: string, mask: string])[];

/** Names shorter than this are not looked for: they would be found in innocent words. */
const MIN_MASKED_LENGTH = 3;

/**
 * What is not told: the key, home folders, the user, profiles of their own, servers that are not the API's.
 * @param key the key, where there is one
 */
export function collectMasks(settings: Settings, env: Env, key: string | undefined, user: string): Masks {
  const { baseUrls, file, paths } = settings;
  const own = [...file.profiles.keys(), settings.profile].filter(
    (name) => name !== "default" && name !== SANDBOX_PROFILE,
  );
  const addresses = [
    ...orEmpty(() => Object.values(baseUrls.call(settings))),
    ...["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [env[name], env[name.toLowerCase()]]),
    // It may be a word of ours: addresses have a scheme.
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
    ...own.map((name) => [name, "<profile>"] as const),
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
    // Addresses that are wrong are told as such, by the name of their setting.
    return [];
  }
}

const PUBLIC = Object.values(SERVERS).map((address) => new URL(address).hostname);

const isPrivate = (host: string) => host !== "" && !PUBLIC.includes(host) && !isLoopback(host);

function urlOf(address: string | undefined): URL | null {
  const text = address ?? "";
  return URL.parse(text.includes("://") ? text : `http://${text}`);
}

/** The host of an address, with its port and without, where it is nobody's business. */
function privateHosts(address: string | undefined): readonly string[] {
  const { hostname = "", host = "" } = urlOf(address) ?? {};
  return isPrivate(hostname) ? [host, hostname] : [];
}

/** The path of an address, as far as it is not that of a family. */
function customPath(address: string | undefined): string | undefined {
  const { pathname = "", hostname = "" } = urlOf(address) ?? {};
  const ending = Object.values(FAMILY_PATHS).find((path) => path !== "" && pathname.endsWith(path)) ?? "";
  return PUBLIC.includes(hostname) ? undefined : pathname.slice(0, pathname.length - ending.length).replace(/\/$/, "");
}

/** Addresses in a text; `https://host` is what hints show. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/(?!host\b)[^\s"',;()<>]+/gi;

/** An address, where it may be told: the API's, and those of this machine. */
function maskAddress(address: string): string {
  const { hostname = "" } = URL.parse(address) ?? {};
  return isPrivate(hostname) || hostname === "" ? "<server>" : address;
}

/** A text without what is not told; names only where they stand as words. */
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

/** The whole text. */
export function formatReport(findings: readonly Finding[], masks: Masks): string {
  const sections = AREAS.flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0 ? [] : [`\n#### ${titleOf(area)}\n`, ...own.map((finding) => formatItem(finding, masks))];
  });
  const summary = summaryOf(findings) ?? "nothing is wrong";
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

/** Text that Markdown shows as it is. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign)
    .replace(/[\\`*_[\]|]/g, "\\$&");
