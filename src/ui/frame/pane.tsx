/** Panes: bordered regions with a title and further texts in their border. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { textWidth } from "../../output/index.ts";
import { type Region, type Size, useExplorer } from "../navigation/context.ts";
import { fitLine, fitLines, lineWidth, type Span, span, type TextLine } from "../navigation/theme/text-line.ts";
import { Lines } from "./lines.tsx";

/** What the border of a pane shows. */
export interface PaneFrame {
  /** A text, or a line such as a tab bar, which is drawn as it is. */
  readonly title: string | TextLine;
  /** The digit that selects the pane, before the title. */
  readonly number?: number | undefined;
  /** At the right end of the top border, such as the position of the cursor; left out where it does not fit. */
  readonly info?: TextLine | undefined;
  readonly footer?: TextLine | undefined;
  /** Whether keys are for this pane. */
  readonly focused?: boolean | undefined;
}

/** Cells of the border on each side. */
export const PANE_BORDER = 1;

const BORDERS = {
  unicode: { top: ["╭", "╮"], bottom: ["╰", "╯"], across: "─", down: "│" },
  ascii: { top: ["+", "+"], bottom: ["+", "+"], across: "-", down: "|" },
} as const;

/** Returns the characters of a border. */
export const borderSigns = (unicode: boolean): (typeof BORDERS)[keyof typeof BORDERS] =>
  unicode ? BORDERS.unicode : BORDERS.ascii;

/** Returns the region inside of the border of a pane. */
export function insidePane(region: Region): Region {
  return { ...insideSize(region), top: region.top + PANE_BORDER };
}

const insideSize = ({ width, height }: Size): Size => ({
  width: Math.max(0, width - 2 * PANE_BORDER),
  height: Math.max(0, height - 2 * PANE_BORDER),
});

/** Returns the lines of a pane of exactly this size around its content. */
export function paneLines(
  content: readonly TextLine[],
  frame: PaneFrame,
  size: Size,
  unicode: boolean,
): readonly TextLine[] {
  const { top, bottom, side } = paneEdges(frame, size.width, unicode);
  const inside = insideSize(size);
  const rows = fitLines(content, inside.width, inside.height).map((line) => [side, ...line, side]);
  return [top, ...rows, bottom];
}

/** A pane around components. The content fills {@link insidePane} of the region. */
export function Pane({ frame, region, children }: { frame: PaneFrame; region: Region; children: ReactNode }) {
  const { services } = useExplorer();
  const { top, bottom, side } = paneEdges(frame, region.width, services.unicode);
  const inside = insidePane(region);
  const sides = Array.from({ length: inside.height }, () => [side]);
  return (
    <Box flexDirection="column" width={region.width} height={region.height}>
      <Lines lines={[top]} width={region.width} height={1} />
      <Box width={region.width} height={inside.height}>
        <Lines lines={sides} width={PANE_BORDER} height={inside.height} />
        <Box width={inside.width} height={inside.height} flexDirection="column">
          {children}
        </Box>
        <Lines lines={sides} width={PANE_BORDER} height={inside.height} />
      </Box>
      <Lines lines={[bottom]} width={region.width} height={1} />
    </Box>
  );
}

function paneEdges(frame: PaneFrame, width: number, unicode: boolean) {
  const { title, number, info, footer, focused = false } = frame;
  const signs = borderSigns(unicode);
  const role = focused ? "focus" : "frame";
  const heading: TextLine = [
    ...(number === undefined ? [] : [span(`${number} `, "hotkey")]),
    ...(typeof title === "string" ? [span(title, focused ? "active" : "title")] : title),
  ];
  const edge = ([left, right]: readonly [string, string], start: TextLine, end: TextLine): TextLine => {
    const space = Math.max(0, width - 2 * textWidth(left + signs.across));
    const label = padded(start, space);
    const rest = space - lineWidth(label);
    const tail = padded(end, Number.POSITIVE_INFINITY);
    const visibleTail = lineWidth(tail) < rest ? tail : [];
    return [
      span(left + signs.across, role),
      ...label,
      span(signs.across.repeat(Math.max(0, rest - lineWidth(visibleTail))), role),
      ...visibleTail,
      span(signs.across + right, role),
    ];
  };
  return {
    top: edge(signs.top, heading, info ?? []),
    bottom: edge(signs.bottom, [], footer ?? []),
    side: span(signs.down, role) satisfies Span,
  };
}

function padded(text: TextLine, width: number): TextLine {
  if (lineWidth(text) === 0) return [];
  const line = [span(" "), ...text, span(" ")];
  return lineWidth(line) > width ? fitLine(line, width) : line;
}
