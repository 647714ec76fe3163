/** Findings as text for a terminal, and as Markdown for an issue, without the key and private names. */
import { type Env, pluralize } from "../../base/index.ts";
import { FAMILY_PATHS, SERVERS } from "../../catalogue/index.ts";
import { isLoopback } from "../../client/index.ts";
import { abbreviateKey, SANDBOX_PROFILE, type Settings } from "../../config/index.ts";
import { type Paint, pad, type Role, safeText, textWidth, wrap } from "../../output/index.ts";
import { escapeMarkdown } from "../docs/manual/markdown.ts";
import { AREAS, type Area, type Finding, type Level } from "./checks.ts";

/** Width in terminal cells and style of the text. */
export interface TextLayout {
  readonly width: number;
  readonly paint: Paint;
  readonly unicode: boolean;
}

/** The symbols of the levels, with Unicode and in ASCII, and their roles. Levels are words as well as colours. */
const LEVELS: Readonly<Record<Level, readonly [unicode: string, ascii: string, role?: Role]>> = {
  ok: ["✓", "+", "good"],
  note: ["·", "-"],
  warning: ["!", "!", "warning"],
  problem: ["✗", "x", "bad"],
};

const LEVEL_WIDTH = Math.max(...Object.keys(LEVELS).map((level) => level.length));
/** Below this width messages are printed under the names. */
const MIN_TWO_COLUMN_WIDTH = 60;
/** Maximum width of the name column; longer names get a line to themselves. */
const MAX_NAME_WIDTH = 18;

/** Formats the findings of an area with its heading; empty without findings. */
export function sectionText(area: Area, findings: readonly Finding[], layout: TextLayout): string {
  if (findings.length === 0) return "";
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(...findings.map(({ check }) => textWidth(check))));
  const lines = findings.flatMap((finding) => formatFinding(finding, nameWidth, layout));
  return `${layout.paint("heading", AREAS[area])}\n${lines.join("\n")}\n\n`;
}

function formatFinding(
  { level, check, message, hint }: Finding,
  nameWidth: number,
  { width, unicode, paint }: TextLayout,
): string[] {
  const [symbol, ascii, role] = LEVELS[level];
  const levelText = `${unicode ? symbol : ascii} ${level.padEnd(LEVEL_WIDTH)}`;
  const start = `  ${paint(role, levelText)}  `;
  const name = safeText(check);
  const isBeside = width >= MIN_TWO_COLUMN_WIDTH;
  const indent = isBeside ? 2 + textWidth(levelText) + 2 + nameWidth + 2 : 4;
  const available = Math.max(10, width - indent);
  const arrow = unicode ? "→ " : "> ";
  const hintLines = hint === null ? [] : wrapLines(hint, available - 2);
  const lines = [...wrapLines(message, available), ...hintLines.map((line, at) => (at === 0 ? arrow : "  ") + line)];
  const indented = lines.map((line) => " ".repeat(indent) + line);
  if (!isBeside || textWidth(name) > nameWidth) return [`${start}${name}`, ...indented];
  return [`${start}${pad(name, nameWidth)}  ${lines[0] ?? ""}`, ...indented.slice(1)];
}

const wrapLines = (text: string, width: number): string[] =>
  text.split("\n").flatMap((line) => wrap(safeText(line), Math.min(width, Number.MAX_SAFE_INTEGER)));

/** Returns the numbers of problems and warnings; undefined if there are none. */
export function summarize(findings: readonly Finding[]): string | undefined {
  const counts = (["problem", "warning"] as const).flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [pluralize(count, level)];
  });
  return counts.join(", ") || undefined;
}

type Masks = readonly (readonly [text: string, mask: string])[];

/** Shorter names are not masked: they occur in ordinary words. */
const MIN_MASKED_LENGTH = 3;

