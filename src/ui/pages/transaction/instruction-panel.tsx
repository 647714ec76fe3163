/** The instructions of a transaction as a tree, above what the selected one did. */
import { Box } from "ink";
import { useMemo } from "react";
import type { Json } from "../../../base/index.ts";
import { Lines } from "../../frame/lines.tsx";
import { borderSigns } from "../../frame/pane.tsx";
import { type Region, type Subject, useExplorer, usePane, useViewState } from "../../navigation/context.ts";
import { fitLine, lineWidth, type Span, span, type TextLine } from "../../navigation/theme/text-line.ts";
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

interface InstructionPanelProps {
  readonly detail: Json | undefined;
  readonly formatter: TransactionFormatter;
  readonly region: Region;
  readonly part: string;
  readonly request: Subject["request"];
}

const NO_ROWS: readonly TreeRow[] = [];

/** Cells to the left of the rows, for the mark of the selected instruction. */
const GUTTER = 1;

/** Shows the tree and the details; where there is no space for both, the one that has the focus. */
export function InstructionPanel({ detail, formatter, region, part, request }: InstructionPanelProps) {
  const { services } = useExplorer();
  const { unicode } = services;
  const { isFocused } = usePane();
  const [focus, setFocus] = useViewState<"tree" | "details">(`${part} pane`, "tree");
  const rows = useMemo(() => instructionRows(detail, formatter, unicode), [detail, formatter, unicode]);
  const called = useMemo(() => new Map(calledInstructions(detail).map((one) => [one.number, one])), [detail]);
  const startAt = useMemo(() => mainRow(detail), [detail]);
  const heights = splitHeight(region.height, rows.length, focus);
  const width = Math.max(0, region.width - GUTTER);
  const optionsFor = (name: typeof focus, height: number, neighbours: Record<string, TreeNeighbour>) => ({
    ...{ request, neighbours, part: `${part} ${name}`, active: focus === name },
    region: { width, height, top: region.top + (name === "details" ? region.height - height : 0) },
    onFocus: () => setFocus(name),
    isFramed: heights.isSplit,
  });
  const right = { label: "details", focus: () => setFocus("details") };
  const left = { label: "instructions", focus: () => setFocus("tree") };
  const tree = useTree({ ...optionsFor("tree", heights.tree, { right }), rows, startAt });
  const selected = called.get(tree.selected?.key ?? "");
  const detailRows = useMemo(
    () => (selected ? instructionDetailRows(selected, formatter, width) : NO_ROWS),
    [selected, formatter, width],
  );
  const options = optionsFor("details", heights.details, { left });
  const details = useTree({ ...options, part: `${options.part} ${selected?.number ?? ""}`, rows: detailRows });
  const title = selected ? instructionTitle(selected, formatter) : "Instruction";
  const rule = ruleLine(
    span(title, focus === "details" && isFocused ? "active" : "title"),
    details.position,
    region.width,
    unicode,
  );
  const draw = (content: Tree, height: number, isActive: boolean, isMarked = false) =>
    height > 0 && (
      <Lines
        lines={withGutter(content, isActive && isFocused, isMarked)}
        width={region.width}
        height={height}
        onMouse={content.onMouse}
      />
    );
  return (
    <Box flexDirection="column" width={region.width} height={region.height}>
      {draw(tree, heights.tree, focus === "tree", true)}
      {heights.isSplit && <Lines lines={[rule]} width={region.width} height={1} />}
      {draw(details, heights.details, focus === "details")}
    </Box>
  );
}

/** Lines from which on both are visible, and those of the details at least. */
const MIN_SPLIT_HEIGHT = 13;
const MIN_DETAIL_HEIGHT = 6;
const TREE_SHARE = 0.6;
const RULE = 1;

function splitHeight(height: number, count: number, focus: "tree" | "details") {
  if (height < MIN_SPLIT_HEIGHT) {
    return { isSplit: false, tree: focus === "tree" ? height : 0, details: focus === "details" ? height : 0 };
  }
  const tree = Math.min(count, Math.max(Math.floor(height * TREE_SHARE), height - 2 * MIN_DETAIL_HEIGHT));
  const fitting = Math.min(tree, height - RULE - MIN_DETAIL_HEIGHT);
  return { isSplit: true, tree: fitting, details: height - RULE - fitting };
}

/** Returns a rule with a title, and with a position at its right end. */
function ruleLine(title: Span, position: string | undefined, width: number, unicode: boolean): TextLine {
  const sign = borderSigns(unicode).across;
  const end = position === undefined ? [] : [span(` ${position} `, "note"), span(sign, "frame")];
  const head = fitLine(
    [span(`${sign} `, "frame"), title, span(" ")],
    Math.min(lineWidth([title]) + 3, width - lineWidth(end)),
  );
  return [...head, span(sign.repeat(Math.max(0, width - lineWidth([...head, ...end]))), "frame"), ...end];
}

/** Adds the gutter, where the selected instruction is marked while keys are for another panel. */
function withGutter({ lines, selectedLine }: Tree, isActive: boolean, isMarked: boolean): readonly TextLine[] {
  return lines.map((line, at) => {
    if (at === selectedLine && isActive) return [{ text: " ", cursor: "row" as const }, ...line];
    return [at === selectedLine && isMarked ? span("›", "hotkey") : span(" "), ...line];
  });
}
