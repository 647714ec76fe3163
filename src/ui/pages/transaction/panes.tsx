/** The panes of a transaction: its story, its instructions as a tree, and what the selected one did. */
import { Box } from "ink";
import { type ReactNode, useMemo } from "react";
import { groupThousands, type Json } from "../../../base/index.ts";
import { Lines } from "../../frame/lines.tsx";
import { insidePane, Pane } from "../../frame/pane.tsx";
import { shareBar } from "../../frame/share-bar.ts";
import { type Region, type Subject, useExplorer, useViewState } from "../../navigation/context.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { type Tree, type TreeNeighbour, useTree } from "../../widgets/tree/panel.tsx";
import type { TreeRow } from "../../widgets/tree/rows.ts";
import type { TransactionFormatter } from "./formatter.ts";
import {
  calledInstructions,
  instructionDetailRows,
  instructionRows,
  instructionTitle,
  mainRow,
} from "./instructions.ts";
import { unitsOf } from "./summary.ts";

interface TransactionPanesProps {
  readonly detail: Json | undefined;
  readonly formatter: TransactionFormatter;
  /** The rows of the story; without them, there is no pane for it. */
  readonly story?: readonly TreeRow[];
  readonly region: Region;
  readonly part: string;
  readonly request: Subject["request"];
}

const NO_ROWS: readonly TreeRow[] = [];

/** Shows the panes of a transaction; where there is no space for all, the one that has the focus. */
export function TransactionPanes({ detail, formatter, story, region, part, request }: TransactionPanesProps) {
  const { services } = useExplorer();
  const { unicode } = services;
  const first: PaneName = story ? "story" : "instructions";
  const [focus, setFocus] = useViewState<PaneName>(`${part} pane`, first);
  const rows = useMemo(() => instructionRows(detail, formatter, unicode), [detail, formatter, unicode]);
  const called = useMemo(() => new Map(calledInstructions(detail).map((one) => [one.number, one])), [detail]);
  const startAt = useMemo(() => mainRow(detail), [detail]);
  const panes = paneRegions(region, { hasStory: story !== undefined, count: rows.length, focus });
  const order: readonly PaneName[] = story ? ["story", "instructions", "detail"] : ["instructions", "detail"];
  const neighbour = (name: PaneName, by: 1 | -1): TreeNeighbour | undefined => {
    const to = order[order.indexOf(name) + by];
    return to && { label: LABELS[to], focus: () => setFocus(to) };
  };
  const optionsFor = (name: PaneName) => {
    const [left, right] = [neighbour(name, -1), neighbour(name, 1)];
    return {
      region: panes[name] ? insideRegion(panes, name) : NO_REGION,
      part: `${part} ${name}`,
      request,
      active: focus === name,
      neighbours: { ...(left && { left }), ...(right && { right }) },
      onFocus: () => setFocus(name),
      isFramed: panes.isFramed,
    };
  };
  const storyTree = useTree({ ...optionsFor("story"), rows: story ?? NO_ROWS });
  const tree = useTree({ ...optionsFor("instructions"), rows, startAt });
  const selected = called.get(tree.selected?.key ?? "");
  const detailOptions = optionsFor("detail");
  const { width } = detailOptions.region;
  const detailRows = useMemo(
    () => (selected ? instructionDetailRows(selected, formatter, width) : NO_ROWS),
    [selected, formatter, width],
  );
  const detailPart = `${detailOptions.part} ${selected?.number ?? ""}`;
  const detailTree = useTree({ ...detailOptions, part: detailPart, rows: detailRows });
  const draw = (name: PaneName, title: string, content: Tree, info?: TextLine): ReactNode => {
    const place = panes[name];
    if (!place) return null;
    const position = content.position === undefined ? undefined : [span(content.position, "note")];
    const inside = insideRegion(panes, name);
    const isActive = focus === name;
    const lines = (
      <Lines
        lines={panes.isFramed ? withGutter(content, isActive, name === "instructions") : content.lines}
        width={inside.width + gutterWidth(panes)}
        height={inside.height}
        onMouse={content.onMouse}
      />
    );
    if (!panes.isFramed) return lines;
    return (
      <Pane frame={{ title, focused: isActive, ...(info && { info }), footer: position }} region={place}>
        {lines}
      </Pane>
    );
  };
  return (
    <Box width={region.width} height={region.height}>
      {draw("story", "Story", storyTree)}
      <Box flexDirection={panes.isStacked ? "column" : "row"}>
        {draw("instructions", "Instructions", tree, unitsInfo(detail, unicode))}
        {draw("detail", selected ? instructionTitle(selected, formatter) : "Instruction", detailTree)}
      </Box>
    </Box>
  );
}

