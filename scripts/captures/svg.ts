/** Screens as SVG: a still picture, or an animation of several. */
import { BLOCKS, CELL, cornerPath, DOTS, LINES, shapePath } from "./glyphs.ts";
import { PAGE, type PageColors, type Run, type Scene, type Screen } from "./screen.ts";
import type { Size } from "./terminal.ts";

/** The space around the screen, in pixels. */
const PADDING = 14;
const TITLE_HEIGHT = 30;
const FONT = "ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', 'Cascadia Mono', Consolas, monospace";
const FONT_SIZE = 14;
const BASELINE = 13.5;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const round = (value: number) => String(Math.round(value * 100) / 100);

/** Returns the elements of a row at its own origin. */
function rowElements(runs: readonly Run[]): string {
  const backgrounds = runs
    .filter(({ background }) => background !== undefined)
    .map(({ column, text, background }) => {
      const path = shapePath("█".repeat([...text].length), column);
      return `<path d="${path}" fill="${background}" ${CRISP}/>`;
    });
  return [...backgrounds, ...runs.flatMap(runElements)].join("");
}

/** Keeps blocks that touch from showing a seam. */
const CRISP = 'shape-rendering="crispEdges"';

/** Shades, dashes, other shapes, or words: not every renderer keeps gaps of several spaces. */
const PARTS = new RegExp(
  `(?<shades>░+)|(?<dashes>┈+)|(?<lines>[${LINES}]+)|(?<dots>[${DOTS}]+)|(?<blocks>[${BLOCKS}]+)|` +
    `[^░┈ ${LINES}${DOTS}${BLOCKS}]+(?: [^░┈ ${LINES}${DOTS}${BLOCKS}]+)*`,
  "gu",
);

function runElements(run: Run): readonly string[] {
  if (run.underline) return [textElement(run)];
  return [...run.text.matchAll(PARTS)].map(({ index, 0: text, groups = {} }) => {
    const part = { ...run, text, column: run.column + [...run.text.slice(0, index)].length };
    const { column, color } = part;
    if (groups.dashes) return dashesElement(part);
    if (groups.shades) return `<path d="${shapePath(text, column)}" fill="${color}" fill-opacity="0.25" ${CRISP}/>`;
    if (groups.blocks) return `<path d="${shapePath(text, column)}" fill="${color}" ${CRISP}/>`;
    return groups.lines || groups.dots ? linesElement(part) : textElement(part);
  });
}

function dashesElement({ text, column, color }: Run): string {
  const path = `M${round(column * CELL.width)} ${CELL.height / 2}h${round(text.length * CELL.width)}`;
  return `<path d="${path}" stroke="${color}" stroke-dasharray="${CELL.width / 8}"/>`;
}

function linesElement({ text, column, color }: Run): string {
  const [path, corners] = [shapePath(text, column), cornerPath(text, column)];
  return [
    path && `<path d="${path}" fill="${color}"/>`,
    corners && `<path d="${corners}" fill="none" stroke="${color}"/>`,
  ].join("");
}

/** A text has its width in cells, so that a fallback font for signs does not move what follows. */
function textElement({ column, text, color, bold, italic, underline }: Run): string {
  const attributes = [
    `x="${round(column * CELL.width)}"`,
    `y="${BASELINE}"`,
    `textLength="${round([...text].length * CELL.width)}"`,
    ...(color === PAGE.color ? [] : [`fill="${color}"`]),
    ...(bold ? ['font-weight="bold"'] : []),
    ...(italic ? ['font-style="italic"'] : []),
    ...(underline ? ['text-decoration="underline"'] : []),
  ];
  return `<text ${attributes.join(" ")}>${escapeXml(text)}</text>`;
}

/** Returns a picture with the frame of a window around its content. */
function frame({ width, height }: Size, title: string, head: string, content: string, page: PageColors): string {
  const [w, h] = [width * CELL.width + 2 * PADDING, height * CELL.height + TITLE_HEIGHT + PADDING];
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (color, at) => `<circle cx="${18 + at * 18}" cy="15" r="5.5" fill="${color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${round(w)} ${round(h)}" width="${round(w)}" height="${round(h)}" role="img" aria-label="${escapeXml(title)}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>text{white-space:pre}${head}</style>`,
    `<rect width="100%" height="100%" rx="9" fill="${page.background}"/>`,
    ...dots,
    `<text x="${round(w / 2)}" y="20" text-anchor="middle" font-family="system-ui, sans-serif" font-size="12.5" fill="#8b93a1">${escapeXml(title)}</text>`,
    `<g transform="translate(${PADDING} ${TITLE_HEIGHT})" font-family="${FONT}" font-size="${FONT_SIZE}" fill="${page.color}">`,
    content,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Returns the rows of a screen at their positions. */
function placeRows(rows: readonly string[]): string {
  return rows
    .map((row, at) => (row === "" ? "" : `<g transform="translate(0 ${at * CELL.height})">${row}</g>`))
    .filter((row) => row !== "")
    .join("\n");
}

/** Returns a picture of a screen. */
export function stillPicture(screen: Screen, size: Size, title: string, page = PAGE): string {
  return frame(size, title, "", placeRows(screen.map(rowElements)), page);
}

/** Returns an animation that repeats. Rows that several screens share are defined once. */
export function animation(scenes: readonly Scene[], size: Size, title: string): string {
  const duration = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const ids = new Map<string, string>();
  const rowsOf = (screen: Screen) =>
    screen.map((runs) => {
      const row = rowElements(runs);
      if (row === "") return "";
      if (!ids.has(row)) ids.set(row, `r${ids.size}`);
      return `<use href="#${ids.get(row)}"/>`;
    });
  let start = 0;
  const percent = (seconds: number) => `${round((100 * seconds) / duration)}%`;
  const rules: string[] = [];
  const groups = scenes.map(({ screen, seconds }, at) => {
    const [from, to] = [percent(start), percent(start + seconds)];
    const before = start === 0 ? "" : "0%{visibility:hidden}";
    const after = at === scenes.length - 1 ? "" : `${to},100%{visibility:hidden}`;
    rules.push(`@keyframes s${at}{${before}${from}{visibility:visible}${after}}`);
    rules.push(`.s${at}{visibility:hidden;animation:s${at} ${round(duration)}s step-end infinite}`);
    start += seconds;
    return `<g class="s${at}">${placeRows(rowsOf(screen))}</g>`;
  });
  const definitions = [...ids].map(([row, id]) => `<g id="${id}">${row}</g>`);
  return frame(size, title, rules.join(""), [`<defs>${definitions.join("\n")}</defs>`, ...groups].join("\n"), PAGE);
}