/** Collects what the report must not contain: the key, home folders, the user, custom profiles and other servers. */
export function collectMasks(settings: Settings, env: Env, key: string | undefined, user: string): Masks {
  const { file, paths, profile } = settings;
  const profiles = [...file.profiles.keys(), profile].filter((name) => name !== "default" && name !== SANDBOX_PROFILE);
  const addresses = [
    ...validAddresses(settings),
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
    ...addresses.flatMap(addressMasks),
    ...(env.NO_PROXY ?? env.no_proxy ?? "").split(/[\s,]+/).map((host) => [host, "<host>"] as const),
    ...profiles.map((name) => [name, "<profile>"] as const),
    [user === "root" ? undefined : user, "<user>"],
  ];
  return masks
    .filter((mask): mask is readonly [string, string] => (mask[0] ?? "").length >= MIN_MASKED_LENGTH)
    .sort(([one], [other]) => other.length - one.length);
}

function validAddresses(settings: Settings): readonly string[] {
  try {
    return Object.values(settings.baseUrls());
  } catch {
    // Invalid addresses are reported by another check.
    return [];
  }
}

const PUBLIC = Object.values(SERVERS).map((address) => new URL(address).hostname);

const isPrivate = (host: string) => host !== "" && !PUBLIC.includes(host) && !isLoopback(host);

/** Returns the masks of a private host, with and without its port, and of a path before that of the API family. */
function addressMasks(address = ""): Masks {
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  if (!url) return [];
  const { hostname, host, pathname } = url;
  const hosts = isPrivate(hostname) ? [host, hostname] : [];
  const ending = Object.values(FAMILY_PATHS).find((path) => path !== "" && pathname.endsWith(path)) ?? "";
  const path = pathname.slice(0, pathname.length - ending.length).replace(/\/$/, "");
  return [
    ...hosts.map((name) => [name, "<server>"] as const),
    ...(PUBLIC.includes(hostname) ? [] : [[path, "<path>"] as const]),
  ];
}

/** Matches URLs, except the placeholder `https://host` of hints. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/(?!host\b)[^\s"',;()<>]+/gi;

/** Masks a text. Names are replaced as whole words only, the key everywhere. */
export function maskText(text: string, masks: Masks): string {
  const word = /[\p{L}\p{N}_-]/u;
  const withoutServers = text.replace(ADDRESS, (address) => {
    const { hostname = "" } = URL.parse(address) ?? {};
    return isPrivate(hostname) || hostname === "" ? "<server>" : address;
  });
  return masks.reduce(
    (masked, [name, mask]) =>
      masked.split(name).reduce((before, after) => {
        const isInside = word.test(before.at(-1) ?? "") || word.test(after[0] ?? "");
        const isPlain = !/[/\\]/.test(name);
        return before + (isPlain && isInside && mask !== "<key>" ? name : mask) + after;
      }),
    withoutServers,
  );
}

/** Formats the findings as a report. */
export function formatReport(findings: readonly Finding[], masks: Masks): string {
  const sections = [...Map.groupBy(findings, ({ area }) => area)].flatMap(([area, members]) => [
    `\n#### ${AREAS[area]}\n`,
    ...members.map((finding) => formatItem(finding, masks)),
  ]);
  return [
    "### solx doctor",
    "",
    "<!-- What happened, what did you expect, and which command was it? -->",
    "",
    `<details><summary>Report: ${summarize(findings) ?? "no problems"}</summary>`,
    ...sections,
    "",
    "</details>",
    "",
  ].join("\n");
}

function formatItem({ level, check, message, hint }: Finding, masks: Masks): string {
  const hasHint = level === "problem" || level === "warning";
  const masked = (text: string) => escapeMarkdown(maskText(text, masks).replace(/\s+/g, " "));
  const item = `- ${LEVELS[level][0]} ${level} **${escapeMarkdown(check)}**: ${masked(message)}`;
  return hasHint && hint !== null ? `${item}\n  (${masked(hint.split("\n")[0] ?? "")})` : item;
}