const LABELS = { story: "story", instructions: "instructions", detail: "details" } as const;

const NO_REGION: Region = { width: 0, height: 0, top: 0 };

function insideRegion(panes: PaneRegions, name: PaneName): Region {
  const region = panes[name] ?? NO_REGION;
  if (!panes.isFramed) return region;
  const inside = insidePane(region);
  return { ...inside, width: Math.max(0, inside.width - gutterWidth(panes)) };
}

/** Cells to the left of the rows of a pane, for the mark of its selected row. */
const gutterWidth = ({ isFramed }: PaneRegions) => (isFramed ? 1 : 0);

/** Adds the gutter; the selected row of a pane that is not active is marked where another pane depends on it. */
function withGutter({ lines, selectedLine }: Tree, isActive: boolean, isMarked: boolean): readonly TextLine[] {
  return lines.map((line, at) => {
    if (at === selectedLine && isActive) return [{ text: " ", cursor: "row" as const }, ...line];
    return [at === selectedLine && isMarked ? span("›", "hotkey") : span(" "), ...line];
  });
}

const BAR_WIDTH = 8;

function unitsInfo(detail: Json | undefined, unicode: boolean): TextLine | undefined {
  const { used, limit } = unitsOf(detail);
  if (used === undefined || limit === undefined) return undefined;
  const text = `${groupThousands(used)} of ${groupThousands(limit)} CU `;
  return [span(text, "note"), ...shareBar(used / limit, BAR_WIDTH, unicode)];
}

type PaneName = "story" | "instructions" | "detail";

interface PaneRegions extends Readonly<Partial<Record<PaneName, Region>>> {
  /** Whether the details are below the instructions instead of beside them. */
  readonly isStacked: boolean;
  /** Whether panes have borders; without these, only the pane with the focus is visible. */
  readonly isFramed: boolean;
}

/** From this width on the story is beside the instructions. */
export const MIN_PANES_WIDTH = 110;
/** Lines of panes below each other, borders included. */
const MIN_STACKED_HEIGHT = 14;
const MIN_DETAIL_HEIGHT = 7;
/** The share of the width or the height of the first pane, and the maximum width of a story. */
const STORY_SHARE = 0.48;
const MAX_STORY_WIDTH = 96;
const TREE_SHARE = 0.6;
const BORDERS = 2;

function paneRegions(
  region: Region,
  { hasStory, count, focus }: { readonly hasStory: boolean; readonly count: number; readonly focus: PaneName },
): PaneRegions {
  const { width, height, top } = region;
  if (height < MIN_STACKED_HEIGHT && (hasStory || width < MIN_PANES_WIDTH)) {
    return { [focus]: region, isStacked: true, isFramed: false };
  }
  if (!hasStory && width >= MIN_PANES_WIDTH) {
    const treeWidth = Math.floor(width * TREE_SHARE);
    return {
      instructions: { width: treeWidth, height, top },
      detail: { width: width - treeWidth, height, top },
      isStacked: false,
      isFramed: true,
    };
  }
  const storyWidth = hasStory ? Math.min(MAX_STORY_WIDTH, Math.floor(width * STORY_SHARE)) : 0;
  const most = Math.max(Math.floor(height * TREE_SHARE), height - 2 * MIN_DETAIL_HEIGHT);
  const treeHeight = Math.min(count + BORDERS, most, height - MIN_DETAIL_HEIGHT);
  const right = { width: width - storyWidth, height: treeHeight, top };
  return {
    ...(hasStory && { story: { width: storyWidth, height, top } }),
    instructions: right,
    detail: { ...right, height: height - treeHeight, top: top + treeHeight },
    isStacked: true,
    isFramed: true,
  };
}
