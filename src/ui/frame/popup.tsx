/** Bordered boxes above the page. */
import { Box, useWindowSize } from "ink";
import { safeText, textWidth, wrap } from "../../output/index.ts";
import { type Region, type Size, useActiveBindings, useExplorer, usePopupBindings } from "../navigation/context.ts";
import type { MouseHandler } from "../navigation/pointer/pointer.ts";
import type { PopupOf } from "../navigation/popups.ts";
import { fitLine, lineWidth, type Span, span, type TextLine, textLine } from "../navigation/theme/text-line.ts";
import type { MouseEvent } from "../terminal/mouse.ts";
import { fittingHints } from "./hints.ts";
import { bodyRegion } from "./layout.ts";
import { Lines } from "./lines.tsx";
import { borderSigns } from "./pane.tsx";

/** Returns the region between header and footer of the current window. */
export function useBody(): Region {
  const { columns, rows } = useWindowSize();
  return bodyRegion({ width: columns, height: rows });
}

interface PopupProps {
  readonly title: string;
  readonly lines: readonly TextLine[];
  /** Cells inside the border (default: what lines, title and footer need). */
  readonly width?: number | undefined;
  readonly at?: "center" | "bottom" | undefined;
  /** A text before the key hints in the bottom border, such as the position of the cursor. */
  readonly footer?: string | undefined;
  /** Handles the mouse on the content, with positions counted from its first cell; a click elsewhere closes the popup. */
  readonly onMouse?: MouseHandler | undefined;
}

/** Cells that the border takes on both sides together, and between border and text. */
const BORDER = 2;
const PADDING = 2;
/** Cells of the page beside a popup: fewer on both sides together would look like a part of it. */
const MIN_MARGIN = 4;

/** Returns the maximum size of the inside of a popup in a body. */
export function popupSpace(body: Size): Size {
  return { width: Math.max(0, body.width - BORDER - PADDING), height: Math.max(0, body.height - BORDER) };
}

/** Draws a bordered box, with the hints of its keys, that hides what is below it. */
export function Popup({ title, lines, width, at = "center", footer, onMouse }: PopupProps) {
  const body = useBody();
  const bindings = useActiveBindings();
  const { unicode } = useExplorer().services;
  const space = popupSpace(body);
  const position = footer === undefined ? [] : [span(`${footer}  `, "title")];
  const hints = fittingHints(bindings, Math.min(space.width, width ?? space.width) - lineWidth(position) - 2, unicode);
  const bordered = borderLines({ title, lines, width, footer: [...position, ...hints] }, space, unicode);
  const size = { width: lineWidth(bordered[0] ?? []), height: bordered.length };
  const left = Math.max(0, Math.floor((body.width - size.width) / 2));
  const free = Math.max(0, body.height - size.height);
  const onContent = ({ x, y, ...event }: MouseEvent) => {
    const isInside = x > 1 && x < size.width - PADDING && y > 0 && y < size.height - 1;
    if (isInside || event.type !== "click") onMouse?.({ ...event, x: x - BORDER, y: y - 1 });
  };
  return (
    <Box position="absolute" marginLeft={left} marginTop={at === "bottom" ? free : Math.floor(free / 2)}>
      <Lines surface="popup" lines={bordered} width={size.width} height={size.height} onMouse={onContent} />
    </Box>
  );
}

/** Returns the lines of a box, all of one width, which fits with its border into the space around `space`. */
export function borderLines(
  { title, lines, width, footer }: Pick<PopupProps, "title" | "lines" | "width"> & { readonly footer: TextLine },
  space: Size,
  unicode: boolean,
): readonly TextLine[] {
  const { top, bottom, across, down } = borderSigns(unicode);
  const needed = Math.max(...lines.map(lineWidth), textWidth(title) + 2, lineWidth(footer) + 2);
  const content = width ?? needed;
  const inside = content + MIN_MARGIN > space.width ? space.width : content;
  const edge = ([left, right]: readonly [string, string], text: TextLine): TextLine => {
    const label = lineWidth(text) === 0 ? [] : [span(" "), ...text, span(" ")];
    const cut = fitLine(label, Math.min(lineWidth(label), inside));
    const rest = across.repeat(inside + PADDING - 1 - lineWidth(cut));
    return [span(`${left}${across}`, "frame"), ...cut, span(`${rest}${right}`, "frame")];
  };
  const rows = lines
    .slice(0, space.height)
    .map((row) => [span(`${down} `, "frame"), ...fitLine(withRest(row, inside), inside), span(` ${down}`, "frame")]);
  return [edge(top, [span(title, "title")]), ...rows, edge(bottom, footer)];
}

function withRest(row: TextLine, width: number): TextLine {
  const { hit, cursor } = row.at(-1) ?? {};
  const rest: Span = { text: " ".repeat(Math.max(0, width - lineWidth(row))), hit, cursor };
  return rest.text === "" || hit === undefined ? row : [...row, rest];
}

const MAX_WIDTH = 76;

/** Shows sentences until a key is pressed. */
export function Notice({ title, sentences, footnote, onClose }: PopupOf<"notice">) {
  const { closePopup } = useExplorer();
  const space = popupSpace(useBody());
  const close = () => {
    closePopup();
    onClose?.();
  };
  usePopupBindings([{ keys: ["enter", "esc", "ctrl+c"], label: "close", hint: 1, run: close }], {
    onText: close,
  });
  const width = Math.max(1, Math.min(MAX_WIDTH, space.width));
  const wrapped = (text: string) => wrap(safeText(text), width);
  const end = footnote === undefined ? [] : ["", ...wrapped(footnote)];
  const blocks = sentences.map(wrapped);
  const fits = (count: number) => blocks.slice(0, count).flat().length + end.length + 1 <= space.height;
  const visible = blocks.findLastIndex((_block, at) => fits(at + 1)) + 1;
  const hidden = blocks.length - visible;
  const lines = [...blocks.slice(0, visible).flat(), ...(hidden > 0 ? [`${hidden} more`] : []), ...end];
  return <Popup title={title} lines={lines.map((text) => textLine(text))} />;
}
