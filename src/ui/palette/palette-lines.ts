/** Renders the palette as lines. */
import { clip, pad, textWidth, truncateMiddle, wrap } from "../../output/index.ts";
import type { Size } from "../navigation/context.ts";
import { menuLine } from "../navigation/pointer/pointer.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";
import { fieldLine, type TextField } from "../widgets/text-field.ts";
import { centredTop } from "../widgets/viewport.ts";
import type { Candidate } from "./candidates.ts";

/** A message below the input. */
export interface PromptMessage {
  readonly text: string;
  readonly role: "bad" | "note" | "warning" | "good";
}

/** What is rendered. */
export interface PaletteView {
  readonly field: TextField;
  readonly ghost?: string | undefined;
  /** What is displayed in an empty input. */
  readonly placeholder: string;
  readonly messages: readonly PromptMessage[];
  readonly candidates: readonly Candidate[];
  readonly selected: number;
}

/** Headings of the groups; those of the keys are in display order. */
export const GROUPS: Readonly<Record<Candidate["kind"], string>> = {
  recent: "Recent",
  bookmark: "Bookmarks",
  page: "Pages",
  entity: "Open",
  endpoint: "Commands",
  action: "Actions",
  search: "Search",
  token: "Tokens",
  name: "Names",
  line: "Open",
  completion: "Complete",
  data: "Data",
  view: "View",
  go: "Go",
  solx: "General",
  move: "Move",
  mouse: "Mouse",
};
const GROUP_WIDTH = Math.max(...Object.values(GROUPS).map(textWidth)) + 2;
const TITLE_WIDTH = { min: 16, max: 48 } as const;
const GAP = 2;

/** Returns exactly `size.height` lines: the input, its messages, and as many candidates as fit. */
export function paletteLines(view: PaletteView, size: Size, unicode: boolean): readonly TextLine[] {
  const { messages, candidates, selected } = view;
  const messageLines = messages.flatMap(({ text, role }) =>
    wrap(text, size.width - PROMPT_WIDTH).map((row): TextLine => [span(" ".repeat(PROMPT_WIDTH)), span(row, role)]),
  );
  const head = [inputLine(view, size.width, unicode), ...(messageLines.length === 0 ? [[]] : messageLines)].slice(
    0,
    size.height,
  );
  const available = Math.max(0, size.height - head.length);
  const from = centredTop({ count: candidates.length }, available, selected);
  const visible = candidates.slice(from, from + available);
  const column = titleColumn(visible, size.width);
  const leads = candidates.map(({ lead = "" }) => textWidth(lead));
  const lead = Math.max(0, ...leads.map((one) => (one === 0 ? 0 : one + GAP)));
  const groupCount = new Set(candidates.map(({ kind }) => kind)).size;
  const isSpacious = candidates.length + groupCount - 1 <= available;
  const rows = visible.flatMap((candidate, index): readonly TextLine[] => {
    const at = from + index;
    const isFirst = index === 0 || visible[index - 1]?.kind !== candidate.kind;
    const group = isFirst ? GROUPS[candidate.kind] : "";
    const line = menuLine(candidateLine(candidate, { group, lead, column, width: size.width }), at, at === selected);
    return isSpacious && isFirst && index > 0 ? [[], line] : [line];
  });
  const lines = [...head, ...rows];
  while (lines.length < size.height) lines.push([]);
  return lines;
}

const PROMPT_WIDTH = 2;

/** Returns the input with its cursor, and what completing adds to it. */
function inputLine(
  { field, placeholder, ghost: completion = "" }: PaletteView,
  width: number,
  unicode: boolean,
): TextLine {
  const prompt = span(`${unicode ? "›" : ">"} `, "active");
  const typed = fieldLine(field, width - textWidth(prompt.text), true);
  const caret = typed.at(-1);
  const ghost = field.text === "" ? placeholder : completion;
  if (ghost === "" || caret?.cursor !== "caret") return [prompt, ...typed];
  const [first = "", ...rest] = ghost;
  return [prompt, ...typed.slice(0, -1), { ...caret, text: first }, span(rest.join(""), "missing")];
}

function titleColumn(candidates: readonly Candidate[], width: number): number {
  const widest = Math.max(TITLE_WIDTH.min, ...candidates.map(({ title }) => textWidth(title)));
  return Math.min(widest, TITLE_WIDTH.max, Math.floor((width - GROUP_WIDTH) / 2));
}

interface LineLayout {
  readonly group: string;
  /** Width of what precedes the titles. */
  readonly lead: number;
  readonly column: number;
  readonly width: number;
}

function candidateLine(candidate: Candidate, { group, lead, column, width }: LineLayout): TextLine {
  const { kind, title, role, matched, about, name, aside = "" } = candidate;
  const end: TextLine = aside === "" ? [] : [span(`  ${aside}`, kind === "action" ? "hotkey" : "note")];
  const isId = textWidth(title) > column && !/\s/.test(title);
  const text = isId ? truncateMiddle(title, column) : clip(title, column);
  const left: TextLine = [
    span(pad(group, GROUP_WIDTH), "note"),
    span(pad(candidate.lead ?? "", lead), "hotkey"),
    ...highlight(text, role, text === title ? matched : undefined),
    span(" ".repeat(Math.max(0, column - textWidth(text)) + GAP)),
    span(about, "note"),
  ];
  const space = Math.max(0, width - lineWidth(end));
  const named = name === undefined ? left : [...left, span(` · ${name}`, "note")];
  return [...fitLine(lineWidth(named) <= space ? named : left, space), ...end];
}

function highlight(text: string, role: Span["role"], matched: readonly number[] = []): TextLine {
  const spans: Span[] = [];
  const isMatch = new Set(matched);
  for (let at = 0; at < text.length; ) {
    let end = at + 1;
    while (end < text.length && isMatch.has(end) === isMatch.has(at)) end += 1;
    spans.push(span(text.slice(at, end), isMatch.has(at) ? "found" : role));
    at = end;
  }
  return spans;
}
