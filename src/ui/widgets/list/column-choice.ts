/** The state of the column picker and its transitions. Pure. */
import type { ColumnOption } from "../../navigation/popups.ts";
import { type ColumnWidths, clampWidth, WIDTH_LIMITS } from "./column-layout.ts";
import { allColumns, type ColumnSource, type ListColumn, listColumns } from "./columns.ts";

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
export function moveCursor(state: ColumnChoice, by: number): ColumnChoice {
  return { ...state, selected: Math.max(0, Math.min(state.selected + by, state.options.length - 1)) };
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
export function resizeColumn({ options, selected }: ColumnChoice, direction: 1 | -1): ColumnChoice {
  const resize = ({ width, head, ...item }: ColumnOption): ColumnOption => ({
    ...item,
    head,
    width: clampWidth((width ?? Math.max(DEFAULT_WIDTH, head.length)) + direction * WIDTH_LIMITS.step),
  });
  return { options: options.map((item, index) => (index === selected ? resize(item) : item)), selected };
}

const DEFAULT_WIDTH = 12;

/** Returns the widths that were chosen, by column. */
export function chosenWidths({ options }: ColumnChoice): ColumnWidths {
  return Object.fromEntries(options.flatMap(({ key, width }) => (width === undefined ? [] : [[key, width] as const])));
}

/** Returns the keys of the selected columns, in order. */
export function chosenKeys({ options }: ColumnChoice): readonly string[] {
  return options.filter(({ isOn }) => isOn).map(({ key }) => key);
}
