/** Renders the palette as lines. */
import { clip, pad, textWidth, wrap } from "../../output/index.ts";
import type { Size } from "../app/context.ts";
import { lineWidth, type Span, span, type TextLine } from "../app/theme/text-line.ts";
import { fieldLine, type TextField } from "../form/text-field.ts";
import { centredTop } from "../widgets/viewport.ts";
import type { Candidate } from "./candidates.ts";

/** A message below the input. */
export interface PromptMessage {
  readonly text: string;
  readonly role: "bad" | "note" | "warning" | "good";
}

/** What is rendered. */
export interface PaletteView {
  /** Label before the input: `account transfer ▸ address`; undefined while searching. */
  readonly promptLabel: string | undefined;
  readonly field: TextField;
  readonly messages: readonly PromptMessage[];
  readonly candidates: readonly Candidate[];
  readonly selected: number;
}

const KIND_WIDTH = 10;
/** Minimum and maximum width of the title column; a longer title takes space from the description. */
const TITLE_WIDTH = { min: 16, max: 48 } as const;

/** Returns exactly `size.height` lines: the input, its messages, and as many candidates as fit. */
export function paletteLines(view: PaletteView, size: Size, unicode: boolean): readonly TextLine[] {
  const { promptLabel, field, messages, candidates, selected } = view;
  const prompt = span(promptLabel === undefined ? `${unicode ? "›" : ">"} ` : `${promptLabel}: `, "active");
  const typed = [prompt, ...fieldLine(field, size.width - textWidth(prompt.text), true)];
  const messageLines = messages.flatMap(({ text, role }) =>
    wrap(text, size.width).map((row): TextLine => [span(row, role)]),
  );
  const head = [typed, ...(messageLines.length === 0 ? [[]] : messageLines)].slice(0, size.height);
  const available = Math.max(0, size.height - head.length);
  const from = centredTop({ count: candidates.length }, available, selected);
  const visible = candidates.slice(from, from + available);
  const widest = Math.max(...visible.map(({ title }) => textWidth(title)), TITLE_WIDTH.min);
  const column = Math.min(widest, TITLE_WIDTH.max, Math.floor(size.width / 2));
  const rows = visible.map((candidate, index) =>
    candidateLine(candidate, size.width, column, from + index === selected),
  );
  const lines = [...head, ...rows];
  while (lines.length < size.height) lines.push([]);
  return lines;
}

/** Returns the line of a candidate: kind, title, description, and the cost at the right end. */
function candidateLine(
  { kind, title, about, cost }: Candidate,
  width: number,
  column: number,
  chosen: boolean,
): TextLine {
  const on = chosen ? ("row" as const) : undefined;
  const end = cost === undefined ? "" : `  ${cost}`;
  const available = Math.max(0, width - textWidth(end));
  const titleWidth = Math.min(Math.max(column, textWidth(title)), available - KIND_WIDTH);
  const left: readonly Span[] = [
    { text: pad(kind, KIND_WIDTH), role: "note", cursor: on },
    { text: pad(cut(title, titleWidth), titleWidth), role: chosen ? undefined : "link", cursor: on },
    { text: cut(`  ${about}`, Math.max(0, available - KIND_WIDTH - titleWidth)), cursor: on },
  ];
  const gap = Math.max(0, available - lineWidth(left));
  return [...left, { text: " ".repeat(gap), cursor: on }, { text: end, role: "note", cursor: on }];
}

function cut(text: string, width: number): string {
  return width <= 0 ? "" : clip(text, width);
}
