/** The column picker, a popup of lists. */

import { clip, pad, safeText, textWidth } from "../../../output/index.ts";
import { Popup, popupSpace, useBody } from "../../frame/popup.tsx";
import { useExplorer, useLatestState, usePopupBindings } from "../../navigation/context.ts";
import { menuLine, menuMouse } from "../../navigation/pointer/pointer.ts";
import type { ColumnOption, PopupOf } from "../../navigation/popups.ts";
import { span, type TextLine } from "../../navigation/theme/text-line.ts";
import { clampIndex, type Movement, moveBindings, scrollTop, toLines } from "../viewport.ts";
import { type ColumnWidths, clampWidth, WIDTH_LIMITS } from "./column-layout.ts";
import { allColumns, type ColumnSource, type ListColumn, listColumns } from "./columns.ts";

/** Shows the column picker. */
export function ColumnPicker({ options, defaults, onDone }: PopupOf<"columns">) {
  const { closePopup, toast, services } = useExplorer();
  const [state, change, read] = useLatestState<ColumnChoice>(() => ({ options, selected: 0 }));
  const space = popupSpace(useBody());
  const defaultState = { options: defaults, selected: 0 };
  const apply = () => {
    const keys = chosenKeys(read());
    if (keys.length === 0) return toast("Select at least one column.", "warning");
    closePopup();
    onDone(keys.join("\n") === chosenKeys(defaultState).join("\n") ? undefined : keys, chosenWidths(read()));
  };
  const move = ({ direction, distance }: Movement) =>
    change((before) => moveSelection(before, direction * toLines({ distance }, space.height)));
  const binding = (keys: readonly string[], label: string, run: () => void, hint?: number) => ({
    keys,
    label,
    run,
    hint,
  });
  usePopupBindings([
    binding(["enter"], "apply", apply, 1),
    binding(["space"], "show or hide", () => change(toggleColumn), 2),
    binding(["J", "shift+down"], "move down", () => change((before) => moveColumn(before, 1)), 3),
    binding(["K", "shift+up"], "move up", () => change((before) => moveColumn(before, -1)), 4),
    binding(["R"], "default columns", () => change(() => defaultState), 6),
    binding(["}", "right"], "wider", () => change((before) => resizeColumn(before, 1)), 5),
    binding(["{", "left"], "narrower", () => change((before) => resizeColumn(before, -1))),
    binding(["esc", "q"], "cancel", closePopup, 7),
    ...moveBindings(move),
  ]);
  const first = scrollTop({ count: state.options.length }, space.height, 0, state.selected);
  const lines = pickerLines(state, space.width, services.unicode).slice(first, first + space.height);
  const onMouse = menuMouse(
    (direction) => move({ direction, distance: "row" }),
    (selected) => change((before) => toggleColumn({ ...before, selected })),
  );
  return <Popup title="Columns" lines={lines} onMouse={onMouse} />;
}

const MAX_HEAD = 28;
/** The cells of a chosen width with a space before it. */
const WIDTH_CELLS = 4;

function pickerLines({ options, selected }: ColumnChoice, width: number, unicode: boolean): readonly TextLine[] {
  const headWidth = Math.min(MAX_HEAD, Math.max(...options.map(({ head }) => textWidth(head))));
  const space = Math.max(0, width - headWidth - WIDTH_CELLS - 6);
  const descriptionWidth = Math.min(space, Math.max(...options.map(({ description }) => textWidth(description))));
  return options.map((item, index) =>
    menuLine(optionLine(item, { headWidth, descriptionWidth, unicode }), index, index === selected),
  );
}

interface OptionStyle {
  readonly headWidth: number;
  readonly descriptionWidth: number;
  readonly unicode: boolean;
}

function optionLine(
  { head, description, isOn, width }: ColumnOption,
  { headWidth, descriptionWidth, unicode }: OptionStyle,
): TextLine {
  const mark = isOn ? (unicode ? "✓" : "x") : " ";
  return [
    span(`[${mark}] `, isOn ? "marked" : "note"),
    span(pad(clip(head, headWidth), headWidth)),
    span(pad(width === undefined ? "" : ` ${width}`, WIDTH_CELLS), "active"),
    span(`  ${pad(clip(safeText(description), descriptionWidth), descriptionWidth)}`, "note"),
  ];
}

/** The state of the picker. */
export interface ColumnChoice {
  readonly options: readonly ColumnOption[];
  readonly selected: number;
}

/** Returns all columns as options: the displayed ones first, in their order. */
export function columnOptions(source: ColumnSource, widths: ColumnWidths = {}): readonly ColumnOption[] {
  const displayed = listColumns(source);
  const on = new Set(displayed.map(({ key }) => key));
  const item = ({ key, head, sources }: ListColumn): ColumnOption => ({
    key,
    head,
    description: sources[0]?.meta?.description ?? "",
    isOn: on.has(key),
    width: widths[key],
  });
  return [...displayed, ...allColumns(source).filter(({ key }) => !on.has(key))].map(item);
}

/** Moves the cursor. */
export function moveSelection(state: ColumnChoice, by: number): ColumnChoice {
  return { ...state, selected: clampIndex(state.selected + by, state.options.length) };
}

/** Shows or hides the column at the cursor. */
export function toggleColumn({ options, selected }: ColumnChoice): ColumnChoice {
  return {
    options: options.map((item, index) => (index === selected ? { ...item, isOn: !item.isOn } : item)),
    selected,
  };
}

/** Moves the column at the cursor, and the cursor with it. */
export function moveColumn(state: ColumnChoice, by: 1 | -1): ColumnChoice {
  const to = state.selected + by;
  const [current, target] = [state.options[state.selected], state.options[to]];
  if (!current || !target) return state;
  return { options: state.options.with(to, current).with(state.selected, target), selected: to };
}

/** Makes the column at the cursor wider or narrower. One without a chosen width starts at that of its heading. */
function resizeColumn({ options, selected }: ColumnChoice, direction: 1 | -1): ColumnChoice {
  const resize = ({ width, head, ...item }: ColumnOption): ColumnOption => ({
    ...item,
    head,
    width: clampWidth((width ?? Math.max(DEFAULT_WIDTH, head.length)) + direction * WIDTH_LIMITS.step),
  });
  return { options: options.map((item, index) => (index === selected ? resize(item) : item)), selected };
}

const DEFAULT_WIDTH = 12;

function chosenWidths({ options }: ColumnChoice): ColumnWidths {
  return Object.fromEntries(options.flatMap(({ key, width }) => (width === undefined ? [] : [[key, width] as const])));
}

/** Returns the keys of the selected columns, in order. */
export function chosenKeys({ options }: ColumnChoice): readonly string[] {
  return options.filter(({ isOn }) => isOn).map(({ key }) => key);
}
