/** The choice of columns, over the list. */
import { safeText } from "../../../output/text/safe.ts";
import { clip, pad, textWidth } from "../../../output/text/width.ts";
import { useBindings, useExplorer } from "../../app/context.ts";
import type { Binding } from "../../app/keys/keymap.ts";
import { useBody } from "../../app/layout.ts";
import { Popup, popupSpace } from "../../app/popup.tsx";
import { span, type TextLine } from "../../app/theme/text-line.ts";
import { useLatestReducer } from "../../app/use-latest-reducer.ts";
import { scrollTop } from "../viewport.ts";
import { carry, type Item, move, type Picking, picked, picking, toggle } from "./column-choice.ts";
import { allColumns, type ColumnSource, listColumns } from "./columns.ts";

export interface PickerProps {
  readonly source: ColumnSource;
  /** Takes the choice; `undefined` for the usual columns. */
  readonly onDone: (keys: readonly string[] | undefined) => void;
}

const changed = (state: Picking, change: (before: Picking) => Picking) => change(state);

const FOOTER = "Space shows/hides · J/K move · R usual · Enter keeps · Esc";

export function ColumnPicker({ source, onDone }: PickerProps) {
  const { setOverlay, toast, services } = useExplorer();
  const [state, change, read] = useLatestReducer(changed, () => picking(listColumns(source), allColumns(source)));
  const room = popupSpace(useBody());
  const usual = { ...source, chosen: undefined };
  const usualKeys = listColumns(usual)
    .map(({ key }) => key)
    .join("\n");
  const close = () => setOverlay(undefined);
  const keep = () => {
    const keys = picked(read());
    if (keys.length === 0) return toast("At least one column must be shown.", "warning");
    close();
    onDone(keys.join("\n") === usualKeys ? undefined : keys);
  };
  const binding = (keys: readonly string[], label: string, run: () => void, hint?: number): Binding => ({
    keys,
    label,
    run,
    group: "view",
    ...(hint !== undefined && { hint }),
  });
  useBindings(
    "overlay",
    [
      binding(["enter"], "keep", keep, 1),
      binding(["space"], "show or hide", () => change(toggle), 2),
      binding(["J", "shift+down"], "move down", () => change((before) => carry(before, 1)), 3),
      binding(["K", "shift+up"], "move up", () => change((before) => carry(before, -1)), 4),
      binding(["R"], "usual columns", () => change(() => picking(listColumns(usual), allColumns(usual))), 5),
      binding(["esc", "q"], "cancel", close, 6),
      binding(["j", "down"], "next", () => change((before) => move(before, 1))),
      binding(["k", "up"], "previous", () => change((before) => move(before, -1))),
      binding(["pagedown", "ctrl+d"], "further down", () => change((before) => move(before, 10))),
      binding(["pageup", "ctrl+u"], "further up", () => change((before) => move(before, -10))),
      binding(["g", "home"], "first", () => change((before) => move(before, -before.items.length))),
      binding(["G", "end"], "last", () => change((before) => move(before, before.items.length))),
    ],
    { modal: true },
  );
  const first = scrollTop({ count: state.items.length }, room.height, 0, state.at);
  const lines = pickerLines(state, room.width, services.unicode).slice(first, first + room.height);
  return <Popup title="Columns" lines={lines} footer={FOOTER} />;
}

const WIDEST_HEAD = 28;

/** The columns as lines: whether they are shown, their heading, what they are. */
function pickerLines({ items, at }: Picking, width: number, unicode: boolean): readonly TextLine[] {
  const wide = Math.min(WIDEST_HEAD, Math.max(...items.map(({ head }) => textWidth(head))));
  const room = Math.max(0, width - wide - 6);
  const most = Math.min(room, Math.max(...items.map(({ about }) => textWidth(about))));
  return items.map((item, index) => itemLine(item, { wide, most, unicode, isHere: index === at }));
}

interface ItemLook {
  readonly wide: number;
  readonly most: number;
  readonly unicode: boolean;
  readonly isHere: boolean;
}

function itemLine({ head, about, isOn }: Item, { wide, most, unicode, isHere }: ItemLook): TextLine {
  const on = isHere ? ("row" as const) : undefined;
  const mark = isOn ? (unicode ? "✓" : "x") : " ";
  return [
    { ...span(`[${mark}] `, isOn ? "marked" : "note"), cursor: on },
    { ...span(pad(clip(head, wide), wide)), cursor: on },
    { ...span(`  ${pad(clip(safeText(about), most), most)}`, "note"), cursor: on },
  ];
}
